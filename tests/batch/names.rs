//! File names and names in objects that want to do something to a terminal.

use std::ffi::OsStr;

use pkiscope::app::cli::Format;

use crate::generator::{certificate, name_of};
use crate::support::{Scratch, assert_clean, inspect, options, program, sample};

const FORMATS: [Format; 5] =
    [Format::Text, Format::Json, Format::Ndjson, Format::Csv, Format::Markdown];

#[cfg(unix)]
#[test]
fn file_names_do_no_harm() {
    use std::os::unix::ffi::OsStrExt as _;

    let scratch = Scratch::new();
    let certificate = sample("certificate-v1.der");
    for name in [
        &b"\x1b]0;title\x07.der"[..],
        b"a\nb\rc\td",
        "invoice\u{202e}red.exe".as_bytes(),
        "\u{200b}\u{feff}zero\u{2066}".as_bytes(),
        b"bad\xff\xfe\xc3utf8",
        b"=cmd|calc!A0",
        b"--format",
        "\u{9b}2J".as_bytes(),
    ] {
        scratch.file(OsStr::from_bytes(name), &certificate);
    }
    for format in ["text", "json", "ndjson", "csv", "markdown"] {
        let mut command = program(scratch.0.path());
        command.current_dir(scratch.0.path()).args(["inspect", ".", "missing\u{1b}[31m\n"]);
        let output = command.args(["--format", format]).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{format}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_clean(&text, format);
        assert!(text.contains("\\x1b]0;title\\x07.der") || text.contains("\\\\x1b]0;title"));
        assert!(output.stderr.is_empty(), "{format}");
    }
}

#[test]
fn names_in_objects_do_no_harm() {
    for value in [
        &b"\x1b[31mred\x1b[0m"[..],
        b"\x00\x01\x02\x7f",
        "\u{202e}gnp.exe\u{2069}\u{200f}".as_bytes(),
        "\u{9b}31m\u{85}\u{2028}".as_bytes(),
        b"\xc3\x28\xff\xfe\xed\xa0\x80\xf5",
        b"=HYPERLINK(\"http://example.com\")",
        b"a|b`c`<script>\r\n## heading",
        b"\"; drop table records; --",
        "z\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}".as_bytes(),
    ] {
        for tag in [0x0c, 0x13, 0x14, 0x16, 0x1e, 0x1c] {
            let der = certificate().subject(name_of(&[(tag, value)])).der();
            for format in FORMATS {
                let (_, text) = inspect(&der, &options(format));
                assert_clean(&text, &format!("{format:?} {tag} {value:?}"));
                if format == Format::Json {
                    serde_json::from_str::<serde_json::Value>(&text).unwrap();
                }
            }
        }
    }
}
