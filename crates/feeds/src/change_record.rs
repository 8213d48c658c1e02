//! Record of the changes of an account's entries, for apps that request the entries that changed since a
//! second.
//!
//! Read state has no times: a watermark hides when an entry was read. Therefore, at each such request, the
//! current state is compared with the state at the last request, and the differences are recorded under a new
//! second. All requests of an account are serialized, and no two of them record the same second, so an app
//! that requests the changes from the second after the last one it received misses none, regardless of what
//! changed them. Accounts without such an app have no record.

mod snapshot;

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use entities::ids::{AccountId, EntryId};
use entities::rss_change_record::{ActiveModel, Column, Entity};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ConnectionTrait, DatabaseTransaction, EntityTrait};
use serde::{Deserialize, Serialize};

use self::snapshot::{Range, Snapshot};
use super::entry_scope::{EntryScope, NOT_DUPLICATE, NOT_MUTED};
use identity::accounts;
use kernel::clock::{DAY, HOUR};
use kernel::statement::statement;
use kernel::{Domain, Error, Millis, Result};

/// Age of the oldest recorded changes, in seconds.
const RETENTION_SECONDS: i64 = 30 * 86_400;
/// Age at which a record is started again. It is less than the retention of the event log, so that no change
/// of a text is missed.
const MAX_AGE: Millis = 29 * DAY;
/// Age at which a record is stored again although no entry of the account has changed, so that the next
/// request does not compare many events of other feeds.
const REFRESH_AGE: Millis = HOUR;
/// Maximum number of recorded ranges. The oldest changes are removed first.
const MAX_RANGES: usize = 20_000;
/// Maximum number of listed entries.
const MAX_ENTRIES: usize = 200_000;
/// Time in seconds that an app may take to request all pages of a list.
const LIST_SECONDS: i64 = 600;

/// Changed entries of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedEntries {
    /// Ids with the second of the last change of each, in the order of these seconds. The list may contain
    /// entries that the account does not see. `None` if the record does not reach back so far, or if there are
    /// too many; then any entry may have changed.
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
    snapshot: Snapshot,
    /// Changes, oldest first.
    changes: Vec<Change>,
}

/// Range of entries that changed at a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Change {
    second: i64,
    range: Range,
}

/// Returns the entries that changed at or after a second. Changes since the last call are recorded under a
/// new second.
#[boxed]
pub async fn changed_entries(domain: &Domain, account_id: AccountId, since: i64) -> Result<ChangedEntries> {
    let record = observe(domain, account_id).await?;
    if since < record.complete_from {
        return Ok(ChangedEntries { entries: None, last_second: record.last });
    }
    let mut seconds: HashMap<EntryId, i64> = HashMap::new();
    for change in record.changes.iter().filter(|change| change.second >= since) {
        for id in ids_of(domain.db().read(), account_id, change.range).await? {
            seconds.insert(id, change.second);
        }
        if seconds.len() > MAX_ENTRIES {
            return Ok(ChangedEntries { entries: None, last_second: record.last });
        }
    }
    let mut entries: Vec<(EntryId, i64)> = seconds.into_iter().collect();
    entries.sort_unstable_by_key(|(id, second)| (*second, *id));
    Ok(ChangedEntries { entries: Some(entries), last_second: record.last })
}

/// Returns a second before all changes of the last minutes. An app that requests a list in pages must not
/// receive a greater one, because entries on earlier pages may have changed in the meantime.
#[boxed]
pub async fn settled_second(domain: &Domain, account_id: AccountId) -> Result<i64> {
    let stored = load(domain.db().read(), account_id).await?;
    let record = match stored {
        Some((record, updated_at)) if domain.now() - updated_at < MAX_AGE => record,
        Some(_) | None => observe(domain, account_id).await?,
    };
    Ok(record.settled_at(domain.now() / 1000))
}

impl Record {
    /// Starts a record that contains no changes.
    fn start(last: i64, now: i64, snapshot: Snapshot) -> Self {
        let second = now.max(last.saturating_add(1));
        Self { complete_from: second, last: second, snapshot, changes: Vec::new() }
    }

    /// Adds changes under a new second, and removes old changes.
    fn add(&mut self, now: i64, ranges: Vec<Range>) {
        if !ranges.is_empty() {
            self.last = now.max(self.last.saturating_add(1));
            let second = self.last;
            self.changes.extend(ranges.into_iter().map(|range| Change { second, range }));
        }
        while let Some(oldest) = self.changes.first().map(|change| change.second) {
            if self.changes.len() <= MAX_RANGES && oldest >= now - RETENTION_SECONDS {
                break;
            }
            self.changes.retain(|change| change.second > oldest);
            self.complete_from = oldest.saturating_add(1);
        }
    }

    fn settled_at(&self, now: i64) -> i64 {
        let is_settled = |change: &&Change| change.second <= now - LIST_SECONDS;
        let last = self.changes.iter().rev().find(is_settled).map(|change| change.second);
        last.unwrap_or(self.complete_from)
    }
}

/// Compares the current state with the recorded one, and records the differences.
async fn observe(domain: &Domain, account_id: AccountId) -> Result<Record> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let now = domain.now();
    let stored = load(&transaction, account_id).await?;
    let current = Snapshot::load(&transaction, account_id).await?;
    let record = match stored {
        Some((mut record, updated_at)) if now - updated_at < MAX_AGE => {
            let mut ranges = record.snapshot.differences(&current);
            ranges.extend(snapshot::arrivals(&transaction, account_id, &record.snapshot, &current).await?);
            ranges.extend(snapshot::updates(&transaction, account_id, &record.snapshot, &current).await?);
            ranges.sort_unstable();
            ranges.dedup();
            let is_same = record.snapshot.has_same_states(&current) && ranges.is_empty();
            if is_same && now - updated_at < REFRESH_AGE {
                return Ok(record);
            }
            record.snapshot = current;
            record.add(now / 1000, ranges);
            record
        }
        outdated => Record::start(outdated.map_or(0, |(record, _)| record.last), now / 1000, current),
    };
    store(&transaction, account_id, &record, now).await?;
    transaction.commit().await?;
    Ok(record)
}

/// Returns the record of an account, with the time at which it was stored. `None` without one, or if a newer
/// version wrote it in another form.
async fn load(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Option<(Record, Millis)>> {
    let row = Entity::owned_by(account_id).one(connection).await?;
    Ok(row.and_then(|row| Some((serde_json::from_str(&row.record).ok()?, row.updated_at))))
}

async fn store(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    record: &Record,
    now: Millis,
) -> Result<()> {
    let row = ActiveModel {
        account_id: Set(account_id),
        record: Set(serde_json::to_string(record).map_err(Error::internal)?),
        updated_at: Set(now),
    };
    let replace =
        OnConflict::column(Column::AccountId).update_columns([Column::Record, Column::UpdatedAt]).to_owned();
    Entity::insert(row).on_conflict(replace).exec_without_returning(transaction).await?;
    Ok(())
}

/// Returns the ids in a range. Of several entries, only those that the account's lists contain are returned.
async fn ids_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    range: Range,
) -> Result<Vec<EntryId>> {
    if range.first == range.last {
        return Ok(vec![EntryId::new(range.first)]);
    }
    let sources = EntryScope::default().sources();
    let sql = format!(
        "SELECT e.id FROM ({sources}) o JOIN feed_entry e ON e.feed_id = o.feed_id AND e.id <= o.last_entry_id \
         WHERE e.feed_id = $4 AND e.id >= $5 AND e.id <= $6 AND {NOT_DUPLICATE} AND {NOT_MUTED}"
    );
    let mut values = EntryScope::default().values(account_id).to_vec();
    values.extend([range.feed.into(), range.first.into(), range.last.into()]);
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: i64, last: i64) -> Range {
        Range { feed: 1, first, last }
    }

    #[test]
    fn each_addition_has_its_own_second() {
        let mut record = Record::start(0, 1_000, Snapshot::default());
        record.add(1_000, vec![range(1, 1)]);
        record.add(1_000, Vec::new());
        record.add(1_000, vec![range(2, 2)]);
        record.add(2_000, vec![range(3, 3)]);
        let seconds: Vec<i64> = record.changes.iter().map(|change| change.second).collect();
        assert_eq!((seconds, record.complete_from), (vec![1_001, 1_002, 2_000], 1_000));
    }

    #[test]
    fn record_without_old_changes_is_complete_from_the_second_after_them() {
        let mut record = Record::start(0, 1_000, Snapshot::default());
        record.add(1_000, vec![range(1, 1), range(3, 3)]);
        record.add(1_500, vec![range(2, 2)]);
        record.add(1_200 + RETENTION_SECONDS, Vec::new());
        assert_eq!((record.changes.len(), record.complete_from), (1, 1_002));
        record.add(1_200 + RETENTION_SECONDS, (0..=20_000).map(|at| range(at, at)).collect());
        assert_eq!((record.changes.len(), record.complete_from), (0, record.last + 1));
    }

    #[test]
    fn pages_of_a_list_do_not_name_changes_of_the_last_minutes() {
        let mut record = Record::start(0, 1_000, Snapshot::default());
        record.add(1_100, vec![range(1, 1)]);
        record.add(2_000, vec![range(2, 2)]);
        assert_eq!(
            [1_100, 1_700, 2_599, 2_600].map(|now| record.settled_at(now)),
            [1_000, 1_100, 1_100, 2_000]
        );
    }
}
