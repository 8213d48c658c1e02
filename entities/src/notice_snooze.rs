//! Snoozes: a channel gets no messages about a monitor until its snooze expires. Not owned by accounts: a row is
//! deleted with its channel or its monitor. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{ChannelId, MonitorId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "notice_snooze")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub channel_id: ChannelId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub monitor_id: MonitorId,
    /// Time from which messages are sent again.
    pub until_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
