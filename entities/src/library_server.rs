//! Servers of other services that libraries are imported from. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ImportId, ImportServerId};
use crate::library_words::ImportServerState;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_server")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ImportServerId,
    pub account_id: AccountId,
    /// Name of the service.
    pub service: String,
    /// URL of the server without a trailing slash.
    pub address: String,
    /// Credential, sealed and bound to the id and the address.
    pub sealed: Vec<u8>,
    /// How folders are imported: `path-tags`, `tags` or `ignore`.
    pub folders: String,
    /// True if the feeds of the server are followed.
    pub subscriptions: bool,
    /// `queued`, `running`, `waiting`, `complete` or `failed`.
    pub state: ImportServerState,
    /// Position of the latest run, and the time after which changes are new to the next run, as JSON.
    pub position: String,
    /// Import that contains the rows of the latest run. It may have been deleted.
    pub import_id: Option<ImportId>,
    /// Error code of the latest run while it waits or after it has failed.
    pub error_code: Option<String>,
    /// Time at which a waiting run continues.
    pub retry_at: Option<i64>,
    /// Time at which the latest run was requested.
    pub started_at: i64,
    /// Time at which the latest run ended.
    pub finished_at: Option<i64>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the servers that an account imports from.");

impl ActiveModelBehavior for ActiveModel {}
