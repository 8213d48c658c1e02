//! Operations on the servers of other services from which a library is imported.

use std::sync::Arc;

use extract::imports::ImportService;
use kernel::{ImportServerId, rfc3339};
use library::ImportServerState;
use library::transfer::{self, FolderTags, NewImportServer, ServerCredential};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};

use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Flag, Text, Url};
use http_kit::http::request::request;

pub(crate) struct ImportServersApi;

/// Field of a credential.
type CredentialText = Text<1, 1000>;

request! {
    /// Server to import from, with the credential that its service needs: `username`, `password`, `clientId`
    /// and `clientSecret` for wallabag, `username` and `password` (the API password) for FreshRSS, and `token`
    /// for all others. The credential is stored encrypted, is never returned, and is sent to this server only.
    pub(super) struct ImportServerRequest in camelCase {
        /// Service that the server provides.
        service: EnumParam<ImportService> = "karakeep",
        /// URL of the server. Required, except for Readwise, Raindrop, and Pinboard, which have one server.
        address: Option<Url> = "https://keep.example.org",
        /// API token; for Pinboard, with the user name: `user:token`.
        token: Option<CredentialText> = "your-token",
        /// User name.
        username: Option<CredentialText>,
        /// Password.
        password: Option<CredentialText>,
        /// Id of the API client.
        client_id: Option<CredentialText>,
        /// Secret of the API client.
        client_secret: Option<CredentialText>,
        /// How folders and lists are imported. Default: `path-tags`.
        folders: EnumParam<FolderTags> = "path-tags" => EnumParam(FolderTags::PathTags),
        /// True to also follow the feeds of Miniflux or FreshRSS. Default: true.
        subscriptions: Flag = true => true,
    }
}

impl From<ImportServerRequest> for NewImportServer {
    fn from(request: ImportServerRequest) -> Self {
        let text = |field: Option<CredentialText>| field.map(|field| field.0);
        Self {
            service: request.service.0,
            address: request.address.map(|url| url.0),
            credential: ServerCredential {
                token: text(request.token),
                username: text(request.username),
                password: text(request.password),
                client_id: text(request.client_id),
                client_secret: text(request.client_secret),
            },
            folders: request.folders.0,
            subscriptions: request.subscriptions.0,
        }
    }
}

/// Server of another service that the library is imported from.
#[derive(Debug, Object)]
#[oai(rename = "ImportServer", rename_all = "camelCase")]
pub(super) struct ImportServerResponse {
    /// Id of the import server (UUID).
    pub id: String,
    /// Service that the server provides.
    pub service: EnumParam<ImportService>,
    /// URL of the server.
    pub address: String,
    /// State of the latest run.
    pub state: EnumParam<ImportServerState>,
    /// Id of the import with the rows of the latest run, for `getImport`. It is deleted after 30 days.
    pub import_id: Option<String>,
    /// Error code of the latest run while it waits or after it has failed; otherwise null.
    pub error_code: Option<String>,
    /// Time at which a waiting run continues, RFC 3339 UTC; otherwise null.
    pub retry_at: Option<String>,
    /// Time at which the latest run was requested, RFC 3339 UTC.
    pub started_at: String,
    /// Time at which the latest run ended, RFC 3339 UTC; null until then.
    pub finished_at: Option<String>,
    /// Warnings about the server. `unencrypted_connection`: the address is not https, so others on the network
    /// can read the credential. Empty if there are none.
    pub warnings: Vec<String>,
}

impl From<transfer::ImportServer> for ImportServerResponse {
    fn from(server: transfer::ImportServer) -> Self {
        let warning = (!server.is_confidential()).then(|| "unencrypted_connection".to_owned());
        Self {
            id: server.id.to_string(),
            service: EnumParam(server.service),
            address: server.address,
            state: EnumParam(server.state),
            import_id: server.import_id.map(|id| id.to_string()),
            error_code: server.error_code,
            retry_at: server.retry_at.map(rfc3339),
            started_at: rfc3339(server.started_at),
            finished_at: server.finished_at.map(rfc3339),
            warnings: warning.into_iter().collect(),
        }
    }
}

/// Response with one import server.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ImportServerOne {
    /// The import server.
    pub server: ImportServerResponse,
}

/// Import servers of an account.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ImportServerList {
    /// Import servers, oldest first.
    pub servers: Vec<ImportServerResponse>,
}

fn server_id() -> String {
    "0193a0b2-7d00-7000-8000-5c6d7e8f9a0b".to_owned()
}

impl Example for ImportServerResponse {
    fn example() -> Self {
        Self {
            id: server_id(),
            service: EnumParam(ImportService::Karakeep),
            address: "https://keep.example.org".into(),
            state: EnumParam(ImportServerState::Complete),
            import_id: Some("0193a0b2-7c00-7000-8000-7e2b3c4d5e6f".into()),
            error_code: None,
            retry_at: None,
            started_at: "2026-11-20T12:00:00.000Z".into(),
            finished_at: Some("2026-11-20T12:04:00.000Z".into()),
            warnings: Vec::new(),
        }
    }
}

impl Example for ImportServerOne {
    fn example() -> Self {
        Self { server: ImportServerResponse::example() }
    }
}

impl Example for ImportServerList {
    fn example() -> Self {
        Self { servers: vec![ImportServerResponse::example()] }
    }
}

#[derive(ApiResponse)]
pub(super) enum ImportServerAccepted {
    /// The import server; its run is queued.
    #[oai(status = 202)]
    Accepted(Json<ImportServerOne>),
}

fn id_of(text: &str) -> Result<ImportServerId, ApiError> {
    path_id(text, "import server")
}

#[OpenApi(tag = "ApiTag::Library")]
impl ImportServersApi {
    /// List import servers
    ///
    /// Returns the servers that the library is imported from, with the state of their latest runs.
    #[oai(path = "/v1/library/import-servers", method = "get", operation_id = "listImportServers")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<ImportServerList>, ApiError> {
        let servers = transfer::list_servers(&app.domain, caller.0.account_id).await?;
        Ok(Json(ImportServerList { servers: servers.into_iter().map(ImportServerResponse::from).collect() }))
    }

    /// Import from a server
    ///
    /// Adds a server and starts the first run, which imports everything. An account has at most 10 servers.
    #[oai(path = "/v1/library/import-servers", method = "post", operation_id = "addImportServer")]
    async fn add(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<ImportServerRequest>,
    ) -> Result<ImportServerAccepted, Errors<422>> {
        let added = transfer::add_server(&app.domain, caller.0.account_id, body.0.into()).await?;
        let server = app.engine.dispatch(added).await.into();
        Ok(ImportServerAccepted::Accepted(Json(ImportServerOne { server })))
    }

    /// Import from a server again
    ///
    /// Starts a run that imports what is new or changed since the latest complete run. After a failed run, it
    /// continues where that run stopped. If a run has not ended, nothing changes.
    #[oai(path = "/v1/library/import-servers/:id/run", method = "post", operation_id = "runImportServer")]
    async fn run(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the import server.
        #[oai(example = "server_id")]
        id: Path<String>,
    ) -> Result<ImportServerAccepted, Errors<404>> {
        let started = transfer::start_server(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let server = app.engine.dispatch(started).await.into();
        Ok(ImportServerAccepted::Accepted(Json(ImportServerOne { server })))
    }

    /// Delete an import server
    ///
    /// Deletes the server and its credential, and stops its run. Imported data is retained.
    #[oai(path = "/v1/library/import-servers/:id", method = "delete", operation_id = "deleteImportServer")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the import server.
        #[oai(example = "server_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        transfer::delete_server(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }
}
