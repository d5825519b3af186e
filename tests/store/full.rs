//! No room: a sentence says so, and what was stored before stays.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Home, Running, as_child};

/// Runs the helper that fills a database, and checks what it says.
fn fill(mut command: Command, path: &Path, exclusive: bool, sentence: &str) {
    as_child(&mut command, "fill", path);
    command.env("PKISCOPE_TEST_OPTIONS", if exclusive { "exclusive" } else { "" });
    let mut running = Running::start(command);
    let mut said = Vec::new();
    while let Some(words) = running.says() {
        said.push(words.join(" "));
    }
    assert!(running.child.wait().unwrap().success(), "{said:?}");
    let of = |name: &str| {
        let line = said.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {name}: {said:?}")).to_owned()
    };
    let error = of("error");
    assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
    assert!(error.contains(sentence), "{error}");
    let stored = of("stored");
    assert!(stored.parse::<u64>().unwrap() >= 200, "{said:?}");
    assert_eq!(of("after"), stored);
    assert_eq!(of("integrity"), "ok");
}

/// What a shell does before it becomes the helper; "$@" is the helper.
fn shell(script: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(folder).arg(std::env::current_exe().unwrap());
    command
}

/// Needs no rights: the system stops a file at a size.
#[test]
fn a_limit_on_files_ends_writing_only() {
    for exclusive in [false, true] {
        let home = Home::new();
        // At least a mebibyte, whatever the shell counts in.
        let command = shell("trap '' XFSZ; ulimit -f 2048; exec \"$@\"", home.folder.path());
        fill(command, &home.path, exclusive, "a limit on file sizes is reached");
    }
}

/// Needs a file system of its own, which some systems let every user mount.
#[test]
fn a_full_disk_ends_writing_only() {
    let mount = "unshare --mount --map-root-user --user sh -c \
                 'mount -t tmpfs -o size=4m none \"$0\" && exec \"$@\"' \"$0\" \"$@\"";
    let home = Home::new();
    let mut probe = Command::new("sh");
    probe.args(["-c", mount]).arg(home.folder.path()).arg("true");
    probe.stdout(Stdio::null()).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: this user may mount no file system");
        return;
    }
    for exclusive in [false, true] {
        fill(shell(mount, home.folder.path()), &home.path, exclusive, "the disk is full");
    }
}
