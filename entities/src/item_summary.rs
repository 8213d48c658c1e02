//! Summaries of library items and suggested tags, written by the language model. Times are milliseconds since
//! the Unix epoch.

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
    /// Null until the model has answered, or if only tags were requested.
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
    /// True if the request results from a choice of the account, and not from a request of the person for this item.
    pub is_automatic: bool,
    /// Requested parts of the answer.
    pub parts: SummaryParts,
}

/// Parts of an answer about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum SummaryParts {
    /// A summary, and tags that a person may select.
    #[sea_orm(string_value = "summary")]
    Summary,
    /// A summary, and tags that are attached to the item.
    #[sea_orm(string_value = "summary_and_tags")]
    SummaryAndTags,
    /// Tags that are attached to the item.
    #[sea_orm(string_value = "tags")]
    Tags,
}

impl SummaryParts {
    pub const ALL: &'static [Self] = &[Self::Summary, Self::SummaryAndTags, Self::Tags];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::SummaryAndTags => "summary_and_tags",
            Self::Tags => "tags",
        }
    }

    /// Returns the parts. `None` if there are none.
    pub const fn of(has_summary: bool, attaches_tags: bool) -> Option<Self> {
        match (has_summary, attaches_tags) {
            (true, false) => Some(Self::Summary),
            (true, true) => Some(Self::SummaryAndTags),
            (false, true) => Some(Self::Tags),
            (false, false) => None,
        }
    }

    pub const fn has_summary(self) -> bool {
        matches!(self, Self::Summary | Self::SummaryAndTags)
    }

    /// Returns true if tags are attached to the item.
    pub const fn attaches_tags(self) -> bool {
        matches!(self, Self::SummaryAndTags | Self::Tags)
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the summaries of an account's items.");

impl ActiveModelBehavior for ActiveModel {}
