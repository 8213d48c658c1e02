//! Lists an account's open sessions for its owner, and closes them.

use async_recursion::async_recursion as boxed;
use data_encoding::HEXLOWER;
use entities::ids::AccountId;
use entities::session;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::sessions::{SessionSecret, is_over, name_of};
use crate::limits::Network;
use kernel::{Domain, Millis, Result};

/// Maximum number of listed sessions.
const MAX_LISTED: u64 = 100;
/// Maximum length of the stored browser description, in characters.
const BROWSER_CHARS: usize = 80;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    /// Identifier for the owner, 32 hexadecimal digits. It grants no access.
    pub name: String,
    /// Description of the browser that opened the session; `None` if unknown.
    pub browser: Option<String>,
    /// Network of the sign-in: an IPv4 address, or an IPv6 /64; `None` if unknown.
    pub network: Option<String>,
    /// Time of the sign-in.
    pub created_at: Millis,
    /// Time of the last use, precise to the hour.
    pub last_seen_at: Millis,
    /// True if the request was sent in this session.
    pub is_current: bool,
}

/// Open sessions of an account, at most a hundred: the current one first, then by last use, newest first.
#[boxed]
pub async fn open_sessions(
    domain: &Domain,
    account_id: AccountId,
    current: &SessionSecret,
) -> Result<Vec<OpenSession>> {
    let now = domain.now();
    let rows = session::Entity::owned_by(account_id)
        .order_by_desc(session::Column::LastSeenAt)
        .limit(MAX_LISTED)
        .all(domain.db().read())
        .await?;
    let current = current.hash();
    let mut sessions: Vec<OpenSession> = rows
        .into_iter()
        .filter(|row| !is_over(row, now))
        .map(|row| OpenSession {
            name: HEXLOWER.encode(name_of(&row.hash)),
            browser: row.browser,
            network: row.network,
            created_at: row.created_at,
            last_seen_at: row.last_seen_at,
            is_current: row.hash == current,
        })
        .collect();
    sessions.sort_by_key(|session| !session.is_current);
    Ok(sessions)
}

/// Stores the description of the browser that opened a session, truncated to 80 characters, and its network.
#[boxed]
pub async fn note_browser(
    domain: &Domain,
    secret: &SessionSecret,
    browser: Option<&str>,
    network: &Network,
) -> Result<()> {
    let words: Option<String> = browser.map(|browser| browser.chars().take(BROWSER_CHARS).collect());
    let noted = session::ActiveModel {
        browser: Set(words),
        network: Set(Some(network.as_str().to_owned())),
        ..Default::default()
    };
    session::Entity::update_many()
        .set(noted)
        .filter(session::Column::Hash.eq(secret.hash()))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Closes the session of an account with the identifier `name`. Returns false if there is no such session.
#[boxed]
pub async fn end_session(domain: &Domain, account_id: AccountId, name: &str) -> Result<bool> {
    let Ok(name) = HEXLOWER.decode(name.as_bytes()) else { return Ok(false) };
    let rows = session::Entity::owned_by(account_id)
        .filter(session::Column::Hash.gte(name.clone()))
        .order_by_asc(session::Column::Hash)
        .limit(1)
        .all(domain.db().read())
        .await?;
    let Some(row) = rows.into_iter().find(|row| name_of(&row.hash) == name) else { return Ok(false) };
    let ended = session::Entity::delete_by_id(row.hash).exec(domain.db().write()).await?;
    Ok(ended.rows_affected > 0)
}

/// Closes every session of an account except the current one. Returns the number of closed sessions.
#[boxed]
pub async fn end_other_sessions(
    domain: &Domain,
    account_id: AccountId,
    current: &SessionSecret,
) -> Result<u64> {
    let others = session::Entity::delete_many()
        .filter(session::Column::AccountId.eq(account_id))
        .filter(session::Column::Hash.ne(current.hash()));
    Ok(others.exec(domain.db().write()).await?.rows_affected)
}
