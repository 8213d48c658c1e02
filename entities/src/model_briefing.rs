//! Briefings by the language model about the unread entries of collections, one per collection. Times are
//! milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, CollectionId};
use crate::model_task::ModelTaskState;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "model_briefing")]
pub struct Model {
    /// Collection. Its briefing is deleted with it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub collection_id: CollectionId,
    pub account_id: AccountId,
    pub state: ModelTaskState,
    /// Sentences with the ids of their entries, as a JSON array.
    pub lines: String,
    /// Number of entries that the model received and answered.
    pub entries: i32,
    /// Number of unread entries that the briefing does not cover.
    pub omitted_entries: i32,
    /// Number of sentences that were dropped because they cite no entry.
    pub dropped_sentences: i32,
    /// Error code of a failed request, or of the request that ended the briefing early.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    pub requested_at: i64,
    pub finished_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the briefings of an account.");

impl ActiveModelBehavior for ActiveModel {}
