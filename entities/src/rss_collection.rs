//! Collections: an account's folders of subscriptions. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, CollectionId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_collection")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: CollectionId,
    pub account_id: AccountId,
    /// Display name.
    pub name: String,
    /// Normalized name, unique within the account.
    pub name_key: String,
    /// `custom` or `unsorted`; each account has exactly one `unsorted`.
    pub kind: String,
    pub created_at: i64,
    /// Days after which unread entries count as read. Null for never.
    pub read_after_days: Option<i32>,
    /// Ids of the channels that are notified of new entries of its feeds, as a JSON list. Feeds may have their own
    /// channels instead.
    pub notify: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the collections of an account.");

impl ActiveModelBehavior for ActiveModel {}
