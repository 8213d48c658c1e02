//! Challenges: signed, valid for five minutes, and accepted once.

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use crate::replay::{self, SingleUse};
use kernel::clock::MINUTE;
use kernel::{Domain, Millis, Result};

/// Lifetime of a challenge.
const LIFETIME_MS: Millis = 5 * MINUTE;
/// Number of random bytes of a challenge.
const RANDOM_BYTES: usize = 16;

/// Purpose of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum ChallengePurpose {
    /// Registration of a passkey for this account.
    Registration(AccountId),
    SignIn,
}

/// Valid challenge. Only [`use_up`](Self::use_up) shows whether it was used before.
#[derive(Clone, Debug)]
pub(in super::super) struct Challenge {
    random: Vec<u8>,
    expires_at: Millis,
}

impl Challenge {
    /// Issues a challenge, as base64url without padding.
    pub(in super::super) async fn issue(domain: &Domain, purpose: ChallengePurpose) -> Result<String> {
        let expires_at = domain.now() + LIFETIME_MS;
        let payload = [expires_at.to_be_bytes().as_slice(), &domain.random::<RANDOM_BYTES>()].concat();
        Ok(domain.cursor_key().await?.seal(&binding(purpose), &payload))
    }

    /// Opens a challenge. `None` if it was not issued for this purpose or has expired.
    pub(in super::super) async fn open(
        domain: &Domain,
        purpose: ChallengePurpose,
        text: &str,
    ) -> Result<Option<Self>> {
        let Some(payload) = domain.cursor_key().await?.open(&binding(purpose), text) else { return Ok(None) };
        let Some((expires_at, random)) = payload.split_first_chunk::<8>() else { return Ok(None) };
        let expires_at = Millis::from_be_bytes(*expires_at);
        let challenge = Self { random: random.to_vec(), expires_at };
        Ok((expires_at > domain.now()).then_some(challenge))
    }

    /// Uses up the challenge. Of all concurrent callers in all processes, exactly one gets true.
    pub(in super::super) async fn use_up(&self, connection: &impl ConnectionTrait) -> Result<bool> {
        replay::consume(connection, SingleUse::PasskeyChallenge, &self.random, self.expires_at).await
    }
}

fn binding(purpose: ChallengePurpose) -> String {
    match purpose {
        ChallengePurpose::Registration(account_id) => format!("passkey registration\0{account_id}"),
        ChallengePurpose::SignIn => "passkey sign-in".to_owned(),
    }
}
