//! Signing in, changing the password, and leaving for good: everything that asks for the password.
//!
//! An unknown address and a wrong password get the same answer after the same work. Failures are limited
//! by account and by network address, so that neither one account can be tried by many machines nor many
//! accounts by one.

use entities::account;
use entities::ids::AccountId;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};

use super::{Passwords, SessionSecret, field, normal_email, owned, passwords, sessions};
use crate::code::{Class, Code};
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::limits::window::{Decision, RatePolicy};

/// Wrong passwords for one account.
const PER_ACCOUNT: [RatePolicy; 1] = [RatePolicy::sliding("sign-in", 10, 900)];
/// Wrong passwords from one network address.
const PER_ADDRESS: [RatePolicy; 1] = [RatePolicy::sliding("sign-in", 50, 900)];

/// Opens a session for the person behind `email` and `password`, coming from the network `address`.
/// A session that the browser held before (`previous`) ends: the id is new with every sign-in.
///
/// # Errors
/// `invalid_credential` without saying what was wrong; `rate_limited` after too many failures.
pub async fn sign_in(
    domain: &Domain,
    passwords: &Passwords,
    (email, password, address): (&str, &str, &str),
    previous: Option<&SessionSecret>,
) -> Result<SessionSecret> {
    let email = normal_email(email).unwrap_or_default();
    let row =
        account::Entity::find().filter(account::Column::Email.eq(&email)).one(domain.db().read()).await?;
    let keys = [format!("sign-in:a:{email}"), format!("sign-in:n:{address}")];
    let stored = row.as_ref().map(|row| row.password_hash.clone());
    verify(domain, passwords, &keys, stored, password).await?;
    let owner = row.filter(|row| row.disabled_at.is_none()).ok_or_else(wrong)?;
    if let Some(previous) = previous {
        sessions::sign_out(domain, previous).await?;
    }
    sessions::open(domain, domain.db().write(), owner.id).await
}

/// What a person sends to change the password.
pub struct ChangePassword<'a> {
    /// The present one.
    pub current: &'a str,
    /// The one from now on.
    pub new: &'a str,
}

/// Changes the password. Every session of the account ends; the answer opens a new one for the person
/// who asked.
///
/// # Errors
/// `invalid_request` with the field in its details; `rate_limited` after too many wrong passwords.
pub async fn change_password(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    change: ChangePassword<'_>,
) -> Result<SessionSecret> {
    let owner = owner(domain, account_id).await?;
    passwords::check(change.new, &owner.email)?;
    confirm(domain, passwords, &owner, change.current).await?;
    let hash = passwords.hash(domain, change.new).await?;
    let transaction = domain.db().begin().await?;
    let row = account::ActiveModel {
        id: Set(account_id),
        password_hash: Set(hash),
        password_changed_at: Set(domain.now()),
        ..Default::default()
    };
    row.update(&transaction).await?;
    sessions::end_all(&transaction, account_id).await?;
    let secret = sessions::open(domain, &transaction, account_id).await?;
    transaction.commit().await?;
    Ok(secret)
}

/// Deletes the account and everything it owns, in one transaction.
///
/// # Errors
/// `invalid_request` for a wrong password; `rate_limited` after too many.
pub async fn delete(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    password: &str,
) -> Result<()> {
    let owner = owner(domain, account_id).await?;
    confirm(domain, passwords, &owner, password).await?;
    owned::delete_account(domain, account_id).await
}

async fn owner(domain: &Domain, account_id: AccountId) -> Result<account::Model> {
    account::Entity::find_by_id(account_id).one(domain.db().read()).await?.ok_or_else(super::no_account)
}

/// Asks the signed-in person for the password once more.
async fn confirm(
    domain: &Domain,
    passwords: &Passwords,
    owner: &account::Model,
    password: &str,
) -> Result<()> {
    let keys = [format!("sign-in:a:{}", owner.email)];
    match verify(domain, passwords, &keys, Some(owner.password_hash.clone()), password).await {
        Err(error) if error.class() == Class::Unauthenticated => {
            Err(field("current", "This is not the present password."))
        }
        other => other,
    }
}

/// Verifies a password and counts a failure. The attempt is charged before the work and given back when
/// the password was right, so that many tries at once cannot slip past the limit.
async fn verify(
    domain: &Domain,
    passwords: &Passwords,
    keys: &[String],
    stored: Option<String>,
    password: &str,
) -> Result<()> {
    let windows = domain.limits().windows();
    let mut charged: Vec<(&String, [RatePolicy; 1], Decision)> = Vec::new();
    for (key, policy) in keys.iter().zip([PER_ACCOUNT, PER_ADDRESS]) {
        let decision = windows.check(key, &policy, domain.now()).await;
        if !decision.allowed {
            return Err(too_many("Too many wrong passwords.", &decision));
        }
        charged.push((key, policy, decision));
    }
    if !passwords.verify(stored, password).await? {
        return Err(wrong());
    }
    for (key, policy, decision) in &charged {
        windows.refund(key, policy, decision).await;
    }
    Ok(())
}

fn wrong() -> Error {
    Error::new(Code::InvalidCredential, "The address or the password is wrong.")
}

pub(super) fn too_many(message: &str, decision: &Decision) -> Error {
    Error::new(Code::RateLimited, message).retry_after(decision.retry_after())
}
