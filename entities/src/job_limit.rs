//! Limits of job kinds set by operators. Not owned by accounts.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job_limit")]
pub struct Model {
    /// Job kind, as in `jobs::JobKind::as_str`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// Maximum duration of a run, in milliseconds. Null means the default of the kind.
    pub max_run_ms: Option<i64>,
    /// Maximum number of running jobs across all processes. Null means no limit.
    pub most_running: Option<i32>,
    /// Maximum number of starts per minute across all processes. Null means no limit.
    pub starts_a_minute: Option<i32>,
    /// Time up to which starts under `starts_a_minute` are assigned, in microseconds.
    pub paced_until: i64,
    /// Time at which the limit was set, in milliseconds.
    pub set_at: i64,
    /// Name of the operator or tool that set the limit.
    pub set_by: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
