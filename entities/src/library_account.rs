//! What an account's library as a whole is at: its log, its clock and how much it holds.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `library_account`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_account")]
pub struct Model {
    /// Counts from 1; words of the search index begin with it.
    #[sea_orm(primary_key)]
    pub number: i64,
    /// The owner.
    pub account_id: AccountId,
    /// The highest number that was given in the log of changes.
    pub last_sequence: i64,
    /// The time that the last change was given; each change is given a later one.
    pub last_updated_at: i64,
    /// The highest number in the log whose tombstone is gone.
    pub purged_sequence: i64,
    /// Bytes of all objects.
    pub stored_bytes: i64,
    /// Bytes that uploads under way will need.
    pub reserved_bytes: i64,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The library of an account as a whole.");

impl ActiveModelBehavior for ActiveModel {}
