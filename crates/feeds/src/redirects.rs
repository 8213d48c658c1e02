//! Feeds that move. A permanent redirect is followed at once and believed only when it has been the same for days:
//! a site that was broken into for a quarter of an hour, or an address that is parked over a weekend, moves nobody.
//! Redirects of passing kinds never move anything.

use entities::feed;
use entities::ids::FeedId;
use fetch::Fetched;

use kernel::clock::{DAY, HOUR, Millis};

/// Equal permanent answers that are believed.
const TIMES: i32 = 3;
/// For how long they must have been equal.
const SPAN: Millis = 72 * HOUR;
/// The same, when the new address is another domain's.
const SPAN_ELSEWHERE: Millis = 7 * DAY;

/// Where a feed's permanent redirects lead, and how often in a row and since when they have led there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) to: Option<String>,
    pub(super) count: i32,
    pub(super) since: Option<Millis>,
}

/// A feed whose redirect is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// The feed.
    pub(super) from: FeedId,
    /// The address that it moved to.
    pub(super) to: String,
}

impl Redirect {
    /// What this answer makes of what was known.
    pub(super) fn after(feed: &feed::Model, fetched: &Fetched, now: Millis) -> Self {
        let Some(to) = fetched.permanent_url.as_ref().map(|url| url.as_str().to_owned()) else {
            return Self::default();
        };
        if feed.moving_to.as_ref() != Some(&to) {
            return Self { to: Some(to), count: 1, since: Some(now) };
        }
        let count = feed.moving_count.saturating_add(1);
        Self { to: Some(to), count, since: feed.moving_since.or(Some(now)) }
    }

    /// The move that is certain by now.
    pub(super) fn certain(&self, feed: &feed::Model, now: Millis) -> Option<Move> {
        let (to, since) = (self.to.as_ref()?, self.since?);
        let is_near = extract::feed::site(to) == extract::feed::site(&feed.url);
        let span = if is_near { SPAN } else { SPAN_ELSEWHERE };
        (self.count >= TIMES && now - since >= span).then(|| Move { from: feed.id, to: to.clone() })
    }
}
