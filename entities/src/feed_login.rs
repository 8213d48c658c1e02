//! Logins, user agents, headers, and rewrite rules of feeds that a single account follows. Not owned by accounts: a
//! row is deleted with its feed. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_login")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    /// Key of the feed's address, to which the login is bound.
    pub address_key: String,
    /// User name and password, sealed. Empty if the feed has no login.
    pub sealed: Vec<u8>,
    /// Value of the `User-Agent` header. Null for the default.
    pub user_agent: Option<String>,
    /// Names of the headers, as a JSON list. Null if no headers are set.
    pub header_names: Option<String>,
    /// Names and values of the headers, sealed. Null if no headers are set.
    pub sealed_headers: Option<Vec<u8>>,
    /// Rules that rewrite the entries of the feed, as a JSON list. Null if there are none.
    pub rewrites: Option<String>,
    /// Time at which the rules exceeded their time limit. They are not applied until they are saved again.
    pub rewrites_stopped_at: Option<i64>,
    /// Number of entries to which the rules could not be applied since they were saved.
    pub rewrites_skipped: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
