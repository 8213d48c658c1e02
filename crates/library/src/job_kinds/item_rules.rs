//! Job that applies the rules of an account to saved items.

use articles::worker_tools::Tools;
use jobs::{Claimed, DueSource, JobKind, JobOutcome};

use crate::{rule_queue, rule_run};
use jobs::{Engine, Job, JobContext, JobError};

/// Applies the rules of one account to the items of its queue.
#[derive(Clone)]
pub struct ItemRules;

impl Job for ItemRules {
    const KIND: JobKind = JobKind::ItemRules;
    type Tools = Tools;

    fn new(_tools: &Tools) -> Self {
        Self
    }

    fn due() -> Option<DueSource> {
        Some(DueSource {
            condition: "EXISTS (SELECT 1 FROM library_account WHERE rules_due_at <= {due})",
            claim: |engine| Box::pin(claim_due(engine)),
            further: None,
        })
    }

    async fn run(self, context: JobContext, claimed: Claimed) -> Result<JobOutcome, JobError> {
        Ok(rule_run::run(context.domain(), &claimed).await?.into())
    }
}

/// Submits jobs for accounts whose rules are due. Returns the number of jobs.
async fn claim_due(engine: &Engine) -> kernel::Result<u64> {
    Ok(engine.push_all(&rule_queue::claim_due(engine.domain()).await?).await)
}
