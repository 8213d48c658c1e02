//! What polling a feed came to, as it goes from the poll to those who write it down.

use entities::feed;
use extract::feed::FeedFound;
use fetch::Fetched;

use super::hubs::HubState;
use super::schedule::Demand;
use kernel::clock::Millis;
use kernel::code::Code;

/// Known entries that a document is compared with.
pub(super) const KNOWN: u32 = 1000;

/// What a poll came to.
pub(super) enum Outcome {
    /// Nobody follows the feed any more; nothing was asked.
    Unfollowed,
    /// The server wants to be left alone until then; nothing was asked.
    Paused { until: Millis },
    /// An address that nobody follows since it led elsewhere still does.
    Elsewhere,
    /// An address that nobody follows since it led elsewhere has a feed of its own again.
    Returned,
    /// 304, or the same body again.
    Unchanged(Box<Fetched>),
    /// A body that is a feed, compared with so many known entries.
    Read { fetched: Box<Fetched>, found: Box<FeedFound>, body_hash: i64, known: usize },
    /// No feed, for this reason.
    Failed(PollFailure),
}

impl Outcome {
    /// Whether the feed itself has answered.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Unchanged(_))
    }

    /// Whether something arrived that people wait for.
    pub(super) fn is_news(&self) -> bool {
        matches!(self, Self::Read { .. })
    }
}

/// A poll with everything needed to write it down.
pub(super) struct PollResult {
    pub(super) feed: feed::Model,
    pub(super) demand: Demand,
    pub(super) hub: HubState,
    pub(super) outcome: Outcome,
}

/// Why a poll gave no feed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PollFailure {
    pub(super) code: Code,
    /// The server asks for a pause.
    pub(super) host_pause_ms: Option<Millis>,
    /// 410.
    pub(super) gone: bool,
    /// 404 or 410.
    pub(super) not_found: bool,
    /// A fault of ours that says nothing about the feed.
    pub(super) ours: bool,
}

impl PollFailure {
    pub(super) fn other(code: Code) -> Self {
        Self { code, host_pause_ms: None, gone: false, not_found: false, ours: false }
    }
}
