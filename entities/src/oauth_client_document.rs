//! Client metadata documents that apps publish at a URL, which is their client id. Times are milliseconds
//! since the Unix epoch.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_client_document")]
pub struct Model {
    /// URL as the app sent it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub client_id: String,
    /// Relevant parts of the document, as JSON. Null if no valid document was ever fetched.
    pub document: Option<String>,
    /// Time at which the valid document was fetched.
    pub fetched_at: i64,
    /// Time until which the document is used without a new fetch.
    pub fresh_until: i64,
    /// Time until which the document is not fetched again, because the last fetch failed.
    pub failed_until: i64,
    /// Public keys of the app, as JSON.
    pub keys: Option<String>,
    /// Time of the last attempt to fetch the keys.
    pub keys_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
