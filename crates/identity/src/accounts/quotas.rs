//! Limits of an account: the limits of its plan, some of which are replaced by quotas of the account.
//! All code that enforces or displays a limit with a quota reads it from these functions.

use async_recursion::async_recursion as boxed;
use entities::account;
use entities::ids::AccountId;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ConnectionTrait, EntityTrait, FromQueryResult, QueryResult,
};

use super::account::{Account, lock_row, no_account, quotas_from};
use crate::account_rows::AccountOwners;
use kernel::quotas::AccountQuotas;
use kernel::tiers::{Tier, TierLimits};
use kernel::{Code, Domain, Error, Millis, Result};

/// Columns of the account table, under the alias `a`, that determine an account's limits. [`limits_of_row`] reads them.
pub const LIMIT_COLUMNS: &str = "a.tier AS a_tier, a.quota_subscriptions AS a_quota_subscriptions, \
     a.quota_monitors AS a_quota_monitors, a.quota_monthly_credits AS a_quota_monthly_credits, \
     a.quota_storage_bytes AS a_quota_storage_bytes";

#[derive(FromQueryResult)]
struct QuotaRow {
    tier: String,
    quota_subscriptions: Option<i64>,
    quota_monitors: Option<i64>,
    quota_monthly_credits: Option<i64>,
    quota_storage_bytes: Option<i64>,
}

/// Quotas of an account, and who set them last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotaSettings {
    pub account: Account,
    /// Time of the last change. `None` if no quota was ever set.
    pub set_at: Option<Millis>,
    /// Operator who made the last change.
    pub set_by: Option<String>,
}

impl Account {
    /// Limits of the account.
    pub fn limits(&self, domain: &Domain) -> TierLimits {
        self.quotas.applied_to(domain.policy().tiers.of(self.tier))
    }
}

/// Returns the limits of the account in a row that has the columns [`LIMIT_COLUMNS`].
///
/// # Errors
/// If a column is missing.
pub fn limits_of_row(domain: &Domain, row: &QueryResult) -> Result<TierLimits> {
    let row = QuotaRow::from_query_result(row, "a_")?;
    let quotas = quotas_from([
        row.quota_subscriptions, row.quota_monitors, row.quota_monthly_credits, row.quota_storage_bytes,
    ]);
    Ok(quotas.applied_to(domain.policy().tiers.of(Tier::parse(&row.tier).unwrap_or_default())))
}

/// Returns the limits of an account.
///
/// # Errors
/// `not_found`.
pub async fn limits(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
) -> Result<TierLimits> {
    let row = account::Entity::find_by_id(account_id).one(connection).await?;
    Ok(Account::from(row.ok_or_else(no_account)?).limits(domain))
}

/// Locks an account's row like [`lock`](super::lock) and returns the limits of the account.
///
/// # Errors
/// `not_found`.
pub async fn lock_limits(
    transaction: &impl ConnectionTrait,
    domain: &Domain,
    account_id: AccountId,
) -> Result<TierLimits> {
    let row = lock_row(transaction, account_id).await?;
    Ok(Account::from(row.ok_or_else(no_account)?).limits(domain))
}

/// Returns the quotas of an account.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn quota_settings(domain: &Domain, account_id: AccountId) -> Result<QuotaSettings> {
    let row = account::Entity::find_by_id(account_id).one(domain.db().read()).await?;
    let row = row.ok_or_else(no_account)?;
    let (set_at, set_by) = (row.quotas_set_at, row.quotas_set_by.clone());
    Ok(QuotaSettings { account: row.into(), set_at, set_by })
}

/// Replaces the quotas of an account on behalf of the operator `set_by`. Deletes nothing: new objects beyond
/// a quota are refused, and monitors beyond it are paused, newest first, until the limit covers them again.
///
/// # Errors
/// `not_found`; `invalid_request` if a quota is too large.
#[boxed]
pub async fn set_quotas(
    domain: &Domain,
    account_id: AccountId,
    quotas: AccountQuotas,
    set_by: &str,
) -> Result<Account> {
    replace(domain, account_id, (None, quotas), set_by).await
}

/// Replaces the quotas like [`set_quotas`], if they still have the `revision` that the operator has seen.
///
/// # Errors
/// Same as for [`set_quotas`]; also `precondition_failed` if another operator has changed the quotas in the meantime.
#[boxed]
pub async fn replace_quotas(
    domain: &Domain,
    account_id: AccountId,
    revision: &str,
    quotas: AccountQuotas,
    set_by: &str,
) -> Result<Account> {
    replace(domain, account_id, (Some(revision), quotas), set_by).await
}

async fn replace(
    domain: &Domain,
    account_id: AccountId,
    (revision, quotas): (Option<&str>, AccountQuotas),
    set_by: &str,
) -> Result<Account> {
    let storage = quotas.library_storage_bytes.map(i64::try_from).transpose();
    let storage = storage.map_err(|_| Error::invalid_field("storage", "is too large"))?;
    let transaction = domain.db().begin().await?;
    let before = Account::from(lock_row(&transaction, account_id).await?.ok_or_else(no_account)?);
    if before.quotas == quotas {
        return Ok(before);
    }
    if revision.is_some_and(|revision| revision != before.quotas.revision()) {
        let message = "The quotas were changed in the meantime.";
        return Err(Error::new(Code::PreconditionFailed, message));
    }
    let row = account::ActiveModel {
        id: Set(account_id),
        quota_subscriptions: Set(quotas.rss_subscriptions.map(i64::from)),
        quota_monitors: Set(quotas.web_monitors.map(i64::from)),
        quota_monthly_credits: Set(quotas.web_monitor_monthly_credits.map(i64::from)),
        quota_storage_bytes: Set(storage),
        quotas_set_at: Set(Some(domain.now())),
        quotas_set_by: Set(Some(set_by.to_owned())),
        ..Default::default()
    };
    let account = Account::from(row.update(&transaction).await?);
    let limits = account.limits(domain);
    for owner in &AccountOwners::installed(domain).0 {
        owner.apply_plan(&transaction, domain, account_id, &limits).await?;
    }
    transaction.commit().await?;
    tracing::info!(%account_id, set_by, before = ?before.quotas, after = ?quotas, "account quotas changed");
    Ok(account)
}
