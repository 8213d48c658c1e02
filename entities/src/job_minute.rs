//! How many runs of jobs ended in a minute, and how. Nobody owns them.

use sea_orm::entity::prelude::*;

/// One row of `job_minute`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job_minute")]
pub struct Model {
    /// The kind, as in `domain::jobs::JobKind::as_str`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// Minutes since 1970.
    #[sea_orm(primary_key, auto_increment = false)]
    pub minute: i64,
    /// The word that metrics have for it: `complete`, `retry`, `failed`, `released`, `lost` or `dead`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub outcome: String,
    /// How many.
    pub ends: i64,
}

/// Counts stand alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
