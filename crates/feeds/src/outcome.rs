//! Outcome of a poll, as passed to [`store`](super::store).

use std::collections::HashMap;

use entities::feed;
use entities::ids::EntryId;
use extract::feed::{EntryState, ParsedEntry, ParsedFeed};
use fetch::Fetched;
use tokio::sync::OwnedSemaphorePermit;

use super::entry::DerivedFields;
use super::hubs::HubState;
use super::schedule::Demand;
use kernel::{Code, Millis};

/// Maximum number of stored entries with which a document is compared.
pub(super) const MAX_KNOWN: u32 = 1000;
/// Like [`MAX_KNOWN`], but for a feed whose documents contain more entries than a poll parses. Such a
/// document may contain all of these stored entries.
pub(super) const MAX_KNOWN_OF_LARGE: u32 = 10_000;

/// Stored entries with which a document was compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) count: usize,
    /// Oldest of these entries. 0 if the document was compared with all stored entries.
    pub(super) from: EntryId,
}

/// Indexes of entries, by the rank of the entry.
pub(super) type DerivedFieldsByRank = HashMap<u32, DerivedFields>;

pub(super) enum PollOutcome {
    /// The feed has no followers, so nothing was fetched.
    Unfollowed,
    /// The host requested a pause, so nothing was fetched.
    Paused { until: Millis },
    /// A redirected feed without followers still redirects.
    StillRedirected,
    /// A redirected feed without followers no longer redirects.
    RedirectEnded,
    /// The response was 304, or its body was the same as before.
    Unchanged(Box<Fetched>),
    /// The response was a feed, whose entries were compared with stored entries.
    Read {
        fetched: Box<Fetched>,
        parsed: Box<ParsedFeed>,
        derived_fields: DerivedFieldsByRank,
        body_hash: i64,
        compared: Compared,
        /// Memory reserved for the entries until they are written.
        _memory: Option<OwnedSemaphorePermit>,
    },
    /// The poll did not return a feed.
    Failed(PollFailure),
}

impl PollOutcome {
    /// Creates the outcome of a response without changes. Releases the body, because the outcome waits until all feeds
    /// of the batch are polled, and the polls of other large feeds need the permit.
    pub(super) fn unchanged(mut fetched: Fetched) -> Self {
        fetched.release_body();
        Self::Unchanged(Box::new(fetched))
    }

    /// Returns true if the server of the feed responded.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Unchanged(_))
    }

    /// Returns true if the poll returned a new body.
    pub(super) fn is_news(&self) -> bool {
        matches!(self, Self::Read { .. })
    }

    /// Returns the number of new and changed entries.
    pub(super) fn entries_to_write(&self) -> usize {
        let Self::Read { parsed, .. } = self else { return 0 };
        let is_written = |entry: &&ParsedEntry| !matches!(entry.state, EntryState::Same { .. });
        parsed.entries.iter().filter(is_written).count()
    }
}

/// Outcome of a poll, with the data needed to store it.
pub(super) struct PollResult {
    pub(super) feed: feed::Model,
    pub(super) demand: Demand,
    pub(super) hub: HubState,
    pub(super) outcome: PollOutcome,
}

/// Reason why a poll did not return a feed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PollFailure {
    pub(super) code: Code,
    /// Duration of the pause that the host requested, in milliseconds.
    pub(super) host_pause_ms: Option<Millis>,
    /// True if the status was 410.
    pub(super) gone: bool,
    /// True if the status was 404 or 410.
    pub(super) not_found: bool,
    /// True if the failure was local and does not concern the feed.
    pub(super) is_local: bool,
}

impl PollFailure {
    pub(super) fn other(code: Code) -> Self {
        Self { code, host_pause_ms: None, gone: false, not_found: false, is_local: false }
    }
}
