//! Reads the event log of the feeds that an account follows, starting at a position. An event is visible to an account
//! that follows the feed now and that followed it when the event happened. If it follows a feed again within 30 days,
//! events of the time in between are visible, too. Events of a previous feed are visible up to the entry at which the
//! account stopped following that feed.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use entities::ids::{AccountId, EntryId, FeedId, SubscriptionId};
use sea_orm::{ConnectionTrait, Value};

use super::author;
use super::entries::entries_of_ids;
use super::entry::Entry;
use super::event_filter::{EventFilter, EventPredicate};
use super::health::Health;
use super::log::{self, EventKind};
use super::search_text::{self, SearchContext, Texts};
use super::source::{self, FollowedSource, HealthFilter, SelectedSource, select_sources};
use super::source_filter::Sources;
use kernel::cursor_scope::CursorScope;
use kernel::statement::{scalar_optional, statement};
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum number of events, of all accounts, that one page scans.
pub(super) const MAX_SCANNED: i64 = 5_000;
/// Size of an encoded [`ChangeMark`] in bytes.
pub const CHANGE_MARK_BYTES: usize = 24;

/// Feeds whose events are visible to account `$1`.
const FOLLOWED: &str = "\
    SELECT s.id AS subscription_id, s.feed_id AS feed_id, s.followed_sequence AS since, \
    s.full_text AS full_text, s.read_through AS read_through, \
    CAST(NULL AS bigint) AS last_entry_id FROM rss_subscription s WHERE s.account_id = $1{condition} \
    UNION ALL SELECT s.id, p.feed_id, p.followed_sequence, s.full_text, p.read_through, p.last_entry_id \
    FROM rss_former_feed p JOIN rss_subscription s ON s.id = p.subscription_id AND s.account_id = p.account_id \
    WHERE p.account_id = $1{condition}";

/// Position in the event log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeMark {
    /// Number of the last scanned event.
    pub sequence: i64,
    /// Consumer to which the events were delivered. 0 if there is no consumer.
    pub consumer_id: i64,
    /// Number of times the consumer had been reset when the events were delivered.
    pub epoch: i64,
}

impl ChangeMark {
    /// Creates a mark without a consumer.
    pub fn at(sequence: i64) -> Self {
        Self { sequence, consumer_id: 0, epoch: 0 }
    }

    /// Encodes the mark for a cursor.
    pub fn to_bytes(self) -> [u8; CHANGE_MARK_BYTES] {
        let mut bytes = [0; CHANGE_MARK_BYTES];
        bytes[..8].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.consumer_id.to_be_bytes());
        bytes[16..].copy_from_slice(&self.epoch.to_be_bytes());
        bytes
    }

    /// Decodes a mark from a cursor.
    pub fn from_bytes(bytes: &[u8; CHANGE_MARK_BYTES]) -> Self {
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[at..at + 8]);
            i64::from_be_bytes(eight)
        };
        Self { sequence: number(0), consumer_id: number(8), epoch: number(16) }
    }

    /// Returns the scope in which event cursors are valid. A cursor is a position in the log and does not
    /// depend on a filter.
    pub fn cursor_scope(account_id: AccountId) -> CursorScope<'static> {
        CursorScope { account_id, operation: "getFeedChanges", filters: String::new() }
    }
}

#[derive(Clone, Debug)]
pub struct Event {
    /// Position of the event in the log.
    pub sequence: i64,
    pub kind: EventKind,
    pub at: Millis,
    /// Entry of the event. `None` if the event concerns a source.
    pub entry_id: Option<EntryId>,
    /// Current state of the entry. `None` if the entry was deleted.
    pub entry: Option<Entry>,
    /// Current state of the source. `None` unless the event concerns a source.
    pub source: Option<FollowedSource>,
    /// Feed that moved to this source. `None` for other events.
    pub from_feed_id: Option<FeedId>,
}

/// Sources that need attention.
#[derive(Clone, Debug, Default)]
pub struct Attention {
    /// Number of failing sources, and the first of these sources.
    pub failing: (u64, Vec<FollowedSource>),
    /// Number of sources without a new entry for a long time, and the first of these sources.
    pub stale: (u64, Vec<FollowedSource>),
}

/// Maximum sizes of a page of events.
#[derive(Clone, Copy, Debug)]
pub struct EventLimits {
    /// Maximum number of events.
    pub limit: u32,
    /// Maximum number of sources in each list of [`Attention`].
    pub attention_limit: u32,
}

/// One page of the event log.
#[derive(Clone, Debug)]
pub struct EventPage {
    /// Events in the order of the log.
    pub events: Vec<Event>,
    /// Position up to which this page scanned the log.
    pub end: i64,
    /// True if more events follow this page.
    pub has_more: bool,
    /// True if events before this page may have been deleted, because the position was not read for a month.
    pub gap_detected: bool,
    pub attention: Attention,
}

/// Returns the current end of the log, with the sources that need attention.
///
/// # Errors
/// `not_found` if the filter contains a collection of another account.
#[boxed]
pub async fn latest(
    domain: &Domain,
    account_id: AccountId,
    filter: &EventFilter,
    limits: EventLimits,
) -> Result<EventPage> {
    let connection = domain.db().read();
    let end = log::last(connection).await?;
    let predicate = EventPredicate::resolve(connection, account_id, filter).await?;
    let attention = attention(domain, account_id, &predicate.sources, limits.attention_limit).await?;
    Ok(EventPage { events: Vec::new(), end, has_more: false, gap_detected: false, attention })
}

/// Returns the events after a position.
///
/// # Errors
/// `cursor_expired` if events after the position may have been deleted; `not_found` if the filter contains a
/// collection of another account.
#[boxed]
pub async fn changes(
    domain: &Domain,
    account_id: AccountId,
    after: i64,
    filter: &EventFilter,
    limits: EventLimits,
) -> Result<EventPage> {
    let connection = domain.db().read();
    let predicate = EventPredicate::resolve(connection, account_id, filter).await?;
    if is_lost(after, log::oldest(connection).await?) {
        let message = "Events after this cursor are no longer available. Start again with the cursor `latest`, and call \
                       queryFeeds for existing entries.";
        return Err(Error::new(Code::CursorExpired, message));
    }
    page(domain, account_id, after, &predicate, limits).await
}

/// Returns the number of the last event of all accounts, or 0 if there is none.
#[boxed]
pub async fn log_end(domain: &Domain) -> Result<i64> {
    log::last(domain.db().read()).await
}

/// Returns the sources with events after a position, and the position up to which the log was scanned.
#[boxed]
pub async fn updated_sources(
    domain: &Domain,
    account_id: AccountId,
    after: i64,
) -> Result<(Vec<FeedId>, i64)> {
    let connection = domain.db().read();
    let range = ScanRange::after(connection, after).await?;
    let (predicate, sources) = (EventPredicate::default(), Sources::default());
    let context = SearchContext { texts: Texts::default(), now: domain.now() };
    let query = EventQuery { account_id, predicate: &predicate, sources: &sources, range, context };
    Ok((query.feed_ids(connection).await?, range.end))
}

/// Returns true if events after `position` may have been deleted. `oldest` is the number of the oldest stored
/// event.
pub(super) fn is_lost(position: i64, oldest: i64) -> bool {
    position.saturating_add(1) < oldest
}

/// Returns a page of the events after a position that are visible to the account.
pub(super) async fn page(
    domain: &Domain,
    account_id: AccountId,
    after: i64,
    predicate: &EventPredicate,
    limits: EventLimits,
) -> Result<EventPage> {
    let connection = domain.db().read();
    let sources = predicate.sources.current(connection, account_id).await?;
    let range = ScanRange::after(connection, after).await?;
    let context = predicate.context(domain, account_id).await?;
    let query = EventQuery { account_id, predicate, sources: &sources, range, context };
    let mut rows = query.rows(connection, limits.limit).await?;
    let is_full = rows.len() > limits.limit as usize;
    rows.truncate(limits.limit as usize);
    let end = if is_full { rows.last().map_or(range.end, |row| row.sequence) } else { range.end };
    let events = events(domain, account_id, predicate, rows).await?;
    let attention = attention(domain, account_id, &sources, limits.attention_limit).await?;
    Ok(EventPage { events, end, has_more: is_full || range.has_more, gap_detected: false, attention })
}

/// Section of the log that one page scans.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScanRange {
    after: i64,
    /// Number of the last event in the range.
    pub(super) end: i64,
    /// True if the log continues after the range.
    pub(super) has_more: bool,
}

impl ScanRange {
    /// Determines the range that begins after a position.
    pub(super) async fn after(connection: &impl ConnectionTrait, after: i64) -> Result<Self> {
        let last = log::last(connection).await?;
        let sql = format!(
            "SELECT sequence FROM feed_event WHERE sequence > $1 ORDER BY sequence LIMIT 1 OFFSET {}",
            MAX_SCANNED - 1
        );
        let full: Option<i64> = scalar_optional(connection, &sql, [after.into()]).await?;
        let end = full.unwrap_or(last).max(after);
        Ok(Self { after, end, has_more: end < last })
    }
}

/// A log row that is visible to the account.
#[derive(Clone, Copy, Debug)]
struct EventRow {
    sequence: i64,
    /// `None` if a newer version wrote the kind. Such events are skipped.
    kind: Option<EventKind>,
    entry_id: Option<EntryId>,
    from_feed_id: Option<FeedId>,
    subscription_id: SubscriptionId,
}

/// Query for the log rows of a page.
pub(super) struct EventQuery<'a> {
    pub(super) account_id: AccountId,
    pub(super) predicate: &'a EventPredicate,
    /// Sources of the predicate, with their current feed ids.
    pub(super) sources: &'a Sources,
    pub(super) range: ScanRange,
    /// Context in which the search query of the predicate is evaluated.
    pub(super) context: SearchContext,
}

impl EventQuery<'_> {
    /// Returns the ids of the feeds that have rows.
    async fn feed_ids(&self, connection: &impl ConnectionTrait) -> Result<Vec<FeedId>> {
        let (from, values) = self.from(connection);
        let sql = format!("SELECT DISTINCT v.feed_id {from}");
        let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
        rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
    }

    /// Returns the first rows, at most `limit + 1`.
    async fn rows(&self, connection: &impl ConnectionTrait, limit: u32) -> Result<Vec<EventRow>> {
        let (from, values) = self.from(connection);
        let sql = format!(
            "SELECT v.sequence, v.kind, v.entry_id, v.from_feed_id, o.subscription_id {from} \
             ORDER BY v.sequence LIMIT {}",
            u64::from(limit) + 1
        );
        let results = connection.query_all_raw(statement(connection, &sql, values)).await?;
        let mut rows = Vec::with_capacity(results.len());
        for row in &results {
            let kind: String = row.try_get_by_index(1)?;
            rows.push(EventRow {
                sequence: row.try_get_by_index(0)?,
                kind: EventKind::parse(&kind),
                entry_id: row.try_get_by_index(2)?,
                from_feed_id: row.try_get_by_index(3)?,
                subscription_id: row.try_get_by_index(4)?,
            });
        }
        Ok(rows)
    }

    /// Returns the number of rows. Counting stops at `most`.
    pub(super) async fn count(&self, connection: &impl ConnectionTrait, most: u32) -> Result<i64> {
        let (from, values) = self.from(connection);
        let sql = format!("SELECT count(*) FROM (SELECT 1 AS one {from} LIMIT {most}) c");
        kernel::statement::scalar(connection, &sql, values).await
    }

    /// Builds the `FROM` clause that joins the log rows `v` with their sources `o`. Returns the clause and the
    /// values of the statement.
    fn from(&self, connection: &impl ConnectionTrait) -> (String, Vec<Value>) {
        let followed = FOLLOWED.replace("{condition}", &self.sources.condition());
        let conditions = self.predicate.conditions(connection.get_database_backend(), self.context);
        let entry = if conditions.is_empty() { "" } else { " JOIN feed_entry e ON e.id = v.entry_id" };
        let mut sql = format!(
            "FROM feed_event v JOIN ({followed}) o ON o.feed_id = v.feed_id AND v.sequence > o.since \
             AND (o.last_entry_id IS NULL OR v.entry_id <= o.last_entry_id){entry} \
             WHERE v.sequence > $2 AND v.sequence <= $3 AND (v.from_feed_id IS NULL OR EXISTS \
             (SELECT 1 FROM rss_former_feed w WHERE w.account_id = $1 AND w.feed_id = v.from_feed_id \
             AND w.subscription_id = o.subscription_id)) AND (v.entry_id IS NULL OR NOT EXISTS \
             (SELECT 1 FROM rss_entry_mark x WHERE x.account_id = $1 AND x.feed_id = v.feed_id \
             AND x.entry_id = v.entry_id AND x.muted_by IS NOT NULL))"
        );
        let mut values: Vec<Value> =
            vec![self.account_id.into(), self.range.after.into(), self.range.end.into()];
        for condition in conditions {
            search_text::and(&mut sql, &mut values, condition);
        }
        (sql, values)
    }
}

/// Converts rows to events with the current state of their entries and sources.
async fn events(
    domain: &Domain,
    account_id: AccountId,
    predicate: &EventPredicate,
    rows: Vec<EventRow>,
) -> Result<Vec<Event>> {
    let connection = domain.db().read();
    let ids: Vec<EntryId> = rows.iter().filter_map(|row| row.entry_id).collect();
    let entries = entries_of_ids(connection, account_id, &ids).await?;
    let entries: HashMap<EntryId, Entry> = entries.into_iter().map(|entry| (entry.id, entry)).collect();
    let about: Vec<SubscriptionId> =
        rows.iter().filter(|row| row.entry_id.is_none()).map(|row| row.subscription_id).collect();
    let sources = if about.is_empty() {
        Vec::new()
    } else {
        let all =
            select_sources(connection, account_id, domain.now(), &Sources::default(), HealthFilter::All)
                .await?;
        let named: Vec<SelectedSource> =
            all.into_iter().filter(|selected| about.contains(&selected.subscription_id)).collect();
        source::load(domain, account_id, &named).await?
    };
    let source = |row: &EventRow| {
        let own = |source: &&FollowedSource| source.subscription.id == row.subscription_id;
        row.entry_id.is_none().then(|| sources.iter().find(own).cloned()).flatten()
    };
    let event = |row: EventRow| {
        row.kind.map(|kind| Event {
            sequence: row.sequence,
            kind,
            at: row.sequence / 1000,
            entry_id: row.entry_id,
            entry: row.entry_id.and_then(|id| entries.get(&id).cloned()),
            source: source(&row),
            from_feed_id: row.from_feed_id,
        })
    };
    let matches_author = |event: &Event| match (&predicate.author, &event.entry) {
        (Some(name), Some(entry)) => author::is_by(name, entry.author.as_deref()),
        (Some(_), None) | (None, _) => true,
    };
    Ok(rows.into_iter().filter_map(event).filter(matches_author).collect())
}

/// Returns the sources of an account that need attention.
async fn attention(
    domain: &Domain,
    account_id: AccountId,
    sources: &Sources,
    most: u32,
) -> Result<Attention> {
    let connection = domain.db().read();
    let in_need =
        select_sources(connection, account_id, domain.now(), sources, HealthFilter::NeedsAttention).await?;
    let of = async |health: Health| {
        let all: Vec<SelectedSource> =
            in_need.iter().filter(|selected| selected.health == health).copied().collect();
        let first = &all[..all.len().min(most as usize)];
        Ok::<_, Error>((all.len() as u64, source::load(domain, account_id, first).await?))
    };
    Ok(Attention { failing: of(Health::Failing).await?, stale: of(Health::Stale).await? })
}
