//! Accounts whose person allows texts to be sent to the language model. If an account has no row, it has not
//! consented.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "model_consent")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Milliseconds since the Unix epoch.
    pub given_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the consent of an account.");

impl ActiveModelBehavior for ActiveModel {}
