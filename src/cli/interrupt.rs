//! Ctrl-C in commands that clean up before they exit.

use tokio_util::sync::CancellationToken;

/// Returns a token that is cancelled on Ctrl-C.
pub(super) fn stop_on_interrupt() -> CancellationToken {
    let stop = CancellationToken::new();
    let interrupted = stop.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            interrupted.cancel();
        }
    });
    stop
}
