//! Result of a mutation.

use serde::{Deserialize, Serialize};

use kernel::Code;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationResult {
    /// Number of changed objects.
    pub affected: i64,
    /// Outcomes of all sources and collections. For entries, only the outcomes of refused entries.
    pub outcomes: Vec<MutationOutcome>,
}

impl MutationResult {
    /// Returns true if an item was not changed.
    pub fn is_partial(&self) -> bool {
        self.outcomes.iter().any(|outcome| !outcome.ok)
    }

    /// Returns true if an item is still pending.
    pub(super) fn is_pending(&self) -> bool {
        self.outcomes.iter().any(MutationOutcome::is_pending)
    }
}

/// Outcome of one item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationOutcome {
    /// Id of the object. `None` if the object does not exist yet.
    pub id: Option<i64>,
    /// Address to follow.
    pub url: Option<String>,
    pub ok: bool,
    /// Error code. `None` if `ok` is true.
    pub code: Option<String>,
}

impl MutationOutcome {
    /// Code for an item that no longer matches the selection.
    pub(super) const CHANGED: &'static str = "changed";
    /// Code for an item that a job still processes.
    const PENDING: &'static str = "pending";

    /// Creates the outcome of a changed item.
    pub(super) fn done(id: i64) -> Self {
        Self { id: Some(id), url: None, ok: true, code: None }
    }

    /// Creates the outcome of an item that was skipped. `why` is the code of the reason.
    pub(super) fn skipped(id: i64, why: &str) -> Self {
        Self { id: Some(id), url: None, ok: false, code: Some(why.to_owned()) }
    }

    /// Creates the outcome of a refused item.
    pub(super) fn refused(id: Option<i64>, code: Code) -> Self {
        Self { id, url: None, ok: false, code: Some(code.as_str().to_owned()) }
    }

    /// Creates the outcome of an address whose feed a job still has to discover.
    pub(super) fn pending(url: &str) -> Self {
        Self { id: None, url: Some(url.to_owned()), ok: false, code: Some(Self::PENDING.to_owned()) }
    }

    /// Adds the address to the outcome.
    pub(super) fn of_url(self, url: &str) -> Self {
        Self { url: Some(url.to_owned()), ..self }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.code.as_deref() == Some(Self::PENDING)
    }
}
