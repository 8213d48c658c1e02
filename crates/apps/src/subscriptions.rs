//! Subscriptions of an account, as feed apps list and add them.

use articles::{Address, Payer, typed_address};
use feeds::{Follow, Followed, Login, SiteFollowed, SourceKind, Subscription};
use identity::caller::Caller;
use kernel::{AccountId, Domain, Error};
use tokio::time::Instant;

use http_kit::app::App;

/// Number of subscriptions per query.
const STEP: u32 = 500;

/// Returns all subscriptions of an account.
pub(super) async fn all_subscriptions(
    domain: &Domain,
    account_id: AccountId,
) -> Result<Vec<Subscription>, Error> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = feeds::list_subscriptions(domain, account_id, None, after, STEP).await?;
        all.extend(page.subscriptions);
        after = page.next_after;
        if after.is_none() {
            return Ok(all);
        }
    }
}

/// Returns the URL of a followed feed that may be sent to apps. The feed URL of a monitor is secret, and a
/// newsletter has none, so the URL of the page is returned instead.
pub(super) fn public_url(subscription: &Subscription) -> &str {
    match subscription.source_kind {
        SourceKind::Feed => &subscription.feed_url,
        SourceKind::Monitor | SourceKind::Newsletter => subscription.site_url.as_deref().unwrap_or_default(),
    }
}

/// Follows the feed at a URL, or the feed to which the page at the URL links. The URL may contain a login.
///
/// # Errors
/// If the URL is invalid, if no feed is discovered before `deadline`, or if the plan allows no more feeds.
pub(super) async fn follow_address(
    app: &App,
    caller: &Caller,
    url: &str,
    new: Follow,
    deadline: Instant,
) -> Result<Followed, Error> {
    let (url, login) = Login::split(&typed_address(url));
    let address = Address::parse(&app.domain, &url)?;
    let login = feeds::seal_login(&app.domain, caller.account_id, &address, login).await?;
    let new = Follow { login, ..new };
    let payer = Payer { account_id: caller.account_id, tier: caller.tier };
    let progress = feeds::request_follow(&app.domain, payer, &address, new).await?;
    let SiteFollowed { followed, .. } = app.engine.await_result(progress, deadline).await?;
    Ok(followed)
}
