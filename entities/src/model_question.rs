//! Questions to the language model about the text of an item or a feed entry, or about a library. Times are
//! milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, ItemId, QuestionId};
use crate::model_task::ModelTaskState;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "model_question")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub question_id: QuestionId,
    pub account_id: AccountId,
    /// Item whose text answers the question. The question is deleted with it.
    pub item_id: Option<ItemId>,
    /// Entry whose text answers the question. The question is deleted with it. If this and `item_id` are null, the whole
    /// library answers.
    pub entry_id: Option<EntryId>,
    pub question: String,
    /// Earlier questions of the conversation with their answers, oldest first, as a JSON array.
    pub earlier: String,
    pub state: ModelTaskState,
    /// Sentences of the answer with their quotations, as a JSON array.
    pub sentences: String,
    /// Number of sentences that were dropped because they have no quotation from the text.
    pub dropped_sentences: i32,
    /// Number of items that the answer covers.
    pub items: i32,
    /// Number of chosen items that the answer does not cover.
    pub omitted_items: i32,
    /// True if only a part of a text was sent.
    pub is_partial: bool,
    /// Time at which the text of the item was fetched or supplied.
    pub text_at: Option<i64>,
    /// Error code of a failed request.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    pub requested_at: i64,
    pub finished_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the questions of an account.");

impl ActiveModelBehavior for ActiveModel {}
