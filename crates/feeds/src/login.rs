//! Logins, user agents, headers, and rewrite rules of feeds. A feed with any of them is not shared: the key of its
//! address contains the account that set them, so no other account can follow it.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64;
use entities::ids::{AccountId, FeedId};
use entities::{feed, feed_login};
use fetch::{Authorization, RequestHeader};
use percent_encoding::percent_decode_str;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use url::Url;

use super::addresses::{find_feed, find_feed_of_key, key_of};
use super::rewrites::{self, Rewrite};
use articles::{Address, typed_address};
use kernel::bounds::{MONITOR_HEADERS, MONITOR_USER_AGENT_CHARS};
use kernel::request_header::{SET_BY_SERVICE, header_fault, is_user_agent};
use kernel::vault::Vault;
use kernel::{Domain, Error, Result, address};

/// Name of the vault in which logins are sealed.
const VAULT: &str = "feed_logins";
/// Maximum length of a login in bytes.
const MAX_BYTES: usize = 1000;

/// User name and password, separated by a colon. `Debug` does not print them.
#[derive(Clone, PartialEq, Eq)]
pub struct Login(String);

/// Changes to the requests of a feed. `None` leaves a value unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestUpdate {
    /// `User-Agent` header. `Some(None)` restores the user agent of this service.
    pub user_agent: Option<Option<String>>,
    /// New list of all headers. Replaces the stored headers.
    pub headers: Option<Vec<RequestHeader>>,
}

/// Sealed login, user agent, and headers, with the key of their feed address. `None` leaves a stored value
/// unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedLogin {
    pub(super) address_key: String,
    login: Option<Vec<u8>>,
    user_agent: Option<UserAgent>,
    headers: Option<SealedHeaders>,
}

/// `User-Agent` header. `None` for the user agent of this service.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UserAgent(Option<String>);

/// Names of the headers, and their sealed names and values. Both are `None` if there are no headers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SealedHeaders {
    names: Option<String>,
    sealed: Option<Vec<u8>>,
}

/// Settings that distinguish the requests and entries of a feed from those of a shared feed.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnRequest {
    pub(super) authorization: Option<Authorization>,
    pub(super) user_agent: Option<String>,
    pub(super) headers: Vec<RequestHeader>,
    /// Rewrite rules. Empty if they were stopped.
    pub(super) rewrites: Vec<Rewrite>,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Login")
    }
}

impl Login {
    /// Removes the login from an http(s) URL and returns both. Any other text is returned unchanged, without
    /// a login.
    pub fn split(text: &str) -> (String, Option<Self>) {
        Self::of_url(text).map_or_else(|| (text.to_owned(), None), |(url, login)| (url, Some(login)))
    }

    fn of_url(text: &str) -> Option<(String, Self)> {
        let mut url = Url::parse(text).ok()?;
        let has_login = !url.username().is_empty() || url.password().is_some();
        if !has_login || !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let decode = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
        let login = format!("{}:{}", decode(url.username()), decode(url.password().unwrap_or_default()));
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        (login.len() <= MAX_BYTES).then(|| (url.into(), Self(login)))
    }
}

/// Returns true if a typed address contains a user name or password.
pub(super) fn has_login(typed: &str) -> bool {
    address::has_user_info(&typed_address(typed))
}

impl RequestUpdate {
    /// Returns true if nothing is to be changed.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Validates the user agent and the headers.
    fn check(&self) -> Result<()> {
        let user_agent = self.user_agent.as_ref().and_then(Option::as_deref);
        if user_agent.is_some_and(|text| !is_user_agent(text, MONITOR_USER_AGENT_CHARS)) {
            return Err(Error::invalid_field("user_agent", "must be one line of ASCII characters"));
        }
        let headers = self.headers.as_deref().unwrap_or_default();
        if headers.len() > MONITOR_HEADERS {
            return Err(Error::invalid_field("headers", format!("has more than {MONITOR_HEADERS} items")));
        }
        for (index, header) in headers.iter().enumerate() {
            if let Some((field, reason)) = header_fault(&header.name, &header.value) {
                return Err(Error::invalid_at(&format!("/headers/{index}/{field}"), reason));
            }
        }
        Ok(())
    }
}

/// Seals the login with which the account follows the feed at `address`. Returns `None` if there is no login.
///
/// # Errors
/// Returns an error if the database fails.
#[boxed]
pub async fn seal_login(
    domain: &Domain,
    account_id: AccountId,
    address: &Address,
    login: Option<Login>,
) -> Result<Option<SealedLogin>> {
    seal_request(domain, account_id, address.url.as_str(), login, &RequestUpdate::default()).await
}

/// Seals the login and the headers with which the account follows the feed at `url`. Returns `None` if there
/// is nothing to store.
///
/// # Errors
/// `invalid_request` if the user agent or a header cannot be sent; an error if the database fails.
#[boxed]
pub async fn seal_request(
    domain: &Domain,
    account_id: AccountId,
    url: &str,
    login: Option<Login>,
    request: &RequestUpdate,
) -> Result<Option<SealedLogin>> {
    request.check()?;
    check_sign_in_header(domain, request)?;
    if login.is_none() && request.is_empty() {
        return Ok(None);
    }
    let address_key = address_key(account_id, url)?;
    let vault = Vault::of(domain, VAULT).await?;
    let login = login.map(|Login(login)| vault.seal(domain, address_key.as_bytes(), login.into_bytes()));
    let headers = request.headers.as_ref().map(|headers| {
        if headers.is_empty() {
            return Ok(SealedHeaders { names: None, sealed: None });
        }
        let names: Vec<&str> = headers.iter().map(|header| header.name.as_str()).collect();
        let pairs: Vec<(&str, &str)> =
            headers.iter().map(|header| (header.name.as_str(), header.value.as_str())).collect();
        let plain = serde_json::to_vec(&pairs).map_err(Error::internal)?;
        let sealed = vault.seal(domain, headers_binding(&address_key).as_bytes(), plain)?;
        let names = serde_json::to_string(&names).map_err(Error::internal)?;
        Ok::<_, Error>(SealedHeaders { names: Some(names), sealed: Some(sealed) })
    });
    let (login, headers) = (login.transpose()?, headers.transpose()?);
    let user_agent = request.user_agent.clone().map(UserAgent);
    Ok(Some(SealedLogin { address_key, login, user_agent, headers }))
}

/// Returns an error if a header is the sign-in header.
fn check_sign_in_header(domain: &Domain, request: &RequestUpdate) -> Result<()> {
    let fetch = &domain.policy().fetch;
    let headers = request.headers.as_deref().unwrap_or_default();
    match headers.iter().position(|header| fetch.is_sign_in_header(&header.name)) {
        Some(index) => Err(Error::invalid_at(&format!("/headers/{index}/name"), SET_BY_SERVICE)),
        None => Ok(()),
    }
}

/// Returns the text that binds sealed headers to their feed address.
fn headers_binding(address_key: &str) -> String {
    format!("{address_key} headers")
}

/// Returns the key of the address of a feed that the account follows with a login or headers.
pub(super) fn address_key(account_id: AccountId, url: &str) -> Result<String> {
    // Other keys never contain an `@` before the path, because URLs with user info are refused.
    Ok(format!("{account_id}@{}", key_of(url)?))
}

/// Returns the feed with this address that only the account follows. If there is none, returns the shared feed.
pub(super) async fn find_feed_of(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    url: &str,
) -> Result<Option<FeedId>> {
    if let Some(own) = find_feed_of_key(connection, &address_key(account_id, url)?).await?
        && is_stored(connection, own).await?
    {
        return Ok(Some(own));
    }
    find_feed(connection, url).await
}

/// Returns true if the feed is fetched for a single account.
pub(super) async fn is_stored(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<bool> {
    Ok(feed_login::Entity::find_by_id(feed_id).one(connection).await?.is_some())
}

/// Returns true if the feed is fetched with a login, a user agent, or headers.
pub(super) async fn has_own_request(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<bool> {
    let row = feed_login::Entity::find_by_id(feed_id).one(connection).await?;
    Ok(row.is_some_and(|row| {
        !row.sealed.is_empty() || row.user_agent.is_some() || row.sealed_headers.is_some()
    }))
}

/// Returns the rewrite rules of a feed.
pub(super) async fn rewrites_of(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<Vec<Rewrite>> {
    let row = feed_login::Entity::find_by_id(feed_id).one(connection).await?;
    Ok(rewrites::stored_rules(feed_id, row.as_ref().and_then(|row| row.rewrites.as_deref())))
}

/// Stores the rewrite rules of a feed. Rules that were stopped are applied again.
pub(super) async fn store_rewrites(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    address_key: &str,
    rules: &[Rewrite],
) -> Result<()> {
    use feed_login::Column;
    let row = feed_login::ActiveModel {
        feed_id: Set(feed_id),
        address_key: Set(address_key.to_owned()),
        sealed: Set(Vec::new()),
        rewrites: Set(rewrites::stored_form(rules)?),
        rewrites_stopped_at: Set(None),
        rewrites_skipped: Set(0),
        ..Default::default()
    };
    let changed = [Column::Rewrites, Column::RewritesStoppedAt, Column::RewritesSkipped];
    let newer = OnConflict::column(Column::FeedId).update_columns(changed).to_owned();
    feed_login::Entity::insert(row).on_conflict(newer).exec_without_returning(connection).await?;
    Ok(())
}

/// Returns the URL under which the pauses of a feed are recorded. If a server requests a pause from a feed
/// with a login or headers, the pause must not apply to the shared feed at the same address.
pub(super) fn pause_url(feed: &feed::Model, is_own: bool) -> String {
    if is_own { format!("{}#{}", feed.url, feed.id) } else { feed.url.clone() }
}

/// Stores the login and headers of a feed. Values that are not set in `login` are left unchanged.
pub(super) async fn store(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    login: &SealedLogin,
) -> Result<()> {
    use feed_login::Column;
    let (names, sealed) = login.headers.clone().map_or((None, None), |own| (own.names, own.sealed));
    let row = feed_login::ActiveModel {
        feed_id: Set(feed_id),
        address_key: Set(login.address_key.clone()),
        sealed: Set(login.login.clone().unwrap_or_default()),
        user_agent: Set(login.user_agent.clone().and_then(|UserAgent(text)| text)),
        header_names: Set(names),
        sealed_headers: Set(sealed),
        ..Default::default()
    };
    let mut given = vec![Column::AddressKey];
    given.extend(login.login.as_ref().map(|_| Column::Sealed));
    given.extend(login.user_agent.as_ref().map(|_| Column::UserAgent));
    if login.headers.is_some() {
        given.extend([Column::HeaderNames, Column::SealedHeaders]);
    }
    let newer = OnConflict::column(Column::FeedId).update_columns(given).to_owned();
    feed_login::Entity::insert(row).on_conflict(newer).exec_without_returning(connection).await?;
    Ok(())
}

/// Returns the request settings and rewrite rules of those feeds that have any.
pub(super) async fn own_requests(
    domain: &Domain,
    feeds: &[feed::Model],
) -> Result<HashMap<FeedId, OwnRequest>> {
    let ids = feeds.iter().map(|feed| feed.id);
    let rows = feed_login::Entity::find().filter(feed_login::Column::FeedId.is_in(ids));
    let rows = rows.all(domain.db().read()).await?;
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let vault = Vault::of(domain, VAULT).await?;
    Ok(rows.into_iter().map(|row| (row.feed_id, open(&vault, &row))).collect())
}

/// Decrypts a stored row. Values that cannot be decrypted are omitted, so that they do not stop the other
/// feeds of the batch.
fn open(vault: &Vault, row: &feed_login::Model) -> OwnRequest {
    let report = |error: &Error| {
        tracing::error!(%error, feed = %row.feed_id, "failed to open the login or headers of a feed");
    };
    let rewrites = rewrites::active_rules(row);
    let mut request = OwnRequest { user_agent: row.user_agent.clone(), rewrites, ..OwnRequest::default() };
    if !row.sealed.is_empty() {
        match vault.open(row.address_key.as_bytes(), &row.sealed) {
            Ok(login) => {
                request.authorization = Some(Authorization(format!("Basic {}", BASE64.encode(&login))));
            }
            Err(error) => report(&error),
        }
    }
    let headers = row.sealed_headers.as_ref().map(|sealed| open_headers(vault, &row.address_key, sealed));
    match headers {
        Some(Ok(headers)) => request.headers = headers,
        Some(Err(error)) => report(&error),
        None => {}
    }
    request
}

fn open_headers(vault: &Vault, address_key: &str, sealed: &[u8]) -> Result<Vec<RequestHeader>> {
    let plain = vault.open(headers_binding(address_key).as_bytes(), sealed)?;
    let pairs: Vec<(String, String)> = serde_json::from_slice(&plain).map_err(Error::internal)?;
    Ok(pairs.into_iter().map(|(name, value)| RequestHeader { name, value }).collect())
}

#[cfg(test)]
mod tests {
    use super::Login;

    #[test]
    fn login_is_removed_from_an_address() {
        let split = |text: &str| {
            let (url, login) = Login::split(text);
            (url, login.map(|login| login.0))
        };
        let url = "https://example.org/feed?a=1".to_owned();
        for (text, expected) in [
            ("https://ada:pass@example.org/feed?a=1", Some("ada:pass")),
            ("https://ada%40mail:p%3Aw@example.org/feed?a=1", Some("ada@mail:p:w")),
            ("https://token@example.org/feed?a=1", Some("token:")),
            ("https://example.org/feed?a=1", None),
        ] {
            assert_eq!(split(text), (url.clone(), expected.map(str::to_owned)), "{text}");
        }
        for text in ["no address", "ftp://ada:pass@example.org/", ""] {
            assert_eq!(split(text), (text.to_owned(), None), "{text}");
        }
        let long = format!("https://ada:{}@example.org/", "x".repeat(2_000));
        assert_eq!(split(&long), (long.clone(), None));
        assert_eq!(format!("{:?}", Login::split("https://a:b@example.org/").1), "Some(Login)");
    }
}
