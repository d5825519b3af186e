//! All formats say the same.

use pkiscope::app::cli::Format;
use serde_json::Value;

use crate::support::{inspect, lines, options, samples, tree};

/// The rows of a CSV text (RFC 4180).
fn csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                row.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\r' if !quoted => {}
            '\n' if !quoted => rows.push(vec![String::new()]),
            c => row.last_mut().unwrap().push(c),
        }
    }
    assert_eq!(rows.pop().unwrap(), [String::new()]);
    rows
}

/// The cell of `column` in every row but the first.
fn column<'a>(rows: &'a [Vec<String>], column: &str) -> Vec<&'a str> {
    let at = rows[0].iter().position(|name| name == column).unwrap();
    rows[1..].iter().map(|row| row[at].as_str()).collect()
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn the_formats_of_inspect_agree() {
    for (name, octets) in samples() {
        let of = |format| inspect(&octets, &options(format));
        let (exit, json) = of(Format::Json);
        let json: Value = serde_json::from_str(&json).unwrap();
        let records = json["records"].as_array().unwrap();
        let (code, ndjson) = of(Format::Ndjson);
        assert_eq!((code, &lines(&ndjson)), (exit, records), "{name}");
        let (code, table) = of(Format::Csv);
        assert_eq!(code, exit, "{name}");
        let rows = csv(&table);
        for field in ["index", "kind", "offset", "length", "sha256", "serial_number", "not_after"] {
            let cells: Vec<String> = records
                .iter()
                // The times of a CRL stand in the columns of a certificate's.
                .map(|record| match (field, record["kind"].as_str()) {
                    ("not_after", Some("crl")) => text_of(&record["next_update"]),
                    _ => text_of(&record[field]),
                })
                .collect();
            assert_eq!(column(&rows, field), cells, "{name}: {field}");
        }
        let (_, markdown) = of(Format::Markdown);
        assert_eq!(markdown.lines().count(), records.len() + 2, "{name}");
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        assert!(markdown.lines().all(|line| bars(line) == rows[0].len() + 1), "{name}");
        let (_, text) = of(Format::Text);
        let heads = text.lines().filter(|line| line.starts_with("== ")).count();
        assert_eq!(heads, records.len(), "{name}");
        for record in records {
            if let Some(digest) = record["sha256"].as_str() {
                assert!(text.contains(&format!("sha256: {digest}")), "{name}");
            }
        }
    }
}

#[test]
fn the_formats_of_tree_agree() {
    for (name, octets) in samples() {
        let (exit, json) = tree(&octets, Format::Json);
        let json: Value = serde_json::from_str(&json).unwrap();
        let nodes = json["nodes"].as_array().unwrap();
        let (code, ndjson) = tree(&octets, Format::Ndjson);
        assert_eq!((code, &lines(&ndjson)), (exit, nodes), "{name}");
        let (_, table) = tree(&octets, Format::Csv);
        let rows = csv(&table);
        for field in ["object", "offset", "header_length", "length", "depth", "type", "path"] {
            let cells: Vec<String> = nodes.iter().map(|node| text_of(&node[field])).collect();
            assert_eq!(column(&rows, field), cells, "{name}: {field}");
        }
        let (_, text) = tree(&octets, Format::Text);
        let listed = text.lines().filter(|line| !line.is_empty()).count();
        let errors = nodes.iter().filter(|node| node.get("error").is_some());
        let alone = errors.clone().filter(|node| node.get("offset").is_none()).count();
        assert_eq!(listed, nodes.len() + errors.count() - alone, "{name}");
    }
}

#[test]
fn the_nodes_of_a_tree_cover_the_object() {
    for certificate in webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().step_by(20) {
        let (_, text) = tree(certificate, Format::Ndjson);
        let mut at = 0;
        for node in lines(&text) {
            let number = |field: &str| node[field].as_u64().unwrap();
            // A BIT STRING that holds a value has the octet that counts unused bits before it.
            assert!(number("offset") == at || number("offset") == at + 1, "{node}");
            at = number("offset") + number("header_length");
            if !node["constructed"].as_bool().unwrap() && node["value"].is_string() {
                at += number("length");
            }
            let is_null = node["type"] == "NULL";
            assert!(is_null || node["path"].is_string(), "{node}");
        }
    }
}
