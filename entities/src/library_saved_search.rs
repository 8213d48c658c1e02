//! Searches that accounts saved under a name. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, SavedSearchId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_saved_search")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: SavedSearchId,
    pub account_id: AccountId,
    /// `library` or `entries`.
    pub target: String,
    pub name: String,
    /// Name in lower case, unique for the account and target.
    pub name_key: String,
    /// Query in the search language.
    pub query: String,
    pub created_at: i64,
    /// Secret part of the search feed's addresses. Null if the search has no feed.
    pub feed_token: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the saved searches of an account.");

impl ActiveModelBehavior for ActiveModel {}
