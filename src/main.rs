//! Main program: every process of a deployment, and the command-line tools.

use std::process::ExitCode;

/// Allocator that returns memory to the system soon after a peak, such as several large bodies at the same
/// time.
#[global_allocator]
static ALLOCATOR: allocator::MiMalloc = allocator::MiMalloc;

fn main() -> ExitCode {
    carrel::cli::main()
}
