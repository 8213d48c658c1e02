//! Previews of monitors that were asked for, kept for a while. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `monitor_preview`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_preview")]
pub struct Model {
    /// Hash of the account and what it asked for.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// The account that asked.
    pub account_id: AccountId,
    /// JSON: address and definition.
    pub asked: String,
    /// JSON: what was found; none while nobody has looked.
    pub found: Option<String>,
    /// Why nothing was found.
    pub error_code: Option<String>,
    /// The same as a sentence.
    pub error_message: Option<String>,
    /// When it was asked for, or made.
    pub made_at: i64,
}

/// The account is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The previews of an account.");

impl ActiveModelBehavior for ActiveModel {}
