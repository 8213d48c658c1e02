//! What is tried again while the database is away.

use std::time::Duration;

use domain::{Class, Error};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The first pause while the database is away; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause while the database is away.
pub(crate) const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How often a step is repeated that meets an error of our own.
const MOST_FAULTS: u32 = 3;

/// Repeats `step` while the database is away, until `stop`. An error that is no passing state is met again a few times
/// only: the worker's place is needed by other jobs.
pub(crate) async fn retry_while_unavailable<T, F>(
    stop: &CancellationToken,
    what: &str,
    mut step: impl FnMut() -> F,
) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let (mut pause, mut faults) = (FIRST_PAUSE, 0);
    loop {
        let error = match step().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        match error.class() {
            Class::Unavailable => tracing::warn!(%error, what, "the database is away; trying again"),
            Class::Internal if faults < MOST_FAULTS => faults += 1,
            _ => return Err(error),
        }
        if stop.is_cancelled() {
            return Err(error);
        }
        let _ = timeout(pause, stop.cancelled()).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
