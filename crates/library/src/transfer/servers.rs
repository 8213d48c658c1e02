//! Servers of other services from which an account imports: adding, listing, running, and removing them. A
//! run writes its rows as an import, which has a report and can be undone.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ImportId, ImportServerId};
use entities::library_words::{ImportKind, ImportServerState, TransferState};
use entities::{library_import, library_server};
use extract::imports::ImportService;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
};

use super::folder_tags::FolderTags;
use super::import::{CANCELLED, new_row};
use super::import_report;
use super::server_credential::ServerCredential;
use super::server_position::Position;
use super::server_requests::{base_of, server_address};
use super::server_state::is_unfinished;
use crate::LibraryTransaction;
use articles::{Address, typed_address};
use identity::limits::check_plan_limit;
use jobs::{JobKind, NewJob, Submitted};
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum number of servers of an account.
pub const MAX_SERVERS: u64 = 10;

/// Import server that is to be added.
#[derive(Clone, Debug)]
pub struct NewImportServer {
    pub service: ImportService,
    /// URL of the server. `None` for a service that has only one server.
    pub address: Option<String>,
    pub credential: ServerCredential,
    /// Conversion of folders to tags.
    pub folders: FolderTags,
    /// True to follow the feeds of the server.
    pub subscriptions: bool,
}

/// Server of another service from which an account imports. Its credential is never returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportServer {
    pub id: ImportServerId,
    pub service: ImportService,
    /// URL without a trailing slash.
    pub address: String,
    /// State of the latest run.
    pub state: ImportServerState,
    /// Import that contains the rows of the latest run. It is deleted when it expires.
    pub import_id: Option<ImportId>,
    /// Error code of the latest run, if it waits because of an error or has failed.
    pub error_code: Option<String>,
    /// Time at which a waiting run continues.
    pub retry_at: Option<Millis>,
    /// Time at which the latest run was requested.
    pub started_at: Millis,
    /// Time at which the latest run ended.
    pub finished_at: Option<Millis>,
}

impl ImportServer {
    /// Returns false if the credential is sent without encryption.
    pub fn is_confidential(&self) -> bool {
        fetch::is_confidential(&self.address)
    }

    fn of(row: library_server::Model) -> Result<Self> {
        Ok(Self {
            id: row.id,
            service: service_of(&row)?,
            address: row.address,
            state: row.state,
            import_id: row.import_id,
            error_code: row.error_code,
            retry_at: row.retry_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
        })
    }
}

/// Returns the service of a server.
pub(super) fn service_of(row: &library_server::Model) -> Result<ImportService> {
    ImportService::parse(&row.service).ok_or_else(|| Error::internal("the service of a server is unknown"))
}

/// Adds a server and requests its first run. The caller pushes the job.
///
/// # Errors
/// `conflicting_changes`, `invalid_request`, `invalid_url`, or `url_not_allowed` if the address or the
/// credential is not valid; `limit_reached` if the account has the maximum number of servers.
#[boxed]
pub async fn add_server(
    domain: &Domain,
    account_id: AccountId,
    new: NewImportServer,
) -> Result<(ImportServer, Submitted)> {
    let address = checked_address(domain, new.service, new.address.as_deref())?;
    new.credential.check(new.service)?;
    let id: ImportServerId = domain.new_id();
    let sealed = new.credential.seal(domain, id, &address).await?;
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let used = library_server::Entity::owned_by(account_id).count(transaction.db()).await?;
    check_plan_limit("import servers", MAX_SERVERS, used)?;
    let mut row = library_server::Model {
        id,
        account_id,
        service: new.service.as_str().to_owned(),
        address,
        sealed,
        folders: new.folders.as_str().to_owned(),
        subscriptions: new.subscriptions,
        state: ImportServerState::Queued,
        position: String::new(),
        import_id: None,
        error_code: None,
        retry_at: None,
        started_at: transaction.now,
        finished_at: None,
        created_at: transaction.now,
    };
    let submitted = begin_run(&transaction, domain, &mut row).await?;
    let new_server = row.clone().into_active_model();
    library_server::Entity::insert(new_server).exec_without_returning(transaction.db()).await?;
    transaction.commit().await?;
    Ok((ImportServer::of(row)?, submitted))
}

/// Checks and normalizes the address of a server. `None` for a service that has only one server.
fn checked_address(domain: &Domain, service: ImportService, address: Option<&str>) -> Result<String> {
    let typed = address.map(str::trim).filter(|typed| !typed.is_empty());
    let Some(typed) = typed.or_else(|| server_address(service)) else {
        let message = "Enter the URL of your server.";
        return Err(Error::new(Code::ConflictingChanges, message).at("address", "is needed by this service"));
    };
    let Address { url, .. } = Address::parse(domain, &typed_address(typed)).map_err(|error| {
        let reason = error.message.clone();
        error.at("address", reason)
    })?;
    if url.query().is_some() {
        return Err(Error::invalid_at("/address", "must be the URL of the server, without a query"));
    }
    Ok(base_of(&url))
}

/// Finds the server of an account by service and address.
///
/// # Errors
/// The errors of [`add_server`] for the address.
#[boxed]
pub async fn find_server(
    domain: &Domain,
    account_id: AccountId,
    service: ImportService,
    address: Option<&str>,
) -> Result<Option<ImportServer>> {
    let address = checked_address(domain, service, address)?;
    let servers = list_servers(domain, account_id).await?;
    Ok(servers.into_iter().find(|server| server.service == service && server.address == address))
}

/// Returns the job that imports from a server, if there is one.
#[boxed]
pub async fn server_job(domain: &Domain, id: ImportServerId) -> Result<Option<Submitted>> {
    jobs::live_submission(domain.db().write(), JobKind::LibraryServer, &id.to_string()).await
}

/// Returns the servers of an account, oldest first.
#[boxed]
pub async fn list_servers(domain: &Domain, account_id: AccountId) -> Result<Vec<ImportServer>> {
    let rows = library_server::Entity::owned_by(account_id)
        .order_by_asc(library_server::Column::Id)
        .all(domain.db().read())
        .await?;
    rows.into_iter().map(ImportServer::of).collect()
}

/// Requests a run of a server. If the latest run has not ended, it continues. The caller pushes the job.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn start_server(
    domain: &Domain,
    account_id: AccountId,
    id: ImportServerId,
) -> Result<(ImportServer, Submitted)> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let mut row = owned(&transaction, id).await?;
    let submitted = if is_unfinished(&row) {
        submit(&transaction, domain, id).await?
    } else {
        let submitted = begin_run(&transaction, domain, &mut row).await?;
        let change = library_server::ActiveModel {
            state: Set(row.state),
            position: Set(row.position.clone()),
            import_id: Set(row.import_id),
            error_code: Set(row.error_code.clone()),
            retry_at: Set(row.retry_at),
            started_at: Set(row.started_at),
            finished_at: Set(row.finished_at),
            ..Default::default()
        };
        update(&transaction, id, change).await?;
        submitted
    };
    transaction.commit().await?;
    Ok((ImportServer::of(row)?, submitted))
}

/// Creates the import of a new run, updates the fields of the server's `row`, and submits the job.
async fn begin_run(
    transaction: &LibraryTransaction,
    domain: &Domain,
    row: &mut library_server::Model,
) -> Result<Submitted> {
    let import_id: ImportId = domain.new_id();
    let import = library_import::Model {
        format: service_of(row)?.format().as_str().to_owned(),
        folders: row.folders.clone(),
        ..new_row(import_id, transaction.account_id, ImportKind::Server, transaction.now)
    };
    import_report::delete_oldest(transaction.db(), transaction.account_id).await?;
    library_import::Entity::insert(import.into_active_model())
        .exec_without_returning(transaction.db())
        .await?;
    let mut position = Position::parse(&row.position);
    // If this run continues a failed run, it keeps the start time of that run.
    position.begun_at = position.begun_at.or(Some(transaction.now));
    position.failures = 0;
    row.position = position.to_text()?;
    row.state = ImportServerState::Queued;
    row.import_id = Some(import_id);
    (row.error_code, row.retry_at, row.finished_at) = (None, None, None);
    row.started_at = transaction.now;
    submit(transaction, domain, row.id).await
}

/// Submits the job of a run.
pub(super) async fn submit(
    transaction: &LibraryTransaction,
    domain: &Domain,
    id: ImportServerId,
) -> Result<Submitted> {
    let job = NewJob::new(JobKind::LibraryServer, id.to_string()).owner(transaction.account_id);
    jobs::submit(transaction.db(), domain, job).await
}

/// Updates the row of a server.
pub(super) async fn update(
    transaction: &LibraryTransaction,
    id: ImportServerId,
    change: library_server::ActiveModel,
) -> Result<()> {
    library_server::Entity::update_many()
        .set(change)
        .filter(library_server::Column::Id.eq(id))
        .filter(library_server::Column::AccountId.eq(transaction.account_id))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Deletes a server with its credential. A running import stops at its next step. Imported objects are
/// retained.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_server(domain: &Domain, account_id: AccountId, id: ImportServerId) -> Result<()> {
    let transaction = LibraryTransaction::begin(domain, account_id).await?;
    let row = owned(&transaction, id).await?;
    if let Some(import_id) = row.import_id.filter(|_| is_unfinished(&row)) {
        let change = library_import::ActiveModel {
            is_cancelled: Set(true),
            state: Set(TransferState::Failed),
            error_code: Set(Some(CANCELLED.to_owned())),
            finished_at: Set(Some(transaction.now)),
            ..Default::default()
        };
        library_import::Entity::update_many()
            .set(change)
            .filter(library_import::Column::Id.eq(import_id))
            .filter(library_import::Column::AccountId.eq(account_id))
            .exec(transaction.db())
            .await?;
    }
    library_server::Entity::delete_many()
        .filter(library_server::Column::Id.eq(id))
        .filter(library_server::Column::AccountId.eq(account_id))
        .exec(transaction.db())
        .await?;
    transaction.commit().await
}

async fn owned(transaction: &LibraryTransaction, id: ImportServerId) -> Result<library_server::Model> {
    let query =
        library_server::Entity::owned_by(transaction.account_id).filter(library_server::Column::Id.eq(id));
    query.one(transaction.db()).await?.ok_or_else(|| not_found("import server"))
}
