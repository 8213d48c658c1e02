//! Choices of accounts about the language model. If an account has no row, nothing is automatic.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "model_choice")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Time since which new items are summarized automatically, in milliseconds since the Unix epoch. Null if they are
    /// not summarized.
    pub automatic_since: Option<i64>,
    /// Tags whose items are not summarized automatically, as a JSON array of tags.
    pub excluded_tags: String,
    /// True if tags may be suggested that the account does not have.
    pub new_tags: bool,
    /// Time since which new items get tags automatically, in milliseconds since the Unix epoch. Null if they do not get
    /// any.
    pub tags_since: Option<i64>,
    /// Wishes for summaries in the words of the person. Null if there are none.
    pub prompt: Option<String>,
    /// Prompts of the person for passages, as a JSON array.
    pub own_prompts: String,
    /// Language of the latest translation of a passage as a BCP 47 tag. Null if the person has requested none.
    pub translation_language: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the choices of an account.");

impl ActiveModelBehavior for ActiveModel {}
