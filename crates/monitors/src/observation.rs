//! Observes a source: reads the fetched body, and the parts that a sitemap lists. If the source differs for
//! the first time, it is fetched two more times to learn which texts differ between fetches. This module does
//! not evaluate the content.

use std::sync::Arc;

use entities::monitor;
use extract::watch::{self, Masks, Observation, ObservationWarning, Snapshot, Target, Truths};
use fetch::{Bytes, Pace};

use super::cookie_jar;
use super::evaluate;
use super::fetch::{FetchedBody, RunContext, SourceFetchOutcome, SourceResponse};
use super::memory::Memory;
use super::monitor::TargetType;
use super::observer::{MAX_PARTS, NotObserved, Observer};
use super::outcome::{RunError, postponed};
use super::stored_snapshots::{self, RequiredSnapshots};
use super::warnings;
use articles::worker_tools::Tools;
use kernel::{Code, Domain, Error, Result};

/// Number of snapshots from which noise is learned.
const LEARNING_SNAPSHOTS: usize = 3;
/// Maximum size, in bytes before compression, of a body that is stored for other monitors.
const MAX_SHARED_BYTES: usize = 8 << 20;
/// Compression level of zstd. It is fast, because bodies are stored only for a short time.
const LEVEL: i32 = 1;

/// Result of observing a source.
#[derive(Default)]
pub(super) struct SourceObservation {
    pub(super) content: ObservedContent,
    pub(super) answered: Option<SourceResponse>,
    /// Hash of the observed body. 0 if the next run must evaluate the body even if it is unchanged.
    pub(super) body_hash: Option<i64>,
    /// Compressed body for other monitors of the same URL. `None` if it is not shared.
    pub(super) shared_body: Option<Vec<u8>>,
    /// Learned noise masks. `None` if no noise was learned.
    pub(super) learned: Option<Masks>,
    /// Screenshot that was observed.
    pub(super) screenshot: Option<Bytes>,
}

#[derive(Clone, Default)]
pub(super) enum ObservedContent {
    /// The content is the same as at the last check.
    #[default]
    Same,
    Content(Arc<Observation>),
    /// There is no content to evaluate.
    Failed(RunError),
}

/// Fetches and observes the source of a run.
///
/// # Errors
/// `Unavailable` and `Internal` if this service caused the failure.
pub(super) async fn observe(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
) -> Result<SourceObservation> {
    let outcome = context.fetch(tools).await?;
    if let Some(cookies) = outcome.cookies().filter(|cookies| **cookies != context.cookies) {
        cookie_jar::store(domain, &context.row, cookies).await?;
    }
    match outcome {
        SourceFetchOutcome::Exhausted => Ok(SourceObservation::failed(RunError::exhausted())),
        SourceFetchOutcome::Postponed => Err(postponed()),
        SourceFetchOutcome::Failed(failed) => Ok(SourceObservation::failed(failed)),
        SourceFetchOutcome::Same(answered) => {
            Ok(SourceObservation { answered: Some(answered), ..SourceObservation::default() })
        }
        SourceFetchOutcome::Body(fresh) => observe_body(domain, tools, context, fresh).await,
    }
}

async fn observe_body(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
    fresh: FetchedBody,
) -> Result<SourceObservation> {
    let FetchedBody { body, hash, mut answered } = fresh;
    let is_fresh = answered.fetched.is_some();
    let shared_body = if context.shares_address() && is_fresh && body.bytes.len() <= MAX_SHARED_BYTES {
        Some(zstd::bulk::compress(&body.bytes, LEVEL).map_err(Error::internal)?)
    } else {
        None
    };
    if let Some(fetched) = &mut answered.fetched {
        // The bytes are sent to the sandbox; only their metadata is needed below.
        fetched.body = Bytes::new();
    }
    let screenshot = (context.kind == TargetType::Visual).then(|| body.bytes.clone());
    let observer = context.observer(tools);
    let read = observer.read(body).await;
    if let Some(fetched) = &mut answered.fetched {
        // The requests below may need a permit of their own.
        fetched.release_body();
    }
    let seen = match read {
        Ok(seen) => merge_parts(&observer, seen).await,
        Err(missed) => Err(missed),
    };
    let observation = SourceObservation {
        answered: Some(answered),
        body_hash: Some(hash),
        shared_body,
        screenshot,
        ..SourceObservation::default()
    };
    let seen = match seen {
        Ok(seen) if seen.is_complete() => seen,
        Ok(_) => return Ok(observation.with_failure(RunError::unusable(Code::SourceInvalidResponse))),
        Err(missed) => return Ok(observation.with_failure(failure_of(missed)?)),
    };
    // Parts of a sitemap may change although the index that lists them does not.
    let has_parts = !seen.sitemaps.is_empty();
    let learned = if is_fresh && !has_parts && should_learn(domain, context, &seen).await? {
        learn(&observer, &context.row.target_url, &seen.snapshot).await?
    } else {
        None
    };
    let body_hash = Some(if has_parts { 0 } else { hash });
    Ok(SourceObservation {
        content: ObservedContent::Content(Arc::new(seen)),
        body_hash,
        learned,
        ..observation
    })
}

/// Converts the reason why a source was not observed to a failure of the run.
///
/// # Errors
/// `Unavailable` if this service caused the failure.
fn failure_of(missed: NotObserved) -> Result<RunError> {
    match missed {
        NotObserved::Unusable(failed) => Ok(failed),
        NotObserved::Unavailable(error) => Err(error),
        NotObserved::Fetch(fetch::Error::Busy { .. }) => Err(postponed()),
        // If a part could not be fetched, the whole sitemap cannot be evaluated.
        NotObserved::Fetch(error) => {
            let host_pause = RunError::of(&error).host_pause;
            Ok(RunError { host_pause, ..RunError::unusable(Code::SourceInvalidResponse) })
        }
    }
}

/// Reads the parts that a sitemap lists and merges them on a blocking thread, because sorting many URLs takes
/// time. If a part is missing or unusable, the whole sitemap is treated as missing or unusable.
async fn merge_parts(observer: &Observer<'_>, mut seen: Observation) -> Result<Observation, NotObserved> {
    let observer = observer.at_pace(Pace::Background);
    let mut merged = std::mem::replace(&mut seen.snapshot, Snapshot::Urls(Vec::new()));
    for part in seen.sitemaps.iter().take(MAX_PARTS).cloned().collect::<Vec<_>>() {
        let part = match observer.observe(&part.url).await {
            Ok(part) if part.is_comparable() => part,
            Ok(_) | Err(NotObserved::Unusable(_)) => {
                return Err(NotObserved::Unusable(RunError::unusable(Code::SourceInvalidResponse)));
            }
            Err(missed @ (NotObserved::Fetch(_) | NotObserved::Unavailable(_))) => return Err(missed),
        };
        // Parts that are listed by a part are not fetched.
        if !part.sitemaps.is_empty() && !seen.warnings.contains(&ObservationWarning::PartsNotWatched) {
            seen.warnings.push(ObservationWarning::PartsNotWatched);
        }
        let joined = tokio::task::spawn_blocking(move || {
            merged.absorb(part.snapshot);
            merged
        });
        merged = joined.await.map_err(|error| NotObserved::Unavailable(Error::internal(error)))?;
    }
    Ok(Observation { snapshot: merged, ..seen })
}

/// True if noise must be learned: the source differs from its baseline, and no noise was learned yet. Content
/// that the user selected by fields, by a selector, or by the value of the trigger is never noise.
async fn should_learn(domain: &Domain, context: &RunContext, seen: &Observation) -> Result<bool> {
    let is_named = context.kind.has_values()
        || context.kind == TargetType::Visual
        || matches!(&context.definition.target, Target::Page { selector: Some(_) })
        || Truths::has(&context.definition.trigger);
    if is_named || context.row.baseline_hash.is_none() {
        return Ok(false);
    }
    if !Memory::read(&context.row.masks).should_learn() {
        return Ok(false);
    }
    let stored = stored_snapshots::load(domain, &context.row, RequiredSnapshots::Baseline).await?;
    let before = stored.previous(&context.row)?;
    if before.baseline.is_none() {
        return Ok(false);
    }
    let (definition, seen) = (context.definition.clone(), seen.clone());
    let differs = tokio::task::spawn_blocking(move || {
        // If the content may not be the watched page, no noise is learned from it.
        let doubt = before.baseline.as_ref().and_then(|known| watch::doubt(&known.snapshot, &seen));
        doubt.is_none() && evaluate::differs(&definition, &before, &seen.snapshot)
    });
    differs.await.map_err(Error::internal)
}

/// Fetches the source two more times immediately. Texts that differ in all three snapshots within seconds are
/// noise, because a person does not edit a page that often. `None` if the source does not respond as before.
/// In that case, noise is learned at the next difference.
async fn learn(observer: &Observer<'_>, url: &str, seen: &Snapshot) -> Result<Option<Masks>> {
    let mut snapshots = vec![seen.clone()];
    while snapshots.len() < LEARNING_SNAPSHOTS {
        match observer.observe(url).await {
            Ok(observed) if observed.is_comparable() => snapshots.push(observed.snapshot),
            Err(NotObserved::Unavailable(error)) => return Err(error),
            Ok(_) | Err(NotObserved::Fetch(_) | NotObserved::Unusable(_)) => return Ok(None),
        }
    }
    let learned = tokio::task::spawn_blocking(move || watch::learn(&snapshots.iter().collect::<Vec<_>>()));
    learned.await.map(Some).map_err(Error::internal)
}

/// Run whose source was observed.
pub(super) struct ObservedRun {
    pub(super) context: RunContext,
    pub(super) observation: SourceObservation,
}

impl SourceObservation {
    /// Codes of the warnings about the rendering of the page and about the observed content, and the step that failed.
    pub(super) fn warnings(&self) -> Vec<String> {
        let failed_step = self.failure().and_then(|failed| failed.step.as_ref());
        let failed_step = failed_step.map(|step| format!("{}:{step}", Code::StepFailed.as_str()));
        let rendering = self.answered.iter().flat_map(|answered| &answered.warnings);
        let observed = match &self.content {
            ObservedContent::Content(seen) => seen.warnings.as_slice(),
            ObservedContent::Same | ObservedContent::Failed(_) => &[],
        };
        let observed = observed.iter().copied().filter_map(warnings::code);
        rendering.map(ToString::to_string).chain(observed).chain(failed_step).collect()
    }

    /// Determines the stored snapshots that are needed to evaluate the content.
    pub(super) fn required_snapshots(&self, row: &monitor::Model) -> RequiredSnapshots {
        match &self.content {
            ObservedContent::Failed(_) => RequiredSnapshots::None,
            ObservedContent::Same if !Memory::read(&row.masks).depends_on_time() => RequiredSnapshots::None,
            ObservedContent::Same => RequiredSnapshots::BaselineAndObserved,
            ObservedContent::Content(_) => RequiredSnapshots::Baseline,
        }
    }

    /// Returns the reason why there is no content to evaluate. `None` if there is content.
    pub(super) fn failure(&self) -> Option<&RunError> {
        match &self.content {
            ObservedContent::Failed(failed) => Some(failed),
            ObservedContent::Same | ObservedContent::Content(_) => None,
        }
    }

    /// Observation of a source that failed before a response was received.
    pub(super) fn failed(failed: RunError) -> Self {
        Self { content: ObservedContent::Failed(failed), ..Self::default() }
    }

    /// Returns the observation with a failure instead of its content.
    fn with_failure(self, failed: RunError) -> Self {
        Self { content: ObservedContent::Failed(failed), ..self }
    }
}
