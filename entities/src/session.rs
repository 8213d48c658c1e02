//! Sessions of signed-in people, by the hash of what their cookie holds.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `session`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    /// SHA-256 of the cookie's value: a copy of the table opens no session.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Whose it is.
    pub account_id: AccountId,
    /// When the person signed in.
    pub created_at: i64,
    /// When it was last used, to the hour.
    pub last_seen_at: i64,
    /// From when on it is void, however much it is used.
    pub expires_at: i64,
    /// The browser it was opened by, in words for its owner; nothing where that is not known.
    pub browser: Option<String>,
}

/// The owner is the only one who matters to a session.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("All sessions of an account.");

impl ActiveModelBehavior for ActiveModel {}
