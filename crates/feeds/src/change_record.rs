//! Record of the changes of an account's entries, for apps that request the entries that changed since a
//! given second.
//!
//! Read state is stored without timestamps: a watermark does not show when an entry was read. Therefore, each
//! such request compares the current state with the state at the last request, and records the differences
//! under a new second. If two requests of an account overlap, one of them is repeated, so that they never
//! record the same second. An app that requests the changes after the last second that it received therefore
//! misses none. Accounts without such an app have no record.
//!
//! States of accounts with many marks are large. They are loaded from a database snapshot and compared on another
//! thread, so no writer waits.

mod snapshot;

use async_recursion::async_recursion as boxed;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use entities::ids::{AccountId, EntryId};
use entities::rss_change_record::{ActiveModel, Column, Entity};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DatabaseTransaction, EntityTrait, QuerySelect};
use serde::{Deserialize, Serialize};

use self::snapshot::{EntryRange, EntrySnapshot};
use super::entry_scope::{EntryScope, NOT_DUPLICATE, NOT_MUTED};
use identity::accounts;
use kernel::clock::{DAY, HOUR};
use kernel::statement::statement;
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum age of recorded changes, in seconds.
const RETENTION_SECONDS: i64 = 30 * 86_400;
/// Age at which a record is restarted. It is less than the retention of the event log, so no text change is missed.
const MAX_AGE: Millis = 29 * DAY;
/// Age at which a record is stored again although no entry of the account has changed, so that the next
/// request need not scan many events of other feeds.
const REFRESH_AGE: Millis = HOUR;
/// Maximum number of recorded ranges. The oldest changes are removed first.
const MAX_RANGES: usize = 20_000;
/// Maximum number of listed entries.
const MAX_ENTRIES: usize = 200_000;
/// Time in seconds that an app may take to request all pages of a list.
const LIST_SECONDS: i64 = 600;
/// Maximum number of times that a request compares the states. It repeats the comparison if another request
/// has stored the record in the meantime.
const MAX_COMPARISONS: usize = 10;
/// Time in seconds after which an app whose request was refused may repeat it.
const RETRY_SECONDS: u32 = 5;

/// Changed entries of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedEntries {
    /// Ids, each with the second of its last change, in the order of these seconds. The list may contain
    /// entries that are not visible to the account. `None` if the record does not reach back that far, or if
    /// there are too many; then any entry may have changed.
    pub entries: Option<Vec<(EntryId, i64)>>,
    /// Second of the last recorded changes.
    pub last_second: i64,
}

/// Recorded changes of one account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    /// The record contains all changes that were observed from this second on.
    complete_from: i64,
    /// Second of the last changes.
    last: i64,
    /// State at the last observation.
    snapshot: EntrySnapshot,
    /// Changes, oldest first.
    changes: Vec<RangeChange>,
}

/// Range of entries that changed at a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RangeChange {
    second: i64,
    range: EntryRange,
}

/// Stored record.
struct StoredRecord {
    /// `None` if a newer version wrote it in another format.
    record: Option<Record>,
    updated_at: Millis,
}

/// Stored record and current state of an account.
struct ObservedState {
    stored: Option<StoredRecord>,
    current: EntrySnapshot,
    /// Entries that arrived, or whose text changed, since the recorded state.
    news: Vec<EntryRange>,
}

/// Returns the entries that changed at or after a second. Changes since the last call are recorded under a
/// new second.
///
/// # Errors
/// `capacity_exhausted` if too many requests of the account overlap.
#[boxed]
pub async fn changed_entries(domain: &Domain, account_id: AccountId, since: i64) -> Result<ChangedEntries> {
    let record = observe(domain, account_id).await?;
    let entries = if since < record.complete_from {
        None
    } else {
        entries_since(domain.db().read(), account_id, &record.changes, since).await?
    };
    Ok(ChangedEntries { entries, last_second: record.last })
}

/// Returns a second that precedes all changes of the last ten minutes. An app that requests a list in pages
/// must not receive a greater second, because entries on earlier pages may have changed in the meantime.
///
/// # Errors
/// `capacity_exhausted` if too many requests of the account overlap.
#[boxed]
pub async fn settled_second(domain: &Domain, account_id: AccountId) -> Result<i64> {
    let stored = load(domain.db().read(), account_id).await?;
    let record = match stored {
        Some(StoredRecord { record: Some(record), updated_at }) if domain.now() - updated_at < MAX_AGE => {
            record
        }
        Some(_) | None => observe(domain, account_id).await?,
    };
    Ok(record.settled_at(domain.now() / 1000))
}

impl Record {
    /// Starts a record that contains no changes.
    fn start(last: i64, now: i64, snapshot: EntrySnapshot) -> Self {
        let second = now.max(last.saturating_add(1));
        Self { complete_from: second, last: second, snapshot, changes: Vec::new() }
    }

    /// Adds changes under a new second, and removes old changes.
    fn add(&mut self, now: i64, ranges: Vec<EntryRange>) {
        if !ranges.is_empty() {
            self.last = now.max(self.last.saturating_add(1));
            let second = self.last;
            self.changes.extend(ranges.into_iter().map(|range| RangeChange { second, range }));
        }
        let excess = self.changes.len().saturating_sub(MAX_RANGES);
        let expired = self.changes.partition_point(|change| change.second < now - RETENTION_SECONDS);
        let newest = excess.max(expired).checked_sub(1).and_then(|at| self.changes.get(at));
        // All changes of a second are removed.
        if let Some(second) = newest.map(|change| change.second) {
            let length = self.changes.partition_point(|change| change.second <= second);
            self.changes.drain(..length);
            self.complete_from = second.saturating_add(1);
            // An app that received this second then requests no earlier changes.
            self.last = self.last.max(self.complete_from);
        }
    }

    fn settled_at(&self, now: i64) -> i64 {
        let is_settled = |change: &&RangeChange| change.second <= now - LIST_SECONDS;
        let last = self.changes.iter().rev().find(is_settled).map(|change| change.second);
        last.unwrap_or(self.complete_from)
    }
}

impl ObservedState {
    async fn load(view: &DatabaseTransaction, account_id: AccountId) -> Result<Self> {
        let stored = load(view, account_id).await?;
        let current = EntrySnapshot::load(view, account_id).await?;
        let mut news = Vec::new();
        if let Some(StoredRecord { record: Some(record), .. }) = &stored {
            news = snapshot::arrivals(view, account_id, &record.snapshot, &current).await?;
            news.extend(snapshot::updates(view, account_id, &record.snapshot, &current).await?);
        }
        Ok(Self { stored, current, news })
    }

    fn updated_at(&self) -> Option<Millis> {
        self.stored.as_ref().map(|stored| stored.updated_at)
    }

    /// Adds the differences to the record. Returns it with its serialized form, which is `None` if it need
    /// not be stored.
    fn into_record(self, now: Millis) -> Result<(Record, Option<String>)> {
        let Self { stored, current, news } = self;
        let (stored, age) = match stored {
            Some(StoredRecord { record, updated_at }) => (record, now - updated_at),
            None => (None, 0),
        };
        let record = match stored {
            Some(mut record) if age < MAX_AGE => {
                let mut ranges = record.snapshot.differences(&current);
                ranges.extend(news);
                ranges.sort_unstable();
                ranges.dedup();
                let is_same = record.snapshot.has_same_states(&current) && ranges.is_empty();
                if is_same && age < REFRESH_AGE {
                    return Ok((record, None));
                }
                record.snapshot = current;
                record.add(now / 1000, ranges);
                record
            }
            outdated => Record::start(outdated.map_or(0, |record| record.last), now / 1000, current),
        };
        let text = serde_json::to_string(&record).map_err(Error::internal)?;
        Ok((record, Some(text)))
    }
}

/// Compares the current state with the recorded one, and records the differences.
async fn observe(domain: &Domain, account_id: AccountId) -> Result<Record> {
    for _ in 0..MAX_COMPARISONS {
        let view = domain.db().begin_snapshot().await?;
        let observation = ObservedState::load(&view, account_id).await;
        view.rollback().await?;
        let observation = observation?;
        let (earlier, now) = (observation.updated_at(), domain.now());
        let comparison = tokio::task::spawn_blocking(move || observation.into_record(now));
        let (record, text) = comparison.await.map_err(Error::internal)??;
        let Some(text) = text else { return Ok(record) };
        if store(domain, account_id, text, earlier).await? {
            return Ok(record);
        }
    }
    let message = "Too many requests for the changes of this account. Try again in a few seconds.";
    Err(Error::new(Code::CapacityExhausted, message).retry_after(RETRY_SECONDS))
}

/// Loads the record of an account.
async fn load(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Option<StoredRecord>> {
    let Some(row) = Entity::owned_by(account_id).one(connection).await? else { return Ok(None) };
    let (text, updated_at) = (row.record, row.updated_at);
    let parsing = tokio::task::spawn_blocking(move || serde_json::from_str::<Record>(&text).ok());
    Ok(Some(StoredRecord { record: parsing.await.map_err(Error::internal)?, updated_at }))
}

/// Stores the record of an account unless another request has stored it since `earlier`. Returns whether it was
/// stored.
async fn store(
    domain: &Domain,
    account_id: AccountId,
    text: String,
    earlier: Option<Millis>,
) -> Result<bool> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let stored = Entity::owned_by(account_id).select_only().column(Column::UpdatedAt);
    let stored: Option<Millis> = stored.into_tuple().one(&transaction).await?;
    if stored != earlier {
        return Ok(false);
    }
    let now = domain.now();
    let row = ActiveModel {
        account_id: Set(account_id),
        record: Set(text),
        // Differs from the previous time, so that overlapping requests detect each other.
        updated_at: Set(if earlier == Some(now) { now + 1 } else { now }),
    };
    let replace =
        OnConflict::column(Column::AccountId).update_columns([Column::Record, Column::UpdatedAt]).to_owned();
    Entity::insert(row).on_conflict(replace).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Returns the entries of the changes at or after a second. `None` if there are too many.
async fn entries_since(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    changes: &[RangeChange],
    since: i64,
) -> Result<Option<Vec<(EntryId, i64)>>> {
    let mut seconds: HashMap<EntryId, i64> = HashMap::new();
    // Changes of several entries, by feed.
    let mut spans: BTreeMap<i64, Vec<RangeChange>> = BTreeMap::new();
    for change in changes.iter().filter(|change| change.second >= since) {
        if change.range.first < change.range.last {
            spans.entry(change.range.feed).or_default().push(*change);
        } else {
            seconds.insert(EntryId::new(change.range.first), change.second);
        }
    }
    for changes in spans.into_values() {
        let ids = listed_ids(connection, account_id, &changes).await?;
        for (id, second) in last_seconds(&changes, ids) {
            let known = seconds.entry(EntryId::new(id)).or_insert(second);
            *known = second.max(*known);
        }
        if seconds.len() > MAX_ENTRIES {
            return Ok(None);
        }
    }
    let mut entries: Vec<(EntryId, i64)> = seconds.into_iter().collect();
    entries.sort_unstable_by_key(|(id, second)| (*second, *id));
    Ok(Some(entries))
}

/// Returns the ids in the account's lists between the first and the last changed entry of one feed. Their
/// number is bounded, because a feed has a limited number of entries.
async fn listed_ids(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    changes: &[RangeChange],
) -> Result<BTreeSet<i64>> {
    let ranges = || changes.iter().map(|change| change.range);
    let feed = ranges().map(|range| range.feed).next().unwrap_or(0);
    let first = ranges().map(|range| range.first).min().unwrap_or(0);
    let last = ranges().map(|range| range.last).max().unwrap_or(0);
    let sources = EntryScope::default().sources();
    let sql = format!(
        "SELECT e.id FROM ({sources}) o JOIN feed_entry e ON e.feed_id = o.feed_id AND e.id <= o.last_entry_id \
         WHERE e.feed_id = $4 AND e.id >= $5 AND e.id <= $6 AND {NOT_DUPLICATE} AND {NOT_MUTED}"
    );
    let mut values = EntryScope::default().values(account_id).to_vec();
    values.extend([feed.into(), first.into(), last.into()]);
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Returns the second of the last change of each id that changed. `changes` are oldest first.
fn last_seconds(changes: &[RangeChange], mut ids: BTreeSet<i64>) -> Vec<(i64, i64)> {
    let mut seconds = Vec::new();
    for RangeChange { second, range } in changes.iter().rev() {
        let changed: Vec<i64> = ids.range(range.first..=range.last).copied().collect();
        for id in changed {
            ids.remove(&id);
            seconds.push((id, *second));
        }
    }
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: i64, last: i64) -> EntryRange {
        EntryRange { feed: 1, first, last }
    }

    #[test]
    fn each_addition_gets_a_distinct_second() {
        let mut record = Record::start(0, 1_000, EntrySnapshot::default());
        record.add(1_000, vec![range(1, 1)]);
        record.add(1_000, Vec::new());
        record.add(1_000, vec![range(2, 2)]);
        record.add(2_000, vec![range(3, 3)]);
        let seconds: Vec<i64> = record.changes.iter().map(|change| change.second).collect();
        assert_eq!((seconds, record.complete_from), (vec![1_001, 1_002, 2_000], 1_000));
    }

    #[test]
    fn record_is_complete_from_the_second_after_its_removed_changes() {
        let mut record = Record::start(0, 1_000, EntrySnapshot::default());
        record.add(1_000, vec![range(1, 1), range(3, 3)]);
        record.add(1_500, vec![range(2, 2)]);
        record.add(1_200 + RETENTION_SECONDS, Vec::new());
        assert_eq!((record.changes.len(), record.complete_from), (1, 1_002));
        record.add(1_200 + RETENTION_SECONDS, (0..=20_000).map(|at| range(at, at)).collect());
        assert_eq!((record.changes.len(), record.complete_from), (0, record.last));
        let second = record.last;
        record.add(1_200 + RETENTION_SECONDS, vec![range(4, 4)]);
        assert_eq!(record.last, second + 1, "an app that received the last second requests this one");
    }

    #[test]
    fn changed_id_has_the_second_of_its_last_change() {
        let change = |second, first, last| RangeChange { second, range: range(first, last) };
        let changes = [change(5, 1, 9), change(6, 2, 4), change(7, 4, 6)];
        let mut seconds = last_seconds(&changes, [0, 1, 3, 4, 6, 9, 10].into());
        seconds.sort_unstable();
        assert_eq!(seconds, [(1, 5), (3, 6), (4, 7), (6, 7), (9, 5)]);
    }

    #[test]
    fn settled_second_precedes_all_changes_of_the_last_ten_minutes() {
        let mut record = Record::start(0, 1_000, EntrySnapshot::default());
        record.add(1_100, vec![range(1, 1)]);
        record.add(2_000, vec![range(2, 2)]);
        assert_eq!(
            [1_100, 1_700, 2_599, 2_600].map(|now| record.settled_at(now)),
            [1_000, 1_100, 1_100, 2_000]
        );
    }
}
