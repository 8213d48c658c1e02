//! Groups of monitors. The settings of a group are copied to the monitors that inherit them. Times are
//! milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MonitorGroupId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_group")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MonitorGroupId,
    pub account_id: AccountId,
    /// Name given by the owner.
    pub name: String,
    /// Normalized name, unique within the account.
    pub name_key: String,
    /// Interval of the monitors. Null if each monitor has its own.
    pub interval_minutes: Option<i32>,
    /// Schedule of the monitors as JSON. Null if each monitor has its own.
    pub schedule: Option<String>,
    /// Ids of the channels of the monitors, as JSON. Null if each monitor has its own.
    pub notify: Option<String>,
    /// Secret part of the URLs of the public page and feed. Null unless the group is published.
    pub feed_token: Option<String>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the monitor groups of an account.");

impl ActiveModelBehavior for ActiveModel {}
