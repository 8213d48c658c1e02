//! OAuth access tokens, stored as hashes.

use sea_orm::entity::prelude::*;

use crate::ids::GrantId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_access")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Grant of the token.
    pub grant_id: GrantId,
    /// Generation of the refresh token with which it was issued.
    pub generation: i64,
    /// Scope names, separated by spaces.
    pub scopes: String,
    /// Resources for which the token is valid.
    pub resources: String,
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
