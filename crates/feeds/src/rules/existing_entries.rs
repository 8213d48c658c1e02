//! Applies a new rule to the newest existing entries of its feeds.

use std::collections::HashMap;

use entities::ids::{AccountId, EntryId, FeedId, RuleId};
use entities::rss_rule;
use sea_orm::{ColumnTrait, Condition, DatabaseTransaction, QueryFilter, Value};

use super::super::entries::{list_entries, rows_of_ids};
use super::super::entry::Entry;
use super::super::entry_filter::EntryFilter;
use super::super::subscription;
use super::apply::{ActiveRule, evaluate, field_columns, fields_of_row};
use super::matching::{EntryFields, invalid_words};
use super::rule::{NewRule, RuleAction};
use super::saves;
use kernel::statement::{execute, placeholders};
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of unread entries to which a new rule is applied.
const MAX_APPLIED: u32 = 500;
/// Number of entries per statement.
const STEP: usize = 200;
/// Message about an expression that exceeds its time limit.
pub(crate) const TOO_COSTLY: &str =
    "This expression is too costly: it took too long on your entries. Simplify it.";

/// Returns the newest entries in the scope of a rule, with their content.
pub(super) async fn newest(
    domain: &Domain,
    account_id: AccountId,
    rule: &NewRule,
    unread: Option<bool>,
    most: u32,
) -> Result<Vec<(Entry, EntryFields)>> {
    let connection = domain.db().read();
    let mut feed_id: Option<FeedId> = None;
    if let Some(id) = rule.subscription_id {
        let followed = subscription::load(connection, &domain.policy().tiers, account_id, id).await?;
        feed_id = Some(followed.feed_id);
    }
    let filter = EntryFilter { feed_id, unread, ..EntryFilter::default() };
    let entries = list_entries(domain, account_id, &filter, None, most).await?.entries;
    let ids: Vec<EntryId> = entries.iter().map(|entry| entry.id).collect();
    let columns = format!("e.id, {}", field_columns());
    let rows = rows_of_ids(connection, account_id, &ids, &columns).await?;
    let mut texts = rows
        .iter()
        .map(|row| Ok((row.try_get_by_index(0)?, fields_of_row(row, 1)?)))
        .collect::<Result<HashMap<EntryId, EntryFields>>>()?;
    Ok(entries
        .into_iter()
        .filter_map(|entry| texts.remove(&entry.id).map(|fields| (entry, fields)))
        .collect())
}

/// Returns the unread entries to which a new rule applies: its matches, except entries that a keep rule protects.
/// Returns none for a keep rule, which changes no entry, and for a notify rule, which applies only to new entries.
pub(super) async fn matching_unread(
    domain: &Domain,
    account_id: AccountId,
    new: &NewRule,
) -> Result<Vec<EntryId>> {
    if matches!(new.action, RuleAction::Keep | RuleAction::Notify) {
        return Ok(Vec::new());
    }
    let mut rules = keep_rules(domain, account_id, new).await?;
    let id = RuleId::new(0);
    rules.push(ActiveRule {
        id,
        account_id,
        action: new.action,
        part: new.part,
        kind: new.kind,
        words: new.words.trim().to_owned(),
        notify: Vec::new(),
    });
    let entries = newest(domain, account_id, new, Some(true), MAX_APPLIED).await?;
    let entries = entries.into_iter().map(|(entry, fields)| (entry.id.as_i64(), fields)).collect();
    let decisions = evaluate(rules, entries, domain.now()).await?;
    if decisions.stopped.contains(&id) {
        return Err(too_slow());
    }
    let matches = if new.action.is_save() { decisions.saves } else { decisions.matches };
    Ok(matches.into_iter().map(|(entry_id, _)| EntryId::new(entry_id)).collect())
}

/// Returns the keep rules of the account for entries in the scope of the new rule.
async fn keep_rules(domain: &Domain, account_id: AccountId, new: &NewRule) -> Result<Vec<ActiveRule>> {
    use rss_rule::Column;
    let mut same = Condition::any().add(Column::SubscriptionId.is_null());
    if let Some(id) = new.subscription_id {
        same = same.add(Column::SubscriptionId.eq(id));
    }
    let rules = rss_rule::Entity::owned_by(account_id)
        .filter(Column::Action.eq(RuleAction::Keep.as_str()))
        .filter(Column::StoppedAt.is_null())
        .filter(same);
    rules.all(domain.db().read()).await?.into_iter().map(ActiveRule::of).collect()
}

/// Creates the error for an expression that exceeds its time limit.
pub(super) fn too_slow() -> Error {
    invalid_words(TOO_COSTLY.to_owned())
}

/// Marks entries as the action of a rule requires, or requests to star or save them.
pub(super) async fn apply(
    transaction: &DatabaseTransaction,
    now: Millis,
    (account_id, rule_id, action): (AccountId, RuleId, RuleAction),
    ids: &[EntryId],
) -> Result<()> {
    if action.is_save() {
        return saves::request_existing(transaction, now, (account_id, rule_id), ids).await;
    }
    let muted_by = matches!(action, RuleAction::Mute | RuleAction::Drop).then_some(rule_id);
    for chunk in ids.chunks(STEP) {
        let sql = format!(
            "INSERT INTO rss_entry_mark (account_id, feed_id, entry_id, unread, muted_by) \
             SELECT $1, e.feed_id, e.id, FALSE, CAST($2 AS bigint) FROM feed_entry e WHERE e.id IN ({}) \
             ON CONFLICT (account_id, feed_id, entry_id) DO UPDATE SET unread = excluded.unread, \
             muted_by = excluded.muted_by",
            placeholders(3, chunk.len())
        );
        let mut values: Vec<Value> = vec![account_id.into(), muted_by.into()];
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        execute(transaction, &sql, values).await?;
    }
    Ok(())
}
