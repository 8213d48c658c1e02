//! Limits of kinds of jobs that operators set. Nobody owns them.

use sea_orm::entity::prelude::*;

/// One row of `job_limit`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job_limit")]
pub struct Model {
    /// The kind, as in `domain::jobs::JobKind::as_str`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// The longest that one run may take, in milliseconds; the kind's rule where none is set.
    pub max_run_ms: Option<i64>,
    /// How many run at once in all processes together; no limit where none is set.
    pub most_running: Option<i32>,
    /// How many are begun in a minute in all processes together; no limit where none is set.
    pub starts_a_minute: Option<i32>,
    /// Up to which time the starts of `starts_a_minute` are given out, in microseconds.
    pub paced_until: i64,
    /// When it was set, in milliseconds.
    pub set_at: i64,
    /// Who set it, in words.
    pub set_by: String,
}

/// A limit stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
