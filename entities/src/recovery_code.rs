//! Recovery codes, which replace a code of the second factor. A used code is deleted.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "recovery_code")]
pub struct Model {
    /// SHA-256 of the account and the code.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    pub account_id: AccountId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all recovery codes of an account.");

impl ActiveModelBehavior for ActiveModel {}
