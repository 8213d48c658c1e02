//! Monitors: runs and previews, each made by a worker.

use domain::Code;
use domain::articles::Address;
use domain::articles::extraction::Reach;
use domain::jobs::JobKind;
use domain::limits::Limits;
use domain::limits::window::State;
use domain::monitors::{self, Definition, Preview, Previewed, Run};
use domain::{AccountId, MonitorId};
use domain::{Error, Result};
use tokio::time::Instant;

use crate::charged::Payer;
use crate::engine::Engine;
use crate::handler::Handler;

/// What a caller whose patience ended should wait before asking again.
const RETRY_SECONDS: u32 = 5;

/// Has a monitor run now; tells the run that begins, or that is under way.
///
/// # Errors
/// `not_found`; `monitor_credits_exhausted`; `Unavailable` when the queue cannot be reached (the run comes
/// all the same).
pub async fn run_now(engine: &Engine, limits: &Limits, account_id: AccountId, id: MonitorId) -> Result<Run> {
    let (run, submitted) = monitors::run_now(engine.domain(), limits, account_id, id).await?;
    engine.push(&submitted).await?;
    Ok(run)
}

/// What a monitor would look at, found by one download until `deadline`, which counts among the account's
/// fresh extractions.
///
/// # Errors
/// The source's failure; `invalid_request`; `fresh_extraction_limit`; `Unavailable` when there is no room,
/// or when the deadline comes first.
pub async fn preview(
    engine: &Engine,
    limits: &Limits,
    payer: Payer,
    (address, definition): (&Address, &Definition),
    deadline: Instant,
) -> Result<(Preview, Vec<State>)> {
    let domain = engine.domain();
    let asked_at = domain.now();
    let hold = limits.hold_fresh(domain, payer.account_id, payer.tier).await?;
    let asked = monitors::ask_preview(domain, payer.account_id, address, definition).await;
    let (key, submitted) = match asked {
        Ok(asked) => asked,
        Err(error) => {
            limits.release(hold).await;
            return Err(error);
        }
    };
    engine.push(&submitted).await?;
    let patience = deadline.saturating_duration_since(Instant::now());
    engine.wait(submitted.id, patience).await?.ok_or_else(late)?;
    match monitors::known_preview(domain, payer.account_id, &key, asked_at).await? {
        Some(Previewed::Found(preview)) => Ok((*preview, hold.states().to_vec())),
        Some(Previewed::Failed { failure, downloaded }) => {
            if !downloaded {
                limits.release(hold).await;
            }
            Err(failure.into())
        }
        None => Err(late()),
    }
}

fn late() -> Error {
    Error::new(Code::ServiceUnavailable, "The source was not read in time. Ask again in a moment.")
        .retry_after(RETRY_SECONDS)
}

/// Carries out one run.
pub(crate) fn run_handler(reach: Reach) -> Handler {
    Handler::new(JobKind::MonitorRun, move |context, claimed| {
        let reach = reach.clone();
        async move { Ok(monitors::run(context.domain(), &reach, &claimed).await?) }
    })
}

/// Makes one preview.
pub(crate) fn preview_handler(reach: Reach) -> Handler {
    Handler::new(JobKind::MonitorPreview, move |context, claimed| {
        let reach = reach.clone();
        async move { Ok(monitors::make_preview(context.domain(), &reach, &claimed).await?) }
    })
}

/// Makes jobs of the monitors that are due.
pub(crate) async fn claim_runs(engine: &Engine) -> Result<u64> {
    let jobs = monitors::claim_due(engine.domain()).await?;
    engine.push_all(&jobs).await?;
    Ok(jobs.len() as u64)
}
