//! Proof that a signed-in person owns the account, required for changes that could take over the account: the password,
//! and a code if the account has a second factor. A stolen session or password alone is then not enough. For an account
//! without a password, a recent sign-in counts instead: only a provider, a trusted proxy, or a passkey can sign in its
//! owner.

use entities::account;
use entities::ids::AccountId;
use sea_orm::DatabaseTransaction;

use super::passwords::Passwords;
use super::second_factor::{self, EnteredCode};
use super::second_step::wrong_code;
use super::sessions::Session;
use super::sign_in;
use crate::limits::AccountLimits;
use crate::limits::window::{Counter, RatePolicy};
use kernel::clock::MINUTE;
use kernel::{Code, Domain, Error, Millis, Result};

/// Time for which a sign-in proves the owner of an account without a password.
const RECENT_SIGN_IN_MS: Millis = 10 * MINUTE;
/// Limit on codes that a signed-in person enters.
const CODES: [RatePolicy; 1] = [RatePolicy::sliding("code", 10, 900)];

/// Proof that a signed-in person owns the account.
#[derive(Clone, Copy)]
pub struct OwnerProof<'a> {
    /// Current password. Ignored if the account has no password.
    pub current: &'a str,
    /// Code of the app, or a recovery code. Ignored if the account has no second factor.
    pub code: &'a str,
    /// Time of the sign-in that opened the session. Ignored if the account has a password.
    pub signed_in_at: Millis,
}

/// True if the owner of a session must sign in again before an [`OwnerProof`] is accepted: the account has no password,
/// and the sign-in is not recent.
pub fn must_sign_in_again(domain: &Domain, session: &Session) -> bool {
    !session.account.has_password && !is_recent(domain.now(), session.created_at)
}

/// A sign-in far in the future is not recent either. Otherwise, a session could stay recent for hours after the clock
/// was set back.
fn is_recent(now: Millis, signed_in_at: Millis) -> bool {
    now.abs_diff(signed_in_at) <= RECENT_SIGN_IN_MS.unsigned_abs()
}

/// Confirms the password, or the recent sign-in if the account has no password.
///
/// # Errors
/// `invalid_request` for a wrong password or a sign-in that is not recent; `rate_limited` after too many wrong passwords.
pub(super) async fn confirm(
    domain: &Domain,
    passwords: &Passwords,
    owner: &account::Model,
    proof: OwnerProof<'_>,
) -> Result<()> {
    if !owner.password_hash.is_empty() {
        return sign_in::confirm(domain, passwords, owner, proof.current).await;
    }
    if is_recent(domain.now(), proof.signed_in_at) { Ok(()) } else { Err(sign_in_is_old()) }
}

/// Verifies the password or the recent sign-in, and uses the code if the account has a second factor. Returns the
/// transaction in which the account is locked and the code is used.
///
/// # Errors
/// `invalid_request` with the field in its details; `rate_limited` after too many wrong passwords or codes.
pub(super) async fn prove(
    domain: &Domain,
    passwords: &Passwords,
    account_id: AccountId,
    proof: OwnerProof<'_>,
) -> Result<DatabaseTransaction> {
    let owner = sign_in::owner(domain, account_id).await?;
    confirm(domain, passwords, &owner, proof).await?;
    let vault = if second_factor::is_on(domain.db().read(), account_id).await? {
        charge(domain, account_id).await?;
        Some(second_factor::vault(domain).await?)
    } else {
        None
    };
    let transaction = domain.db().begin().await?;
    if !sign_in::lock_verified(&transaction, &owner).await? {
        return Err(sign_in::not_current());
    }
    let is_accepted = match &vault {
        Some(vault) => {
            let code = EnteredCode::parse(proof.code);
            second_factor::use_code(&transaction, vault, account_id, (&code, domain.now())).await?
        }
        // The second factor may have been added in the meantime.
        None => !second_factor::is_on(&transaction, account_id).await?,
    };
    if is_accepted { Ok(transaction) } else { Err(wrong_code()) }
}

/// Counts an attempt to enter a code. Correct codes count too: a person does not need ten codes within 15 minutes.
pub(super) async fn charge(domain: &Domain, account_id: AccountId) -> Result<()> {
    let counters = vec![Counter { key: format!("code:c:{account_id}"), policies: CODES.to_vec() }];
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    match charges.refusal() {
        Some(refusal) => Err(sign_in::too_many("Too many codes were entered.", refusal)),
        None => Ok(()),
    }
}

fn sign_in_is_old() -> Error {
    Error::new(
        Code::InvalidRequest,
        "Your account has no password, and you signed in more than 10 minutes ago. Sign in again first.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_in_is_recent_for_ten_minutes_and_not_if_the_clock_was_set_back() {
        let now = 100 * RECENT_SIGN_IN_MS;
        let limit = RECENT_SIGN_IN_MS;
        // The clock of another process may differ a little.
        for signed_in_at in [now, now - limit, now + 1] {
            assert!(is_recent(now, signed_in_at), "{signed_in_at}");
        }
        for signed_in_at in [now - limit - 1, now + limit + 1, Millis::MIN, Millis::MAX] {
            assert!(!is_recent(now, signed_in_at), "{signed_in_at}");
        }
    }
}
