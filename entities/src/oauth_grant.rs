//! What a person allowed an app: one row for one approval. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, GrantId};

/// One row of `oauth_grant`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "oauth_grant")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: GrantId,
    /// Who allowed it.
    pub account_id: AccountId,
    /// The app's id, as it was sent.
    pub client_id: String,
    /// SHA-256 of that id: one app's grants are found by it.
    pub client_hash: Vec<u8>,
    /// What the app says it is called.
    pub client_name: String,
    /// The host that the app returns to, or the scheme of a program.
    pub client_host: String,
    /// What was allowed, in the words in which it was asked for: scope names parted by blanks.
    pub scopes: String,
    /// Where its tokens are good: `base` or `mcp`.
    pub resources: String,
    /// Whether it has refresh tokens.
    pub may_refresh: bool,
    /// When it was allowed.
    pub created_at: i64,
    /// From which network it was allowed.
    pub created_from: String,
    /// When the app changed its code for tokens; before that there is nothing to show.
    pub begun_at: Option<i64>,
    /// When a token of it was last used, to the minute.
    pub last_used_at: Option<i64>,
    /// From which network that was.
    pub last_used_from: Option<String>,
    /// The youngest generation of tokens of which one was used.
    pub used_generation: i64,
    /// When nothing of it holds any longer, unless it is used before.
    pub idle_at: i64,
    /// When it ends of age.
    pub expires_at: i64,
    /// When it ended.
    pub ended_at: Option<i64>,
    /// Why it ended.
    pub ended_why: Option<GrantEnd>,
}

/// Why a grant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum GrantEnd {
    /// The person ended it.
    #[sea_orm(string_value = "person")]
    Person,
    /// The app gave it back.
    #[sea_orm(string_value = "app")]
    App,
    /// A token or code of it was used twice.
    #[sea_orm(string_value = "reuse")]
    Reuse,
    /// Nothing of it was used for too long.
    #[sea_orm(string_value = "idle")]
    Idle,
    /// It was as old as a grant may get.
    #[sea_orm(string_value = "age")]
    Age,
    /// The operator shut the account.
    #[sea_orm(string_value = "operator")]
    Operator,
}

/// The owner, whose tier and standing are read together with a token.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("All grants of an account, ended ones included.");

impl ActiveModelBehavior for ActiveModel {}
