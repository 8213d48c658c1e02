//! State of work that the language model does for an account.

use sea_orm::entity::prelude::*;

/// State of a summary, a briefing, a question, a request about a passage, or a search by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum ModelTaskState {
    /// A worker sends the text to the model.
    #[sea_orm(string_value = "requested")]
    Requested,
    /// The answer of the model is stored.
    #[sea_orm(string_value = "ready")]
    Ready,
    /// The model gave no usable answer.
    #[sea_orm(string_value = "failed")]
    Failed,
}

impl ModelTaskState {
    pub const ALL: &'static [Self] = &[Self::Requested, Self::Ready, Self::Failed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Ready => "ready",
            Self::Failed => "failed",
        }
    }
}
