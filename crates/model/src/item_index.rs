//! Vectors of an account's newest items, up to a bound.

use std::collections::HashMap;

use entities::ids::{AccountId, ItemId};
use entities::item_embedding::{ActiveModel, Column, Entity, Model};
use entities::library_item;
use futures_util::future::BoxFuture;
use kernel::statement::{execute, statement};
use kernel::{Domain, Result};
use library::StoredText;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, QueryFilter, QuerySelect, Value,
};

use crate::embedding::Embedding;
use crate::source_text::{cut_paragraphs, single_line};
use crate::vector_index::{VectorIndex, VectorTable};

/// Maximum number of items that are indexed, the most recently saved first.
pub const MAX_INDEXED: usize = 2_000;
/// Maximum number of characters of a text that are sent for its vector.
pub const MAX_INDEXED_CHARS: usize = 2_000;
const MAX_TITLE_CHARS: usize = 300;

/// Item without a vector of its current text.
pub(crate) struct UnindexedItem {
    id: ItemId,
    content_hash: String,
}

/// Vectors of the items of an account by one model.
pub(crate) struct ItemIndex {
    pub(crate) account_id: AccountId,
    /// Name of the embedding model.
    pub(crate) model: String,
}

/// Returns the statement that selects `columns` of the items of account `$1` that are indexed.
fn indexed_items(columns: &str) -> String {
    format!(
        "SELECT {columns} FROM library_item WHERE account_id = $1 AND content_hash IS NOT NULL \
         ORDER BY saved_at DESC, id DESC LIMIT {MAX_INDEXED}"
    )
}

impl ItemIndex {
    /// Deletes the vectors of items that are no longer among the newest.
    async fn delete_surplus(&self, domain: &Domain) -> Result<()> {
        let items = indexed_items("id");
        let sql = format!("DELETE FROM item_embedding WHERE account_id = $1 AND item_id NOT IN ({items})");
        execute(domain.db().write(), &sql, [self.account_id.into()]).await?;
        Ok(())
    }

    /// Returns the items without a vector, the most recently saved first.
    async fn unindexed_items(&self, domain: &Domain) -> Result<Vec<UnindexedItem>> {
        self.delete_surplus(domain).await?;
        let connection = domain.db().write();
        let items = indexed_items("id, content_hash, saved_at");
        let sql = format!(
            "SELECT i.id, i.content_hash FROM ({items}) i \
             LEFT JOIN item_embedding e ON e.item_id = i.id AND e.account_id = $1 AND e.model = $2 \
             AND e.content_hash = i.content_hash WHERE e.item_id IS NULL ORDER BY i.saved_at DESC, i.id DESC"
        );
        let values: [Value; 2] = [self.account_id.into(), self.model.clone().into()];
        let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
        let read = |row: &sea_orm::QueryResult| {
            Ok(UnindexedItem { id: row.try_get_by_index(0)?, content_hash: row.try_get_by_index(1)? })
        };
        rows.iter().map(read).collect()
    }
}

impl VectorTable for Entity {
    type TextId = ItemId;

    const ACCOUNT_ID: Column = Column::AccountId;
    const MODEL: Column = Column::Model;
    const TEXT_ID: Column = Column::ItemId;

    fn vector_of(row: Model) -> (ItemId, Vec<u8>) {
        (row.item_id, row.vector)
    }
}

impl VectorIndex for ItemIndex {
    type Table = Entity;

    type Text = UnindexedItem;

    const TEXTS_PER_REQUEST: usize = 8;

    fn account_id(&self) -> AccountId {
        self.account_id
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn text_id(text: &UnindexedItem) -> ItemId {
        text.id
    }

    fn unindexed<'a>(&'a self, domain: &'a Domain) -> BoxFuture<'a, Result<Vec<UnindexedItem>>> {
        Box::pin(self.unindexed_items(domain))
    }

    fn inputs<'a>(
        &'a self,
        domain: &'a Domain,
        texts: &'a [UnindexedItem],
    ) -> BoxFuture<'a, Result<Vec<Option<String>>>> {
        Box::pin(async move { texts_of(domain, self.account_id, texts).await })
    }

    fn present<'a>(
        &'a self,
        transaction: &'a DatabaseTransaction,
        ids: &'a [ItemId],
    ) -> BoxFuture<'a, Result<Vec<ItemId>>> {
        Box::pin(async move {
            let items = library_item::Entity::owned_by(self.account_id)
                .select_only()
                .column(library_item::Column::Id)
                .filter(library_item::Column::Id.is_in(ids.to_vec()));
            Ok(items.into_tuple().all(transaction).await?)
        })
    }

    fn row(&self, text: &UnindexedItem, vector: &Embedding) -> ActiveModel {
        ActiveModel {
            item_id: Set(text.id),
            account_id: Set(self.account_id),
            model: Set(self.model.clone()),
            content_hash: Set(text.content_hash.clone()),
            vector: Set(vector.to_bytes()),
        }
    }
}

/// Returns the title and the beginning of the text of each item, in the order of the items. `None` for an item that
/// was deleted.
async fn texts_of(
    domain: &Domain,
    account_id: AccountId,
    items: &[UnindexedItem],
) -> Result<Vec<Option<String>>> {
    let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
    let mut beginnings: HashMap<ItemId, String> = HashMap::new();
    let mut visit = |text: StoredText| {
        let paragraphs = text.document.blocks.iter().map(|block| block.text.as_str());
        beginnings.insert(text.item_id, cut_paragraphs(paragraphs, MAX_INDEXED_CHARS).text);
    };
    library::visit_texts(domain, account_id, &ids, &mut visit).await?;
    let items = library::find(domain, account_id, &ids).await?;
    let titles: HashMap<ItemId, &str> = items.iter().map(|item| (item.id, item.title.as_str())).collect();
    let text = |id: &ItemId| {
        let title = single_line(titles.get(id).copied()?, MAX_TITLE_CHARS);
        Some(format!("{title}\n{}", beginnings.get(id).map(String::as_str).unwrap_or_default()))
    };
    Ok(ids.iter().map(text).collect())
}
