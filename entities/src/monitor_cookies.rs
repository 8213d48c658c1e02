//! Cookies that a monitor sends in its next runs. Not owned by accounts: they are deleted with the monitor.

use sea_orm::entity::prelude::*;

use crate::ids::MonitorId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_cookies")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub monitor_id: MonitorId,
    /// Cookie file, sealed for the account, the origin, and the monitor.
    pub sealed: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
