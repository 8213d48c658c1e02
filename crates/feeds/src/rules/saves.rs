//! Entries that rules star or save. The transaction that writes an entry records it as pending; a job then
//! stars and saves the pending entries of an account, newest first. All rules of an account star or save at
//! most [`RULE_SAVES_PER_DAY`] entries in 24 hours. Entries beyond this limit, and entries that cannot be
//! saved, are counted with a reason. An entry that fails does not delay the others, and has at most
//! [`MAX_TRIES`] attempts.

use std::collections::{BTreeMap, HashSet};

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, EntryId, FeedId, RuleId};
use entities::rss_rule;
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, Value};

use super::super::saved_entries::{self, RequestedSave, SaveResult};
use super::super::sql::value_rows;
use super::rule::{RuleAction, UnsavedReason, tags_of, words_of};
use jobs::{Claimed, JobKind, NewJob, Submitted, due};
use kernel::bounds::{OBJECT_TAGS, RULE_SAVES_PER_DAY};
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::statement::{columns_of, execute, placeholders, scalar, statement};
use kernel::{Code, Domain, Error, Millis, Result};

/// Number of rows per statement.
const STEP: usize = 200;
/// Maximum number of accounts whose jobs one tick submits.
const ACCOUNTS_PER_TICK: u32 = 50;
/// Time, in milliseconds, after which another job is submitted for a lost job.
const LEASE: Millis = 10 * MINUTE;
/// Maximum number of failed attempts to save an entry. A job has five attempts, so five jobs reach it, in
/// about an hour.
const MAX_TRIES: i32 = 25;
/// Time after which a job deletes the row of a saved entry, in milliseconds. It exceeds the day for which the row
/// counts, because the clocks of two workers may differ.
const SAVED_ROW_RETENTION: Millis = DAY + HOUR;

/// Records new entries of a feed, by their keys, that rules star or save.
pub(super) async fn request(
    transaction: &DatabaseTransaction,
    now: Millis,
    feed_id: FeedId,
    saves: &[(i64, RuleId)],
) -> Result<()> {
    for chunk in saves.chunks(STEP) {
        let sql = format!(
            "INSERT INTO rss_rule_save (account_id, entry_id, rule_id, due_at) \
             SELECT r.account_id, e.id, r.id, CAST($2 AS bigint) \
             FROM (VALUES {}) v JOIN rss_rule r ON r.id = v.column2 \
             JOIN feed_entry e ON e.feed_id = $1 AND e.entry_key = v.column1 WHERE TRUE \
             ON CONFLICT (account_id, entry_id, rule_id) DO NOTHING",
            value_rows(3, chunk.len(), &["bigint", "bigint"])
        );
        let mut values: Vec<Value> = vec![feed_id.into(), now.into()];
        values.extend(chunk.iter().flat_map(|(key, rule)| [Value::from(*key), Value::from(*rule)]));
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}

/// Records existing entries that a new rule stars or saves.
pub(super) async fn request_existing(
    transaction: &DatabaseTransaction,
    now: Millis,
    (account_id, rule_id): (AccountId, RuleId),
    ids: &[EntryId],
) -> Result<()> {
    for chunk in ids.chunks(STEP) {
        let sql = format!(
            "INSERT INTO rss_rule_save (account_id, entry_id, rule_id, due_at) \
             SELECT $1, e.id, CAST($2 AS bigint), CAST($3 AS bigint) FROM feed_entry e WHERE e.id IN ({}) \
             ON CONFLICT (account_id, entry_id, rule_id) DO NOTHING",
            placeholders(4, chunk.len())
        );
        let mut values: Vec<Value> = vec![account_id.into(), rule_id.into(), now.into()];
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}

/// Withdraws pending entries of a feed after the entry `after` that duplicate entries of the previous feed of moved
/// followers.
pub(crate) async fn withdraw_duplicates(
    transaction: &DatabaseTransaction,
    into: FeedId,
    after: EntryId,
) -> Result<()> {
    // The pairs allow the database to use the primary key instead of reading the pending entries of all accounts.
    let sql = "DELETE FROM rss_rule_save WHERE saved_at IS NULL AND (account_id, entry_id) IN \
               (SELECT p.account_id, t.twin_id FROM rss_former_feed p JOIN feed_entry_twin t ON t.into_feed_id = $1 \
               JOIN feed_entry a ON a.id = t.entry_id AND a.feed_id = p.feed_id AND a.id <= p.last_entry_id \
               WHERE p.into_feed_id = $1 AND t.twin_id > $2)";
    execute(transaction, sql, [into.into(), after.into()]).await?;
    Ok(())
}

/// Submits one job for each account with due entries. The caller must push the jobs.
///
/// # Errors
/// `Unavailable` or `Internal` if the database cannot claim the entries.
#[boxed]
pub async fn claim_saves(domain: &Domain) -> Result<Vec<Submitted>> {
    let transaction = domain.db().begin().await?;
    let now = due::current_time(&transaction, domain).await?;
    let sql = format!(
        "UPDATE rss_rule_save SET due_at = $2 WHERE due_at <= $1 AND account_id IN \
         (SELECT account_id FROM rss_rule_save WHERE due_at <= $1 GROUP BY account_id \
         ORDER BY MIN(due_at) LIMIT {ACCOUNTS_PER_TICK}) RETURNING account_id"
    );
    let values = [now.into(), (now + LEASE).into()];
    let rows = transaction.query_all_raw(statement(&transaction, &sql, values)).await?;
    let account_ids =
        rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<HashSet<AccountId>>>()?;
    let mut submitted = Vec::with_capacity(account_ids.len());
    for account_id in account_ids {
        let job = NewJob::new(JobKind::FeedRule, account_id.to_string());
        submitted.push(jobs::submit(&transaction, domain, job).await?);
    }
    transaction.commit().await?;
    Ok(submitted)
}

/// Pending entry, with the rules that matched it.
struct PendingEntry {
    entry_id: EntryId,
    rules: Vec<(RuleId, RuleAction)>,
    requested: RequestedSave,
}

impl PendingEntry {
    /// Adds a rule. An item receives the tags of all rules that save it, up to the maximum number.
    fn add(&mut self, rule: &rss_rule::Model) -> Result<()> {
        let (action, ..) = words_of(rule)?;
        self.rules.push((rule.id, action));
        if action == RuleAction::Star {
            self.requested.star = true;
            return Ok(());
        }
        let tags = self.requested.tags.get_or_insert_default();
        for tag in tags_of(rule)? {
            if tags.len() < OBJECT_TAGS && !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        Ok(())
    }
}

/// Stars and saves the pending entries of the account of a job.
///
/// # Errors
/// Returns transient errors of the database, and of the library after the other entries were saved. The failed entries
/// remain pending.
#[boxed]
pub async fn save_pending(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    delete_unneeded(domain, account_id).await?;
    loop {
        let left = remaining(domain, account_id).await?;
        if left == 0 {
            refuse_pending(domain, account_id).await?;
            break;
        }
        let pending = pending_entries(domain, account_id, left).await?;
        if pending.is_empty() {
            break;
        }
        let mut failure = None;
        for entry in pending {
            if let Err(error) = save(domain, account_id, entry).await {
                failure.get_or_insert(error);
            }
        }
        if let Some(error) = failure {
            return Err(error);
        }
    }
    jobs::complete(domain, claimed).await
}

/// Deletes pending entries of deleted rules, and saved entries that no longer count.
async fn delete_unneeded(domain: &Domain, account_id: AccountId) -> Result<()> {
    let sql = "DELETE FROM rss_rule_save WHERE account_id = $1 AND (saved_at <= $2 OR (saved_at IS NULL \
               AND NOT EXISTS (SELECT 1 FROM rss_rule r WHERE r.id = rss_rule_save.rule_id)))";
    execute(domain.db().write(), sql, [account_id.into(), (domain.now() - DAY).into()]).await?;
    Ok(())
}

/// Returns the number of entries that the rules of an account may still star or save today.
async fn remaining(domain: &Domain, account_id: AccountId) -> Result<u32> {
    let sql = "SELECT count(DISTINCT entry_id) FROM rss_rule_save WHERE account_id = $1 AND saved_at > $2";
    let saved = scalar(domain.db().write(), sql, [account_id.into(), (domain.now() - DAY).into()]).await?;
    Ok(RULE_SAVES_PER_DAY.saturating_sub(u32::try_from(saved).unwrap_or(u32::MAX)))
}

/// Returns the newest pending entries, at most `limit`, oldest first.
async fn pending_entries(domain: &Domain, account_id: AccountId, limit: u32) -> Result<Vec<PendingEntry>> {
    let connection = domain.db().write();
    let sql = format!(
        "SELECT w.entry_id AS pending_id, {} FROM rss_rule_save w \
         JOIN rss_rule r ON r.id = w.rule_id AND r.account_id = w.account_id \
         WHERE w.account_id = $1 AND w.saved_at IS NULL AND w.entry_id IN \
         (SELECT p.entry_id FROM rss_rule_save p WHERE p.account_id = $1 AND p.saved_at IS NULL \
         GROUP BY p.entry_id ORDER BY p.entry_id DESC LIMIT {limit}) ORDER BY w.entry_id, r.id",
        columns_of::<rss_rule::Entity>("r")
    );
    let mut pending: Vec<PendingEntry> = Vec::new();
    for row in connection.query_all_raw(statement(connection, &sql, [account_id.into()])).await? {
        let entry_id: EntryId = row.try_get("", "pending_id")?;
        if pending.last().is_none_or(|last| last.entry_id != entry_id) {
            pending.push(PendingEntry { entry_id, rules: Vec::new(), requested: RequestedSave::default() });
        }
        if let Some(last) = pending.last_mut() {
            last.add(&rss_rule::Model::from_query_result(&row, "r_")?)?;
        }
    }
    Ok(pending)
}

/// Stars or saves one entry, and records the result with its rules. A rule whose action changed nothing, because the
/// entry was starred or saved before, does not count the entry.
async fn save(domain: &Domain, account_id: AccountId, entry: PendingEntry) -> Result<()> {
    let PendingEntry { entry_id, rules, requested } = entry;
    let unsaved = match saved_entries::save_by_rule(domain, account_id, entry_id, requested).await {
        Ok(results) => {
            let result_of = |action: RuleAction| {
                if action == RuleAction::Star { results.starred } else { results.saved }
            };
            let saved = rules.iter().filter(|(_, action)| result_of(*action) == SaveResult::Saved);
            let effective: Vec<RuleId> = saved.map(|(rule, _)| *rule).collect();
            if !effective.is_empty() {
                return record_saved(domain, account_id, entry_id, &effective).await;
            }
            let is_deleted = [results.saved, results.starred].contains(&SaveResult::Deleted);
            is_deleted.then_some(UnsavedReason::Deleted)
        }
        Err(error) if error.is_transient() => {
            if count_failure(domain, account_id, entry_id).await? < MAX_TRIES {
                return Err(error);
            }
            tracing::warn!(%account_id, %entry_id, error = %error.report(), "entry given up by rules");
            Some(UnsavedReason::Failed)
        }
        Err(error) if error.code == Code::StorageLimitReached => Some(UnsavedReason::StorageLimit),
        Err(error) => {
            tracing::info!(%account_id, %entry_id, %error, "entry not saved by a rule");
            Some(UnsavedReason::Unavailable)
        }
    };
    let transaction = domain.db().begin().await?;
    let sql = "DELETE FROM rss_rule_save WHERE account_id = $1 AND entry_id = $2 AND saved_at IS NULL";
    execute(&transaction, sql, [account_id.into(), entry_id.into()]).await?;
    if let Some(reason) = unsaved {
        let counts = rules.into_iter().map(|(rule, _)| (rule, 1)).collect();
        count_unsaved(&transaction, domain.now(), account_id, (counts, reason)).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Counts a failed attempt to save an entry. Returns the number of failed attempts.
async fn count_failure(domain: &Domain, account_id: AccountId, entry_id: EntryId) -> Result<i32> {
    let connection = domain.db().write();
    let sql = "UPDATE rss_rule_save SET tries = tries + 1 WHERE account_id = $1 AND entry_id = $2 \
               AND saved_at IS NULL RETURNING tries";
    let values = [account_id.into(), entry_id.into()];
    let rows = connection.query_all_raw(statement(connection, sql, values)).await?;
    let tries = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<i32>>>()?;
    Ok(tries.into_iter().max().unwrap_or(0))
}

/// Completes a saved entry, and counts it with the rules whose actions had an effect.
async fn record_saved(
    domain: &Domain,
    account_id: AccountId,
    entry_id: EntryId,
    effective: &[RuleId],
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let now = domain.now();
    let sql = "UPDATE rss_rule_save SET saved_at = $3, due_at = $4 WHERE account_id = $1 AND entry_id = $2 \
               AND saved_at IS NULL";
    let values = [account_id.into(), entry_id.into(), now.into(), (now + SAVED_ROW_RETENTION).into()];
    execute(&transaction, sql, values).await?;
    for rule in effective {
        let sql = "UPDATE rss_rule SET saved = saved + 1 WHERE account_id = $1 AND id = $2";
        execute(&transaction, sql, [account_id.into(), (*rule).into()]).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Refuses the pending entries of an account that has reached its daily limit.
async fn refuse_pending(domain: &Domain, account_id: AccountId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let sql = "DELETE FROM rss_rule_save WHERE account_id = $1 AND saved_at IS NULL RETURNING rule_id";
    let rows = transaction.query_all_raw(statement(&transaction, sql, [account_id.into()])).await?;
    let mut counts: BTreeMap<RuleId, i64> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.try_get_by_index(0)?).or_default() += 1;
    }
    count_unsaved(&transaction, domain.now(), account_id, (counts, UnsavedReason::DailyLimit)).await?;
    transaction.commit().await?;
    Ok(())
}

/// Adds entries that were not starred or saved to the results of their rules.
async fn count_unsaved(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    (counts, reason): (BTreeMap<RuleId, i64>, UnsavedReason),
) -> Result<()> {
    for (rule, count) in counts {
        let sql = "UPDATE rss_rule SET unsaved = unsaved + $3, unsaved_reason = $4, unsaved_at = $5 \
                   WHERE account_id = $1 AND id = $2";
        let values = [account_id.into(), rule.into(), count.into(), reason.as_str().into(), now.into()];
        execute(transaction, sql, values).await?;
    }
    Ok(())
}
