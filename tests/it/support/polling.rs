//! The only bounded wait of the tests: polls until a condition holds and reports the last observation on
//! timeout.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Timeout of a wait.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(1);

/// Polls `observe` until `condition` accepts its value, and returns the value. Panics after a minute with the
/// last value.
pub(crate) async fn eventually<T: Debug>(
    what: &str,
    observe: impl AsyncFn() -> T,
    condition: impl Fn(&T) -> bool,
) -> T {
    let begin = Instant::now();
    let mut again = tokio::time::interval(Duration::from_millis(20));
    loop {
        again.tick().await;
        let observed = observe().await;
        if condition(&observed) {
            return observed;
        }
        assert!(begin.elapsed() < TIMEOUT, "did not happen within a minute: {what}; last seen: {observed:?}");
    }
}
