//! Kinds of jobs that no worker begins at the moment. Nobody owns them.

use sea_orm::entity::prelude::*;

/// One row of `job_pause`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job_pause")]
pub struct Model {
    /// The kind, as in `domain::jobs::JobKind::as_str`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// Since when, in milliseconds.
    pub paused_at: i64,
    /// Who paused it, in words.
    pub paused_by: String,
}

/// A pause stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
