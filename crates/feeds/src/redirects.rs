//! Detects feeds that move. A permanent redirect is followed immediately, but counts as a move only after its
//! target has been the same for days. A site that was compromised for minutes, or a domain that was parked
//! over a weekend, therefore moves no followers. Temporary redirects never move a feed.

use entities::feed;
use entities::ids::FeedId;
use fetch::Fetched;

use kernel::Millis;
use kernel::clock::{DAY, HOUR};

/// Minimum number of consecutive redirects to the same target.
const MIN_COUNT: i32 = 3;
/// Minimum time that these redirects must span, in milliseconds.
const MIN_SPAN: Millis = 72 * HOUR;
/// [`MIN_SPAN`] for a redirect to another domain.
const MIN_SPAN_OTHER_DOMAIN: Millis = 7 * DAY;

/// Permanent redirect of a feed: its target, the number of consecutive responses with this target, and the
/// time of the first such response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) to: Option<String>,
    pub(super) count: i32,
    pub(super) since: Option<Millis>,
}

/// Move of a feed whose redirect is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) from: FeedId,
    /// New address of the feed.
    pub(super) to: String,
}

impl Redirect {
    /// Returns the redirect of a feed, updated with a response.
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

    /// Returns the move if the redirect is accepted now.
    pub(super) fn accepted_move(&self, feed: &feed::Model, now: Millis) -> Option<Move> {
        let (to, since) = (self.to.as_ref()?, self.since?);
        let is_near = extract::feed::site(to) == extract::feed::site(&feed.url);
        let span = if is_near { MIN_SPAN } else { MIN_SPAN_OTHER_DOMAIN };
        (self.count >= MIN_COUNT && now - since >= span).then(|| Move { from: feed.id, to: to.clone() })
    }
}
