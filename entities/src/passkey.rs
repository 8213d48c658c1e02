//! Passkeys, with which a person signs in without a password. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, PasskeyId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkey")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: PasskeyId,
    pub account_id: AccountId,
    /// Id that the authenticator chose; unique.
    #[sea_orm(unique)]
    pub credential_id: Vec<u8>,
    /// Public key as a COSE key (RFC 9052).
    pub public_key: Vec<u8>,
    /// Signature counter of the last sign-in. 0 if the authenticator has none.
    pub sign_count: i64,
    /// Name that the owner chose.
    pub name: String,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all passkeys of an account.");

impl ActiveModelBehavior for ActiveModel {}
