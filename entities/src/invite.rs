//! Invitations to sign up, stored as hashes of their codes. Created by operators and not owned by accounts.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invite")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Plan of the new account.
    pub tier: String,
    pub created_at: i64,
    pub expires_at: i64,
}

/// Invitations have no relations. A used invitation is deleted.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
