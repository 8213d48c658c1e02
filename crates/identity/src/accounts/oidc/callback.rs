//! Return of the browser from the provider: the person is signed in, gets an account, or connects one.

use entities::account;
use entities::ids::AccountId;
use sea_orm::EntityTrait;

use super::super::browser::{BrowserToken, SignedIn};
use super::super::pending_sign_in::PendingSignIn;
use super::super::sign_in::{self, SignInOrigin, SignInProof};
use super::super::{second_factor, sessions, sign_up};
use super::flow::{OidcFlow, OidcPurpose, redirect_uri};
use super::provider::{Authenticated, OidcCode, OidcProvider, loggable};
use super::settings::OidcSignUp;
use super::{connection, identities, refusal};
use crate::limits::AccountLimits;
use crate::limits::window::RatePolicy;
use kernel::email::normalize_email;
use kernel::{Class, Code, Domain, Error, Result};

/// Limit of refused responses from one network. Codes cannot be guessed; the limit bounds the requests that they
/// cause at the provider.
const PER_NETWORK: [RatePolicy; 1] = [RatePolicy::sliding("single-sign-on", 50, 900)];

/// Response of the provider, which the browser delivers. Parameters that were not sent are empty.
pub struct OidcCallback<'a> {
    /// Value of the cookie with which the sign-in began.
    pub cookie: &'a str,
    pub state: &'a str,
    pub code: &'a str,
    /// Error code of the provider.
    pub error: &'a str,
    /// Issuer that the response names (RFC 9207).
    pub issuer: &'a str,
    /// Account that is signed in.
    pub account_id: Option<AccountId>,
    /// Browser that signs in.
    pub origin: SignInOrigin<'a>,
}

/// Completed sign-in at the provider.
#[derive(Debug)]
pub struct CompletedOidc {
    pub step: OidcStep,
    /// Path to which the person returns.
    pub next: String,
}

/// Result of a sign-in at the provider.
#[derive(Debug)]
pub enum OidcStep {
    SignedIn(SignedIn),
    /// A new account was created, and its session is open.
    Created(SignedIn),
    /// The account has a second factor. The browser must send a code with this state.
    CodeRequired(PendingSignIn),
    /// The account of the session is connected.
    Connected,
}

/// Completes a sign-in at the provider.
///
/// # Errors
/// `invalid_credential` if the response is refused; `signup_closed` if the person has no account and gets none;
/// `name_taken` if the e-mail address has another account; `rate_limited` after too many refused responses;
/// `service_unavailable` if the provider does not answer.
pub async fn complete_oidc(
    domain: &Domain,
    provider: &OidcProvider,
    callback: OidcCallback<'_>,
) -> Result<CompletedOidc> {
    let flow = OidcFlow::open(domain, callback.cookie).await?.ok_or_else(refusal::expired)?;
    if !flow.is_state(callback.state) {
        return Err(refusal::expired());
    }
    // Only responses to this browser's sign-in are counted: any website can send browsers to this address, and must
    // not use up the limit of their network.
    let limits = domain.limits();
    let windows = limits.windows();
    let counters = callback.origin.network.counters("oidc:n", &PER_NETWORK);
    let charges = windows.check_each(counters, domain.now()).await;
    if let Some(refusal) = charges.refusal() {
        return Err(sign_in::too_many("Too many sign-ins were refused.", refusal));
    }
    let completed = complete(domain, provider, &callback, flow).await;
    let is_refused =
        matches!(&completed, Err(error) if !matches!(error.class(), Class::Unavailable | Class::Internal));
    if !is_refused {
        windows.refund_each(&charges).await;
    }
    completed
}

async fn complete(
    domain: &Domain,
    provider: &OidcProvider,
    callback: &OidcCallback<'_>,
    flow: OidcFlow,
) -> Result<CompletedOidc> {
    if !flow.use_up(domain.db().write()).await? {
        return Err(refusal::expired());
    }
    let authenticated = authenticate(domain, provider, callback, &flow).await?;
    let step = match flow.purpose {
        OidcPurpose::SignIn => sign_in_person(domain, provider, callback, &authenticated).await?,
        OidcPurpose::Connect { account_id, password_changed_at }
            if callback.account_id == Some(account_id) =>
        {
            let subject = &authenticated.person.subject;
            connection::connect(domain, provider, (account_id, password_changed_at), subject).await?;
            OidcStep::Connected
        }
        // The session was closed in the meantime, or another account is signed in.
        OidcPurpose::Connect { .. } => return Err(refusal::expired()),
    };
    Ok(CompletedOidc { step, next: flow.next })
}

/// Exchanges the code of the response.
async fn authenticate(
    domain: &Domain,
    provider: &OidcProvider,
    callback: &OidcCallback<'_>,
    flow: &OidcFlow,
) -> Result<Authenticated> {
    let metadata = provider.metadata(domain).await.map_err(|error| {
        tracing::warn!(%error, "metadata of the OpenID provider not available");
        refusal::of_provider(&error)
    })?;
    let is_of_issuer = match callback.issuer {
        "" => !metadata.names_issuer,
        stated => stated == provider.issuer().as_str(),
    };
    if !is_of_issuer {
        tracing::warn!("response of another OpenID provider refused");
        return Err(refusal::refused());
    }
    if !callback.error.is_empty() {
        let error = loggable(callback.error);
        tracing::info!(%error, "the OpenID provider did not sign in a person");
        return Err(refusal::denied());
    }
    if callback.code.is_empty() {
        return Err(refusal::refused());
    }
    let (verifier, nonce, redirect_uri) = (flow.verifier(), flow.nonce(), redirect_uri(domain));
    let code =
        OidcCode { code: callback.code, verifier: &verifier, redirect_uri: &redirect_uri, nonce: &nonce };
    provider.authenticate(domain, &metadata, code).await.map_err(|error| {
        tracing::warn!(%error, "sign-in at the OpenID provider failed");
        refusal::of_provider(&error)
    })
}

/// Signs in the account that is connected to the person, or creates one.
async fn sign_in_person(
    domain: &Domain,
    provider: &OidcProvider,
    callback: &OidcCallback<'_>,
    authenticated: &Authenticated,
) -> Result<OidcStep> {
    let (issuer, subject) = (provider.issuer().as_str(), &authenticated.person.subject);
    let Some(identity) = identities::find(domain.db().read(), issuer, subject).await? else {
        return create_account(domain, provider, callback, authenticated).await.map(OidcStep::Created);
    };
    let owner = account::Entity::find_by_id(identity.account_id).one(domain.db().read()).await?;
    let owner = owner.filter(|owner| owner.disabled_at.is_none()).ok_or_else(refusal::refused)?;
    if second_factor::is_on(domain.db().read(), owner.id).await? {
        return Ok(OidcStep::CodeRequired(PendingSignIn::issue(domain, &owner).await?));
    }
    let proof = SignInProof::SingleSignOn(identity.id);
    let opened = sign_in::open_verified(domain, &owner, &callback.origin, proof).await?;
    opened.map(OidcStep::SignedIn).ok_or_else(refusal::refused)
}

/// Creates an account without a password for an unknown person, if the operator allows it and the provider has
/// verified the e-mail address.
async fn create_account(
    domain: &Domain,
    provider: &OidcProvider,
    callback: &OidcCallback<'_>,
    authenticated: &Authenticated,
) -> Result<SignedIn> {
    if provider.settings().sign_up == OidcSignUp::Refused {
        return Err(refusal::unknown_person());
    }
    let email = provider.verified_email(domain, authenticated).await.map_err(|error| {
        tracing::warn!(%error, "e-mail address of a person of the OpenID provider not available");
        refusal::of_provider(&error)
    })?;
    let email = email.and_then(|email| normalize_email(&email).ok()).ok_or_else(refusal::unverified_email)?;
    sign_up::charge(domain, callback.origin.network).await?;
    let transaction = domain.db().begin().await?;
    let tier = sign_up::first_tier(domain, &transaction).await?;
    let row = sign_up::insert(domain, &transaction, email, String::new(), tier).await.map_err(of_sign_up)?;
    let person = (provider.issuer().as_str(), authenticated.person.subject.as_str());
    let id = identities::insert(domain, &transaction, row.id, person).await?;
    identities::use_identity(&transaction, id, domain.now()).await?;
    let session = sessions::open(domain, &transaction, row.id).await?;
    transaction.commit().await?;
    if let Some(previous) = callback.origin.previous {
        sessions::sign_out(domain, previous).await?;
    }
    let browser = BrowserToken::issue(domain, row.id, row.password_changed_at).await?;
    Ok(SignedIn { session, browser })
}

/// Replaces the error of an address that has an account.
fn of_sign_up(error: Error) -> Error {
    if error.code == Code::NameTaken { refusal::email_has_account() } else { error }
}
