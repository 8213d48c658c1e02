//! Cached previews of monitors. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_preview")]
pub struct Model {
    /// Hash of the account and the request.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// Account that requested the preview.
    pub account_id: AccountId,
    /// URL and definition, as JSON.
    pub asked: String,
    /// Result as JSON. Null until the source was observed.
    pub found: Option<String>,
    /// Code of the error, if the source could not be observed.
    pub error_code: Option<String>,
    /// Message for `error_code`.
    pub error_message: Option<String>,
    /// Time of the request until the result is available, then time of the result.
    pub made_at: i64,
    /// Picture of the page in JPEG, if its parts were requested.
    pub picture: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the previews of an account.");

impl ActiveModelBehavior for ActiveModel {}
