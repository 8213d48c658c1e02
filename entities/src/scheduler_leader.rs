//! Which scheduler ticks: one row, held by a lease.

use sea_orm::entity::prelude::*;

/// The row of `scheduler_leader`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "scheduler_leader")]
pub struct Model {
    /// Always 1.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i32,
    /// The process that leads.
    pub holder: String,
    /// Until when it is believed to be alive, by the database's clock.
    pub until: i64,
}

/// It stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
