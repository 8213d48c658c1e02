//! Sessions of signed-in people, stored by the hash of the cookie's value.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    /// SHA-256 of the cookie's value, so that a copy of the table opens no session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    pub account_id: AccountId,
    /// Time of the sign-in.
    pub created_at: i64,
    /// Time of the last use, rounded to the hour.
    pub last_seen_at: i64,
    /// Time at which the session expires, even if it is in use.
    pub expires_at: i64,
    /// Name of the browser, for display to the owner. Null if unknown.
    pub browser: Option<String>,
    /// Network of the sign-in, for display to the owner. Null if unknown.
    pub network: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all sessions of an account.");

impl ActiveModelBehavior for ActiveModel {}
