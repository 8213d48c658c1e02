//! Pauses that pages of a server asked for. Nobody owns them. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

/// One row of `host_pause`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "host_pause")]
pub struct Model {
    /// Registrable domain, or an address with its port.
    #[sea_orm(primary_key, auto_increment = false)]
    pub host: String,
    /// The page that asked, as 64 bits of a hash.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url_hash: i64,
    /// When it asked.
    pub asked_at: i64,
    /// Until when it wants to be left alone.
    pub paused_until: i64,
}

/// A pause stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
