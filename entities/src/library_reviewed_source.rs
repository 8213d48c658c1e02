//! Sources of highlights that accounts have reviewed, which determine the order of review.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_reviewed_source")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Item of the highlights, also after its deletion. The highlight if it has no item.
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
