//! Last round of each cleanup (deletion of rows by age). Not owned by accounts.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "cleanup_run")]
pub struct Model {
    /// Name of the cleanup.
    #[sea_orm(primary_key, auto_increment = false)]
    pub what: String,
    /// End of the round, in milliseconds since the Unix epoch.
    pub ended_at: i64,
    /// Duration of the round, in milliseconds.
    pub took_ms: i64,
    /// Number of deleted rows.
    pub deleted: i64,
    /// Error of the round, if it failed.
    pub error: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
