//! A claimed job.

use entities::ids::JobId;

use super::kind::{JobKind, Priority};
use super::slot_permit::SlotPermit;
use kernel::{Error, Millis, Result};

/// A claimed job of a worker. Its effect may be written as long as the fence is current.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    pub id: JobId,
    pub kind: JobKind,
    /// Subject of the job; unique among live jobs of the kind.
    pub key: String,
    /// Ids as JSON text.
    pub payload: String,
    pub priority: Priority,
    /// Number of this attempt, starting at 1.
    pub attempt: u32,
    /// Number of previous attempts whose worker was lost.
    pub lost_starts: u32,
    /// Number of this claim. It grows with each claim of the job.
    pub fence: i64,
    /// Name of this claim. The fence alone may be reused if a database lost its last commits.
    pub worker: String,
    /// Time at which the job became due.
    pub run_at: Millis,
    /// Time of submission.
    pub created_at: Millis,
    /// Id of the request that submitted the job.
    pub request_id: Option<String>,
    /// Slot of the job in its worker.
    pub slot: SlotPermit,
}

impl Claimed {
    /// Parses the payload.
    ///
    /// # Errors
    /// `internal_error` if the payload has another format, for example because an older version wrote it.
    pub fn arguments<T: serde::de::DeserializeOwned>(&self) -> Result<T> {
        parse_payload(&self.payload)
    }

    /// Sets the worker slot.
    #[must_use]
    pub fn with_slot(self, slot: SlotPermit) -> Self {
        Self { slot, ..self }
    }

    /// Returns true if an error of this attempt is final. Attempts whose worker was lost do not count.
    pub fn is_last_attempt(&self) -> bool {
        self.attempt.saturating_sub(self.lost_starts) >= self.kind.rules().max_attempts
    }
}

pub(super) fn parse_payload<T: serde::de::DeserializeOwned>(payload: &str) -> Result<T> {
    serde_json::from_str(payload).map_err(Error::internal)
}
