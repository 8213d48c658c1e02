//! Pauses that pages of a host requested. Not owned by accounts: `witness_id` only records whose URL led to
//! the pause. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "host_pause")]
pub struct Model {
    /// Host, with its port unless it is the default.
    #[sea_orm(primary_key, auto_increment = false)]
    pub host: String,
    /// 64-bit hash of the page that requested the pause.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url_hash: i64,
    /// Time of the request.
    pub asked_at: i64,
    /// End of the requested pause.
    pub paused_until: i64,
    /// Account that uses the page. Null if several accounts use it.
    pub witness_id: Option<AccountId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
