//! Asking a source, and reading what comes in a child process: the one place where monitors do either.
//! What is read is decided by the definition; what it means, by others.

use extract::sandbox::{Fault, Lane};
use extract::watch::{Observation, ObserveError, ObserveInput, Purpose, Warning};
use fetch::{Accept, Bytes, Fetched, Pace, Request, RobotsRule};

use super::monitor::{Definition, TargetType};
use super::outcome::{RunError, postponed};
use articles::worker::Tools;
use kernel::code::Code;
use kernel::error::Error;

/// Parts of a sitemap that are read.
pub(super) const MOST_PARTS: usize = 50;

/// Asks for sources, and reads them as a definition says.
pub(super) struct Observer<'a> {
    pub(super) tools: &'a Tools,
    pub(super) definition: &'a Definition,
    pub(super) pace: Pace,
    /// What for.
    pub(super) purpose: Purpose,
}

/// A body, and what was said about it.
pub(super) struct Body {
    pub(super) bytes: Bytes,
    pub(super) content_type: Option<String>,
    /// The address that answered.
    pub(super) url: String,
}

/// Why nothing was observed.
pub(super) enum NotObserved {
    /// The source gave no body.
    Fetch(fetch::Error),
    /// What it gave is of no use.
    Unusable(RunError),
    /// We could not read it.
    Unavailable(Error),
}

impl Observer<'_> {
    /// The request for an address, without conditions.
    pub(super) fn request(&self, url: &str) -> Request {
        Request {
            accept: accept(TargetType::of(&self.definition.target)),
            deadline: self.tools.settings.fetch_timeout,
            pace: self.pace,
            robots: RobotsRule::Obey,
            ..Request::page(url)
        }
    }

    /// Asks a source.
    pub(super) async fn fetch(&self, request: &Request) -> Result<Fetched, fetch::Error> {
        self.tools.fetcher.fetch(request).await
    }

    /// Reads a body in a child process.
    pub(super) async fn read(&self, body: Body) -> Result<Observation, NotObserved> {
        let input = ObserveInput {
            bytes: body.bytes.into(),
            content_type: body.content_type,
            url: Some(body.url),
            target: self.definition.target.clone(),
            ignore: self.definition.ignore.clone(),
            purpose: self.purpose,
        };
        let lane = match self.pace {
            Pace::Interactive => Lane::People,
            Pace::Background => Lane::Background,
        };
        match self.tools.sandbox.in_lane(lane).observe(input).await {
            Ok(Ok(seen)) => Ok(warned(seen)),
            Ok(Err(error)) => Err(NotObserved::Unusable(refused(&error))),
            Err(Fault::Spawn(reason)) => {
                tracing::warn!(reason, "a monitor's page could not be read for want of a process");
                Err(NotObserved::Unavailable(postponed()))
            }
            Err(fault @ (Fault::Crashed | Fault::TimedOut | Fault::MemoryLimit)) => {
                tracing::warn!(?fault, "a monitor's page broke its extraction process");
                Err(NotObserved::Unusable(RunError::unusable(Code::UnsupportedContent)))
            }
        }
    }

    /// Asks for an address and reads what comes.
    pub(super) async fn look(&self, url: &str) -> Result<Observation, NotObserved> {
        let fetched = self.fetch(&self.request(url)).await.map_err(NotObserved::Fetch)?;
        self.read(Body::of(&fetched)).await
    }
}

impl Body {
    /// The body of an answer.
    pub(super) fn of(fetched: &Fetched) -> Self {
        Self {
            bytes: fetched.body.clone(),
            content_type: fetched.content_type.clone(),
            url: fetched.url.as_str().to_owned(),
        }
    }
}

/// An index with more parts than are read says so, wherever it is looked at.
fn warned(mut seen: Observation) -> Observation {
    if seen.sitemaps.len() > MOST_PARTS {
        seen.warnings.push(Warning::PartsNotWatched);
    }
    seen
}

/// What is asked for: markup for selectors rather than the Markdown that a reader would like best.
fn accept(kind: TargetType) -> Accept {
    match kind {
        TargetType::Sitemap => Accept::Feed,
        TargetType::Page | TargetType::Extract => Accept::Any,
    }
}

fn refused(error: &ObserveError) -> RunError {
    match error {
        ObserveError::Absent { .. } => RunError::absent(),
        ObserveError::Target { .. } => RunError::unusable(Code::InvalidRequest),
        ObserveError::NoText => RunError::unusable(Code::NoReadableText),
        ObserveError::Unsupported { .. }
        | ObserveError::NotASitemap
        | ObserveError::NotJson
        | ObserveError::TooComplex { .. } => RunError::unusable(Code::UnsupportedContent),
    }
}

#[cfg(test)]
mod tests {
    use extract::watch::{Snapshot, UrlEntry};

    use super::*;

    #[test]
    fn an_index_warns_of_parts_beyond_those_that_are_read() {
        let warnings = |parts: usize| {
            let part = UrlEntry { url: "https://example.com/part.xml".into(), lastmod: None };
            let seen =
                Observation { sitemaps: vec![part; parts], ..Observation::of(Snapshot::Urls(Vec::new())) };
            warned(seen).warnings.len()
        };
        assert_eq!((warnings(MOST_PARTS), warnings(MOST_PARTS + 1)), (0, 1));
    }
}
