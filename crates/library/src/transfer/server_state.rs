//! Records the state of import runs in the rows of their servers.

use entities::ids::ImportId;
use entities::library_words::{ImportKind, ImportServerState};
use entities::{library_import, library_server};
use extract::imports::ImportService;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::server_position::Position;
use crate::LibraryTransaction;
use kernel::{Millis, Result};

/// Returns true if a run of the server was requested and has not ended.
pub(super) fn is_unfinished(row: &library_server::Model) -> bool {
    match row.state {
        ImportServerState::Queued | ImportServerState::Running | ImportServerState::Waiting => true,
        ImportServerState::Complete | ImportServerState::Failed => false,
    }
}

/// Creates the change that records the end of a run.
pub(super) fn ended(
    state: ImportServerState,
    error_code: Option<&str>,
    now: Millis,
) -> library_server::ActiveModel {
    library_server::ActiveModel {
        state: Set(state),
        error_code: Set(error_code.map(str::to_owned)),
        retry_at: Set(None),
        finished_at: Set(Some(now)),
        ..Default::default()
    }
}

/// Records that the run of a cancelled import has ended. The job of the run stops at its next step.
pub(super) async fn end_run_of(
    transaction: &LibraryTransaction,
    import_id: ImportId,
    error_code: &str,
) -> Result<()> {
    let unfinished = [ImportServerState::Queued, ImportServerState::Running, ImportServerState::Waiting];
    library_server::Entity::update_many()
        .set(ended(ImportServerState::Failed, Some(error_code), transaction.now))
        .filter(library_server::Column::AccountId.eq(transaction.account_id))
        .filter(library_server::Column::ImportId.eq(import_id))
        .filter(library_server::Column::State.is_in(unfinished))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Resets the positions of all servers of a service, because an import from one of them was undone. Their
/// next runs, and runs that have not ended, start from the beginning. All servers are reset because the import
/// does not record its server. Existing items are not duplicated.
pub(super) async fn forget_positions(
    connection: &impl ConnectionTrait,
    import: &library_import::Model,
    now: Millis,
) -> Result<()> {
    if import.kind != ImportKind::Server {
        return Ok(());
    }
    let services = ImportService::ALL.iter().filter(|service| service.format().as_str() == import.format);
    let servers = library_server::Entity::owned_by(import.account_id)
        .filter(library_server::Column::Service.is_in(services.map(|service| service.as_str())))
        .all(connection)
        .await?;
    for server in servers {
        let begun_at = is_unfinished(&server).then_some(now);
        let position = Position { begun_at, ..Position::default() }.to_text()?;
        library_server::Entity::update_many()
            .set(library_server::ActiveModel { position: Set(position), ..Default::default() })
            .filter(library_server::Column::Id.eq(server.id))
            .filter(library_server::Column::AccountId.eq(import.account_id))
            .exec(connection)
            .await?;
    }
    Ok(())
}
