//! Monthly balance of an account's monitor credits: the sum of its ledger entries.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "credit_month")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Month in UTC, as in 202611.
    #[sea_orm(primary_key, auto_increment = false)]
    pub month: i32,
    /// Credits of the plan.
    pub allowance: i64,
    /// Credits granted by operators. Negative if credits were taken away.
    pub granted: i64,
    /// Credits charged for runs.
    pub used: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the monthly balances of an account.");

impl ActiveModelBehavior for ActiveModel {}
