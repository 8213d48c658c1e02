//! The queue between processes: one sorted set a kind, and one channel on which pushes and ends are
//! told. Nothing here is needed to find a job again.
//!
//! apalis-redis is not used for this: an id that it has acknowledged cannot be pushed again, its workers end when Redis has
//! lost everything, 8,000 ids jam a queue, and a due time ahead holds an id back (ARCHITECTURE.md, "The engine").

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use domain::JobId;
use domain::groups::Groups;
use domain::jobs::JobKind;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
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

/// Most ids or ends of one command.
const MOST: usize = 256;

/// Queues in Redis.
pub(crate) struct Redis {
    wire: Wire,
    /// Single ids on their way into the queue of each kind.
    pushes: HashMap<JobKind, Groups<QueueItem, Result<Vec<JobId>, Unavailable>>>,
    /// Ends to be told.
    ends: Groups<String, Result<(), Unavailable>>,
    pub(super) bells: Arc<Bells>,
    _listening: DropGuard,
}

/// The connection, and what is said over it.
#[derive(Clone)]
struct Wire {
    connection: ConnectionManager,
    push: Arc<Script>,
    names: Arc<Names>,
    limit: usize,
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
        let push = Arc::new(Script::new(include_str!("push.lua")));
        let pushes = JobKind::ALL.iter().map(|kind| (*kind, Groups::of_at_most(MOST))).collect();
        let ends = Groups::of_at_most(MOST);
        let wire = Wire { connection, push, names, limit };
        Ok(Self { wire, pushes, ends, bells, _listening: stop.drop_guard() })
    }

    /// A single id goes together with others that are pushed meanwhile.
    pub(super) async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Result<Vec<JobId>, Unavailable> {
        match (items, self.pushes.get(&kind)) {
            ([], _) => Ok(Vec::new()),
            ([item], Some(group)) => {
                let pushed = group.join(&(self.wire.clone(), kind), *item, push_group).await;
                pushed.unwrap_or_else(|_| Err(ended_early()))
            }
            (items, _) => self.wire.push(kind, items).await,
        }
    }

    /// Runs to its end even when the caller goes away in the middle, and puts the ids back then: ids
    /// taken out by a worker that is just stopping would otherwise wait for the sweep.
    pub(super) async fn pop(&self, kind: JobKind, most: usize) -> Result<Vec<QueueItem>, Unavailable> {
        let (answer, taken) = oneshot::channel();
        let mut connection = self.wire.connection.clone();
        let queue = self.wire.names.queue(kind);
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
                    tracing::debug!(%error, "ids could not be put back; the sweep will find them");
                }
            }
        });
        Ok(taken.await.unwrap_or(Ok(Vec::new()))?)
    }

    pub(super) async fn depth(&self, kind: JobKind) -> Result<u64, Unavailable> {
        let mut connection = self.wire.connection.clone();
        Ok(redis::cmd("ZCARD").arg(self.wire.names.queue(kind)).query_async(&mut connection).await?)
    }

    /// Goes together with other ends that are told meanwhile.
    pub(super) async fn announce(&self, message: String) -> Result<(), Unavailable> {
        let told = self.ends.join(&self.wire, message, announce_group).await;
        told.unwrap_or_else(|_| Err(ended_early()))
    }
}

impl Wire {
    async fn push(&self, kind: JobKind, items: &[QueueItem]) -> Result<Vec<JobId>, Unavailable> {
        let mut call = self.push.prepare_invoke();
        call.key(self.names.queue(kind)).arg(self.limit).arg(&self.names.pushed).arg(kind.as_str());
        for item in items {
            call.arg(item.score).arg(member(item.id));
        }
        let refused: Vec<String> = call.invoke_async(&mut self.connection.clone()).await?;
        Ok(refused.iter().filter_map(|text| parse(text)).collect())
    }
}

fn push_group(
    (wire, kind): (Wire, JobKind),
    items: Vec<QueueItem>,
) -> BoxFuture<'static, Vec<Result<Vec<JobId>, Unavailable>>> {
    Box::pin(async move {
        let mut refused = match wire.push(kind, &items).await {
            Ok(refused) => refused,
            Err(error) => return vec![Err(error); items.len()],
        };
        let mut answers: Vec<_> = items
            .iter()
            .map(|item| Ok(refused.extract_if(.., |id| *id == item.id).collect::<Vec<JobId>>()))
            .collect();
        // What had to leave for one of these was nobody's of this group: any of them unmarks it.
        if let Some(Ok(first)) = answers.first_mut() {
            first.append(&mut refused);
        }
        answers
    })
}

/// One end is told as it is; several as a list.
fn announce_group(wire: Wire, messages: Vec<String>) -> BoxFuture<'static, Vec<Result<(), Unavailable>>> {
    Box::pin(async move {
        let text = match messages.as_slice() {
            [single] => single.clone(),
            several => format!("[{}]", several.join(",")),
        };
        let command = redis::cmd("PUBLISH").arg(&wire.names.ended).arg(text).to_owned();
        let told = command.query_async::<()>(&mut wire.connection.clone()).await.map_err(Unavailable::from);
        vec![told; messages.len()]
    })
}

/// The task that carried the group came to no end.
fn ended_early() -> Unavailable {
    RedisError::from((redis::ErrorKind::Io, "the connection ended in the middle")).into()
}

/// Takes the first readable members; what is not ours is dropped with a warning instead of ending
/// anything.
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
                    tracing::warn!(
                        member = text,
                        queue,
                        "dropped something from the queue that is no job id"
                    );
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
    // Whatever was pushed, or ended, while nobody listened.
    bells.ring_all();
    completion.look_all();
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
