//! Set-up, renewal, and removal of the second factor by its owner, and removal by an operator.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE32_NOPAD;
use entities::ids::AccountId;
use sea_orm::DatabaseTransaction;
use url::form_urlencoded::byte_serialize;

use super::account::{Account, lock_row, no_account};
use super::owner_proof::{OwnerProof, charge, confirm, prove};
use super::passwords::Passwords;
use super::second_factor::{self, EnteredCode, in_groups};
use super::second_step::wrong_code;
use super::{operators, sign_in, totp};
use crate::security_notices::{self, SecurityEvent};
use kernel::clock::MINUTE;
use kernel::{Code, Domain, Error, Millis, Result};

/// Time within which the first code must be entered.
const SETUP_MS: Millis = 15 * MINUTE;

/// Key for an authenticator app. `Debug` does not print it.
pub struct AuthenticatorKey {
    key: Vec<u8>,
    email: String,
}

impl AuthenticatorKey {
    /// Returns the key in base32, in groups of four characters.
    pub fn grouped(&self) -> String {
        in_groups(&BASE32_NOPAD.encode(&self.key), ' ')
    }

    /// Returns the `otpauth` URI that apps open, with the key, its parameters, and the name of the service.
    pub fn uri(&self, service: &str) -> String {
        let escaped = |text: &str| byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
        let (service, email) = (escaped(service), escaped(&self.email));
        let key = BASE32_NOPAD.encode(&self.key);
        format!(
            "otpauth://totp/{service}:{email}?secret={key}&issuer={service}&algorithm=SHA1&digits=6&period=30"
        )
    }
}

impl std::fmt::Debug for AuthenticatorKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("AuthenticatorKey")
    }
}

/// Creates a key. Sign-in asks for codes as soon as [`finish_second_factor`] has been called with the first
/// code.
///
/// # Errors
/// `invalid_request` if the proof is wrong or the account has a second factor; `rate_limited` after too many wrong
/// passwords.
pub async fn start_second_factor(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    proof: OwnerProof<'_>,
) -> Result<AuthenticatorKey> {
    let owner = sign_in::owner(domain, account_id).await?;
    confirm(domain, passwords, &owner, proof).await?;
    let vault = second_factor::vault(domain).await?;
    let key = domain.random::<{ totp::KEY_BYTES }>();
    let transaction = domain.db().begin().await?;
    lock_row(&transaction, account_id).await?.ok_or_else(no_account)?;
    if second_factor::is_on(&transaction, account_id).await? {
        return Err(Error::new(Code::InvalidRequest, "This account already has a second factor."));
    }
    second_factor::store_key(&transaction, domain, &vault, (account_id, key.as_slice())).await?;
    transaction.commit().await?;
    Ok(AuthenticatorKey { key: key.to_vec(), email: owner.email })
}

/// Returns the key whose first code has not been entered yet. `None` if there is no such key, or if it is
/// older than 15 minutes.
#[boxed]
pub async fn pending_second_factor(
    domain: &Domain,
    account_id: AccountId,
) -> Result<Option<AuthenticatorKey>> {
    let row = second_factor::load(domain.db().read(), account_id).await?;
    let is_pending = |row: &entities::second_factor::Model| {
        row.confirmed_at.is_none() && row.created_at + SETUP_MS > domain.now()
    };
    let Some(row) = row.filter(is_pending) else { return Ok(None) };
    let owner = sign_in::owner(domain, account_id).await?;
    let key = second_factor::open_key(&second_factor::vault(domain).await?, &row)?;
    Ok(Some(AuthenticatorKey { key, email: owner.email }))
}

/// Activates the second factor with the first code of a new key. Returns the recovery codes, which cannot be
/// displayed again.
///
/// # Errors
/// `invalid_request` on `/code` for a wrong code; `not_found` if the set-up has expired; `rate_limited` after
/// too many wrong codes.
#[boxed]
pub async fn finish_second_factor(domain: &Domain, account_id: AccountId, code: &str) -> Result<Vec<String>> {
    let vault = second_factor::vault(domain).await?;
    let code = EnteredCode::parse(code);
    charge(domain, account_id).await?;
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    lock_row(&transaction, account_id).await?.ok_or_else(no_account)?;
    let row = second_factor::load(&transaction, account_id).await?;
    let row = row.filter(|row| row.confirmed_at.is_none() && row.created_at + SETUP_MS > now);
    let row = row.ok_or_else(|| Error::new(Code::NotFound, "The setup has expired. Start again."))?;
    if !second_factor::confirm_key(&transaction, &vault, &row, (&code, now)).await? {
        return Err(wrong_code());
    }
    let codes = second_factor::replace_recovery_codes(&transaction, domain, account_id).await?;
    let event = SecurityEvent::SecondFactorAdded { at: now };
    security_notices::notify(&transaction, domain, account_id, event).await?;
    transaction.commit().await?;
    Ok(codes)
}

/// Replaces the recovery codes. Returns the new codes, which cannot be displayed again.
///
/// # Errors
/// `invalid_request` with the field in its details; `rate_limited` after too many wrong passwords or codes.
pub async fn renew_recovery_codes(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    proof: OwnerProof<'_>,
) -> Result<Vec<String>> {
    let transaction = prove_with_factor(domain, passwords, account_id, proof).await?;
    let codes = second_factor::replace_recovery_codes(&transaction, domain, account_id).await?;
    transaction.commit().await?;
    Ok(codes)
}

/// Removes the second factor.
///
/// # Errors
/// Same as for [`renew_recovery_codes`].
pub async fn remove_second_factor(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    proof: OwnerProof<'_>,
) -> Result<()> {
    let transaction = prove_with_factor(domain, passwords, account_id, proof).await?;
    second_factor::remove(&transaction, account_id).await?;
    let event = SecurityEvent::SecondFactorRemoved { at: domain.now() };
    security_notices::notify(&transaction, domain, account_id, event).await?;
    transaction.commit().await?;
    Ok(())
}

/// Removes the second factor of a person who lost it, on behalf of an operator. If there is none, this
/// succeeds without a notice.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn reset_second_factor(domain: &Domain, email: &str) -> Result<Account> {
    let account = operators::find(domain, email).await?;
    let transaction = domain.db().begin().await?;
    lock_row(&transaction, account.id).await?.ok_or_else(no_account)?;
    if second_factor::is_on(&transaction, account.id).await? {
        let event = SecurityEvent::SecondFactorRemoved { at: domain.now() };
        security_notices::notify(&transaction, domain, account.id, event).await?;
    }
    second_factor::remove(&transaction, account.id).await?;
    transaction.commit().await?;
    Ok(account)
}

/// Verifies the proof of an account that has a second factor. Returns the transaction in which the account is
/// locked.
async fn prove_with_factor(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    proof: OwnerProof<'_>,
) -> Result<DatabaseTransaction> {
    let transaction = prove(domain, passwords, account_id, proof).await?;
    let is_on = second_factor::is_on(&transaction, account_id).await?;
    if is_on { Ok(transaction) } else { Err(wrong_code()) }
}
