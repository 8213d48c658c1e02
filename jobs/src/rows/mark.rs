//! Identity of a claim.

use entities::ids::JobId;

use super::batches::End;

/// Identity of a worker's claim: job, fence, and claim name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub id: JobId,
    pub fence: i64,
    /// Name of the claim.
    pub worker: String,
}

impl From<&End> for Mark {
    fn from(end: &End) -> Self {
        Self { id: end.id, fence: end.fence, worker: end.worker.clone() }
    }
}
