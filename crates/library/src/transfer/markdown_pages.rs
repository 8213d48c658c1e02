//! Loads items with their notes and highlights as Markdown files, page by page.

use std::collections::{HashMap, HashSet};

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, NoteId};
use entities::{library_highlight, library_note};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};

use super::markdown_file::{ItemFileWriter, MarkdownFile};
use crate::annotation_lists::{AnnotationFilter, list_highlights};
use crate::item::{self, Item};
use crate::notes::{self, Note};
use crate::sync::TextInclusion;
use crate::text;
use kernel::{Domain, Error, Result};

/// Maximum number of notes or highlights that are loaded at a time.
const PAGE: u32 = 50;
/// Total size from which no further file is added to a response, in bytes.
const FILES_BYTES: usize = 4 << 20;

/// Markdown files of requested items.
#[derive(Clone, Debug)]
pub struct MarkdownFiles {
    /// Files in the order of the request. Unknown items have none.
    pub files: Vec<MarkdownFile>,
    /// Items that did not fit and have to be requested again.
    pub remaining: Vec<ItemId>,
}

/// Returns the Markdown files of the account's items with these ids, as many as fit, but at least one.
#[boxed]
pub async fn markdown_files(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    texts: TextInclusion,
) -> Result<MarkdownFiles> {
    let items = item::find_all(domain.db().read(), account_id, ids).await?;
    let mut items: HashMap<ItemId, Item> = items.into_iter().map(|item| (item.id, item)).collect();
    let (mut files, mut remaining, mut bytes) = (Vec::new(), Vec::new(), 0);
    for id in ids {
        let Some(item) = items.remove(id) else { continue };
        if bytes >= FILES_BYTES {
            remaining.push(*id);
            continue;
        }
        let file = markdown_file(domain, item, texts).await?;
        bytes += file.markdown.len();
        files.push(file);
    }
    Ok(MarkdownFiles { files, remaining })
}

/// Returns the items that have notes or highlights.
pub(super) async fn annotated(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<HashSet<ItemId>> {
    let db = domain.db().read();
    let mut annotated: Vec<ItemId> = library_note::Entity::owned_by(account_id)
        .select_only()
        .column(library_note::Column::ItemId)
        .distinct()
        .filter(library_note::Column::ItemId.is_in(ids.to_vec()))
        .into_tuple()
        .all(db)
        .await?;
    let highlighted: Vec<ItemId> = library_highlight::Entity::owned_by(account_id)
        .select_only()
        .column(library_highlight::Column::ItemId)
        .distinct()
        .filter(library_highlight::Column::ItemId.is_in(ids.to_vec()))
        .into_tuple()
        .all(db)
        .await?;
    annotated.extend(highlighted);
    Ok(annotated.into_iter().collect())
}

/// Creates the Markdown file of an item.
pub(super) async fn markdown_file(domain: &Domain, item: Item, texts: TextInclusion) -> Result<MarkdownFile> {
    let (account_id, id) = (item.account_id, item.id);
    let has_text = texts == TextInclusion::Included && item.content_hash.is_some();
    let mut writer = ItemFileWriter::start(item, &domain.policy().account_url);
    writer = write_notes(domain, account_id, id, writer).await?;
    writer = write_highlights(domain, account_id, id, writer).await?;
    if has_text
        && !writer.is_full()
        && let Some(text) = text::load(domain.db().read(), account_id, id).await?
    {
        writer = write(writer, move |writer| writer.text(&text.document)).await?;
    }
    Ok(writer.finish())
}

async fn write_notes(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
    mut writer: ItemFileWriter,
) -> Result<ItemFileWriter> {
    let mut after: Option<NoteId> = None;
    while !writer.is_full() {
        let page = notes_of(domain, account_id, item_id, after).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.row.id);
        writer = write(writer, move |writer| page.iter().for_each(|note| writer.note(note))).await?;
    }
    Ok(writer)
}

/// Returns a page of an item's notes after `after`, in the order of their creation.
async fn notes_of(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
    after: Option<NoteId>,
) -> Result<Vec<Note>> {
    let db = domain.db().read();
    let mut page = library_note::Entity::owned_by(account_id)
        .filter(library_note::Column::ItemId.eq(item_id))
        .order_by_asc(library_note::Column::Id)
        .limit(u64::from(PAGE));
    if let Some(after) = after {
        page = page.filter(library_note::Column::Id.gt(after));
    }
    notes::all_with_tags(db, account_id, page.all(db).await?).await
}

async fn write_highlights(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
    mut writer: ItemFileWriter,
) -> Result<ItemFileWriter> {
    let filter = AnnotationFilter { item_id: Some(item_id), ..AnnotationFilter::default() };
    let mut after = None;
    while !writer.is_full() {
        let page = list_highlights(domain, account_id, &filter, after, PAGE).await?;
        let highlights = page.annotations;
        let work = move |writer: &mut ItemFileWriter| {
            for highlight in &highlights {
                writer.highlight(highlight);
            }
        };
        writer = write(writer, work).await?;
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(writer)
}

/// Writes on a blocking thread, because rendering long texts is slow.
async fn write(
    mut writer: ItemFileWriter,
    work: impl FnOnce(&mut ItemFileWriter) + Send + 'static,
) -> Result<ItemFileWriter> {
    let written = tokio::task::spawn_blocking(move || {
        work(&mut writer);
        writer
    });
    written.await.map_err(Error::internal)
}
