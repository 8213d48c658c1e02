//! Rules of an account for new feed entries. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, RuleId, SubscriptionId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_rule")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: RuleId,
    pub account_id: AccountId,
    /// Subscription to which the rule applies. Null for all subscriptions of the account.
    pub subscription_id: Option<SubscriptionId>,
    /// `keep`, `drop`, `mute`, `read`, `star`, `save` or `notify`.
    pub action: String,
    /// `title`, `author`, `text`, `any`, `url`, `published`, `media`, or `category`.
    pub part: String,
    /// `words` or `expression`.
    pub kind: String,
    /// Words, regular expression, or date to match.
    pub words: String,
    pub created_at: i64,
    /// Time at which the rule was disabled because it took too long.
    pub stopped_at: Option<i64>,
    /// Number of entries that the rule has dropped.
    pub dropped: i64,
    /// Time at which the owner deleted the rule. The row remains while it hides dropped entries.
    pub deleted_at: Option<i64>,
    /// Tags of saved items, as a JSON list of names.
    pub tags: String,
    /// Number of entries that the rule has starred or saved.
    pub saved: i64,
    /// Number of matching entries that could not be starred or saved.
    pub unsaved: i64,
    /// Reason of the last such failure.
    pub unsaved_reason: Option<String>,
    /// Time of the last such failure.
    pub unsaved_at: Option<i64>,
    /// Ids of the channels to which the rule sends entries, as a JSON list.
    pub notify: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the rules of an account.");

impl ActiveModelBehavior for ActiveModel {}
