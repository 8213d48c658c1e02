//! Queue between processes that share only PostgreSQL: workers claim due jobs from the rows, and NOTIFY wakes
//! them. No job depends on a notification.
//!
//! Notifications that arise while a NOTIFY is running are sent with the next one. All processes receive
//! pushes and cancellations. Completions are received only by processes in which a caller has waited for one.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::{self, JobKind};
use futures_util::future::BoxFuture;
use kernel::batcher::Batcher;
use kernel::{Domain, Error, Listener, PgNotification};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::queue_item::Unavailable;
use super::subscriptions::{self, SubscriptionLevel, Subscriptions, subscription_channel};
use super::wakeups::Wakeups;
use crate::completion::{CompletionWaiters, JobCompletion};

/// Channel of pushes; the payload names the kind.
const PUSHED: &str = "carrel_pushed";
/// Channel of completions.
const ENDED: &str = "carrel_ended";
/// Channel of cancellations, which the worker that runs the job must receive.
const CANCELLED: &str = "carrel_cancelled";
/// Log message for a broken subscription.
const AWAY: &str = "PostgreSQL notifications unavailable, workers poll for jobs";
/// Idle time after which the connection is replaced, because it may be half-open.
const MAX_IDLE: Duration = Duration::from_mins(1);
/// Time to wait for pending notifications of a replaced connection.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(5);
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// Second word of a ping's payload. In the payload of a push, the second word is the kind. Only the sender
/// handles a ping.
const ECHO: &str = "echo";
/// Poll interval of workers while subscribed: the tick wakes workers for pushes without a notification.
const SUBSCRIBED_POLL: Duration = Duration::from_secs(15);
/// Poll interval of workers without a subscription.
const DISCONNECTED_POLL: Duration = Duration::from_secs(1);
/// Maximum number of notifications per statement.
const MAX_BATCH: usize = 256;
/// Maximum number of waiting jobs that are counted.
const MAX_COUNTED: u32 = 10_000;

/// Queues in the rows.
pub(crate) struct RowTransport {
    domain: Domain,
    /// Name of this process in its notifications.
    name: String,
    news: Batcher<PgNotification, Result<(), Unavailable>>,
    pub(super) wakeups: Arc<Wakeups>,
    subscriptions: Subscriptions,
    /// Changes with every ping that this process received from itself.
    echo: watch::Receiver<u64>,
    _listening: DropGuard,
}

impl RowTransport {
    /// Creates queues in the rows of this database. Completions of other processes are passed to
    /// `completion`.
    pub(crate) fn open(domain: Domain, completion: Arc<CompletionWaiters>) -> Self {
        let name = format!("{:016x}", u64::from_le_bytes(domain.random::<8>()));
        let (wakeups, stop) = (Arc::new(Wakeups::default()), CancellationToken::new());
        let (subscriptions, requests) = subscription_channel();
        let (echoes, echo) = watch::channel(0);
        let (listener_domain, listener_name, listener_wakeups) =
            (domain.clone(), name.clone(), wakeups.clone());
        let listener = PostgresListener {
            domain: listener_domain,
            name: listener_name,
            wakeups: listener_wakeups,
            completion,
            echoes,
        };
        tokio::spawn(subscriptions::listen(listener, requests, stop.clone(), AWAY));
        let news = Batcher::new(MAX_BATCH);
        Self { domain, name, news, wakeups, subscriptions, echo, _listening: stop.drop_guard() }
    }

    /// Wakes the workers of this process immediately, and the workers of other processes with the next
    /// NOTIFY. The caller does not wait for the NOTIFY: the row is committed, and processes without
    /// notifications poll.
    pub(super) fn push(&self, kind: JobKind) {
        self.wakeups.notify(kind);
        let news = PgNotification { channel: PUSHED.to_owned(), text: format!("{} {kind}", self.name) };
        drop(self.news.add(&self.domain, news, notify_batch));
    }

    /// Returns the number of waiting jobs of `kind` that are due.
    pub(super) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        Ok(rows::waiting(self.domain.db().read(), &self.domain, kind, MAX_COUNTED).await?)
    }

    /// Publishes a completion, in a batch with others.
    pub(super) async fn announce(&self, end: &JobCompletion) -> Result<(), Unavailable> {
        self.publish(ENDED, end.to_message()).await
    }

    /// Publishes a cancellation to all processes.
    pub(super) async fn announce_cancelled(&self, end: &JobCompletion) -> Result<(), Unavailable> {
        self.publish(CANCELLED, end.to_message()).await
    }

    async fn publish(&self, channel: &str, text: String) -> Result<(), Unavailable> {
        let news = PgNotification { channel: channel.to_owned(), text };
        let result = self.news.add(&self.domain, news, notify_batch).await;
        result.unwrap_or_else(|_| Err(Unavailable::new(Error::internal("the notification was not sent"))))
    }

    /// Waits until this process receives its own notification. A successful LISTEN is not enough, because a
    /// pooler may accept it and never deliver a notification.
    pub(super) async fn ping(&self) -> Result<(), Unavailable> {
        let mut echo = self.echo.clone();
        let round_trip = async {
            self.subscriptions.wait_for_level(SubscriptionLevel::Pushes).await;
            echo.mark_unchanged();
            self.publish(PUSHED, format!("{} {ECHO}", self.name)).await?;
            let _ = echo.changed().await;
            Ok(())
        };
        let no_echo = || Unavailable::new(Error::internal("no notifications are received from the database"));
        timeout(PING_TIMEOUT, round_trip).await.unwrap_or_else(|_| Err(no_echo()))
    }

    /// Subscribes this process to completions.
    pub(super) async fn subscribe_completions(&self) {
        self.subscriptions.subscribe_completions().await;
    }

    /// Returns the poll interval of workers, which is long while notifications are received.
    pub(super) fn poll_interval(&self) -> Duration {
        if self.subscriptions.is_disconnected() { DISCONNECTED_POLL } else { SUBSCRIBED_POLL }
    }
}

/// Sends notifications. Equal pushes are combined into one notification.
fn notify_batch(
    domain: Domain,
    news: Vec<PgNotification>,
) -> BoxFuture<'static, Vec<Result<(), Unavailable>>> {
    Box::pin(async move {
        let mut all: Vec<PgNotification> = Vec::with_capacity(news.len());
        for single in &news {
            if single.channel != PUSHED || !all.contains(single) {
                all.push(single.clone());
            }
        }
        let result = domain.db().notify(&all).await.map_err(|error| Unavailable::new(Error::from(error)));
        vec![result; news.len()]
    })
}

/// Receives notifications from PostgreSQL for this process.
struct PostgresListener {
    domain: Domain,
    name: String,
    wakeups: Arc<Wakeups>,
    completion: Arc<CompletionWaiters>,
    echoes: watch::Sender<u64>,
}

impl subscriptions::NotificationListener for PostgresListener {
    async fn listen(
        &self,
        requested: SubscriptionLevel,
        active: &watch::Sender<SubscriptionLevel>,
    ) -> Result<(), Unavailable> {
        let mut listener = self.start(requested).await?;
        active.send_replace(requested);
        loop {
            match timeout(MAX_IDLE, listener.next()).await {
                Ok(Ok(Some(news))) => self.handle(&news),
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(Error::from(error).into()),
                Err(_) => {
                    let mut previous = std::mem::replace(&mut listener, self.start(requested).await?);
                    while let Ok(Ok(Some(news))) = timeout(DRAIN_TIMEOUT, previous.next()).await {
                        self.handle(&news);
                    }
                }
            }
        }
    }
}

impl PostgresListener {
    /// Starts to listen, and makes all workers and waiting callers check for jobs that were pushed or
    /// completed earlier.
    async fn start(&self, requested: SubscriptionLevel) -> Result<Listener, Error> {
        let channels: &[&str] = match requested {
            SubscriptionLevel::Nothing | SubscriptionLevel::Pushes => &[PUSHED, CANCELLED],
            SubscriptionLevel::Completions => &[PUSHED, CANCELLED, ENDED],
        };
        let listener = self.domain.db().listen(channels).await?;
        self.wakeups.notify_all();
        self.completion.recheck_all();
        Ok(listener)
    }

    fn handle(&self, news: &PgNotification) {
        if news.channel != PUSHED {
            self.completion.on_message(&news.text);
            return;
        }
        let Some((name, word)) = news.text.split_once(' ') else { return };
        // Workers were already woken for the pushes of this process.
        if name == self.name {
            if word == ECHO {
                self.echoes.send_modify(|count| *count += 1);
            }
        } else if let Some(kind) = JobKind::parse(word) {
            self.wakeups.notify(kind);
        }
    }
}
