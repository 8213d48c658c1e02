//! Articles: the text of public URLs, kept so that many can ask and few have to fetch.
//!
//! A [`Source`](entities::source) row stands for a normalised URL and knows its present text or its last
//! failure; a snapshot is one text, never changed. Whoever wants a text calls [`request`]; when nothing kept
//! is good enough, an extraction is submitted, and [`extract`](extraction::run) carries it out in a worker.

mod address;
pub mod extraction;
mod failure;
mod housekeeping;
mod obtain;
mod parts;
mod reading;
pub mod search;
mod store;
#[cfg(test)]
mod tests;
pub mod window;

use std::sync::Arc;

use extract::Document;

use crate::clock::Millis;
use entities::ids::SnapshotId;

pub use address::Address;
pub use failure::Failure;
pub use housekeeping::{Removed, keep_within_budget, remove_expired};
pub use obtain::{Obtained, Payer, PendingText, request};
pub use reading::Reading;
pub use store::{Answer, Asker, Cache, Freshness, KeptFailures, pinned, submit};
pub(crate) use store::{Stored, look_up};

/// One text as it was extracted at one time.
#[derive(Debug, Clone)]
pub struct Article {
    /// The snapshot that holds it; cursors and jobs are pinned to it.
    pub snapshot_id: SnapshotId,
    /// The normalised URL it was asked for under.
    pub source_key: String,
    /// The URL that answered, after redirects.
    pub final_url: String,
    /// When the body was downloaded, in milliseconds.
    pub fetched_at: Millis,
    /// The text and what is known of it.
    pub document: Arc<Document>,
}
