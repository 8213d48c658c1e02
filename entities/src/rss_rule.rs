//! Rules of feeds: what an account wants done with entries that come in. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, RuleId, SubscriptionId};

/// One row of `rss_rule`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_rule")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: RuleId,
    /// The owner.
    pub account_id: AccountId,
    /// The subscription it is for; all of the account where there is none.
    pub subscription_id: Option<SubscriptionId>,
    /// `keep`, `mute` or `read`.
    pub action: String,
    /// `title`, `author`, `text` or `any`.
    pub part: String,
    /// `words` or `expression`.
    pub kind: String,
    /// What is looked for.
    pub words: String,
    /// When it was made.
    pub created_at: i64,
    /// When it was switched off because it took too long.
    pub stopped_at: Option<i64>,
}

/// Owner and subscription are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The rules of an account.");

impl ActiveModelBehavior for ActiveModel {}
