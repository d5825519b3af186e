//! The browser driven by keys, on windows in memory, with the jobs run on the spot.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};

use super::*;
use crate::pki::object::Form;
use crate::pki::summary::title;
use crate::views::driver::{Driver, LARGE, SMALL};
use crate::views::event::{Effect, JobContext, Msg};
use crate::views::theme::{Palette, Theme};

fn with(browse: Browse, window: (u16, u16), theme: Theme) -> Driver {
    Driver::new(vec![Box::new(browse)], window, theme)
}

fn of(documents: Vec<Document>, window: (u16, u16), theme: Theme) -> Driver {
    with(Browse::of(documents), window, theme)
}

fn document(name: &str, octets: &[u8]) -> Document {
    let form = Form::of(octets, None);
    Document {
        source: name.into(),
        title: title(octets, form),
        octets: Octets::owned(octets.to_vec()),
        form,
        offset: 0,
        problem: None,
        inside: false,
    }
}

macro_rules! fixture {
    ($name:literal) => {
        document($name, include_bytes!(concat!("../../../fixtures/samples/", $name)))
    };
}

fn documents() -> Vec<Document> {
    vec![
        fixture!("certificate-p256-server.der"),
        fixture!("certificate-findings.der"),
        fixture!("cms-signed-stream.ber"),
    ]
}

fn theme() -> Theme {
    Theme::new(Palette::Ansi16, false)
}

fn driver(window: (u16, u16)) -> Driver {
    of(documents(), window, theme())
}

#[test]
fn first_sight() {
    insta::assert_snapshot!("first-80x24", driver(SMALL).screen());
    insta::assert_snapshot!("first-200x60", driver(LARGE).screen());
}

/// The README shows the first sight as it is.
#[test]
fn the_readme_shows_what_there_is() {
    let shown: Vec<String> = driver(SMALL)
        .rows()
        .iter()
        .map(|row| row.trim_matches('|').trim_end().to_owned())
        .collect();
    assert!(include_str!("../../../README.md").contains(&shown.join("\n")), "{shown:#?}");
}

#[test]
fn monochrome_and_ascii_lose_nothing() {
    let theme = Theme::new(Palette::Mono, true);
    let ascii = vec![fixture!("certificate-findings.der")];
    let mut driver = of(ascii, SMALL, theme);
    driver.keys("jjjj");
    let screen = driver.screen();
    assert!(screen.lines().take(24).all(str::is_ascii), "{screen}");
    insta::assert_snapshot!("mono-ascii-80x24", screen);
}

#[test]
fn findings_are_marked_and_visited() {
    let mut driver = driver(LARGE);
    driver.keys("]");
    driver.assert_has("findings");
    driver.keys("g!");
    driver.assert_has("finding 1 of");
    insta::assert_snapshot!("finding-200x60", driver.screen());
}

#[test]
fn a_broken_document_shows_as_far_as_it_reads() {
    let whole = include_bytes!("../../../fixtures/samples/certificate-p256-server.der");
    let mut driver = of(vec![document("cut.der", &whole[..300])], SMALL, theme());
    driver.keys("G");
    driver.assert_has("length reaches beyond");
    insta::assert_snapshot!("broken-80x24", driver.screen());
}

#[test]
fn the_octets_and_the_tree_follow_each_other() {
    let mut driver = driver(SMALL);
    driver.keys(":0x20\r");
    driver.assert_has("0x20 ─");
    driver.keys("\tjl");
    driver.assert_has("0x31 ─");
    driver.keys(":+5\r");
    driver.assert_has("at offset 54 (0x36)");
    driver.keys(":99999999\r");
    driver.assert_has("beyond the last octet");
}

#[test]
fn nodes_open_and_close() {
    let mut driver = driver(LARGE);
    assert!(driver.has("tbsCertificate"));
    driver.keys("\r");
    assert!(!driver.has("tbsCertificate"));
    driver.keys("E");
    driver.assert_has("countryName");
    driver.keys("C");
    assert!(!driver.has("countryName"));
    driver.assert_has("tbsCertificate");
    driver.keys("jll");
    driver.keys("u");
    driver.keys("JK");
    driver.assert_has("signatureAlgorithm");
}

#[test]
fn search_finds_text_identifiers_and_octets() {
    let mut driver = driver(SMALL);
    for (query, found) in
        [("oid:keyUsage", "keyUsage"), ("tag:UTCTime", "notBefore"), ("06 03 55 ?? 0f", "keyUsage")]
    {
        driver.keys(&format!("/{query}\r"));
        driver.assert_has(found);
        driver.assert_has("hit");
    }
    driver.keys("n");
    driver.assert_has("hit 1 of 1, from the other end");
    driver.keys("/no such text\r");
    driver.assert_has("no hit for no such text");
    driver.keys("/06 0\r");
    assert!(driver.has("/") || driver.has("search"), "a wrong query keeps the prompt open");
}

#[test]
fn jumps_can_be_taken_back() {
    let mut driver = driver(SMALL);
    driver.keys(":100\r:200\r");
    driver.send(Msg::Key(KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE)));
    driver.assert_has("0x64 ─");
}

#[test]
fn every_form_is_copied() {
    let mut driver = driver(SMALL);
    for (keys, begins) in [
        ("yh", "3082"),
        ("yb", "MII"),
        ("yp", "-----BEGIN CERTIFICATE-----"),
        ("yd", "SEQUENCE {"),
        ("yn", "Certificate"),
    ] {
        driver.keys(keys);
        let copied = driver.copied().unwrap_or_default();
        assert!(copied.starts_with(begins), "{keys}: {copied}");
    }
    driver.keys("yc");
    assert!(driver.copied().unwrap_or_default().contains("0x30, 0x82"));
    driver.keys("jjjyv");
    assert!(driver.copied().unwrap_or_default().chars().all(|c| c.is_ascii_hexdigit()));
    driver.keys("yo");
    assert_eq!(driver.copied(), None);
    driver.assert_has("no OBJECT IDENTIFIER");
}

#[test]
fn a_node_is_saved() {
    let mut driver = driver(SMALL);
    driver.keys("jjjs\r");
    match driver.left.pop() {
        Some(Effect::Save { path, octets }) => {
            assert!(path.to_str().unwrap().starts_with("serialNumber-"));
            assert_eq!((*octets.0).as_ref()[0], 2);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_node_is_read_as_another_type() {
    let mut driver = driver(SMALL);
    driver.keys("tGeneralNames\r");
    driver.assert_has("read as GeneralNames");
    driver.keys("tNoSuchType\r");
    driver.assert_has("no type is called NoSuchType");
}

#[test]
fn nested_der_can_be_left_closed() {
    let mut driver = driver(LARGE);
    driver.keys("/oid:id-kp-serverAuth\r");
    driver.assert_has("1 hit");
    driver.keys("e");
    driver.assert_has("is left closed");
    driver.keys("/oid:id-kp-serverAuth\r");
    driver.assert_has("no hit for");
}

#[test]
fn the_mouse_chooses_opens_and_scrolls() {
    let mut driver = driver(SMALL);
    driver.mouse(MouseEventKind::Down(MouseButton::Left), 10, 6);
    driver.assert_has("tbsCertificate   TBSCertificate");
    driver.mouse(MouseEventKind::Up(MouseButton::Left), 10, 6);
    driver.mouse(MouseEventKind::Down(MouseButton::Left), 10, 6);
    assert!(!driver.has("notBefore"), "a double click closes");
    driver.mouse(MouseEventKind::ScrollDown, 10, 6);
    driver.assert_has("row 4 of 4");
}

#[test]
fn documents_are_walked_in_every_window() {
    for window in [(60, 16), SMALL, (120, 40), LARGE] {
        let mut driver = driver(window);
        driver.keys("]]");
        driver.assert_has("3/3");
        driver.keys("]");
        driver.assert_has("1/3");
        driver.keys("[");
        driver.assert_has("3/3");
        driver.keys("\t\t\t\t");
        driver.send(Msg::Resize(70, 18));
    }
}

#[test]
fn hostile_names_do_not_reach_the_terminal() {
    // SEQUENCE { UTF8String with an escape sequence, a bidi override and a bell }
    let text = "a\u{1b}[31m\u{202e}\u{7}b";
    let mut der =
        vec![0x30, u8::try_from(text.len() + 2).unwrap(), 12, u8::try_from(text.len()).unwrap()];
    der.extend_from_slice(text.as_bytes());
    let mut driver = of(vec![document("x", &der)], SMALL, theme());
    driver.keys("j");
    let screen = driver.screen();
    assert!(!screen.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{screen:?}");
    driver.assert_has("\\x1b");
}

#[test]
fn nothing_open_is_said() {
    let driver = of(Vec::new(), SMALL, theme());
    driver.assert_has("nothing to show");
}

#[test]
fn a_password_opens_what_is_locked_once() {
    let unlock = |locked: &Document, password: &str| match password {
        "right" => {
            let inner = document("inner", &[5, 0]);
            Ok(vec![Document { inside: true, offset: locked.offset, ..inner }])
        }
        _ => Err("the password does not fit".to_owned()),
    };
    let load = |_: &JobContext| vec![fixture!("pkcs12-pbes2.p12")];
    let browse = Browse::new(Box::new(load), Some(Arc::new(unlock)));
    let mut driver = with(browse, SMALL, theme());
    driver.keys("pwrong\r");
    driver.assert_has("the password does not fit");
    driver.keys("pright\r");
    driver.assert_has("1 object unpacked");
    driver.assert_has("Tree (unpacked)");
    driver.keys("[pright\r");
    driver.assert_has("opens nothing here");
    driver.assert_has("/2");
}

#[test]
fn objects_of_another_screen_are_added_once_and_shown() {
    let mut browse = Browse::of(documents());
    let mut outbox = crate::views::event::Outbox::default();
    let area = Rect::new(0, 1, 80, 22);
    let mut cx = Cx::new(crate::views::driver::NOW, area, &mut outbox);
    let object = |title: &str, octets: &[u8]| Opened { title: title.into(), octets: octets.into() };
    browse.open(vec![object("crl 7", &[0x30, 0]), object("crl 8", &[5, 0])], &mut cx);
    assert_eq!(browse.title(), "crl 7  4/5");
    browse.show(0);
    browse.open(vec![object("crl 8", &[5, 0])], &mut cx);
    assert_eq!(browse.title(), "crl 8  5/5");
    browse.open(Vec::new(), &mut cx);
    assert_eq!(browse.title(), "crl 8  5/5");
}
