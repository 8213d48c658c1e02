//! Slots of running jobs whose kind has a concurrency limit. A row does not occupy a slot after its claim has
//! ended.

use sea_orm::entity::prelude::*;

use crate::ids::JobId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "job_grant")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub job_id: JobId,
    /// Job kind, as in `jobs::JobKind::as_str`.
    pub kind: String,
    /// Fence of the claim that holds the slot.
    pub fence: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
