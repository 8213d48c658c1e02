//! Highlights: passages and pictures of an item that a person marked. They are reanchored in each new text of the
//! item.

use std::sync::Arc;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, HighlightId, ItemId, ObjectId};
use entities::library_highlight;
use entities::library_words::{AnchorStatus, HighlightColor, ObjectKind};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
};

use super::change::IfMatch;
use super::draft::{cut, external_id, line, plain};
use super::highlight_anchor::{self, anchor_highlight, haystack_of};
use super::highlight_cards::{HighlightCard, NewCard};
use super::highlight_picture::{HighlightPicture, file_name};
use super::notes::require_item;
use super::quote_match::{CONTEXT_CHARS, Haystack, SearchBudget};
use super::review_schedule::ReviewState;
use super::search::index::{self, IndexedObject, IndexedText};
use super::tags::{self, Tag};
use super::transaction::{LibraryTransaction, OBJECT_BYTES};
use super::{annotations, item, public_highlights};
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result, Used, address};

/// Maximum number of highlights of one item.
pub(crate) const MAX_HIGHLIGHTS: u64 = 5_000;
/// Maximum number of times that a new highlight is anchored before its transaction. If the text was replaced each time,
/// the highlight is anchored in the transaction.
const ANCHOR_ATTEMPTS: u32 = 3;

/// Highlight with its tags and the title of its item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    pub row: library_highlight::Model,
    /// Tags in the account's spelling.
    pub tags: Vec<String>,
    /// Title of the item, even if the item was deleted.
    pub item_title: Option<String>,
    /// URL of the item, even if the item was deleted.
    pub source_url: Option<String>,
    /// Author of the item. `None` if the item was deleted.
    pub item_author: Option<String>,
}

/// Part of a text that a new highlight marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HighlightTarget {
    /// Passage with these words.
    Quote(String),
    /// Picture with this URL.
    Picture(String),
}

#[derive(Clone, Debug)]
pub struct NewHighlight {
    pub item_id: ItemId,
    pub target: HighlightTarget,
    /// Text before the quote.
    pub prefix: Option<String>,
    /// Text after the quote.
    pub suffix: Option<String>,
    /// Anchor of the block in which the client saw the quote or the picture.
    pub anchor: Option<u32>,
    pub note: Option<String>,
    pub color: Option<HighlightColor>,
    pub tags: Vec<String>,
    /// Id that the client assigned to the highlight. A second highlight with the same id is not created.
    pub external_id: Option<String>,
}

/// Changes to a highlight. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default)]
pub struct HighlightUpdate {
    /// `Some(None)` removes the note.
    pub note: Option<Option<String>>,
    pub color: Option<HighlightColor>,
    /// Replaces all tags.
    pub tags: Option<Vec<String>>,
    /// `Some(None)` removes the card.
    pub card: Option<Option<NewCard>>,
    /// Required version of the highlight.
    pub if_match: Option<IfMatch>,
}

fn object(id: HighlightId) -> ObjectId {
    ObjectId::from(id.as_uuid())
}

/// Creates a highlight, or returns an existing equal highlight. The flag is true if the highlight existed.
///
/// # Errors
/// `not_found` if the item does not exist, `limit_reached`, `storage_limit_reached`, `invalid_request`; `invalid_url`
/// if the text does not contain the picture and its URL is invalid.
#[boxed]
pub async fn create_highlight(
    domain: &Domain,
    account_id: AccountId,
    new: NewHighlight,
) -> Result<(Highlight, bool)> {
    let (tags, external_id) = (Tag::list(&new.tags)?, external_id(new.external_id.clone())?);
    let (mut transaction, mut row) = begin_anchored(domain, account_id, &new, external_id).await?;
    if let Some(known) = find_equal(&transaction, &row).await? {
        let filled = fill_in(&mut transaction, known, &row, tags, new.color).await?;
        transaction.commit().await?;
        return Ok((filled, true));
    }
    let count = library_highlight::Entity::owned_by(account_id)
        .filter(library_highlight::Column::ItemId.eq(new.item_id))
        .count(transaction.db())
        .await?;
    if count >= MAX_HIGHLIGHTS {
        let message = "An item can have at most 5000 highlights.";
        return Err(Error::new(Code::LimitReached, message).limit(Used {
            limit: MAX_HIGHLIGHTS,
            used: count,
            policy: None,
        }));
    }
    transaction.require_capacity()?;
    row.stored_bytes = bytes_of(&row);
    transaction.count(0, row.stored_bytes);
    transaction.require_fit()?;
    let stamp = transaction.stamp(ObjectKind::Highlight, object(row.id));
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    let insert = row.clone().into_active_model().reset_all();
    library_highlight::Entity::insert(insert).exec_without_returning(transaction.db()).await?;
    let highlight = finish(&transaction, row, Some(tags)).await?;
    transaction.commit().await?;
    Ok((highlight, false))
}

/// Quote of a new highlight, and its picture if it marks one.
struct MarkedContent {
    quote: String,
    picture: Option<HighlightPicture>,
}

impl MarkedContent {
    fn of(target: &HighlightTarget, haystack: Option<&Haystack>, near: Option<usize>) -> Result<Self> {
        let url = match target {
            HighlightTarget::Quote(quote) => {
                let quote = plain(quote);
                if quote.trim().is_empty() {
                    return Err(Error::invalid_field("quote", "must not be blank"));
                }
                return Ok(Self { quote, picture: None });
            }
            HighlightTarget::Picture(url) => url,
        };
        if let Some((picture, _)) = haystack.and_then(|haystack| haystack.find_picture(url, "", near)) {
            let alt = picture.alt.as_deref().map(plain).filter(|alt| !alt.trim().is_empty());
            let (quote, url) = (picture.quote(), picture.url.clone());
            return Ok(Self { quote, picture: Some(HighlightPicture { url, alt }) });
        }
        let url = address::parse(url).map_err(|error| {
            let reason = error.message.clone();
            error.at("picture_url", reason)
        })?;
        let url = String::from(url);
        Ok(Self { quote: file_name(&url), picture: Some(HighlightPicture { url, alt: None }) })
    }
}

/// Opens a transaction, and returns it with a new highlight that is anchored in the text that the item has in the
/// transaction.
async fn begin_anchored(
    domain: &Domain,
    account_id: AccountId,
    new: &NewHighlight,
    external_id: Option<String>,
) -> Result<(LibraryTransaction, library_highlight::Model)> {
    for _ in 0..ANCHOR_ATTEMPTS {
        let haystack = haystack_of(domain, account_id, new.item_id).await?;
        let content_hash = haystack.as_ref().map(|haystack| haystack.content_hash.clone());
        let row = anchored_row(domain, account_id, new, external_id.clone(), haystack).await?;
        if let Some(transaction) = begin_with_text(domain, &row, content_hash.as_deref()).await? {
            return Ok((transaction, row));
        }
    }
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    require_item(&transaction, new.item_id).await?;
    let haystack = highlight_anchor::haystack(transaction.db(), account_id, new.item_id).await?;
    let row = anchored_row(domain, account_id, new, external_id, haystack).await?;
    Ok((transaction, row))
}

/// Opens a transaction for a new highlight. `None` if its item no longer has the text with this hash. The hash of an
/// item without a text is `None`.
async fn begin_with_text(
    domain: &Domain,
    row: &library_highlight::Model,
    content_hash: Option<&str>,
) -> Result<Option<LibraryTransaction>> {
    let transaction = LibraryTransaction::begin(domain, row.account_id).await?;
    let item = match row.item_id {
        Some(id) => item::row(transaction.db(), row.account_id, id).await?,
        None => None,
    };
    let item = item.ok_or_else(|| not_found("item"))?;
    Ok((item.content_hash.as_deref() == content_hash).then_some(transaction))
}

/// Returns a new highlight, anchored in the text of its item.
async fn anchored_row(
    domain: &Domain,
    account_id: AccountId,
    new: &NewHighlight,
    external_id: Option<String>,
    haystack: Option<Arc<Haystack>>,
) -> Result<library_highlight::Model> {
    let near = haystack.as_ref().zip(new.anchor).and_then(|(haystack, anchor)| haystack.offset_of(anchor));
    let marked = MarkedContent::of(&new.target, haystack.as_deref(), near)?;
    let row = new_row(domain, account_id, new, marked, external_id);
    let Some(haystack) = haystack else { return Ok(row) };
    let (row, _) = anchor_highlight(row, haystack, near, SearchBudget::TEXT).await?;
    Ok(row)
}

fn new_row(
    domain: &Domain,
    account_id: AccountId,
    new: &NewHighlight,
    marked: MarkedContent,
    external_id: Option<String>,
) -> library_highlight::Model {
    let now = domain.now();
    let context = |text: &Option<String>| text.as_deref().map(plain).unwrap_or_default();
    let prefix = context(&new.prefix);
    let behind = prefix.chars().count().saturating_sub(CONTEXT_CHARS);
    let review = ReviewState::of_new(now);
    let MarkedContent { quote, picture } = marked;
    let (picture_url, picture_alt) = picture.map(|picture| (picture.url, picture.alt)).unzip();
    library_highlight::Model {
        id: domain.new_id(),
        account_id,
        sequence: 0,
        item_id: Some(new.item_id),
        detached_from: None,
        item_title: None,
        source_url: None,
        quote,
        picture_url,
        picture_alt: picture_alt.flatten(),
        prefix: prefix.chars().skip(behind).collect(),
        suffix: cut(&context(&new.suffix), CONTEXT_CHARS),
        hint: new.anchor.and_then(|anchor| i32::try_from(anchor).ok()),
        note: new.note.as_deref().map(plain).filter(|note| !note.trim().is_empty()),
        color: new.color.unwrap_or(HighlightColor::Yellow),
        anchor: None,
        end_anchor: None,
        start_offset: None,
        end_offset: None,
        page: None,
        anchor_status: AnchorStatus::Orphaned,
        external_id,
        review_day: review.due_day,
        review_step: review.step,
        card: None,
        stored_bytes: 0,
        created_at: now,
        updated_at: now,
    }
}

/// Finds an equal highlight. Two highlights are equal if they have the same client id, or if they belong to
/// the same item and have the same picture or the same range. Passages without a range are compared by their quotes.
async fn find_equal(
    transaction: &LibraryTransaction,
    row: &library_highlight::Model,
) -> Result<Option<library_highlight::Model>> {
    use library_highlight::Column;
    let owned = || library_highlight::Entity::owned_by(transaction.account_id);
    if let Some(external_id) = &row.external_id {
        let known = owned().filter(Column::ExternalId.eq(external_id)).one(transaction.db()).await?;
        if known.is_some() {
            return Ok(known);
        }
    }
    let of_item = || owned().filter(Column::ItemId.eq(row.item_id));
    let passages = || of_item().filter(Column::PictureUrl.is_null());
    let same = match (&row.picture_url, row.start_offset) {
        (Some(url), _) => of_item().filter(Column::PictureUrl.eq(url)),
        (None, Some(start)) => {
            passages().filter(Column::StartOffset.eq(start)).filter(Column::EndOffset.eq(row.end_offset))
        }
        (None, None) => passages().filter(Column::StartOffset.is_null()).filter(Column::Quote.eq(&row.quote)),
    };
    Ok(same.one(transaction.db()).await?)
}

/// Sets the values of a new highlight that an existing equal highlight lacks.
async fn fill_in(
    transaction: &mut LibraryTransaction,
    known: library_highlight::Model,
    new: &library_highlight::Model,
    tags: Vec<Tag>,
    color: Option<HighlightColor>,
) -> Result<Highlight> {
    let mut row = known.clone();
    if row.note.is_none() {
        row.note.clone_from(&new.note);
    }
    if let Some(color) = color.filter(|_| row.color == HighlightColor::Yellow) {
        row.color = color;
    }
    let old_tags = tags::current(transaction.db(), transaction.account_id, object(row.id)).await?;
    let tags = (old_tags.is_empty() && !tags.is_empty()).then_some(tags);
    if row == known && tags.is_none() {
        return resolve(transaction.db(), row).await;
    }
    write(transaction, &known, row, tags).await
}

/// Writes a changed highlight, and its tags if they changed.
pub(crate) async fn write(
    transaction: &mut LibraryTransaction,
    before: &library_highlight::Model,
    mut row: library_highlight::Model,
    tags: Option<Vec<Tag>>,
) -> Result<Highlight> {
    row.stored_bytes = bytes_of(&row);
    transaction.count(before.stored_bytes, row.stored_bytes);
    transaction.require_fit()?;
    let stamp = transaction.stamp(ObjectKind::Highlight, object(row.id));
    (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
    row.clone().into_active_model().reset_all().update(transaction.db()).await?;
    if before.note.is_some() && row.note.is_none() {
        public_highlights::leave_out_note(transaction.db(), row.account_id, row.id).await?;
    }
    finish(transaction, row, tags).await
}

/// Returns the bytes of a highlight that count towards the storage quota.
pub(crate) fn bytes_of(row: &library_highlight::Model) -> i64 {
    let length = |text: &Option<String>| text.as_deref().map_or(0, str::len);
    let picture = length(&row.picture_url) + length(&row.picture_alt);
    let own = row.quote.len() + length(&row.note) + length(&row.card) + picture;
    OBJECT_BYTES + i64::try_from(own).unwrap_or(i64::MAX)
}

async fn finish(
    transaction: &LibraryTransaction,
    row: library_highlight::Model,
    tags: Option<Vec<Tag>>,
) -> Result<Highlight> {
    if let Some(tags) = tags {
        tags::replace(transaction, ObjectKind::Highlight, &[(object(row.id), tags)]).await?;
    }
    let highlight = resolve(transaction.db(), row).await?;
    index::write(transaction, vec![indexed_object(&highlight)]).await?;
    Ok(highlight)
}

fn indexed_object(highlight: &Highlight) -> IndexedObject {
    IndexedObject {
        id: object(highlight.row.id),
        kind: ObjectKind::Highlight,
        title: String::new(),
        tags: highlight.tags.clone(),
        names: String::new(),
        text: IndexedText::Text(format!(
            "{}\n{}",
            highlight.row.quote,
            highlight.row.note.as_deref().unwrap_or_default()
        )),
    }
}

/// Rewrites the index rows of highlights whose tags changed.
pub(crate) async fn reindex(transaction: &LibraryTransaction, ids: &[HighlightId]) -> Result<()> {
    for chunk in ids.chunks(500) {
        index::write(transaction, indexed_objects(transaction.db(), transaction.account_id, chunk).await?)
            .await?;
    }
    Ok(())
}

/// Loads the account's highlights with these ids as objects that the search index receives.
pub(crate) async fn indexed_objects(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[HighlightId],
) -> Result<Vec<IndexedObject>> {
    let filter = library_highlight::Column::Id.is_in(ids.to_vec());
    let rows = library_highlight::Entity::owned_by(account_id).filter(filter).all(connection).await?;
    let highlights = resolve_all(connection, account_id, rows).await?;
    Ok(highlights.iter().map(indexed_object).collect())
}

async fn resolve(connection: &impl ConnectionTrait, row: library_highlight::Model) -> Result<Highlight> {
    let account_id = row.account_id;
    let mut all = resolve_all(connection, account_id, vec![row]).await?;
    all.pop().ok_or_else(|| not_found("highlight"))
}

/// Adds tags, and the titles and URLs of items, to highlights. Preserves the order of `rows`.
pub(crate) async fn resolve_all(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    rows: Vec<library_highlight::Model>,
) -> Result<Vec<Highlight>> {
    let ids: Vec<ObjectId> = rows.iter().map(|row| object(row.id)).collect();
    let mut tags = tags::of_objects(connection, account_id, &ids).await?;
    let mut item_ids: Vec<ItemId> = rows.iter().filter_map(|row| row.item_id).collect();
    item_ids.sort_unstable();
    item_ids.dedup();
    let items = if item_ids.is_empty() {
        Vec::new()
    } else {
        item::find_all(connection, account_id, &item_ids).await?
    };
    let show = |row: library_highlight::Model| {
        let item = items.iter().find(|item| Some(item.id) == row.item_id);
        Highlight {
            tags: tags.remove(&object(row.id)).unwrap_or_default(),
            item_title: item.map(|item| item.title.clone()).or_else(|| row.item_title.clone()),
            source_url: item
                .map(|item| item.url.clone())
                .or_else(|| row.source_url.clone())
                .filter(|url| url.starts_with("http")),
            item_author: item.and_then(|item| item.author.clone()),
            row,
        }
    };
    Ok(rows.into_iter().map(show).collect())
}

async fn row_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: HighlightId,
) -> Result<library_highlight::Model> {
    let query = library_highlight::Entity::owned_by(account_id).filter(library_highlight::Column::Id.eq(id));
    query.one(connection).await?.ok_or_else(|| not_found("highlight"))
}

#[boxed]
pub async fn get_highlight(domain: &Domain, account_id: AccountId, id: HighlightId) -> Result<Highlight> {
    let connection = domain.db().read();
    resolve(connection, row_of(connection, account_id, id).await?).await
}

/// Changes the note, color, tags, or card of a highlight. The quote cannot be changed.
///
/// # Errors
/// `not_found`, `precondition_failed`, `storage_limit_reached`, `invalid_request`.
#[boxed]
pub async fn update_highlight(
    domain: &Domain,
    account_id: AccountId,
    id: HighlightId,
    update: HighlightUpdate,
) -> Result<Highlight> {
    let tags = update.tags.as_deref().map(Tag::list).transpose()?;
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let known = row_of(transaction.db(), account_id, id).await?;
    if let Some(versions) = &update.if_match {
        versions.check(known.sequence)?;
    }
    let mut row = known.clone();
    if let Some(note) = update.note {
        row.note = line(note);
    }
    if let Some(color) = update.color {
        row.color = color;
    }
    if let Some(card) = update.card {
        row.card = card.map(|card| HighlightCard::create(card, &row.quote)?.to_column()).transpose()?;
    }
    let old_tags = tags::current(transaction.db(), account_id, object(id)).await?;
    let tags = tags.filter(|tags| !tags::are_equal(tags, &old_tags));
    if row == known && tags.is_none() {
        return resolve(transaction.db(), row).await;
    }
    let highlight = write(&mut transaction, &known, row, tags).await?;
    transaction.commit().await?;
    Ok(highlight)
}

/// Deletes a highlight. `if_match` is its required version.
///
/// # Errors
/// `not_found` if the highlight does not exist, `precondition_failed`.
#[boxed]
pub async fn delete_highlight(
    domain: &Domain,
    account_id: AccountId,
    id: HighlightId,
    if_match: Option<IfMatch>,
) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = row_of(transaction.db(), account_id, id).await?;
    if let Some(versions) = &if_match {
        versions.check(row.sequence)?;
    }
    annotations::delete_for_owner(&mut transaction, &[], &[row]).await?;
    transaction.commit().await
}

#[cfg(test)]
mod tests;
