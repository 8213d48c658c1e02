//! Newsletters that accounts receive as feed entries. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, FeedId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "inbox_newsletter")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// SHA-256 of the `List-Id`, or of the address of the sender, in hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub identity: String,
    /// Name of the sender when the feed was created.
    pub title: String,
    /// Feed of the newsletter. Null if it was unfollowed.
    pub feed_id: Option<FeedId>,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the newsletters of an account.");

impl ActiveModelBehavior for ActiveModel {}
