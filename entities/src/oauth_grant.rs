//! OAuth grants, one row per approval. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, GrantId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_grant")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: GrantId,
    /// Account that approved the grant.
    pub account_id: AccountId,
    /// Client id as the app sent it.
    pub client_id: String,
    /// SHA-256 of the client id, which identifies the grants of an app.
    pub client_hash: Vec<u8>,
    /// Name given by the app.
    pub client_name: String,
    /// Host of the redirect URI, or the URI scheme of a native app.
    pub client_host: String,
    /// Approved scopes as requested, separated by spaces.
    pub scopes: String,
    /// Resources for which its tokens are valid: `base` or `mcp`.
    pub resources: String,
    /// True if refresh tokens are issued.
    pub may_refresh: bool,
    pub created_at: i64,
    /// Network from which the grant was approved.
    pub created_from: String,
    /// Time at which the app exchanged its code for tokens. Before that the grant is not listed.
    pub begun_at: Option<i64>,
    /// Time at which a token was last used, to the minute.
    pub last_used_at: Option<i64>,
    /// Network from which a token was last used.
    pub last_used_from: Option<String>,
    /// Latest generation of refresh tokens from which a token was used.
    pub used_generation: i64,
    /// Time at which the grant expires if it is not used before then.
    pub idle_at: i64,
    /// Time at which the grant expires regardless of use.
    pub expires_at: i64,
    pub ended_at: Option<i64>,
    /// Reason why the grant ended.
    pub ended_why: Option<GrantEnd>,
}

/// Reason why a grant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum GrantEnd {
    /// Revoked by the person.
    #[sea_orm(string_value = "person")]
    Person,
    /// Revoked by the app.
    #[sea_orm(string_value = "app")]
    App,
    /// A token or code was used twice.
    #[sea_orm(string_value = "reuse")]
    Reuse,
    /// Not used for too long.
    #[sea_orm(string_value = "idle")]
    Idle,
    /// Maximum age reached.
    #[sea_orm(string_value = "age")]
    Age,
    /// The operator disabled the account.
    #[sea_orm(string_value = "operator")]
    Operator,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all grants of an account, including ended grants.");

impl ActiveModelBehavior for ActiveModel {}
