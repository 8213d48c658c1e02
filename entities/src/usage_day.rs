//! What an account has used of a daily quota. The number is a high-water mark: it runs a little ahead
//! of what was used, so that a restart gives nothing away.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `usage_day`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "usage_day")]
pub struct Model {
    /// Whose use.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Which quota: the name of its policy.
    #[sea_orm(primary_key, auto_increment = false)]
    pub quota: String,
    /// The UTC day, counted from 1970-01-01.
    #[sea_orm(primary_key, auto_increment = false)]
    pub day: i64,
    /// How much is used at most.
    pub used: i64,
}

/// Counters stand alone; the owner is in the key.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("All counters of an account.");

impl ActiveModelBehavior for ActiveModel {}
