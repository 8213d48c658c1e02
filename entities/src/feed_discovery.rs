//! Cached results of feed discovery on sites. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_discovery")]
pub struct Model {
    /// Normalized key of the requested address.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url_key: String,
    /// Feeds as JSON, best match first.
    pub found: String,
    /// Code of the error, if the site could not be read.
    pub error_code: Option<String>,
    /// Message for `error_code`.
    pub error_message: Option<String>,
    /// Delay requested by the site, in seconds.
    pub error_retry_after: Option<i32>,
    pub made_at: i64,
    /// List that a monitor can watch on a page without a feed, as JSON. Null if no list was detected.
    pub page_list: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
