//! Polls a batch of feeds. Each feed is fetched with its validators, its body is compared with the previous
//! body, and a changed body is parsed in the sandbox. Changed feeds are written as they arrive, and all
//! others when the job completes.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;
use std::sync::Arc;

use entities::ids::{EntryId, FeedId};
use entities::{feed, feed_entry};
use extract::feed::{FeedInput, KnownEntry, Marks, ParsedEntry, ParsedFeed, Trust};
use futures_util::stream::{self, StreamExt};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinSet;

use super::dropped_entries;
use super::due::PollBatch;
use super::hubs::{self, HubState};
use super::ingest;
use super::login::{self, OwnRequest};
use super::outcome::{Compared, MAX_KNOWN, MAX_KNOWN_OF_LARGE, PollFailure, PollOutcome, PollResult};
use super::relocation;
use super::rewrites::{self, Rewrite, Rewriter};
use super::schedule::{self, Demand};
use super::store;
use super::subscribers::demands;
use jobs::hosts;
use kernel::db::Backend;
use kernel::hash::body_hash;
use kernel::{Code, Domain, Millis, Result};

use articles::worker_tools::Tools;

/// Maximum number of concurrent polls in a batch.
const MAX_CONCURRENT: usize = 50;
/// Maximum number of results per transaction.
const RESULTS_PER_COMMIT: usize = 16;
/// Number of entries after which no other feed is added to a transaction. A transaction blocks all other
/// writers of an embedded database.
const ENTRIES_PER_COMMIT: usize = 100;

/// Maximum memory, in KiB, for the bodies of all polls of a process that are being parsed or wait for the
/// writer.
const PARSED_KIB: u32 = 32 * 1024;
/// Ratio of the memory that the entries of a body take to the size of the body.
const PARSED_PER_BODY: usize = 3;

/// Polls the feeds of `claimed` that are still claimed by this job. Changed feeds are written as they arrive,
/// and the others when the job completes.
///
/// # Errors
/// `Unavailable` or `Internal` if a result cannot be written. The job is then retried and polls only the
/// feeds that were not written yet.
#[boxed]
pub async fn poll_batch(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let feeds = still_claimed(domain, &claimed.arguments()?).await?;
    let mut results = poll_all(domain, tools, feeds).await?;
    let (mut deferred, mut chunk) = (Vec::new(), Vec::new());
    while results.receiver.recv_many(&mut chunk, RESULTS_PER_COMMIT).await > 0 {
        let chunk = chunk.drain(..).collect::<Result<Vec<PollResult>>>()?;
        let (news, others): (Vec<PollResult>, Vec<PollResult>) =
            chunk.into_iter().partition(|result| result.outcome.is_news());
        deferred.extend(others);
        for part in parts(news) {
            write_news(domain, part).await?;
        }
    }
    let transaction = domain.db().begin().await?;
    let follow_up = store::write(&transaction, domain, deferred).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    for moved in follow_up.moves {
        relocation::relocate(domain, moved).await?;
    }
    Ok(())
}

/// Returns the feeds of a batch that no other process has claimed since.
pub(super) async fn still_claimed(domain: &Domain, batch: &PollBatch) -> Result<Vec<feed::Model>> {
    let feeds = feed::Entity::find()
        .filter(feed::Column::Id.is_in(batch.feeds.iter().copied()))
        .filter(feed::Column::NextPollAt.eq(batch.until));
    Ok(feeds.all(domain.db().read()).await?)
}

/// Stream of poll results. Dropping it stops the polling task.
struct PollResults {
    receiver: mpsc::Receiver<Result<PollResult>>,
    _polling: JoinSet<()>,
}

/// Polls feeds in a separate task. Its database calls must proceed while results are being written. Otherwise
/// each side would wait for a connection that the other uses.
async fn poll_all(domain: &Domain, tools: &Tools, feeds: Vec<feed::Model>) -> Result<PollResults> {
    let context = PollContext::of(domain, &feeds).await?;
    // The channel has capacity for all results, so that no poll waits for the writer.
    let (sender, receiver) = mpsc::channel(feeds.len().max(1));
    let (domain, tools) = (domain.clone(), tools.clone());
    let mut polling = JoinSet::new();
    polling.spawn(async move {
        let (domain, tools, context, sender) = (&domain, &tools, &context, &sender);
        let send = |feed| async move {
            let result = poll(domain, tools, context, feed).await;
            let _ = sender.send(result).await;
        };
        stream::iter(feeds).for_each_concurrent(MAX_CONCURRENT, send).await;
    });
    Ok(PollResults { receiver, _polling: polling })
}

/// Splits the results into parts that are written in one transaction each.
fn parts(news: Vec<PollResult>) -> Vec<Vec<PollResult>> {
    let mut parts: Vec<Vec<PollResult>> = Vec::new();
    let mut entries = 0;
    for result in news {
        let count = result.outcome.entries_to_write();
        entries += count;
        if let Some(part) = parts.last_mut().filter(|_| entries <= ENTRIES_PER_COMMIT) {
            part.push(result);
        } else {
            parts.push(vec![result]);
            entries = count;
        }
    }
    parts
}

/// Permit for the only writer of new entries in this process.
struct NewsWriter(Arc<Semaphore>);

/// Memory for parsed bodies in KiB.
struct ParsedMemory(Arc<Semaphore>);

/// Waits for the memory for the entries of a body. The memory is reserved until the result is dropped.
async fn reserve_memory(
    domain: &Domain,
    body_bytes: usize,
    rules: &[Rewrite],
) -> Option<OwnedSemaphorePermit> {
    let memory = domain.shared(|| ParsedMemory(Arc::new(Semaphore::new(PARSED_KIB as usize))));
    Arc::clone(&memory.0).acquire_many_owned(needed_kib(body_bytes, rules)).await.ok()
}

/// Returns the memory, in KiB, for the entries of a body. With rules, the body may be prepared and parsed a second time.
fn needed_kib(body_bytes: usize, rules: &[Rewrite]) -> u32 {
    let most_parses = if rules.is_empty() { 1 } else { 2 };
    let needed = u32::try_from(body_bytes * PARSED_PER_BODY * most_parses / 1024 + 1).unwrap_or(u32::MAX);
    needed.min(PARSED_KIB)
}

async fn write_news(domain: &Domain, news: Vec<PollResult>) -> Result<()> {
    // Without this permit, all batches of a worker would wait for the writer of an embedded database, and
    // other writers would wait for all these batches.
    let writer = Arc::clone(&domain.shared(|| NewsWriter(Arc::new(Semaphore::new(1)))).0);
    let _permit = match domain.db().backend() {
        Backend::Sqlite => writer.acquire_owned().await.ok(),
        Backend::Postgres => None,
    };
    let transaction = domain.db().begin().await?;
    let follow_up = store::write(&transaction, domain, news).await?;
    transaction.commit().await?;
    for moved in follow_up.moves {
        relocation::relocate(domain, moved).await?;
    }
    Ok(())
}

/// Data about the feeds of a batch, loaded with one query for each kind of data.
pub(super) struct PollContext {
    demands: HashMap<FeedId, Demand>,
    hubs: HashMap<FeedId, HubState>,
    paused: HashMap<FeedId, Millis>,
    own_requests: HashMap<FeedId, OwnRequest>,
}

impl PollContext {
    pub(super) async fn of(domain: &Domain, feeds: &[feed::Model]) -> Result<Self> {
        let ids: Vec<FeedId> = feeds.iter().map(|feed| feed.id).collect();
        let connection = domain.db().read();
        let own_requests = login::own_requests(domain, feeds).await?;
        Ok(Self {
            demands: demands(connection, &domain.policy().tiers, &ids).await?,
            hubs: hubs::states(connection, &ids, domain.now()).await?,
            paused: paused(domain, feeds, &own_requests).await?,
            own_requests,
        })
    }

    /// Combines a feed with the outcome of its poll.
    pub(super) fn result(&self, feed: feed::Model, outcome: PollOutcome) -> PollResult {
        let demand = self.demands.get(&feed.id).copied().unwrap_or_default();
        let hub = self.hubs.get(&feed.id).copied().unwrap_or_default();
        PollResult { feed, demand, hub, outcome }
    }
}

/// Returns the feeds that are currently paused, with the end of the pause. A pause applies to the host of a
/// feed or to its address; the longer pause counts. A refresh, push, or new follower does not shorten a pause
/// of the address.
async fn paused(
    domain: &Domain,
    feeds: &[feed::Model],
    own_requests: &HashMap<FeedId, OwnRequest>,
) -> Result<HashMap<FeedId, Millis>> {
    let (connection, now) = (domain.db().read(), domain.now());
    let url_of = |feed: &feed::Model| login::pause_url(feed, own_requests.contains_key(&feed.id));
    let urls: Vec<String> = feeds.iter().map(url_of).collect();
    let by_host =
        hosts::paused(connection, feeds.iter().filter_map(|feed| hosts::host_of(&feed.url)), now).await?;
    let by_url = hosts::paused_urls(connection, urls.iter().map(String::as_str), now).await?;
    let pause = |(feed, url): (&feed::Model, &String)| {
        let of_host = hosts::host_of(&feed.url).and_then(|host| by_host.get(&host).copied());
        Some((feed.id, of_host.max(by_url.get(url).copied())?))
    };
    Ok(feeds.iter().zip(&urls).filter_map(pause).collect())
}

async fn poll(
    domain: &Domain,
    tools: &Tools,
    context: &PollContext,
    feed: feed::Model,
) -> Result<PollResult> {
    let demand = context.demands.get(&feed.id).copied().unwrap_or_default();
    let outcome = match context.paused.get(&feed.id).copied() {
        _ if demand.followers == 0 && feed.successor_id.is_none() => PollOutcome::Unfollowed,
        Some(until) => PollOutcome::Paused { until },
        None if demand.followers == 0 => check_redirect(tools, &feed).await,
        None => fetch(domain, tools, &feed, context.own_requests.get(&feed.id)).await?,
    };
    Ok(context.result(feed, outcome))
}

/// Fetches a redirected feed without followers, for the accounts that were moved away from it.
async fn check_redirect(tools: &Tools, feed: &feed::Model) -> PollOutcome {
    let deadline = tools.settings.fetch_timeout;
    let request = fetch::Request { deadline, ..fetch::Request::feed(feed.url.clone()) };
    // If the server does not respond, the feed still counts as redirected.
    match tools.fetcher.fetch(&request).await {
        Ok(fetched) if fetched.permanent_url.is_none() => PollOutcome::RedirectEnded,
        Ok(_) | Err(_) => PollOutcome::StillRedirected,
    }
}

async fn fetch(
    domain: &Domain,
    tools: &Tools,
    feed: &feed::Model,
    own: Option<&OwnRequest>,
) -> Result<PollOutcome> {
    let is_conditional = schedule::is_conditional(feed.id, feed.last_fetched_at, domain.now());
    let validator = |known: &Option<String>| known.clone().filter(|_| is_conditional);
    let request = fetch::Request {
        etag: validator(&feed.etag),
        last_modified: validator(&feed.last_modified),
        ..request_of(tools, feed, own)
    };
    let mut fetched = match tools.fetcher.fetch(&request).await {
        Ok(fetched) => fetched,
        Err(error) => return Ok(PollOutcome::Failed(failed(&error))),
    };
    if own.is_some() {
        // A feed with a login or headers is not moved, because they are valid only for this address.
        fetched.permanent_url = None;
    }
    if fetched.not_modified {
        metrics::counter!("carrel_feed_polls_total", "outcome" => "not_modified").increment(1);
        return Ok(PollOutcome::unchanged(fetched));
    }
    let body_hash = body_hash(&fetched.body);
    if body_hash == feed.body_hash {
        metrics::counter!("carrel_feed_polls_total", "outcome" => "same_body").increment(1);
        return Ok(PollOutcome::unchanged(fetched));
    }
    metrics::counter!("carrel_feed_polls_total", "outcome" => "read").increment(1);
    let rules = own.map(|own| &*own.rewrites).unwrap_or_default();
    let memory = reserve_memory(domain, fetched.body.len(), rules).await;
    let (known, compared) = known(domain, feed).await?;
    let input = FeedInput {
        // The result waits for the writer without the body.
        body: std::mem::take(&mut fetched.body).into(),
        content_type: fetched.content_type.clone(),
        base_url: Some(fetched.url.as_str().to_owned()),
        trust: Trust { guid: feed.trust_guid, url: feed.trust_url },
        known,
        was_read: feed.left_out.is_some(),
        // Entries that are listed for followers who were moved away are never changed.
        fixed_through: feed.fixed_through.as_i64(),
        limits: tools.settings.feed_limits,
    };
    let rewriter = rewrites::compiled(feed.id, rules).await?;
    let needs_attributes = rewriter.as_ref().is_some_and(|rewriter| rewriter.needs_attributes());
    let parsed = rewrites::read_feed(&tools.sandbox, input, needs_attributes).await?;
    // The result waits for the writer with its own memory, so other bodies may be downloaded.
    fetched.release_body();
    Ok(match parsed {
        Ok(parsed) if parsed.is_feed() => {
            if parsed.is_cut {
                tracing::warn!(feed = %feed.id, "feed body truncated");
            }
            let is_first_poll = feed.last_fetched_at.is_none();
            let parsed = rewrite(domain, feed, parsed, rewriter).await?;
            let (parsed, derived_fields) = ingest::derive_all_fields(parsed, is_first_poll).await?;
            let (fetched, parsed) = (Box::new(fetched), Box::new(parsed));
            PollOutcome::Read { fetched, parsed, derived_fields, body_hash, compared, _memory: memory }
        }
        Ok(_) => PollOutcome::Failed(PollFailure::other(Code::SourceInvalidResponse)),
        Err(fault) => {
            tracing::warn!(?fault, feed = %feed.id, "extraction process crashed");
            PollOutcome::Failed(PollFailure::other(Code::UnsupportedContent))
        }
    })
}

/// Returns the request for a feed, without validators.
pub(super) fn request_of(tools: &Tools, feed: &feed::Model, own: Option<&OwnRequest>) -> fetch::Request {
    fetch::Request {
        authorization: own.and_then(|own| own.authorization.clone()),
        headers: own.map(|own| own.headers.clone()).unwrap_or_default(),
        user_agent: own.and_then(|own| own.user_agent.clone()),
        deadline: tools.settings.fetch_timeout,
        ..fetch::Request::feed(feed.url.clone())
    }
}

/// Applies the rules of a feed, if it has any, to its new and changed entries.
async fn rewrite(
    domain: &Domain,
    feed: &feed::Model,
    parsed: ParsedFeed,
    rewriter: Option<Arc<Rewriter>>,
) -> Result<ParsedFeed> {
    let Some(rewriter) = rewriter else { return Ok(parsed) };
    let is_first_poll = feed.last_fetched_at.is_none();
    let is_written = move |entry: &ParsedEntry| ingest::is_written(entry, is_first_poll);
    let (parsed, report) = rewrites::rewrite_feed(domain, parsed, rewriter, is_written).await?;
    rewrites::record_report(domain.db().write(), domain.now(), feed.id, report).await?;
    Ok(parsed)
}

/// Returns the marks of the newest stored entries and of dropped entries, with which the entries of a
/// document are recognised.
pub(super) async fn known(domain: &Domain, feed: &feed::Model) -> Result<(Vec<KnownEntry>, Compared)> {
    let connection = domain.db().read();
    let limit = if feed.left_out == Some(0) { MAX_KNOWN } else { MAX_KNOWN_OF_LARGE };
    let newest = feed_entry::Entity::find()
        .select_only()
        .columns([
            feed_entry::Column::Id,
            feed_entry::Column::MarkGuid,
            feed_entry::Column::MarkUrl,
            feed_entry::Column::MarkTitle,
            feed_entry::Column::MarkPublished,
            feed_entry::Column::MarkText,
            feed_entry::Column::Fingerprint,
        ])
        .filter(feed_entry::Column::FeedId.eq(feed.id))
        .order_by_desc(feed_entry::Column::Id)
        .limit(u64::from(limit));
    let stored: Vec<(EntryId, i64, i64, i64, i64, i64, i64)> = newest.into_tuple().all(connection).await?;
    let oldest = stored.last().map(|row| row.0).filter(|_| stored.len() >= limit as usize);
    let compared = Compared { count: stored.len(), from: oldest.unwrap_or(EntryId::new(0)) };
    let stored = stored.into_iter().map(|(id, guid, url, title, published, text, fingerprint)| KnownEntry {
        id: id.as_i64(),
        marks: Marks { guid, url, title, published, text, fingerprint },
    });
    let dropped = dropped_entries::known(connection, feed.id).await?;
    Ok((stored.chain(dropped).collect(), compared))
}

fn failed(error: &fetch::Error) -> PollFailure {
    metrics::counter!("carrel_feed_polls_total", "outcome" => "failed").increment(1);
    PollFailure {
        code: Code::from(error),
        host_pause_ms: hosts::pause_after(error),
        gone: matches!(error, fetch::Error::NotFound { gone: true }),
        not_found: matches!(error, fetch::Error::NotFound { .. }),
        // The fetch queue of this process is full, so the feed has not failed.
        is_local: matches!(error, fetch::Error::Busy { .. }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_for_a_body_with_rules_covers_a_second_parse() {
        let rules = [Rewrite::Remove(".ad".to_owned())];
        let body_bytes = 1 << 20;
        assert_eq!(needed_kib(body_bytes, &[]), 3 * 1024 + 1);
        assert_eq!(needed_kib(body_bytes, &rules), 2 * 3 * 1024 + 1);
        assert_eq!(needed_kib(64 << 20, &rules), PARSED_KIB, "a large body waits for all memory");
    }
}
