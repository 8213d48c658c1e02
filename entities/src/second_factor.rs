//! Second factor of an account: the key of an authenticator app. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "second_factor")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Key of the codes, encrypted.
    pub sealed_key: Vec<u8>,
    pub created_at: i64,
    /// Time at which the first code was entered. Null until then; sign-in does not ask for a code while it is
    /// null.
    pub confirmed_at: Option<i64>,
    /// Time step of the last accepted code. Codes of this step and of earlier steps are refused.
    pub last_step: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the second factor of an account.");

impl ActiveModelBehavior for ActiveModel {}
