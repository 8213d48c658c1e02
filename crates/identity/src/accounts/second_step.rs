//! Second step of a sign-in: the code of the authenticator app, or a recovery code.
//!
//! Wrong codes are limited per account and network, per account, and per browser for browsers that have signed in
//! before. Recovery codes cannot be guessed, so they are limited per account and network only: another person who knows
//! the password cannot lock the owner out.

use entities::account;

use super::browser::{BrowserToken, SignedIn};
use super::field_error::field;
use super::pending_sign_in::PendingSignIn;
use super::second_factor::{self, EnteredCode};
use super::sign_in::{self, SignInOrigin, SignInProof};
use crate::limits::AccountLimits;
use crate::limits::window::{Counter, RatePolicy};
use kernel::{Code, Domain, Error, Result};

/// Limit on wrong codes for one account from one network, or from one browser that has signed in to it before.
const PER_NETWORK_OR_BROWSER: [RatePolicy; 1] = [RatePolicy::sliding("code", 5, 900)];
/// Limits on wrong codes for one account, across all networks. Another person who knows the password can guess a code
/// with a probability of 1 in 3,000 per day.
const PER_ACCOUNT: [RatePolicy; 2] =
    [RatePolicy::sliding("code", 20, 900), RatePolicy::sliding("code-day", 100, 86_400)];

/// Request to complete a sign-in.
pub struct CompleteSignIn<'a> {
    /// State that the browser received for the password or single sign-on.
    pub state: &'a str,
    /// Code of the app, or a recovery code.
    pub code: &'a str,
    /// Browser that signs in.
    pub origin: SignInOrigin<'a>,
}

/// Verifies the code of a second factor, after the password or single sign-on was verified, and opens a session.
///
/// # Errors
/// `invalid_credential` if the state is invalid or has expired: the person must sign in again;
/// `invalid_request` on `/code` if the code is wrong or was used before; `rate_limited` after too many wrong
/// codes.
pub async fn complete_sign_in(domain: &Domain, request: CompleteSignIn<'_>) -> Result<SignedIn> {
    let owner = PendingSignIn::owner_of(domain, request.state).await?.ok_or_else(expired)?;
    if !second_factor::is_on(domain.db().read(), owner.id).await? {
        return Err(expired());
    }
    let code = EnteredCode::parse(request.code);
    let vault = second_factor::vault(domain).await?;
    let counters = counters(domain, &owner, &code, &request.origin).await?;
    let limits = domain.limits();
    let windows = limits.windows();
    let charges = windows.check_each(counters, domain.now()).await;
    if let Some(refusal) = charges.refusal() {
        return Err(sign_in::too_many("Too many wrong codes.", refusal));
    }
    let factor = SignInProof::Code { vault: &vault, code: &code };
    let opened = sign_in::open_verified(domain, &owner, &request.origin, factor).await;
    match opened {
        Ok(Some(signed_in)) => {
            windows.refund_each(&charges).await;
            Ok(signed_in)
        }
        Ok(None) => Err(wrong_code()),
        Err(error) => {
            windows.refund_each(&charges).await;
            Err(error)
        }
    }
}

/// Counters that an attempt is charged to.
async fn counters(
    domain: &Domain,
    owner: &account::Model,
    code: &EnteredCode,
    origin: &SignInOrigin<'_>,
) -> Result<Vec<Counter>> {
    let site = origin.network.widest();
    if let EnteredCode::Recovery(_) = code {
        let key = format!("code:r:{site}:{}", owner.id);
        return Ok(vec![Counter { key, policies: PER_NETWORK_OR_BROWSER.to_vec() }]);
    }
    if let Some(token) = origin.browser
        && let Some(name) = BrowserToken::name_of(domain, owner.id, owner.password_changed_at, token).await?
    {
        return Ok(vec![Counter {
            key: format!("code:b:{name}"),
            policies: PER_NETWORK_OR_BROWSER.to_vec(),
        }]);
    }
    Ok(vec![
        Counter { key: format!("code:p:{site}:{}", owner.id), policies: PER_NETWORK_OR_BROWSER.to_vec() },
        Counter { key: format!("code:a:{}", owner.id), policies: PER_ACCOUNT.to_vec() },
    ])
}

/// Error for a code that is wrong or was used before.
pub(super) fn wrong_code() -> Error {
    field("code", "This code is wrong or was already used. Enter the code that your app shows now.")
}

fn expired() -> Error {
    Error::new(Code::InvalidCredential, "The sign-in took too long. Sign in again.")
}
