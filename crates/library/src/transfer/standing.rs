//! How an import stands, written in its row while it is carried out.

use entities::ids::ImportId;
use entities::library_import;
use entities::library_words::TransferState;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use kernel::error::Result;
use kernel::handle::Domain;

/// Writes how it stands; nothing is written over what somebody who stopped it has said.
pub(super) async fn write(domain: &Domain, id: ImportId, change: library_import::ActiveModel) -> Result<()> {
    write_in(domain.db().write(), id, change).await
}

/// [`write()`], as part of a transaction.
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

/// Writes that it has ended.
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
