//! Collections: an account's folders of feeds. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, CollectionId};

/// One row of `rss_collection`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_collection")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: CollectionId,
    /// The owner.
    pub account_id: AccountId,
    /// As shown.
    pub name: String,
    /// As compared; unique within the account.
    pub name_key: String,
    /// `custom` or `unsorted`; one `unsorted` an account.
    pub kind: String,
    /// When it was made.
    pub created_at: i64,
}

/// The owner is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The collections of an account.");

impl ActiveModelBehavior for ActiveModel {}
