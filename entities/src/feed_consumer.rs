//! Consumers of the log of feeds. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ConsumerId};

/// One row of `feed_consumer`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_consumer")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: ConsumerId,
    /// The owner.
    pub account_id: AccountId,
    /// As shown.
    pub name: String,
    /// As compared; unique within the account.
    pub name_key: String,
    /// JSON text of which events are meant.
    pub predicate: String,
    /// Events up to this number of the log are acknowledged, or are none that are meant.
    pub position: i64,
    /// How often it was reset: what was delivered before cannot be acknowledged after.
    pub epoch: i64,
    /// When it was last given events, to the minute.
    pub last_delivered_at: Option<i64>,
    /// When it last acknowledged some.
    pub acknowledged_at: Option<i64>,
    /// When it was last read or acknowledged, to the minute.
    pub used_at: i64,
    /// When it was made.
    pub created_at: i64,
}

/// The owner is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The consumers of an account.");

impl ActiveModelBehavior for ActiveModel {}
