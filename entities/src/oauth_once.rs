//! Single-use values, stored as hashes: submissions of the consent form, ids of client assertions,
//! challenges of passkeys, and sign-ins at an OpenID provider.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_once")]
pub struct Model {
    /// SHA-256 of the type and the value.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// Time at which the value itself expires, in milliseconds since the Unix epoch. From then on, the row
    /// can be deleted.
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
