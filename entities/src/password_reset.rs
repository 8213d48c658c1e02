//! Links that let an account's owner set a new password, by the hash of what the link holds.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `password_reset`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "password_reset")]
pub struct Model {
    /// SHA-256 of the link's secret: a copy of the table opens no account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Whose password it sets.
    pub account_id: AccountId,
    /// When it was made.
    pub created_at: i64,
    /// From when on it is void.
    pub expires_at: i64,
}

/// The owner is the only one who matters to a link.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("All links of an account.");

impl ActiveModelBehavior for ActiveModel {}
