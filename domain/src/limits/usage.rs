//! How much of the counted limits an account uses at present. Every room that owns something counted
//! answers for it here, so that the plan page, `/v1/me` and the refusals never disagree.

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use crate::code::Code;
use crate::error::{Error, Result, Used};
use crate::feeds;
use crate::handle::Domain;
use crate::keys;
use crate::monitors;

/// What an account uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Keys that are neither revoked nor expired.
    pub active_api_keys: u64,
    /// Feeds followed.
    pub rss_subscriptions: u64,
    /// Collections of feeds, without the one for unsorted feeds.
    pub rss_collections: u64,
    /// Web monitors.
    pub web_monitors: u64,
    /// Bytes of text and files in the library.
    pub library_storage_bytes: u64,
}

/// Counts what `account_id` uses.
pub async fn of(domain: &Domain, connection: &impl ConnectionTrait, account_id: AccountId) -> Result<Usage> {
    Ok(Usage {
        active_api_keys: keys::count_active(domain, connection, account_id).await?,
        rss_subscriptions: feeds::count_subscriptions(connection, account_id).await?,
        rss_collections: feeds::count_collections(connection, account_id).await?,
        web_monitors: monitors::count(connection, account_id).await?,
        ..Usage::default()
    })
}

/// Refuses to make one more of something that the plan counts. Nothing is taken away after a downgrade;
/// only more of it is refused.
///
/// # Errors
/// `limit_reached`, or `plan_required` when the plan has none of it at all.
pub fn require_room(what: &str, limit: u64, used: u64) -> Result<()> {
    if used < limit {
        return Ok(());
    }
    let (code, message) = if limit == 0 {
        (Code::PlanRequired, format!("This account's plan has no {what}."))
    } else {
        (Code::LimitReached, format!("This account's plan has room for {limit} {what}, and all are in use."))
    };
    Err(Error::new(code, message).limit(Used { limit, used, policy: None }))
}
