//! Tags that the language model attached to items. Each of them has a mark (`tag_marks`).

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_model_tag::{Column, Entity};
use entities::library_words::TagSource;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, Value};

use super::change::change_items;
use super::item::{self, Item};
use super::tag_marks::{self, AttachableTags};
use super::tags::Tag;
use super::transaction::LibraryTransaction;
use jobs::{Claimed, JobKind, NewJob, Submitted};
use kernel::statement::{placeholders, statement};
use kernel::{Code, Domain, Error, Result};

/// Number of items from which one transaction of a job removes tags.
const STEP: u32 = 100;
/// Marks of the tags that the model attached and that the items still have.
const ATTACHED: &str = "library_model_tag m JOIN library_tagged g ON g.account_id = m.account_id \
     AND g.object_id = m.item_id AND g.tag_key = m.tag_key \
     WHERE m.account_id = $1 AND m.is_attached AND m.source = 'model'";

/// Number of tags that the model attached, and number of items that have such tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelTagCounts {
    pub tags: u64,
    pub items: u64,
}

/// Item with the tags that the model attached to it.
#[derive(Clone, Debug)]
pub struct TaggedByModel {
    pub item: Item,
    /// Tags in the account's spelling.
    pub tags: Vec<String>,
}

/// Adds the tags that may be attached to an item automatically, and marks them. Returns the attached tags.
#[boxed]
pub async fn attach_model_tags(
    transaction: &mut LibraryTransaction,
    item_id: ItemId,
    tags: &[Tag],
) -> Result<Vec<Tag>> {
    let items = item::find_all(transaction.db(), transaction.account_id, &[item_id]).await?;
    let Some(item) = items.first() else { return Ok(Vec::new()) };
    let new = AttachableTags::load(transaction, &[item_id]).await?.select(item, tags);
    if new.is_empty() {
        return Ok(new);
    }
    change_items(transaction, &items, |item, tags| {
        Ok((item.row.clone(), tags.iter().chain(&new).cloned().collect()))
    })
    .await?;
    tag_marks::mark(transaction, item_id, &new, TagSource::Model).await?;
    Ok(new)
}

/// Returns the tags that the model attached to an item, in the account's spelling.
#[boxed]
pub async fn model_tags_of(domain: &Domain, account_id: AccountId, item_id: ItemId) -> Result<Vec<String>> {
    let mut tags = names_of(domain.db().read(), account_id, &[item_id]).await?;
    Ok(tags.remove(&item_id).unwrap_or_default())
}

/// Returns the tags that the model attached to these items, in the account's spelling. Omits items without such tags.
async fn names_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<HashMap<ItemId, Vec<String>>> {
    let mut names: HashMap<ItemId, Vec<String>> = HashMap::new();
    if ids.is_empty() {
        return Ok(names);
    }
    let sql = format!(
        "SELECT m.item_id, (SELECT t.name FROM library_tag t WHERE t.account_id = m.account_id \
         AND t.tag_key = m.tag_key) FROM {ATTACHED} AND m.item_id IN ({}) ORDER BY m.item_id, g.position",
        placeholders(2, ids.len())
    );
    let values = std::iter::once(account_id.into()).chain(ids.iter().map(|id| Value::from(*id)));
    for row in connection.query_all_raw(statement(connection, &sql, values)).await? {
        let name: Option<String> = row.try_get_by_index(1)?;
        names.entry(row.try_get_by_index(0)?).or_default().extend(name);
    }
    Ok(names)
}

/// Counts the tags that the model attached.
#[boxed]
pub async fn count_model_tags(domain: &Domain, account_id: AccountId) -> Result<ModelTagCounts> {
    let connection = domain.db().read();
    let sql = format!("SELECT COUNT(*), COUNT(DISTINCT m.item_id) FROM {ATTACHED}");
    let row = connection.query_one_raw(statement(connection, &sql, [account_id.into()])).await?;
    let Some(row) = row else { return Ok(ModelTagCounts::default()) };
    let count = |index: usize| -> Result<u64> {
        let number: i64 = row.try_get_by_index(index)?;
        Ok(u64::try_from(number).unwrap_or(0))
    };
    Ok(ModelTagCounts { tags: count(0)?, items: count(1)? })
}

/// Lists at most `limit` items with tags that the model attached, most recently tagged first.
#[boxed]
pub async fn list_tagged_by_model(
    domain: &Domain,
    account_id: AccountId,
    limit: u32,
) -> Result<Vec<TaggedByModel>> {
    let connection = domain.db().read();
    let sql = format!(
        "SELECT m.item_id FROM {ATTACHED} GROUP BY m.item_id ORDER BY MAX(m.attached_at) DESC, m.item_id DESC \
         LIMIT {limit}"
    );
    let rows = connection.query_all_raw(statement(connection, &sql, [account_id.into()])).await?;
    let ids = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<ItemId>>>()?;
    let mut tags = names_of(connection, account_id, &ids).await?;
    let mut items = item::find_all(connection, account_id, &ids).await?;
    items.sort_by_key(|item| ids.iter().position(|id| *id == item.id));
    let tagged = |item: Item| TaggedByModel { tags: tags.remove(&item.id).unwrap_or_default(), item };
    Ok(items.into_iter().map(tagged).collect())
}

/// Removes the tags that the model attached to an item.
#[boxed]
pub async fn remove_model_tags(domain: &Domain, account_id: AccountId, item_id: ItemId) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    remove_from(&mut transaction, &[item_id]).await?;
    transaction.commit().await
}

/// Removes the tags that the model attached to these items.
async fn remove_from(transaction: &mut LibraryTransaction, ids: &[ItemId]) -> Result<()> {
    let account_id = transaction.account_id;
    let marks = Entity::owned_by(account_id)
        .filter(Column::ItemId.is_in(ids.to_vec()))
        .filter(Column::IsAttached.eq(true))
        .filter(Column::Source.eq(TagSource::Model))
        .all(transaction.db())
        .await?;
    let items = item::find_all(transaction.db(), account_id, ids).await?;
    let is_marked =
        |item: &Item, tag: &Tag| marks.iter().any(|mark| mark.item_id == item.id && mark.tag_key == tag.key);
    change_items(transaction, &items, |item, tags| {
        let remaining = tags.iter().filter(|tag| !is_marked(item, tag)).cloned().collect();
        Ok((item.row.clone(), remaining))
    })
    .await
}

/// Submits a job that removes all tags that the model attached. The caller pushes the job.
#[boxed]
pub async fn request_removal_of_model_tags(domain: &Domain, account_id: AccountId) -> Result<Submitted> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let job = NewJob::new(JobKind::ModelTags, account_id.to_string()).owner(account_id);
    let submitted = jobs::submit(transaction.db(), domain, job).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// Runs the claimed job that removes all tags that the model attached. Each step is a transaction, so a killed run can be
/// repeated.
#[boxed]
pub async fn remove_all_model_tags(domain: &Domain, claimed: &Claimed) -> Result<()> {
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    let sql = format!("SELECT DISTINCT m.item_id FROM {ATTACHED} ORDER BY m.item_id LIMIT {STEP}");
    loop {
        let mut transaction = match LibraryTransaction::begin(domain, account_id).await {
            Ok(transaction) => transaction,
            // The account was deleted, and its tags with it.
            Err(error) if error.code == Code::NotFound => return jobs::complete(domain, claimed).await,
            Err(error) => return Err(error),
        };
        jobs::lock_claim_in(transaction.db(), claimed).await?;
        let query = statement(transaction.db(), &sql, [account_id.into()]);
        let rows = transaction.db().query_all_raw(query).await?;
        let ids = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<Vec<ItemId>>>()?;
        if ids.is_empty() {
            jobs::complete_in(transaction.db(), domain, claimed).await?;
            return transaction.commit().await;
        }
        remove_from(&mut transaction, &ids).await?;
        transaction.commit().await?;
    }
}
