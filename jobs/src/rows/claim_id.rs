//! Identity of a claim.

use entities::ids::JobId;

use super::batches::CompletedClaim;

/// Identity of a worker's claim: job, fence, and claim name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimId {
    pub id: JobId,
    pub fence: i64,
    /// Name of the claim.
    pub worker: String,
}

impl From<&CompletedClaim> for ClaimId {
    fn from(end: &CompletedClaim) -> Self {
        Self { id: end.id, fence: end.fence, worker: end.worker.clone() }
    }
}
