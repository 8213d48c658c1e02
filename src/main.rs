//! The only executable: every process of a deployment, and the command-line tools.

use std::process::ExitCode;

fn main() -> ExitCode {
    carrel::cli::main()
}
