//! Tags that are shared with teams.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, TeamId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "team_tag")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub team_id: TeamId,
    /// Owner of the team and of the tag.
    pub account_id: AccountId,
    /// Case-folded tag.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_key: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the tags that an account shares.");

impl ActiveModelBehavior for ActiveModel {}
