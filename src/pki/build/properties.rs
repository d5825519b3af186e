//! Whatever a profile says and whatever the number: what is built reads without a finding, or
//! the profile is refused in words.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::testing::{FakeSigner, assert_sound, public_octets};
use super::{
    Authority, CertificateTemplate, CrlTemplate, CsrTemplate, Error, OcspTemplate, Profile,
};
use crate::pki::certificate::Certificate;
use crate::pki::crypto::SignatureAlgorithm;
use crate::pki::extension::key::KEY_USAGES;
use crate::pki::object::Form;

fn algorithm() -> impl Strategy<Value = SignatureAlgorithm> {
    select(SignatureAlgorithm::ALL.to_vec())
}

/// Numbers of all lengths alike.
fn number() -> impl Strategy<Value = u64> {
    (0_u32..64, any::<u64>()).prop_map(|(shift, n)| (n >> shift).max(1))
}

/// From 1950 to a hundred and ten years before the end of the calendar.
fn now() -> impl Strategy<Value = i64> {
    -631_152_000..249_931_000_000_i64
}

fn list(items: &[String]) -> String {
    let items: Vec<String> =
        items.iter().map(|item| toml::Value::String(item.clone()).to_string()).collect();
    format!("[{}]", items.join(", "))
}

fn attribute() -> impl Strategy<Value = String> {
    let kinds = ["CN", "O", "OU", "L", "ST", "givenName", "serialNumber", "UID", "2.5.4.12"];
    let value = prop_oneof![
        "[A-Za-z0-9 .-]{1,20}",
        "[ -z~ä-ü€#+=,;<>\\\\\"]{1,12}",
        Just("{n}".to_owned()),
        "[a-z]{0,5}\\{random\\}-\\{n\\}[a-z]{0,5}",
    ];
    let text = (select(kinds.to_vec()), value).prop_map(|(kind, value)| format!("{kind}={value}"));
    prop_oneof![
        8 => text,
        1 => Just("C=XX".to_owned()),
        1 => Just("DC=example".to_owned()),
        1 => Just("emailAddress={random}@example.com".to_owned()),
    ]
}

fn alternative_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "dns:(\\*\\.)?[a-z]{1,10}(\\{n\\}|\\{random\\})?(\\.[a-z]{1,9}){0,30}",
        "email:[a-z]{1,9}\\{n\\}@\\{random\\}\\.example",
        "uri:https://[a-z]{1,9}/\\{n\\}(/\\{random\\}){0,9}",
        any::<std::net::IpAddr>().prop_map(|address| format!("ip:{address}")),
    ]
}

prop_compose! {
    /// The text of a profile; most are accepted.
    fn profile_text()(
        subject in vec(attribute(), 0..6),
        san in vec(alternative_name(), 0..8),
        days in 1..36_525_u32,
        usages in subsequence(KEY_USAGES.to_vec(), 0..=9),
        purposes in subsequence(vec!["serverAuth", "clientAuth", "1.2.3.4"], 0..=3),
        policies in subsequence(vec!["2.23.140.1.2.1", "anyPolicy", "2.999.1"], 0..=3),
        uris in vec("https?://[a-z]{1,9}/[a-z]{0,200}", 0..3),
        reasons in vec(select(vec!["unspecified", "keyCompromise", "superseded"]), 0..5),
        percent in 0..=100_u32,
        random in any::<bool>(),
    ) -> String {
        let own = |items: &[&str]| list(&items.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
        let usages: Vec<&str> = usages.into_iter().filter(|name| *name != "keyCertSign").collect();
        format!(
            "serial = \"{}\"\n[certificate]\nsubject = {}\nsan = {}\nvalidity_days = {days}\n\
             key_usage = {}\nextended_key_usage = {}\npolicies = {}\ncrl = {uris}\n\
             ocsp = {uris}\nca_issuers = {uris}\n\
             [crl]\nreasons = {}\n[ocsp]\nrevoked_percent = {percent}\n",
            if random { "random" } else { "sequential" },
            list(&subject),
            list(&san),
            own(&usages),
            own(&purposes),
            own(&policies),
            own(&reasons),
            uris = list(&uris),
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_is_built_is_sound(
        text in profile_text(),
        (ca, key) in (algorithm(), algorithm()),
        number in number(),
        (seed, now) in (any::<u64>(), now()),
        (entries, short) in (0..300_u64, 0..6_usize),
    ) {
        let profile = match Profile::from_toml(&text) {
            Ok(profile) => profile,
            // A name that is too long, or no name at all.
            Err(Error::Line { .. } | Error::Rule(_)) => return Err(TestCaseError::reject("refused")),
            Err(error) => panic!("{error}\n{text}"),
        };
        let authority = Authority::new(&profile, ca, &public_octets(ca));
        let signer = |algorithm: SignatureAlgorithm| {
            let shorter = if algorithm.fixed_signature_len() { 0 } else { short };
            FakeSigner(algorithm.max_signature_len() - shorter)
        };
        let serials = profile.serials(seed);
        let mut out = vec![7; 9];

        match CertificateTemplate::subscriber(&profile, &authority, key, seed, now) {
            Ok(template) => {
                let unsigned = template.write(number, &public_octets(key), &mut out);
                let place = unsigned.sign(&mut signer(ca), &mut out).unwrap();
                assert_sound(&out[place.clone()], Form::Certificate);
                let certificate = Certificate::parse(&out[place]).unwrap();
                let serial = serials.serial(number);
                prop_assert_eq!(certificate.serial(), serial.as_bytes());
                prop_assert_eq!(certificate.subject().to_text(), template.subject_text(number));
                // Made again, it is the same.
                let again = CertificateTemplate::subscriber(&profile, &authority, key, seed, now);
                let again = again.unwrap();
                let mut other = Vec::new();
                let unsigned = again.write(number, &public_octets(key), &mut other);
                prop_assert_eq!(certificate.tbs(), &other[unsigned.tbs()]);
            }
            Err(error) => prop_assert_eq!(error, Error::KeyUsage(key)),
        }

        out.clear();
        let template = CrlTemplate::new(&profile, &authority, serials, now).unwrap();
        let unsigned = template.write(number, entries, &mut out);
        unsigned.sign(&mut signer(ca), &mut out).unwrap();
        assert_sound(&out, Form::CertificateList);

        let template = OcspTemplate::new(&profile, &authority, serials, now).unwrap();
        let mut tbs = Vec::new();
        template.tbs(number, &mut tbs);
        out.clear();
        template.write(&tbs, &mut out).sign(&mut signer(ca), &mut out).unwrap();
        assert_sound(&out, Form::OcspResponse);

        out.clear();
        let unsigned = CsrTemplate::new(&profile, key, seed).write(number, &public_octets(key), &mut out);
        unsigned.sign(&mut signer(key), &mut out).unwrap();
        assert_sound(&out, Form::CertificationRequest);
    }

    #[test]
    fn hostile_text_is_refused_in_one_line(
        at in any::<proptest::sample::Index>(),
        removed in 0..200_usize,
        inserted in prop_oneof![
            any::<String>(),
            "[\\[\\]{}\"'=.,#\n a-z0-9-]{0,40}",
            Just("[".repeat(5_000)),
            Just("{".repeat(5_000)),
            Just("a.".repeat(5_000)),
            Just("a = 9999999999999999999999".to_owned()),
            Just("subject = [\"CN=\\u0000\", \"O=\\u202e\"]".to_owned()),
            Just("san = [\"dns:\\u0000\", 1, {}]".to_owned()),
        ],
    ) {
        let text: Vec<char> = Profile::BUILTIN.chars().collect();
        let at = at.index(text.len());
        let end = (at + removed).min(text.len());
        let text: String = text[..at].iter().copied().chain(inserted.chars())
            .chain(text[end..].iter().copied()).collect();
        if let Err(error) = Profile::from_toml(&text) {
            let message = error.to_string();
            prop_assert!(!message.contains(char::is_control), "{:?}", message);
            if let Error::Line { line, .. } = error {
                prop_assert!((1..=text.lines().count() + 1).contains(&line), "{}", message);
            }
        }
    }
}
