//! Rules that change saved items. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, LibraryRuleId};
use crate::library_words::ItemStatus;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_rule")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: LibraryRuleId,
    pub account_id: AccountId,
    /// Position in the order in which the rules of the account apply, counted from 1.
    pub position: i16,
    pub name: String,
    /// Query in the search language.
    pub query: String,
    /// Names of the tags to add, as a JSON array.
    pub tags: String,
    /// Status that matching items receive. Null if the rule does not change it.
    pub status: Option<ItemStatus>,
    /// Number of saved items that the rule has matched.
    pub matches: i64,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the rules of an account.");

impl ActiveModelBehavior for ActiveModel {}
