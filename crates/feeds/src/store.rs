//! Stores poll results: feed rows, new and changed entries, host pauses, and the time of the next poll. A
//! result is written only if its feed was not claimed again, so that no two jobs write the same feed. Many
//! results share a transaction and, where possible, a statement.

use std::collections::{BTreeMap, HashMap};

use entities::ids::{AccountId, FeedId};
use entities::{feed, rss_subscription};
use extract::feed::{EntryState, OlderEntry, ParsedFeed};
use fetch::Fetched;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    IntoActiveModel, QueryFilter, Value,
};

use super::health;
use super::hubs::{self, HubState};
use super::ingest;
use super::log::{self, EventKind};
use super::login;
use super::outcome::{PollFailure, PollOutcome, PollResult};
use super::previous_feeds;
use super::redirects::{Move, Redirect};
use super::relocation::RECHECK_INTERVAL;
use super::schedule::{self, PublishStats, spread};
use super::sql::{stop_polling_unfollowed, value_rows};
use jobs::hosts::{self, Pause};
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::statement::{execute, for_update, placeholders, statement};
use kernel::{Domain, Millis, Result};

/// Minimum number of consecutive 404 responses after which a feed counts as missing and is polled rarely.
const MISSING_MIN_COUNT: i32 = 5;
/// Minimum time, in milliseconds, that these responses must span.
const MISSING_MIN_SPAN: Millis = 3 * DAY;
/// Polling interval of a missing feed, in milliseconds. Polling never stops, because a feed that was deleted
/// by mistake may return.
const MISSING_PAUSE: Millis = 7 * DAY;
/// Polling interval of a feed whose server responded with 410, in milliseconds.
const GONE_PAUSE: Millis = 30 * DAY;

/// Work that remains after the results are committed.
#[derive(Debug, Default)]
pub(super) struct FollowUp {
    pub(super) moves: Vec<Move>,
}

/// Writes the results whose feeds were not claimed again. If a hub or a user made a feed due during its poll,
/// it is polled again immediately.
pub(super) async fn write(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    mut results: Vec<PollResult>,
) -> Result<FollowUp> {
    let now = domain.now();
    let claimed = lock_claimed(transaction, &results).await?;
    results.retain(|result| claimed.contains_key(&result.feed.id));
    // Pauses are always written in the same order, so that two batches cannot deadlock.
    results.sort_by(|a, b| (&a.feed.host, &a.feed.url).cmp(&(&b.feed.host, &b.feed.url)));
    let mut follow_up = FollowUp::default();
    let (mut unchanged, mut arrived, mut health_events) = (Vec::new(), Vec::new(), Vec::new());
    for result in &results {
        let feed = &result.feed;
        if feed.is_failing && result.outcome.is_answer() {
            health_events.push((feed.id, EventKind::SourceRecovered));
        }
        match &result.outcome {
            PollOutcome::Unfollowed => stop_polling_unfollowed(transaction, &[feed.id]).await?,
            PollOutcome::Paused { until } => {
                set_next(transaction, feed.id, Some(until + spread(feed.id.as_i64(), MINUTE))).await?;
            }
            PollOutcome::Failed(failed) => {
                if write_failure(transaction, now, result, *failed).await? && !feed.is_failing {
                    health_events.push((feed.id, EventKind::SourceFailed));
                }
            }
            PollOutcome::StillRedirected => {
                let recheck_at = now + RECHECK_INTERVAL + spread(feed.id.as_i64(), DAY);
                let is_known = previous_feeds::has_previous_followers(transaction, feed.id).await?;
                set_next(transaction, feed.id, is_known.then_some(recheck_at)).await?;
            }
            PollOutcome::RedirectEnded => {
                let own = feed::ActiveModel {
                    id: Set(feed.id),
                    next_poll_at: Set(None),
                    successor_id: Set(None),
                    ..Default::default()
                };
                own.update(transaction).await?;
            }
            PollOutcome::Unchanged(fetched) => {
                follow_up.moves.extend(Redirect::after(feed, fetched, now).accepted_move(feed, now));
                unchanged.push((result, &**fetched));
            }
            PollOutcome::Read { fetched, parsed, derived_fields, body_hash, compared, .. } => {
                let mut news =
                    ingest::classify(transaction, feed, now, *compared, parsed, derived_fields).await?;
                news.wants_texts = result.demand.wants_texts;
                // If entries were postponed, the body hash is not stored, so that the same body is parsed
                // again.
                let body_hash = (!news.is_postponed).then_some(*body_hash);
                let read = ParsedBody { fetched, parsed, body_hash, news: news.fresh.len() };
                follow_up.moves.extend(write_read(transaction, domain, result, &read).await?);
                arrived.push(news);
            }
        }
    }
    write_unchanged(transaction, now, &unchanged).await?;
    poll_requested_again(transaction, now, &claimed, &results).await?;
    // This write comes last, because ids are assigned under a lock that blocks all writers of entries.
    ingest::write(transaction, now, &arrived).await?;
    for (feed_id, kind) in health_events {
        log::record_source(transaction, now, feed_id, kind).await?;
    }
    Ok(follow_up)
}

/// Makes feeds due now if their server responded and another poll was requested during this poll.
async fn poll_requested_again(
    transaction: &DatabaseTransaction,
    now: Millis,
    claimed: &BTreeMap<FeedId, ClaimState>,
    results: &[PollResult],
) -> Result<()> {
    let is_requested = |result: &&PollResult| claimed.get(&result.feed.id) == Some(&ClaimState::Requested);
    for result in results.iter().filter(is_requested).filter(|result| result.outcome.is_answer()) {
        let sql = "UPDATE feed SET refreshed_at = $1, next_poll_at = $1 WHERE id = $2 AND next_poll_at > $1";
        execute(transaction, sql, [now.into(), result.feed.id.into()]).await?;
    }
    Ok(())
}

/// State of a claim whose result may be written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClaimState {
    /// The claim is unchanged.
    Unchanged,
    /// Another poll was requested in the meantime, but has not been claimed.
    Requested,
}

/// Locks the rows of the feeds that were not claimed again since their polls began. Returns the state of the
/// claim of each of these feeds.
async fn lock_claimed(
    transaction: &DatabaseTransaction,
    results: &[PollResult],
) -> Result<BTreeMap<FeedId, ClaimState>> {
    if results.is_empty() {
        return Ok(BTreeMap::new());
    }
    let sql = format!(
        "SELECT f.id, f.next_poll_at, f.last_fetched_at FROM feed f WHERE f.id IN ({}) ORDER BY f.id{}",
        placeholders(1, results.len()),
        for_update(transaction, "f")
    );
    let ids: Vec<Value> = results.iter().map(|result| result.feed.id.into()).collect();
    let polled: HashMap<FeedId, &feed::Model> =
        results.iter().map(|result| (result.feed.id, &result.feed)).collect();
    let mut claimed = BTreeMap::new();
    for row in transaction.query_all_raw(statement(transaction, &sql, ids)).await? {
        let id: FeedId = row.try_get_by_index(0)?;
        let next: Option<Millis> = row.try_get_by_index(1)?;
        let last_fetched_at: Option<Millis> = row.try_get_by_index(2)?;
        let Some(feed) = polled.get(&id) else { continue };
        if feed.next_poll_at == next {
            claimed.insert(id, ClaimState::Unchanged);
        } else if next.is_some() && next < feed.next_poll_at && last_fetched_at == feed.last_fetched_at {
            claimed.insert(id, ClaimState::Requested);
        }
    }
    Ok(claimed)
}

/// Writes the rows of feeds without changes, with one statement.
async fn write_unchanged(
    transaction: &DatabaseTransaction,
    now: Millis,
    results: &[(&PollResult, &Fetched)],
) -> Result<()> {
    if results.is_empty() {
        return Ok(());
    }
    let types = ["bigint", "bigint", "text", "text", "text", "integer", "bigint"];
    let sql = format!(
        "WITH seen (id, next_poll_at, etag, last_modified, moving_to, moving_count, moving_since) AS (VALUES {}) \
         UPDATE feed SET next_poll_at = seen.next_poll_at, etag = seen.etag, \
         last_modified = seen.last_modified, moving_to = seen.moving_to, moving_count = seen.moving_count, \
         moving_since = seen.moving_since, gone = FALSE, is_failing = FALSE, \
         successor_id = CASE WHEN seen.moving_to IS NULL THEN NULL ELSE successor_id END, \
         last_fetched_at = $1, last_error_code = NULL, failures = 0, failing_since = NULL, not_found = 0, \
         not_found_since = NULL FROM seen WHERE feed.id = seen.id",
        value_rows(2, results.len(), &types)
    );
    let mut values: Vec<Value> = vec![now.into()];
    for (result, fetched) in results {
        let feed = &result.feed;
        let stats = stats_of(result);
        let pause = schedule::interval(result.demand, stats, now);
        let (etag, last_modified) = validators(feed, fetched);
        let redirect = Redirect::after(feed, fetched, now);
        values.extend([
            feed.id.into(),
            schedule::next_poll(feed.id, now, pause, stats).into(),
            etag.into(),
            last_modified.into(),
            redirect.to.into(),
            redirect.count.into(),
            redirect.since.into(),
        ]);
    }
    execute(transaction, &sql, values).await?;
    Ok(())
}

/// Parsed body, with the number of its new entries.
struct ParsedBody<'a> {
    fetched: &'a Fetched,
    parsed: &'a ParsedFeed,
    /// Hash of the body. `None` if some of its entries are postponed.
    body_hash: Option<i64>,
    news: usize,
}

/// Writes the row of a feed. Returns its move if the feed has moved.
async fn write_read(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    result: &PollResult,
    read: &ParsedBody<'_>,
) -> Result<Option<Move>> {
    let now = domain.now();
    let (PollResult { feed, demand, hub, .. }, ParsedBody { fetched, parsed, .. }) = (result, read);
    let stats = observed(result, read, now);
    let (etag, last_modified) = match read.body_hash {
        Some(_) => validators(feed, fetched),
        None => (None, None),
    };
    let mut row = feed::ActiveModel { id: Set(feed.id), ..Default::default() };
    row.last_fetched_at = Set(Some(now));
    row.last_error_code = Set(None);
    row.failures = Set(0);
    row.failing_since = Set(None);
    row.not_found = Set(0);
    row.not_found_since = Set(None);
    row.etag = Set(etag);
    row.last_modified = Set(last_modified);
    row.body_hash = Set(read.body_hash.unwrap_or(0));
    row.kind = Set(parsed.kind.map(|kind| kind.as_str().to_owned()));
    row.title = Set(parsed.title.clone().or_else(|| feed.title.clone()));
    row.description = Set(parsed.description.clone());
    row.site_url = Set(parsed.site_url.clone().or_else(|| feed.site_url.clone()));
    row.image_url = Set(parsed.image_url.clone());
    row.trust_guid = Set(parsed.trust.guid);
    row.trust_url = Set(parsed.trust.url);
    row.gap_ms = Set(stats.gap_ms);
    row.last_new_at = Set(stats.last_new_at);
    row.hint_floor_ms = Set(stats.hint_floor_ms);
    row.skip_hours = Set(i32::try_from(stats.skip_hours).unwrap_or(0));
    row.skip_days = Set(i32::try_from(stats.skip_days).unwrap_or(0));
    row.gone = Set(false);
    row.is_failing = Set(false);
    row.left_out = Set(Some(i32::try_from(parsed.dropped).unwrap_or(i32::MAX)));
    let redirect = Redirect::after(feed, fetched, now);
    let moved = redirect.accepted_move(feed, now);
    if redirect.to.is_none() {
        row.successor_id = Set(None);
    }
    row.moving_to = Set(redirect.to);
    row.moving_count = Set(redirect.count);
    row.moving_since = Set(redirect.since);
    let pause = schedule::interval(*demand, stats, now);
    row.next_poll_at = Set(Some(schedule::next_poll(feed.id, now, pause, stats)));
    row.update(transaction).await?;
    hubs::record(transaction, domain, feed, *hub, &parsed.hub, &fetched.links).await?;
    Ok(moved)
}

/// Returns the statistics of the feed, including this body.
fn observed(result: &PollResult, read: &ParsedBody<'_>, now: Millis) -> PublishStats {
    let ParsedBody { fetched, parsed, news, .. } = read;
    let mut stats = stats_of(result);
    let is_remarked = |entry: &&OlderEntry| matches!(entry.state, EntryState::Remarked { .. });
    let remarked = parsed.older.iter().filter(is_remarked).map(|entry| entry.marks.published);
    let published: Vec<Millis> = parsed
        .entries
        .iter()
        .filter_map(|entry| entry.published.or(entry.updated))
        .chain(remarked.filter(|at| *at != 0))
        .collect();
    if *news > 0 {
        stats.last_new_at = Some(published.iter().copied().filter(|at| *at <= now).max().unwrap_or(now));
    }
    stats.gap_ms = schedule::gap(&published, now).or_else(|| observed_gap(&result.feed, *news, now));
    let by_header = kernel::cache_control::freshness_ms(
        fetched.cache_control.as_deref(),
        fetched.expires.as_deref(),
        fetched.date.as_deref(),
    );
    stats.hint_floor_ms = schedule::hint_floor(&parsed.hints).max(by_header);
    stats.skip_hours = parsed.hints.skip_hours;
    stats.skip_days = parsed.hints.skip_days;
    stats
}

/// Estimates the gap between entries of a feed without dates from the time since its last new entry.
fn observed_gap(feed: &feed::Model, fresh: usize, now: Millis) -> Option<Millis> {
    let fresh = Millis::try_from(fresh).ok().filter(|fresh| *fresh > 0)?;
    let since = now - feed.last_new_at?;
    let seen = (since / fresh).max(MINUTE);
    Some(feed.gap_ms.map_or(seen, |before| (before * 3 + seen) / 4))
}

/// Returns the validators for the next request. A 304 response need not repeat them.
fn validators(feed: &feed::Model, fetched: &Fetched) -> (Option<String>, Option<String>) {
    if fetched.not_modified {
        return (feed.etag.clone(), feed.last_modified.clone());
    }
    (fetched.etag.clone(), fetched.last_modified.clone())
}

fn stats_of(result: &PollResult) -> PublishStats {
    PublishStats { is_pushed: result.hub == HubState::Pushed, ..PublishStats::of(&result.feed) }
}

/// Records a failure. Returns true if the feed now counts as failing.
async fn write_failure(
    transaction: &DatabaseTransaction,
    now: Millis,
    result: &PollResult,
    failed: PollFailure,
) -> Result<bool> {
    let feed = &result.feed;
    let id = feed.id;
    if failed.is_local {
        set_next(transaction, id, Some(now + MINUTE + spread(id.as_i64(), MINUTE))).await?;
        return Ok(feed.is_failing);
    }
    if let Some(pause) = failed.host_pause_ms {
        let url = login::pause_url(feed, login::is_stored(transaction, id).await?);
        hosts::pause(
            transaction,
            now,
            Pause { url: &url, length: pause, account_id: only_follower(transaction, result).await? },
        )
        .await?;
    }
    let interval = schedule::interval(result.demand, stats_of(result), now);
    let failures = feed.failures.saturating_add(1);
    let not_found = if failed.not_found { feed.not_found.saturating_add(1) } else { 0 };
    let missing_since = failed.not_found.then(|| feed.not_found_since.unwrap_or(now));
    let missing =
        not_found >= MISSING_MIN_COUNT && missing_since.is_some_and(|since| now - since >= MISSING_MIN_SPAN);
    let pause = match failed.host_pause_ms {
        None if failed.gone => GONE_PAUSE,
        None if missing => MISSING_PAUSE,
        // The host requested the pause, so the feed has not failed. It is polled again after the pause.
        Some(pause) => pause.max(interval.min(HOUR)),
        // The back-off after 404 responses is at most a day, so that they are counted over days instead of
        // weeks.
        None if failed.not_found => schedule::backoff(failures, interval).min(DAY),
        None => schedule::backoff(failures, interval),
    };
    let paused_until = now + failed.host_pause_ms.unwrap_or(0);
    let next = schedule::next_poll(id, now, pause, PublishStats::default()).max(paused_until);
    let failing_since = feed.failing_since.unwrap_or(now);
    let is_failing = feed.is_failing || health::is_failing(failures, failing_since, now);
    let mut row = feed.clone().into_active_model();
    row.last_error_code = Set(Some(failed.code.as_str().to_owned()));
    row.failures = Set(failures);
    row.failing_since = Set(Some(failing_since));
    row.is_failing = Set(is_failing);
    row.not_found = Set(not_found);
    row.not_found_since = Set(missing_since);
    row.gone = Set(failed.gone || missing);
    row.next_poll_at = Set(Some(next));
    row.update(transaction).await?;
    Ok(is_failing)
}

/// Returns the only follower of the feed. `None` if the feed has several followers.
async fn only_follower(transaction: &DatabaseTransaction, result: &PollResult) -> Result<Option<AccountId>> {
    if result.demand.followers != 1 {
        return Ok(None);
    }
    let followers =
        rss_subscription::Entity::find().filter(rss_subscription::Column::FeedId.eq(result.feed.id));
    Ok(followers.one(transaction).await?.map(|only| only.account_id))
}

async fn set_next(connection: &impl ConnectionTrait, feed_id: FeedId, at: Option<Millis>) -> Result<()> {
    execute(connection, "UPDATE feed SET next_poll_at = $1 WHERE id = $2", [at.into(), feed_id.into()])
        .await?;
    Ok(())
}
