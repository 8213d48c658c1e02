//! Records when a connection of this process was last unresponsive, and signals this to waiting tasks.

use std::future::pending;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::timeout;

pub(super) const PING_TIMEOUT: Duration = Duration::from_secs(5);

/// Time for running statements to complete after a connection proved unresponsive. A longer time delays all waiting
/// tasks; statements that are abandoned too early are repeated.
const GRACE: Duration = Duration::from_secs(5);

/// Time at which a connection was last unresponsive. One per process, because such failures affect all
/// connections.
static UNRESPONSIVE_SINCE: LazyLock<watch::Sender<Option<Instant>>> =
    LazyLock::new(|| watch::Sender::new(None));

/// Records that a connection is unresponsive.
pub(super) fn record_unresponsive() {
    UNRESPONSIVE_SINCE.send_replace(Some(Instant::now()));
}

/// True if a connection of this age was already open when a connection last became unresponsive.
pub(super) fn predates_unresponsive(age: Duration) -> bool {
    let noted = *UNRESPONSIVE_SINCE.borrow();
    noted.is_some_and(|noted| noted.elapsed() <= age)
}

/// Completes when a connection has become unresponsive after this call and statements running at that time have had
/// time to complete. Statements that have not completed may be waiting for a response that never arrives.
pub async fn connection_unresponsive() {
    let mut noted = UNRESPONSIVE_SINCE.subscribe();
    // Cannot fail: the sender is a static.
    let _ = noted.changed().await;
    // A statement that is still running after this time is presumed to get no response.
    let _ = timeout(GRACE, pending::<()>()).await;
}

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn running_statements_are_signalled_after_the_grace_period() {
        let mut before = Box::pin(connection_unresponsive());
        assert!(poll!(&mut before).is_pending());
        record_unresponsive();
        let mut after = Box::pin(connection_unresponsive());
        assert!(poll!(&mut after).is_pending());
        let begin = tokio::time::Instant::now();
        before.await;
        assert!(begin.elapsed() >= GRACE);
        assert!(poll!(&mut after).is_pending(), "a statement on a newer connection goes on");
    }
}
