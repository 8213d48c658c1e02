//! Credentials that feed apps use instead of an API key, stored as hashes. A credential is valid as long as
//! its key.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, KeyId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "app_credential")]
pub struct Model {
    /// SHA-256 of the credential that the app sends.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// `token` for a token issued to an app, `digest` for a digest that apps compute from e-mail address and
    /// key, or `key digest` for a digest that e-readers compute from the key.
    pub kind: String,
    pub account_id: AccountId,
    /// Key that the credential represents.
    pub key_id: KeyId,
    /// E-mail address of the account when the credential was created.
    pub email: String,
    pub made_at: i64,
}

/// Key, loaded along with the credential.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "super::api_key::Entity",
        from = "Column::KeyId",
        to = "super::api_key::Column::Id"
    )]
    Key,
}

impl Related<super::api_key::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Key.def()
    }
}

crate::owned!("Selects the app credentials of an account.");

impl ActiveModelBehavior for ActiveModel {}
