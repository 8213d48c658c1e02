//! The queue between processes: one sorted set a kind, and one channel on which pushes and ends are
//! told. Nothing here is needed to find a job again.
//!
//! apalis-redis is not used for this: its fetch script stops for good at 8,000 due jobs, it wakes
//! nobody, and one error ends its worker. Two short commands a job under apalis' worker do.

use std::sync::Arc;
use std::time::Duration;

use domain::JobId;
use domain::jobs::JobKind;
use futures_util::StreamExt;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisError, Script};
use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::bells::Bells;
use super::queue_item::{QueueItem, Unavailable};
use crate::completion::Completion;

/// How long an answer may take; redis' own default of half a second is too short on a busy machine.
const RESPONSE: Duration = Duration::from_secs(5);
/// How long a connection may take to come up.
const CONNECT: Duration = Duration::from_secs(2);
/// Between attempts to listen again after the connection broke.
const RELISTEN: Duration = Duration::from_millis(500);
/// Ids carry a letter and a colon: a bare one might be taken for a number.
const PREFIX: &str = "j:";

/// Queues in Redis.
pub(crate) struct Redis {
    connection: ConnectionManager,
    push: Script,
    names: Arc<Names>,
    limit: usize,
    pub(super) bells: Arc<Bells>,
    _listening: DropGuard,
}

/// Keys and channels, all under one prefix.
struct Names {
    prefix: String,
    pushed: String,
    ended: String,
}

impl Names {
    fn queue(&self, kind: JobKind) -> String {
        format!("{}:queue:{kind}", self.prefix)
    }
}

impl Redis {
    /// Queues on the server at `url` that hold at most `limit` ids each, under `prefix`. Does not wait
    /// for the server: it may come up later. Ends told by other processes go to `completion`.
    pub(crate) fn open(
        url: &str,
        prefix: &str,
        limit: usize,
        completion: Arc<Completion>,
    ) -> Result<Self, RedisError> {
        let client = Client::open(url)?;
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(RESPONSE))
            .set_connection_timeout(Some(CONNECT))
            .set_number_of_retries(1);
        let connection = ConnectionManager::new_lazy_with_config(client.clone(), config)?;
        let names = Arc::new(Names {
            prefix: prefix.to_owned(),
            pushed: format!("{prefix}:pushed"),
            ended: format!("{prefix}:ended"),
        });
        let bells = Arc::new(Bells::default());
        let stop = CancellationToken::new();
        tokio::spawn(listen(client, names.clone(), bells.clone(), completion, stop.clone()));
        let push = Script::new(include_str!("push.lua"));
        Ok(Self { connection, push, names, limit, bells, _listening: stop.drop_guard() })
    }

    pub(super) async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Result<Vec<JobId>, Unavailable> {
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let mut call = self.push.prepare_invoke();
        call.key(self.names.queue(kind)).arg(self.limit).arg(&self.names.pushed).arg(kind.as_str());
        for item in items {
            call.arg(item.score).arg(member(item.id));
        }
        let refused: Vec<String> = call.invoke_async(&mut self.connection.clone()).await?;
        Ok(refused.iter().filter_map(|text| parse(text)).collect())
    }

    /// Runs to its end even when the caller goes away in the middle, and puts the id back then: an id
    /// taken out by a worker that is just stopping would otherwise wait for the sweep.
    pub(super) async fn pop(&self, kind: JobKind) -> Result<Option<QueueItem>, Unavailable> {
        let (answer, taken) = oneshot::channel();
        let mut connection = self.connection.clone();
        let queue = self.names.queue(kind);
        tokio::spawn(async move {
            let result = pop_first(&mut connection, &queue).await;
            if let Err(Ok(Some(item))) = answer.send(result) {
                let mut back = redis::cmd("ZADD");
                back.arg(&queue).arg(item.score).arg(member(item.id));
                if let Err(error) = back.query_async::<()>(&mut connection).await {
                    tracing::debug!(%error, "an id could not be put back; the sweep will find it");
                }
            }
        });
        Ok(taken.await.unwrap_or(Ok(None))?)
    }

    pub(super) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        let mut connection = self.connection.clone();
        Ok(redis::cmd("ZCARD").arg(self.names.queue(kind)).query_async(&mut connection).await?)
    }

    pub(super) async fn announce(&self, message: &str) -> Result<(), Unavailable> {
        let mut connection = self.connection.clone();
        let command = redis::cmd("PUBLISH").arg(&self.names.ended).arg(message).to_owned();
        Ok(command.query_async::<()>(&mut connection).await?)
    }
}

/// Takes the first readable member; what is not ours is dropped with a warning instead of ending
/// anything.
async fn pop_first(connection: &mut ConnectionManager, queue: &str) -> Result<Option<QueueItem>, RedisError> {
    loop {
        let popped: Vec<(String, f64)> = redis::cmd("ZPOPMIN").arg(queue).query_async(connection).await?;
        let Some((text, score)) = popped.into_iter().next() else { return Ok(None) };
        match parse(&text) {
            #[expect(clippy::cast_possible_truncation, reason = "scores are whole numbers below 2^53")]
            Some(id) => return Ok(Some(QueueItem { score: score as i64, id })),
            None => {
                tracing::warn!(member = text, queue, "dropped something from the queue that is no job id");
            }
        }
    }
}

fn member(id: JobId) -> String {
    format!("{PREFIX}{id}")
}

fn parse(text: &str) -> Option<JobId> {
    text.strip_prefix(PREFIX)?.parse().ok()
}

/// Hears of pushes and ends until `stop`, whatever becomes of the connection.
async fn listen(
    client: Client,
    names: Arc<Names>,
    bells: Arc<Bells>,
    completion: Arc<Completion>,
    stop: CancellationToken,
) {
    let mut away = false;
    while !stop.is_cancelled() {
        let heard = stop.run_until_cancelled(hear(&client, &names, &bells, &completion)).await;
        if let (Some(Err(error)), false) = (&heard, away) {
            tracing::warn!(%error, "Redis is away; jobs wait in the database");
        }
        away = matches!(heard, Some(Err(_)));
        let _ = tokio::time::timeout(RELISTEN, stop.cancelled()).await;
    }
}

async fn hear(
    client: &Client,
    names: &Names,
    bells: &Bells,
    completion: &Completion,
) -> Result<(), RedisError> {
    let mut channel = client.get_async_pubsub().await?;
    channel.subscribe(&[&names.pushed, &names.ended]).await?;
    // Whatever was pushed while nobody listened.
    bells.ring_all();
    let mut messages = channel.on_message();
    while let Some(message) = messages.next().await {
        let text: String = message.get_payload().unwrap_or_default();
        if message.get_channel_name() == names.ended {
            completion.on_message(&text);
        } else if let Some(kind) = JobKind::parse(&text) {
            bells.ring(kind);
        }
    }
    Ok(())
}
