//! The tables hold together, and the names are the ones that the standards assign.

use std::collections::{HashMap, HashSet};

use super::table::{FAMILIES, LABELS};
use super::{Names, Problem, all, by_name, lookup};
use crate::asn1::value::oid::{self, TextError};

fn contents(dotted: &str) -> Vec<u8> {
    oid::encode(dotted).unwrap()
}

fn rows() -> impl Iterator<Item = (String, &'static str)> {
    FAMILIES.iter().flat_map(|part| part.iter()).flat_map(|family| {
        family.names.iter().map(|(below, name)| {
            let dotted = if below.is_empty() {
                family.arc.to_owned()
            } else {
                format!("{}.{below}", family.arc)
            };
            (dotted, *name)
        })
    })
}

#[test]
fn no_identifier_stands_twice() {
    let mut seen = HashMap::new();
    for (dotted, name) in rows() {
        if let Some(other) = seen.insert(dotted.clone(), name) {
            panic!("{dotted} is {other} and {name}");
        }
    }
}

#[test]
fn every_row_is_found_by_its_octets() {
    let mut count = 0;
    for (dotted, name) in rows() {
        assert_eq!(lookup(&contents(&dotted)).map(|e| e.name), Some(name), "{dotted}");
        count += 1;
    }
    assert_eq!(all().count(), count);
}

#[test]
fn at_least_two_thousand_identifiers_have_names() {
    let distinct: HashSet<_> = all().map(|(contents, _)| contents).collect();
    assert!(distinct.len() >= 2000, "{}", distinct.len());
    assert!(distinct.len() * 2 <= super::index::SLOTS, "{}", distinct.len());
}

#[test]
fn families_are_sorted_and_names_are_words() {
    for family in FAMILIES.iter().flat_map(|part| part.iter()) {
        assert!(!family.source.is_empty(), "{}", family.arc);
        let numbers = |below: &str| -> Vec<u64> {
            below.split('.').filter(|p| !p.is_empty()).map(|p| p.parse().unwrap()).collect()
        };
        assert!(family.names.is_sorted_by_key(|(below, _)| numbers(below)), "{}", family.arc);
        for (_, name) in family.names {
            assert!(!name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic()), "{name:?}");
        }
    }
}

#[test]
fn every_label_has_its_row() {
    for (dotted, label) in LABELS {
        let entry = lookup(&contents(dotted));
        assert_eq!(entry.and_then(|e| e.short), Some(*label), "{dotted}");
        assert_eq!(by_name(label), Some(contents(dotted).as_slice()), "{label}");
    }
}

#[test]
fn names_are_found_in_any_case_and_with_or_without_the_prefix_of_their_module() {
    let asked = [
        ("2.5.29.15", &["keyUsage", "KEYUSAGE", "id-ce-keyUsage"][..]),
        ("2.16.840.1.101.3.4.3.18", &["id-ML-DSA-65", "ML-DSA-65", "ml-dsa-65"]),
        ("2.16.840.1.101.3.4.2.1", &["sha256", "id-sha256", "SHA256"]),
        ("1.3.6.1.5.5.7.3.1", &["serverAuth", "id-kp-serverAuth"]),
        ("1.3.6.1.5.5.7.48.1", &["ocsp", "id-ad-ocsp"]),
    ];
    for (dotted, names) in asked {
        for name in names {
            assert_eq!(by_name(name), Some(contents(dotted).as_slice()), "{name}");
        }
    }
    assert_eq!(by_name("CN"), Some(contents("2.5.4.3").as_slice()));
    assert_eq!(by_name("noSuchName"), None);
    for name in ["", "id-", "id--", "-"] {
        assert_eq!(by_name(name), None, "{name:?}");
    }
}

#[test]
fn unknown_and_oversized_contents_have_no_name() {
    let long = vec![0xff; 100_000];
    for contents in [&[][..], &[0x57], &[0x80], &[0x55, 0x1d, 0x8f], &long] {
        assert_eq!(lookup(contents), None);
    }
}

#[test]
fn a_user_file_wins_over_the_table() {
    let names = Names::load_user(
        "# ours\n\n2.5.4.3 shownName SN1 # comment\n 1.3.6.1.4.1.32473.9\tlocalThing\r\n",
    )
    .unwrap();
    assert_eq!(names.len(), 2);
    let cn = names.lookup(&contents("2.5.4.3")).unwrap();
    assert_eq!((cn.name, cn.short), ("shownName", Some("SN1")));
    let local = names.lookup(&contents("1.3.6.1.4.1.32473.9")).unwrap();
    assert_eq!((local.name, local.short), ("localThing", None));
    assert_eq!(names.lookup(&contents("2.5.29.15")).map(|e| e.name), Some("keyUsage"));
    assert_eq!(names.by_own_name("LOCALTHING"), Some(&*contents("1.3.6.1.4.1.32473.9")));
}

#[test]
fn a_bad_user_line_is_named() {
    let cases = [
        ("1.2 a\n1 b", 2, Problem::Identifier(TextError::OneArc)),
        ("1.2. a", 1, Problem::Identifier(TextError::NotANumber(3))),
        ("1.02 a", 1, Problem::Identifier(TextError::NotANumber(2))),
        ("1.+2 a", 1, Problem::Identifier(TextError::NotANumber(2))),
        ("3.1 a", 1, Problem::Identifier(TextError::Root)),
        ("1.40 a", 1, Problem::Identifier(TextError::Root)),
        ("\n\n1.2.3", 3, Problem::NoName),
        ("1.2.3 # name", 1, Problem::NoName),
        ("1.2.3 a b c", 1, Problem::TooMany),
        ("1.2.3 a\u{202e}b", 1, Problem::BadName),
        ("1.2.3 a\u{1b}[2J", 1, Problem::BadName),
        ("1.2.3 a 1x", 1, Problem::BadLabel),
        ("1.2.3 a C,N", 1, Problem::BadLabel),
        ("1.2.3 a\n1.2.3 b", 2, Problem::Again(1)),
    ];
    for (text, line, problem) in cases {
        let error = Names::load_user(text).unwrap_err();
        assert_eq!((error.line, error.problem), (line, problem), "{text:?}");
    }
    let shown = Names::load_user("2.5.4.3").unwrap_err().to_string();
    assert_eq!(shown, "line 1: a name must follow the object identifier");
}

#[test]
fn a_user_may_name_an_arc_of_any_size() {
    let uuid = "2.25.340282366920938463463374607431768211455";
    let names = Names::load_user(&format!("{uuid} ourProduct")).unwrap();
    assert_eq!(names.lookup(&contents(uuid)).map(|e| e.name), Some("ourProduct"));
}

/// One or more of every family, with the document that assigns it.
#[test]
fn names_are_the_ones_that_the_standards_assign() {
    let known = [
        ("X.520 5.2.2", "2.5.4.3", "commonName"),
        ("X.520 5.2.9", "2.5.4.5", "serialNumber"),
        ("X.520 6.2.16", "2.5.4.97", "organizationIdentifier"),
        ("RFC 4519 2.4", "0.9.2342.19200300.100.1.25", "domainComponent"),
        ("RFC 4519 2.39", "0.9.2342.19200300.100.1.1", "userId"),
        ("RFC 2985 5.2.1", "1.2.840.113549.1.9.1", "emailAddress"),
        ("RFC 5280 4.2.1.1", "2.5.29.35", "authorityKeyIdentifier"),
        ("RFC 5280 4.2.1.2", "2.5.29.14", "subjectKeyIdentifier"),
        ("RFC 5280 4.2.1.3", "2.5.29.15", "keyUsage"),
        ("RFC 5280 4.2.1.4", "2.5.29.32", "certificatePolicies"),
        ("RFC 5280 4.2.1.4", "2.5.29.32.0", "anyPolicy"),
        ("RFC 5280 4.2.1.6", "2.5.29.17", "subjectAltName"),
        ("RFC 5280 4.2.1.9", "2.5.29.19", "basicConstraints"),
        ("RFC 5280 4.2.1.10", "2.5.29.30", "nameConstraints"),
        ("RFC 5280 4.2.1.12", "2.5.29.37", "extKeyUsage"),
        ("RFC 5280 4.2.1.13", "2.5.29.31", "cRLDistributionPoints"),
        ("RFC 5280 4.2.2.1", "1.3.6.1.5.5.7.1.1", "authorityInfoAccess"),
        ("RFC 5280 5.2.3", "2.5.29.20", "cRLNumber"),
        ("RFC 5280 5.3.1", "2.5.29.21", "cRLReason"),
        ("RFC 5280 4.2.1.12", "1.3.6.1.5.5.7.3.1", "serverAuth"),
        ("RFC 5280 4.2.1.12", "1.3.6.1.5.5.7.3.9", "OCSPSigning"),
        ("RFC 7633 4", "1.3.6.1.5.5.7.1.24", "tlsfeature"),
        ("RFC 8737 6.1", "1.3.6.1.5.5.7.1.31", "acmeIdentifier"),
        ("RFC 3779 2.2.1", "1.3.6.1.5.5.7.1.7", "ipAddrBlocks"),
        ("RFC 3820 3.3", "1.3.6.1.5.5.7.1.14", "proxyCertInfo"),
        ("RFC 6960 4.2.1", "1.3.6.1.5.5.7.48.1.1", "id-pkix-ocsp-basic"),
        ("RFC 6960 4.4.1", "1.3.6.1.5.5.7.48.1.2", "id-pkix-ocsp-nonce"),
        ("RFC 4210 5.3.19.14", "1.3.6.1.5.5.7.4.13", "id-it-implicitConfirm"),
        ("RFC 4211 6.1", "1.3.6.1.5.5.7.5.1.1", "id-regCtrl-regToken"),
        ("RFC 5272 6.1.1", "1.3.6.1.5.5.7.7.25", "id-cmc-statusInfoV2"),
        ("RFC 8017 A.1", "1.2.840.113549.1.1.1", "rsaEncryption"),
        ("RFC 8017 A.2.3", "1.2.840.113549.1.1.10", "rsassaPss"),
        ("RFC 4055 5", "1.2.840.113549.1.1.11", "sha256WithRSAEncryption"),
        ("RFC 5480 2.1.1", "1.2.840.10045.2.1", "id-ecPublicKey"),
        ("RFC 5758 3.2", "1.2.840.10045.4.3.2", "ecdsa-with-SHA256"),
        ("RFC 5480 2.1.1.1", "1.2.840.10045.3.1.7", "prime256v1"),
        ("SEC 2 2.5.1", "1.3.132.0.34", "secp384r1"),
        ("RFC 5639 4.1", "1.3.36.3.3.2.8.1.1.7", "brainpoolP256r1"),
        ("RFC 8410 3", "1.3.101.112", "Ed25519"),
        ("RFC 8018 A.4", "1.2.840.113549.1.5.13", "PBES2"),
        ("RFC 8018 A.2", "1.2.840.113549.1.5.12", "PBKDF2"),
        ("RFC 5652 5.1", "1.2.840.113549.1.7.2", "signedData"),
        ("RFC 7292 4.2", "1.2.840.113549.1.12.10.1.2", "pkcs8ShroudedKeyBag"),
        ("RFC 3161 2.4.2", "1.2.840.113549.1.9.16.1.4", "id-ct-TSTInfo"),
        ("RFC 5035 3", "1.2.840.113549.1.9.16.2.47", "id-aa-signingCertificateV2"),
        ("RFC 9286 4", "1.2.840.113549.1.9.16.1.26", "id-ct-rpkiManifest"),
        ("NIST CSOR", "2.16.840.1.101.3.4.2.1", "sha256"),
        ("NIST CSOR", "2.16.840.1.101.3.4.1.42", "aes256-CBC"),
        ("RFC 9881 2", "2.16.840.1.101.3.4.3.18", "id-ML-DSA-65"),
        ("RFC 9909 3", "2.16.840.1.101.3.4.3.20", "id-slh-dsa-sha2-128s"),
        ("RFC 9935 3", "2.16.840.1.101.3.4.4.2", "id-alg-ml-kem-768"),
        ("merkle-tree-certs-07 6.1", "1.3.6.1.5.5.7.6.67", "id-alg-mtcProof"),
        ("merkle-tree-certs-07 5.1", "1.3.6.1.5.5.7.25.3", "id-rdna-trustAnchorID"),
        ("RFC 9925", "1.3.6.1.5.5.7.6.36", "id-alg-unsigned"),
        ("CABF BR 7.1.6.1", "2.23.140.1.2.1", "domain-validated"),
        ("CABF EVG 9.2.4", "1.3.6.1.4.1.311.60.2.1.3", "jurisdictionCountryName"),
        ("CABF EVG 9.8.2", "2.23.140.3.1", "cabfOrganizationIdentifier"),
        ("MS-WCCE 2.2.2.7.7.2", "1.3.6.1.4.1.311.21.7", "certificateTemplate"),
        ("MS-WCCE 2.2.2.7.7.4", "1.3.6.1.4.1.311.25.2", "ntdsCASecurityExt"),
        ("Netscape", "2.16.840.1.113730.1.1", "nsCertType"),
        ("RFC 6962 3.3", "1.3.6.1.4.1.11129.2.4.2", "ct_precert_scts"),
        ("RFC 6962 3.1", "1.3.6.1.4.1.11129.2.4.3", "ct_precert_poison"),
        ("RFC 8894 3.2.1", "2.16.840.1.113733.1.9.7", "id-transactionID"),
        ("EN 319 412-5 4.2.1", "0.4.0.1862.1.1", "id-etsi-qcs-QcCompliance"),
        ("TS 119 495 5.1", "0.4.0.19495.2", "id-etsi-psd2-qcStatement"),
        ("ICAO 9303-10 4.6.2.3", "2.23.136.1.1.1", "id-icao-ldsSecurityObject"),
        ("TR-03110-3 A.1.1.1", "0.4.0.127.0.7.2.2.4.2.2", "id-PACE-ECDH-GM-AES-CBC-CMAC-128"),
        ("RFC 4556 3.2.2", "1.3.6.1.5.2.3.4", "pkInitClientAuth"),
        ("TCG EK profile 3.2", "2.23.133.8.1", "tcg-kp-EKCertificate"),
        ("RFC 9215 2", "1.2.643.7.1.1.1.1", "id-tc26-gost3410-12-256"),
        ("GM/T 0006", "1.2.156.10197.1.501", "SM2-with-SM3"),
        ("RFC 4269 2.1", "1.2.410.200004.1.4", "seed-cbc"),
        ("RFC 3657 2.1", "1.2.392.200011.61.1.1.1.2", "camellia-128-cbc"),
        ("RFC 4512 4.2", "1.3.6.1.4.1.1466.101.120.5", "namingContexts"),
        ("RFC 2307 2.2", "1.3.6.1.1.1.1.0", "uidNumber"),
        ("RFC 5280 A.1", "1.3.6.1.5.5.7", "pkix"),
    ];
    for (standard, dotted, name) in known {
        assert_eq!(lookup(&contents(dotted)).map(|e| e.name), Some(name), "{standard} {dotted}");
    }
    for source in [("2.5.4.3", "X.520"), ("1.3.6.1.5.5.7.6.67", "merkle-tree-certs-07")] {
        let found = lookup(&contents(source.0)).map_or("", |e| e.source);
        assert!(found.contains(source.1), "{found}");
    }
}

/// A second list of names, made by other people from the RFCs, must not contradict the tables.
#[test]
fn another_list_of_names_agrees() {
    // The same identifier under OpenSSL's or another document's name.
    let other_names = [
        "2.5.4.11.1",
        "1.2.840.10040.4.1",
        "1.2.840.10045.3.1.7",
        "1.2.840.113549.1.9.25.2",
        "1.2.840.113549.1.9.26.2",
        "1.2.840.113549.1.9.27.1",
        "1.2.840.113549.1.12.10.1",
        "1.3.101",
        "1.3.6.1.4.1.11129.2.4.4",
        "1.3.6.1.5.5.7.9.1",
        "1.3.6.1.5.5.7.9.2",
        "1.3.6.1.5.5.7.9.3",
        "1.3.6.1.5.5.7.9.4",
        "1.3.6.1.5.5.7.9.5",
        // RFC 5272 and IANA have these two the other way round than RFC 5912.
        "1.3.6.1.5.5.7.7.33",
        "1.3.6.1.5.5.7.7.34",
    ];
    let plain = |name: &str| {
        name.bytes().filter(u8::is_ascii_alphanumeric).collect::<Vec<_>>().to_ascii_lowercase()
    };
    let within = |a: &[u8], b: &[u8]| a.is_empty() || b.windows(a.len()).any(|part| part == a);
    let (mut compared, mut contradictions) = (0, Vec::new());
    for (dotted, name) in rows().filter(|(dotted, _)| !other_names.contains(&dotted.as_str())) {
        let Ok(oid) = const_oid::ObjectIdentifier::new(&dotted) else { continue };
        let theirs: Vec<_> = const_oid::db::DB.find_names_for_oid(oid).collect();
        if theirs.is_empty() {
            continue;
        }
        let tail = |name: &str| {
            let bare = name.strip_prefix("id-").unwrap_or(name);
            plain(bare.split_once('-').map_or(bare, |(_, tail)| tail))
        };
        let same = theirs.iter().any(|other| {
            let (other_plain, name_plain) = (plain(other), plain(name));
            within(&name_plain, &other_plain)
                || within(&other_plain, &name_plain)
                || tail(other) == tail(name)
        });
        if !same {
            contradictions.push(format!("{dotted}: {name} here, {theirs:?} there"));
        }
        compared += 1;
    }
    assert!(contradictions.is_empty(), "{contradictions:#?}");
    assert!(compared > 1000, "{compared}");
}
