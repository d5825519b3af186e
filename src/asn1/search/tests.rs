use super::*;
use crate::asn1::tag::octet;
use proptest::prelude::*;

fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match content.len() {
        n @ 0..0x80 => out.push(u8::try_from(n).unwrap()),
        n => {
            out.push(0x84);
            out.extend(u32::try_from(n).unwrap().to_be_bytes());
        }
    }
    out.extend_from_slice(content);
    out
}

fn search(object: &[u8], query: &str, direction: Direction) -> Vec<Hit> {
    let query = Query::parse(query).unwrap();
    let mut search = Search::new(object, query, direction, true);
    std::iter::from_fn(|| search.next_hit(&AtomicBool::new(false))).collect()
}

/// Offsets of the nodes found, forward; backward must find the same.
fn nodes(object: &[u8], query: &str) -> Vec<u32> {
    let forward: Vec<_> =
        search(object, query, Direction::All).iter().map(|h| h.node.start).collect();
    let mut backward: Vec<_> =
        search(object, query, Direction::Before(u32::MAX)).iter().map(|h| h.node.start).collect();
    backward.reverse();
    assert!(forward == backward, "{query}");
    forward
}

/// 0 SEQUENCE { 2 OID keyUsage, 7 OCTET STRING { 9 BIT STRING }, 13 PrintableString "Let's
/// Encrypt", 28 BMPString "Größe", 40 [2] "example.ORG", 53 UTCTime, 68 INTEGER 65537,
/// 73 UTF8String "GRÖSSE x" }
fn sample() -> Vec<u8> {
    let bmp: Vec<u8> = "Größe".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let parts = [
        tlv(octet::OID, &[0x55, 0x1d, 0x0f]),
        tlv(octet::OCTET_STRING, &[0x03, 2, 1, 6]),
        tlv(octet::PRINTABLE_STRING, b"Let's Encrypt"),
        tlv(octet::BMP_STRING, &bmp),
        tlv(octet::context(2), b"example.ORG"),
        tlv(octet::UTC_TIME, b"350604110438Z"),
        tlv(octet::INTEGER, &[1, 0, 1]),
        tlv(octet::UTF8_STRING, "GRÖSSE x".as_bytes()),
    ];
    tlv(octet::SEQUENCE, &parts.concat())
}

#[test]
fn text_is_found_in_every_kind_of_value() {
    let der = sample();
    for (query, found) in [
        ("let's ENCRYPT", &[13][..]),
        ("gr", &[28, 73]),
        ("größe", &[28]),
        ("grösse", &[73]),
        ("Example.org", &[40]),
        ("keyusage", &[2]),
        ("2.5.29", &[2]),
        ("2035-06-04", &[53]),
        ("3506041104", &[53]),
        ("65537", &[68]),
        ("010001", &[68]),
        ("e", &[2, 13, 28, 40, 73]),
        ("nothing", &[]),
    ] {
        assert_eq!(nodes(&der, query), found, "{query}");
    }
    let hit = search(&der, "encrypt", Direction::All)[0];
    assert_eq!(hit.span.of(&der), b"Encrypt");
    let hit = search(&der, "grö", Direction::All)[1];
    assert_eq!(hit.node.start, 73);
}

#[test]
fn text_is_not_found_in_keys() {
    let der =
        tlv(octet::SEQUENCE, &[tlv(3, b"\0abc"), tlv(4, b"abc\xff"), tlv(2, b"abc")].concat());
    assert_eq!(nodes(&der, "abc"), [0_u32; 0]);
    assert_eq!(nodes(&der, "61 62 63"), [2, 8, 14]);
}

#[test]
fn tags_and_identifiers() {
    let der = sample();
    assert_eq!(nodes(&der, "oid:2.5.29"), [2]);
    assert_eq!(nodes(&der, "oid:2"), [2]);
    assert_eq!(nodes(&der, "oid:1"), [0_u32; 0]);
    assert_eq!(nodes(&der, "oid:keyUsage"), [2]);
    assert_eq!(nodes(&der, "oid:2.5.4"), [0_u32; 0]);
    assert_eq!(nodes(&der, "tag:BIT STRING"), [9]);
    assert_eq!(nodes(&der, "tag:[2]"), [40]);
    assert_eq!(nodes(&der, "tag:0xa2"), [0_u32; 0]);
    assert_eq!(nodes(&der, "tag:0x30"), [0]);
}

#[test]
fn octets_belong_to_the_innermost_node() {
    let der = sample();
    assert_eq!(nodes(&der, "hex:30"), [0, 53]);
    assert_eq!(nodes(&der, "55 ?? 0f"), [2]);
    assert_eq!(nodes(&der, "?? 55 1d"), [2]);
    assert_eq!(nodes(&der, "0f 04 04"), [2]);
    assert_eq!(nodes(&der, "01 06"), [9]);
    assert_eq!(nodes(&der, "20 78"), [73]);
    assert_eq!(nodes(&der, "78 ??"), [40], "the last octet has none behind it");
    let hit = search(&der, "01 06", Direction::All)[0];
    assert_eq!(hit.span, Span::new(11, 13));
}

#[test]
fn search_goes_on_from_a_node() {
    let der = sample();
    let from = |d| search(&der, "e", d).iter().map(|h| h.node.start).collect::<Vec<_>>();
    assert_eq!(from(Direction::After(13)), [28, 40, 73]);
    assert_eq!(from(Direction::After(12)), [13, 28, 40, 73]);
    assert_eq!(from(Direction::Before(28)), [13, 2]);
    assert_eq!(from(Direction::After(u32::MAX)), [0_u32; 0]);
    assert_eq!(from(Direction::Before(0)), [0_u32; 0]);
    // Tag and length of the OCTET STRING at 7 are both 04.
    assert_eq!(search(&der, "hex:04", Direction::After(7)), []);
    assert_eq!(search(&der, "hex:04", Direction::Before(8))[0].node.start, 7);
}

#[test]
fn many_hits_in_a_long_list_take_linear_time() {
    let entry = tlv(octet::SEQUENCE, &tlv(octet::UTF8_STRING, b"abc"));
    let count = 300_000;
    let der = tlv(octet::SEQUENCE, &entry.repeat(count));
    for query in ["abc", "61 62", "tag:SEQUENCE", "tag:UTF8String"] {
        let more = usize::from(query == "tag:SEQUENCE");
        assert_eq!(nodes(&der, query).len(), count + more, "{query}");
    }
    // All matches in one value are one hit.
    assert_eq!(nodes(&tlv(octet::OCTET_STRING, &vec![0; 3 << 20]), "00 00"), [0]);
    // Deep nesting and broken ends are no obstacle.
    let deep = [0x30, 0x80].repeat(200_000);
    assert!(!nodes(&deep, "30 80").is_empty());
    assert_eq!(nodes(&[0x30, 5, 0x0c, 9, b'a'], "a"), [2]);
}

#[test]
fn a_budget_bounds_each_step() {
    let der = tlv(octet::SEQUENCE, &tlv(octet::NULL, b"").repeat(1000));
    for query in ["tag:INTEGER", "de ad"] {
        let mut search = Search::new(&der, Query::parse(query).unwrap(), Direction::All, true);
        let mut steps = 0;
        while search.step(10) == Progress::More {
            steps += 1;
        }
        assert!(steps >= der.len() / OCTETS_A_NODE / 10, "{query}: {steps}");
    }
    let flag = AtomicBool::new(true);
    let mut search = Search::new(&der, Query::parse("tag:NULL").unwrap(), Direction::All, true);
    assert_eq!(search.next_hit(&flag), None);
    flag.store(false, Ordering::Relaxed);
    assert!(search.next_hit(&flag).is_some());
}

proptest! {
    #[test]
    fn octets_are_found_where_they_are(
        object in proptest::collection::vec(0_u8..4, 0..300),
        pattern in proptest::collection::vec(proptest::option::weighted(0.8, 0_u8..4), 1..4),
    ) {
        prop_assume!(pattern.iter().any(Option::is_some));
        let matches: Vec<usize> = (0..object.len())
            .filter(|at| object.len() - at >= pattern.len())
            .filter(|at| pattern.iter().zip(&object[*at..]).all(|(p, o)| p.is_none_or(|p| p == *o)))
            .collect();
        let compiled = Pattern::new(pattern.clone());
        let mut found = Vec::new();
        while let Some(at) =
            compiled.find(&object, found.last().map_or(0, |l| l + 1), object.len())
        {
            found.push(at);
        }
        prop_assert_eq!(&found, &matches);
        // The same through nodes: every owner of a match, once.
        let tree = crate::asn1::Tree::index(&object, &crate::asn1::tree::Options::default());
        let mut owners: Vec<u32> = matches
            .iter()
            .map(|at| tree.at_offset(u32::try_from(*at).unwrap()).unwrap())
            .map(|id| tree.node(&object, id).unwrap().start)
            .collect();
        owners.dedup();
        for direction in [Direction::All, Direction::Before(u32::MAX)] {
            let query = Query::Octets(pattern.clone());
            let mut search = Search::new(&object, query, direction, true);
            let mut nodes = Vec::new();
            loop {
                match search.step(3) {
                    Progress::Hit(hit) => nodes.push(hit.node.start),
                    Progress::More => {}
                    Progress::Done => break,
                }
            }
            if direction != Direction::All {
                nodes.reverse();
            }
            prop_assert_eq!(&nodes, &owners);
        }
    }

    #[test]
    fn leaps_leave_nothing_out(
        parts in proptest::collection::vec(
            prop_oneof![
                Just(tlv(octet::UTF8_STRING, b"xab usage")),
                Just(tlv(octet::BMP_STRING, b"\0x\0a\0b")),
                Just(tlv(octet::UNIVERSAL_STRING, b"\0\0\0A\0\0\0b")),
                Just(tlv(octet::OID, &[0x55, 0x1d, 0x0f])),
                Just(tlv(octet::OID, &[0x55, 0x1d, 0x25])),
                Just(vec![0x30, 0x80]),
                Just(vec![0, 0]),
                Just(vec![0x30, 0x14]),
                Just(vec![0x04, 0x0b]),
                Just(b"ab".to_vec()),
            ],
            0..40,
        ),
        needle in prop_oneof![Just("ab"), Just("b"), Just("xAB"), Just("usage"), Just("eyu")],
    ) {
        let object = parts.concat();
        let Ok(Query::Text(text)) = Query::parse(needle) else { panic!() };
        for direction in [Direction::All, Direction::After(9), Direction::Before(u32::MAX)] {
            let found = |leaps: bool| {
                let query = Query::Text(text.clone());
                let mut search = Search::new(&object, query, direction, true);
                if !leaps {
                    let plain = text::Finder::without_leaps(text.clone());
                    search.matcher = Matcher::Text(Box::new(plain));
                }
                let flag = AtomicBool::new(false);
                std::iter::from_fn(|| search.next_hit(&flag)).collect::<Vec<_>>()
            };
            prop_assert_eq!(found(true), found(false));
        }
    }

    #[test]
    fn text_search_never_panics(object: Vec<u8>, needle in "\\PC{1,5}", from: u32) {
        for direction in [Direction::All, Direction::After(from % 512), Direction::Before(from % 512)] {
            for query in [&needle, "tag:[0]", "oid:2.5"] {
                let Ok(query) = Query::parse(query) else { continue };
                let mut search = Search::new(&object, query, direction, true);
                while search.next_hit(&AtomicBool::new(false)).is_some() {}
            }
        }
    }
}
