//! New entries that rules of an account send to channels, until the messages about them are written.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, FeedId, RuleId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_rule_notice")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// Rule that matched the entry. It may be deleted.
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule_id: RuleId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the entries that rules of an account send to channels.");

impl ActiveModelBehavior for ActiveModel {}
