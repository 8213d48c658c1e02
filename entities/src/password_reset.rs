//! Password reset links, stored as hashes.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "password_reset")]
pub struct Model {
    /// SHA-256 of the link's secret, so that a copy of the table opens no account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Account whose password the link resets.
    pub account_id: AccountId,
    pub created_at: i64,
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all password reset links of an account.");

impl ActiveModelBehavior for ActiveModel {}
