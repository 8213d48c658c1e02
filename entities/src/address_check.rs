//! Results of checking whether an address of this service can be reached from outside; only the last result
//! is stored. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "address_check")]
pub struct Model {
    /// Checked origin.
    #[sea_orm(primary_key, auto_increment = false)]
    pub address: String,
    /// `reachable`, or the name of the fault.
    pub outcome: String,
    /// Cause of the fault in words. Empty if there is none.
    pub detail: String,
    pub checked_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
