//! What apps say of themselves at an address of their own, which is their id. Times are milliseconds since the Unix
//! epoch.

use sea_orm::entity::prelude::*;

/// One row of `oauth_client_document`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_client_document")]
pub struct Model {
    /// The address, as the app sent it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub client_id: String,
    /// JSON text of what matters of the document; none when there never was a good one.
    pub document: Option<String>,
    /// When the good one was fetched.
    pub fetched_at: i64,
    /// Until when it is used without asking.
    pub fresh_until: i64,
    /// Until when nobody asks again, because the last try failed.
    pub failed_until: i64,
    /// JSON text of the app's keys.
    pub keys: Option<String>,
    /// When they were fetched, or should have been.
    pub keys_at: i64,
}

/// A document stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
