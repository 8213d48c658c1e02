//! Undoes imports: deletes the objects that an import created, unless they were changed since.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use entities::ids::{AccountId, HighlightId, ImportId, ItemId, NoteId, ObjectId};
use entities::library_words::{ObjectKind, TransferState};
use entities::{library_highlight, library_import, library_import_made, library_item, library_note};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::fingerprint;
use super::import::{of_library, submit};
use super::server_state::forget_positions;
use crate::{Annotations, LibraryTransaction, annotations, item, keys, remove, tags};
use jobs::Submitted;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Result};

/// Maximum number of objects per transaction.
const STEP: u64 = 100;
/// Maximum number of transactions while the caller waits. If objects remain, a job deletes them.
const INLINE_STEPS: usize = 10;

/// Undoes an import. Objects that were changed since the import are retained. If the import created many
/// objects, a job deletes the remaining objects. The caller pushes the job. `None` if the import is already
/// undone.
///
/// # Errors
/// `not_found`; `not_ready` while the import runs.
#[boxed]
pub async fn undo_import(domain: &Domain, account_id: AccountId, id: ImportId) -> Result<Option<Submitted>> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = of_library(account_id, id).one(transaction.db()).await?.ok_or_else(|| not_found("import"))?;
    if matches!(row.state, TransferState::Queued | TransferState::Running) && !row.is_cancelled {
        return Err(
            Error::new(Code::NotReady, "The import is still running. Cancel it first.").retry_after(5)
        );
    }
    if row.is_undone {
        return Ok(None);
    }
    library_import::Entity::update_many()
        .set(library_import::ActiveModel { is_undo_requested: Set(true), ..Default::default() })
        .filter(library_import::Column::Id.eq(row.id))
        .exec(transaction.db())
        .await?;
    let submitted = submit(&transaction, domain).await?;
    transaction.commit().await?;
    for _ in 0..INLINE_STEPS {
        if revert_step(domain, &row).await? == RevertStep::Last {
            break;
        }
    }
    Ok(Some(submitted))
}

/// Deletes the objects that an import created, unless they were changed since.
pub(super) async fn revert(domain: &Domain, row: &library_import::Model) -> Result<()> {
    while revert_step(domain, row).await? == RevertStep::More {}
    Ok(())
}

/// Result of a step: more objects may be left, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RevertStep {
    More,
    Last,
}

/// Deletes some of the objects that an import created.
async fn revert_step(domain: &Domain, row: &library_import::Model) -> Result<RevertStep> {
    let mut transaction = LibraryTransaction::begin(domain, row.account_id).await?;
    let made = library_import_made::Entity::owned_by(row.account_id)
        .filter(library_import_made::Column::ImportId.eq(row.id))
        .order_by_asc(library_import_made::Column::ObjectId)
        .limit(STEP)
        .all(transaction.db())
        .await?;
    if made.is_empty() {
        library_import::Entity::update_many()
            .set(library_import::ActiveModel { is_undone: Set(true), ..Default::default() })
            .filter(library_import::Column::Id.eq(row.id))
            .exec(transaction.db())
            .await?;
        // The next pages of the server contain the deleted objects again.
        forget_positions(transaction.db(), row, transaction.now).await?;
        transaction.commit().await?;
        return Ok(RevertStep::Last);
    }
    step(&mut transaction, &made).await?;
    let ids: Vec<ObjectId> = made.iter().map(|made| made.object_id).collect();
    library_import_made::Entity::delete_many()
        .filter(library_import_made::Column::ImportId.eq(row.id))
        .filter(library_import_made::Column::ObjectId.is_in(ids))
        .exec(transaction.db())
        .await?;
    transaction.commit().await?;
    Ok(RevertStep::More)
}

async fn step(transaction: &mut LibraryTransaction, made: &[library_import_made::Model]) -> Result<()> {
    let account_id = transaction.account_id;
    let marks: HashMap<ObjectId, i64> = made.iter().map(|made| (made.object_id, made.mark)).collect();
    let ids = |kind: ObjectKind| {
        made.iter().filter(move |made| made.kind == kind).map(|made| made.object_id.as_uuid())
    };
    let mut notes = library_note::Entity::owned_by(account_id)
        .filter(library_note::Column::Id.is_in(ids(ObjectKind::Note).map(NoteId::from).collect::<Vec<_>>()))
        .all(transaction.db())
        .await?;
    let mut highlights = library_highlight::Entity::owned_by(account_id)
        .filter(
            library_highlight::Column::Id
                .is_in(ids(ObjectKind::Highlight).map(HighlightId::from).collect::<Vec<_>>()),
        )
        .all(transaction.db())
        .await?;
    let mut items = library_item::Entity::owned_by(account_id)
        .filter(library_item::Column::Id.is_in(ids(ObjectKind::Item).map(ItemId::from).collect::<Vec<_>>()))
        .all(transaction.db())
        .await?;
    let mut tagged = HashMap::new();
    for made in made {
        tagged.insert(made.object_id, tags::current(transaction.db(), account_id, made.object_id).await?);
    }
    let is_untouched = |id: ObjectId, mark: &dyn Fn(&[tags::Tag]) -> i64| {
        let tags = tagged.get(&id).map(Vec::as_slice).unwrap_or_default();
        marks.get(&id) == Some(&mark(tags))
    };
    notes.retain(|row| is_untouched(row.id.as_uuid().into(), &|tags| fingerprint::of_note(row, tags)));
    highlights
        .retain(|row| is_untouched(row.id.as_uuid().into(), &|tags| fingerprint::of_highlight(row, tags)));
    items.retain(|row| is_untouched(item::object(row.id), &|tags| fingerprint::of_item(row, tags)));
    annotations::delete_notes(transaction, &notes).await?;
    annotations::delete_highlights(transaction, &highlights).await?;
    // Annotations that a person added to an item are detached, as in every deletion of items.
    remove::delete_in(transaction, &items, Annotations::Keep).await?;
    release_keys(transaction, &items).await
}

/// Deletes the keys of items that were deleted by undoing the import, so that the items can be imported
/// again. The keys of items with detached annotations are retained, so that the annotations can be
/// reattached.
async fn release_keys(transaction: &LibraryTransaction, items: &[library_item::Model]) -> Result<()> {
    let ids: Vec<ItemId> = items.iter().map(|item| item.id).collect();
    let notes: Vec<Option<ItemId>> = library_note::Entity::owned_by(transaction.account_id)
        .select_only()
        .column(library_note::Column::DetachedFrom)
        .filter(library_note::Column::DetachedFrom.is_in(ids.clone()))
        .into_tuple()
        .all(transaction.db())
        .await?;
    let highlights: Vec<Option<ItemId>> = library_highlight::Entity::owned_by(transaction.account_id)
        .select_only()
        .column(library_highlight::Column::DetachedFrom)
        .filter(library_highlight::Column::DetachedFrom.is_in(ids.clone()))
        .into_tuple()
        .all(transaction.db())
        .await?;
    let missed: Vec<ItemId> = notes.into_iter().chain(highlights).flatten().collect();
    let ids: Vec<ItemId> = ids.into_iter().filter(|id| !missed.contains(id)).collect();
    keys::delete_all(transaction, &ids).await
}
