//! Callback of the provider: signs the person in, creates an account, or connects one.

use entities::account;
use entities::ids::AccountId;
use sea_orm::EntityTrait;

use super::super::external_sign_in::{self, AutomaticSignUp, ExternalSignIn};
use super::super::sign_in::{self, SignInOrigin, SignInProof};
use super::super::sign_up;
use super::flow::{OidcFlow, OidcPurpose, redirect_uri};
use super::identities::{self, NewIdentity};
use super::provider::{Authenticated, OidcCode, OidcProvider, loggable};
use super::{connection, refusal};
use crate::limits::AccountLimits;
use crate::limits::window::RatePolicy;
use kernel::email::normalize_email;
use kernel::{Class, Code, Domain, Error, Result};

/// Limit on refused responses from one network. Codes cannot be guessed; the limit bounds the requests to the provider
/// that forged responses cause.
const PER_NETWORK: [RatePolicy; 1] = [RatePolicy::sliding("single-sign-on", 50, 900)];

/// Response of the provider, which the browser delivers. Parameters that were not sent are empty.
pub struct OidcCallback<'a> {
    /// Value of the cookie that was set when the sign-in began.
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
    /// Path to which the person is redirected afterwards.
    pub next: String,
}

/// Result of a sign-in at the provider.
#[derive(Debug)]
pub enum OidcStep {
    /// Sign-in to the connected account, or to a new one.
    SignIn(ExternalSignIn),
    /// The account of the session is connected.
    Connected,
}

/// Completes a sign-in at the provider.
///
/// # Errors
/// `invalid_credential` if the response is refused; `signup_closed` if the person has no account and none is created
/// automatically; `name_taken` if the e-mail address belongs to another account; `rate_limited` after too many refused
/// responses; `service_unavailable` if the provider does not answer.
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
        OidcPurpose::SignIn => {
            OidcStep::SignIn(sign_in_person(domain, provider, callback, &authenticated).await?)
        }
        OidcPurpose::Connect { account_id, password_changed_at }
            if callback.account_id == Some(account_id) =>
        {
            let label = provider.label(domain, &authenticated).await;
            let person = new_identity(provider, &authenticated, label.as_deref());
            connection::connect(domain, (account_id, password_changed_at), person).await?;
            OidcStep::Connected
        }
        // The session was closed in the meantime, or another account is signed in.
        OidcPurpose::Connect { .. } => return Err(refusal::expired()),
    };
    Ok(CompletedOidc { step, next: flow.next })
}

/// Checks the issuer of the response, and exchanges its code.
async fn authenticate(
    domain: &Domain,
    provider: &OidcProvider,
    callback: &OidcCallback<'_>,
    flow: &OidcFlow,
) -> Result<Authenticated> {
    let metadata = provider.metadata(domain).await.map_err(|error| {
        tracing::warn!(%error, "metadata of the OpenID provider not available");
        refusal::of_provider(provider, &error)
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
        refusal::of_provider(provider, &error)
    })
}

/// Signs in the account that is connected to the person, or creates one.
async fn sign_in_person(
    domain: &Domain,
    provider: &OidcProvider,
    callback: &OidcCallback<'_>,
    authenticated: &Authenticated,
) -> Result<ExternalSignIn> {
    let person = &authenticated.person;
    let issuer = provider.issuer().as_str();
    let Some(identity) = identities::find(domain.db().read(), issuer, &person.subject).await? else {
        return create_account(domain, provider, callback, authenticated).await;
    };
    let owner = account::Entity::find_by_id(identity.account_id).one(domain.db().read()).await?;
    let owner = owner.ok_or_else(refusal::refused)?;
    let label = person.claims.label();
    let proof = SignInProof::SingleSignOn { id: identity.id, label: label.as_deref() };
    external_sign_in::sign_in_owner(domain, &owner, &callback.origin, proof).await
}

/// Creates an account without a password for an unknown person, if the operator allows it and the provider has
/// verified the e-mail address.
async fn create_account(
    domain: &Domain,
    provider: &OidcProvider,
    callback: &OidcCallback<'_>,
    authenticated: &Authenticated,
) -> Result<ExternalSignIn> {
    if provider.settings().sign_up == AutomaticSignUp::Refused {
        return Err(refusal::unknown_person(provider));
    }
    let email = provider.verified_email(domain, authenticated).await.map_err(|error| {
        tracing::warn!(%error, "e-mail address of a person of the OpenID provider not available");
        refusal::of_provider(provider, &error)
    })?;
    let email = email.and_then(|email| normalize_email(&email).ok()).ok_or_else(refusal::unverified_email)?;
    sign_up::charge(domain, callback.origin.network).await?;
    let transaction = domain.db().begin().await?;
    let created = external_sign_in::insert_account(domain, &transaction, email.clone()).await;
    let row = created.map_err(|error| of_sign_up(provider, error))?;
    let person = new_identity(provider, authenticated, Some(&email));
    let id = identities::insert(domain, &transaction, row.id, person).await?;
    identities::use_identity(&transaction, (id, None), domain.now()).await?;
    external_sign_in::open_created(domain, transaction, &row, callback.origin.previous).await
}

fn new_identity<'a>(
    provider: &'a OidcProvider,
    authenticated: &'a Authenticated,
    label: Option<&'a str>,
) -> NewIdentity<'a> {
    NewIdentity { issuer: provider.issuer().as_str(), subject: &authenticated.person.subject, label }
}

/// If the e-mail address already has an account, replaces the error with one that explains how to sign in.
fn of_sign_up(provider: &OidcProvider, error: Error) -> Error {
    if error.code == Code::NameTaken { refusal::email_has_account(provider) } else { error }
}
