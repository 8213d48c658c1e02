//! The one bounded wait: looks again and again until a condition holds, and tells the last look when it
//! gives up.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// How long something that must come may take.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Looks until `hold` accepts what `look` gives, and returns it. Panics after a minute with the last look.
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
