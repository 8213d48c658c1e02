//! Consumers of the feed event log. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ConsumerId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_consumer")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: ConsumerId,
    pub account_id: AccountId,
    /// Display name.
    pub name: String,
    /// Normalized name, unique within the account.
    pub name_key: String,
    /// Event filter, as JSON.
    pub predicate: String,
    /// Acknowledged position: events up to this sequence number are acknowledged or do not match the filter.
    pub position: i64,
    /// Number of resets. Cursors delivered before a reset cannot be acknowledged after it.
    pub epoch: i64,
    /// Time of the last delivery, to the minute.
    pub last_delivered_at: Option<i64>,
    /// Time of the last acknowledgement.
    pub acknowledged_at: Option<i64>,
    /// Time of the last read or acknowledgement, to the minute.
    pub used_at: i64,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the consumers of an account.");

impl ActiveModelBehavior for ActiveModel {}
