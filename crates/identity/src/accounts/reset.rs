//! Password reset links: an owner who forgot the password sets a new one through a link that can be used
//! once, within an hour. The link contains 256 random bits; the table stores their SHA-256. Requesting
//! another link does not invalidate earlier links: all are valid until one of them is used.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;
use entities::password_reset;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, EntityTrait};
use sha2::{Digest, Sha256};

use super::account::{self, Account, lock_row, no_account};
use super::oidc::require_passwords;
use super::operators;
use super::passkey_removal::{SignInServers, has_sign_in_server};
use super::passkeys;
use super::passwords::{self, Passwords};
use super::sign_in::{self, ExistingAccess};
use kernel::clock::HOUR;
use kernel::{Code, Domain, Error, Millis, Result};

/// Lifetime of a link.
const LIFETIME_MS: Millis = HOUR;

/// Secret of a reset link. `Debug` does not print it.
pub struct ResetSecret(String);

impl ResetSecret {
    /// Text of the secret, for the link.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ResetSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ResetSecret")
    }
}

/// Request to set a new password with a reset link.
pub struct ResetPassword<'a> {
    /// Secret from the link.
    pub secret: &'a str,
    /// New password.
    pub new: &'a str,
    /// Other servers of the installation that sign people in.
    pub servers: SignInServers<'a>,
}

/// Creates a link for the account with an e-mail address. Earlier links stay valid until they expire.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn create_reset(domain: &Domain, email: &str) -> Result<ResetSecret> {
    let account = operators::find(domain, email).await?;
    let secret = ResetSecret(BASE64URL_NOPAD.encode(&domain.random::<32>()));
    let now = domain.now();
    let row = password_reset::ActiveModel {
        hash: Set(hash(secret.expose())),
        account_id: Set(account.id),
        created_at: Set(now),
        expires_at: Set(now + LIFETIME_MS),
    };
    row.insert(domain.db().write()).await?;
    Ok(secret)
}

/// Returns the account for which a link was created, without invalidating the link.
///
/// # Errors
/// `not_found` if the link is invalid or no longer valid.
#[boxed]
pub async fn find_reset(domain: &Domain, secret: &str) -> Result<Account> {
    let row = password_reset::Entity::of_any_owner(hash(secret)).one(domain.db().read()).await?;
    let row = row.filter(|row| row.expires_at > domain.now()).ok_or_else(void)?;
    account::get(domain, row.account_id).await
}

/// Uses a link to set a new password, and deletes all links of the account. All sessions, passkeys, keys, and app
/// grants of the account are revoked, because another person may know the forgotten password. Single sign-on is
/// disconnected unless this is the first password, or sign-in does not accept passwords. Passkeys stay if they are the
/// only way to sign in. A second factor stays.
///
/// # Errors
/// `not_found` if the link is invalid or no longer valid; `invalid_request` for an unacceptable password.
pub async fn reset_password(
    domain: &Domain,
    passwords: &Passwords,
    request: ResetPassword<'_>,
) -> Result<Account> {
    let account = find_reset(domain, request.secret).await?;
    passwords::check(request.new, &account.email)?;
    let password_hash = passwords.hash(domain, request.new).await?;
    let transaction = domain.db().begin().await?;
    let used = password_reset::Entity::delete_by_id(hash(request.secret)).exec(&transaction).await?;
    if used.rows_affected == 0 {
        return Err(void());
    }
    lock_row(&transaction, account.id).await?.ok_or_else(no_account)?;
    let access = if require_passwords(request.servers.provider).is_ok() {
        ExistingAccess::End
    } else if needs_passkeys(&transaction, account.id, request.servers).await? {
        ExistingAccess::EndExceptSignIn
    } else {
        ExistingAccess::EndExceptSingleSignOn
    };
    sign_in::write_password(domain, &transaction, account.id, password_hash, access).await?;
    transaction.commit().await?;
    Ok(account)
}

/// Returns true if a reset leaves the passkeys of an account, because its owner could not sign in without them.
pub async fn reset_retains_passkeys(
    domain: &Domain,
    account_id: AccountId,
    servers: SignInServers<'_>,
) -> Result<bool> {
    needs_passkeys(domain.db().read(), account_id, servers).await
}

/// Returns true if an account that has a password is signed in to with passkeys only.
async fn needs_passkeys(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    servers: SignInServers<'_>,
) -> Result<bool> {
    if require_passwords(servers.provider).is_ok()
        || has_sign_in_server(connection, account_id, servers).await?
    {
        return Ok(false);
    }
    Ok(!passkeys::rows(connection, account_id).await?.is_empty())
}

/// Sets a new password for the account with an e-mail address, on behalf of an operator. All its sessions are
/// closed. Keys, app grants, passkeys, single sign-on, and a second factor stay.
///
/// # Errors
/// `not_found`; `invalid_request` for an unacceptable password.
#[boxed]
pub async fn set_password(
    domain: &Domain,
    passwords: &Passwords,
    email: &str,
    password: &str,
) -> Result<Account> {
    let account = operators::find(domain, email).await?;
    passwords::check(password, &account.email)?;
    let password_hash = passwords.hash(domain, password).await?;
    let transaction = domain.db().begin().await?;
    sign_in::write_password(domain, &transaction, account.id, password_hash, ExistingAccess::Keep).await?;
    transaction.commit().await?;
    Ok(account)
}

fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

fn void() -> Error {
    Error::new(
        Code::NotFound,
        "This link is no longer valid. It works once, within an hour; request another one.",
    )
}
