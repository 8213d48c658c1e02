//! Where an account stands with its monitor credits in one calendar month: the sum of its entries.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `credit_month`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "credit_month")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// UTC, as in 202611.
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: i32,
    /// What the plan gives.
    pub allowance: i64,
    /// What operators gave, or took when below nothing.
    pub granted: i64,
    /// What runs cost.
    pub used: i64,
}

/// The owner is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The months of an account.");

impl ActiveModelBehavior for ActiveModel {}
