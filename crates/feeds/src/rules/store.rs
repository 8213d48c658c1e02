//! Creates, lists, and deletes rules.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, RuleId, SubscriptionId};
use entities::rss_rule::{self, Column, Entity};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    FromQueryResult, PaginatorTrait, QueryFilter, QueryResult,
};

use super::super::subscription;
use super::existing_entries;
use super::matching::Matcher;
use super::rule::{
    NewRule, Rule, RuleAction, RuleScope, UnsavedEntries, UnsavedReason, channels_of, tags_of, words_of,
};
use identity::accounts;
use identity::limits::check_plan_limit;
use kernel::bounds::{OBJECT_TAGS, RULES, TAG_CHARS};
use kernel::error::not_found;
use kernel::statement::{execute, statement};
use kernel::tag::Tag;
use kernel::{Code, Domain, Error, Result};

/// Returns the rules of one subscription, oldest first. If `subscription_id` is `None`, returns the rules
/// that apply to all subscriptions.
///
/// # Errors
/// `not_found` if the subscription belongs to another account.
#[boxed]
pub async fn list_rules(
    domain: &Domain,
    account_id: AccountId,
    subscription_id: Option<SubscriptionId>,
) -> Result<Vec<Rule>> {
    let connection = domain.db().read();
    if let Some(id) = subscription_id {
        subscription::load(connection, &domain.policy().tiers, account_id, id).await?;
    }
    let sql = format!(
        "{} WHERE r.account_id = $1 AND r.deleted_at IS NULL AND COALESCE(r.subscription_id, 0) = $2 ORDER BY r.id",
        select()
    );
    let values = [account_id.into(), subscription_id.map_or(0, SubscriptionId::as_i64).into()];
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter().map(read).collect()
}

/// Returns one rule of the account.
///
/// # Errors
/// `not_found` if the rule does not exist.
#[boxed]
pub async fn get_rule(domain: &Domain, account_id: AccountId, id: RuleId) -> Result<Rule> {
    let connection = domain.db().read();
    let sql = format!("{} WHERE r.account_id = $1 AND r.deleted_at IS NULL AND r.id = $2", select());
    let values = [account_id.into(), id.into()];
    let row = connection.query_one_raw(statement(connection, &sql, values)).await?;
    read(&row.ok_or_else(|| not_found("rule"))?)
}

fn select() -> &'static str {
    "SELECT r.*, (SELECT count(*) FROM rss_entry_mark m WHERE m.muted_by = r.id) AS muted FROM rss_rule r"
}

fn read(row: &QueryResult) -> Result<Rule> {
    let muted: i64 = row.try_get("", "muted")?;
    let row = rss_rule::Model::from_query_result(row, "")?;
    let (action, part, kind) = words_of(&row)?;
    let (tags, notify) = (tags_of(&row)?, channels_of(&row)?);
    let reason = row.unsaved_reason.as_deref().and_then(UnsavedReason::parse);
    let unsaved = reason.zip(row.unsaved_at).map(|(reason, last_at)| UnsavedEntries {
        count: row.unsaved.unsigned_abs(),
        reason,
        last_at,
    });
    Ok(Rule {
        id: row.id,
        subscription_id: row.subscription_id,
        action,
        part,
        kind,
        words: row.words,
        tags,
        notify,
        created_at: row.created_at,
        stopped_at: row.stopped_at,
        muted: muted.unsigned_abs(),
        dropped: row.dropped.unsigned_abs(),
        saved: row.saved.unsigned_abs(),
        unsaved,
    })
}

/// Returns the tags of a new rule as a JSON list. Empty if the rule does not save entries.
fn tags_column(new: &NewRule) -> Result<String> {
    let tags = if new.action == RuleAction::Save { Tag::list(&new.tags)? } else { Vec::new() };
    if tags.len() > OBJECT_TAGS || tags.iter().any(|tag| tag.name.chars().count() > TAG_CHARS) {
        let reason = format!("must be at most {OBJECT_TAGS}, each of at most {TAG_CHARS} characters");
        return Err(Error::invalid_field("tags", reason));
    }
    let names: Vec<String> = tags.into_iter().map(|tag| tag.name).collect();
    serde_json::to_string(&names).map_err(Error::internal)
}

/// Checks the channels of a new rule, and serializes them. Empty if the rule does not send entries to channels.
async fn notify_column(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    new: &NewRule,
) -> Result<String> {
    let channels = if new.action == RuleAction::Notify { new.notify.as_slice() } else { &[] };
    if new.action == RuleAction::Notify && channels.is_empty() {
        let message = "Select at least one channel.";
        return Err(Error::new(Code::InvalidRequest, message).at("notify", message));
    }
    notices::check_notify(connection, account_id, channels).await
}

/// Creates a rule for new entries, and applies it to unread entries if requested.
///
/// # Errors
/// `invalid_request` if the words, the expression, the date, the tags, or the channels are invalid; `limit_reached` if
/// the account has too many rules; `not_found` if the subscription or a channel belongs to another account.
#[boxed]
pub async fn create_rule(
    domain: &Domain,
    account_id: AccountId,
    new: &NewRule,
    scope: RuleScope,
) -> Result<RuleId> {
    Matcher::new(new.part, new.kind, &new.words)?;
    let tags = tags_column(new)?;
    let entry_ids = match scope {
        RuleScope::NewEntries => Vec::new(),
        RuleScope::NewAndUnread => existing_entries::matching_unread(domain, account_id, new).await?,
    };
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    if let Some(id) = new.subscription_id {
        subscription::load(&transaction, &domain.policy().tiers, account_id, id).await?;
    }
    let used = Entity::owned_by(account_id).filter(Column::DeletedAt.is_null()).count(&transaction).await?;
    check_plan_limit("rules for feeds", RULES, used)?;
    let count = if new.action == RuleAction::Drop { entry_ids.len() } else { 0 };
    let dropped = i64::try_from(count).unwrap_or(i64::MAX);
    let row = rss_rule::ActiveModel {
        account_id: Set(account_id),
        subscription_id: Set(new.subscription_id),
        action: Set(new.action.as_str().to_owned()),
        part: Set(new.part.as_str().to_owned()),
        kind: Set(new.kind.as_str().to_owned()),
        words: Set(new.words.trim().to_owned()),
        created_at: Set(now),
        stopped_at: Set(None),
        dropped: Set(dropped),
        tags: Set(tags),
        notify: Set(notify_column(&transaction, account_id, new).await?),
        ..Default::default()
    };
    let id = row.insert(&transaction).await?.id;
    existing_entries::apply(&transaction, now, (account_id, id, new.action), &entry_ids).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Deletes a rule. Entries that the rule hid are listed again. They are unread, unless all entries were
/// marked as read in the meantime. Entries that the rule dropped remain hidden.
///
/// # Errors
/// `not_found` if the rule does not exist.
#[boxed]
pub async fn delete_rule(domain: &Domain, account_id: AccountId, id: RuleId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    // Rows of deleted rules whose entries are no longer stored are not needed any more.
    let unused = "DELETE FROM rss_rule WHERE account_id = $1 AND deleted_at IS NOT NULL AND NOT EXISTS \
                  (SELECT 1 FROM rss_entry_mark m WHERE m.muted_by = rss_rule.id)";
    execute(&transaction, unused, [account_id.into()]).await?;
    // The row of a rule that dropped entries is retained while these entries are stored, because it hides
    // them.
    let retired = "UPDATE rss_rule SET deleted_at = $3, stopped_at = $3 WHERE account_id = $1 AND id = $2 \
                   AND action = 'drop' AND deleted_at IS NULL AND EXISTS (SELECT 1 FROM rss_entry_mark m \
                   WHERE m.muted_by = rss_rule.id)";
    let values = [account_id.into(), id.into(), domain.now().into()];
    if execute(&transaction, retired, values).await? > 0 {
        transaction.commit().await?;
        return Ok(());
    }
    let marks = "DELETE FROM rss_entry_mark WHERE account_id = $1 AND muted_by = $2";
    execute(&transaction, marks, [account_id.into(), id.into()]).await?;
    let deleted = Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Id.eq(id))
        .filter(Column::DeletedAt.is_null())
        .exec(&transaction)
        .await?;
    if deleted.rows_affected == 0 {
        return Err(not_found("rule"));
    }
    transaction.commit().await?;
    Ok(())
}

/// Updates the rules when the tag `from` is renamed or removed in the whole library. A removed tag is no longer added.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    for row in Entity::owned_by(account_id).filter(Column::Tags.ne("[]")).all(transaction).await? {
        let Some(tags) = Tag::change_stored(&row.tags, from, to)? else { continue };
        Entity::update_many()
            .set(rss_rule::ActiveModel { tags: Set(tags), ..Default::default() })
            .filter(Column::AccountId.eq(account_id))
            .filter(Column::Id.eq(row.id))
            .exec(transaction)
            .await?;
    }
    Ok(())
}
