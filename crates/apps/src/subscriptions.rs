//! What an account follows, as both protocols of feed apps show it.

use feeds::{SourceKind, Subscription};
use kernel::{AccountId, Domain, Error};

/// Subscriptions that are loaded at once.
const STEP: u32 = 500;

/// Everything that is followed.
///
/// # Errors
/// What the database said.
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

/// Where a feed is fetched. That of a monitor is a secret, which lists that apps write out must not hold: its page stands
/// for it.
pub(super) fn public_url(subscription: &Subscription) -> &str {
    match subscription.source_kind {
        SourceKind::Feed => &subscription.feed_url,
        SourceKind::Monitor => subscription.site_url.as_deref().unwrap_or_default(),
    }
}
