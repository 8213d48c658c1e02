//! The only bounded wait of the tests: polls until a condition holds and reports the last observation on
//! timeout.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Timeout of a wait.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Polls `look` until `hold` accepts its value, and returns the value. Panics after a minute with the last
/// value.
pub(crate) async fn eventually<T: Debug>(
    what: &str,
    look: impl AsyncFn() -> T,
    hold: impl Fn(&T) -> bool,
) -> T {
    let begin = Instant::now();
    let mut again = tokio::time::interval(Duration::from_millis(20));
    loop {
        again.tick().await;
        let seen = look().await;
        if hold(&seen) {
            return seen;
        }
        assert!(begin.elapsed() < PATIENCE, "did not happen within a minute: {what}; last seen: {seen:?}");
    }
}
