//! Retries steps while the database is unavailable.

use std::time::Duration;

use kernel::{Class, Error};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// First pause while the database is unavailable. It doubles with each retry.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Maximum pause while the database is unavailable. Waiting callers are delayed by up to this time after the
/// database is available again.
const MAX_PAUSE: Duration = Duration::from_secs(1);
/// Maximum number of retries after internal errors.
const MAX_INTERNAL_ERRORS: u32 = 3;

/// Retries `step` while the database is unavailable, until `stop`. Errors that are not transient are retried
/// only a few times, because other jobs need the worker's slot.
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
            Class::Unavailable if pause == FIRST_PAUSE => {
                tracing::warn!(%error, what, "database unavailable, retrying");
            }
            Class::Unavailable => tracing::debug!(%error, what, "database still unavailable"),
            Class::Internal if faults < MAX_INTERNAL_ERRORS => faults += 1,
            _ => return Err(error),
        }
        if stop.is_cancelled() {
            return Err(error);
        }
        let _ = timeout(pause, stop.cancelled()).await;
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use kernel::Code;
    use tokio::time::Instant;

    use super::*;

    /// Runs a step whose first `failures` attempts fail. Returns the times of the attempts in milliseconds
    /// since the start, and the result.
    async fn steps(code: Code, failures: usize, stop: &CancellationToken) -> (Vec<u128>, Result<(), Code>) {
        let (begin, mut taken) = (Instant::now(), Vec::new());
        let step = || {
            taken.push(begin.elapsed().as_millis());
            let is_wrong = taken.len() <= failures;
            async move { if is_wrong { Err(Error::new(code, "It went wrong.")) } else { Ok(()) } }
        };
        let ended = retry_while_unavailable(stop, "test", step).await;
        (taken, ended.map_err(|error| error.code))
    }

    #[tokio::test(start_paused = true)]
    async fn step_is_retried_with_back_off_while_database_is_unavailable() {
        let (taken, ended) = steps(Code::ServiceUnavailable, 8, &CancellationToken::new()).await;
        assert_eq!(taken, [0, 100, 300, 700, 1_500, 2_500, 3_500, 4_500, 5_500]);
        assert_eq!(ended, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn internal_errors_are_retried_three_times_and_refusals_are_not_retried() {
        let count = async |code, failures| {
            let (taken, ended) = steps(code, failures, &CancellationToken::new()).await;
            (taken.len(), ended)
        };
        assert_eq!(count(Code::Internal, 3).await, (4, Ok(())));
        assert_eq!(count(Code::Internal, 9).await, (4, Err(Code::Internal)));
        assert_eq!(count(Code::LeaseLost, 9).await, (1, Err(Code::LeaseLost)));
    }

    #[tokio::test(start_paused = true)]
    async fn retries_stop_at_shutdown() {
        let stop = CancellationToken::new();
        let shutdown = async {
            tokio::time::timeout(Duration::from_millis(400), std::future::pending::<()>()).await.unwrap_err();
            stop.cancel();
        };
        let ((taken, ended), ()) = tokio::join!(steps(Code::ServiceUnavailable, 9, &stop), shutdown);
        assert_eq!((taken, ended), (vec![0, 100, 300, 400], Err(Code::ServiceUnavailable)));
    }
}
