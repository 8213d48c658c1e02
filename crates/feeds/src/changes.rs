//! What has happened in the feeds that an account follows: the log, read from a position on. An account sees an event
//! when it follows the feed as it reads, and followed it when the event happened; what it follows of a former feed it
//! sees up to where that was followed.

use std::collections::HashMap;

use entities::ids::{AccountId, EntryId, FeedId, SubscriptionId};
use sea_orm::{ConnectionTrait, Value};

use super::author;
use super::entries::entries_of_ids;
use super::entry::Entry;
use super::event_filter::{EventFilter, EventPredicate};
use super::health::Health;
use super::log::{self, EventKind};
use super::search_text::{self, Texts};
use super::source::{self, Source, Standing, Wanted, standings};
use super::source_filter::Sources;
use kernel::clock::Millis;
use kernel::code::Code;
use kernel::cursor_scope::CursorScope;
use kernel::error::{Error, Result};
use kernel::handle::Domain;
use kernel::statement::{scalar_optional, statement};

/// Events that one page looks through, whoever's they are.
pub(super) const LOOKED_THROUGH: i64 = 5_000;
/// Bytes of a mark.
pub const CHANGE_MARK_BYTES: usize = 24;

/// The feeds whose events account `$1` sees.
const FOLLOWED: &str = "\
    SELECT s.id AS subscription_id, s.feed_id AS feed_id, s.followed_sequence AS since, \
    s.full_text AS full_text, \
    CAST(NULL AS bigint) AS last_entry_id FROM rss_subscription s WHERE s.account_id = $1{condition} \
    UNION ALL SELECT s.id, p.feed_id, p.followed_sequence, s.full_text, p.last_entry_id \
    FROM rss_former_feed p JOIN rss_subscription s ON s.id = p.subscription_id AND s.account_id = p.account_id \
    WHERE p.account_id = $1{condition}";

/// Up to where somebody knows the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeMark {
    /// The number of the last event that was looked at.
    pub sequence: i64,
    /// The consumer that it was delivered to; 0 for none.
    pub consumer_id: i64,
    /// How often that consumer was reset before.
    pub epoch: i64,
}

impl ChangeMark {
    /// A mark that is no consumer's.
    pub fn at(sequence: i64) -> Self {
        Self { sequence, consumer_id: 0, epoch: 0 }
    }

    /// As a cursor carries it.
    pub fn to_bytes(self) -> [u8; CHANGE_MARK_BYTES] {
        let mut bytes = [0; CHANGE_MARK_BYTES];
        bytes[..8].copy_from_slice(&self.sequence.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.consumer_id.to_be_bytes());
        bytes[16..].copy_from_slice(&self.epoch.to_be_bytes());
        bytes
    }

    /// The mark that a cursor carries.
    pub fn from_bytes(bytes: &[u8; CHANGE_MARK_BYTES]) -> Self {
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[at..at + 8]);
            i64::from_be_bytes(eight)
        };
        Self { sequence: number(0), consumer_id: number(8), epoch: number(16) }
    }

    /// What cursors of the log are good for: they are positions, whatever is asked for.
    pub fn cursor_scope(account_id: AccountId) -> CursorScope<'static> {
        CursorScope { account_id, operation: "getFeedChanges", filters: String::new() }
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its place in the log.
    pub sequence: i64,
    /// What happened.
    pub kind: EventKind,
    /// When.
    pub at: Millis,
    /// The entry, where the event is about one.
    pub entry_id: Option<EntryId>,
    /// That entry as it is now; none when it is gone.
    pub entry: Option<Entry>,
    /// The source as it is now, where the event is about one.
    pub source: Option<Source>,
    /// The feed that moved to this source.
    pub from_feed_id: Option<FeedId>,
}

/// Sources that need somebody's attention.
#[derive(Clone, Debug, Default)]
pub struct Attention {
    /// How many do not answer, and the first of them.
    pub failing: (u64, Vec<Source>),
    /// How many have had nothing new for a long time, and the first of them.
    pub stale: (u64, Vec<Source>),
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The most events.
    pub limit: u32,
    /// The most sources of each sort that need attention.
    pub attention_limit: u32,
}

/// A page of the log.
#[derive(Clone, Debug)]
pub struct EventPage {
    /// In their order.
    pub events: Vec<Event>,
    /// Up to where the log was looked through.
    pub end: i64,
    /// There is more of it now.
    pub has_more: bool,
    /// Events before this page may be lost: they were not read for a month.
    pub gap_detected: bool,
    /// What needs attention.
    pub attention: Attention,
}

/// Where the log ends now, with what needs attention.
///
/// # Errors
/// `not_found` for a collection that is not the account's.
pub async fn latest(
    domain: &Domain,
    account_id: AccountId,
    filter: &EventFilter,
    reading: Reading,
) -> Result<EventPage> {
    let connection = domain.db().read();
    let end = log::last(connection).await?;
    let predicate = EventPredicate::find(connection, account_id, filter).await?;
    let attention = attention(domain, account_id, &predicate.sources, reading.attention_limit).await?;
    Ok(EventPage { events: Vec::new(), end, has_more: false, gap_detected: false, attention })
}

/// What happened after an event.
///
/// # Errors
/// `cursor_expired` when nobody can say that any more; `not_found` for a collection that is not the account's.
pub async fn changes(
    domain: &Domain,
    account_id: AccountId,
    after: i64,
    filter: &EventFilter,
    reading: Reading,
) -> Result<EventPage> {
    let connection = domain.db().read();
    let predicate = EventPredicate::find(connection, account_id, filter).await?;
    if is_lost(after, log::oldest(connection).await?) {
        let message = "Nobody can say what happened since this cursor. Begin again with the cursor `latest`, and ask \
                       queryFeeds for what there is.";
        return Err(Error::new(Code::CursorExpired, message));
    }
    page(domain, account_id, after, &predicate, reading).await
}

/// Whether events behind a position may have been deleted, when this is the oldest one.
pub(super) fn is_lost(position: i64, oldest: i64) -> bool {
    position.saturating_add(1) < oldest
}

/// The events behind a position that an account sees.
pub(super) async fn page(
    domain: &Domain,
    account_id: AccountId,
    after: i64,
    predicate: &EventPredicate,
    reading: Reading,
) -> Result<EventPage> {
    let connection = domain.db().read();
    let sources = predicate.sources.current(connection, account_id).await?;
    let window = Window::after(connection, after).await?;
    let texts = predicate.texts(connection, account_id).await?;
    let asked = Asked { account_id, predicate, sources: &sources, window, texts };
    let mut rows = asked.rows(connection, reading.limit).await?;
    let is_full = rows.len() > reading.limit as usize;
    rows.truncate(reading.limit as usize);
    let end = if is_full { rows.last().map_or(window.end, |row| row.sequence) } else { window.end };
    let events = events(domain, account_id, predicate, rows).await?;
    let attention = attention(domain, account_id, &sources, reading.attention_limit).await?;
    Ok(EventPage { events, end, has_more: is_full || window.has_more, gap_detected: false, attention })
}

/// The part of the log that a page looks through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    after: i64,
    /// The number of its last event.
    pub(super) end: i64,
    /// The log goes on behind it.
    pub(super) has_more: bool,
}

impl Window {
    /// The part behind a position.
    pub(super) async fn after(connection: &impl ConnectionTrait, after: i64) -> Result<Self> {
        let last = log::last(connection).await?;
        let sql = format!(
            "SELECT sequence FROM feed_event WHERE sequence > $1 ORDER BY sequence LIMIT 1 OFFSET {}",
            LOOKED_THROUGH - 1
        );
        let full: Option<i64> = scalar_optional(connection, &sql, [after.into()]).await?;
        let end = full.unwrap_or(last).max(after);
        Ok(Self { after, end, has_more: end < last })
    }
}

/// A row of the log that an account sees.
#[derive(Clone, Copy, Debug)]
struct Row {
    sequence: i64,
    /// None for what a later version may write, which is not told by this one.
    kind: Option<EventKind>,
    entry_id: Option<EntryId>,
    from_feed_id: Option<FeedId>,
    subscription_id: SubscriptionId,
}

/// Which rows of the log are asked for.
pub(super) struct Asked<'a> {
    pub(super) account_id: AccountId,
    pub(super) predicate: &'a EventPredicate,
    /// Those of the predicate, as they are called now.
    pub(super) sources: &'a Sources,
    pub(super) window: Window,
    /// In which texts the predicate looks.
    pub(super) texts: Texts,
}

impl Asked<'_> {
    /// The first rows, one more than `limit` where there are more.
    async fn rows(&self, connection: &impl ConnectionTrait, limit: u32) -> Result<Vec<Row>> {
        let (from, values) = self.from(connection);
        let sql = format!(
            "SELECT v.sequence, v.kind, v.entry_id, v.from_feed_id, o.subscription_id {from} \
             ORDER BY v.sequence LIMIT {}",
            u64::from(limit) + 1
        );
        let found = connection.query_all_raw(statement(connection, &sql, values)).await?;
        let mut rows = Vec::with_capacity(found.len());
        for row in &found {
            let kind: String = row.try_get_by_index(1)?;
            rows.push(Row {
                sequence: row.try_get_by_index(0)?,
                kind: EventKind::parse(&kind),
                entry_id: row.try_get_by_index(2)?,
                from_feed_id: row.try_get_by_index(3)?,
                subscription_id: row.try_get_by_index(4)?,
            });
        }
        Ok(rows)
    }

    /// How many rows there are, up to `most`.
    pub(super) async fn count(&self, connection: &impl ConnectionTrait, most: u32) -> Result<i64> {
        let (from, values) = self.from(connection);
        let sql = format!("SELECT count(*) FROM (SELECT 1 AS one {from} LIMIT {most}) c");
        kernel::statement::scalar(connection, &sql, values).await
    }

    /// The rows `v` of sources `o`, and what the statement takes.
    fn from(&self, connection: &impl ConnectionTrait) -> (String, Vec<Value>) {
        let followed = FOLLOWED.replace("{condition}", &self.sources.condition());
        let conditions = self.predicate.conditions(connection.get_database_backend(), self.texts);
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
            vec![self.account_id.into(), self.window.after.into(), self.window.end.into()];
        for condition in conditions {
            search_text::and(&mut sql, &mut values, condition);
        }
        (sql, values)
    }
}

/// The events of these rows, with entries and sources as they are now.
async fn events(
    domain: &Domain,
    account_id: AccountId,
    predicate: &EventPredicate,
    rows: Vec<Row>,
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
        let all = standings(connection, account_id, domain.now(), &Sources::default(), Wanted::All).await?;
        let named: Vec<Standing> =
            all.into_iter().filter(|standing| about.contains(&standing.subscription_id)).collect();
        source::load(domain, account_id, &named).await?
    };
    let source = |row: &Row| {
        let own = |source: &&Source| source.subscription.id == row.subscription_id;
        row.entry_id.is_none().then(|| sources.iter().find(own).cloned()).flatten()
    };
    let event = |row: Row| {
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
    let is_meant = |event: &Event| match (&predicate.author, &event.entry) {
        (Some(name), Some(entry)) => author::is_by(name, entry.author.as_deref()),
        (Some(_), None) | (None, _) => true,
    };
    Ok(rows.into_iter().filter_map(event).filter(is_meant).collect())
}

/// The sources of an account that need attention.
async fn attention(
    domain: &Domain,
    account_id: AccountId,
    sources: &Sources,
    most: u32,
) -> Result<Attention> {
    let connection = domain.db().read();
    let in_need = standings(connection, account_id, domain.now(), sources, Wanted::InNeed).await?;
    let of = async |health: Health| {
        let all: Vec<Standing> =
            in_need.iter().filter(|standing| standing.health == health).copied().collect();
        let shown = &all[..all.len().min(most as usize)];
        Ok::<_, Error>((all.len() as u64, source::load(domain, account_id, shown).await?))
    };
    Ok(Attention { failing: of(Health::Failing).await?, stale: of(Health::Stale).await? })
}
