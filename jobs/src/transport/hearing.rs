//! Subscriptions of a process to notifications of other processes. Pushes and cancellations are always
//! subscribed, completions only after a caller in this process has waited for one.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::queue_item::Unavailable;

/// Delay before the next attempt after the connection broke.
const RELISTEN: Duration = Duration::from_millis(500);
/// Maximum wait for a new subscription. A caller that does not get it in time queries the row instead.
const IMPATIENCE: Duration = Duration::from_millis(250);

/// Subscribed notifications. Each level includes the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hears {
    Nothing,
    Pushes,
    Ends,
}

/// Subscriptions of this process, as seen by their users.
pub(super) struct Hearing {
    wanted: watch::Sender<Hears>,
    hears: watch::Receiver<Hears>,
}

/// Subscriptions of this process, as seen by the listening task.
pub(super) struct Wants {
    wanted: watch::Receiver<Hears>,
    says: watch::Sender<Hears>,
}

/// Connection that receives notifications for this process.
pub(super) trait Ear: Send + Sync + 'static {
    /// Receives notifications of the requested level until the connection breaks. Sets `says` when the
    /// subscription is active.
    fn hear(
        &self,
        wanted: Hears,
        says: &watch::Sender<Hears>,
    ) -> impl Future<Output = Result<(), Unavailable>> + Send;
}

/// Creates both sides, with pushes requested.
pub(super) fn hearing() -> (Hearing, Wants) {
    let (wanted, wants) = watch::channel(Hears::Pushes);
    let (says, hears) = watch::channel(Hears::Nothing);
    (Hearing { wanted, hears }, Wants { wanted: wants, says })
}

impl Hearing {
    /// Subscribes to completions from now on. If the subscription is not active in time, the caller finds the
    /// completion in the row. Does not wait without a connection: all callers recheck their rows when it is
    /// back.
    pub(super) async fn hear_ends(&self) {
        self.wanted.send_if_modified(|wanted| std::mem::replace(wanted, Hears::Ends) != Hears::Ends);
        if self.hears_nothing() {
            return;
        }
        let _ = timeout(IMPATIENCE, self.come_to_hear(Hears::Ends)).await;
    }

    /// Waits until notifications of this level are subscribed.
    pub(super) async fn come_to_hear(&self, what: Hears) {
        // The listening task ends only with this transport.
        let _ = self.hears.clone().wait_for(|hears| *hears >= what).await;
    }

    pub(super) fn hears_nothing(&self) -> bool {
        *self.hears.borrow() == Hears::Nothing
    }
}

/// Listens to the requested notifications until `stop`, and reconnects when the connection breaks. `away` is
/// logged at each disconnect.
pub(super) async fn listen(ear: impl Ear, mut wants: Wants, stop: CancellationToken, away: &'static str) {
    let mut is_away = false;
    loop {
        let wanted = *wants.wanted.borrow_and_update();
        let heard = tokio::select! {
            () = stop.cancelled() => return,
            changed = wants.wanted.changed() => match changed {
                Ok(()) => continue,
                Err(_) => return,
            },
            heard = ear.hear(wanted, &wants.says) => heard,
        };
        wants.says.send_replace(Hears::Nothing);
        if let (Err(error), false) = (&heard, is_away) {
            tracing::warn!(%error, "{away}");
        }
        is_away = heard.is_err();
        if is_away {
            let _ = timeout(RELISTEN, stop.cancelled()).await;
        }
    }
}
