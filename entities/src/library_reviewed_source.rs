//! Sources of highlights that accounts have reviewed. They determine the order of reviews.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_reviewed_source")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Id of the item of the highlights, even after the item was deleted. Id of the highlight if it never had
    /// an item.
    #[sea_orm(primary_key, auto_increment = false)]
    pub source_id: Uuid,
    /// Local day of the last answer, in days since 1970-01-01.
    pub day: i32,
    /// Number of answers on that day.
    pub reviewed: i32,
    /// Last day with an answer before that day. Null if there is none.
    pub previous_day: Option<i32>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the reviewed sources of an account.");

impl ActiveModelBehavior for ActiveModel {}
