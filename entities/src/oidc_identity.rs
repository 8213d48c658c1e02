//! People at an OpenID provider who sign in to an account. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, OidcIdentityId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oidc_identity")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: OidcIdentityId,
    pub account_id: AccountId,
    /// Issuer identifier of the provider. An account has at most one identity per issuer.
    pub issuer: String,
    /// Identifier of the person at the provider (`sub`); unique per issuer.
    pub subject: String,
    /// E-mail address or name of the person at the provider, at most 200 characters. `None` if the provider sent
    /// neither.
    pub label: Option<String>,
    pub created_at: i64,
    /// Time of the last sign-in.
    pub last_used_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all identities of an account.");

impl ActiveModelBehavior for ActiveModel {}
