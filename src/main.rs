//! The one executable: every process of a deployment, and the tools around it.

use std::process::ExitCode;

fn main() -> ExitCode {
    carrel::cli::main()
}
