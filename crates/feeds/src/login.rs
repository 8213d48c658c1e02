//! Logins of feeds: user names and passwords for HTTP basic authentication. A feed with a login is not
//! shared: the key of its address contains the account that gave the login, so no other account can follow
//! it.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64;
use entities::ids::{AccountId, FeedId};
use entities::{feed, feed_login};
use fetch::Authorization;
use percent_encoding::percent_decode_str;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use url::Url;

use super::addresses::{find_feed, find_feed_of_key, key_of};
use articles::{Address, typed_address};
use kernel::vault::Vault;
use kernel::{Domain, Result, address};

/// Name of the vault in which logins are sealed.
const VAULT: &str = "feed_logins";
/// Maximum length of a login.
const MAX_BYTES: usize = 1000;

/// User name and password, separated by a colon. `Debug` does not print them.
#[derive(Clone, PartialEq, Eq)]
pub struct Login(String);

/// Sealed login with the key of its feed address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedLogin {
    pub(super) address_key: String,
    sealed: Vec<u8>,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Login")
    }
}

impl Login {
    /// Separates the login from an http(s) URL. Any other text is returned unchanged.
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

/// True if a typed address contains a user name or password.
pub(super) fn has_login(typed: &str) -> bool {
    address::has_user_info(&typed_address(typed))
}

/// Seals the login with which the account follows the feed at `address`.
///
/// # Errors
/// Database errors.
#[boxed]
pub async fn seal_login(
    domain: &Domain,
    account_id: AccountId,
    address: &Address,
    login: Option<Login>,
) -> Result<Option<SealedLogin>> {
    let Some(Login(login)) = login else { return Ok(None) };
    let address_key = address_key(account_id, address.url.as_str())?;
    let vault = Vault::of(domain, VAULT).await?;
    let sealed = vault.seal(domain, address_key.as_bytes(), login.into_bytes())?;
    Ok(Some(SealedLogin { address_key, sealed }))
}

/// Key of the address of a feed that the account follows with a login.
fn address_key(account_id: AccountId, url: &str) -> Result<String> {
    // No other key has an `@` before its path: URLs with user info are refused.
    Ok(format!("{account_id}@{}", key_of(url)?))
}

/// The feed with this address that the account follows with a login, or else the shared feed.
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

/// True if the feed is fetched with a login.
pub(super) async fn is_stored(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<bool> {
    Ok(feed_login::Entity::find_by_id(feed_id).one(connection).await?.is_some())
}

/// URL under which the pauses of a feed are recorded. A pause that a server requests of a feed with a login
/// must not apply to the shared feed at the same address.
pub(super) fn pause_url(feed: &feed::Model, has_login: bool) -> String {
    if has_login { format!("{}#{}", feed.url, feed.id) } else { feed.url.clone() }
}

/// Stores the login of a feed, or replaces it.
pub(super) async fn store(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    login: &SealedLogin,
) -> Result<()> {
    let row = feed_login::ActiveModel {
        feed_id: Set(feed_id),
        address_key: Set(login.address_key.clone()),
        sealed: Set(login.sealed.clone()),
    };
    let newer = OnConflict::column(feed_login::Column::FeedId)
        .update_columns([feed_login::Column::AddressKey, feed_login::Column::Sealed])
        .to_owned();
    feed_login::Entity::insert(row).on_conflict(newer).exec_without_returning(connection).await?;
    Ok(())
}

/// `Authorization` headers of the feeds that have a login.
pub(super) async fn authorizations(
    domain: &Domain,
    feeds: &[feed::Model],
) -> Result<HashMap<FeedId, Authorization>> {
    let ids = feeds.iter().map(|feed| feed.id);
    let rows = feed_login::Entity::find().filter(feed_login::Column::FeedId.is_in(ids));
    let rows = rows.all(domain.db().read()).await?;
    let mut authorizations = HashMap::new();
    if rows.is_empty() {
        return Ok(authorizations);
    }
    let vault = Vault::of(domain, VAULT).await?;
    for row in rows {
        match vault.open(row.address_key.as_bytes(), &row.sealed) {
            Ok(login) => {
                let value = format!("Basic {}", BASE64.encode(&login));
                authorizations.insert(row.feed_id, Authorization(value));
            }
            // One unreadable login must not stop the other feeds of the batch.
            Err(error) => tracing::error!(%error, feed = %row.feed_id, "failed to open the login of a feed"),
        }
    }
    Ok(authorizations)
}

#[cfg(test)]
mod tests {
    use super::Login;

    #[test]
    fn login_is_split_off_an_address() {
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
