//! Lists the objects of a library (items, notes, and highlights) by rank in a search or by time of change.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId, ItemId, NoteId, ObjectId};
use entities::library_words::ObjectKind;
use entities::{library_highlight, library_item, library_note};
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, QueryFilter, TransactionTrait, Value};

use super::account_concurrency;
use super::keys::ItemKey;
use super::list::search;
use super::list_position::{HitPosition, ListPosition};
use super::pending_deletions::PendingDeletions;
use super::search::hits::{COUNTED, SearchHit, excluded_by_phrase};
use super::search::matches::{Conditions, ObjectConditions, SearchIndex, item_of, without};
use super::search::snippet::{self, Snippet};
use super::transaction::committed_state;
use super::{keys, text};
use kernel::search::query::Query;
use kernel::statement::{scalar, statement};
use kernel::{Domain, Error, Millis, Result};

/// Object in a list.
#[derive(Clone, Debug)]
pub struct ObjectSummary {
    pub kind: ObjectKind,
    pub id: ObjectId,
    /// Title, or the first words of an object without a title. Never empty.
    pub title: String,
    /// Excerpt surrounding the first match.
    pub snippet: Snippet,
    pub source_url: Option<String>,
    pub updated_at: Millis,
    /// Media type of the content.
    pub mime_type: Option<String>,
    pub has_asset: bool,
    /// Relevance from 0 to 1. 0 if the list is not ranked.
    pub score: f64,
}

#[derive(Clone, Debug, Default)]
pub struct ObjectPage {
    pub objects: Vec<ObjectSummary>,
    /// Position of the next page. `None` on the last page.
    pub next: Option<ListPosition>,
    /// Number of objects, counted up to 10,000.
    pub total: u32,
    /// True if the list has more than `total` objects.
    pub partial: bool,
    /// True if the query matched nothing and its spelling correction was used instead.
    pub approximate: bool,
}

impl ObjectPage {
    /// Removes the items whose deletion is pending from the list and from the number of objects.
    pub fn hide(&mut self, deleted: &PendingDeletions) {
        let before = self.objects.len();
        self.objects.retain(|object| {
            object.kind != ObjectKind::Item || !deleted.contains_key(&ItemId::from(object.id.as_uuid()))
        });
        let hidden = u32::try_from(before - self.objects.len()).unwrap_or(u32::MAX);
        self.total = self.total.saturating_sub(hidden);
    }
}

/// Returns a page of the objects of the given types that match the query `text`. Without a query, lists all
/// objects, most recently changed first.
#[boxed]
pub async fn list_objects(
    domain: &Domain,
    account_id: AccountId,
    kinds: &[ObjectKind],
    text: Option<&str>,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<ObjectPage> {
    let _permit = account_concurrency::limit_searches(domain, account_id).await;
    let transaction = domain.db().read().begin().await?;
    let query = ObjectQuery { account_id, kinds, text, now: domain.now() };
    let page = page(&transaction, query, after, limit).await;
    transaction.rollback().await?;
    page
}

/// Query for the objects of an account.
#[derive(Clone, Copy, Debug)]
struct ObjectQuery<'a> {
    account_id: AccountId,
    kinds: &'a [ObjectKind],
    text: Option<&'a str>,
    /// Time to which ages in the query are relative.
    now: Millis,
}

async fn page(
    db: &DatabaseTransaction,
    ObjectQuery { account_id, kinds, text, now }: ObjectQuery<'_>,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<ObjectPage> {
    let query = text.map(Query::parse).transpose()?.unwrap_or_default();
    let Some(state) = committed_state(db, account_id).await? else { return Ok(ObjectPage::default()) };
    if text.is_some_and(|text| !text.trim().is_empty()) && query.is_empty() {
        return Ok(ObjectPage::default());
    }
    let library = SearchIndex { connection: db, account_id, number: state.number, now };
    let backend = db.get_database_backend();
    let on = |object| ObjectConditions { backend, account_id, number: state.number, object, now };
    let mut conditions = Conditions::default();
    let words: Vec<Value> = kinds.iter().map(|kind| kind.as_str().into()).collect();
    let params = vec!["?"; words.len()].join(", ");
    if query.has_words() {
        conditions.and(&format!("s.kind IN ({params})"), words);
        conditions.filter(on("s.object_id"), &query.filters);
        conditions.groups(on("s.object_id"), &query.groups);
        let position = match after {
            Some(ListPosition::Hit(HitPosition(after))) => Some(after),
            Some(ListPosition::Key { .. }) | None => None,
        };
        let (hit_page, approximate) = search(library, &query, conditions, position, limit).await?;
        let objects = summaries(db, account_id, &hit_page.hits, &query).await?;
        let next = hit_page.next.map(|after| ListPosition::Hit(HitPosition(after)));
        return Ok(ObjectPage {
            objects,
            next,
            total: hit_page.total,
            partial: hit_page.partial,
            approximate,
        });
    }
    conditions.and(&format!("c.kind IN ({params})"), words);
    if let Some(url) = &query.address {
        let Some(id) = keys::item_with(db, account_id, &ItemKey::url(url)).await? else {
            return Ok(ObjectPage::default());
        };
        conditions.and("c.object_id = ?", [id.into()]);
    }
    conditions.filter(on("c.object_id"), &query.filters);
    conditions.groups(on("c.object_id"), &query.groups);
    conditions.extend(without(backend, account_id, state.number, &query.without, "c.object_id"));
    if state.reindex_at.is_some() {
        conditions.none_of("c.object_id", &excluded_by_phrase(library, &query).await?);
    }
    by_time(db, account_id, conditions, &query, after, limit).await
}

/// Returns a page of objects, most recently changed first. An object that changes between two pages moves to
/// the front of the list.
async fn by_time(
    db: &DatabaseTransaction,
    account_id: AccountId,
    mut conditions: Conditions,
    query: &Query,
    after: Option<ListPosition>,
    limit: u32,
) -> Result<ObjectPage> {
    const FROM: &str = "FROM library_change c LEFT JOIN library_item i ON i.id = c.object_id \
                        WHERE c.account_id = $1 AND NOT c.is_deleted";
    let total = match after {
        Some(ListPosition::Key { total, .. }) => total,
        Some(ListPosition::Hit(_)) | None => {
            let (more, further) = conditions.render(2);
            let sql = format!("SELECT COUNT(*) FROM (SELECT 1 AS one {FROM}{more} LIMIT {}) t", COUNTED + 1);
            let values: Vec<Value> = std::iter::once(account_id.into()).chain(further).collect();
            u32::try_from(scalar(db, &sql, values).await?).unwrap_or(u32::MAX)
        }
    };
    if let Some(ListPosition::Key { at, id, .. }) = after {
        conditions.and("(c.updated_at, c.object_id) < (?, ?)", [at.into(), ObjectId::from_u128(id).into()]);
    }
    let (more, further) = conditions.render(2);
    let sql = format!(
        "SELECT c.object_id, c.kind, c.updated_at {FROM}{more} \
         ORDER BY c.updated_at DESC, c.object_id DESC LIMIT {}",
        u64::from(limit) + 1
    );
    let values: Vec<Value> = std::iter::once(account_id.into()).chain(further).collect();
    let mut hits = Vec::new();
    let mut times: Vec<Millis> = Vec::new();
    for row in db.query_all_raw(statement(db, &sql, values)).await? {
        let kind: String = row.try_get_by_index(1)?;
        hits.push(SearchHit::unranked(
            row.try_get_by_index(0)?,
            ObjectKind::parse(&kind).unwrap_or(ObjectKind::Item),
        ));
        times.push(row.try_get_by_index(2)?);
    }
    let has_more = hits.len() > limit as usize;
    hits.truncate(limit as usize);
    times.truncate(limit as usize);
    let last = hits.last().zip(times.last()).filter(|_| has_more);
    let next = last.map(|(hit, at)| ListPosition::Key { at: *at, id: hit.id.as_u128(), total });
    let objects = summaries(db, account_id, &hits, query).await?;
    Ok(ObjectPage { objects, next, total: total.min(COUNTED), partial: total > COUNTED, approximate: false })
}

/// Returns the summaries of `hits`, in the same order.
async fn summaries(
    db: &DatabaseTransaction,
    account_id: AccountId,
    hits: &[SearchHit],
    query: &Query,
) -> Result<Vec<ObjectSummary>> {
    let ids = |kind: ObjectKind| hits.iter().filter(move |hit| hit.kind == kind).map(|hit| hit.id.as_uuid());
    let mut all: Vec<ObjectSummary> = Vec::new();
    let item_ids: Vec<ItemId> =
        hits.iter().filter(|hit| hit.kind == ObjectKind::Item).map(|hit| item_of(hit.id)).collect();
    if !item_ids.is_empty() {
        for ids in text::parts(db, account_id, &item_ids).await? {
            let texts = text::load_all(db, account_id, &ids).await?;
            let filter = library_item::Column::Id.is_in(ids);
            let rows = library_item::Entity::owned_by(account_id).filter(filter).all(db).await?;
            let query = query.clone();
            let summarize = move || -> Vec<ObjectSummary> {
                let of_row = |row: library_item::Model| {
                    let text = texts.iter().find(|text| text.item_id == row.id);
                    let text = text.map(|text| extract::render::text(&text.document.blocks));
                    of_item(row, text.as_deref(), &query)
                };
                rows.into_iter().map(of_row).collect()
            };
            all.extend(tokio::task::spawn_blocking(summarize).await.map_err(Error::internal)?);
        }
    }
    let notes: Vec<NoteId> = ids(ObjectKind::Note).map(NoteId::from).collect();
    if !notes.is_empty() {
        let filter = library_note::Column::Id.is_in(notes);
        let rows = library_note::Entity::owned_by(account_id).filter(filter).all(db).await?;
        all.extend(rows.into_iter().map(|row| of_note(row, query)));
    }
    let highlights: Vec<HighlightId> = ids(ObjectKind::Highlight).map(HighlightId::from).collect();
    if !highlights.is_empty() {
        let filter = library_highlight::Column::Id.is_in(highlights);
        let rows = library_highlight::Entity::owned_by(account_id).filter(filter).all(db).await?;
        all.extend(rows.into_iter().map(|row| of_highlight(row, query)));
    }
    let mut ordered = Vec::with_capacity(all.len());
    for hit in hits {
        if let Some(at) = all.iter().position(|one| one.id == hit.id) {
            let summary = all.swap_remove(at);
            ordered.push(ObjectSummary { score: f64::from(hit.score) / 10_000.0, ..summary });
        }
    }
    Ok(ordered)
}

fn of_item(row: library_item::Model, text: Option<&str>, query: &Query) -> ObjectSummary {
    ObjectSummary {
        kind: ObjectKind::Item,
        id: ObjectId::from(row.id.as_uuid()),
        snippet: snippet::of(text.unwrap_or_default(), query),
        title: row.title,
        source_url: Some(row.url).filter(|url| url.starts_with("http")),
        updated_at: row.updated_at,
        mime_type: row.asset_mime.clone().or(row.mime_type),
        has_asset: row.asset_blob.is_some(),
        score: 0.0,
    }
}

fn of_note(row: library_note::Model, query: &Query) -> ObjectSummary {
    ObjectSummary {
        kind: ObjectKind::Note,
        id: ObjectId::from(row.id.as_uuid()),
        snippet: snippet::of(&row.text, query),
        title: row.title.unwrap_or_else(|| opening(&row.text)),
        source_url: None,
        updated_at: row.updated_at,
        mime_type: None,
        has_asset: false,
        score: 0.0,
    }
}

fn of_highlight(row: library_highlight::Model, query: &Query) -> ObjectSummary {
    let text = match &row.note {
        Some(note) => format!("{} {note}", row.quote),
        None => row.quote.clone(),
    };
    ObjectSummary {
        kind: ObjectKind::Highlight,
        id: ObjectId::from(row.id.as_uuid()),
        snippet: snippet::of(&text, query),
        title: row.item_title.unwrap_or_else(|| opening(&row.quote)),
        source_url: row.source_url,
        updated_at: row.updated_at,
        mime_type: None,
        has_asset: false,
        score: 0.0,
    }
}

/// Returns the first words of a text, which serve as the title of an object without a title.
pub fn opening(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(80).collect();
    if cut.is_empty() { "Untitled".to_owned() } else { cut }
}

#[cfg(test)]
mod tests;
