//! Summaries of library items by the language model. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::model_task::ModelTaskState;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "item_summary")]
pub struct Model {
    /// Item. Its summary is deleted with it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    pub account_id: AccountId,
    pub state: ModelTaskState,
    /// Null until the model has answered.
    pub summary: Option<String>,
    /// Suggested tags, as a JSON array.
    pub tags: String,
    /// Error code of a failed request.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    /// Time at which the summarized text was fetched or supplied.
    pub text_at: Option<i64>,
    /// True if only the beginning of the text was sent.
    pub is_partial: bool,
    pub requested_at: i64,
    pub finished_at: Option<i64>,
    /// True if the summary was requested when the text of the item was stored.
    pub is_automatic: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the summaries of an account's items.");

impl ActiveModelBehavior for ActiveModel {}
