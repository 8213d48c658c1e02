//! A forgotten password: a link that lets the account's owner set a new one, once and within an hour. The link
//! holds 256 random bits, the table their SHA-256. Whoever asks for another link takes none from the owner: all hold
//! until one of them is used.

use data_encoding::BASE64URL_NOPAD;
use entities::password_reset;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, EntityTrait};
use sha2::{Digest, Sha256};

use super::sign_in::{self, ExistingAccess};
use super::{Account, Passwords, operators, passwords};
use kernel::clock::{HOUR, Millis};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// How long a link holds.
const LIFE_MS: Millis = HOUR;

/// What a link holds. It never prints itself.
pub struct ResetSecret(String);

impl ResetSecret {
    /// The text for the link.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ResetSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ResetSecret")
    }
}

/// What the owner sends by the link.
pub struct ResetPassword<'a> {
    /// What the link holds.
    pub secret: &'a str,
    /// The password from now on.
    pub new: &'a str,
}

/// Makes a link for the account of an address. Links that it had before hold as long as they would have.
///
/// # Errors
/// `not_found`.
pub async fn create_reset(domain: &Domain, email: &str) -> Result<ResetSecret> {
    let account = operators::find(domain, email).await?;
    let secret = ResetSecret(BASE64URL_NOPAD.encode(&domain.random::<32>()));
    let now = domain.now();
    let row = password_reset::ActiveModel {
        hash: Set(hash(secret.expose())),
        account_id: Set(account.id),
        created_at: Set(now),
        expires_at: Set(now + LIFE_MS),
    };
    row.insert(domain.db().write()).await?;
    Ok(secret)
}

/// The account that a link is for. Asking uses nothing up.
///
/// # Errors
/// `not_found` for a link that does not hold (any more).
pub async fn find_reset(domain: &Domain, secret: &str) -> Result<Account> {
    let row = password_reset::Entity::of_any_owner(hash(secret)).one(domain.db().read()).await?;
    let row = row.filter(|row| row.expires_at > domain.now()).ok_or_else(void)?;
    super::get(domain, row.account_id).await
}

/// Sets a new password by a link and uses the link up, with all others of the account. Every session of it ends,
/// every key and the access of every app: whoever forgot a password cannot know who else has it.
///
/// # Errors
/// `not_found` for a link that does not hold (any more); `invalid_request` for the password.
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
    sign_in::write_password(domain, &transaction, account.id, password_hash, ExistingAccess::End).await?;
    transaction.commit().await?;
    Ok(account)
}

/// Sets a new password for the account of an address, as operators do. Every session of it ends.
///
/// # Errors
/// `not_found`; `invalid_request` for the password.
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
        "This link does not hold any more: it works once, for an hour. Ask for another one.",
    )
}
