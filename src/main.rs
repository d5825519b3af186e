//! The `pkiscope` binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pkiscope::app::main()
}
