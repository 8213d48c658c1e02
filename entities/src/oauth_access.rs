//! Access tokens, by hash.

use sea_orm::entity::prelude::*;

use crate::ids::GrantId;

/// One row of `oauth_access`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_access")]
pub struct Model {
    /// SHA-256 of the token.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// The grant behind it.
    pub grant_id: GrantId,
    /// The generation of the refresh token that it came with.
    pub generation: i64,
    /// What it may be used for: scope names parted by blanks.
    pub scopes: String,
    /// Where it is good.
    pub resources: String,
    /// From when on it is void.
    pub expires_at: i64,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
