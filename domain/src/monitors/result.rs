//! What a run came to: the body is read, the parts that a sitemap names with it,
//! and evaluated against what was seen before, away from the async threads.

use std::sync::Arc;

use extract::watch::{Observation, Snapshot};
use fetch::{Bytes, Pace};

use super::TargetType;
use super::evaluate::{self, Baseline, Evaluation, NoiseModel, Previous};
use super::fetch::{FetchOutcome, FetchedBody, RunContext, SourceResponse};
use super::observe::{NotObserved, Observer};
use super::outcome::{Outcome, RunError, postponed};
use super::rows::find_snapshot;
use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::worker::Tools;

/// Looks that noise is learned from.
const LEARNED_FROM: usize = 3;
/// Parts of a sitemap that are read.
const MOST_PARTS: usize = 50;
/// A body that is shared is kept up to this size, as it came.
const MOST_SHARED_BYTES: usize = 8 << 20;
/// Fast: bodies are kept for a while only.
const LEVEL: i32 = 1;

/// What a run came to, before it is written.
pub(super) struct RunResult {
    pub(super) outcome: Outcome,
    pub(super) failed: Option<RunError>,
    pub(super) answered: Option<SourceResponse>,
    /// Hash of the body that was looked at; 0 when the next run shall look again whatever it is.
    pub(super) body_hash: Option<i64>,
    /// The body as it is shared.
    pub(super) shared_body: Option<Vec<u8>>,
    pub(super) evaluation: Option<Evaluation>,
}

/// What a run comes to by what was fetched.
pub(super) async fn result_of(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
    fetched: FetchOutcome,
) -> Result<RunResult> {
    match fetched {
        FetchOutcome::Exhausted => Ok(RunResult::error(RunError::exhausted())),
        FetchOutcome::Postponed => Err(postponed()),
        FetchOutcome::Failed(failed) => Ok(RunResult::error(failed)),
        FetchOutcome::Same(answered) => {
            Ok(RunResult { answered: Some(answered), ..RunResult::of(Outcome::Unchanged) })
        }
        FetchOutcome::Body(fresh) => result_of_body(domain, tools, context, fresh).await,
    }
}

async fn result_of_body(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
    fresh: FetchedBody,
) -> Result<RunResult> {
    let FetchedBody { body, hash, mut answered } = fresh;
    let is_fresh = answered.fetched.is_some();
    let shared_body = if context.subscriber_count > 1 && is_fresh && body.bytes.len() <= MOST_SHARED_BYTES {
        Some(zstd::bulk::compress(&body.bytes, LEVEL).map_err(Error::internal)?)
    } else {
        None
    };
    if let Some(fetched) = &mut answered.fetched {
        // The bytes go to the child process; only what was said about them is needed from here on.
        fetched.body = Bytes::new();
    }
    let observer = context.observer(tools);
    let seen = match observer.read(body).await {
        Ok(seen) => whole(&observer, seen, &mut answered).await,
        Err(missed) => Err(missed),
    };
    let seen = match seen {
        Ok(seen) => seen,
        Err(missed) => {
            let (failed, answered) = (failure_of(missed)?, Some(answered));
            return Ok(RunResult {
                body_hash: Some(hash),
                shared_body,
                answered,
                ..RunResult::error(failed)
            });
        }
    };
    // The parts of a sitemap may change while the index that names them does not.
    let has_parts = !seen.sitemaps.is_empty();
    let seen = Arc::new(seen.snapshot);
    let mut before = before(domain, context).await?;
    if is_fresh && !has_parts && wants_to_learn(context, &before, &seen).await? {
        learn(&observer, &context.row.target_url, &mut before.memory, &seen).await?;
        before.recent.clear();
    }
    let (definition, kind) = (context.definition.clone(), context.kind);
    let evaluation =
        tokio::task::spawn_blocking(move || evaluate::evaluate(&definition, kind, before, &seen));
    let evaluation = match evaluation.await.map_err(Error::internal)? {
        Ok(evaluation) => evaluation,
        Err(error) => {
            tracing::warn!(%error, "what a monitor saw is too much to be kept");
            let (failed, answered) = (RunError::unusable(Code::ContentTooLarge), Some(answered));
            return Ok(RunResult {
                body_hash: Some(hash),
                shared_body,
                answered,
                ..RunResult::error(failed)
            });
        }
    };
    Ok(RunResult {
        outcome: evaluation.outcome,
        failed: None,
        answered: Some(answered),
        body_hash: Some(if has_parts { 0 } else { hash }),
        shared_body,
        evaluation: Some(evaluation),
    })
}

/// The failure of a source that answered, and in which there is nothing to weigh.
///
/// # Errors
/// `Unavailable` when it is our own.
fn failure_of(missed: NotObserved) -> Result<RunError> {
    match missed {
        NotObserved::Unusable(failed) => Ok(failed),
        NotObserved::Unavailable(error) => Err(error),
        NotObserved::Fetch(fetch::Error::Busy { .. }) => Err(postponed()),
        // A part could not be had; the index that names it had answered, and may name others next time.
        NotObserved::Fetch(error) => Ok(RunError { is_final: false, answered: true, ..RunError::of(&error) }),
    }
}

/// Reads the parts that a sitemap names. They are put together away from the async threads: sorting so
/// many addresses takes its time.
async fn whole(
    observer: &Observer<'_>,
    mut seen: Observation,
    answered: &mut SourceResponse,
) -> Result<Observation, NotObserved> {
    let observer = Observer { pace: Pace::Background, ..*observer };
    let mut whole = std::mem::replace(&mut seen.snapshot, Snapshot::Urls(Vec::new()));
    for part in seen.sitemaps.iter().take(MOST_PARTS) {
        let part = match observer.look(&part.url).await {
            Err(missed @ NotObserved::Fetch(_)) => return Err(missed),
            part => {
                answered.is_free = false;
                part?
            }
        };
        let joined = tokio::task::spawn_blocking(move || {
            whole.absorb(part.snapshot);
            whole
        });
        whole = joined.await.map_err(|error| NotObserved::Unavailable(Error::internal(error)))?;
    }
    Ok(Observation { snapshot: whole, ..seen })
}

/// Whether a source differs for the first time, so that it is not known yet what of it always does. Values
/// that a person named are never noise.
async fn wants_to_learn(context: &RunContext, before: &Previous, seen: &Arc<Snapshot>) -> Result<bool> {
    if before.memory.has_learned() || before.baseline.is_none() || context.kind == TargetType::Extract {
        return Ok(false);
    }
    let (definition, before, seen) = (context.definition.clone(), before.clone(), Arc::clone(seen));
    let differs = tokio::task::spawn_blocking(move || evaluate::differs(&definition, &before, &seen));
    differs.await.map_err(Error::internal)
}

/// Looks twice more at once: what differs in each of three looks within seconds is noise; what a person
/// edited is not. When the source does not answer as before, the next difference is learned from.
async fn learn(observer: &Observer<'_>, url: &str, memory: &mut NoiseModel, seen: &Snapshot) -> Result<()> {
    let mut looks = vec![seen.clone()];
    while looks.len() < LEARNED_FROM {
        match observer.look(url).await {
            Ok(look) => looks.push(look.snapshot),
            Err(NotObserved::Unavailable(error)) => return Err(error),
            Err(NotObserved::Fetch(_) | NotObserved::Unusable(_)) => return Ok(()),
        }
    }
    let mut learned = memory.clone();
    let learned = tokio::task::spawn_blocking(move || {
        learned.learn(&looks.iter().collect::<Vec<_>>());
        learned
    });
    *memory = learned.await.map_err(Error::internal)?;
    Ok(())
}

async fn before(domain: &Domain, context: &RunContext) -> Result<Previous> {
    let row = &context.row;
    let baseline = match &row.baseline_hash {
        None => None,
        Some(hash) => find_snapshot(domain.db().read(), row.id, hash)
            .await?
            .map(|snapshot| Baseline { hash: hash.clone(), snapshot }),
    };
    let recent = serde_json::from_str(&row.recent).unwrap_or_default();
    Ok(Previous { baseline, recent, memory: NoiseModel::read(&row.masks), at: domain.now() })
}

impl RunResult {
    fn of(outcome: Outcome) -> Self {
        Self { outcome, failed: None, answered: None, body_hash: None, shared_body: None, evaluation: None }
    }

    /// A run without a look.
    pub(super) fn error(failed: RunError) -> Self {
        Self { failed: Some(failed), ..Self::of(Outcome::Error) }
    }

    /// Whether the source answered in a way that is paid for.
    pub(super) fn is_charged(&self) -> bool {
        match (&self.failed, &self.answered) {
            (_, Some(answered)) => !answered.is_free,
            (Some(failed), None) => failed.answered,
            (None, None) => false,
        }
    }
}
