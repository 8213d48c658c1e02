//! Marks of the tags that the language model or a rule attached. The mark of a tag that was removed from its item is
//! retained, so that the tag is not attached automatically again.

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_model_tag::{Column, Entity, Model};
use entities::library_words::TagSource;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter, Value};

use super::item::Item;
use super::tags::{MAX_TAGS, Tag};
use super::transaction::LibraryTransaction;
use super::visible_tags::VisibleTags;
use kernel::Result;
use kernel::statement::{execute, placeholders};

const ROWS_PER_STATEMENT: usize = 500;

/// Restrictions on the tags that are attached to items automatically.
#[derive(Debug)]
pub(crate) struct AttachableTags {
    marks: Vec<Model>,
    visible: VisibleTags,
}

impl AttachableTags {
    /// Loads the restrictions for these items.
    pub(crate) async fn load(transaction: &LibraryTransaction, ids: &[ItemId]) -> Result<Self> {
        let (connection, account_id) = (transaction.db(), transaction.account_id);
        let marks = Entity::owned_by(account_id).filter(Column::ItemId.is_in(ids.to_vec()));
        let visible = VisibleTags::load(connection, account_id).await?;
        Ok(Self { marks: marks.all(connection).await?, visible })
    }

    /// Selects the tags that an item receives. Omits tags that the item has, tags that were attached automatically
    /// before, and tags above the maximum number. Also omits tags that are public or shared with a team, because the
    /// text of an item must not make the item visible to other people.
    pub(crate) fn select(&self, item: &Item, tags: &[Tag]) -> Vec<Tag> {
        let present: Vec<Tag> = item.tags.iter().filter_map(|name| Tag::of(name)).collect();
        let is_new = |tag: &&Tag| {
            present.iter().all(|known| known.key != tag.key)
                && self.marks.iter().all(|mark| mark.item_id != item.id || mark.tag_key != tag.key)
                && !self.visible.contains(tag)
        };
        tags.iter().filter(is_new).take(MAX_TAGS.saturating_sub(present.len())).cloned().collect()
    }
}

/// Marks tags that were attached to an item.
pub(crate) async fn mark(
    transaction: &LibraryTransaction,
    item_id: ItemId,
    tags: &[Tag],
    source: TagSource,
) -> Result<()> {
    let (account_id, attached_at) = (transaction.account_id, transaction.now);
    let mark = |tag: &Tag| {
        let tag_key = tag.key.clone();
        Model { item_id, tag_key, account_id, is_attached: true, attached_at, source }.into_active_model()
    };
    if !tags.is_empty() {
        Entity::insert_many(tags.iter().map(mark)).exec_without_returning(transaction.db()).await?;
    }
    Ok(())
}

/// Records that items lack tags which were attached automatically. Called after the tags of the items were replaced.
pub(crate) async fn note_removals(transaction: &LibraryTransaction, ids: &[ObjectId]) -> Result<()> {
    for chunk in ids.chunks(ROWS_PER_STATEMENT) {
        let sql = format!(
            "UPDATE library_model_tag SET is_attached = FALSE WHERE account_id = $1 AND is_attached \
             AND item_id IN ({}) AND NOT EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = $1 \
             AND g.object_id = library_model_tag.item_id AND g.tag_key = library_model_tag.tag_key)",
            placeholders(2, chunk.len())
        );
        let mut values: Vec<Value> = vec![transaction.account_id.into()];
        values.extend(chunk.iter().map(|id| Value::from(*id)));
        execute(transaction.db(), &sql, values).await?;
    }
    Ok(())
}

/// Updates the marks of the tag `from` before the tag is renamed or removed in the whole library. If an item has both
/// tags, an existing mark of `to` is retained.
pub(crate) async fn apply_tag_change(
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    from: &Tag,
    to: Option<&Tag>,
) -> Result<()> {
    let of: [Value; 2] = [account_id.into(), from.key.as_str().into()];
    let Some(to) = to else {
        let sql = "UPDATE library_model_tag SET is_attached = FALSE WHERE account_id = $1 AND tag_key = $2";
        execute(transaction, sql, of).await?;
        return Ok(());
    };
    if to.key == from.key {
        return Ok(());
    }
    let values: Vec<Value> = of.into_iter().chain([to.key.as_str().into()]).collect();
    let both = "DELETE FROM library_model_tag WHERE account_id = $1 AND tag_key = $2 AND (EXISTS \
                (SELECT 1 FROM library_model_tag m WHERE m.item_id = library_model_tag.item_id AND m.tag_key = $3) \
                OR EXISTS (SELECT 1 FROM library_tagged g WHERE g.account_id = $1 \
                AND g.object_id = library_model_tag.item_id AND g.tag_key = $3))";
    execute(transaction, both, values.clone()).await?;
    let renamed = "UPDATE library_model_tag SET tag_key = $3 WHERE account_id = $1 AND tag_key = $2";
    execute(transaction, renamed, values).await?;
    Ok(())
}
