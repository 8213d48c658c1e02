//! Queue between processes in Redis: one sorted set per kind, and channels for pushes, completions, and
//! cancellations. No job depends on this data; the sweep recovers everything from the rows.
//!
//! Processes subscribe to completions only after a caller in them has waited for one. Completions are
//! published only while there are subscribers.
//!
//! apalis-redis is not used: an acknowledged id cannot be pushed again, its workers stop when Redis has lost
//! all its data, 8,000 ids block a queue, and a due time in the future blocks an id (docs/engine.md).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::rows::JobKind;
use futures_util::future::BoxFuture;
use futures_util::{Stream, StreamExt};
use kernel::JobId;
use kernel::batcher::Batcher;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Msg, RedisError, Script};
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::no_subscriber_cache::{NO_SUBSCRIBER_TTL, NoSubscriberCache};
use super::queue_item::{QueueItem, Unavailable};
use super::subscriptions::{self, SubscriptionLevel, Subscriptions, subscription_channel};
use super::wakeups::Wakeups;
use crate::completion::{CompletionWaiters, JobCompletion};

/// Response timeout. The default of half a second is too short on a busy machine.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Log message for a broken subscription.
const AWAY: &str = "Redis unavailable, jobs wait in the database";
/// Prefix of ids, so that an id cannot be parsed as a number.
const PREFIX: &str = "j:";

/// Maximum number of ids or completions per command.
const MAX_BATCH: usize = 256;

/// Queues in Redis.
pub(crate) struct Redis {
    wire: Wire,
    /// Batchers of single ids, one per kind.
    pushes: HashMap<JobKind, Batcher<QueueItem, Result<Vec<JobId>, Unavailable>>>,
    /// Batcher of completions to publish.
    completions: Batcher<String, Result<(), Unavailable>>,
    pub(super) wakeups: Arc<Wakeups>,
    subscriptions: Subscriptions,
    _listening: DropGuard,
}

/// Connection with the names of keys and channels, and the depth limit.
#[derive(Clone)]
struct Wire {
    connection: ConnectionManager,
    push: Arc<Script>,
    keys: Arc<RedisNames>,
    no_subscribers: Arc<NoSubscriberCache>,
    limit: usize,
}

/// Names of keys and channels, all with the same prefix.
struct RedisNames {
    prefix: String,
    pushed: String,
    /// Channel of completions.
    ended: String,
    /// Channel of cancellations, which the worker that runs the job must receive.
    cancelled: String,
}

impl RedisNames {
    fn queue(&self, kind: JobKind) -> String {
        format!("{}:queue:{kind}", self.prefix)
    }
}

impl Redis {
    /// Creates queues of at most `limit` ids each on the server at `url`, under `prefix`. Does not wait for
    /// the server, which may not be available yet. Completions of other processes are passed to
    /// `completion`.
    pub(crate) fn open(
        url: &str,
        prefix: &str,
        limit: usize,
        completion: Arc<CompletionWaiters>,
    ) -> Result<Self, RedisError> {
        let client = Client::open(url)?;
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(RESPONSE_TIMEOUT))
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_number_of_retries(1);
        let connection = ConnectionManager::new_lazy_with_config(client.clone(), config)?;
        let keys = Arc::new(RedisNames {
            prefix: prefix.to_owned(),
            pushed: format!("{prefix}:pushed"),
            ended: format!("{prefix}:ended"),
            cancelled: format!("{prefix}:cancelled"),
        });
        let wakeups = Arc::new(Wakeups::default());
        let (subscriptions, requests) = subscription_channel();
        let stop = CancellationToken::new();
        let listener = RedisListener { client, names: keys.clone(), wakeups: wakeups.clone(), completion };
        tokio::spawn(subscriptions::listen(listener, requests, stop.clone(), AWAY));
        let push = Arc::new(Script::new(include_str!("push.lua")));
        let pushes = JobKind::ALL.iter().map(|kind| (*kind, Batcher::new(MAX_BATCH))).collect();
        let completions = Batcher::new(MAX_BATCH);
        let wire = Wire { connection, push, keys, no_subscribers: Arc::default(), limit };
        Ok(Self { wire, pushes, completions, wakeups, subscriptions, _listening: stop.drop_guard() })
    }

    /// Pushes ids. A single id is batched with other ids that are pushed in the meantime.
    pub(super) async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Result<Vec<JobId>, Unavailable> {
        match (items, self.pushes.get(&kind)) {
            ([], _) => Ok(Vec::new()),
            ([item], Some(batcher)) => {
                let pushed = batcher.add(&(self.wire.clone(), kind), *item, push_batch).await;
                pushed.unwrap_or_else(|_| Err(connection_closed()))
            }
            (items, _) => self.wire.push(kind, items).await,
        }
    }

    /// Pops ids in a separate task, which pushes them back if the caller was cancelled. Otherwise the ids
    /// popped by a stopping worker would wait for the sweep.
    pub(super) async fn pop(&self, kind: JobKind, most: usize) -> Result<Vec<QueueItem>, Unavailable> {
        let (answer, taken) = oneshot::channel();
        let mut connection = self.wire.connection.clone();
        let queue = self.wire.keys.queue(kind);
        tokio::spawn(async move {
            let result = pop_first(&mut connection, &queue, most).await;
            if let Err(Ok(items)) = answer.send(result)
                && !items.is_empty()
            {
                let mut back = redis::cmd("ZADD");
                back.arg(&queue);
                for item in &items {
                    back.arg(item.score).arg(member(item.id));
                }
                if let Err(error) = back.query_async::<()>(&mut connection).await {
                    tracing::debug!(%error, "failed to push back popped ids, waiting for the sweep");
                }
            }
        });
        Ok(taken.await.unwrap_or(Ok(Vec::new()))?)
    }

    pub(super) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        let mut connection = self.wire.connection.clone();
        Ok(redis::cmd("ZCARD").arg(self.wire.keys.queue(kind)).query_async(&mut connection).await?)
    }

    /// Publishes a completion, batched with others. Skipped while there are no subscribers.
    pub(super) async fn announce(&self, end: &JobCompletion) -> Result<(), Unavailable> {
        if self.wire.no_subscribers.is_fresh() {
            return Ok(());
        }
        let result = self.completions.add(&self.wire, end.to_message(), announce_batch).await;
        result.unwrap_or_else(|_| Err(connection_closed()))
    }

    /// Publishes a cancellation to all processes.
    pub(super) async fn announce_cancelled(&self, end: &JobCompletion) -> Result<(), Unavailable> {
        self.wire.publish(&self.wire.keys.cancelled, end.to_message()).await.map(|_| ())
    }

    /// Subscribes this process to completions.
    pub(super) async fn subscribe_completions(&self) {
        self.subscriptions.subscribe_completions().await;
    }
}

impl Wire {
    async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Result<Vec<JobId>, Unavailable> {
        let mut call = self.push.prepare_invoke();
        call.key(self.keys.queue(kind)).arg(self.limit).arg(&self.keys.pushed).arg(kind.as_str());
        for item in items {
            call.arg(item.score).arg(member(item.id));
        }
        let rejected_ids: Vec<String> = call.invoke_async(&mut self.connection.clone()).await?;
        Ok(rejected_ids.iter().filter_map(|text| parse(text)).collect())
    }

    /// Publishes a message. Returns the number of subscribers that received it.
    async fn publish(&self, channel: &str, text: String) -> Result<u64, Unavailable> {
        let command = redis::cmd("PUBLISH").arg(channel).arg(text).to_owned();
        Ok(command.query_async(&mut self.connection.clone()).await?)
    }
}

fn push_batch(
    (wire, kind): (Wire, JobKind),
    items: Vec<QueueItem>,
) -> BoxFuture<'static, Vec<Result<Vec<JobId>, Unavailable>>> {
    Box::pin(async move {
        let mut rejected_ids = match wire.push(kind, &items).await {
            Ok(rejected_ids) => rejected_ids,
            Err(error) => return vec![Err(error); items.len()],
        };
        let mut answers: Vec<_> = items
            .iter()
            .map(|item| Ok(rejected_ids.extract_if(.., |id| *id == item.id).collect::<Vec<JobId>>()))
            .collect();
        // Evicted ids were not pushed by a caller of this batch, so they are returned to the first caller,
        // which unmarks their rows.
        if let Some(Ok(first)) = answers.first_mut() {
            first.append(&mut rejected_ids);
        }
        answers
    })
}

/// Publishes one message: the object of a single completion, or a list of several.
fn announce_batch(wire: Wire, messages: Vec<String>) -> BoxFuture<'static, Vec<Result<(), Unavailable>>> {
    Box::pin(async move {
        let text = match messages.as_slice() {
            [single] => single.clone(),
            several => format!("[{}]", several.join(",")),
        };
        let published_at = Instant::now();
        let result = wire
            .publish(&wire.keys.ended, text)
            .await
            .map(|subscribers| wire.no_subscribers.record(published_at, subscribers));
        vec![result; messages.len()]
    })
}

/// Returns the error for a batch whose task ended without a result.
fn connection_closed() -> Unavailable {
    RedisError::from((redis::ErrorKind::Io, "the connection was closed unexpectedly")).into()
}

/// Pops the first valid members of the queue, at most `most`. Invalid members are dropped with a warning.
async fn pop_first(
    connection: &mut ConnectionManager,
    queue: &str,
    most: usize,
) -> Result<Vec<QueueItem>, RedisError> {
    loop {
        let popped: Vec<(String, f64)> =
            redis::cmd("ZPOPMIN").arg(queue).arg(most).query_async(connection).await?;
        if popped.is_empty() {
            return Ok(Vec::new());
        }
        let mut items = Vec::with_capacity(popped.len());
        for (text, score) in popped {
            match parse(&text) {
                #[expect(clippy::cast_possible_truncation, reason = "scores are whole numbers below 2^53")]
                Some(id) => items.push(QueueItem { score: score as i64, id }),
                None => {
                    tracing::warn!(member = text, queue, "dropped invalid member from queue");
                }
            }
        }
        if !items.is_empty() {
            return Ok(items);
        }
    }
}

fn member(id: JobId) -> String {
    format!("{PREFIX}{id}")
}

fn parse(text: &str) -> Option<JobId> {
    text.strip_prefix(PREFIX)?.parse().ok()
}

/// Receives notifications from Redis for this process.
struct RedisListener {
    client: Client,
    names: Arc<RedisNames>,
    wakeups: Arc<Wakeups>,
    completion: Arc<CompletionWaiters>,
}

impl subscriptions::NotificationListener for RedisListener {
    async fn listen(
        &self,
        requested: SubscriptionLevel,
        active: &watch::Sender<SubscriptionLevel>,
    ) -> Result<(), Unavailable> {
        let RedisNames { pushed, ended, cancelled, .. } = &*self.names;
        let mut channel = self.client.get_async_pubsub().await?;
        match requested {
            SubscriptionLevel::Nothing | SubscriptionLevel::Pushes => {
                channel.subscribe(&[pushed, cancelled]).await?;
            }
            SubscriptionLevel::Completions => channel.subscribe(&[pushed, cancelled, ended]).await?,
        }
        // Jobs may have been pushed or completed before the subscription.
        self.wakeups.notify_all();
        self.completion.recheck_all();
        active.send_replace(requested);
        let mut messages = channel.on_message();
        if timeout(NO_SUBSCRIBER_TTL, self.take_all(&mut messages)).await.is_err() {
            // Completions may not have been published while other processes still assumed that no process had
            // subscribed.
            self.completion.recheck_all();
            self.take_all(&mut messages).await;
        }
        Err(connection_closed())
    }
}

impl RedisListener {
    async fn take_all(&self, messages: &mut (impl Stream<Item = Msg> + Unpin)) {
        while let Some(message) = messages.next().await {
            let text: String = message.get_payload().unwrap_or_default();
            if message.get_channel_name() != self.names.pushed {
                self.completion.on_message(&text);
            } else if let Some(kind) = JobKind::parse(&text) {
                self.wakeups.notify(kind);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kernel::testing::redis_url;
    use kernel::{Ids, RandomIds};

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    fn open(prefix: &str) -> (Redis, Arc<CompletionWaiters>) {
        let completion = Arc::new(CompletionWaiters::default());
        (Redis::open(&redis_url(), prefix, 5, completion.clone()).unwrap(), completion)
    }

    fn prefix() -> String {
        let mut bytes = [0_u8; 8];
        RandomIds.fill(&mut bytes);
        format!("ends{:016x}", u64::from_le_bytes(bytes))
    }

    #[tokio::test]
    async fn completions_are_published_after_a_process_subscribes() {
        let prefix = prefix();
        let (publisher, _) = open(&prefix);
        let (subscriber, completion) = open(&prefix);
        subscriber.subscriptions.wait_for_level(SubscriptionLevel::Pushes).await;
        let end = JobCompletion::complete(JobId::from_u128(7));
        let unsubscribed = async {
            // The cached result expires quickly on a slow machine, so the test publishes until the cache is
            // fresh.
            while !publisher.wire.no_subscribers.is_fresh() {
                publisher.announce(&end).await.unwrap();
            }
        };
        timeout(LONG, unsubscribed)
            .await
            .expect("a process that only receives pushes is no subscriber of completions");
        subscriber.subscribe_completions().await;
        subscriber.subscriptions.wait_for_level(SubscriptionLevel::Completions).await;
        let notified = completion.wait_for_notification(end.id);
        let announcing = async {
            loop {
                publisher.announce(&end).await.unwrap();
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            received = timeout(LONG, notified) => received.unwrap(),
            () = announcing => {}
        }
        assert!(!publisher.wire.no_subscribers.is_fresh());
    }

    #[tokio::test]
    async fn new_subscriber_rechecks_after_the_no_subscriber_cache_expires() {
        let (redis, completion) = open(&prefix());
        redis.subscribe_completions().await;
        redis.subscriptions.wait_for_level(SubscriptionLevel::Completions).await;
        let id = JobId::from_u128(7);
        let _waits = completion.listener(id);
        assert_eq!(completion.waiting(), 1);
        let rechecked = async {
            while completion.waiting() > 0 {
                tokio::task::yield_now().await;
            }
        };
        timeout(LONG, rechecked).await.unwrap();
    }

    #[tokio::test]
    async fn cancellation_is_received_without_a_completion_subscription() {
        let prefix = prefix();
        let (publisher, _) = open(&prefix);
        let (subscriber, completion) = open(&prefix);
        subscriber.subscriptions.wait_for_level(SubscriptionLevel::Pushes).await;
        let end = JobCompletion::failed(JobId::from_u128(7), crate::rows::CANCELLED, "Cancelled.");
        let mut notified = std::pin::pin!(completion.wait_for_notification(end.id));
        publisher.announce_cancelled(&end).await.unwrap();
        timeout(LONG, &mut notified).await.unwrap();
    }
}
