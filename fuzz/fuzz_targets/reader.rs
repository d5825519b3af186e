#![no_main]
//! Everything in `asn1` that walks an object, with several schema types, against each other.

use libfuzzer_sys::fuzz_target;
use pkiscope::asn1::check::{Limits, check};
use pkiscope::asn1::export;
use pkiscope::asn1::outline::Outline;
use pkiscope::asn1::schema::{Type, types};
use pkiscope::asn1::search::{Direction, Progress, Query, Search};
use pkiscope::asn1::tree::Options;
use pkiscope::asn1::walk::Node;
use pkiscope::asn1::{Header, Reader, Tree, Walker, ber, nav};
use pkiscope::pki::object::Form;
use pkiscope_fuzz::{assert_findings, assert_inside, exports, size, written};

/// Rows, offsets and hits that are compared one by one.
const SOME: usize = 16;

fuzz_target!(|object: &[u8]| {
    headers(object);
    normal(object);
    // What it looks like, and a type that it most likely is not.
    let likely = Form::of(object, None).schema();
    let other = types::ALL[object.len() % types::ALL.len()];
    for (ty, nested) in [(likely, true), (other, false)] {
        let nodes: Vec<Node> = Walker::new(object, nested).collect();
        tree(object, &nodes, nested);
        outline(object, ty, &nodes, nested);
        findings_and_paths(object, ty, &nodes);
        exports(object, ty, nested);
    }
    searches(object);
    written(|out| export::hex_dump(out, object, 0));
    written(|out| export::c_array(out, "object", object));
});

/// The strict cursor accepts only what the tolerant header reader accepts, and sees the same.
fn headers(object: &[u8]) {
    let mut reader = Reader::new(object);
    while !reader.is_empty() {
        let at = reader.offset();
        let header = Header::read(object, at);
        let Ok(value) = reader.any() else {
            assert_eq!(reader.offset(), at, "an error does not move the cursor");
            break;
        };
        let header = header.expect("what is DER is BER");
        assert!(!header.is_flawed());
        assert_eq!((value.start, value.content), (header.start, header.content));
        assert_eq!(Some(value.end), header.end());
        assert_inside(value.span(), object);
    }
}

/// The conversion of BER comes to rest, and gives what has no broken header.
fn normal(object: &[u8]) {
    let Ok(der) = ber::to_der(object) else { return };
    assert!(der.len() <= object.len(), "DER is the shortest form");
    assert!(!ber::looks_indefinite(&der));
    assert_eq!(ber::to_der(&der).as_deref(), Ok(&*der));
    let broken = Walker::new(&der, false).find_map(|node| node.error);
    assert_eq!(broken, None);
}

/// The arena holds the nodes of the walk, each inside its parent, and finds them by offset.
fn tree(object: &[u8], nodes: &[Node], nested: bool) {
    let tree = Tree::index(object, &Options { nested, max_nodes: u32::MAX, cancel: None });
    assert!(tree.is_complete());
    assert_eq!(tree.len() as usize, nodes.len());
    for (id, node) in (0..).zip(nodes) {
        assert_inside(node.span(), object);
        assert_inside(node.contents(), object);
        assert!(node.start < node.end && node.start <= node.content && node.content <= node.end);
        assert_eq!(tree.at_offset(node.start), Some(id));
        match tree.parent(id) {
            Some(parent) => {
                let parent = &nodes[parent as usize];
                assert!(parent.first_child() <= node.start && node.end <= parent.end);
                assert_eq!(parent.depth + 1, node.depth);
            }
            None => assert_eq!(node.depth, 0),
        }
        if let Some(next) = tree.next_sibling(id) {
            assert_eq!(nodes[next as usize].start, node.end, "siblings have no gap");
        }
    }
}

/// The rows of an outline that is opened everywhere are the nodes of the walk.
fn outline(object: &[u8], ty: &'static Type, nodes: &[Node], nested: bool) {
    let mut outline = Outline::new(object, ty, nested);
    assert!(outline.open_all(object, u64::MAX / 2));
    assert_eq!(outline.rows(), nodes.len() as u64);
    for index in (0..nodes.len()).step_by(nodes.len() / SOME + 1) {
        let row = outline.row(object, index as u64).expect("a row is there");
        let node = &nodes[index];
        assert_eq!((row.node.start, row.node.end), (node.start, node.end));
        assert_eq!(
            (row.node.kind, row.node.depth, row.node.tag),
            (node.kind, node.depth, node.tag)
        );
        assert_eq!(outline.reveal(object, node.start), Some(index as u64));
    }
    outline.close_all();
    let last = size(object).saturating_sub(1);
    let row = outline.reveal(object, last).and_then(|index| outline.row(object, index));
    let innermost = nodes.iter().rev().find(|node| node.start <= last && last < node.end);
    assert_eq!(row.map(|row| row.node.start), innermost.map(|node| node.start));
}

/// Findings lie in the object; their paths are the same found one by one, and lead back.
fn findings_and_paths(object: &[u8], ty: &'static Type, nodes: &[Node]) {
    let findings = check(object, ty, Limits::default());
    assert_findings(&findings, object);
    let mut offsets: Vec<u32> = findings.iter().map(|finding| finding.offset).collect();
    let step = nodes.len() / SOME + 1;
    offsets.extend(nodes.iter().step_by(step).map(|node| node.start));
    offsets.sort_unstable();
    let paths = nav::paths(object, ty, &offsets);
    assert_eq!(paths.len(), offsets.len());
    let step = offsets.len() / SOME + 1;
    for (offset, path) in offsets.iter().zip(&paths).step_by(step) {
        assert_eq!(&nav::path(object, ty, *offset), path, "at {offset}");
        let found = nav::resolve(object, ty, path).expect("a path leads somewhere");
        assert_eq!(&nav::path(object, ty, found), path, "{found} for {offset}");
        assert!(found <= *offset);
    }
}

/// Forward and backward a search finds the same nodes.
fn searches(object: &[u8]) {
    let mut queries =
        vec!["a".to_owned(), "oid:2.5".into(), "tag:INTEGER".into(), "tag:[0]".into()];
    if let [first, .., last] = object {
        queries.push(format!("{first:02x} ??"));
        queries.push(format!("{last:02x}"));
    }
    for query in queries {
        let query = Query::parse(&query).expect("a query of our own");
        let forward = hits(Search::new(object, query.clone(), Direction::All, true));
        let backward = hits(Search::new(object, query, Direction::Before(u32::MAX), true));
        assert_eq!(forward, backward);
        assert!(forward.iter().all(|start| *start < size(object)));
    }
}

fn hits(mut search: Search<'_>) -> Vec<u32> {
    let mut hits = Vec::new();
    loop {
        match search.step(1000) {
            Progress::Hit(hit) => hits.push(hit.node.start),
            Progress::More => {}
            Progress::Done => break,
        }
    }
    hits.sort_unstable();
    hits.dedup();
    hits
}
