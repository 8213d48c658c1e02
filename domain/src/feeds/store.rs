//! Writing what a poll came to: the feed's row, its new and changed entries, pauses, and when it is asked
//! again. Everything hangs on the feed still being claimed by this job, so that a job which runs twice
//! writes once.

use std::collections::HashMap;

use entities::feed;
use extract::feed::FeedFound;
use fetch::Fetched;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ConnectionTrait, DatabaseTransaction, IntoActiveModel, Value,
};

use super::arrivals;
use super::hubs;
use super::moves;
use super::poll::Outcome;
use super::rows::{change, places, sql};
use super::schedule::{self, DAY, Demand, HOUR, Habits, MINUTE, spread};
use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;
use crate::limits::{Tier, Tiers};

/// 404 answers after which a feed is not asked any more, when they span the days below.
const NOT_FOUND_TIMES: i32 = 5;
const NOT_FOUND_SPAN: Millis = 3 * DAY;
/// Articles asked for after one poll.
const TEXTS_AT_ONCE: usize = 20;

/// A poll with everything needed to write it down.
pub(super) struct Visit {
    pub(super) feed: feed::Model,
    /// Nobody follows the feed when there is none.
    pub(super) demand: Option<Demand>,
    pub(super) outcome: Outcome,
    /// The host wants to be left alone until then; nothing was asked.
    pub(super) paused_until: Option<Millis>,
}

/// Why a poll gave no feed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed {
    pub(super) code: &'static str,
    /// The server asks for a pause.
    pub(super) host_pause_ms: Option<Millis>,
    /// 410.
    pub(super) gone: bool,
    /// 404 or 410.
    pub(super) not_found: bool,
    /// A fault of ours that says nothing about the feed.
    pub(super) ours: bool,
}

impl Failed {
    pub(super) fn other(code: &'static str) -> Self {
        Self { code, host_pause_ms: None, gone: false, not_found: false, ours: false }
    }
}

impl Visit {
    pub(super) fn unfollowed(feed: feed::Model) -> Self {
        Self { feed, demand: None, outcome: Outcome::Failed(Failed::other("")), paused_until: None }
    }

    pub(super) fn paused(feed: feed::Model, demand: Demand, until: Millis) -> Self {
        let outcome = Outcome::Failed(Failed::other(""));
        Self { feed, demand: Some(demand), outcome, paused_until: Some(until) }
    }
}

/// What the followers of some feeds ask for; feeds without followers are not in it.
pub(super) async fn demands(
    connection: &impl ConnectionTrait,
    tiers: &Tiers,
    feed_ids: &[i64],
) -> Result<HashMap<i64, Demand>> {
    if feed_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let text = format!(
        "SELECT s.feed_id, count(*), CAST(COALESCE(MIN(s.interval_minutes), 0) AS BIGINT), \
         CAST(SUM(CASE WHEN s.interval_minutes IS NULL THEN 1 ELSE 0 END) AS BIGINT), \
         CAST(MAX(CASE a.tier WHEN 'pro' THEN 2 WHEN 'premium' THEN 1 ELSE 0 END) AS BIGINT) \
         FROM rss_subscription s JOIN account a ON a.id = s.account_id \
         WHERE s.feed_id IN ({}) GROUP BY s.feed_id",
        places(1, feed_ids.len())
    );
    let values: Vec<Value> = feed_ids.iter().map(|id| (*id).into()).collect();
    let rows = connection.query_all_raw(sql(connection, &text, values)).await?;
    rows.iter()
        .map(|row| {
            let (fixed, adaptive, best): (i64, i64, i64) =
                (row.try_get_by_index(2)?, row.try_get_by_index(3)?, row.try_get_by_index(4)?);
            let tier = [Tier::Free, Tier::Premium, Tier::Pro][usize::try_from(best.clamp(0, 2)).unwrap_or(0)];
            let demand = Demand {
                followers: row.try_get_by_index(1)?,
                adaptive: adaptive > 0,
                fixed_ms: (fixed > 0).then_some(fixed * MINUTE),
                floor_ms: Millis::from(tiers.of(tier).rss_minimum_interval_minutes) * MINUTE,
            };
            Ok((row.try_get_by_index(0)?, demand))
        })
        .collect()
}

/// Writes a visit, if the feed is still claimed as it was. Tells the addresses of new entries whose
/// articles somebody wants to read.
pub(super) async fn write(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    visit: Visit,
) -> Result<Vec<String>> {
    let now = domain.now();
    let Visit { feed, demand, outcome, paused_until } = visit;
    let text = "UPDATE feed SET next_poll_at = next_poll_at WHERE id = $1 AND next_poll_at = $2";
    if change(transaction, text, [feed.id.into(), feed.next_poll_at.into()]).await? == 0 {
        return Ok(Vec::new());
    }
    let Some(demand) = demand else {
        set_next(transaction, feed.id, None).await?;
        return Ok(Vec::new());
    };
    if let Some(until) = paused_until {
        set_next(transaction, feed.id, Some(until + spread(feed.id, MINUTE))).await?;
        return Ok(Vec::new());
    }
    match outcome {
        Outcome::Failed(failed) => {
            write_failure(transaction, now, feed, demand, failed).await?;
            Ok(Vec::new())
        }
        Outcome::Unchanged(fetched) => {
            let mut row = answered(&feed, &fetched, now);
            moves::note(&feed, &fetched, &mut row);
            let habits = habits(transaction, &feed, now).await?;
            let pause = schedule::interval(demand, habits, now);
            row.next_poll_at = Set(Some(schedule::next_poll(feed.id, now, pause, habits)));
            row.update(transaction).await?;
            Ok(Vec::new())
        }
        Outcome::Read { fetched, found, body_hash } => {
            write_read(transaction, domain, feed, demand, (*fetched, *found, body_hash)).await
        }
    }
}

async fn write_read(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    feed: feed::Model,
    demand: Demand,
    (fetched, found, body_hash): (Fetched, FeedFound, i64),
) -> Result<Vec<String>> {
    let now = domain.now();
    let is_first = feed.body_hash == 0;
    let fresh = arrivals::write_entries(transaction, now, feed.id, is_first, &found.entries).await?;
    let mut habits = habits(transaction, &feed, now).await?;
    let published: Vec<Millis> =
        found.entries.iter().filter_map(|entry| entry.published.or(entry.updated)).collect();
    if !fresh.is_empty() {
        habits.last_new_at = Some(published.iter().copied().filter(|at| *at <= now).max().unwrap_or(now));
    }
    habits.gap_ms = schedule::gap(&published, now).or_else(|| observed_gap(&feed, fresh.len(), now));
    let by_header = schedule::header_floor(
        fetched.cache_control.as_deref(),
        fetched.expires.as_deref(),
        fetched.date.as_deref(),
    );
    habits.hint_floor_ms = schedule::hint_floor(&found.hints).max(by_header);
    habits.skip_hours = found.hints.skip_hours;
    habits.skip_days = found.hints.skip_days;
    let mut row = answered(&feed, &fetched, now);
    row.body_hash = Set(body_hash);
    row.kind = Set(found.kind.and_then(kind_word));
    row.title = Set(found.title.or(feed.title.clone()));
    row.description = Set(found.description);
    row.site_url = Set(found.site_url.or(feed.site_url.clone()));
    row.image_url = Set(found.image_url);
    row.trust_guid = Set(found.trust.guid);
    row.trust_url = Set(found.trust.url);
    row.gap_ms = Set(habits.gap_ms);
    row.last_new_at = Set(habits.last_new_at);
    row.hint_floor_ms = Set(habits.hint_floor_ms);
    row.skip_hours = Set(i32::try_from(habits.skip_hours).unwrap_or(0));
    row.skip_days = Set(i32::try_from(habits.skip_days).unwrap_or(0));
    moves::note(&feed, &fetched, &mut row);
    moves::move_when_sure(transaction, &feed, &fetched, &mut row).await?;
    let pause = schedule::interval(demand, habits, now);
    row.next_poll_at = Set(Some(schedule::next_poll(feed.id, now, pause, habits)));
    row.update(transaction).await?;
    hubs::note(transaction, domain, feed.id, &feed.url, &found.hub, &fetched.links).await?;
    if fresh.is_empty() || !arrivals::wants_texts(transaction, feed.id).await? {
        return Ok(Vec::new());
    }
    Ok(fresh.into_iter().filter_map(|entry| entry.url.clone()).take(TEXTS_AT_ONCE).collect())
}

/// Feeds whose entries have no dates are judged by what was new since the last news.
fn observed_gap(feed: &feed::Model, fresh: usize, now: Millis) -> Option<Millis> {
    let fresh = Millis::try_from(fresh).ok().filter(|fresh| *fresh > 0)?;
    let since = now - feed.last_new_at?;
    let seen = (since / fresh).max(MINUTE);
    Some(feed.gap_ms.map_or(seen, |before| (before * 3 + seen) / 4))
}

fn kind_word(kind: extract::feed::FeedKind) -> Option<String> {
    serde_json::to_value(kind).ok()?.as_str().map(str::to_owned)
}

/// What every good answer changes.
fn answered(feed: &feed::Model, fetched: &Fetched, now: Millis) -> feed::ActiveModel {
    let mut row = feed::ActiveModel { id: Set(feed.id), ..Default::default() };
    row.last_fetched_at = Set(Some(now));
    row.last_error_code = Set(None);
    row.failures = Set(0);
    row.failing_since = Set(None);
    row.not_found = Set(0);
    row.not_found_since = Set(None);
    if !fetched.not_modified {
        row.etag = Set(fetched.etag.clone());
        row.last_modified = Set(fetched.last_modified.clone());
    }
    row
}

async fn habits(connection: &impl ConnectionTrait, feed: &feed::Model, now: Millis) -> Result<Habits> {
    Ok(Habits {
        gap_ms: feed.gap_ms,
        last_new_at: feed.last_new_at,
        hint_floor_ms: feed.hint_floor_ms,
        skip_hours: u32::try_from(feed.skip_hours).unwrap_or(0),
        skip_days: u32::try_from(feed.skip_days).unwrap_or(0),
        is_pushed: hubs::is_live(connection, feed.id, now).await?,
    })
}

async fn write_failure(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed: feed::Model,
    demand: Demand,
    failed: Failed,
) -> Result<()> {
    let (id, host) = (feed.id, feed.host.clone());
    if failed.ours {
        return set_next(transaction, id, Some(now + MINUTE + spread(id, MINUTE))).await;
    }
    if let Some(pause) = failed.host_pause_ms {
        pause_host(transaction, &host, now + pause).await?;
    }
    let habits = habits(transaction, &feed, now).await?;
    let interval = schedule::interval(demand, habits, now);
    let failures = feed.failures.saturating_add(1);
    let not_found = if failed.not_found { feed.not_found.saturating_add(1) } else { 0 };
    let not_found_since = failed.not_found.then(|| feed.not_found_since.unwrap_or(now));
    let gone = failed.gone
        || (not_found >= NOT_FOUND_TIMES
            && not_found_since.is_some_and(|since| now - since >= NOT_FOUND_SPAN));
    let pause = match failed.host_pause_ms {
        // The host is at fault, not the feed: it is asked again when the pause is over.
        Some(pause) => pause.max(interval.min(HOUR)),
        // 404 answers are counted over days, not over weeks.
        None if failed.not_found => schedule::backoff(failures, interval).min(DAY),
        None => schedule::backoff(failures, interval),
    };
    let next = schedule::next_poll(id, now, pause, Habits::default());
    let failing_since = feed.failing_since.or(Some(now));
    let mut row = feed.into_active_model();
    row.last_error_code = Set(Some(failed.code.to_owned()));
    row.failures = Set(failures);
    row.failing_since = Set(failing_since);
    row.not_found = Set(not_found);
    row.not_found_since = Set(not_found_since);
    row.gone = Set(gone);
    row.next_poll_at = Set((!gone).then_some(next));
    row.update(transaction).await?;
    Ok(())
}

/// Leaves a server alone: none of its feeds is due before the pause is over.
async fn pause_host(transaction: &DatabaseTransaction, host: &str, until: Millis) -> Result<()> {
    let text = "INSERT INTO feed_host (host, paused_until) VALUES ($1, $2) \
                ON CONFLICT (host) DO UPDATE SET paused_until = excluded.paused_until \
                WHERE feed_host.paused_until < excluded.paused_until";
    change(transaction, text, [host.into(), until.into()]).await?;
    Ok(())
}

async fn set_next(connection: &impl ConnectionTrait, feed_id: i64, at: Option<Millis>) -> Result<()> {
    change(connection, "UPDATE feed SET next_poll_at = $1 WHERE id = $2", [at.into(), feed_id.into()])
        .await?;
    Ok(())
}
