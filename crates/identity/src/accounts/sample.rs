//! Sample accounts. They contain only sample data, so their deletion needs no password.

use async_recursion::async_recursion as boxed;
use entities::account;
use entities::ids::AccountId;
use sea_orm::{ActiveModelTrait, ActiveValue::Set};

use super::account::{Account, get};
use super::passwords::Passwords;
use super::{cascade, operators};
use kernel::tiers::Tier;
use kernel::{Code, Domain, Error, Result};

/// Creates an account for sample data, on the free plan.
///
/// # Errors
/// `invalid_request` for an unacceptable address or password; `name_taken`.
#[boxed]
pub async fn create_sample(
    domain: &Domain,
    passwords: &Passwords,
    email: &str,
    password: &str,
) -> Result<Account> {
    let account = operators::create(domain, passwords, email, password, Tier::Free).await?;
    let row = account::ActiveModel { id: Set(account.id), is_sample: Set(true), ..Default::default() };
    Ok(Account::from(row.update(domain.db().write()).await?))
}

/// Deletes a sample account and everything in it.
///
/// # Errors
/// `not_found` for any other account.
#[boxed]
pub async fn delete_sample(domain: &Domain, account_id: AccountId) -> Result<()> {
    if !get(domain, account_id).await?.is_sample {
        return Err(Error::new(Code::NotFound, "This is not a sample account."));
    }
    cascade::delete_account(domain, account_id).await
}
