//! Teams: an owner and the members with whom tags and monitors are shared. Times are milliseconds since the Unix
//! epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, TeamId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "team")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TeamId,
    /// Owner.
    pub account_id: AccountId,
    /// Name given by the owner.
    pub name: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the teams that an account owns.");

impl ActiveModelBehavior for ActiveModel {}
