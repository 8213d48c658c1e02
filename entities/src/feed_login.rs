//! Logins, user agents and headers of feeds that a single account follows. Not owned by accounts: a row is
//! deleted with its feed.

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
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
