//! Shared state of the reader's operations, including the injected page renderers.

use std::sync::Arc;

use articles::Article;
use articles::reader::quotes::QuoteCheck;
use poem::Response;
use poem_openapi::Tags;
use tokio::sync::Semaphore;

use super::cache::ResponseCache;
use super::params::ReadParams;
use super::render::ReadView;
use http_kit::app::App;
use http_kit::problem::Problem;

/// Maximum number of large texts that are rendered concurrently.
const RENDER_PERMITS: usize = 8;

/// OpenAPI tag of the reader's operations.
#[derive(Tags)]
pub(super) enum ReaderTag {
    /// Reading public URLs.
    Reader,
}

/// Page renderers for browsers, injected so that the reader does not depend on the pages.
#[derive(Clone, Copy)]
pub struct Pages {
    /// Renders the reading page of a text.
    pub reading: fn(&App, &ReadView<'_>, &ReadParams) -> ReadingPage,
    /// Renders the page of a problem.
    pub problem: fn(&App, &ReadFailure<'_>) -> Response,
    /// Renders the page of a quote check.
    pub quote: fn(&App, &QuoteReport<'_>) -> Response,
    /// Content security policy of the other pages.
    pub policy: &'static str,
}

/// Rendered reading page.
#[derive(Debug)]
pub struct ReadingPage {
    pub html: String,
    /// Content security policy, which allows the video players of the page.
    pub policy: String,
}

/// Result of a quote check, for its page.
#[derive(Debug, Clone, Copy)]
pub struct QuoteReport<'a> {
    /// URL of the text, as requested.
    pub url: &'a str,
    pub quote: &'a str,
    /// Text and check result; `None` if the quotation is too short or too long.
    pub result: Option<&'a (Article, QuoteCheck)>,
}

/// Failed read, for its page.
#[derive(Debug, Clone, Copy)]
pub struct ReadFailure<'a> {
    pub problem: &'a Problem,
    /// URL of the read. `None` if it is unknown.
    pub url: Option<&'a str>,
    pub request_id: &'a str,
}

/// Shared state of the operations, which they receive from the extractor that charges them.
pub(super) struct ReaderService {
    pub app: Arc<App>,
    pub pages: Pages,
    /// Cache of rendered responses.
    pub cache: ResponseCache,
    /// Limits concurrent rendering of large texts, because rendering takes several times the size of the text
    /// in memory.
    pub render_permits: Arc<Semaphore>,
}

impl ReaderService {
    pub(super) fn new(app: &Arc<App>, pages: Pages) -> Self {
        let (app, cache) = (Arc::clone(app), ResponseCache::default());
        Self { app, pages, cache, render_permits: Arc::new(Semaphore::new(RENDER_PERMITS)) }
    }

    /// Returns the base URL of the reader.
    pub(super) fn url(&self) -> &str {
        self.app.settings.origins.reader.as_str()
    }
}
