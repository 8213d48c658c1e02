//! Invitations to sign up, by the hash of their code. Nobody owns one: operators make them.

use sea_orm::entity::prelude::*;

/// One row of `invite`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invite")]
pub struct Model {
    /// SHA-256 of the code.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// The tier of the account that it makes.
    pub tier: String,
    /// When it was made.
    pub created_at: i64,
    /// From when on it is void.
    pub expires_at: i64,
}

/// An invitation stands alone: once used it is gone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
