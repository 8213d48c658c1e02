//! Follows the feed at an address: the address itself if it is a feed, otherwise the best feed to which its
//! site links.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;

use super::discovery::{Discovered, DiscoveredFeed, is_known};
use super::discovery_request::{PendingFeeds, request_discovery};
use super::follow::{self, Follow, Followed};
use articles::{Address, Payer};
use extract::watch::PageList;
use jobs::{Pending, Progress, WaitOutcome};
use kernel::{Code, Domain, Error, Result};

/// Result of following an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFollowed {
    pub followed: Followed,
    /// Other feeds of the site, best first.
    pub others: Vec<DiscoveredFeed>,
}

/// Feed that is followed when its discovery has completed.
pub struct PendingFollow {
    discovery: PendingFeeds,
    follow: FollowRequest,
}

/// Account and options of a follow request.
struct FollowRequest {
    account_id: AccountId,
    new: Follow,
}

/// Follows the feed at `address`. The address in `new` is ignored. A known feed, or a feed with a login, is
/// followed immediately; any other feed is followed after the discovery of the site's feeds.
///
/// # Errors
/// `no_feed_found` if the site has no feed; the failure of the site; `fresh_extraction_limit`;
/// `capacity_exhausted`; and the errors of [`feeds::follow`](super::follow()).
#[boxed]
pub async fn request_follow(
    domain: &Domain,
    payer: Payer,
    address: &Address,
    new: Follow,
) -> Result<Progress<PendingFollow>> {
    let has_login = new.login.is_some();
    let follow = FollowRequest { account_id: payer.account_id, new };
    if has_login || is_known(domain, address).await? {
        return Ok(Progress::Done(follow.follow_known(domain, address).await?));
    }
    Ok(match request_discovery(domain, payer, address).await? {
        Progress::Done(discovered) => Progress::Done(follow.follow_best(domain, discovered).await?),
        Progress::Waiting { job, pending } => {
            Progress::Waiting { job, pending: PendingFollow { discovery: pending, follow } }
        }
    })
}

impl Pending for PendingFollow {
    type Answer = SiteFollowed;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<SiteFollowed> {
        let discovered = self.discovery.resume(domain, outcome).await?;
        self.follow.follow_best(domain, discovered).await
    }
}

impl FollowRequest {
    /// Follows the feed at the address itself.
    async fn follow_known(self, domain: &Domain, address: &Address) -> Result<SiteFollowed> {
        let new = Follow { feed_url: address.url.as_str().to_owned(), ..self.new };
        let followed = follow::follow(domain, self.account_id, new).await?;
        Ok(SiteFollowed { followed, others: Vec::new() })
    }

    /// Follows the best feed, which is the first verified one.
    async fn follow_best(self, domain: &Domain, discovered: Discovered) -> Result<SiteFollowed> {
        let (new, others) = choose_best(discovered, self.new)?;
        let followed = follow::follow(domain, self.account_id, new).await?;
        Ok(SiteFollowed { followed, others })
    }
}

/// Returns the first verified feed with the options of `new`, and the other feeds.
pub(super) fn choose_best(discovered: Discovered, new: Follow) -> Result<(Follow, Vec<DiscoveredFeed>)> {
    let Discovered { feeds, page_list } = discovered;
    let (checked, unchecked): (Vec<_>, Vec<_>) = feeds.into_iter().partition(|feed| feed.checked);
    let mut checked = checked.into_iter();
    let best = checked.next().ok_or_else(|| no_feed(page_list.as_ref()))?;
    let new = Follow { feed_url: best.feed_url, feed_title: best.title, ..new };
    Ok((new, checked.chain(unchecked).collect()))
}

fn no_feed(page_list: Option<&PageList>) -> Error {
    let mut message = "There is no feed at this address, and the page names none.".to_owned();
    if let Some(list) = page_list {
        message += &format!(" A monitor can report new items of its list {}.", list.selector);
    }
    Error::new(Code::NoFeedFound, message)
}
