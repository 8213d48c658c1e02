//! Requests to the language model about a passage of an item or a feed entry, with their answers. Times are milliseconds
//! since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, ItemId, PassageId};
use crate::model_task::ModelTaskState;

/// Task of the language model for a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum PassageTask {
    #[sea_orm(string_value = "explain")]
    Explain,
    #[sea_orm(string_value = "translate")]
    Translate,
    #[sea_orm(string_value = "simplify")]
    Simplify,
    /// A prompt of the person, or an instruction for this request.
    #[sea_orm(string_value = "own")]
    Own,
}

impl PassageTask {
    pub const ALL: &'static [Self] = &[Self::Explain, Self::Translate, Self::Simplify, Self::Own];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Explain => "explain",
            Self::Translate => "translate",
            Self::Simplify => "simplify",
            Self::Own => "own",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "model_passage")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub passage_id: PassageId,
    pub account_id: AccountId,
    /// Item that contains the passage. The request is deleted with it.
    pub item_id: Option<ItemId>,
    /// Entry that contains the passage. The request is deleted with it.
    pub entry_id: Option<EntryId>,
    pub passage: String,
    /// True if the passage was cut to its maximum length.
    pub is_cut: bool,
    pub task: PassageTask,
    /// Language of the answer as a BCP 47 tag. Null if the task does not name one.
    pub language: Option<String>,
    /// Name of the person's prompt. Null for other tasks, and for an instruction without a name.
    pub prompt_name: Option<String>,
    /// Instruction of the person for the task `Own`. Null for other tasks.
    pub instruction: Option<String>,
    pub state: ModelTaskState,
    pub answer: Option<String>,
    /// True if the answer was cut to its maximum length.
    pub is_answer_cut: bool,
    /// Anchor of the block in which the passage begins. Null if the text did not contain the passage, or if its page has
    /// no anchors.
    pub anchor: Option<i32>,
    /// Error code of a failed request.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    pub requested_at: i64,
    pub finished_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the requests of an account.");

impl ActiveModelBehavior for ActiveModel {}
