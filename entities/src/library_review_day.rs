//! Number of highlights per account that were reviewed on the last day with a review.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_review_day")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Local day of the account, in days since 1970-01-01.
    pub day: i32,
    /// Number of highlights reviewed on that day.
    pub reviewed: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the review day of an account.");

impl ActiveModelBehavior for ActiveModel {}
