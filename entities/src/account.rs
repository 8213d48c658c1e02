//! Accounts: the owner that every owned row names. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `account`.
#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: AccountId,
    /// Address in lower case; unique.
    #[sea_orm(unique)]
    pub email: String,
    /// PHC string of Argon2id.
    pub password_hash: String,
    /// `free`, `premium` or `pro`.
    pub tier: String,
    /// When it was made.
    pub created_at: i64,
    /// When the password was last set.
    pub password_changed_at: i64,
    /// Since when an operator keeps it out.
    pub disabled_at: Option<i64>,
    /// Whether it may see and change how the service runs.
    pub is_admin: bool,
}

// The hash is no secret like the password, but nothing is gained by printing it.
impl std::fmt::Debug for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Account")
            .field("id", &self.id)
            .field("tier", &self.tier)
            .finish_non_exhaustive()
    }
}

/// What belongs to an account says so in its own row.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
