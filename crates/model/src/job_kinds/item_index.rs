//! Job that updates the index of an account's items for the search by meaning.

use articles::worker_tools::Tools;
use jobs::{Claimed, DueSource, Job, JobContext, JobError, JobKind, JobOutcome};

use crate::{item_index_job, item_index_queue};

/// Updates the index of one account.
#[derive(Clone)]
pub struct ItemIndexJob {
    tools: Tools,
}

impl Job for ItemIndexJob {
    const KIND: JobKind = JobKind::ItemIndex;
    type Tools = Tools;

    fn new(tools: &Tools) -> Self {
        Self { tools: tools.clone() }
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM model_item_index WHERE due_at <= {due})",
            claim: |engine| Box::pin(item_index_queue::claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(item_index_job::run(context.domain(), self.tools.model.as_ref(), &claimed).await?.into())
    }
}
