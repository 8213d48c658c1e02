//! Undoes imports: deletes the objects that an import created, unless they were changed since.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ImportId, ObjectId};
use entities::library_words::TransferState;
use entities::{library_import, library_import_made};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::created_objects::{self, CreatedObject};
use super::import::{of_library, submit};
use super::server_state::forget_positions;
use crate::LibraryTransaction;
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
    let created = |made: &library_import_made::Model| CreatedObject {
        kind: made.kind,
        id: made.object_id,
        mark: made.mark,
    };
    let objects: Vec<CreatedObject> = made.iter().map(created).collect();
    created_objects::delete_unchanged(&mut transaction, &objects).await?;
    let ids: Vec<ObjectId> = made.iter().map(|made| made.object_id).collect();
    library_import_made::Entity::delete_many()
        .filter(library_import_made::Column::ImportId.eq(row.id))
        .filter(library_import_made::Column::ObjectId.is_in(ids))
        .exec(transaction.db())
        .await?;
    transaction.commit().await?;
    Ok(RevertStep::More)
}
