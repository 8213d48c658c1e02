//! Position and speed at which an account plays the recording of an entry. Times are milliseconds since the
//! Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_playback")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    pub position_seconds: i32,
    /// 100 is the recorded speed.
    pub speed_percent: i32,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the playback positions of an account.");

impl ActiveModelBehavior for ActiveModel {}
