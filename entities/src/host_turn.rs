//! Lines of servers at which many things are due. Nobody owns them. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

/// One row of `host_turn`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "host_turn")]
pub struct Model {
    /// The registrable domain of the server.
    #[sea_orm(primary_key, auto_increment = false)]
    pub host: String,
    /// The first turn that is not given out yet.
    pub next_at: i64,
}

/// A line stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
