//! Tags with a public page. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, PublicTagId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_public_tag")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: PublicTagId,
    pub account_id: AccountId,
    /// Case-folded tag, unique within the account.
    pub tag_key: String,
    /// Secret part of the URLs of the page and its feeds.
    pub page_token: String,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the public tags of an account.");

impl ActiveModelBehavior for ActiveModel {}
