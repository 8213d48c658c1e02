//! Queues of hosts at which many requests are due. Not owned by accounts. Times are milliseconds since the
//! Unix epoch.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "host_turn")]
pub struct Model {
    /// Registrable domain of the host.
    #[sea_orm(primary_key, auto_increment = false)]
    pub host: String,
    /// Next free time slot in the queue.
    pub next_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
