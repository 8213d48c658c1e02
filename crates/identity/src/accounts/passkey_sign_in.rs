//! Sign-in with a passkey, without an e-mail address or a password. The authenticator verifies the person, so no second
//! factor is needed.

use async_recursion::async_recursion as boxed;
use entities::account;
use entities::passkey;
use sea_orm::EntityTrait;

use super::browser::SignedIn;
use super::passkey_registration::decode;
use super::passkeys::{self, VerifiedAssertion};
use super::sign_in::{self, SignInOrigin, SignInProof};
use super::webauthn::{
    AuthenticatorData, Challenge, ChallengePurpose, ClientData, CoseKey, CredentialOperation, RelyingParty,
};
use crate::limits::AccountLimits;
use crate::limits::window::RatePolicy;
use kernel::{Code, Domain, Error, Result};

/// Limit on refused assertions from one network. Signatures cannot be guessed; the limit bounds the work of
/// their verification.
const PER_NETWORK: [RatePolicy; 1] = [RatePolicy::sliding("passkey", 50, 900)];

/// Options of a sign-in, for the browser.
#[derive(Clone, Debug)]
pub struct PasskeySignInOptions {
    /// Challenge in base64url.
    pub challenge: String,
    /// Host name to which passkeys are bound.
    pub party_id: String,
}

/// Answer of an authenticator. The values are in base64url.
pub struct PasskeyAssertion<'a> {
    pub credential_id: &'a str,
    pub client_data: &'a str,
    pub authenticator_data: &'a str,
    pub signature: &'a str,
    /// Handle of the account, which discoverable passkeys send. Empty if it was not sent.
    pub user_handle: &'a str,
    /// Browser that signs in.
    pub origin: SignInOrigin<'a>,
}

/// Returns whether browsers accept passkeys at the address of this service.
pub fn accepts_passkeys(domain: &Domain) -> bool {
    RelyingParty::of(domain).is_some()
}

/// Returns the options for signing in. `None` if browsers refuse passkeys at the address of this service.
#[boxed]
pub async fn passkey_sign_in_options(domain: &Domain) -> Result<Option<PasskeySignInOptions>> {
    let Some(party) = RelyingParty::of(domain) else { return Ok(None) };
    let challenge = Challenge::issue(domain, ChallengePurpose::SignIn).await?;
    Ok(Some(PasskeySignInOptions { challenge, party_id: party.id }))
}

/// Verifies the assertion of a passkey, and opens a session.
///
/// # Errors
/// `invalid_credential` if the assertion is refused; `rate_limited` after too many refused assertions.
pub async fn sign_in_with_passkey(domain: &Domain, request: PasskeyAssertion<'_>) -> Result<SignedIn> {
    let limits = domain.limits();
    let windows = limits.windows();
    let counters = request.origin.network.counters("passkey:n", &PER_NETWORK);
    let charges = windows.check_each(counters, domain.now()).await;
    if let Some(refusal) = charges.refusal() {
        return Err(sign_in::too_many("Too many passkeys were refused.", refusal));
    }
    let (row, assertion) = verify(domain, &request).await?.ok_or_else(refused)?;
    let owner = account::Entity::find_by_id(row.account_id).one(domain.db().read()).await?;
    let owner = owner.filter(|owner| owner.disabled_at.is_none()).ok_or_else(refused)?;
    let factor = SignInProof::Passkey(&assertion);
    let opened = sign_in::open_verified(domain, &owner, &request.origin, factor).await?;
    let signed_in = opened.ok_or_else(refused)?;
    windows.refund_each(&charges).await;
    Ok(signed_in)
}

/// Verifies an assertion. `None` if any part of it is invalid. The first signed answer uses up the challenge, so
/// that it cannot be sent again after it was refused, for example because the account was disabled.
async fn verify(
    domain: &Domain,
    request: &PasskeyAssertion<'_>,
) -> Result<Option<(passkey::Model, VerifiedAssertion)>> {
    let Some(party) = RelyingParty::of(domain) else { return Ok(None) };
    let (Some(id), Some(client_data), Some(authenticator_data), Some(signature), Some(user_handle)) = (
        decode(request.credential_id),
        decode(request.client_data),
        decode(request.authenticator_data),
        decode(request.signature),
        decode(request.user_handle),
    ) else {
        return Ok(None);
    };
    let Some(stated) = ClientData::parse(&client_data, CredentialOperation::Get, &party) else {
        return Ok(None);
    };
    let Some(challenge) = Challenge::open(domain, ChallengePurpose::SignIn, &stated.challenge).await? else {
        return Ok(None);
    };
    let Some(data) = AuthenticatorData::parse(&authenticator_data, &party) else { return Ok(None) };
    let Some(row) = passkeys::find(domain.db().read(), &id).await? else { return Ok(None) };
    if !user_handle.is_empty() && user_handle != row.account_id.as_bytes() {
        return Ok(None);
    }
    let message = [authenticator_data.as_slice(), &stated.hash].concat();
    let is_signed =
        CoseKey::parse(&row.public_key).is_some_and(|(key, _)| key.verifies(&message, &signature));
    if !is_signed || !challenge.use_up(domain.db().write()).await? {
        return Ok(None);
    }
    let assertion = VerifiedAssertion { passkey_id: row.id, sign_count: data.sign_count };
    Ok(Some((row, assertion)))
}

fn refused() -> Error {
    Error::new(
        Code::InvalidCredential,
        "The passkey was refused. It may have been removed, or the page was open for more than five minutes. Try again, or sign in with your password.",
    )
}
