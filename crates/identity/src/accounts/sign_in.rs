//! Sign-in and password change.
//!
//! An unknown address and a wrong password get the same answer after the same work. Failures are limited per account,
//! against many machines that try one account; per network, against one machine that tries many accounts; per account
//! and network, so that one network cannot lock an owner out; and per browser for browsers that have signed in before,
//! so that many networks cannot lock an owner out either.

use crate::limits::AccountLimits;
use entities::ids::{AccountId, OidcIdentityId};
use entities::oauth_grant::GrantEnd;
use entities::{account, email_change, password_reset};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait,
    QueryFilter,
};
use sha2::{Digest, Sha256};

use super::account::{lock_row, no_account};
use super::browser::{BrowserToken, SignedIn};
use super::field_error::field;
use super::oidc::identities;
use super::passkeys::{self, VerifiedAssertion};
use super::passwords::{self, Passwords};
use super::pending_sign_in::PendingSignIn;
use super::second_factor::{self, EnteredCode};
use super::sessions::{self, SessionSecret};
use crate::granted_access;
use crate::limits::Network;
use crate::limits::window::{Counter, LimitDecision, RatePolicy};
use crate::security_notices::{self, SecurityEvent};
use kernel::email::normalize_email;
use kernel::vault::Vault;
use kernel::{Class, Code, Domain, Error, Millis, Result};

/// Limit on wrong passwords for one account from one network, or from one browser that has signed in to it before. It
/// allows for mistyping. The network is an IPv4 address or an IPv6 /48.
const PER_NETWORK_OR_BROWSER: [RatePolicy; 1] = [RatePolicy::sliding("sign-in", 10, 900)];
/// Limit on wrong passwords for one account, across all networks. It takes ten networks to reach it.
const PER_ACCOUNT: [RatePolicy; 1] = [RatePolicy::sliding("sign-in", 100, 900)];
/// Limit on wrong passwords from one network, across all accounts.
const PER_NETWORK: [RatePolicy; 1] = [RatePolicy::sliding("sign-in", 50, 900)];

/// Browser that signs in.
#[derive(Clone, Copy)]
pub struct SignInOrigin<'a> {
    /// Network of the request.
    pub network: &'a Network,
    /// Session that the browser sent with the request. It is closed, so that every sign-in gets a new session id.
    pub previous: Option<&'a SessionSecret>,
    /// Token that the browser received at its last sign-in.
    pub browser: Option<&'a str>,
}

/// Sign-in request.
pub struct SignIn<'a> {
    /// E-mail address of the account.
    pub email: &'a str,
    pub password: &'a str,
    /// Browser that signs in.
    pub origin: SignInOrigin<'a>,
}

/// Result of a sign-in with a correct password.
#[derive(Debug)]
pub enum SignInStep {
    /// The session is open.
    SignedIn(SignedIn),
    /// The account has a second factor. The browser must send a code with this state.
    CodeRequired(PendingSignIn),
}

/// Proof that completes a sign-in.
#[derive(Clone, Copy)]
pub(super) enum SignInProof<'a> {
    /// The password, for an account without a second factor.
    Password,
    /// A code of the second factor, after the password or single sign-on.
    Code { vault: &'a Vault, code: &'a EnteredCode },
    /// The signature of a passkey, instead of the password and a code.
    Passkey(&'a VerifiedAssertion),
    /// The connected person of an OpenID provider, instead of the password, with the label from the ID token. The
    /// account has no second factor.
    SingleSignOn { id: OidcIdentityId, label: Option<&'a str> },
    /// The header of a trusted proxy, instead of the password. The account has no second factor.
    TrustedProxy,
}

/// Opens a session for an e-mail address and its password, or asks for a code if the account has a second
/// factor.
///
/// # Errors
/// `invalid_credential`, which does not reveal whether the address or the password was wrong; `rate_limited`
/// after too many failures.
pub async fn sign_in(domain: &Domain, passwords: &Passwords, request: SignIn<'_>) -> Result<SignInStep> {
    let email = normalize_email(request.email).unwrap_or_default();
    let row =
        account::Entity::find().filter(account::Column::Email.eq(&email)).one(domain.db().read()).await?;
    let counters = counters(domain, &request.origin, &email, row.as_ref()).await?;
    let password_hash = row.as_ref().map(|row| row.password_hash.clone()).filter(|hash| !hash.is_empty());
    verify(domain, passwords, counters, password_hash, request.password).await?;
    let owner = row.filter(|row| row.disabled_at.is_none()).ok_or_else(wrong_credentials)?;
    if second_factor::is_on(domain.db().read(), owner.id).await? {
        return Ok(SignInStep::CodeRequired(PendingSignIn::issue(domain, &owner).await?));
    }
    let opened = open_verified(domain, &owner, &request.origin, SignInProof::Password).await?;
    opened.map(SignInStep::SignedIn).ok_or_else(wrong_credentials)
}

/// Opens a session for an account whose first factor was verified, and closes the previous session of the
/// browser. Returns `None` if the code is wrong, the assertion of the passkey cannot be used, or single
/// sign-on was disconnected.
///
/// # Errors
/// `invalid_credential` if the password was changed or the account was disabled in the meantime.
pub(super) async fn open_verified(
    domain: &Domain,
    owner: &account::Model,
    origin: &SignInOrigin<'_>,
    proof: SignInProof<'_>,
) -> Result<Option<SignedIn>> {
    let is_known = is_known(domain, owner, origin.browser).await?;
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    if !lock_verified(&transaction, owner).await? {
        return Err(wrong_credentials());
    }
    let is_accepted = match proof {
        SignInProof::Password | SignInProof::TrustedProxy => true,
        SignInProof::Code { vault, code } => {
            second_factor::use_code(&transaction, vault, owner.id, (code, now)).await?
        }
        SignInProof::Passkey(assertion) => passkeys::use_assertion(&transaction, assertion, now).await?,
        SignInProof::SingleSignOn { id, label } => {
            identities::use_identity(&transaction, (id, label), now).await?
        }
    };
    if !is_accepted {
        return Ok(None);
    }
    let session = sessions::open(domain, &transaction, owner.id).await?;
    if !is_known {
        let name = session.name();
        let event = SecurityEvent::SignIn { session: &name, network: origin.network.as_str() };
        security_notices::notify(&transaction, domain, owner.id, event).await?;
    }
    transaction.commit().await?;
    if let Some(previous) = origin.previous {
        sessions::sign_out(domain, previous).await?;
    }
    let browser = BrowserToken::issue(domain, owner.id, owner.password_changed_at).await?;
    Ok(Some(SignedIn { session, browser }))
}

/// Returns whether the browser has signed in to the account since the current password was set.
async fn is_known(domain: &Domain, owner: &account::Model, browser: Option<&str>) -> Result<bool> {
    let Some(token) = browser else { return Ok(false) };
    let name = BrowserToken::name_of(domain, owner.id, owner.password_changed_at, token).await?;
    Ok(name.is_some())
}

/// Locks the account whose password was verified until the end of the transaction. Returns false if the
/// password was changed or the account was disabled since the row `verified` was read: verification takes
/// time, and a password that was verified before a change must not be accepted after it.
pub(super) async fn lock_verified(
    transaction: &DatabaseTransaction,
    verified: &account::Model,
) -> Result<bool> {
    let row = lock_row(transaction, verified.id).await?;
    Ok(row.is_some_and(|row| row.password_hash == verified.password_hash && row.disabled_at.is_none()))
}

/// Counters that an attempt is charged to. A browser that has signed in to the account before has its own counter, so
/// that others cannot lock it out. Other attempts are charged to the network first, so that attempts from a network
/// over its limit do not count against any account.
///
/// Letters in the keys: `b` browser, `n` network, `p` account and network, `a` account. [`confirm`] uses `c`.
async fn counters(
    domain: &Domain,
    origin: &SignInOrigin<'_>,
    email: &str,
    row: Option<&account::Model>,
) -> Result<Vec<Counter>> {
    let counter = |key, policies: [RatePolicy; 1]| Counter { key, policies: policies.to_vec() };
    if let (Some(row), Some(token)) = (row, origin.browser)
        && let Some(name) = BrowserToken::name_of(domain, row.id, row.password_changed_at, token).await?
    {
        return Ok(vec![counter(format!("sign-in:b:{name}"), PER_NETWORK_OR_BROWSER)]);
    }
    let subject = match row {
        Some(row) => row.id.to_string(),
        None => unknown_address_counter(domain, email).await?,
    };
    let mut counters = origin.network.counters("sign-in:n", &PER_NETWORK);
    counters
        .push(counter(format!("sign-in:p:{}:{subject}", origin.network.widest()), PER_NETWORK_OR_BROWSER));
    counters.push(counter(format!("sign-in:a:{subject}"), PER_ACCOUNT));
    Ok(counters)
}

/// Returns one of 256 counter names that addresses without an account share. Such addresses are limited like
/// accounts, because a difference would reveal which accounts exist; sharing prevents made-up addresses from
/// filling the memory. The address is sealed before it is hashed, so which addresses share a name is
/// unpredictable.
async fn unknown_address_counter(domain: &Domain, email: &str) -> Result<String> {
    let sealed = domain.cursor_key().await?.seal("sign-in", email.as_bytes());
    Ok(format!("nobody-{}", Sha256::digest(sealed.as_bytes())[0]))
}

/// Request to change the password.
pub struct ChangePassword<'a> {
    /// Current password.
    pub current: &'a str,
    /// New password.
    pub new: &'a str,
    /// Effect on the account's keys, apps, and passkeys.
    pub access: ExistingAccess,
}

/// Effect of a password change on the account's API keys, app grants, passkeys, and single sign-on, which do not depend
/// on the password. A person who suspects that others know the old password can revoke them with the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExistingAccess {
    /// Keys, apps, passkeys, and single sign-on stay valid.
    #[default]
    Keep,
    /// Keys and app grants are revoked, passkeys are removed, and single sign-on is disconnected.
    End,
    /// Like [`Self::End`], but single sign-on stays connected: if sign-in does not accept passwords, the owner could no
    /// longer sign in.
    EndExceptSingleSignOn,
    /// Keys and app grants are revoked. Passkeys and single sign-on stay: passkeys are the only way to sign in.
    EndExceptSignIn,
}

/// Changes the password. Every session of the account is closed, and a new one is opened for the caller.
///
/// # Errors
/// `invalid_request` with the field in its details; `rate_limited` after too many wrong passwords.
pub async fn change_password(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    change: ChangePassword<'_>,
) -> Result<SignedIn> {
    let owner = owner(domain, account_id).await?;
    passwords::check(change.new, &owner.email)?;
    confirm(domain, passwords, &owner, change.current).await?;
    let hash = passwords.hash(domain, change.new).await?;
    let transaction = domain.db().begin().await?;
    if !lock_verified(&transaction, &owner).await? {
        return Err(not_current());
    }
    let changed_at = write_password(domain, &transaction, account_id, hash, change.access).await?;
    let session = sessions::open(domain, &transaction, account_id).await?;
    transaction.commit().await?;
    let browser = BrowserToken::issue(domain, account_id, changed_at).await?;
    Ok(SignedIn { session, browser })
}

/// Stores a new password: every session is closed, every link that was mailed before becomes void, and keys,
/// app grants, and passkeys are revoked and single sign-on is disconnected if `access` is
/// [`ExistingAccess::End`]. The first password of an account leaves single sign-on connected:
/// without an earlier password, no other person can have connected it. Returns the time of the change.
pub(super) async fn write_password(
    domain: &Domain,
    transaction: &DatabaseTransaction,
    account_id: AccountId,
    password_hash: String,
    access: ExistingAccess,
) -> Result<Millis> {
    let now = domain.now();
    let previous = lock_row(transaction, account_id).await?.ok_or_else(no_account)?;
    let row = account::ActiveModel {
        id: Set(account_id),
        password_hash: Set(password_hash),
        password_changed_at: Set(now),
        ..Default::default()
    };
    row.update(transaction).await?;
    sessions::end_all(transaction, account_id).await?;
    void_links(transaction, account_id).await?;
    match access {
        ExistingAccess::Keep => {}
        ExistingAccess::End | ExistingAccess::EndExceptSingleSignOn | ExistingAccess::EndExceptSignIn => {
            granted_access::revoke_keys(domain, transaction, account_id).await?;
            granted_access::end_grants(transaction, account_id, GrantEnd::Person, now).await?;
            if access != ExistingAccess::EndExceptSignIn {
                passkeys::remove_all(transaction, account_id).await?;
            }
            if access == ExistingAccess::End && !previous.password_hash.is_empty() {
                identities::remove_all(transaction, account_id).await?;
            }
        }
    }
    Ok(now)
}

/// Deletes every password reset link of an account, and the unconfirmed change of its e-mail address: another person
/// may have requested it.
pub(super) async fn void_links(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    let links =
        password_reset::Entity::delete_many().filter(password_reset::Column::AccountId.eq(account_id));
    links.exec(connection).await?;
    delete_pending_email_change(connection, account_id).await
}

/// Deletes the pending (unconfirmed) e-mail change.
pub(super) async fn delete_pending_email_change(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<()> {
    let pending = email_change::Entity::delete_many()
        .filter(email_change::Column::AccountId.eq(account_id))
        .filter(email_change::Column::ConfirmedAt.is_null());
    pending.exec(connection).await?;
    Ok(())
}

pub(super) async fn owner(domain: &Domain, account_id: AccountId) -> Result<account::Model> {
    account::Entity::find_by_id(account_id).one(domain.db().read()).await?.ok_or_else(no_account)
}

/// Confirms the password of the signed-in person. Uses a separate counter, so that failed sign-ins by other
/// people do not prevent the owner from changing the password.
pub(super) async fn confirm(
    domain: &Domain,
    passwords: &Passwords,
    owner: &account::Model,
    password: &str,
) -> Result<()> {
    if owner.password_hash.is_empty() {
        return Err(no_password());
    }
    let key = format!("sign-in:c:{}", owner.id);
    let counters = vec![Counter { key, policies: PER_NETWORK_OR_BROWSER.to_vec() }];
    match verify(domain, passwords, counters, Some(owner.password_hash.clone()), password).await {
        Err(error) if error.class() == Class::Unauthenticated => Err(not_current()),
        other => other,
    }
}

/// Verifies a password and counts a failure. The attempt is charged before the verification, so that
/// concurrent attempts cannot exceed the limit. It is refunded if the password is correct or could not be
/// verified.
async fn verify(
    domain: &Domain,
    passwords: &Passwords,
    counters: Vec<Counter>,
    password_hash: Option<String>,
    password: &str,
) -> Result<()> {
    let limits = domain.limits();
    let windows = limits.windows();
    let charges = windows.check_each(counters, domain.now()).await;
    if let Some(refusal) = charges.refusal() {
        return Err(too_many("Too many wrong passwords.", refusal));
    }
    let verified = passwords.verify(password_hash, password).await;
    if !matches!(verified, Ok(false)) {
        windows.refund_each(&charges).await;
    }
    if verified? { Ok(()) } else { Err(wrong_credentials()) }
}

/// Error for a wrong current password.
pub(super) fn not_current() -> Error {
    field("current", "This is not your current password.")
}

/// Error for an account that was created by single sign-on and has no password yet.
fn no_password() -> Error {
    field("current", "Your account has no password yet. Set one in the account settings first.")
}

fn wrong_credentials() -> Error {
    Error::new(Code::InvalidCredential, "The e-mail address or the password is wrong.")
}

pub(super) fn too_many(message: &str, decision: &LimitDecision) -> Error {
    Error::new(Code::RateLimited, message).retry_after(decision.retry_after())
}
