//! Records of the changes of entries, one per account with an app that requests them. Times are milliseconds
//! since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_change_record")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Last observed state and the changes of the last month, as JSON.
    #[sea_orm(column_type = "Text")]
    pub record: String,
    /// Time of the last observation that was stored.
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the change record of an account.");

impl ActiveModelBehavior for ActiveModel {}
