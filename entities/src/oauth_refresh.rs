//! Refresh tokens, stored as hashes, one per generation. Used tokens are retained, so that reuse is detected.

use sea_orm::entity::prelude::*;

use crate::ids::GrantId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_refresh")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Grant of the token.
    pub grant_id: GrantId,
    /// 0 for the first token of a grant, increasing by one with each rotation.
    pub generation: i64,
    pub expires_at: i64,
    /// Time at which the token was replaced by its successor.
    pub rotated_at: Option<i64>,
    /// Scopes and resources requested in that rotation.
    pub rotated_for: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
