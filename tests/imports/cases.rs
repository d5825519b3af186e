//! The checker against small sources made for it: each breach is seen, and nothing else.

use std::error::Error;

use crate::breaches;

type Outcome = Result<(), Box<dyn Error>>;

fn check(sources: &[(&str, &str)]) -> Result<Vec<String>, Box<dyn Error>> {
    let sources: Vec<_> =
        sources.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    breaches(&sources)
}

fn allowed(sources: &[(&str, &str)]) -> Outcome {
    assert_eq!(check(sources)?, Vec::<String>::new());
    Ok(())
}

/// One breach is found, and its line has every one of `parts`.
fn refused(sources: &[(&str, &str)], parts: &[&str]) -> Outcome {
    let found = check(sources)?;
    let [line] = found.as_slice() else { return Err(format!("{found:#?}").into()) };
    for part in parts {
        assert!(line.contains(part), "{line:?} lacks {part:?}");
    }
    Ok(())
}

const ASN1: (&str, &str) = ("asn1/mod.rs", "pub mod tag;\npub use tag::Tag;");
const TAG: (&str, &str) = ("asn1/tag.rs", "pub struct Tag;");
const PKI: (&str, &str) = ("pki/mod.rs", "pub mod name;");
const NAME: (&str, &str) = ("pki/name.rs", "use crate::asn1::Tag;\npub struct Name(Tag);");
const LIB: (&str, &str) = ("lib.rs", "pub mod asn1;\npub mod pki;\npub mod views;\npub mod app;");

#[test]
fn imports_that_go_down_are_allowed() -> Outcome {
    let views =
        ("views/mod.rs", "use crate::{asn1, pki::name::{self, Name}};\nuse ratatui::Frame;");
    let app = ("app/mod.rs", "use crate::views;\nfn f() { views::run(); }");
    let main = ("main.rs", "fn main() { pkiscope::app::run() }");
    allowed(&[LIB, ASN1, TAG, PKI, NAME, views, app, main])
}

#[test]
fn asn1_may_use_nothing_else() -> Outcome {
    let tag = ("asn1/tag.rs", "use std::fmt;\nuse crate::pki::name::Name;");
    let name = ("pki/name.rs", "pub struct Name;");
    refused(&[LIB, ASN1, tag, PKI, name], &["src/asn1/tag.rs:2", "asn1 may not use pki"])
}

#[test]
fn a_path_in_code_counts_like_a_use() -> Outcome {
    let name = ("pki/name.rs", "fn f() {\n    let _ = &mut crate::views::draw();\n}");
    let views = ("views/mod.rs", "pub fn draw() {}");
    refused(&[LIB, PKI, name, views], &["src/pki/name.rs:2", "pki may not use views"])
}

#[test]
fn super_is_followed() -> Outcome {
    let name = ("pki/name.rs", "use super::super::app::run;");
    refused(
        &[LIB, PKI, name, ("app/mod.rs", "")],
        &["pki may not use app (super::super::app::run)"],
    )
}

#[test]
fn braces_are_followed() -> Outcome {
    let name = ("pki/name.rs", "use {std::fmt, crate::{asn1::{self, Tag}, views::{draw as d}}};");
    let views = ("views/mod.rs", "");
    refused(&[LIB, ASN1, TAG, PKI, name, views], &["src/pki/name.rs:1", "pki may not use views"])
}

#[test]
fn a_macro_call_is_looked_into() -> Outcome {
    let name = ("pki/name.rs", "fn f() { println!(\"{}\", crate::app::NAME); }");
    refused(&[LIB, PKI, name, ("app/mod.rs", "")], &["pki may not use app"])
}

#[test]
fn the_app_is_on_top() -> Outcome {
    let views = ("views/mod.rs", "use crate::app::Config;");
    refused(&[LIB, views, ("app/mod.rs", "pub struct Config;")], &["views may not use app"])
}

#[test]
fn tests_keep_the_layers_too() -> Outcome {
    let tag = ("asn1/tag.rs", "#[cfg(test)]\nmod tests { use crate::pki::name::Name; }");
    let name = ("pki/name.rs", "pub struct Name;");
    refused(&[LIB, ASN1, tag, PKI, name], &["asn1 may not use pki"])
}

#[test]
fn a_folder_that_the_rule_does_not_know_is_refused() -> Outcome {
    refused(&[LIB, ASN1, TAG, ("more/mod.rs", "use crate::asn1::Tag;")], &["no layer named more"])
}

#[test]
fn comments_and_strings_do_not_count() -> Outcome {
    let text = "//! See crate::app::run.\n/* crate::app */ fn f() { g(\"crate::app::run\") }\n\
                /// [`crate::app::run`]\nfn h<'a>(_: &'a str, _: char) { i('\"'); }";
    allowed(&[LIB, ASN1, ("asn1/tag.rs", text), ("app/mod.rs", "")])
}

#[test]
fn a_visibility_does_not_count() -> Outcome {
    let tag = ("asn1/tag.rs", "pub(in crate::asn1) struct Tag(pub(crate) u8);");
    allowed(&[LIB, ASN1, tag])
}

#[test]
fn the_terminal_has_its_home() -> Outcome {
    for (text, library) in [
        ("use ratatui::Frame;", "ratatui"),
        ("fn f() { crossterm::execute(); }", "crossterm"),
        ("use ::ratatui as r;", "ratatui"),
        ("extern crate crossterm;", "crossterm"),
    ] {
        refused(&[LIB, PKI, ("pki/name.rs", text)], &["only views and app may name", library])?;
    }
    Ok(())
}

#[test]
fn crypto_libraries_stay_in_their_backends() -> Outcome {
    let face = ("pki/crypto/mod.rs", "mod openssl;\npub use openssl::sha256;");
    let backend = ("pki/crypto/openssl.rs", "use openssl::sha;\npub fn sha256() { sha::f() }");
    let pki = ("pki/mod.rs", "pub mod crypto;\npub mod name;");
    let name = ("pki/name.rs", "use super::crypto::sha256;");
    allowed(&[LIB, pki, face, backend, name])?;
    let name = ("pki/name.rs", "use openssl::sha;");
    refused(&[LIB, pki, face, backend, name], &["only pki/crypto may name openssl"])?;
    let name = ("pki/cryptography.rs", "fn f() { native_ossl::f() }");
    refused(&[LIB, name], &["only pki/crypto may name native_ossl"])
}

#[test]
fn anyhow_stays_in_the_app() -> Outcome {
    allowed(&[LIB, ("app/mod.rs", "use anyhow::Result;")])?;
    refused(&[LIB, PKI, ("pki/name.rs", "fn f() -> anyhow::Result<()> {}")], &["anyhow"])
}

#[test]
fn two_files_in_a_circle_are_refused() -> Outcome {
    let face = ("asn1/mod.rs", "mod a;\nmod b;");
    let a = ("asn1/a.rs", "use super::b::B;\npub struct A;");
    let b = ("asn1/b.rs", "pub struct B;\nfn f() { crate::asn1::a::A }");
    refused(
        &[LIB, face, a, b],
        &["circle in src/asn1: a -> b (src/asn1/a.rs:1 ", "-> a (src/asn1/b.rs:2 "],
    )
}

#[test]
fn a_circle_through_a_reexport_is_seen() -> Outcome {
    let face = ("asn1/mod.rs", "mod a;\nmod b;\nmod c;\npub use {a::*, c::C as D};");
    let a = ("asn1/a.rs", "use super::b::B;\npub struct A;");
    let b = ("asn1/b.rs", "use crate::asn1::D;\npub struct B;");
    let c = ("asn1/c.rs", "use crate::asn1::A;\npub struct C;");
    refused(&[LIB, face, a, b, c], &["a -> b", "-> c", "-> a"])
}

#[test]
fn a_circle_of_folders_is_refused() -> Outcome {
    let face = ("pki/mod.rs", "mod x;\nmod y;");
    let x = ("pki/x/mod.rs", "mod one;\nmod two;");
    let y = ("pki/y/mod.rs", "mod one;\nmod two;");
    let files = [
        ("pki/x/one.rs", "use super::super::y::one::F;"),
        ("pki/x/two.rs", "pub struct G;"),
        ("pki/y/one.rs", "pub struct F;"),
        ("pki/y/two.rs", "use crate::pki::x;\nfn f(_: x::two::G) {}"),
    ];
    let mut sources = vec![LIB, face, x, y];
    sources.extend(files);
    refused(&sources, &["circle in src/pki: x -> y", "-> x (src/pki/y/two.rs:"])
}

#[test]
fn a_parent_may_hand_on_what_its_children_declare() -> Outcome {
    let face = ("asn1/mod.rs", "mod a;\nmod b;\npub use a::A;\npub(crate) use self::b::{B, C};");
    let a = ("asn1/a.rs", "pub struct A;");
    let b = ("asn1/b.rs", "use super::A;\nuse crate::asn1;\npub struct B(A);\nfn f(_: asn1::A) {}");
    allowed(&[LIB, face, a, b])
}

#[test]
fn a_parent_and_child_that_use_each_other_are_refused() -> Outcome {
    let face = ("asn1/mod.rs", "mod a;\npub struct Own;\nfn f() { a::g() }");
    let a = ("asn1/a.rs", "use super::Own;\npub fn g() {}");
    refused(&[LIB, face, a], &["circle in src/asn1: a -> mod", "-> a (src/asn1/mod.rs:3"])
}

#[test]
fn a_test_may_close_a_circle() -> Outcome {
    let face = ("asn1/mod.rs", "mod a;\nmod b;");
    let a = ("asn1/a.rs", "#[cfg(test)]\nmod tests { use crate::asn1::b::B; }\npub struct A;");
    let b = ("asn1/b.rs", "use super::a::A;\npub struct B;");
    allowed(&[LIB, face, a, b])?;
    let a = ("asn1/a.rs", "#[cfg(test)]\nmod tests;\npub struct A;");
    let tests = ("asn1/a/tests.rs", "use crate::asn1::b::B;");
    allowed(&[LIB, face, a, tests, b])
}

#[test]
fn an_exported_macro_belongs_to_the_file_that_writes_it() -> Outcome {
    let face = ("asn1/mod.rs", "mod rule;\nmod tag;");
    let rule = ("asn1/rule.rs", "macro_rules! rule { () => { $crate::asn1::tag::T } }");
    let tag = ("asn1/tag.rs", "use crate::rule;\npub struct T;");
    refused(&[LIB, face, rule, tag], &["circle in src/asn1: rule -> tag"])
}

#[test]
fn an_imported_library_is_still_that_library() -> Outcome {
    let name = ("views/mod.rs", "use openssl;\nfn f() { openssl::x::y() }");
    let found = check(&[LIB, name])?;
    assert_eq!(found.len(), 2, "{found:#?}");
    Ok(())
}
