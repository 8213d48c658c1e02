//! When a connection of this process fell silent, and who is told of it.

use std::future::pending;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::timeout;

/// How long a connection may take for a sign of life.
pub(super) const SIGN: Duration = Duration::from_secs(5);

/// What was under way when a connection fell silent has so long to end. Whoever waits on one keeps it from all others;
/// what is given up too early is done once more.
const GRACE: Duration = Duration::from_secs(5);

/// When a connection was silent last. One for the process, as failovers are.
static SILENT_SINCE: LazyLock<watch::Sender<Option<Instant>>> = LazyLock::new(|| watch::Sender::new(None));

/// Takes note that a connection is silent.
pub(super) fn note() {
    SILENT_SINCE.send_replace(Some(Instant::now()));
}

/// Whether a connection of this age was there already when another one was silent.
pub(super) fn is_suspected(age: Duration) -> bool {
    let noted = *SILENT_SINCE.borrow();
    noted.is_some_and(|noted| noted.elapsed() <= age)
}

/// Ends when a connection of this process has fallen silent since the call, and what was under way then should have
/// ended: what has not, may wait for an answer that never comes.
pub async fn fallen_silent() {
    let mut noted = SILENT_SINCE.subscribe();
    // The sender is a static: it never goes away.
    let _ = noted.changed().await;
    // Nothing tells that what waits for an answer waits in vain but the time.
    let _ = timeout(GRACE, pending::<()>()).await;
}

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_was_under_way_when_a_connection_fell_silent_is_told_after_a_while() {
        let mut before = Box::pin(fallen_silent());
        assert!(poll!(&mut before).is_pending());
        note();
        let mut after = Box::pin(fallen_silent());
        assert!(poll!(&mut after).is_pending());
        let begin = tokio::time::Instant::now();
        before.await;
        assert!(begin.elapsed() >= GRACE);
        assert!(poll!(&mut after).is_pending(), "it began on connections that were made since");
    }
}
