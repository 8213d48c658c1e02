//! A job that a worker has.

use entities::ids::JobId;

use super::kind::{JobKind, Priority};
use super::place::Place;
use kernel::clock::Millis;
use kernel::error::{Error, Result};

/// A job in the hands of a worker: the right to write its effect, as long as the fence holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Its id.
    pub id: JobId,
    /// What kind of work.
    pub kind: JobKind,
    /// What it is about.
    pub key: String,
    /// JSON text of ids.
    pub payload: String,
    /// How urgent.
    pub priority: Priority,
    /// Which start this is, from 1.
    pub attempt: u32,
    /// This claim's number.
    pub fence: i64,
    /// Who made this claim. The number alone may be given out twice when a database lost its last commits.
    pub worker: String,
    /// When it became due.
    pub run_at: Millis,
    /// When it was submitted.
    pub created_at: Millis,
    /// The request that asked for it.
    pub request_id: Option<String>,
    /// The place that it takes up in its worker.
    pub place: Place,
}

impl Claimed {
    /// The payload as the type that was submitted.
    ///
    /// # Errors
    /// `Internal` when the payload is of another shape: an old row met newer code.
    pub fn arguments<T: serde::de::DeserializeOwned>(&self) -> Result<T> {
        parse_payload(&self.payload)
    }

    /// The same claim, in a worker's place.
    #[must_use]
    pub fn in_place(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// Whether an error now is the last word, because no start is left.
    pub fn is_last_attempt(&self) -> bool {
        self.attempt >= self.kind.rules().max_attempts
    }
}

pub(super) fn parse_payload<T: serde::de::DeserializeOwned>(payload: &str) -> Result<T> {
    serde_json::from_str(payload).map_err(Error::internal)
}
