//! Queue between processes that share only PostgreSQL: workers claim due jobs from the rows, and NOTIFY wakes
//! them. No job depends on a notification.
//!
//! Notifications that arise while a NOTIFY is running are sent with the next one. All processes receive
//! pushes and cancellations. Completions are received only by processes in which a caller has waited for one.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::{self, JobKind};
use futures_util::future::BoxFuture;
use kernel::batcher::Groups;
use kernel::{Domain, Error, Listener, News};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::bells::Bells;
use super::hearing::{self, Hearing, Hears, hearing};
use super::queue_item::Unavailable;
use crate::completion::{Completion, JobEnd};

/// Channel of pushes; the payload names the kind.
const PUSHED: &str = "carrel_pushed";
/// Channel of completions.
const ENDED: &str = "carrel_ended";
/// Channel of cancellations, which the worker that runs the job must receive.
const CANCELLED: &str = "carrel_cancelled";
/// Log message for a broken subscription.
const AWAY: &str = "PostgreSQL notifications unavailable, workers poll for jobs";
/// Idle time after which the connection is replaced, because it may be half-open.
const SILENCE: Duration = Duration::from_mins(1);
/// Time to wait for pending notifications of a replaced connection.
const LAST_WORDS: Duration = Duration::from_millis(5);
/// Timeout of a ping.
const PATIENCE: Duration = Duration::from_secs(2);
/// Payload in place of a kind, for a ping that only its sender needs.
const ECHO: &str = "echo";
/// Poll interval of workers while subscribed: the tick wakes them for pushes without a notification.
const POLL: Duration = Duration::from_secs(15);
/// Poll interval of workers without a subscription.
const DEAF_POLL: Duration = Duration::from_secs(1);
/// Maximum number of notifications per statement.
const MOST: usize = 256;
/// Upper bound of the count of waiting jobs.
const MOST_COUNTED: u32 = 10_000;

/// Queues in the rows.
pub(crate) struct Rows {
    domain: Domain,
    /// Name of this process in its notifications.
    name: String,
    news: Groups<News, Result<(), Unavailable>>,
    pub(super) bells: Arc<Bells>,
    hearing: Hearing,
    /// Changes with every ping that this process received from itself.
    echo: watch::Receiver<u64>,
    _listening: DropGuard,
}

impl Rows {
    /// Creates queues in the rows of this database. Completions of other processes are passed to
    /// `completion`.
    pub(crate) fn open(domain: Domain, completion: Arc<Completion>) -> Self {
        let name = format!("{:016x}", u64::from_le_bytes(domain.random::<8>()));
        let (bells, stop) = (Arc::new(Bells::default()), CancellationToken::new());
        let (hearing, wants) = hearing();
        let (echoes, echo) = watch::channel(0);
        let (ear_domain, ear_name, ear_bells) = (domain.clone(), name.clone(), bells.clone());
        let ear = Ear { domain: ear_domain, name: ear_name, bells: ear_bells, completion, echoes };
        tokio::spawn(hearing::listen(ear, wants, stop.clone(), AWAY));
        let news = Groups::of_at_most(MOST);
        Self { domain, name, news, bells, hearing, echo, _listening: stop.drop_guard() }
    }

    /// Wakes the workers of this process immediately, and those of others by the next NOTIFY. The caller does
    /// not wait for it: the row is committed, and processes without notifications poll.
    pub(super) fn push(&self, kind: JobKind) {
        self.bells.ring(kind);
        let news = News { channel: PUSHED.to_owned(), text: format!("{} {kind}", self.name) };
        drop(self.news.join(&self.domain, news, tell_group));
    }

    /// Number of due jobs of `kind` that wait.
    pub(super) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        Ok(rows::waiting(self.domain.db().read(), &self.domain, kind, MOST_COUNTED).await?)
    }

    /// Publishes a completion, batched with others.
    pub(super) async fn announce(&self, end: &JobEnd) -> Result<(), Unavailable> {
        self.tell(ENDED, end.to_message()).await
    }

    /// Publishes a cancellation to all processes.
    pub(super) async fn announce_cancelled(&self, end: &JobEnd) -> Result<(), Unavailable> {
        self.tell(CANCELLED, end.to_message()).await
    }

    async fn tell(&self, channel: &str, text: String) -> Result<(), Unavailable> {
        let news = News { channel: channel.to_owned(), text };
        let told = self.news.join(&self.domain, news, tell_group).await;
        told.unwrap_or_else(|_| Err(Unavailable::new(Error::internal("the notification was not sent"))))
    }

    /// Waits until this process receives its own notification: a pooler may accept a LISTEN and never deliver
    /// anything.
    pub(super) async fn ping(&self) -> Result<(), Unavailable> {
        let mut echo = self.echo.clone();
        let hears = async {
            self.hearing.come_to_hear(Hears::Pushes).await;
            echo.mark_unchanged();
            self.tell(PUSHED, format!("{} {ECHO}", self.name)).await?;
            let _ = echo.changed().await;
            Ok(())
        };
        let nothing = || Unavailable::new(Error::internal("no notifications are received from the database"));
        timeout(PATIENCE, hears).await.unwrap_or_else(|_| Err(nothing()))
    }

    /// Subscribes this process to completions.
    pub(super) async fn hear_ends(&self) {
        self.hearing.hear_ends().await;
    }

    /// Poll interval of workers: long while notifications are received.
    pub(super) fn poll_interval(&self) -> Duration {
        if self.hearing.hears_nothing() { DEAF_POLL } else { POLL }
    }
}

/// Sends notifications. Equal pushes are sent only one time.
fn tell_group(domain: Domain, news: Vec<News>) -> BoxFuture<'static, Vec<Result<(), Unavailable>>> {
    Box::pin(async move {
        let mut all: Vec<News> = Vec::with_capacity(news.len());
        for single in &news {
            if single.channel != PUSHED || !all.contains(single) {
                all.push(single.clone());
            }
        }
        let told = domain.db().tell(&all).await.map_err(|error| Unavailable::new(Error::from(error)));
        vec![told; news.len()]
    })
}

/// Receives notifications from PostgreSQL for this process.
struct Ear {
    domain: Domain,
    name: String,
    bells: Arc<Bells>,
    completion: Arc<Completion>,
    echoes: watch::Sender<u64>,
}

impl hearing::Ear for Ear {
    async fn hear(&self, wanted: Hears, says: &watch::Sender<Hears>) -> Result<(), Unavailable> {
        let mut listener = self.begin(wanted).await?;
        says.send_replace(wanted);
        loop {
            match timeout(SILENCE, listener.next()).await {
                Ok(Ok(Some(news))) => self.take(&news),
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(Error::from(error).into()),
                Err(_) => {
                    let mut former = std::mem::replace(&mut listener, self.begin(wanted).await?);
                    while let Ok(Ok(Some(news))) = timeout(LAST_WORDS, former.next()).await {
                        self.take(&news);
                    }
                }
            }
        }
    }
}

impl Ear {
    /// Starts to listen, and makes all workers and waiting callers check for jobs that were pushed or
    /// completed before.
    async fn begin(&self, wanted: Hears) -> Result<Listener, Error> {
        let channels: &[&str] = match wanted {
            Hears::Nothing | Hears::Pushes => &[PUSHED, CANCELLED],
            Hears::Ends => &[PUSHED, CANCELLED, ENDED],
        };
        let listener = self.domain.db().listen(channels).await?;
        self.bells.ring_all();
        self.completion.look_all();
        Ok(listener)
    }

    fn take(&self, news: &News) {
        if news.channel != PUSHED {
            self.completion.on_message(&news.text);
            return;
        }
        let Some((name, word)) = news.text.split_once(' ') else { return };
        // Pushes of this process were already signalled.
        if name == self.name {
            if word == ECHO {
                self.echoes.send_modify(|count| *count += 1);
            }
        } else if let Some(kind) = JobKind::parse(word) {
            self.bells.ring(kind);
        }
    }
}
