//! The child's side of the sandbox as a program of its own, for tests and benchmarks of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    extract::sandbox::child_main()
}
