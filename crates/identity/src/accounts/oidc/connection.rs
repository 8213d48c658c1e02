//! Connection of an account to a person at the provider. Only the owner of the account can create it, and must enter
//! the password, and a code if the account has a second factor: a stolen session must not become lasting access.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;

use super::super::account::{lock_row, no_account};
use super::super::owner_proof::{OwnerProof, prove};
use super::super::passwords::Passwords;
use super::super::{passkeys, sign_in};
use super::flow::{self, OidcPurpose, StartedOidc};
use super::identities::{self, NewIdentity};
use super::provider::OidcProvider;
use super::refusal;
use crate::security_notices::{self, SecurityEvent};
use kernel::{Code, Domain, Error, Millis, Result};

/// Connection of an account to a person at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcConnection {
    /// E-mail address or name of the person at the provider, at most 200 characters. `None` if the provider sent
    /// neither.
    pub label: Option<String>,
    pub created_at: Millis,
    /// Time of the last sign-in. `None` if it was never used.
    pub last_used_at: Option<Millis>,
}

/// Returns the connection of an account to the provider. `None` if there is none.
#[boxed]
pub async fn oidc_connection(
    domain: &Domain,
    provider: &OidcProvider,
    account_id: AccountId,
) -> Result<Option<OidcConnection>> {
    let row = identities::of_account(domain.db().read(), account_id, provider.issuer().as_str()).await?;
    Ok(row.map(|row| OidcConnection {
        label: row.label,
        created_at: row.created_at,
        last_used_at: row.last_used_at,
    }))
}

/// Begins a sign-in at the provider that connects an account to the person who signs in.
///
/// # Errors
/// `invalid_request` with the field in its details; `rate_limited` after too many wrong passwords or codes;
/// `service_unavailable` if the provider does not answer.
pub async fn connect_oidc(
    domain: &Domain,
    (provider, passwords): (&OidcProvider, &Passwords),
    account_id: AccountId,
    proof: OwnerProof<'_>,
) -> Result<StartedOidc> {
    let password_changed_at = sign_in::owner(domain, account_id).await?.password_changed_at;
    let purpose = OidcPurpose::Connect { account_id, password_changed_at };
    // Started before the proof is checked: if the provider does not answer, no code is used up.
    let started = flow::start(domain, provider, purpose, "").await?;
    prove(domain, passwords, account_id, proof).await?.commit().await?;
    Ok(started)
}

/// Connects an account to the person who signed in at the provider.
///
/// # Errors
/// `invalid_credential` if the account was disabled, or its password was changed since it was entered; `name_taken`
/// if the person is connected to another account, or the account to another person.
pub(super) async fn connect(
    domain: &Domain,
    (account_id, password_changed_at): (AccountId, Millis),
    person: NewIdentity<'_>,
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let owner = lock_row(&transaction, account_id).await?.ok_or_else(no_account)?;
    if owner.disabled_at.is_some() || owner.password_changed_at != password_changed_at {
        return Err(refusal::refused());
    }
    match identities::of_account(&transaction, account_id, person.issuer).await? {
        Some(row) if row.subject == person.subject => return Ok(()),
        Some(_) => return Err(connected_to_another_person()),
        None => {}
    }
    if identities::find(&transaction, person.issuer, person.subject).await?.is_some() {
        return Err(identities::taken());
    }
    identities::insert(domain, &transaction, account_id, person).await?;
    let event = SecurityEvent::SingleSignOnAdded { at: domain.now() };
    security_notices::notify(&transaction, domain, account_id, event).await?;
    transaction.commit().await?;
    Ok(())
}

/// Disconnects the provider from an account. Succeeds if it is not connected.
///
/// # Errors
/// `invalid_request` if the owner could no longer sign in, because the account has neither a password that sign-in
/// accepts nor a passkey.
#[boxed]
pub async fn disconnect_oidc(domain: &Domain, provider: &OidcProvider, account_id: AccountId) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let owner = lock_row(&transaction, account_id).await?.ok_or_else(no_account)?;
    let has_password = provider.accepts_passwords() && !owner.password_hash.is_empty();
    if !has_password && passkeys::rows(&transaction, account_id).await?.is_empty() {
        let message = if provider.accepts_passwords() {
            "This is your only way to sign in. Set a password first, then disconnect."
        } else {
            "This is your only way to sign in. Add a passkey first, then disconnect."
        };
        return Err(Error::new(Code::InvalidRequest, message));
    }
    if identities::remove(&transaction, account_id, provider.issuer().as_str()).await? {
        let event = SecurityEvent::SingleSignOnRemoved { at: domain.now() };
        security_notices::notify(&transaction, domain, account_id, event).await?;
    }
    transaction.commit().await?;
    Ok(())
}

fn connected_to_another_person() -> Error {
    Error::new(
        Code::NameTaken,
        "Your account is already connected to another person at the provider. Disconnect it first.",
    )
}
