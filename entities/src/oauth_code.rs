//! Authorization codes, by hash. A used one is remembered, so that its second use is seen.

use sea_orm::entity::prelude::*;

use crate::ids::GrantId;

/// One row of `oauth_code`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_code")]
pub struct Model {
    /// SHA-256 of the code.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// What it begins.
    pub grant_id: GrantId,
    /// Where it was sent.
    pub redirect_uri: String,
    /// SHA-256 of the verifier, as base64url (RFC 7636).
    pub challenge: String,
    /// From when on it is void.
    pub expires_at: i64,
    /// When it was used.
    pub used_at: Option<i64>,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
