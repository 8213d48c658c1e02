//! The only bounded wait of the tests. It polls until a condition is true, and reports the last observation
//! on timeout.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Timeout of a wait, which is long enough for a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(2);
/// First interval between polls. It grows, so that polls do not slow down the observed work.
const INTERVAL: Duration = Duration::from_millis(20);
const MAX_INTERVAL: Duration = Duration::from_millis(500);

/// Polls `observe` until `condition` accepts its value, and returns the value. After two minutes, panics with
/// the last value.
pub(crate) async fn eventually<T: Debug>(
    what: &str,
    observe: impl AsyncFn() -> T,
    condition: impl Fn(&T) -> bool,
) -> T {
    let begin = Instant::now();
    loop {
        let observed = observe().await;
        if condition(&observed) {
            return observed;
        }
        let elapsed = begin.elapsed();
        assert!(elapsed < TIMEOUT, "did not happen within two minutes: {what}; last seen: {observed:?}");
        let pause = (elapsed / 10).clamp(INTERVAL, MAX_INTERVAL);
        tokio::time::interval_at(tokio::time::Instant::now() + pause, pause).tick().await;
    }
}
