//! Queue of saved items that wait for the rules of their account. A new item is queued in the transaction that saves
//! it. When its text is stored or given up, the account becomes due, and a job applies the rules (`rule_run`).

use entities::ids::{AccountId, ItemId, LibraryRuleId};
use entities::library_rule;
use entities::library_rule_item::{Entity, Model};
use entities::library_words::ItemStatus;
use jobs::{JobKind, Submitted};
use sea_orm::{DatabaseTransaction, EntityTrait, IntoActiveModel, QuerySelect, Value};

use super::due_accounts::DueWork;
use super::tags::Tag;
use super::transaction::LibraryTransaction;
use kernel::clock::MINUTE;
use kernel::statement::execute;
use kernel::{Domain, Error, Result};

/// SQL condition for items `i` that wait neither for their text nor for their file.
pub(crate) const SETTLED: &str = "i.article_status NOT IN ('queued', 'extracting', 'awaiting_upload')";

const DUE: DueWork = DueWork { column: "rules_due_at", kind: JobKind::ItemRules, lease: 10 * MINUTE };

/// Submits jobs for the accounts whose rules are due.
pub(crate) async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    DUE.claim(domain).await
}

/// Queues an item that was saved with this status and these tags, if its account has rules.
pub(crate) async fn enqueue(
    transaction: &LibraryTransaction,
    item_id: ItemId,
    status: ItemStatus,
    tags: &[Tag],
) -> Result<()> {
    let account_id = transaction.account_id;
    let rule = library_rule::Entity::owned_by(account_id)
        .select_only()
        .column(library_rule::Column::Id)
        .limit(1)
        .into_tuple::<LibraryRuleId>()
        .one(transaction.db())
        .await?;
    if rule.is_none() {
        return Ok(());
    }
    let keys: Vec<&str> = tags.iter().map(|tag| tag.key.as_str()).collect();
    let tags = serde_json::to_string(&keys).map_err(Error::internal)?;
    let row = Model { item_id, account_id, status, tags, is_waiting: true };
    Entity::insert(row.into_active_model()).exec_without_returning(transaction.db()).await?;
    release(transaction, item_id).await
}

/// Releases the item to the rules and makes the account due, if the item is queued and no longer waits for
/// its text.
pub(crate) async fn release(transaction: &LibraryTransaction, item_id: ItemId) -> Result<()> {
    let sql = format!(
        "UPDATE library_rule_item SET is_waiting = FALSE WHERE account_id = $1 AND item_id = $2 \
         AND EXISTS (SELECT 1 FROM library_item i WHERE i.id = library_rule_item.item_id AND {SETTLED})"
    );
    let account_id = transaction.account_id;
    if execute(transaction.db(), &sql, [account_id.into(), item_id.into()]).await? > 0 {
        let sql = "UPDATE library_account SET rules_due_at = $2 WHERE account_id = $1";
        execute(transaction.db(), sql, [account_id.into(), transaction.now.into()]).await?;
    }
    Ok(())
}

/// Renames the tag `from` in the tags with which queued items were saved, so that rules do not add a tag that the person
/// removed under its new name. A tag that is removed from the whole library remains in these tags.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    let Some(to) = to.filter(|to| to.key != from.key) else { return Ok(()) };
    let json = |key: &str| serde_json::to_string(key).map_err(Error::internal);
    let (from, to) = (json(&from.key)?, json(&to.key)?);
    // One statement, because a large import queues many items. A quotation mark within a key is escaped, so that these
    // texts match whole keys only.
    let renamed = "REPLACE(REPLACE(tags, $2, $3), $4, $5)";
    let sql =
        format!("UPDATE library_rule_item SET tags = {renamed} WHERE account_id = $1 AND tags <> {renamed}");
    let pairs = ["[", ","].map(|start| [format!("{start}{from}"), format!("{start}{to}")]);
    let values = pairs.into_iter().flatten().map(Value::from);
    execute(transaction, &sql, std::iter::once(account_id.into()).chain(values)).await?;
    Ok(())
}
