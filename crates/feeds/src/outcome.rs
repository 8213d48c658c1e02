//! Outcome of a poll, passed from the poll to [`store`](super::store).

use std::collections::HashMap;

use entities::feed;
use entities::ids::EntryId;
use extract::feed::{EntryState, ParsedEntry, ParsedFeed};
use fetch::Fetched;
use tokio::sync::OwnedSemaphorePermit;

use super::hubs::HubState;
use super::schedule::Demand;
use kernel::{Code, Millis};

/// Maximum stored entries with which a document is compared.
pub(super) const MAX_KNOWN: u32 = 1000;
/// As [`MAX_KNOWN`] for a document of a feed with more entries than are read, which may contain all of them.
pub(super) const MAX_KNOWN_OF_LARGE: u32 = 10_000;

/// Stored entries with which a document was compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) count: usize,
    /// The oldest of them; 0 if the document was compared with all stored entries.
    pub(super) from: EntryId,
}

/// Search text and story signature of an entry. To compute them, all its text is normalized.
#[derive(Clone)]
pub(super) struct EntryIndex {
    pub(super) search_text: String,
    pub(super) story_signature: Option<Vec<u8>>,
}

/// Indexes of entries, by rank.
pub(super) type EntryIndexes = HashMap<u32, EntryIndex>;

/// Outcome of a poll.
pub(super) enum PollOutcome {
    /// The feed has no followers; nothing was fetched.
    Unfollowed,
    /// The host requested a pause; nothing was fetched.
    Paused { until: Millis },
    /// A redirected feed without followers still redirects.
    StillRedirected,
    /// A redirected feed without followers no longer redirects.
    RedirectEnded,
    /// 304, or the same body as before.
    Unchanged(Box<Fetched>),
    /// A feed, compared with stored entries.
    Read {
        fetched: Box<Fetched>,
        parsed: Box<ParsedFeed>,
        entry_indexes: EntryIndexes,
        body_hash: i64,
        compared: Compared,
        /// Reserved for the entries until they are written.
        _memory: Option<OwnedSemaphorePermit>,
    },
    /// The poll returned no feed.
    Failed(PollFailure),
}

impl PollOutcome {
    /// True if the feed itself answered.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Unchanged(_))
    }

    /// True if the poll returned a new body.
    pub(super) fn is_news(&self) -> bool {
        matches!(self, Self::Read { .. })
    }

    /// Number of new and changed entries.
    pub(super) fn entries_to_write(&self) -> usize {
        let Self::Read { parsed, .. } = self else { return 0 };
        let is_written = |entry: &&ParsedEntry| !matches!(entry.state, EntryState::Same { .. });
        parsed.entries.iter().filter(is_written).count()
    }
}

/// A poll with the data needed to store it.
pub(super) struct PollResult {
    pub(super) feed: feed::Model,
    pub(super) demand: Demand,
    pub(super) hub: HubState,
    pub(super) outcome: PollOutcome,
}

/// Reason why a poll returned no feed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PollFailure {
    pub(super) code: Code,
    /// Pause that the host requested.
    pub(super) host_pause_ms: Option<Millis>,
    /// Status 410.
    pub(super) gone: bool,
    /// Status 404 or 410.
    pub(super) not_found: bool,
    /// True for a local fault that says nothing about the feed.
    pub(super) is_local: bool,
}

impl PollFailure {
    pub(super) fn other(code: Code) -> Self {
        Self { code, host_pause_ms: None, gone: false, not_found: false, is_local: false }
    }
}
