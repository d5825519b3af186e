//! The output is what the JSON Schemas in `fixtures/schema` say.

use jsonschema::Validator;
use pkiscope::app::batch::Options;
use pkiscope::app::cli::Format;
use serde_json::{Value, json};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;
use zeroize::Zeroizing;

use crate::generator;
use crate::support::{inspect, options, samples, tree};

const INSPECT: &str = include_str!("../../fixtures/schema/inspect.json");
const TREE: &str = include_str!("../../fixtures/schema/tree.json");

fn validator(schema: &str) -> Validator {
    let schema: Value = serde_json::from_str(schema).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn check(validator: &Validator, text: &str, what: &str) {
    let value: Value = serde_json::from_str(text).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .take(3)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}");
}

#[test]
fn samples_and_roots_fit() {
    let (records, nodes) = (validator(INSPECT), validator(TREE));
    let unlocked = Options {
        format: Format::Json,
        password: Some(Zeroizing::new("pkiscope".to_owned())),
        ..Options::default()
    };
    let roots: Vec<u8> = TLS_SERVER_ROOT_CERTS.iter().flat_map(|c| c.to_vec()).collect();
    for (name, octets) in samples().into_iter().chain([("roots".to_owned(), roots)]) {
        check(&records, &inspect(&octets, &options(Format::Json)).1, &name);
        check(&records, &inspect(&octets, &unlocked).1, &name);
        check(&nodes, &tree(&octets, Format::Json).1, &name);
    }
}

#[test]
fn broken_objects_fit() {
    let (records, nodes) = (validator(INSPECT), validator(TREE));
    for (name, octets) in generator::hostile().filter(|(_, octets)| octets.len() < 20_000) {
        check(&records, &inspect(&octets, &options(Format::Json)).1, &name);
        check(&nodes, &tree(&octets, Format::Json).1, &name);
    }
}

#[test]
fn the_schemas_are_strict() {
    let validator = validator(INSPECT);
    let (_, text) = inspect(TLS_SERVER_ROOT_CERTS[0].as_ref(), &options(Format::Json));
    let good: Value = serde_json::from_str(&text).unwrap();
    assert!(validator.is_valid(&good));
    let changes: [(&str, Option<Value>); 10] = [
        ("/records/0/surprise", Some(json!(1))),
        ("/records/0/serial_number", Some(json!("0A"))),
        ("/records/0/serial_number", None),
        ("/records/0/not_after", Some(json!("2030-01-01 00:00:00Z"))),
        ("/records/0/kind", Some(json!("certificates"))),
        ("/records/0/sha256", Some(json!("00"))),
        ("/records/0/issuer/extra", Some(json!(""))),
        ("/records/0/public_key/bits", Some(json!(-1))),
        ("/records/0/source/path", None),
        ("/schema", Some(json!("pkiscope.inspect/2"))),
    ];
    for (pointer, value) in changes {
        let mut bad = good.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let object = bad.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match value {
            Some(value) => drop(object.insert(key.to_owned(), value)),
            None => drop(object.remove(key).unwrap()),
        }
        assert!(!validator.is_valid(&bad), "{pointer}");
    }
}
