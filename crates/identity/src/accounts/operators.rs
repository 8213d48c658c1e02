//! Operations on accounts that operators run from the command line. They check neither passwords nor limits.

use async_recursion::async_recursion as boxed;
use entities::oauth_grant::GrantEnd;
use entities::{account, invite};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::account::{Account, lock};
use super::passwords::{self, Passwords};
use super::{cascade, sessions, sign_up};
use crate::account_rows::AccountOwners;
use crate::granted_access;
use kernel::clock::DAY;
use kernel::email::normalize_email;
use kernel::{Code, Domain, Error, Millis, Result};

use kernel::tiers::Tier;

/// Creates an account.
///
/// # Errors
/// `invalid_request` for an unacceptable address or password; `name_taken`.
#[boxed]
pub async fn create(
    domain: &Domain,
    passwords: &Passwords,
    email: &str,
    password: &str,
    tier: Tier,
) -> Result<Account> {
    let email = normalize_email(email)?;
    passwords::check(password, &email)?;
    let hash = passwords.hash(domain, password).await?;
    let transaction = domain.db().begin().await?;
    let row = sign_up::insert(domain, &transaction, email, hash, tier).await?;
    transaction.commit().await?;
    Ok(Account::from(row))
}

/// Loads an account by its e-mail address.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn find(domain: &Domain, email: &str) -> Result<Account> {
    let email = normalize_email(email)?;
    let row =
        account::Entity::find().filter(account::Column::Email.eq(&email)).one(domain.db().read()).await?;
    row.map(Account::from).ok_or_else(|| {
        Error::new(Code::NotFound, format!("There is no account with the e-mail address {email}."))
    })
}

/// Returns up to `limit` accounts, ordered by e-mail address, starting after the address `after`.
#[boxed]
pub async fn list(domain: &Domain, after: Option<&str>, limit: u64) -> Result<Vec<Account>> {
    let mut query = account::Entity::find().order_by_asc(account::Column::Email).limit(limit);
    if let Some(after) = after {
        query = query.filter(account::Column::Email.gt(after));
    }
    Ok(query.all(domain.db().read()).await?.into_iter().map(Account::from).collect())
}

/// Moves an account to another plan. A downgrade deletes nothing. New objects beyond the plan are refused.
/// Monitors and channels beyond the plan are suspended, newest first, until a plan covers them again. Feeds
/// switch to the intervals of the new plan immediately.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn set_tier(domain: &Domain, email: &str, tier: Tier) -> Result<Account> {
    let account = find(domain, email).await?;
    let transaction = domain.db().begin().await?;
    lock(&transaction, account.id).await?;
    let row = account::ActiveModel {
        id: Set(account.id),
        tier: Set(tier.as_str().to_owned()),
        ..Default::default()
    };
    let account = Account::from(row.update(&transaction).await?);
    let limits = account.limits(domain);
    for owner in &AccountOwners::installed(domain).0 {
        owner.apply_plan(&transaction, domain, account.id, &limits).await?;
    }
    transaction.commit().await?;
    Ok(account)
}

/// Disables an account: its sessions are closed, its app grants are revoked, and its keys are refused. Its
/// data is retained.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn disable(domain: &Domain, email: &str) -> Result<Account> {
    let account = find(domain, email).await?;
    let transaction = domain.db().begin().await?;
    let row = account::ActiveModel {
        id: Set(account.id),
        disabled_at: Set(Some(domain.now())),
        ..Default::default()
    };
    let row = row.update(&transaction).await?;
    sessions::end_all(&transaction, account.id).await?;
    granted_access::end_grants(&transaction, account.id, GrantEnd::Operator, domain.now()).await?;
    transaction.commit().await?;
    Ok(Account::from(row))
}

/// Enables a disabled account.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn enable(domain: &Domain, email: &str) -> Result<Account> {
    let account = find(domain, email).await?;
    let row = account::ActiveModel { id: Set(account.id), disabled_at: Set(None), ..Default::default() };
    Ok(Account::from(row.update(domain.db().write()).await?))
}

/// Role of an account in the installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountRole {
    /// Has access to its own objects only.
    Person,
    /// Can also view and change jobs, accounts, and schedules of the whole service, on the pages under
    /// `/admin`.
    Administrator,
}

/// Sets the role of an account. The change applies to the next request of each of its sessions.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn set_role(domain: &Domain, email: &str, role: AccountRole) -> Result<Account> {
    let account = find(domain, email).await?;
    let is_admin = role == AccountRole::Administrator;
    let row = account::ActiveModel { id: Set(account.id), is_admin: Set(is_admin), ..Default::default() };
    Ok(Account::from(row.update(domain.db().write()).await?))
}

#[boxed]
pub async fn delete_by_email(domain: &Domain, email: &str) -> Result<Account> {
    let account = find(domain, email).await?;
    cascade::delete_account(domain, account.id).await?;
    Ok(account)
}

/// Creates an invitation to sign up on `tier`, valid for `days`. Returns the code of the invitation. Only a hash of the
/// code is stored.
#[boxed]
pub async fn invite(domain: &Domain, tier: Tier, days: u32) -> Result<String> {
    let (code, hash) = sign_up::new_invite(domain);
    let now = domain.now();
    let row = invite::ActiveModel {
        hash: Set(hash),
        tier: Set(tier.as_str().to_owned()),
        created_at: Set(now),
        expires_at: Set(now + Millis::from(days) * DAY),
    };
    invite::Entity::insert(row).exec_without_returning(domain.db().write()).await?;
    Ok(code)
}
