//! Logins of feeds that a single account follows. Not owned by accounts: a login is deleted with its feed.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_login")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    /// Key of the feed's address, to which the login is bound.
    pub address_key: String,
    /// User name and password, sealed.
    pub sealed: Vec<u8>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
