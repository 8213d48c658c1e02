//! What a claim is known by.

use entities::ids::JobId;

use super::batches::End;

/// The claim of a worker: the job, the claim's number and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The job.
    pub id: JobId,
    /// The claim's number.
    pub fence: i64,
    /// The claim's name.
    pub worker: String,
}

impl From<&End> for Mark {
    fn from(end: &End) -> Self {
        Self { id: end.id, fence: end.fence, worker: end.worker.clone() }
    }
}
