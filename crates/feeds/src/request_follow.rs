//! Follows the feed at an address: the feed itself, or the best feed that its site names.

use entities::ids::AccountId;

use super::discovery::{FoundFeed, is_known};
use super::find::{PendingFeeds, request_discovery};
use super::follow::{self, Follow, Followed};
use articles::{Address, Payer};
use jobs::{Pending, Progress, WaitOutcome};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Result of following an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFollowed {
    pub followed: Followed,
    /// Other feeds of the site, best first.
    pub others: Vec<FoundFeed>,
}

/// A feed that is followed when its discovery completes.
pub struct PendingFollow {
    found: PendingFeeds,
    follow: FollowBest,
}

/// Account and options of a follow request.
struct FollowBest {
    account_id: AccountId,
    new: Follow,
}

/// Follows the feed at `address`; the address in `new` is ignored. A known feed is followed at once,
/// otherwise after a discovery of the site's feeds.
///
/// # Errors
/// `no_feed_found`, the failure of the site, `fresh_extraction_limit`, `capacity_exhausted`, and as for
/// [`feeds::follow`](super::follow()).
pub async fn request_follow(
    domain: &Domain,
    payer: Payer,
    address: &Address,
    new: Follow,
) -> Result<Progress<PendingFollow>> {
    let follow = FollowBest { account_id: payer.account_id, new };
    if is_known(domain, address).await? {
        return Ok(Progress::Done(follow.known(domain, address).await?));
    }
    Ok(match request_discovery(domain, payer, address).await? {
        Progress::Done(found) => Progress::Done(follow.best(domain, found).await?),
        Progress::Waiting { job, pending } => {
            Progress::Waiting { job, pending: PendingFollow { found: pending, follow } }
        }
    })
}

impl Pending for PendingFollow {
    type Answer = SiteFollowed;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<SiteFollowed> {
        let found = self.found.resume(domain, outcome).await?;
        self.follow.best(domain, found).await
    }
}

impl FollowBest {
    /// Follows the feed at the address itself.
    async fn known(self, domain: &Domain, address: &Address) -> Result<SiteFollowed> {
        let new = Follow { feed_url: address.url.as_str().to_owned(), ..self.new };
        let followed = follow::follow(domain, self.account_id, new).await?;
        Ok(SiteFollowed { followed, others: Vec::new() })
    }

    /// Follows the first verified feed.
    async fn best(self, domain: &Domain, found: Vec<FoundFeed>) -> Result<SiteFollowed> {
        let (new, others) = best(found, self.new)?;
        let followed = follow::follow(domain, self.account_id, new).await?;
        Ok(SiteFollowed { followed, others })
    }
}

/// The first verified feed, with the options of `new`, and the other feeds.
pub(super) fn best(found: Vec<FoundFeed>, new: Follow) -> Result<(Follow, Vec<FoundFeed>)> {
    let (checked, unchecked): (Vec<_>, Vec<_>) = found.into_iter().partition(|feed| feed.checked);
    let mut checked = checked.into_iter();
    let best = checked.next().ok_or_else(|| {
        Error::new(Code::NoFeedFound, "There is no feed at this address, and the page names none.")
    })?;
    let new = Follow { feed_url: best.feed_url, feed_title: best.title, ..new };
    Ok((new, checked.chain(unchecked).collect()))
}
