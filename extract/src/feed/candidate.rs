//! URLs that may be feeds.

use serde::{Deserialize, Serialize};

use super::parsed_feed::FeedKind;

/// URL that may be a feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedCandidate {
    pub feed_url: String,
    /// Title that the page gives to the feed.
    pub title: Option<String>,
    /// Format that the page declares, or else the usual format.
    pub kind: FeedKind,
}

impl FeedCandidate {
    pub(super) fn new(feed_url: String, kind: FeedKind) -> Self {
        Self { feed_url, title: None, kind }
    }
}
