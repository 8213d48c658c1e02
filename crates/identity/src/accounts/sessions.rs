//! Sessions of signed-in people. The cookie contains 256 random bits; the table stores their SHA-256.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;
use entities::{account, session};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::account::Account;
use crate::caller::{Caller, Credential};
use kernel::clock::{DAY, HOUR};
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result, Scopes};

/// Maximum lifetime of a session, even if it is in use.
const LIFE_MS: Millis = 30 * DAY;
/// Idle time after which a session expires.
const IDLE_MS: Millis = 14 * DAY;
/// Minimum time between two updates of `last_seen_at`.
const SEEN_STEP_MS: Millis = HOUR;
/// Number of leading bytes of a session's hash that identify it to its owner.
const NAME_BYTES: usize = 16;
/// Expired sessions.
const ENDED_SESSIONS: ExpiredRows =
    ExpiredRows { table: "session", key: "hash", condition: "expires_at <= $1 OR last_seen_at <= $2" };
/// Expired invitations.
const ENDED_INVITES: ExpiredRows =
    ExpiredRows { table: "invite", key: "hash", condition: "expires_at <= $1" };
/// Expired reset links.
const ENDED_RESETS: ExpiredRows =
    ExpiredRows { table: "password_reset", key: "hash", condition: "expires_at <= $1" };
/// Changes of e-mail addresses that can no longer be confirmed or reverted.
const ENDED_EMAIL_CHANGES: ExpiredRows =
    ExpiredRows { table: "email_change", key: "id", condition: "expires_at <= $1" };
/// Daily usage counts from before yesterday.
const OLD_COUNTS: ExpiredRows =
    ExpiredRows { table: "usage_day", key: "account_id, quota, day", condition: "day < $1" };

/// Session secret from the cookie. `Debug` does not print it.
#[derive(Clone)]
pub struct SessionSecret(String);

impl SessionSecret {
    fn generate(domain: &Domain) -> Self {
        Self(BASE64URL_NOPAD.encode(&domain.random::<32>()))
    }

    /// Parses the value of a cookie. `None` if it is not in the format of a session secret.
    pub fn parse(value: &str) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(value.as_bytes()).ok()?;
        (bytes.len() == 32).then(|| Self(value.to_owned()))
    }

    /// Text of the secret, for the cookie.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// CSRF token for the forms of this session. It is derived from the secret and reveals nothing about it.
    pub fn form_token(&self) -> String {
        form_token(&self.0)
    }

    /// True if `token` is the form token of this session, compared in constant time.
    pub fn is_form_token(&self, token: &str) -> bool {
        self.form_token().as_bytes().ct_eq(token.as_bytes()).into()
    }

    /// Identifier of the session for its owner. It grants no access.
    pub(super) fn name(&self) -> Vec<u8> {
        name_of(&self.hash()).to_vec()
    }

    pub(super) fn hash(&self) -> Vec<u8> {
        Sha256::digest(self.0.as_bytes()).to_vec()
    }
}

impl std::fmt::Debug for SessionSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SessionSecret")
    }
}

fn form_token(value: &str) -> String {
    let mut digest = Sha256::new();
    digest.update(b"carrel form token\0");
    digest.update(value.as_bytes());
    BASE64URL_NOPAD.encode(&digest.finalize())
}

/// A valid session: its account, caller, and secret.
#[derive(Clone, Debug)]
pub struct Session {
    /// The signed-in account.
    pub account: Account,
    /// The account as caller, with every scope.
    pub caller: Caller,
    /// Secret from the cookie.
    pub secret: SessionSecret,
    /// Time of the sign-in.
    pub created_at: Millis,
}

/// Opens a session for `account_id`.
pub async fn open(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    account_id: AccountId,
) -> Result<SessionSecret> {
    let secret = SessionSecret::generate(domain);
    let now = domain.now();
    let row = session::ActiveModel {
        hash: Set(secret.hash()),
        account_id: Set(account_id),
        created_at: Set(now),
        last_seen_at: Set(now),
        expires_at: Set(now + LIFE_MS),
        browser: Set(None),
        network: Set(None),
    };
    row.insert(connection).await?;
    Ok(secret)
}

/// Loads the session of a cookie. `None` if it is invalid, has expired, or its account is disabled.
#[boxed]
pub async fn authenticate(domain: &Domain, value: &str) -> Result<Option<Session>> {
    let Some(secret) = SessionSecret::parse(value) else { return Ok(None) };
    let Some(row) = session::Entity::of_any_owner(secret.hash()).one(domain.db().read()).await? else {
        return Ok(None);
    };
    let now = domain.now();
    if is_over(&row, now) {
        return Ok(None);
    }
    let owner = account::Entity::find_by_id(row.account_id).one(domain.db().read()).await?;
    let Some(owner) = owner.filter(|owner| owner.disabled_at.is_none()) else { return Ok(None) };
    if now - row.last_seen_at >= SEEN_STEP_MS {
        note_use(domain, row.hash).await;
    }
    let account = Account::from(owner);
    let caller = Caller {
        account_id: account.id,
        tier: account.tier,
        scopes: Scopes::ALL,
        credential: Credential::Session,
    };
    Ok(Some(Session { account, caller, secret, created_at: row.created_at }))
}

/// Identifier of a session: half of its hash. It grants no access.
pub(super) fn name_of(hash: &[u8]) -> &[u8] {
    hash.get(..NAME_BYTES).unwrap_or(hash)
}

/// Returns whether a session has expired. The row of an expired session may still exist.
pub(super) fn is_over(row: &session::Model, now: Millis) -> bool {
    row.expires_at <= now || row.last_seen_at + IDLE_MS <= now
}

async fn note_use(domain: &Domain, hash: Vec<u8>) {
    let noted = session::Entity::update_many()
        .col_expr(session::Column::LastSeenAt, domain.now().into())
        .filter(session::Column::Hash.eq(hash))
        .exec(domain.db().write())
        .await;
    if let Err(error) = noted {
        tracing::debug!(%error, "failed to record session use");
    }
}

/// Returns whether a session is neither closed nor expired. Authorizations that a person gave in a session become void
/// when it ends.
pub async fn is_open(
    domain: &Domain,
    connection: &impl ConnectionTrait,
    secret: &SessionSecret,
) -> Result<bool> {
    let row = session::Entity::of_any_owner(secret.hash()).one(connection).await?;
    Ok(row.is_some_and(|row| !is_over(&row, domain.now())))
}

/// Closes a session. Succeeds if it is already closed.
#[boxed]
pub async fn sign_out(domain: &Domain, secret: &SessionSecret) -> Result<()> {
    session::Entity::delete_by_id(secret.hash()).exec(domain.db().write()).await?;
    Ok(())
}

pub(super) async fn end_all(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    let all = session::Entity::delete_many().filter(session::Column::AccountId.eq(account_id));
    all.exec(connection).await?;
    Ok(())
}

/// Deletes expired sessions, invitations, reset links, and changes of addresses, and old daily counts. Returns the
/// number of deleted rows.
#[boxed]
pub async fn remove_expired(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let connection = domain.db().write();
    let sessions = ENDED_SESSIONS.delete(connection, &[now.into(), (now - IDLE_MS).into()]).await?;
    let invites = ENDED_INVITES.delete(connection, &[now.into()]).await?;
    let resets = ENDED_RESETS.delete(connection, &[now.into()]).await?;
    let changes = ENDED_EMAIL_CHANGES.delete(connection, &[now.into()]).await?;
    let yesterday = crate::limits::window::day_of(now) - 1;
    let counts = OLD_COUNTS.delete(connection, &[yesterday.into()]).await?;
    Ok(sessions + invites + resets + changes + counts)
}
