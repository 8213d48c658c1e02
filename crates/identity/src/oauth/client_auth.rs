//! Client authentication at the token and revocation endpoints. Nothing is fetched for an app that no person
//! has allowed. If a key is unknown, a worker may fetch the app's keys, at a limited rate.

use super::assertion;
use super::client::{Client, ClientAuth, ClientCredentials, Clients};
use super::client_document::{self, KEY_REFETCH_INTERVAL};
use super::document_rules;
use super::oauth_error::{OAuthCode, OAuthError};
use crate::replay::{self, SingleUse};
use crate::signed_token::TokenFault;
use jobs::{Pending, Progress, WaitOutcome};
use kernel::{Domain, Result};

/// Authentication of an app whose current keys a worker is fetching.
#[derive(Debug)]
pub struct PendingClientAuth {
    client_id: String,
    assertion: String,
}

/// Result of one step of an authentication.
enum ClientAuthStep {
    Done(std::result::Result<Client, OAuthError>),
    /// The key is unknown, and the app's keys may be fetched again.
    Fetch,
}

/// Authenticates an app by the credentials that it sent.
///
/// # Errors
/// Errors that are not the app's fault. Errors that the app caused are in the result.
pub async fn authenticate_client(
    domain: &Domain,
    presented: ClientCredentials<'_>,
) -> Result<Progress<PendingClientAuth>> {
    let issuer = match presented.assertion {
        Some(assertion) if presented.client_id.is_empty() => assertion::issuer(assertion),
        Some(_) | None => None,
    };
    let client_id = issuer.as_deref().unwrap_or(presented.client_id);
    if !document_rules::is_document_url(client_id) {
        let proven = match presented.assertion {
            Some(_) => Err(authentication_failed()),
            None => Clients::of(domain).await?.authenticate(ClientCredentials { client_id, ..presented }),
        };
        return Ok(Progress::Done(proven));
    }
    if presented.secret.is_some() {
        return Ok(Progress::Done(Err(authentication_failed())));
    }
    match authenticate_by_document(domain, client_id, presented.assertion).await? {
        ClientAuthStep::Done(proven) => Ok(Progress::Done(proven)),
        ClientAuthStep::Fetch => {
            let job = client_document::submit_fetch(domain, client_id).await?;
            let assertion = presented.assertion.unwrap_or_default().to_owned();
            Ok(Progress::Waiting {
                job,
                pending: PendingClientAuth { client_id: client_id.to_owned(), assertion },
            })
        }
    }
}

impl Pending for PendingClientAuth {
    type Answer = std::result::Result<Client, OAuthError>;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<Self::Answer> {
        if let WaitOutcome::Failed(error) = outcome {
            return Err(error);
        }
        match authenticate_by_document(domain, &self.client_id, Some(&self.assertion)).await? {
            ClientAuthStep::Done(proven) => Ok(proven),
            // A slow fetch of the keys is not the app's fault, and apps discard their credentials on an
            // `invalid_client` error.
            ClientAuthStep::Fetch => {
                let late = "The keys of the client could not be fetched in time. Try again.";
                let late = OAuthError::new(OAuthCode::TemporarilyUnavailable, late);
                Ok(Err(OAuthError { retry_after: Some(5), ..late }))
            }
        }
    }
}

/// Authenticates an app whose client id is the URL of its document.
async fn authenticate_by_document(
    domain: &Domain,
    client_id: &str,
    assertion: Option<&str>,
) -> Result<ClientAuthStep> {
    let row = client_document::find(domain, client_id).await?;
    let Some((row, client)) =
        row.and_then(|row| client_document::client_of(&row).map(|client| (row, client)))
    else {
        let error =
            OAuthError::new(OAuthCode::InvalidClient, "Unknown client. A person must allow it first.");
        return Ok(ClientAuthStep::Done(Err(error)));
    };
    let assertion = match (client.auth, assertion) {
        (ClientAuth::Public | ClientAuth::KeyOrNone, None) => return Ok(ClientAuthStep::Done(Ok(client))),
        (ClientAuth::Key | ClientAuth::KeyOrNone, Some(assertion)) => assertion,
        (ClientAuth::Key | ClientAuth::Secret, None) | (ClientAuth::Public | ClientAuth::Secret, Some(_)) => {
            return Ok(ClientAuthStep::Done(Err(authentication_failed())));
        }
    };
    let policy = domain.policy();
    let endpoint = format!("{}/oauth/token", policy.account_url);
    let audiences = [policy.account_url.as_str(), endpoint.as_str()];
    let now = domain.now();
    let keys = row.keys.as_deref().unwrap_or_default();
    match assertion::check(keys, client_id, assertion, &audiences, now) {
        Ok(assertion) => {
            let name = format!("{client_id}\0{}", assertion.jti);
            let is_first = replay::consume(
                domain.db().write(),
                SingleUse::Assertion,
                name.as_bytes(),
                assertion.expires_at,
            )
            .await?;
            Ok(ClientAuthStep::Done(if is_first { Ok(client) } else { Err(authentication_failed()) }))
        }
        Err(TokenFault::UnknownKey) if now >= row.keys_at + KEY_REFETCH_INTERVAL => Ok(ClientAuthStep::Fetch),
        Err(TokenFault::UnknownKey | TokenFault::Invalid) => {
            Ok(ClientAuthStep::Done(Err(authentication_failed())))
        }
    }
}

fn authentication_failed() -> OAuthError {
    OAuthError::new(OAuthCode::InvalidClient, "Client authentication failed.")
}
