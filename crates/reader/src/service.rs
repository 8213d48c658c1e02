//! What the reader's operations stand on, and what they are given from outside: the pages that browsers see.

use std::sync::Arc;

use articles::Article;
use articles::reader::quotes::Checked;
use poem::Response;
use poem_openapi::Tags;
use tokio::sync::Semaphore;

use super::cache::ResponseCache;
use super::params::ReadParams;
use super::render::Reading;
use http_kit::app::App;
use http_kit::problem::Problem;

/// Large texts that are rendered at once.
const RENDER_PERMITS: usize = 8;

/// The group of the reader's operations.
#[derive(Tags)]
pub(super) enum Tag {
    /// Reading public URLs.
    Reader,
}

/// The pages that browsers are shown. The reader is given them, and knows nothing of pages itself.
#[derive(Clone, Copy)]
pub struct Pages {
    /// The reading page of a text.
    pub reading: fn(&App, &Reading<'_>, &ReadParams) -> String,
    /// The page of a problem.
    pub problem: fn(&App, &Failure<'_>) -> Response,
    /// The page of a quotation that was looked for.
    pub quote: fn(&App, &QuoteReport<'_>) -> Response,
    /// The content security policy of the first two.
    pub policy: &'static str,
}

/// A quotation that was looked for in a text, for its page.
#[derive(Debug, Clone, Copy)]
pub struct QuoteReport<'a> {
    /// The URL of the text as it was asked.
    pub url: &'a str,
    /// The quotation.
    pub quote: &'a str,
    /// The text and what was found there; none for a quotation that is too short or too long.
    pub found: Option<&'a (Article, Checked)>,
}

/// A read that failed, for its page.
#[derive(Debug, Clone, Copy)]
pub struct Failure<'a> {
    /// What went wrong.
    pub problem: &'a Problem,
    /// The URL that was to be read, when it is known.
    pub url: Option<&'a str>,
    /// The id of the request.
    pub request_id: &'a str,
}

/// What the operations stand on. They get it from the extractor that charges them.
pub(super) struct Reader {
    /// The app.
    pub app: Arc<App>,
    /// The pages of browsers.
    pub pages: Pages,
    /// Responses that were built before.
    pub cache: ResponseCache,
    /// Each rendering of a large text takes several times its text in memory.
    pub render_permits: Arc<Semaphore>,
}

impl Reader {
    /// A reader over `app`.
    pub(super) fn new(app: &Arc<App>, pages: Pages) -> Self {
        let (app, cache) = (Arc::clone(app), ResponseCache::default());
        Self { app, pages, cache, render_permits: Arc::new(Semaphore::new(RENDER_PERMITS)) }
    }

    /// The reader's own address.
    pub(super) fn url(&self) -> &str {
        self.app.settings.origins.reader.as_str()
    }
}
