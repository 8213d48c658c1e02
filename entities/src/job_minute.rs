//! Number of finished job runs per minute and outcome. Not owned by accounts.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job_minute")]
pub struct Model {
    /// Job kind, as in `jobs::JobKind::as_str`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// Minutes since the Unix epoch.
    #[sea_orm(primary_key, auto_increment = false)]
    pub minute: i64,
    /// Outcome as in metrics: `complete`, `retry`, `failed`, `released`, `lost`, or `dead`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub outcome: String,
    /// Number of runs.
    pub ends: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
