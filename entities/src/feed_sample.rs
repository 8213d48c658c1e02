//! Newest entries of feeds, fetched for previews of rewrite rules. Not owned by accounts: a feed with its own login is
//! followed by one account only. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_sample")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    /// Entries as JSON, newest first.
    pub entries: String,
    /// Code of the error, if the feed could not be read.
    pub error_code: Option<String>,
    /// Message for `error_code`.
    pub error_message: Option<String>,
    /// Delay requested by the site, in seconds.
    pub error_retry_after: Option<i32>,
    pub made_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
