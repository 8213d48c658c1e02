//! Personal API keys, stored as hashes. Revoked keys keep their row, so that requests with them get a
//! specific error.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, KeyId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "api_key")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: KeyId,
    pub account_id: AccountId,
    /// Name given by the owner.
    pub name: String,
    /// First 12 characters of the key, displayed to identify it.
    pub prefix: String,
    /// SHA-256 of the key.
    #[sea_orm(unique)]
    pub hash: Vec<u8>,
    /// Scope names, separated by spaces.
    pub scopes: String,
    pub created_at: i64,
    /// Time of the last use, to the minute.
    pub last_used_at: Option<i64>,
    /// Expiry time. Null if the key does not expire.
    pub expires_at: Option<i64>,
    pub revoked_at: Option<i64>,
}

/// Owner, loaded along with the key for its tier and status.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
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

crate::owned!("Selects all keys of an account, including revoked keys.");

impl ActiveModelBehavior for ActiveModel {}
