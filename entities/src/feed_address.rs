//! Addresses of feeds: the current address of each feed, and its previous addresses.

use sea_orm::entity::prelude::*;

use crate::ids::FeedId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_address")]
pub struct Model {
    /// Address without scheme and fragment, used as key. If it is long, `sha256:` and its hash in hexadecimal.
    #[sea_orm(primary_key, auto_increment = false)]
    pub url: String,
    pub feed_id: FeedId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
