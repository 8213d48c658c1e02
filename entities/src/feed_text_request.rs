//! Articles behind entries that followers want and that are not asked for yet. Times are milliseconds since the Unix
//! epoch.

use sea_orm::entity::prelude::*;

use crate::ids::EntryId;

/// One row of `feed_text_request`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_text_request")]
pub struct Model {
    /// The entry.
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// Since when it is wanted.
    pub wanted_at: i64,
    /// When it is asked for, if somebody can pay then.
    pub next_try_at: i64,
    /// When it was asked for; its text is awaited since.
    pub asked_at: Option<i64>,
}

/// The entry is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
