//! Entries that the rules of an account star or save: pending entries, and entries starred or saved within the last
//! day. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, RuleId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_rule_save")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// Rule that matched the entry. It may be deleted.
    #[sea_orm(primary_key, auto_increment = false)]
    pub rule_id: RuleId,
    /// Time at which a job is submitted that saves a pending entry, or deletes the row of a saved one.
    pub due_at: Option<i64>,
    /// Time at which the entry was starred or saved. Null if it is pending.
    pub saved_at: Option<i64>,
    /// Number of failed attempts.
    pub tries: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the entries that rules of an account star or save.");

impl ActiveModelBehavior for ActiveModel {}
