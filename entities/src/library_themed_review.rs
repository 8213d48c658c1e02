//! Themed reviews of highlights. Exactly one of `tag`, `item_id`, and `search_id` is not null. Times are milliseconds
//! since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId, SavedSearchId, ThemedReviewId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_themed_review")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ThemedReviewId,
    pub account_id: AccountId,
    pub name: String,
    /// Maximum number of highlights that are reviewed per day.
    pub per_day: i16,
    /// Name of the tag of the highlights or of their items.
    pub tag: Option<String>,
    /// Item of the highlights. It may have been deleted.
    pub item_id: Option<ItemId>,
    /// Saved search that matches the highlights. It may have been deleted.
    pub search_id: Option<SavedSearchId>,
    /// Local day of the last answer, in days since 1970-01-01.
    pub day: i32,
    /// Number of highlights reviewed on that day.
    pub reviewed: i32,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the themed reviews of an account.");

impl ActiveModelBehavior for ActiveModel {}
