//! Highlights with a public page. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, HighlightId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_public_highlight")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub highlight_id: HighlightId,
    pub account_id: AccountId,
    /// Secret part of the URL of the page.
    pub page_token: String,
    /// True if the page displays the note of the highlight.
    pub with_note: bool,
    pub created_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the public highlights of an account.");

impl ActiveModelBehavior for ActiveModel {}
