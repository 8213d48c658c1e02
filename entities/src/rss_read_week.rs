//! Number of entries per subscription and week that were opened, or marked as read by id. Times are
//! milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, SubscriptionId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_read_week")]
pub struct Model {
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub subscription_id: SubscriptionId,
    /// Weeks since the Unix epoch.
    #[sea_orm(primary_key, auto_increment = false)]
    pub week: i64,
    /// Number of entries.
    pub entries: i64,
    /// Time at which the last of these entries was opened or marked as read.
    pub last_read_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the weekly read counts of an account.");

impl ActiveModelBehavior for ActiveModel {}
