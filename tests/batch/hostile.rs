//! Hostile input: no panic, no control character, every line of JSON valid.

use pkiscope::app::cli::Format;
use pkiscope::app::exit::Exit;

use crate::generator::hostile;
use crate::support::{Scratch, assert_clean, inspect, lines, options, tree};

#[test]
fn nothing_is_harmed() {
    let mut count = 0;
    for (name, octets) in hostile() {
        count += 1;
        for format in [Format::Ndjson, Format::Text, Format::Csv] {
            let (exit, text) = inspect(&octets, &options(format));
            assert!(matches!(exit, Exit::Fine | Exit::Input), "{name}");
            assert_clean(&text, &name);
            assert!(!text.is_empty(), "{name}");
            if format == Format::Ndjson {
                let broken = lines(&text).iter().any(|record| record.get("error").is_some());
                assert!(!broken || exit == Exit::Input, "{name}");
            }
        }
        let (exit, text) = tree(&octets, Format::Ndjson);
        assert!(matches!(exit, Exit::Fine | Exit::Input), "{name}");
        assert_clean(&text, &name);
        assert!(!lines(&text).is_empty(), "{name}");
    }
    assert!(count >= 529, "{count}");
}

#[cfg(target_os = "linux")]
#[test]
fn half_a_gigabyte_is_enough() {
    use std::process::Command;

    let scratch = Scratch::new();
    let large: Vec<_> = hostile().filter(|(_, octets)| octets.len() > 100_000).collect();
    assert!(large.len() >= 25);
    for (i, (name, octets)) in large.iter().enumerate() {
        let path = scratch.file(i.to_string(), octets);
        // 512 MiB of address space, counted in KiB.
        let limited = "ulimit -v 524288; exec \"$@\"";
        let output = Command::new("sh")
            .args(["-c", limited, "sh", env!("CARGO_BIN_EXE_pkiscope"), "--batch", "inspect"])
            .args(["--format", "ndjson"])
            .arg(&path)
            .env("HOME", scratch.0.path())
            .env("XDG_CONFIG_HOME", scratch.0.path())
            .output()
            .unwrap();
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 3)), "{name}: {code:?}");
        assert!(output.stderr.is_empty(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.ends_with(b"\n"), "{name}");
    }
}
