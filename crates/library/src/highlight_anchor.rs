//! Anchors highlights in the text of their item, and reanchors them in each new text: passages by their quotes,
//! pictures by their URLs.

use std::sync::Arc;

use entities::ids::{AccountId, ItemId, ObjectId};
use entities::library_highlight;
use entities::library_words::{AnchorStatus, ObjectKind};
use extract::Document;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, IntoActiveModel, QueryFilter};

use super::quote_match::{Haystack, MatchKind, QuoteQuery};
use super::text;
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

/// Anchors a highlight at the position of its quote or picture in a text. `near` is the expected offset, in code
/// points. Returns true if the highlight changed.
pub(crate) fn anchor_highlight(
    row: &mut library_highlight::Model,
    haystack: &Haystack,
    near: Option<usize>,
) -> bool {
    let before = row.clone();
    match row.picture_url.clone() {
        Some(url) => anchor_picture(row, &url, haystack, near),
        None => anchor_quote(row, haystack, near),
    }
    *row != before
}

fn anchor_quote(row: &mut library_highlight::Model, haystack: &Haystack, near: Option<usize>) {
    let query = QuoteQuery { quote: &row.quote, prefix: &row.prefix, suffix: &row.suffix, near };
    let number = |count: usize| i32::try_from(count).ok();
    if let Some(range) = haystack.find(query) {
        let blocks = haystack.blocks_of(range);
        row.anchor = i32::try_from(blocks.anchor).ok();
        row.end_anchor = i32::try_from(blocks.end_anchor).ok();
        row.page = blocks.page.and_then(|page| i32::try_from(page).ok());
        (row.start_offset, row.end_offset) = (number(range.start), number(range.end));
        row.anchor_status = status_of(range.match_kind);
        if row.prefix.is_empty() && row.suffix.is_empty() {
            (row.prefix, row.suffix) = haystack.context(range);
        }
    } else {
        orphan(row);
    }
}

/// Anchors a highlight at the block of its picture. If the picture has another URL in this text, the highlight gets
/// that URL, because the previous one may no longer be served.
fn anchor_picture(row: &mut library_highlight::Model, url: &str, haystack: &Haystack, near: Option<usize>) {
    let Some((picture, match_kind)) = haystack.find_picture(url, &row.quote, near) else {
        return orphan(row);
    };
    let number = |count: usize| i32::try_from(count).ok();
    row.picture_url = Some(picture.url.clone());
    row.anchor = i32::try_from(picture.anchor).ok();
    row.end_anchor = row.anchor;
    row.page = picture.page.and_then(|page| i32::try_from(page).ok());
    (row.start_offset, row.end_offset) = (number(picture.start), number(picture.end));
    row.anchor_status = status_of(match_kind);
}

fn status_of(match_kind: MatchKind) -> AnchorStatus {
    match match_kind {
        MatchKind::Exact => AnchorStatus::Exact,
        MatchKind::Similar => AnchorStatus::Moved,
    }
}

fn orphan(row: &mut library_highlight::Model) {
    (row.anchor, row.end_anchor, row.page) = (None, None, None);
    (row.start_offset, row.end_offset) = (None, None);
    row.anchor_status = AnchorStatus::Orphaned;
}

/// Anchors the highlights of an item in its new text. Highlights whose position did not change are not
/// written.
pub(crate) async fn reanchor_highlights(
    transaction: &mut LibraryTransaction,
    item_id: ItemId,
    document: &Arc<Document>,
) -> Result<()> {
    let rows = library_highlight::Entity::owned_by(transaction.account_id)
        .filter(library_highlight::Column::ItemId.eq(item_id))
        .all(transaction.db())
        .await?;
    if rows.is_empty() {
        return Ok(());
    }
    let document = Arc::clone(document);
    let work = move || {
        let haystack = Haystack::of(&document);
        let mut moved = Vec::new();
        for mut row in rows {
            let hint = row.hint.and_then(|hint| u32::try_from(hint).ok());
            let near = row.start_offset.and_then(|start| usize::try_from(start).ok());
            let near = near.or_else(|| hint.and_then(|anchor| haystack.offset_of(anchor)));
            if anchor_highlight(&mut row, &haystack, near) {
                moved.push(row);
            }
        }
        moved
    };
    for mut row in tokio::task::spawn_blocking(work).await.map_err(Error::internal)? {
        let stamp = transaction.stamp(ObjectKind::Highlight, ObjectId::from(row.id.as_uuid()));
        (row.sequence, row.updated_at) = (stamp.sequence, stamp.updated_at);
        row.into_active_model().reset_all().update(transaction.db()).await?;
    }
    Ok(())
}
