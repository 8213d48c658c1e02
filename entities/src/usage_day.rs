//! Daily quota usage of accounts. The stored number is slightly higher than the real usage, so that a restart
//! never grants extra usage.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "usage_day")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Name of the quota's policy.
    #[sea_orm(primary_key, auto_increment = false)]
    pub quota: String,
    /// UTC day, counted from 1970-01-01.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i64,
    /// Upper bound of the usage.
    pub used: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all usage counters of an account.");

impl ActiveModelBehavior for ActiveModel {}
