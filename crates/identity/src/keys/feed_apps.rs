//! The forms in which feed apps and e-readers send API keys: as the password with the account's e-mail address, as a
//! bearer token, as a token issued for the key, as a digest of e-mail address and key, or as a digest of the key. Each
//! form grants the permissions of the key, for as long as the key is valid.
//!
//! Failed attempts are counted per network and not per account: keys cannot be guessed, and other people must
//! not be able to lock an account out.

use crate::limits::AccountLimits;
use async_recursion::async_recursion as boxed;
use std::collections::HashSet;

use data_encoding::HEXLOWER;
use entities::app_credential::{Column, Entity, Model};
use entities::ids::{AccountId, KeyId};
use entities::{account, api_key, app_credential};
use md5::Md5;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect};
use sha2::{Digest, Sha256};

use super::authenticate::{self, caller_of, invalid_credential};
use crate::caller::{Caller, Credential};
use crate::limits::Network;
use crate::limits::window::RatePolicy;
use kernel::{Class, Code, Domain, Error, Result, Secret, SecretKind, secrets};

/// Limit on failed attempts from one network. It allows for apps that retry with an old password until it is
/// corrected.
const PER_NETWORK: [RatePolicy; 1] = [RatePolicy::sliding("apps-sign-in", 60, 600)];
/// Counter kind of failed attempts.
const FAILED_ATTEMPTS: &str = "apps-sign-in";
/// Name of the secret from which tokens are derived, in addition to the key.
const TOKEN_SECRET: &str = "feed apps";
/// Length of an action token, in characters. Apps expect this length.
const ACTION_CHARS: usize = 57;
const TOKEN: &str = "token";
const DIGEST: &str = "digest";
const KEY_DIGEST: &str = "key digest";

/// Credential that a feed app presents.
#[derive(Clone, Copy)]
pub enum AppCredential<'a> {
    /// The account's e-mail address with the key as the password.
    Password {
        /// E-mail address as typed.
        email: &'a str,
        key: &'a str,
    },
    /// The key without the e-mail address.
    Key(&'a str),
    /// A token issued by [`token`].
    Token(&'a str),
    /// MD5 of `email:key`, in hexadecimal.
    Digest(&'a str),
    /// The account's e-mail address with the MD5 of the key, in hexadecimal.
    KeyDigest {
        /// E-mail address as typed.
        email: &'a str,
        digest: &'a str,
    },
}

/// Authenticates the caller of a feed app.
///
/// # Errors
/// `invalid_credential`, `expired_credential`, `revoked_credential`; `rate_limited` instead of these after
/// too many failed attempts from this network; `Unavailable` if the database does not answer. A valid
/// credential is always accepted: keys cannot be guessed, and a misconfigured app must not lock out other
/// apps in its network.
pub async fn authenticate(
    domain: &Domain,
    network: &Network,
    credential: AppCredential<'_>,
) -> Result<Caller> {
    let caller = match credential {
        AppCredential::Password { email, key } => by_password(domain, email, key).await,
        AppCredential::Key(key) => authenticate::authenticate(domain, key).await,
        AppCredential::Token(text) => match Secret::parse(text, SecretKind::App) {
            Some(token) => by_hash(domain, TOKEN, &token.hash(), None).await,
            None => Err(invalid_credential()),
        },
        AppCredential::Digest(text) => by_hash(domain, DIGEST, &digest_hash(text), None).await,
        AppCredential::KeyDigest { email, digest } => {
            by_hash(domain, KEY_DIGEST, &digest_hash(digest), Some(email)).await
        }
    };
    if matches!(&caller, Err(error) if error.class() == Class::Unauthenticated) {
        let limits = domain.limits();
        let counters = network.counters(FAILED_ATTEMPTS, &PER_NETWORK);
        let charges = limits.windows().check_each(counters, domain.now()).await;
        if let Some(decision) = charges.decision().filter(|decision| !decision.allowed) {
            let message = "Too many wrong passwords from this network.";
            let seconds = decision.states.first().map_or(1, |state| state.reset_s.max(1));
            return Err(Error::new(Code::RateLimited, message).retry_after(seconds));
        }
    }
    caller
}

/// Returns the token of a key. Every sign-in with the same key returns the same token, even from another app.
///
/// # Errors
/// `invalid_credential` for a caller without a key; `Unavailable`.
#[boxed]
pub async fn token(domain: &Domain, caller: &Caller, key: &str) -> Result<Secret> {
    let (Credential::Key(key_id), Some(text)) = (caller.credential, Secret::parse(key, SecretKind::Key))
    else {
        return Err(invalid_credential());
    };
    let token = text.successor(&secrets::load(domain, TOKEN_SECRET).await?, SecretKind::App);
    let row = account::Entity::find_by_id(caller.account_id).one(domain.db().read()).await?;
    let email = row.ok_or_else(invalid_credential)?.email;
    let row = Model {
        hash: token.hash().to_vec(),
        kind: TOKEN.to_owned(),
        account_id: caller.account_id,
        key_id,
        email,
        made_at: domain.now(),
    };
    put(domain.db().write(), row).await?;
    Ok(token)
}

/// Returns the action token that an app sends with changes. It is derived from the credential and grants no
/// access without it.
pub fn action_token(credential: &str) -> String {
    let hash = Sha256::new().chain_update(b"feed app action").chain_update(credential.as_bytes()).finalize();
    let mut text = HEXLOWER.encode(&hash);
    text.truncate(ACTION_CHARS);
    text
}

/// Computes the digest that Fever clients send for an e-mail address and a key: MD5, as the protocol
/// requires.
pub fn digest(email: &str, key: &str) -> String {
    HEXLOWER.encode(&Md5::digest(format!("{email}:{key}").as_bytes()))
}

/// Computes the digest that `KOReader` sends for a key: MD5, as the protocol requires. A key has 238 random
/// bits, so the digest does not reveal it.
pub fn key_digest(key: &str) -> String {
    HEXLOWER.encode(&Md5::digest(key.as_bytes()))
}

/// Stores the digests of a new key, for apps that never send the key itself.
pub(super) async fn put_digests(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    key: &api_key::Model,
    secret: &Secret,
) -> Result<()> {
    let owner =
        account::Entity::find_by_id(key.account_id).one(connection).await?.ok_or_else(invalid_credential)?;
    let digests =
        [(DIGEST, digest(&owner.email, secret.expose())), (KEY_DIGEST, key_digest(secret.expose()))];
    for (kind, text) in digests {
        let row = Model {
            hash: digest_hash(&text).to_vec(),
            kind: kind.to_owned(),
            account_id: key.account_id,
            key_id: key.id,
            email: owner.email.clone(),
            made_at: domain.now(),
        };
        put(connection, row).await?;
    }
    Ok(())
}

/// Returns the ids of the account's keys for which digests are stored.
pub(super) async fn with_digest(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<HashSet<KeyId>> {
    let ids: Vec<KeyId> = Entity::owned_by(account_id)
        .filter(Column::Kind.eq(DIGEST))
        .select_only()
        .column(Column::KeyId)
        .into_tuple()
        .all(connection)
        .await?;
    Ok(ids.into_iter().collect())
}

async fn put(connection: &impl ConnectionTrait, row: Model) -> Result<()> {
    let on_conflict = OnConflict::column(Column::Hash).do_nothing().to_owned();
    Entity::insert(row.into_active_model())
        .on_conflict(on_conflict)
        .exec_without_returning(connection)
        .await?;
    Ok(())
}

async fn by_password(domain: &Domain, email: &str, key: &str) -> Result<Caller> {
    let caller = authenticate::authenticate(domain, key).await?;
    let owner = account::Entity::find_by_id(caller.account_id).one(domain.db().read()).await?;
    let owner = owner.ok_or_else(invalid_credential)?;
    if is_email_of(&owner, email) { Ok(caller) } else { Err(invalid_credential()) }
}

fn is_email_of(owner: &account::Model, email: &str) -> bool {
    owner.email == email.trim().to_lowercase()
}

/// Finds the caller by the hash of a token or digest, and by the e-mail address if the app sends one. A digest of
/// an earlier e-mail address of the account is invalid; tokens and digests of the key do not depend on the address.
async fn by_hash(domain: &Domain, kind: &str, hash: &[u8; 32], email: Option<&str>) -> Result<Caller> {
    let connection = domain.db().read();
    let row_and_key = app_credential::Entity::of_any_owner(hash.to_vec())
        .filter(Column::Kind.eq(kind))
        .find_also_related(api_key::Entity)
        .one(connection)
        .await?;
    let Some((row, Some(key))) = row_and_key else { return Err(invalid_credential()) };
    let owner =
        account::Entity::find_by_id(row.account_id).one(connection).await?.ok_or_else(invalid_credential)?;
    let has_earlier_email = kind == DIGEST && owner.email != row.email;
    if has_earlier_email || email.is_some_and(|email| !is_email_of(&owner, email)) {
        return Err(invalid_credential());
    }
    caller_of(domain, &key, &owner)
}

/// Hash under which a digest is stored. The digest's letter case is ignored.
fn digest_hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.trim().to_ascii_lowercase().as_bytes()).into()
}
