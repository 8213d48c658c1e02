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
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the latest search of an account.");

impl ActiveModelBehavior for ActiveModel {}
