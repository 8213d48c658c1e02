//! Subscriptions of a process to notifications of other processes. Pushes and cancellations are always
//! subscribed, completions only after a caller in this process has waited for one.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::queue_item::Unavailable;

/// Delay before the next attempt after the connection broke.
const RECONNECT_DELAY: Duration = Duration::from_millis(500);
/// Maximum wait for a new subscription. If the subscription is not active in time, the caller queries the row
/// instead.
const SUBSCRIBE_TIMEOUT: Duration = Duration::from_millis(250);

/// Notifications to which a process subscribes. Each level includes the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SubscriptionLevel {
    Nothing,
    Pushes,
    Completions,
}

/// Side of the subscriptions that requests notifications and waits for them to be active.
pub(super) struct Subscriptions {
    requested: watch::Sender<SubscriptionLevel>,
    active: watch::Receiver<SubscriptionLevel>,
}

/// Side of the subscriptions that the listening task reads.
pub(super) struct SubscriptionRequests {
    requested: watch::Receiver<SubscriptionLevel>,
    active: watch::Sender<SubscriptionLevel>,
}

/// Connection that receives notifications for this process.
pub(super) trait NotificationListener: Send + Sync + 'static {
    /// Receives notifications of the requested level until the connection breaks. Sets `active` when the
    /// subscription is active.
    fn listen(
        &self,
        requested: SubscriptionLevel,
        active: &watch::Sender<SubscriptionLevel>,
    ) -> impl Future<Output = Result<(), Unavailable>> + Send;
}

/// Creates both sides of the subscriptions, with pushes requested.
pub(super) fn subscription_channel() -> (Subscriptions, SubscriptionRequests) {
    let (requested, requests) = watch::channel(SubscriptionLevel::Pushes);
    let (active_sender, active) = watch::channel(SubscriptionLevel::Nothing);
    (Subscriptions { requested, active }, SubscriptionRequests { requested: requests, active: active_sender })
}

impl Subscriptions {
    /// Subscribes to completions from now on. If the subscription is not active in time, the caller finds the
    /// completion in the row. Does not wait without a connection: all callers recheck their rows after the
    /// reconnect.
    pub(super) async fn subscribe_completions(&self) {
        self.requested.send_if_modified(|level| {
            std::mem::replace(level, SubscriptionLevel::Completions) != SubscriptionLevel::Completions
        });
        if self.is_disconnected() {
            return;
        }
        let _ = timeout(SUBSCRIBE_TIMEOUT, self.wait_for_level(SubscriptionLevel::Completions)).await;
    }

    /// Waits until notifications of this level are subscribed.
    pub(super) async fn wait_for_level(&self, level: SubscriptionLevel) {
        // The listening task stops only with this transport.
        let _ = self.active.clone().wait_for(|active| *active >= level).await;
    }

    pub(super) fn is_disconnected(&self) -> bool {
        *self.active.borrow() == SubscriptionLevel::Nothing
    }
}

/// Listens for the requested notifications until `stop` is cancelled, and reconnects when the connection
/// breaks. `away` is logged at each disconnect.
pub(super) async fn listen(
    listener: impl NotificationListener,
    mut requests: SubscriptionRequests,
    stop: CancellationToken,
    away: &'static str,
) {
    let mut is_away = false;
    loop {
        let requested = *requests.requested.borrow_and_update();
        let result = tokio::select! {
            () = stop.cancelled() => return,
            changed = requests.requested.changed() => match changed {
                Ok(()) => continue,
                Err(_) => return,
            },
            heard = listener.listen(requested, &requests.active) => heard,
        };
        requests.active.send_replace(SubscriptionLevel::Nothing);
        if let (Err(error), false) = (&result, is_away) {
            tracing::warn!(%error, "{away}");
        }
        is_away = result.is_err();
        if is_away {
            let _ = timeout(RECONNECT_DELAY, stop.cancelled()).await;
        }
    }
}
