//! What feed apps hold that stands for an API key, by its hash: it is good for as long as the key is.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, KeyId};

/// One row of `app_credential`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "app_credential")]
pub struct Model {
    /// SHA-256 of what the app sends.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: Vec<u8>,
    /// `token` for one that an app was given, `digest` for one that apps make of e-mail address and key.
    pub kind: String,
    /// Whose it is.
    pub account_id: AccountId,
    /// The key that it stands for.
    pub key_id: KeyId,
    /// The account's address when it was made.
    pub email: String,
    /// When it was made.
    pub made_at: i64,
}

/// The key, which is read together with it.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// The key that it stands for.
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

crate::owned!("What apps hold of an account.");

impl ActiveModelBehavior for ActiveModel {}
