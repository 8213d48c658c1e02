//! Parser of JSON bodies. It checks the size and the number of values before parsing.

use bytes::Bytes;
use kernel::json_bounds::count_values;

use super::body_fault::BodyFault;
use super::body_memory::BodyPermit;

/// Maximum number of values and member names in a body.
const MAX_VALUES: usize = 100_000;
/// Parsed bodies up to this size are not counted: their total is bounded by the number of connections.
const SMALL_COST_BYTES: usize = 256 * 1024;
/// Estimated memory of a parsed value or member name in addition to its text, in bytes.
const VALUE_BYTES: usize = 120;

/// Parses a bounded JSON body with `parse`, and returns the value with the permit for its memory.
///
/// # Errors
/// `BodyFault::Malformed` if the text exceeds a bound, `BodyFault::MemoryExhausted` if the value does not fit
/// the memory budget, or the fault that `parse` returns.
pub async fn parse<T: Send + 'static>(
    bytes: Bytes,
    permit: BodyPermit,
    parse: impl FnOnce(&[u8]) -> Result<T, BodyFault> + Send + 'static,
) -> Result<(T, BodyPermit), BodyFault> {
    let parsed = permit.run(bytes, |text, permit| {
        let values =
            count_values(text, MAX_VALUES).map_err(|bound| BodyFault::Malformed(bound.to_string()))?;
        // The text of the values is stored twice: in the tree, and in the typed value that `parse` builds
        // from the tree.
        let cost = 2 * text.len() + values * VALUE_BYTES;
        if cost > SMALL_COST_BYTES && !permit.try_grow(cost) {
            return Err(BodyFault::MemoryExhausted);
        }
        parse(text)
    });
    let (value, permit) = parsed.await.map_err(|_| BodyFault::Broken)?;
    Ok((value?, permit))
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[tokio::test]
    async fn bodies_above_64_kib_are_parsed_outside_the_async_thread() {
        let async_thread = thread::current().id();
        for (length, is_async) in [(64 * 1024, true), (64 * 1024 + 1, false)] {
            let text = format!("\"{}\"", "a".repeat(length - 2));
            let parsing = parse(text.into(), BodyPermit::default(), |_| Ok(thread::current().id()));
            let (parsing_thread, _) = parsing.await.unwrap();
            assert_eq!(parsing_thread == async_thread, is_async, "{length} bytes");
        }
    }
}
