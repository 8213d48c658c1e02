//! Running jobs of kinds that are limited: each was given one of the places. A row whose claim has ended counts no more.

use sea_orm::entity::prelude::*;

use crate::ids::JobId;

/// One row of `job_grant`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job_grant")]
pub struct Model {
    /// The job.
    #[sea_orm(primary_key, auto_increment = false)]
    pub job_id: JobId,
    /// Its kind, as in `domain::jobs::JobKind::as_str`.
    pub kind: String,
    /// The number of the claim that was given the place.
    pub fence: i64,
}

/// A grant stands alone: its job may be gone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
