//! Limits of the regular expressions that accounts write: their size, and the CPU time of matching.

use std::time::Duration;

use regex::{Error as RegexError, RegexBuilder};
use rustix::time::{ClockId, clock_gettime};

/// Maximum size of a compiled expression in bytes.
const EXPRESSION_BYTES: usize = 128 << 10;
/// Maximum size of the DFA cache of an expression in bytes.
const DFA_BYTES: usize = 512 << 10;
/// Maximum nesting depth of groups.
const MAX_NESTING: u32 = 32;

/// Reads the CPU time of the current thread, which excludes other threads.
pub(crate) type CpuClock<'a> = &'a dyn Fn() -> Duration;

/// Returns the CPU time of the calling thread.
pub(crate) fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Returns the builder of an expression, with the limits that apply to the expressions of all accounts.
pub(crate) fn expression_builder(words: &str) -> RegexBuilder {
    let mut builder = RegexBuilder::new(words);
    builder.size_limit(EXPRESSION_BYTES).dfa_size_limit(DFA_BYTES).nest_limit(MAX_NESTING);
    builder
}

/// Returns an explanation of why an expression is invalid.
pub(crate) fn explain(error: &RegexError) -> String {
    match error {
        RegexError::CompiledTooBig(_) => {
            let most = EXPRESSION_BYTES >> 10;
            format!(
                "This expression is too costly: its repetitions make it larger than {most} KiB. Use fewer repetitions."
            )
        }
        RegexError::Syntax(text) => {
            let words = text.rsplit("error: ").next().unwrap_or_default().trim();
            format!("This regular expression is not supported: {words}.")
        }
        other => format!("This regular expression is not supported: {other}."),
    }
}
