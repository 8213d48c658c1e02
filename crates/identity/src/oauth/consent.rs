//! Consent pages and their answers. Each page accepts one answer, from the session for which it was rendered, to the
//! request that it displayed.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::oauth_grant;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::accounts::SessionSecret;
use crate::caller::ClientHash;
use crate::replay::{self, SingleUse};
use kernel::clock::HOUR;
use kernel::{Code, Domain, Error, Millis, Result};

/// Lifetime of a page.
const LIFE: Millis = HOUR;
/// Number of random bytes that identify a page.
const NONCE_BYTES: usize = 16;

/// A consent page, as identified by its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsentPage {
    nonce: Vec<u8>,
    expires_at: Millis,
}

/// Creates the token of a new consent page, bound to the session and to `request`, the authorization query.
///
/// # Errors
/// `service_unavailable` if the signing key cannot be loaded.
#[boxed]
pub async fn page_token(domain: &Domain, session: &SessionSecret, request: &str) -> Result<String> {
    let mut payload = domain.random::<NONCE_BYTES>().to_vec();
    payload.extend_from_slice(&(domain.now() + LIFE).to_be_bytes());
    Ok(domain.cursor_key().await?.seal(&binding(session, request), &payload))
}

/// Verifies the token of a consent page, without consuming it.
///
/// # Errors
/// `form_expired` if the token is expired or belongs to another session or request; `service_unavailable`.
#[boxed]
pub async fn open_page(
    domain: &Domain,
    session: &SessionSecret,
    request: &str,
    token: &str,
) -> Result<ConsentPage> {
    let payload =
        domain.cursor_key().await?.open(&binding(session, request), token).ok_or_else(form_expired)?;
    let (nonce, until) = payload.split_at_checked(NONCE_BYTES).ok_or_else(form_expired)?;
    let expires_at = Millis::from_be_bytes(until.try_into().map_err(|_| form_expired())?);
    if expires_at <= domain.now() {
        return Err(form_expired());
    }
    Ok(ConsentPage { nonce: nonce.to_vec(), expires_at })
}

/// Consumes the page after the person refused, so that it cannot be submitted again.
///
/// # Errors
/// `form_expired` if the page was already answered.
#[boxed]
pub async fn refuse(domain: &Domain, page: &ConsentPage) -> Result<()> {
    consume(domain.db().write(), page).await
}

/// Consumes the page. Fails with `form_expired` if it was already consumed.
pub(super) async fn consume(connection: &impl ConnectionTrait, page: &ConsentPage) -> Result<()> {
    let is_first = replay::consume(connection, SingleUse::ConsentPage, &page.nonce, page.expires_at).await?;
    if is_first { Ok(()) } else { Err(form_expired()) }
}

/// Time at which the account last allowed this app. `None` if no grant to it is stored.
#[boxed]
pub async fn last_allowed(domain: &Domain, account_id: AccountId, client_id: &str) -> Result<Option<Millis>> {
    let newest = oauth_grant::Entity::owned_by(account_id)
        .filter(oauth_grant::Column::ClientHash.eq(ClientHash::of(client_id).to_vec()))
        .order_by_desc(oauth_grant::Column::CreatedAt)
        .select_only()
        .column(oauth_grant::Column::CreatedAt)
        .into_tuple()
        .one(domain.db().read())
        .await?;
    Ok(newest)
}

fn binding(session: &SessionSecret, request: &str) -> String {
    format!("oauth page\0{}\0{request}", session.form_token())
}

fn form_expired() -> Error {
    let message = "This request was already answered or has expired. Go back to the app and start again.";
    Error::new(Code::FormExpired, message)
}
