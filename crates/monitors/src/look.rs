//! Observes a source: reads the fetched body, with the parts that a sitemap names. If the source differs for
//! the first time, it is fetched twice more to learn which parts of it always differ. Nothing is evaluated
//! yet.

use std::sync::Arc;

use extract::watch::{self, Masks, Observation, Snapshot, Target, Truths, Warning};
use fetch::{Bytes, Pace};

use super::evaluate;
use super::fetch::{FetchOutcome, FetchedBody, RunContext, SourceResponse};
use super::memory::Memory;
use super::monitor::TargetType;
use super::observe::{MOST_PARTS, NotObserved, Observer};
use super::outcome::{RunError, postponed};
use super::{previous, warnings};
use articles::worker::Tools;
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Number of snapshots that noise is learned from.
const LEARNED_FROM: usize = 3;
/// Maximum size of a body that is stored for sharing, before compression.
const MOST_SHARED_BYTES: usize = 8 << 20;
/// zstd level: fast, because bodies are stored for a short time only.
const LEVEL: i32 = 1;

/// Result of observing a source.
#[derive(Default)]
pub(super) struct Looked {
    pub(super) sight: Sight,
    pub(super) answered: Option<SourceResponse>,
    /// Hash of the observed body; 0 if the next run must evaluate the body even if it is the same.
    pub(super) body_hash: Option<i64>,
    /// The compressed body, to be shared.
    pub(super) shared_body: Option<Vec<u8>>,
    /// Noise masks that were learned.
    pub(super) learned: Option<Masks>,
}

/// Observed content.
#[derive(Clone, Default)]
pub(super) enum Sight {
    /// The same content as at the last check.
    #[default]
    Same,
    Content(Arc<Observation>),
    /// Nothing that could be evaluated.
    Failed(RunError),
}

/// Observes what was fetched.
///
/// # Errors
/// `Unavailable` and `Internal` if the fault is our own.
pub(super) async fn look(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
    fetched: FetchOutcome,
) -> Result<Looked> {
    match fetched {
        FetchOutcome::Exhausted => Ok(Looked::failed(RunError::exhausted())),
        FetchOutcome::Postponed => Err(postponed()),
        FetchOutcome::Failed(failed) => Ok(Looked::failed(failed)),
        FetchOutcome::Same(answered) => Ok(Looked { answered: Some(answered), ..Looked::default() }),
        FetchOutcome::Body(fresh) => look_at_body(domain, tools, context, fresh).await,
    }
}

async fn look_at_body(
    domain: &Domain,
    tools: &Tools,
    context: &RunContext,
    fresh: FetchedBody,
) -> Result<Looked> {
    let FetchedBody { body, hash, mut answered } = fresh;
    let is_fresh = answered.fetched.is_some();
    let shared_body = if context.is_of_a_shared_address() && is_fresh && body.bytes.len() <= MOST_SHARED_BYTES
    {
        Some(zstd::bulk::compress(&body.bytes, LEVEL).map_err(Error::internal)?)
    } else {
        None
    };
    if let Some(fetched) = &mut answered.fetched {
        // The bytes go to the sandbox; only their metadata is needed from here on.
        fetched.body = Bytes::new();
    }
    let observer = context.observer(tools);
    let seen = match observer.read(body).await {
        Ok(seen) => whole(&observer, seen).await,
        Err(missed) => Err(missed),
    };
    let looked = Looked { answered: Some(answered), body_hash: Some(hash), shared_body, ..Looked::default() };
    let seen = match seen {
        Ok(seen) if seen.can_be_judged() => seen,
        Ok(_) => return Ok(looked.but(RunError::unusable(Code::SourceInvalidResponse))),
        Err(missed) => return Ok(looked.but(failure_of(missed)?)),
    };
    // Parts of a sitemap may change while the index that names them does not.
    let has_parts = !seen.sitemaps.is_empty();
    let learned = if is_fresh && !has_parts && wants_to_learn(domain, context, &seen.snapshot).await? {
        learn(&observer, &context.row.target_url, &seen.snapshot).await?
    } else {
        None
    };
    let body_hash = Some(if has_parts { 0 } else { hash });
    Ok(Looked { sight: Sight::Content(Arc::new(seen)), body_hash, learned, ..looked })
}

/// Failure of a source that answered without anything to evaluate.
///
/// # Errors
/// `Unavailable` if the failure is our own.
fn failure_of(missed: NotObserved) -> Result<RunError> {
    match missed {
        NotObserved::Unusable(failed) => Ok(failed),
        NotObserved::Unavailable(error) => Err(error),
        NotObserved::Fetch(fetch::Error::Busy { .. }) => Err(postponed()),
        // A part could not be fetched, so nothing can be said about the whole.
        NotObserved::Fetch(error) => {
            let host_pause = RunError::of(&error).host_pause;
            Ok(RunError { host_pause, ..RunError::unusable(Code::SourceInvalidResponse) })
        }
    }
}

/// Reads the parts that a sitemap names and merges them on a blocking thread, because sorting so many URLs
/// takes time. If a part is missing or unusable, the whole is unusable.
async fn whole(observer: &Observer<'_>, mut seen: Observation) -> Result<Observation, NotObserved> {
    let observer = Observer { pace: Pace::Background, ..*observer };
    let mut whole = std::mem::replace(&mut seen.snapshot, Snapshot::Urls(Vec::new()));
    for part in seen.sitemaps.iter().take(MOST_PARTS).cloned().collect::<Vec<_>>() {
        let part = match observer.look(&part.url).await {
            Ok(part) if part.can_be_judged() => part,
            Ok(_) | Err(NotObserved::Unusable(_)) => {
                return Err(NotObserved::Unusable(RunError::unusable(Code::SourceInvalidResponse)));
            }
            Err(missed @ (NotObserved::Fetch(_) | NotObserved::Unavailable(_))) => return Err(missed),
        };
        // Parts that are named by a part are not followed.
        if !part.sitemaps.is_empty() && !seen.warnings.contains(&Warning::PartsNotWatched) {
            seen.warnings.push(Warning::PartsNotWatched);
        }
        let joined = tokio::task::spawn_blocking(move || {
            whole.absorb(part.snapshot);
            whole
        });
        whole = joined.await.map_err(|error| NotObserved::Unavailable(Error::internal(error)))?;
    }
    Ok(Observation { snapshot: whole, ..seen })
}

/// Whether noise is to be learned: the source differs from its baseline, and noise was not learned yet. What
/// the user chose by fields, by a selector, or by the value of the trigger is never noise.
async fn wants_to_learn(domain: &Domain, context: &RunContext, seen: &Snapshot) -> Result<bool> {
    let is_named = context.kind == TargetType::Extract
        || matches!(&context.definition.target, Target::Page { selector: Some(_) })
        || Truths::has(&context.definition.trigger);
    if is_named || context.row.baseline_hash.is_none() {
        return Ok(false);
    }
    if !Memory::read(&context.row.masks).wants_to_learn() {
        return Ok(false);
    }
    let before = previous::load(domain, &context.row).await?;
    if before.baseline.is_none() {
        return Ok(false);
    }
    let (definition, seen) = (context.definition.clone(), seen.clone());
    let differs = tokio::task::spawn_blocking(move || evaluate::differs(&definition, &before, &seen));
    differs.await.map_err(Error::internal)
}

/// Fetches the source twice more at once. What differs in all of three snapshots within seconds is noise; an
/// edit by a person is not. If the source does not answer as before, noise is learned at the next difference.
async fn learn(observer: &Observer<'_>, url: &str, seen: &Snapshot) -> Result<Option<Masks>> {
    let mut looks = vec![seen.clone()];
    while looks.len() < LEARNED_FROM {
        match observer.look(url).await {
            Ok(look) if look.can_be_judged() => looks.push(look.snapshot),
            Err(NotObserved::Unavailable(error)) => return Err(error),
            Ok(_) | Err(NotObserved::Fetch(_) | NotObserved::Unusable(_)) => return Ok(None),
        }
    }
    let learned = tokio::task::spawn_blocking(move || watch::learn(&looks.iter().collect::<Vec<_>>()));
    learned.await.map(Some).map_err(Error::internal)
}

/// A run whose source was observed.
pub(super) struct Seen {
    pub(super) context: RunContext,
    pub(super) looked: Looked,
}

impl Looked {
    /// Codes of the warnings about the observed content.
    pub(super) fn warnings(&self) -> Vec<String> {
        match &self.sight {
            Sight::Content(seen) => seen.warnings.iter().copied().filter_map(warnings::word).collect(),
            Sight::Same | Sight::Failed(_) => Vec::new(),
        }
    }

    /// Why nothing could be evaluated.
    pub(super) fn failure(&self) -> Option<&RunError> {
        match &self.sight {
            Sight::Failed(failed) => Some(failed),
            Sight::Same | Sight::Content(_) => None,
        }
    }

    /// Observation that failed before a response was received.
    pub(super) fn failed(failed: RunError) -> Self {
        Self { sight: Sight::Failed(failed), ..Self::default() }
    }

    /// The same observation with unusable content.
    fn but(self, failed: RunError) -> Self {
        Self { sight: Sight::Failed(failed), ..self }
    }
}
