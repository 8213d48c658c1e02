//! Sessions of signed-in people. The cookie holds 256 random bits, the table their SHA-256.

use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;
use entities::{account, session};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::Account;
use crate::caller::{Caller, Credential};
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::retention::OldRows;
use kernel::scope::Scopes;

/// A session ends after so long, however much it is used.
const LIFE_MS: Millis = 30 * 86_400_000;
/// A session ends when it was not used for so long.
const IDLE_MS: Millis = 14 * 86_400_000;
/// `last_seen_at` is written at most this often.
const SEEN_STEP_MS: Millis = 3_600_000;
/// Bytes of a session's hash that name it.
const NAME_BYTES: usize = 16;
/// Sessions that are over.
const ENDED_SESSIONS: OldRows =
    OldRows { table: "session", key: "hash", condition: "expires_at <= $1 OR last_seen_at <= $2" };
/// Invitations that nobody took.
const ENDED_INVITES: OldRows = OldRows { table: "invite", key: "hash", condition: "expires_at <= $1" };
/// Links for a new password that nobody followed in time.
const ENDED_RESETS: OldRows = OldRows { table: "password_reset", key: "hash", condition: "expires_at <= $1" };
/// Daily counts of days before yesterday.
const OLD_COUNTS: OldRows =
    OldRows { table: "usage_day", key: "account_id, quota, day", condition: "day < $1" };

/// What the cookie holds. It never prints itself.
#[derive(Clone)]
pub struct SessionSecret(String);

impl SessionSecret {
    fn generate(domain: &Domain) -> Self {
        Self(BASE64URL_NOPAD.encode(&domain.random::<32>()))
    }

    /// The cookie's value, if it can be one.
    pub fn parse(value: &str) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(value.as_bytes()).ok()?;
        (bytes.len() == 32).then(|| Self(value.to_owned()))
    }

    /// The cookie's value.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The token that forms of this session carry: bound to the session, and telling nothing of it.
    pub fn form_token(&self) -> String {
        form_token(&self.0)
    }

    /// Whether a form carried this session's token, compared in constant time.
    pub fn is_form_token(&self, token: &str) -> bool {
        self.form_token().as_bytes().ct_eq(token.as_bytes()).into()
    }

    /// Names the session, and opens nothing.
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

/// A session that holds: who it is, and the secret it was found by.
#[derive(Clone, Debug)]
pub struct Session {
    /// The signed-in person.
    pub account: Account,
    /// The caller that this person is, with every scope.
    pub caller: Caller,
    /// What the cookie holds.
    pub secret: SessionSecret,
    /// When the person signed in.
    pub created_at: Millis,
}

/// Opens a new session for `account_id`.
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
    };
    row.insert(connection).await?;
    Ok(secret)
}

/// The session behind a cookie; `None` when it does not hold (any more).
///
/// # Errors
/// `Unavailable` when the database cannot tell.
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

/// What names a session, and opens nothing: half of the hash that it is found by.
pub(super) fn name_of(hash: &[u8]) -> &[u8] {
    hash.get(..NAME_BYTES).unwrap_or(hash)
}

/// Whether a session holds no more, though its row may still be there.
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
        tracing::debug!(%error, "the use of a session could not be noted");
    }
}

/// Whether a session is still there: what it allowed counts for nothing once it ended.
pub async fn is_open(connection: &impl ConnectionTrait, secret: &SessionSecret) -> Result<bool> {
    Ok(session::Entity::of_any_owner(secret.hash()).one(connection).await?.is_some())
}

/// Ends a session. One that does not hold any more is ended already.
///
/// # Errors
/// `Unavailable` when the database cannot be reached.
pub async fn sign_out(domain: &Domain, secret: &SessionSecret) -> Result<()> {
    session::Entity::delete_by_id(secret.hash()).exec(domain.db().write()).await?;
    Ok(())
}

/// Ends all sessions of an account.
pub(super) async fn end_all(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<()> {
    let all = session::Entity::delete_many().filter(session::Column::AccountId.eq(account_id));
    all.exec(connection).await?;
    Ok(())
}

/// Removes sessions, invitations and reset links that have ended, and daily counts of the past. Returns how many rows
/// went.
///
/// # Errors
/// What the database said.
pub async fn remove_expired(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let connection = domain.db().write();
    let sessions = ENDED_SESSIONS.delete(connection, &[now.into(), (now - IDLE_MS).into()]).await?;
    let invites = ENDED_INVITES.delete(connection, &[now.into()]).await?;
    let resets = ENDED_RESETS.delete(connection, &[now.into()]).await?;
    let yesterday = crate::limits::window::day_of(now) - 1;
    let counts = OLD_COUNTS.delete(connection, &[yesterday.into()]).await?;
    Ok(sessions + invites + resets + counts)
}
