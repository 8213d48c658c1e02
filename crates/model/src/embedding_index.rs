//! Flat index of the vectors of an account's newest items, up to a bound: computes missing vectors, and finds the items
//! nearest to a query.

use std::collections::{HashMap, HashSet};

use entities::ids::{AccountId, ItemId};
use entities::item_embedding::{ActiveModel, Column, Entity};
use entities::library_item;
use fetch::model_server::ModelServer;
use identity::accounts;
use kernel::clock::MINUTE;
use kernel::statement::{execute, scalar, statement};
use kernel::{Domain, Error, Millis, Result};
use library::StoredText;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};

use crate::embedding::Embedding;
use crate::source_text::{cut_paragraphs, single_line};
use crate::{budget, consent, exchange};

/// Maximum number of items that are indexed, the last saved first.
pub const MAX_INDEXED: usize = 2_000;
/// Maximum number of characters of a text that are sent for its vector.
pub const MAX_INDEXED_CHARS: usize = 2_000;
/// Number of texts of a request.
const TEXTS_PER_REQUEST: usize = 8;
/// Maximum number of requests of one search.
const MAX_REQUESTS: usize = 100;
/// Time after which a search sends no further texts, so that searches of other accounts do not wait long.
const MAX_DURATION: Millis = 10 * MINUTE;
/// Number of refused texts after which a search sends no further texts.
const MAX_REFUSED: usize = 10;
const MAX_TITLE_CHARS: usize = 300;
/// Number of vectors that are loaded at a time.
const VECTORS_PER_QUERY: u64 = 200;
/// Maximum number of items nearest to a query.
const MAX_NEAREST: usize = 20;

/// Item without a vector of its current text.
struct UnindexedItem {
    id: ItemId,
    content_hash: String,
}

/// State of the index after it was filled.
#[derive(Debug, Default)]
pub(crate) struct IndexState {
    /// Number of items that have no vector yet.
    pub(crate) unindexed: i64,
    /// Error of the last request that failed.
    pub(crate) error: Option<Error>,
}

/// Items nearest to a query.
#[derive(Debug, Default)]
pub(crate) struct Nearest {
    /// Best first.
    pub(crate) ids: Vec<ItemId>,
    /// Number of items that were compared.
    pub(crate) compared: usize,
}

/// Returns the statement that selects `columns` of the items of account `$1` that are indexed.
fn indexed_items(columns: &str) -> String {
    format!(
        "SELECT {columns} FROM library_item WHERE account_id = $1 AND content_hash IS NOT NULL \
         ORDER BY saved_at DESC, id DESC LIMIT {MAX_INDEXED}"
    )
}

/// Returns the statement that selects `columns` of the unindexed items of account `$1` for model `$2`.
fn unindexed_sql(columns: &str) -> String {
    let items = indexed_items("id, content_hash, saved_at");
    format!(
        "SELECT {columns} FROM ({items}) i \
         LEFT JOIN item_embedding e ON e.item_id = i.id AND e.account_id = $1 AND e.model = $2 \
         AND e.content_hash = i.content_hash WHERE e.item_id IS NULL"
    )
}

/// Sends the texts of unindexed items to the embedding model, until every item has a vector, a bound is reached, or
/// the model fails. If the model refuses a request, its texts are sent one by one, so that only the items of refused
/// texts stay without a vector.
pub(crate) async fn fill(
    domain: &Domain,
    server: Option<&ModelServer>,
    account_id: AccountId,
    model: &str,
) -> Result<IndexState> {
    let mut state = IndexState::default();
    let (mut refused, mut single_requests, start) = (0_usize, 0_usize, domain.now());
    for _ in 0..MAX_REQUESTS {
        let size = if single_requests > 0 { 1 } else { TEXTS_PER_REQUEST };
        single_requests = single_requests.saturating_sub(1);
        let items = unindexed_items(domain, account_id, model, (size, refused)).await?;
        if items.is_empty() || refused >= MAX_REFUSED || domain.now() - start > MAX_DURATION {
            break;
        }
        if let Err(error) = index_items(domain, server, account_id, model, &items).await {
            let is_refused = exchange::is_of_text(error.code);
            state.error = Some(error);
            match items.len() {
                _ if !is_refused => break,
                1 => refused += 1,
                count => single_requests = count,
            }
        }
    }
    delete_surplus(domain, account_id).await?;
    let values: [Value; 2] = [account_id.into(), model.into()];
    state.unindexed = scalar(domain.db().read(), &unindexed_sql("COUNT(*)"), values).await?;
    Ok(state)
}

/// Deletes the vectors of items that are no longer among the newest.
async fn delete_surplus(domain: &Domain, account_id: AccountId) -> Result<()> {
    let items = indexed_items("id");
    let sql = format!("DELETE FROM item_embedding WHERE account_id = $1 AND item_id NOT IN ({items})");
    execute(domain.db().write(), &sql, [account_id.into()]).await?;
    Ok(())
}

/// Returns at most `limit` items without a vector, the last saved first, after the first `skipped` of them.
async fn unindexed_items(
    domain: &Domain,
    account_id: AccountId,
    model: &str,
    (limit, skipped): (usize, usize),
) -> Result<Vec<UnindexedItem>> {
    // The vectors of the previous request must be visible.
    let connection = domain.db().write();
    let order = format!(" ORDER BY i.saved_at DESC, i.id DESC LIMIT {limit} OFFSET {skipped}");
    let sql = unindexed_sql("i.id, i.content_hash") + &order;
    let rows =
        connection.query_all_raw(statement(connection, &sql, [account_id.into(), model.into()])).await?;
    let read = |row: &sea_orm::QueryResult| {
        Ok(UnindexedItem { id: row.try_get_by_index(0)?, content_hash: row.try_get_by_index(1)? })
    };
    rows.iter().map(read).collect()
}

async fn index_items(
    domain: &Domain,
    server: Option<&ModelServer>,
    account_id: AccountId,
    model: &str,
    items: &[UnindexedItem],
) -> Result<()> {
    let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
    let texts = texts_of(domain, account_id, &ids).await?;
    consent::require_consent(domain, account_id).await?;
    budget::charge(domain, account_id).await?;
    let vectors = exchange::embed(domain, server, account_id, texts).await?;
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    let present = library_item::Entity::owned_by(account_id)
        .filter(library_item::Column::Id.is_in(ids.clone()))
        .all(&transaction)
        .await?;
    let present: HashSet<ItemId> = present.into_iter().map(|item| item.id).collect();
    let rows = items.iter().zip(vectors).filter(|(item, _)| present.contains(&item.id));
    let rows: Vec<ActiveModel> = rows
        .map(|(item, vector)| ActiveModel {
            item_id: Set(item.id),
            account_id: Set(account_id),
            model: Set(model.to_owned()),
            content_hash: Set(item.content_hash.clone()),
            vector: Set(vector.to_bytes()),
        })
        .collect();
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::ItemId.is_in(ids))
        .exec(&transaction)
        .await?;
    if !rows.is_empty() {
        Entity::insert_many(rows).exec_without_returning(&transaction).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Returns the title and the beginning of the text of each item, in the order of the ids.
async fn texts_of(domain: &Domain, account_id: AccountId, ids: &[ItemId]) -> Result<Vec<String>> {
    let mut beginnings: HashMap<ItemId, String> = HashMap::new();
    let mut visit = |text: StoredText| {
        let paragraphs = text.document.blocks.iter().map(|block| block.text.as_str());
        beginnings.insert(text.item_id, cut_paragraphs(paragraphs, MAX_INDEXED_CHARS).text);
    };
    library::visit_texts(domain, account_id, ids, &mut visit).await?;
    let items = library::find(domain, account_id, ids).await?;
    let titles: HashMap<ItemId, &str> = items.iter().map(|item| (item.id, item.title.as_str())).collect();
    let text = |id: &ItemId| {
        let title = single_line(titles.get(id).copied().unwrap_or_default(), MAX_TITLE_CHARS);
        format!("{title}\n{}", beginnings.get(id).map(String::as_str).unwrap_or_default())
    };
    Ok(ids.iter().map(text).collect())
}

/// Returns the items of an account whose vectors are nearest to a query.
pub(crate) async fn nearest(
    domain: &Domain,
    account_id: AccountId,
    model: &str,
    query: &Embedding,
) -> Result<Nearest> {
    let mut after = ItemId::from_u128(0);
    let mut scored: Vec<(ItemId, f32)> = Vec::new();
    loop {
        let rows = Entity::owned_by(account_id)
            .filter(Column::Model.eq(model))
            .filter(Column::ItemId.gt(after))
            .order_by_asc(Column::ItemId)
            .limit(VECTORS_PER_QUERY)
            .all(domain.db().read())
            .await?;
        let Some(last) = rows.last() else { break };
        after = last.item_id;
        let query = query.clone();
        let part = tokio::task::spawn_blocking(move || {
            let score = |row: entities::item_embedding::Model| {
                Some((row.item_id, query.similarity(&Embedding::of_bytes(&row.vector))?))
            };
            rows.into_iter().filter_map(score).collect::<Vec<_>>()
        });
        scored.extend(part.await.map_err(Error::internal)?);
    }
    scored.sort_unstable_by(|(_, one), (_, other)| other.total_cmp(one));
    let compared = scored.len();
    Ok(Nearest { ids: scored.into_iter().map(|(id, _)| id).take(MAX_NEAREST).collect(), compared })
}
