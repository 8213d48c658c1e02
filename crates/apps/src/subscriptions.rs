//! Subscriptions of an account, as the Google Reader API and Fever list them.

use feeds::{SourceKind, Subscription};
use kernel::{AccountId, Domain, Error};

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
