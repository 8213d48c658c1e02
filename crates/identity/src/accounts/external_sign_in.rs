//! Sign-in of people whom another server has authenticated: the OpenID provider, or a trusted reverse proxy. A second
//! factor of the account still applies.

use entities::account;
use sea_orm::DatabaseTransaction;

use super::browser::{BrowserToken, SignedIn};
use super::pending_sign_in::PendingSignIn;
use super::sessions::SessionSecret;
use super::sign_in::{self, SignInOrigin, SignInProof};
use super::{second_factor, sessions, sign_up};
use kernel::{Code, Domain, Error, Result};

/// Policy for an authenticated person who has no account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutomaticSignUp {
    #[default]
    Refused,
    Allowed,
}

/// Result of the sign-in of an authenticated person.
#[derive(Debug)]
pub enum ExternalSignIn {
    SignedIn(SignedIn),
    /// A new account was created, and its session is open.
    Created(SignedIn),
    /// The account has a second factor. The browser must send a code with this state.
    CodeRequired(PendingSignIn),
}

/// Signs in the owner of an account, or asks for a code if the account has a second factor.
///
/// # Errors
/// `invalid_credential` if the account is disabled, or the proof is no longer valid.
pub(super) async fn sign_in_owner(
    domain: &Domain,
    owner: &account::Model,
    origin: &SignInOrigin<'_>,
    proof: SignInProof<'_>,
) -> Result<ExternalSignIn> {
    if owner.disabled_at.is_some() {
        return Err(refused());
    }
    if second_factor::is_on(domain.db().read(), owner.id).await? {
        return Ok(ExternalSignIn::CodeRequired(PendingSignIn::issue(domain, owner).await?));
    }
    let opened = sign_in::open_verified(domain, owner, origin, proof).await?;
    opened.map(ExternalSignIn::SignedIn).ok_or_else(refused)
}

/// Stores a new account without a password.
///
/// # Errors
/// `name_taken` if another account has the e-mail address, or can still return to it.
pub(super) async fn insert_account(
    domain: &Domain,
    transaction: &DatabaseTransaction,
    email: String,
) -> Result<account::Model> {
    let tier = sign_up::first_tier(domain, transaction).await?;
    sign_up::insert(domain, transaction, email, String::new(), tier).await
}

/// Commits a new account with its first session, and closes the previous session of the browser.
pub(super) async fn open_created(
    domain: &Domain,
    transaction: DatabaseTransaction,
    row: &account::Model,
    previous: Option<&SessionSecret>,
) -> Result<ExternalSignIn> {
    let session = sessions::open(domain, &transaction, row.id).await?;
    transaction.commit().await?;
    if let Some(previous) = previous {
        sessions::sign_out(domain, previous).await?;
    }
    let browser = BrowserToken::issue(domain, row.id, row.password_changed_at).await?;
    Ok(ExternalSignIn::Created(SignedIn { session, browser }))
}

/// Error for a refused sign-in, and for an account that is disabled.
pub(super) fn refused() -> Error {
    Error::new(
        Code::InvalidCredential,
        "The sign-in was refused. Start it again. If it is refused again, ask the operator of this service.",
    )
}
