//! What one process hears from others: of pushes and of cancelled jobs always, of ends from when somebody in it has waited
//! for one.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::queue_item::Unavailable;

/// Between attempts to listen again after the connection broke.
const RELISTEN: Duration = Duration::from_millis(500);
/// How long somebody waits for this process to hear who would rather not wait: a look at the row does as well.
const IMPATIENCE: Duration = Duration::from_millis(250);

/// What a process hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hears {
    Nothing,
    Pushes,
    Ends,
}

/// What this process hears, for those who need it to.
pub(super) struct Hearing {
    wanted: watch::Sender<Hears>,
    hears: watch::Receiver<Hears>,
}

/// The same for who listens.
pub(super) struct Wants {
    wanted: watch::Receiver<Hears>,
    says: watch::Sender<Hears>,
}

/// Who listens in this process.
pub(super) trait Ear: Send + Sync + 'static {
    /// Hears of so much until the connection breaks, and says when that begins.
    fn hear(
        &self,
        wanted: Hears,
        says: &watch::Sender<Hears>,
    ) -> impl Future<Output = Result<(), Unavailable>> + Send;
}

/// Both sides, of a process that is to hear of pushes.
pub(super) fn hearing() -> (Hearing, Wants) {
    let (wanted, wants) = watch::channel(Hears::Pushes);
    let (says, hears) = watch::channel(Hears::Nothing);
    (Hearing { wanted, hears }, Wants { wanted: wants, says })
}

impl Hearing {
    /// Has this process hear of ends from now on. Who is not heard in time finds the end in the row, and while nothing is
    /// heard at all nobody is kept: everybody looks when that is over.
    pub(super) async fn hear_ends(&self) {
        self.wanted.send_if_modified(|wanted| std::mem::replace(wanted, Hears::Ends) != Hears::Ends);
        if self.hears_nothing() {
            return;
        }
        let _ = timeout(IMPATIENCE, self.come_to_hear(Hears::Ends)).await;
    }

    /// Returns when this process hears of so much.
    pub(super) async fn come_to_hear(&self, what: Hears) {
        // Whoever listens goes with this transport alone.
        let _ = self.hears.clone().wait_for(|hears| *hears >= what).await;
    }

    pub(super) fn hears_nothing(&self) -> bool {
        *self.hears.borrow() == Hears::Nothing
    }
}

/// Has `ear` hear of what is wanted until `stop`, whatever becomes of the connection; `away` is logged when it breaks.
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
