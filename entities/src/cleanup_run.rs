//! The last round of each thing that is deleted by age. Nobody owns them.

use sea_orm::entity::prelude::*;

/// One row of `cleanup_run`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "cleanup_run")]
pub struct Model {
    /// What is deleted, in words.
    #[sea_orm(primary_key, auto_increment = false)]
    pub what: String,
    /// When the round ended, in milliseconds.
    pub ended_at: i64,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// How many rows went.
    pub deleted: i64,
    /// What went wrong.
    pub error: Option<String>,
}

/// A round stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
