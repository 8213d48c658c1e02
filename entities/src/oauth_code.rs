//! Authorization codes, stored as hashes. Used codes are retained, so that a second use is detected.

use sea_orm::entity::prelude::*;

use crate::ids::GrantId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_code")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Grant that becomes active when the code is exchanged.
    pub grant_id: GrantId,
    /// Redirect URI to which the code was sent.
    pub redirect_uri: String,
    /// PKCE challenge: SHA-256 of the verifier, in base64url (RFC 7636).
    pub challenge: String,
    pub expires_at: i64,
    /// Time of use.
    pub used_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
