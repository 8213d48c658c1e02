//! Latest search by meaning of each account. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;
use crate::model_task::ModelTaskState;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "meaning_search")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    pub query: String,
    pub state: ModelTaskState,
    /// Ids of items, best first, as a JSON array.
    pub results: String,
    /// Number of items whose vectors were compared.
    pub compared: i32,
    /// Number of items that have no vector yet.
    pub unindexed: i32,
    /// Error code of a failed request to the model.
    pub reason: Option<String>,
    pub requested_at: i64,
    pub finished_at: Option<i64>,
    pub searched: SearchedTexts,
    /// Ids of entries, best first, as a JSON array.
    pub entry_results: String,
    /// Number of entries whose vectors were compared.
    pub entries_compared: i32,
    /// Number of entries that have no vector yet.
    pub entries_unindexed: i32,
    /// True if the account has more entries than a search compares.
    pub entries_cut: bool,
    /// Number of items of which only some passages were compared.
    pub items_partial: i32,
    /// True if the plan does not allow as many passages as the items have.
    pub items_cut: bool,
}

/// Texts that a search covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum SearchedTexts {
    #[default]
    #[sea_orm(string_value = "items")]
    Items,
    #[sea_orm(string_value = "entries")]
    Entries,
    #[sea_orm(string_value = "all")]
    All,
}

impl SearchedTexts {
    pub const ALL: &'static [Self] = &[Self::Items, Self::Entries, Self::All];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Entries => "entries",
            Self::All => "all",
        }
    }
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the latest search of an account.");

impl ActiveModelBehavior for ActiveModel {}
