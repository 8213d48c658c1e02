//! What came of a mutation.

use serde::{Deserialize, Serialize};

use kernel::code::Code;

/// What came of a mutation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutationResult {
    /// How much was changed.
    pub affected: i64,
    /// What came of each source and collection; of entries, what was refused.
    pub outcomes: Vec<Outcome>,
}

impl MutationResult {
    /// Whether something that was asked for was not done.
    pub fn is_partial(&self) -> bool {
        self.outcomes.iter().any(|outcome| !outcome.ok)
    }

    /// Whether something is still being found out.
    pub(super) fn is_pending(&self) -> bool {
        self.outcomes.iter().any(Outcome::is_pending)
    }
}

/// What came of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its id; none of what is not there yet.
    pub id: Option<i64>,
    /// The address that was to be followed.
    pub url: Option<String>,
    /// It was done.
    pub ok: bool,
    /// Why not.
    pub code: Option<String>,
}

impl Outcome {
    /// It does not fulfil any more what it was chosen by.
    pub(super) const CHANGED: &'static str = "changed";
    /// It is still being found out.
    const PENDING: &'static str = "pending";

    /// It was done.
    pub(super) fn done(id: i64) -> Self {
        Self { id: Some(id), url: None, ok: true, code: None }
    }

    /// It was left as it is, for a reason in one word.
    pub(super) fn left(id: i64, why: &str) -> Self {
        Self { id: Some(id), url: None, ok: false, code: Some(why.to_owned()) }
    }

    /// It was refused.
    pub(super) fn refused(id: Option<i64>, code: Code) -> Self {
        Self { id, url: None, ok: false, code: Some(code.as_str().to_owned()) }
    }

    /// It is being found out what is at this address.
    pub(super) fn pending(url: &str) -> Self {
        Self { id: None, url: Some(url.to_owned()), ok: false, code: Some(Self::PENDING.to_owned()) }
    }

    /// The same, about an address.
    pub(super) fn of_url(self, url: &str) -> Self {
        Self { url: Some(url.to_owned()), ..self }
    }

    /// Whether it is still being found out.
    pub(super) fn is_pending(&self) -> bool {
        self.code.as_deref() == Some(Self::PENDING)
    }
}
