//! Refresh tokens, by hash: one generation follows the other. Used ones are remembered, so that a late use is seen.

use sea_orm::entity::prelude::*;

use crate::ids::GrantId;

/// One row of `oauth_refresh`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_refresh")]
pub struct Model {
    /// SHA-256 of the token.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// The grant that it prolongs.
    pub grant_id: GrantId,
    /// 0 for the first of a grant; each successor has one more.
    pub generation: i64,
    /// From when on it is void.
    pub expires_at: i64,
    /// When it gave way to its successor.
    pub rotated_at: Option<i64>,
    /// Which scopes and resources it was used for then.
    pub rotated_for: Option<String>,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
