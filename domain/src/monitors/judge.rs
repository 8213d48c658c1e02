//! Judging a look: a body is read in a child process, the parts that a sitemap names with it, and weighed
//! against what was seen before, away from the async threads.

use extract::sandbox::Fault;
use extract::watch::{Observation, ObserveError, ObserveInput, Snapshot};
use fetch::{Pace, Request, RobotsRule};

use super::TargetType;
use super::changes::find_snapshot;
use super::look::{Answered, Body, Failed, Looked, Subject, accept};
use super::weigh::{self, Before, Memory, Weighed};
use crate::articles::extraction::Reach;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// Looks that noise is learned from.
const LEARNED_FROM: usize = 3;
/// Parts of a sitemap that are read.
const MOST_PARTS: usize = 50;
/// A body that is shared is kept up to this size, as it came.
const MOST_SHARED_BYTES: usize = 8 << 20;
/// Fast: bodies are kept for a while only.
const LEVEL: i32 = 1;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The first look, or the first by a new definition.
    Baseline,
    /// Nothing worth telling.
    Unchanged,
    /// A change.
    Changed,
    /// No look.
    Error,
}

impl Outcome {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::Error => "error",
        }
    }
}

/// What a run came to, before it is written.
pub(super) struct Found {
    pub(super) outcome: Outcome,
    pub(super) failed: Option<Failed>,
    pub(super) answered: Option<Answered>,
    /// Hash of the body that was looked at; 0 when the next run shall look again whatever it is.
    pub(super) body_hash: Option<i64>,
    /// The body as it is shared.
    pub(super) shared_body: Option<Vec<u8>>,
    pub(super) weighed: Option<Weighed>,
}

/// Judges what a look gave.
pub(super) async fn judge(
    domain: &Domain,
    reach: &Reach,
    subject: &Subject,
    looked: Looked,
) -> Result<Found> {
    match looked {
        Looked::Exhausted => Ok(Found::error(exhausted(), None)),
        Looked::Postponed => Err(postponed()),
        Looked::Failed(failed) => Ok(Found::error(failed, None)),
        Looked::Same(answered) => Ok(Found { answered: Some(answered), ..Found::of(Outcome::Unchanged) }),
        Looked::Body(body) => weigh_body(domain, reach, subject, body).await,
    }
}

async fn weigh_body(domain: &Domain, reach: &Reach, subject: &Subject, body: Body) -> Result<Found> {
    let Body { bytes, content_type, url, hash, mut answered } = body;
    let shared_body = if subject.sharers > 1 && answered.fetched.is_some() && bytes.len() <= MOST_SHARED_BYTES
    {
        Some(zstd::bulk::compress(&bytes, LEVEL).map_err(Error::internal)?)
    } else {
        None
    };
    if let Some(fetched) = &mut answered.fetched {
        // The bytes go to the child process; only what was said about them is needed from here on.
        fetched.body = fetch::Bytes::new();
    }
    let input = ObserveInput {
        bytes: bytes.into(),
        content_type,
        url: Some(url),
        target: subject.definition.target.clone(),
        ignore: subject.definition.ignore.clone(),
    };
    let observed = observe(reach, subject, input, &mut answered).await?;
    let seen = match observed {
        Ok(seen) => seen,
        Err(failed) => {
            return Ok(Found { body_hash: Some(hash), shared_body, ..Found::error(failed, Some(answered)) });
        }
    };
    // The parts of a sitemap may change while the index that names them does not.
    let body_hash = if seen.sitemaps.is_empty() { hash } else { 0 };
    let mut before = before(domain, subject).await?;
    let is_fresh = answered.fetched.is_some() && seen.sitemaps.is_empty();
    if is_fresh && wants_to_learn(subject, &before, &seen.snapshot).await? {
        learn(reach, subject, &mut before.memory, &seen.snapshot).await?;
        before.recent.clear();
    }
    let (definition, kind) = (subject.definition.clone(), subject.kind);
    let weighed =
        tokio::task::spawn_blocking(move || weigh::weigh(&definition, kind, before, &seen.snapshot));
    let (outcome, weighed) = weighed.await.map_err(Error::internal)??;
    Ok(Found {
        outcome,
        failed: None,
        answered: Some(answered),
        body_hash: Some(body_hash),
        shared_body,
        weighed: Some(weighed),
    })
}

/// Whether a source differs for the first time, so that it is not known yet what of it always does. Values
/// that a person named are never noise.
async fn wants_to_learn(subject: &Subject, before: &Before, seen: &Snapshot) -> Result<bool> {
    if before.memory.has_learned() || before.baseline.is_none() || subject.kind == TargetType::Extract {
        return Ok(false);
    }
    let (definition, before, seen) = (subject.definition.clone(), before.clone(), seen.clone());
    let differs = tokio::task::spawn_blocking(move || weigh::differs(&definition, &before, &seen));
    differs.await.map_err(Error::internal)
}

/// Looks twice more at once: what differs in each of three looks within seconds is noise; what a person
/// edited is not. When the source does not answer as before, the next difference is learned from.
async fn learn(reach: &Reach, subject: &Subject, memory: &mut Memory, seen: &Snapshot) -> Result<()> {
    let mut looks = vec![seen.clone()];
    while looks.len() < LEARNED_FROM {
        let request = Request {
            accept: accept(subject.kind),
            pace: if subject.asked.by_hand { Pace::Interactive } else { Pace::Background },
            robots: RobotsRule::Obey,
            ..Request::page(subject.row.target_url.clone())
        };
        let Ok(fetched) = reach.fetcher.fetch(&request).await else { return Ok(()) };
        let input = ObserveInput {
            bytes: fetched.body.into(),
            content_type: fetched.content_type,
            url: Some(fetched.url.as_str().to_owned()),
            target: subject.definition.target.clone(),
            ignore: subject.definition.ignore.clone(),
        };
        let Ok(look) = read(reach, input).await? else { return Ok(()) };
        looks.push(look.snapshot);
    }
    let mut learned = memory.clone();
    let learned = tokio::task::spawn_blocking(move || {
        learned.learn(&looks.iter().collect::<Vec<_>>());
        learned
    });
    *memory = learned.await.map_err(Error::internal)?;
    Ok(())
}

/// Reads a body in a child process, and the parts that a sitemap names.
async fn observe(
    reach: &Reach,
    subject: &Subject,
    input: ObserveInput,
    answered: &mut Answered,
) -> Result<Result<Observation, Failed>> {
    let (target, ignore) = (input.target.clone(), input.ignore.clone());
    let mut seen = match read(reach, input).await? {
        Ok(seen) => seen,
        Err(failed) => return Ok(Err(failed)),
    };
    for part in seen.sitemaps.iter().take(MOST_PARTS).map(|part| part.url.clone()).collect::<Vec<_>>() {
        let request = Request {
            accept: accept(subject.kind),
            pace: Pace::Background,
            robots: RobotsRule::Obey,
            ..Request::page(part)
        };
        let fetched = match reach.fetcher.fetch(&request).await {
            Ok(fetched) => fetched,
            Err(fetch::Error::Busy { .. }) => return Err(postponed()),
            Err(error) => return Ok(Err(Failed { is_final: false, answered: true, ..Failed::of(&error) })),
        };
        answered.is_free = false;
        let input = ObserveInput {
            bytes: fetched.body.into(),
            content_type: fetched.content_type,
            url: Some(fetched.url.as_str().to_owned()),
            target: target.clone(),
            ignore: ignore.clone(),
        };
        match read(reach, input).await? {
            Ok(part) => seen.snapshot.absorb(part.snapshot),
            Err(failed) => return Ok(Err(failed)),
        }
    }
    Ok(Ok(seen))
}

/// Reads one body in a child process.
///
/// # Errors
/// `Unavailable` when no child can be had.
pub(super) async fn read(reach: &Reach, input: ObserveInput) -> Result<Result<Observation, Failed>> {
    match reach.extractor.observe(input).await {
        Ok(Ok(seen)) => Ok(Ok(seen)),
        Ok(Err(error)) => Ok(Err(refused(&error))),
        Err(Fault::Spawn(reason)) => {
            tracing::warn!(reason, "a monitor's page could not be read for want of a process");
            Err(postponed())
        }
        Err(fault @ (Fault::Crashed | Fault::TimedOut | Fault::MemoryLimit)) => {
            tracing::warn!(?fault, "a monitor's page broke its extraction process");
            Ok(Err(Failed::unusable("unsupported_content")))
        }
    }
}

fn refused(error: &ObserveError) -> Failed {
    match error {
        ObserveError::Absent { .. } => Failed::absent("selector_not_found"),
        ObserveError::Target { .. } => Failed::unusable("invalid_request"),
        ObserveError::NoText => Failed::unusable("no_readable_text"),
        ObserveError::Unsupported { .. }
        | ObserveError::NotASitemap
        | ObserveError::NotJson
        | ObserveError::TooComplex { .. } => Failed::unusable("unsupported_content"),
    }
}

async fn before(domain: &Domain, subject: &Subject) -> Result<Before> {
    let (connection, id) = (domain.db().read(), subject.row.id);
    let memory = Memory::read(&subject.row.masks);
    let baseline = match &subject.row.baseline_hash {
        None => None,
        Some(hash) => find_snapshot(connection, id, hash).await?.map(|found| (hash.clone(), found)),
    };
    let recent = serde_json::from_str(&subject.row.recent).unwrap_or_default();
    Ok(Before { baseline, recent, memory })
}

impl Found {
    fn of(outcome: Outcome) -> Self {
        Self { outcome, failed: None, answered: None, body_hash: None, shared_body: None, weighed: None }
    }

    /// A run without a look.
    pub(super) fn error(failed: Failed, answered: Option<Answered>) -> Self {
        Self { failed: Some(failed), answered, ..Self::of(Outcome::Error) }
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

/// The failure of a run that cannot be paid for.
pub(super) fn exhausted() -> Failed {
    Failed { answered: false, ..Failed::unusable(super::settle::EXHAUSTED) }
}

fn postponed() -> Error {
    Error::Unavailable {
        code: "capacity_exhausted",
        message: "There is no room to look at pages at the moment.".into(),
        retry_after: 5,
    }
}
