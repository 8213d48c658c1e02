//! Monitors whose changes are shared with teams.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MonitorId, TeamId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "team_monitor")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub team_id: TeamId,
    /// Owner of the team and of the monitor.
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub monitor_id: MonitorId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the monitors that an account shares.");

impl ActiveModelBehavior for ActiveModel {}
