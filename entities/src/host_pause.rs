//! Pauses that pages of a server asked for. Nobody owns them, and the account is a witness, not an owner. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `host_pause`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "host_pause")]
pub struct Model {
    /// The host, with its port where that is not the usual one.
    #[sea_orm(primary_key, auto_increment = false)]
    pub host: String,
    /// The page that asked, as 64 bits of a hash.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url_hash: i64,
    /// When it asked.
    pub asked_at: i64,
    /// Until when it wants to be left alone.
    pub paused_until: i64,
    /// Whose page it is; empty where several accounts have it.
    pub witness_id: Option<AccountId>,
}

/// A pause stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
