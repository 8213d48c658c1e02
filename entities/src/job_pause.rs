//! Paused job kinds: workers start no jobs of these kinds. Not owned by accounts.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job_pause")]
pub struct Model {
    /// Job kind, as in `jobs::JobKind::as_str`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// Time of the pause, in milliseconds since the Unix epoch.
    pub paused_at: i64,
    /// Name of the operator or tool that paused the kind.
    pub paused_by: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
