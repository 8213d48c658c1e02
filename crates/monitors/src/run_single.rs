//! Executes a job with a single run: observes its source, evaluates the content, and commits the result with
//! the completion of the job. Also commits runs of a batch that need their own transaction.

use super::args::MonitorRunArgs;
use super::commit::{Committed, FinishedRun, commit_run};
use super::fetch::RunContext;
use super::observation::{self, SourceObservation};
use super::result::{self, RunResult};
use super::{rendering_rules, screenshots};
use articles::worker_tools::Tools;
use jobs::{Claimed, Submitted};
use kernel::{Domain, Error, Result};

/// Maximum number of evaluations of an observation if the monitor is changed repeatedly in the meantime.
const MAX_EVALUATIONS: usize = 5;

/// Executes the run of a job that has a single run. If the run needs a browser, returns the job that executes
/// it instead.
///
/// # Errors
/// Returns an error if the result cannot be committed. In that case, nothing was charged.
pub(super) async fn run_single(
    domain: &Domain,
    tools: &Tools,
    claimed: &Claimed,
    args: MonitorRunArgs,
) -> Result<Vec<Submitted>> {
    let context = RunContext::load(domain, args).await?;
    let Some(context) = context.filter(|context| !(claimed.kind.needs_browser() && is_done(context))) else {
        jobs::complete(domain, claimed).await?;
        return Ok(Vec::new());
    };
    if !claimed.kind.needs_browser() && rendering_rules::needs_browser(domain, &context.definition) {
        return move_to_browser(domain, claimed, &context).await;
    }
    let observation = observation::observe(domain, tools, &context).await?;
    evaluate_and_commit(domain, Some(claimed), context, &observation).await?;
    Ok(Vec::new())
}

/// True if the monitor was checked after the due time of its run, while the run waited for a browser. Another run
/// would be charged again.
fn is_done(context: &RunContext) -> bool {
    let since_due = context.args.due_at..=context.started_at;
    !context.args.by_hand && context.row.last_run_at.is_some_and(|last| since_due.contains(&last))
}

/// Stores the screenshot of a snapshot that is committed next. If it cannot be stored, the change is reported
/// without it.
async fn store_screenshot(
    domain: &Domain,
    context: &RunContext,
    observation: &SourceObservation,
    result: &RunResult,
) {
    let (Some(screenshot), Some(evaluation)) = (&observation.screenshot, &result.evaluation) else { return };
    let hash = evaluation.observed_hash.as_str();
    if !evaluation.contents.iter().any(|content| content.hash == hash) {
        return;
    }
    if let Err(error) = screenshots::store(domain, &context.row, &context.plan, (hash, screenshot)).await {
        tracing::warn!(%error, monitor = %context.row.id, "screenshot of a monitor not stored");
    }
}

/// Completes a job and submits the job that executes its run in a browser.
async fn move_to_browser(domain: &Domain, claimed: &Claimed, context: &RunContext) -> Result<Vec<Submitted>> {
    let job = context.args.browser_job(context.row.account_id)?;
    let transaction = domain.db().begin().await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    let submitted = jobs::submit_all(&transaction, domain, &[job]).await?;
    transaction.commit().await?;
    Ok(submitted.into_iter().flatten().collect())
}

/// Evaluates an observation and commits the result. Completes the job `claimed` if this is its last run.
///
/// # Errors
/// Returns an error if the result cannot be committed. In that case, nothing was charged.
pub(super) async fn evaluate_and_commit(
    domain: &Domain,
    claimed: Option<&Claimed>,
    mut context: RunContext,
    observation: &SourceObservation,
) -> Result<()> {
    for _ in 0..MAX_EVALUATIONS {
        let result = result::evaluate_observation(domain, &context, observation).await?;
        store_screenshot(domain, &context, observation, &result).await;
        let run = FinishedRun { claimed, context: &context, observation, result };
        match commit_run(domain, run).await? {
            Committed::Written(_) => return Ok(()),
            // The monitor was changed since the evaluation.
            Committed::Conflict(row) => context = context.with_row(*row)?,
        }
    }
    Err(Error::internal("monitor kept changing while its run was committed"))
}
