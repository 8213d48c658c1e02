//! Result of a mutation.

use serde::{Deserialize, Serialize};

use kernel::Code;

/// Result of a mutation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationResult {
    /// Number of changed objects.
    pub affected: i64,
    /// Outcome of each source and collection; for entries, only of those that were refused.
    pub outcomes: Vec<MutationOutcome>,
}

impl MutationResult {
    /// True if an item was not done.
    pub fn is_partial(&self) -> bool {
        self.outcomes.iter().any(|outcome| !outcome.ok)
    }

    /// True if an item is still pending.
    pub(super) fn is_pending(&self) -> bool {
        self.outcomes.iter().any(MutationOutcome::is_pending)
    }
}

/// Outcome of one item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationOutcome {
    /// Id of the object; none if it does not exist yet.
    pub id: Option<i64>,
    /// Address to follow.
    pub url: Option<String>,
    pub ok: bool,
    /// Error code; none if `ok`.
    pub code: Option<String>,
}

impl MutationOutcome {
    /// Code of an item that no longer matches the selection.
    pub(super) const CHANGED: &'static str = "changed";
    /// Code of an item that a job still processes.
    const PENDING: &'static str = "pending";

    /// The item was changed.
    pub(super) fn done(id: i64) -> Self {
        Self { id: Some(id), url: None, ok: true, code: None }
    }

    /// The item was skipped, with a code.
    pub(super) fn skipped(id: i64, why: &str) -> Self {
        Self { id: Some(id), url: None, ok: false, code: Some(why.to_owned()) }
    }

    /// The item was refused.
    pub(super) fn refused(id: Option<i64>, code: Code) -> Self {
        Self { id, url: None, ok: false, code: Some(code.as_str().to_owned()) }
    }

    /// A job still has to discover the feed at this address.
    pub(super) fn pending(url: &str) -> Self {
        Self { id: None, url: Some(url.to_owned()), ok: false, code: Some(Self::PENDING.to_owned()) }
    }

    /// Adds an address to the outcome.
    pub(super) fn of_url(self, url: &str) -> Self {
        Self { url: Some(url.to_owned()), ..self }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.code.as_deref() == Some(Self::PENDING)
    }
}
