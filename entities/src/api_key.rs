//! Personal API keys, by the hash of their text. A revoked key keeps its row, so that whoever still
//! uses it can be told what happened.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, KeyId};

/// One row of `api_key`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_key")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: KeyId,
    /// Whose it is.
    pub account_id: AccountId,
    /// What its owner calls it.
    pub name: String,
    /// The first 12 characters of its text, to tell keys apart.
    pub prefix: String,
    /// SHA-256 of its text.
    #[sea_orm(unique)]
    pub hash: Vec<u8>,
    /// Scope names parted by blanks.
    pub scopes: String,
    /// When it was made.
    pub created_at: i64,
    /// When it was last used, to the minute.
    pub last_used_at: Option<i64>,
    /// From when on it is void.
    pub expires_at: Option<i64>,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
}

/// The owner, whose tier and standing are read together with the key.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// Whose key it is.
    #[sea_orm(
        belongs_to = "super::account::Entity",
        from = "Column::AccountId",
        to = "super::account::Column::Id"
    )]
    Account,
}

impl Related<super::account::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Account.def()
    }
}

crate::owned!("All keys of an account, revoked ones included.");

impl ActiveModelBehavior for ActiveModel {}
