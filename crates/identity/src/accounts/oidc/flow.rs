//! A sign-in at the provider: the request, and the state in the browser's cookie.
//!
//! State, nonce, and PKCE verifier are derived from one random value in the cookie, which the browser never sends to
//! the provider. The cookie is signed, valid for ten minutes, and accepted one time.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;
use sea_orm::ConnectionTrait;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::metadata::Metadata;
use super::provider::OidcProvider;
use super::refusal;
use crate::replay::{self, SingleUse};
use kernel::clock::MINUTE;
use kernel::{Domain, Millis, Result};

/// Time within which the person must return from the provider.
const LIFETIME_MS: Millis = 10 * MINUTE;
/// Number of random bytes of a sign-in.
const RANDOM_BYTES: usize = 32;
/// Context string bound into the signature of the cookie.
const BINDING: &str = "sign-in at an OpenID provider";
/// Path to which the provider returns the browser.
const CALLBACK_PATH: &str = "/sign-in/oidc/callback";
/// Maximum length of a return path, in bytes: browsers store cookies of up to 4,096 bytes.
pub const MAX_RETURN_PATH_BYTES: usize = 2_700;

/// Purpose of a sign-in at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OidcPurpose {
    SignIn,
    /// Connection of this account, whose owner has entered the password. Invalid after a password change.
    Connect {
        account_id: AccountId,
        password_changed_at: Millis,
    },
}

/// Started sign-in: the address of the provider, and the value of the browser's cookie. `Debug` does not
/// print them.
pub struct StartedOidc {
    pub address: String,
    pub cookie: String,
}

impl std::fmt::Debug for StartedOidc {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("StartedOidc")
    }
}

/// State of a sign-in, from the browser's cookie.
pub(super) struct OidcFlow {
    random: [u8; RANDOM_BYTES],
    expires_at: Millis,
    pub(super) purpose: OidcPurpose,
    /// Path to which the person is redirected afterwards.
    pub(super) next: String,
}

/// Begins a sign-in that returns to the local path `next`. A path longer than [`MAX_RETURN_PATH_BYTES`] is not stored,
/// so callers do not offer single sign-on for it.
///
/// # Errors
/// `service_unavailable` if the metadata of the provider cannot be fetched.
#[boxed]
pub async fn start_oidc(domain: &Domain, provider: &OidcProvider, next: &str) -> Result<StartedOidc> {
    start(domain, provider, OidcPurpose::SignIn, next).await
}

pub(super) async fn start(
    domain: &Domain,
    provider: &OidcProvider,
    purpose: OidcPurpose,
    next: &str,
) -> Result<StartedOidc> {
    let metadata = provider.metadata(domain).await.map_err(|error| {
        tracing::warn!(%error, "metadata of the OpenID provider not available");
        refusal::of_provider(provider, &error)
    })?;
    let next = if next.len() <= MAX_RETURN_PATH_BYTES { next } else { "" };
    let flow = OidcFlow {
        random: domain.random(),
        expires_at: domain.now() + LIFETIME_MS,
        purpose,
        next: next.to_owned(),
    };
    let cookie = domain.cursor_key().await?.seal(BINDING, &flow.payload());
    Ok(StartedOidc { address: flow.request(domain, provider, &metadata), cookie })
}

/// Address to which the provider returns the browser.
pub(super) fn redirect_uri(domain: &Domain) -> String {
    format!("{}{CALLBACK_PATH}", domain.policy().account_url)
}

impl OidcFlow {
    /// Opens the cookie of a sign-in. `None` if it is invalid or has expired.
    pub(super) async fn open(domain: &Domain, cookie: &str) -> Result<Option<Self>> {
        let payload = domain.cursor_key().await?.open(BINDING, cookie);
        let flow = payload.as_deref().and_then(Self::parse);
        Ok(flow.filter(|flow| flow.expires_at > domain.now()))
    }

    /// Uses up the sign-in. Of all concurrent callers in all processes, exactly one gets true.
    pub(super) async fn use_up(&self, connection: &impl ConnectionTrait) -> Result<bool> {
        replay::consume(connection, SingleUse::OidcFlow, &self.random, self.expires_at).await
    }

    /// True if `state` is the state of this sign-in, compared in constant time.
    pub(super) fn is_state(&self, state: &str) -> bool {
        self.state().as_bytes().ct_eq(state.as_bytes()).into()
    }

    pub(super) fn nonce(&self) -> String {
        self.derived("nonce")
    }

    pub(super) fn verifier(&self) -> String {
        self.derived("verifier")
    }

    fn state(&self) -> String {
        self.derived("state")
    }

    fn derived(&self, label: &str) -> String {
        let mut digest = Sha256::new();
        digest.update(label.as_bytes());
        digest.update(b"\0");
        digest.update(self.random);
        BASE64URL_NOPAD.encode(&digest.finalize())
    }

    /// Address of the authentication request (OpenID Connect Core 1.0, 3.1.2.1).
    fn request(&self, domain: &Domain, provider: &OidcProvider, metadata: &Metadata) -> String {
        let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(self.verifier().as_bytes()));
        let mut address = metadata.authorization_endpoint.clone();
        address
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &provider.settings().client_id)
            .append_pair("redirect_uri", &redirect_uri(domain))
            .append_pair("scope", "openid email")
            .append_pair("state", &self.state())
            .append_pair("nonce", &self.nonce())
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        address.into()
    }

    fn payload(&self) -> Vec<u8> {
        let mut payload = self.expires_at.to_be_bytes().to_vec();
        payload.extend_from_slice(&self.random);
        match &self.purpose {
            OidcPurpose::SignIn => payload.push(0),
            OidcPurpose::Connect { account_id, password_changed_at } => {
                payload.push(1);
                payload.extend_from_slice(account_id.as_bytes());
                payload.extend_from_slice(&password_changed_at.to_be_bytes());
            }
        }
        payload.extend_from_slice(self.next.as_bytes());
        payload
    }

    fn parse(payload: &[u8]) -> Option<Self> {
        let (expires_at, rest) = payload.split_first_chunk::<8>()?;
        let (random, rest) = rest.split_first_chunk::<RANDOM_BYTES>()?;
        let (purpose, next) = match rest.split_first()? {
            (0, next) => (OidcPurpose::SignIn, next),
            (1, rest) => {
                let (id, rest) = rest.split_first_chunk::<16>()?;
                let (changed_at, next) = rest.split_first_chunk::<8>()?;
                let account_id = AccountId::from_slice(id)?;
                let password_changed_at = Millis::from_be_bytes(*changed_at);
                (OidcPurpose::Connect { account_id, password_changed_at }, next)
            }
            _ => return None,
        };
        Some(Self {
            random: *random,
            expires_at: Millis::from_be_bytes(*expires_at),
            purpose,
            next: String::from_utf8(next.to_vec()).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_in_state_round_trips_through_the_cookie() {
        let connect = OidcPurpose::Connect { account_id: AccountId::from_u128(7), password_changed_at: 8 };
        for purpose in [OidcPurpose::SignIn, connect] {
            let flow =
                OidcFlow { random: [3; RANDOM_BYTES], expires_at: 9, purpose, next: "/settings".into() };
            let opened = OidcFlow::parse(&flow.payload()).unwrap();
            assert_eq!((opened.purpose, opened.next.as_str()), (purpose, "/settings"));
            assert!(opened.is_state(&flow.state()) && !opened.is_state(&flow.nonce()));
            assert_eq!(flow.verifier().len(), 43);
            assert_ne!(flow.verifier(), flow.nonce());
        }
        for broken in [&[0_u8; 0][..], &[0; 40], &[2; 60]] {
            assert!(OidcFlow::parse(broken).is_none());
        }
    }
}
