//! Anchors highlights in the text of their item, and reanchors them in each new text: passages by their quotes,
//! pictures by their URLs. The searches run on blocking threads and, except for imported highlights and for highlights
//! that are created while a text is stored, before the transaction that writes their results.

use std::sync::Arc;

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_highlight;
use entities::library_words::{AnchorStatus, ObjectKind};
use extract::Document;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, IntoActiveModel, QueryFilter, QueryOrder};
use url::Url;

use super::computed_anchors::{ComputedAnchors, HighlightAnchor};
use super::keys::{self, Holder, ItemKey};
use super::quote_match::{Haystack, MatchKind, QuoteQuery, SearchBudget};
use super::text::{self, PackedText};
use super::transaction::LibraryTransaction;
use kernel::{Domain, Error, Result};

/// Loads the text of an item and prepares it for searches for quotes and pictures. `None` if the item has no text.
pub(crate) async fn haystack_of(
    domain: &Domain,
    account_id: AccountId,
    id: ItemId,
) -> Result<Option<Arc<Haystack>>> {
    haystack(domain.db().read(), account_id, id).await
}

/// Like [`haystack_of`], but uses the given connection.
pub(crate) async fn haystack(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: ItemId,
) -> Result<Option<Arc<Haystack>>> {
    let Some(text) = text::load(connection, account_id, id).await? else { return Ok(None) };
    let document = Arc::clone(&text.document);
    let made = tokio::task::spawn_blocking(move || Haystack::of(&document)).await;
    Ok(Some(Arc::new(made.map_err(Error::internal)?)))
}

/// Anchors a highlight that is not stored yet on a blocking thread. `near` is the expected offset, in code points.
/// Returns the highlight and the remaining budget.
pub(crate) async fn anchor_highlight(
    mut row: library_highlight::Model,
    haystack: Arc<Haystack>,
    near: Option<usize>,
    mut budget: SearchBudget,
) -> Result<(library_highlight::Model, SearchBudget)> {
    let work = move || {
        locate(&row, &haystack, near, &mut budget).write(&mut row);
        (row, budget)
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}

/// Returns the position of a highlight in a text: the position of its quote or picture.
fn locate(
    row: &library_highlight::Model,
    haystack: &Haystack,
    near: Option<usize>,
    budget: &mut SearchBudget,
) -> HighlightAnchor {
    let located = match &row.picture_url {
        Some(url) => locate_picture(row, url, haystack, near),
        None => locate_quote(row, haystack, near, budget),
    };
    located.unwrap_or(HighlightAnchor::ORPHANED)
}

fn locate_quote(
    row: &library_highlight::Model,
    haystack: &Haystack,
    near: Option<usize>,
    budget: &mut SearchBudget,
) -> Option<HighlightAnchor> {
    let query = QuoteQuery { quote: &row.quote, prefix: &row.prefix, suffix: &row.suffix, near };
    let range = haystack.find(query, budget)?;
    let blocks = haystack.blocks_of(range);
    let lacks_context = row.prefix.is_empty() && row.suffix.is_empty();
    Some(HighlightAnchor {
        anchor: i32::try_from(blocks.anchor).ok(),
        end_anchor: i32::try_from(blocks.end_anchor).ok(),
        page: blocks.page.and_then(|page| i32::try_from(page).ok()),
        start_offset: i32::try_from(range.start).ok(),
        end_offset: i32::try_from(range.end).ok(),
        status: status_of(range.match_kind),
        context: lacks_context.then(|| haystack.context(range)),
        picture_url: None,
    })
}

/// Returns the position of the block of a picture. If the picture has another URL in this text, the highlight gets
/// that URL, because the previous one may no longer be served.
fn locate_picture(
    row: &library_highlight::Model,
    url: &str,
    haystack: &Haystack,
    near: Option<usize>,
) -> Option<HighlightAnchor> {
    let (picture, match_kind) = haystack.find_picture(url, &row.quote, near)?;
    let anchor = i32::try_from(picture.anchor).ok();
    Some(HighlightAnchor {
        anchor,
        end_anchor: anchor,
        page: picture.page.and_then(|page| i32::try_from(page).ok()),
        start_offset: i32::try_from(picture.start).ok(),
        end_offset: i32::try_from(picture.end).ok(),
        status: status_of(match_kind),
        context: None,
        picture_url: Some(picture.url.clone()),
    })
}

fn status_of(match_kind: MatchKind) -> AnchorStatus {
    match match_kind {
        MatchKind::Exact => AnchorStatus::Exact,
        MatchKind::Similar => AnchorStatus::Moved,
    }
}

/// Computes the positions of highlights in a text that is about to be stored: of the highlights of the items in `ids`,
/// and of those that the item gets back because it has one of `keys` or the final URL of the text. Called before the
/// transaction that stores the text.
pub(crate) async fn compute_anchors(
    domain: &Domain,
    account_id: AccountId,
    (ids, keys): (&[ItemId], &[ItemKey]),
    packed: &mut PackedText,
) -> Result<()> {
    let final_url = packed.text.final_url.as_deref().and_then(|url| Url::parse(url).ok());
    let keys: Vec<ItemKey> = keys.iter().cloned().chain(final_url.as_ref().map(ItemKey::url)).collect();
    let holders = keys::holders(domain.db().read(), account_id, &keys).await?;
    let holders = holders.into_iter().flatten().map(Holder::id);
    let mut ids: Vec<ItemId> = ids.iter().copied().chain(holders).collect();
    ids.sort_unstable();
    ids.dedup();
    packed.anchors = anchors_of(domain, account_id, &ids, &packed.text.document).await?;
    Ok(())
}

/// Computes the positions of the highlights of items, some of which may be deleted, in another text.
pub(crate) async fn anchors_of(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    document: &Arc<Document>,
) -> Result<ComputedAnchors> {
    use library_highlight::Column;
    if ids.is_empty() {
        return Ok(ComputedAnchors::default());
    }
    let mut rows = Vec::new();
    for column in [Column::ItemId, Column::DetachedFrom] {
        let query = library_highlight::Entity::owned_by(account_id).filter(column.is_in(ids.to_vec()));
        rows.extend(query.order_by_asc(Column::Id).all(domain.db().read()).await?);
    }
    Ok(search(rows, document, SearchBudget::TEXT).await?.anchors)
}

/// Highlights with their positions in a text.
struct SearchedHighlights {
    rows: Vec<library_highlight::Model>,
    anchors: ComputedAnchors,
    /// Remaining work for further searches.
    budget: SearchBudget,
}

/// Computes the positions of highlights on a blocking thread.
async fn search(
    rows: Vec<library_highlight::Model>,
    document: &Arc<Document>,
    mut budget: SearchBudget,
) -> Result<SearchedHighlights> {
    let mut anchors = ComputedAnchors::default();
    if rows.is_empty() {
        return Ok(SearchedHighlights { rows, anchors, budget });
    }
    let document = Arc::clone(document);
    let work = move || {
        let haystack = Haystack::of(&document);
        for row in &rows {
            let hint = row.hint.and_then(|hint| u32::try_from(hint).ok());
            let near = row.start_offset.and_then(|start| usize::try_from(start).ok());
            let near = near.or_else(|| hint.and_then(|anchor| haystack.offset_of(anchor)));
            anchors.insert(row, locate(row, &haystack, near, &mut budget));
        }
        SearchedHighlights { rows, anchors, budget }
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}

/// Anchors the highlights of an item in its text at the positions in `anchors`. Highlights without a position there are
/// searched for in the transaction, within `budget`. Highlights whose position did not change are not written. Returns
/// the remaining budget.
pub(crate) async fn reanchor_highlights(
    transaction: &mut LibraryTransaction,
    item_id: ItemId,
    document: &Arc<Document>,
    (mut anchors, budget): (ComputedAnchors, SearchBudget),
) -> Result<SearchBudget> {
    let rows = library_highlight::Entity::owned_by(transaction.account_id)
        .filter(library_highlight::Column::ItemId.eq(item_id))
        .order_by_asc(library_highlight::Column::Id)
        .all(transaction.db())
        .await?;
    let (mut moved, mut others) = (Vec::new(), Vec::new());
    for mut row in rows {
        let Some(anchor) = anchors.remove(&row) else {
            others.push(row);
            continue;
        };
        if anchor.write(&mut row) {
            moved.push(row);
        }
    }
    let SearchedHighlights { rows: others, mut anchors, budget } = search(others, document, budget).await?;
    for mut row in others {
        let anchor = anchors.remove(&row).unwrap_or(HighlightAnchor::ORPHANED);
        if anchor.write(&mut row) {
            moved.push(row);
        }
    }
    for mut row in moved {
        let stamp = transaction.stamp(ObjectKind::Highlight, ObjectId::from(row.id.as_uuid()));
        (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
        row.into_active_model().reset_all().update(transaction.db()).await?;
    }
    Ok(budget)
}
