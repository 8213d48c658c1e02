//! Accounts, the owners of all owned rows. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: AccountId,
    /// Lower-case address; unique.
    #[sea_orm(unique)]
    pub email: String,
    /// Argon2id hash as a PHC string. Empty if the account has no password.
    pub password_hash: String,
    /// `free`, `premium` or `pro`.
    pub tier: String,
    pub created_at: i64,
    pub password_changed_at: i64,
    /// Time at which an operator disabled the account.
    pub disabled_at: Option<i64>,
    /// True if the account has access to the administration pages.
    pub is_admin: bool,
    /// True for an account with sample data, which can be deleted without the password.
    pub is_sample: bool,
    /// Time at which the first steps were completed or closed.
    pub first_steps_closed_at: Option<i64>,
    /// Language of the account's pages, as a BCP 47 tag. `None` if the browser's header decides.
    pub language: Option<String>,
    /// Appearance of the account's pages, in the format of the browser's cookie. Null if the cookie decides.
    pub appearance: Option<String>,
    /// Quota of followed feeds. `None` if the limit of the plan applies, as for the other quotas.
    pub quota_subscriptions: Option<i64>,
    pub quota_monitors: Option<i64>,
    /// Credits for monitor checks per month.
    pub quota_monthly_credits: Option<i64>,
    pub quota_storage_bytes: Option<i64>,
    /// Time at which an operator last changed the quotas.
    pub quotas_set_at: Option<i64>,
    /// Name of that operator.
    pub quotas_set_by: Option<String>,
}

// The hash is less sensitive than the password, but it must not appear in logs either.
impl std::fmt::Debug for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Account")
            .field("id", &self.id)
            .field("tier", &self.tier)
            .finish_non_exhaustive()
    }
}

/// The rows of an account reference it, so an account has no relations of its own.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
