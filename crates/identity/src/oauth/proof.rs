//! Client authentication at the token and revocation endpoints. Nothing is fetched for an app that no person
//! has allowed before; an unknown key may be fetched by a worker, at a limited rate.

use super::assertion::{self, Fault};
use super::client::{Client, ClientAuth, Clients, Presented};
use super::client_document::{self, KEYS_AGAIN};
use super::document_rules;
use super::fault::{OAuthCode, OAuthError};
use super::once::{self, Once};
use jobs::{Pending, Progress, WaitOutcome};
use kernel::error::Result;
use kernel::handle::Domain;

/// An app whose newest keys are being fetched by a worker.
#[derive(Debug)]
pub struct PendingProof {
    client_id: String,
    assertion: String,
}

/// State of an authentication.
enum Proof {
    Done(std::result::Result<Client, OAuthError>),
    /// The key is unknown, and the key set may be fetched again.
    Fetch,
}

/// Authenticates an app by the credentials it sent.
///
/// # Errors
/// Errors that are not the app's fault; its own faults are in the result.
pub async fn prove_client(domain: &Domain, presented: Presented<'_>) -> Result<Progress<PendingProof>> {
    let named = match presented.assertion {
        Some(assertion) if presented.client_id.is_empty() => assertion::issuer(assertion),
        Some(_) | None => None,
    };
    let client_id = named.as_deref().unwrap_or(presented.client_id);
    if !document_rules::is_address(client_id) {
        let proven = match presented.assertion {
            Some(_) => Err(unproven()),
            None => Clients::of(domain).await?.prove(Presented { client_id, ..presented }),
        };
        return Ok(Progress::Done(proven));
    }
    if presented.secret.is_some() {
        return Ok(Progress::Done(Err(unproven())));
    }
    match prove(domain, client_id, presented.assertion).await? {
        Proof::Done(proven) => Ok(Progress::Done(proven)),
        Proof::Fetch => {
            let job = client_document::submit(domain, client_id).await?;
            let assertion = presented.assertion.unwrap_or_default().to_owned();
            Ok(Progress::Waiting {
                job,
                pending: PendingProof { client_id: client_id.to_owned(), assertion },
            })
        }
    }
}

impl Pending for PendingProof {
    type Answer = std::result::Result<Client, OAuthError>;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<Self::Answer> {
        if let WaitOutcome::Failed(error) = outcome {
            return Err(error);
        }
        match prove(domain, &self.client_id, Some(&self.assertion)).await? {
            Proof::Done(proven) => Ok(proven),
            // Late keys are not the app's fault; on an `invalid_client` error apps discard their
            // credentials.
            Proof::Fetch => {
                let late = "The keys of the client could not be fetched in time. Try again.";
                let late = OAuthError::new(OAuthCode::TemporarilyUnavailable, late);
                Ok(Err(OAuthError { retry_after: Some(5), ..late }))
            }
        }
    }
}

/// Authenticates an app whose client id is the URL of its document.
async fn prove(domain: &Domain, client_id: &str, assertion: Option<&str>) -> Result<Proof> {
    let row = client_document::find(domain, client_id).await?;
    let Some((row, client)) =
        row.and_then(|row| client_document::client_of(&row).map(|client| (row, client)))
    else {
        let unknown =
            OAuthError::new(OAuthCode::InvalidClient, "Unknown client. A person must allow it first.");
        return Ok(Proof::Done(Err(unknown)));
    };
    let assertion = match (client.auth, assertion) {
        (ClientAuth::Public | ClientAuth::KeyOrNone, None) => return Ok(Proof::Done(Ok(client))),
        (ClientAuth::Key | ClientAuth::KeyOrNone, Some(assertion)) => assertion,
        (ClientAuth::Key | ClientAuth::Secret, None) | (ClientAuth::Public | ClientAuth::Secret, Some(_)) => {
            return Ok(Proof::Done(Err(unproven())));
        }
    };
    let policy = domain.policy();
    let endpoint = format!("{}/oauth/token", policy.account_url);
    let audiences = [policy.account_url.as_str(), endpoint.as_str()];
    let now = domain.now();
    let keys = row.keys.as_deref().unwrap_or_default();
    match assertion::check(keys, client_id, assertion, &audiences, now) {
        Ok(assertion) => {
            let name = format!("{client_id}\0{}", assertion.name);
            let is_first =
                once::take(domain.db().write(), Once::Assertion, name.as_bytes(), assertion.expires_at)
                    .await?;
            Ok(Proof::Done(if is_first { Ok(client) } else { Err(unproven()) }))
        }
        Err(Fault::UnknownKey) if now >= row.keys_at + KEYS_AGAIN => Ok(Proof::Fetch),
        Err(Fault::UnknownKey | Fault::Void) => Ok(Proof::Done(Err(unproven()))),
    }
}

fn unproven() -> OAuthError {
    OAuthError::new(OAuthCode::InvalidClient, "Client authentication failed.")
}
