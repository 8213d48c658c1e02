//! Vectors of the passages of an account's items, most recently saved items first, as many as the plan allows.

use std::collections::HashMap;

use entities::ids::{AccountId, ItemId};
use entities::item_embedding::{ActiveModel, Column, Entity, Model};
use entities::{library_item, model_item_index};
use kernel::statement::{execute, scalar, statement};
use kernel::{Domain, Millis, Result};
use library::StoredText;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, QueryFilter, QueryResult,
    QuerySelect, Value,
};

use crate::choice::ModelChoice;
use crate::consent;
use crate::embedding::{Embedding, bytes_of_passages, nearest_passage};
use crate::source_text::{SplitText, single_line, split_paragraphs};
use crate::vector_index::{self, VectorTable};

/// Maximum number of characters of a passage.
const PASSAGE_CHARS: usize = 2_000;
/// Maximum number of passages of an item.
pub(crate) const MAX_PASSAGES: usize = 50;
/// Maximum number of characters of a text that are indexed.
pub const MAX_INDEXED_CHARS: usize = MAX_PASSAGES * PASSAGE_CHARS;
const MAX_TITLE_CHARS: usize = 300;
/// Number of items whose texts are loaded at a time.
const ITEMS_PER_PAGE: usize = 16;
/// Condition that an item `i` of account `$1` has a text, and that its deletion is not pending.
const HAS_TEXT: &str = "i.account_id = $1 AND i.content_hash IS NOT NULL \
     AND NOT EXISTS (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = i.id)";

/// Item without vectors of its current text.
#[derive(Clone, Debug)]
pub(crate) struct UnindexedItem {
    id: ItemId,
    content_hash: String,
    saved_at: Millis,
}

/// Passages of an item. Each text is the title of the item, followed by one passage.
pub(crate) struct ItemPassages {
    item: UnindexedItem,
    pub(crate) texts: Vec<String>,
    /// True if the text has further passages.
    is_cut: bool,
}

/// Parts of a library that the index covers.
#[derive(Debug, Default)]
pub(crate) struct IndexCoverage {
    /// Number of items with a text.
    pub(crate) with_text: usize,
    /// Number of items with a text and without an excluded tag.
    pub(crate) to_index: usize,
    /// Number of items of which only some passages have vectors.
    pub(crate) partial: usize,
    /// True if the items have more passages than the plan allows.
    pub(crate) is_full: bool,
    /// Error code of the last update of the index, if it failed.
    pub(crate) reason: Option<String>,
}

/// Vectors of the items of an account by one model.
pub(crate) struct ItemIndex {
    pub(crate) account_id: AccountId,
    /// Name of the embedding model.
    pub(crate) model: String,
}

impl ItemIndex {
    /// Deletes vectors of other models, and of items that have no text or an excluded tag.
    pub(crate) async fn delete_surplus(&self, domain: &Domain, choice: &ModelChoice) -> Result<()> {
        let surplus = format!(
            "FROM item_embedding WHERE account_id = $1 AND (model <> $2 OR NOT EXISTS \
             (SELECT 1 FROM library_item i WHERE i.id = item_embedding.item_id AND i.account_id = $1 \
             AND i.content_hash IS NOT NULL AND {}))",
            choice.without_excluded(3)
        );
        let values: Vec<Value> = self.values().into_iter().chain(choice.excluded_keys()).collect();
        // Most runs find nothing to delete, so SQLite's single writer does not wait for the comparison.
        if scalar(domain.db().read(), &format!("SELECT COUNT(*) {surplus}"), values.clone()).await? > 0 {
            execute(domain.db().write(), &format!("DELETE {surplus}"), values).await?;
        }
        Ok(())
    }

    /// Deletes vectors with another number of components than the vector of a query. A model server may return such
    /// vectors for the same model name after a change of its configuration.
    pub(crate) async fn delete_incomparable(
        &self,
        transaction: &DatabaseTransaction,
        query: &Embedding,
    ) -> Result<()> {
        let sql = "DELETE FROM item_embedding WHERE account_id = $1 AND model = $2 AND passages > 0 \
             AND substr(vector, 1, 4) <> $3";
        let mut values = self.values();
        values.push(query.comparable_prefix().to_vec().into());
        execute(transaction, sql, values).await?;
        Ok(())
    }

    /// Deletes the vectors of the least recently saved items, so that at most `limit` passages remain.
    pub(crate) async fn trim(&self, domain: &Domain, limit: i64) -> Result<()> {
        if self.passages(domain).await? <= limit {
            return Ok(());
        }
        let sql = "DELETE FROM item_embedding WHERE account_id = $1 AND item_id IN (SELECT id FROM \
             (SELECT i.id AS id, SUM(e.passages + e.refused) OVER (ORDER BY i.saved_at DESC, i.id DESC) AS total \
             FROM item_embedding e JOIN library_item i ON i.id = e.item_id WHERE e.account_id = $1) counted \
             WHERE total > $2)";
        execute(domain.db().write(), sql, [self.account_id.into(), limit.into()]).await?;
        Ok(())
    }

    /// Returns the number of indexed passages.
    pub(crate) async fn passages(&self, domain: &Domain) -> Result<i64> {
        let sql = "SELECT SUM(passages + refused) FROM item_embedding WHERE account_id = $1";
        scalar(domain.db().read(), sql, [self.account_id.into()]).await
    }

    /// Returns the next items after the item `after` whose current text has no vectors, the most recently saved first.
    /// Items without a text, with a pending deletion, or with an excluded tag are skipped.
    pub(crate) async fn unindexed(
        &self,
        domain: &Domain,
        choice: &ModelChoice,
        after: Option<&UnindexedItem>,
    ) -> Result<Vec<UnindexedItem>> {
        let mut values = self.values();
        let is_next = match after {
            Some(item) => {
                values.extend([Value::from(item.saved_at), Value::from(item.id)]);
                "(i.saved_at < $3 OR (i.saved_at = $3 AND i.id < $4))"
            }
            None => "TRUE",
        };
        let without_excluded = choice.without_excluded(values.len() + 1);
        values.extend(choice.excluded_keys());
        let sql = format!(
            "SELECT i.id, i.content_hash, i.saved_at FROM library_item i \
             WHERE {HAS_TEXT} AND {is_next} AND {without_excluded} \
             AND NOT EXISTS (SELECT 1 FROM item_embedding e WHERE e.item_id = i.id AND e.account_id = $1 \
             AND e.model = $2 AND e.content_hash = i.content_hash AND e.passages + e.refused > 0) \
             ORDER BY i.saved_at DESC, i.id DESC LIMIT {ITEMS_PER_PAGE}"
        );
        let connection = domain.db().read();
        let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
        let read = |row: &QueryResult| {
            Ok(UnindexedItem {
                id: row.try_get_by_index(0)?,
                content_hash: row.try_get_by_index(1)?,
                saved_at: row.try_get_by_index(2)?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Returns the number of indexed passages of items that were saved after an item.
    pub(crate) async fn newer_passages(&self, domain: &Domain, passages: &ItemPassages) -> Result<i64> {
        let item = &passages.item;
        let sql = "SELECT SUM(e.passages + e.refused) FROM item_embedding e \
             JOIN library_item i ON i.id = e.item_id WHERE e.account_id = $1 AND e.model = $2 \
             AND (i.saved_at > $3 OR (i.saved_at = $3 AND i.id > $4))";
        let mut values = self.values();
        values.extend([Value::from(item.saved_at), Value::from(item.id)]);
        scalar(domain.db().read(), sql, values).await
    }

    /// Loads at most `max_passages` passages of each item, in the order of the items. Items that were deleted are left out.
    pub(crate) async fn load(
        &self,
        domain: &Domain,
        items: Vec<UnindexedItem>,
        max_passages: usize,
    ) -> Result<Vec<ItemPassages>> {
        let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
        let mut texts: HashMap<ItemId, SplitText> = HashMap::new();
        let mut visit = |text: StoredText| {
            let paragraphs = text.document.blocks.iter().map(|block| block.text.as_str());
            let split = split_paragraphs(paragraphs, PASSAGE_CHARS, max_passages);
            texts.insert(text.item_id, split);
        };
        library::visit_texts(domain, self.account_id, &ids, &mut visit).await?;
        let present = library::find(domain, self.account_id, &ids).await?;
        let titles: HashMap<ItemId, &str> =
            present.iter().map(|item| (item.id, item.title.as_str())).collect();
        let passages = |item: UnindexedItem| {
            let title = single_line(titles.get(&item.id)?, MAX_TITLE_CHARS);
            let empty = || SplitText { passages: vec![String::new()], is_partial: false };
            let split = texts.remove(&item.id).unwrap_or_else(empty);
            let texts = split.passages.iter().map(|passage| format!("{title}\n{passage}")).collect();
            Some(ItemPassages { item, texts, is_cut: split.is_partial })
        };
        Ok(items.into_iter().filter_map(passages).collect())
    }

    /// Stores the vectors of the passages of each item, `None` for a refused passage. Items that were deleted in the
    /// meantime are skipped. Nothing is stored if the consent was withdrawn in the meantime.
    pub(crate) async fn store(
        &self,
        domain: &Domain,
        indexed: Vec<(ItemPassages, Vec<Option<Embedding>>)>,
    ) -> Result<()> {
        let ids: Vec<ItemId> = indexed.iter().map(|(passages, _)| passages.item.id).collect();
        let transaction = consent::begin_with_consent(domain, self.account_id).await?;
        let Some(transaction) = transaction else { return Ok(()) };
        let present: Vec<ItemId> = library_item::Entity::owned_by(self.account_id)
            .select_only()
            .column(library_item::Column::Id)
            .filter(library_item::Column::Id.is_in(ids.clone()))
            .into_tuple()
            .all(&transaction)
            .await?;
        let rows = indexed.into_iter().filter(|(passages, _)| present.contains(&passages.item.id));
        let rows: Vec<ActiveModel> = rows.map(|(passages, vectors)| self.row(passages, vectors)).collect();
        vector_index::replace::<Entity>(&transaction, self.account_id, ids, rows).await?;
        transaction.commit().await?;
        Ok(())
    }

    fn row(&self, passages: ItemPassages, vectors: Vec<Option<Embedding>>) -> ActiveModel {
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let all = vectors.len();
        let vectors: Vec<Embedding> = vectors.into_iter().flatten().collect();
        ActiveModel {
            item_id: Set(passages.item.id),
            account_id: Set(self.account_id),
            model: Set(self.model.clone()),
            content_hash: Set(passages.item.content_hash),
            vector: Set(bytes_of_passages(&vectors)),
            passages: Set(count(vectors.len())),
            refused: Set(count(all - vectors.len())),
            is_cut: Set(passages.is_cut),
        }
    }

    /// Returns the parts of the library that the index covers.
    pub(crate) async fn coverage(&self, domain: &Domain, choice: &ModelChoice) -> Result<IndexCoverage> {
        let connection = domain.db().read();
        let count = |number: i64| usize::try_from(number).unwrap_or_default();
        let sql = format!("SELECT COUNT(*) FROM library_item i WHERE {HAS_TEXT}");
        let with_text = scalar(connection, &sql, [self.account_id.into()]).await?;
        let sql = format!("{sql} AND {}", choice.without_excluded(2));
        let values: Vec<Value> =
            std::iter::once(self.account_id.into()).chain(choice.excluded_keys()).collect();
        let to_index = scalar(connection, &sql, values).await?;
        let sql = "SELECT COUNT(*) FROM item_embedding WHERE account_id = $1 AND model = $2 \
             AND passages > 0 AND (is_cut OR refused > 0)";
        let partial = scalar(connection, sql, self.values()).await?;
        let row = model_item_index::Entity::owned_by(self.account_id).one(connection).await?;
        Ok(IndexCoverage {
            with_text: count(with_text),
            to_index: count(to_index),
            partial: count(partial),
            is_full: row.as_ref().is_some_and(|row| row.is_full),
            reason: row.and_then(|row| row.reason),
        })
    }

    /// Returns the values `$1`, the account, and `$2`, the model.
    fn values(&self) -> Vec<Value> {
        vec![self.account_id.into(), self.model.clone().into()]
    }
}

impl VectorTable for Entity {
    type TextId = ItemId;

    const ACCOUNT_ID: Column = Column::AccountId;
    const MODEL: Column = Column::Model;
    const TEXT_ID: Column = Column::ItemId;
    const ROWS_PER_QUERY: u64 = 50;

    fn vector_of(row: Model) -> (ItemId, Vec<u8>) {
        (row.item_id, row.vector)
    }

    fn similarity(query: &Embedding, stored: &[u8]) -> Option<f32> {
        nearest_passage(query, stored)
    }
}
