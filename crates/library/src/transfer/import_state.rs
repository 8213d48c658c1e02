//! Records the state of a running import in its row.

use entities::ids::ImportId;
use entities::library_import;
use entities::library_words::TransferState;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::tally::ImportTally;
use kernel::{Domain, Error, Result};

/// Updates the row of an import, unless the import was cancelled.
pub(super) async fn write(domain: &Domain, id: ImportId, change: library_import::ActiveModel) -> Result<()> {
    write_in(domain.db().write(), id, change).await
}

/// Like [`write()`], but uses the given connection.
pub(super) async fn write_in(
    connection: &impl ConnectionTrait,
    id: ImportId,
    change: library_import::ActiveModel,
) -> Result<()> {
    library_import::Entity::update_many()
        .set(change)
        .filter(library_import::Column::Id.eq(id))
        .filter(library_import::Column::IsCancelled.eq(false))
        .exec(connection)
        .await?;
    Ok(())
}

/// Creates the change that records the counts of an import after `rows` rows.
pub(super) fn progress(tally: &ImportTally, rows: u64) -> Result<library_import::ActiveModel> {
    Ok(library_import::ActiveModel {
        rows_done: Set(i64::try_from(rows).unwrap_or(i64::MAX)),
        created: Set(tally.created),
        existing: Set(tally.existing),
        skipped: Set(tally.skipped),
        failed: Set(tally.failed),
        highlights: Set(tally.highlights),
        problems: Set(serde_json::to_string(&tally.problems).map_err(Error::internal)?),
        ..Default::default()
    })
}

/// Records that an import ended with `state`.
pub(super) async fn end(
    domain: &Domain,
    id: ImportId,
    state: TransferState,
    error_code: Option<&str>,
) -> Result<()> {
    let change = library_import::ActiveModel {
        state: Set(state),
        error_code: Set(error_code.map(str::to_owned)),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    };
    write(domain, id, change).await
}
