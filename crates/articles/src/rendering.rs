//! Reads of texts, which choose between the source as served and its rendering in a browser.
//!
//! The source is read first, even if a rendering is requested: its status, type, and robots.txt determine whether it
//! can be rendered at all. A rendering is a source of its own, so equal requests share one job and its result.

use async_recursion::async_recursion as boxed;
pub use entities::render::Render;
use extract::{ExtractionSource, Warning};
use futures_util::future::{BoxFuture, FutureExt};
use jobs::{Engine, Progress};
use kernel::{Code, Domain, Error, Result};
use tokio::time::Instant;

use super::failure;
use super::get_or_fetch::{FetchPurpose, ObtainedArticle, Payer, request_for};
use super::store::{self, CacheLookup};
use super::{Address, Article, CacheAudience, Freshness, SourceFailure};

/// Handling of a queue that is unavailable when a read needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueOutage {
    /// The error is returned immediately.
    #[default]
    Returned,
    /// The read waits until a sweep pushes its job.
    Awaited,
}

pub struct ReadOptions<'a> {
    pub purpose: FetchPurpose,
    /// Account that is charged. `None` for an anonymous caller.
    pub payer: Option<Payer>,
    pub freshness: Freshness,
    pub render: Render,
    /// Permission that is awaited before a browser renders the page. If it is false, the text is returned without a
    /// rendering. `None` always permits a rendering.
    pub permission: Option<BoxFuture<'a, bool>>,
    pub outage: QueueOutage,
    pub deadline: Instant,
}

/// Read of one source: the page as served, or its rendering.
#[derive(Clone, Copy)]
struct SourceRead {
    purpose: FetchPurpose,
    payer: Option<Payer>,
    freshness: Freshness,
    outage: QueueOutage,
    deadline: Instant,
}

impl SourceRead {
    async fn text(self, engine: &Engine, address: &Address) -> Result<ObtainedArticle> {
        let Self { purpose, payer, freshness, outage, deadline } = self;
        let mut progress = request_for(engine.domain(), purpose, payer, address, freshness).await?;
        if let (QueueOutage::Awaited, Progress::Waiting { job, .. }) = (outage, &mut progress) {
            engine.push_all(std::slice::from_ref(job)).await;
            job.to_push = false;
        }
        engine.await_result(progress, deadline).await
    }
}

/// Returns the text of `address`, rendered if the options require it. If an automatic rendering fails or has
/// less text, the text of the served page is returned.
///
/// # Errors
/// Same as for [`request`](super::request); also `unsupported_content` if a rendering is required and no worker has a
/// browser.
pub fn read<'a>(
    engine: &'a Engine,
    address: &'a Address,
    options: ReadOptions<'a>,
) -> BoxFuture<'a, Result<ObtainedArticle>> {
    read_or_render(engine, address, options).boxed()
}

async fn read_or_render(
    engine: &Engine,
    address: &Address,
    options: ReadOptions<'_>,
) -> Result<ObtainedArticle> {
    let domain = engine.domain();
    let ReadOptions { purpose, payer, freshness, render, permission, outage, deadline } = options;
    require_browser(domain, render)?;
    let source = SourceRead { purpose, payer, freshness, outage, deadline };
    let served = source.text(engine, address).await;
    if !is_rendered_next(domain, render, &served) {
        return served;
    }
    let address = match render {
        Render::WithoutCookieNotices => address.clone().rendered_without_cookie_notices(),
        Render::Auto | Render::Never | Render::Always => address.clone().rendered(),
    };
    let stored = store::lookup(domain, &address, freshness, CacheAudience::Anyone).await?;
    if let (CacheLookup::Stale(_), Some(permission)) = (stored, permission)
        && !permission.await
    {
        return served;
    }
    let rendered = source.text(engine, &address).await;
    if render.is_required() {
        let fresh = served.ok().and_then(|served| served.fresh);
        return rendered.map(|rendered| ObtainedArticle { fresh: rendered.fresh.or(fresh), ..rendered });
    }
    better(served, rendered)
}

/// Checks that a worker has a browser if `render` requires a rendering.
///
/// # Errors
/// `unsupported_content`.
pub fn require_browser(domain: &Domain, render: Render) -> Result<()> {
    if render.is_required() && !domain.policy().renders_pages {
        let message = "This service has no browser to render pages. Its operator can install Chromium.";
        return Err(Error::new(Code::UnsupportedContent, message));
    }
    Ok(())
}

/// Returns the better result of a read whose page was rendered automatically: the longer text, or else the more useful
/// error.
fn better(served: Result<ObtainedArticle>, rendered: Result<ObtainedArticle>) -> Result<ObtainedArticle> {
    match (served, rendered) {
        // A browser that does not work is treated like a missing browser.
        (Err(served), Err(error)) if failure::is_without_browser(&error) => Err(served),
        // Other failures may be temporary: a full queue, a used-up quota, or the caller's timeout.
        (Err(_), rendered) => rendered,
        (Ok(served), Ok(rendered)) => {
            let fresh = rendered.fresh.clone().or_else(|| served.fresh.clone());
            let longer = if tokens(&served) < tokens(&rendered) { rendered } else { served };
            Ok(ObtainedArticle { fresh, ..longer })
        }
        (Ok(served), Err(error)) => {
            tracing::debug!(%error, "automatic rendering failed, returning the text as served");
            Ok(served)
        }
    }
}

fn tokens(obtained: &ObtainedArticle) -> u32 {
    obtained.answer.article.document.total_tokens
}

/// Returns whether the page must also be rendered, after it was read as `served`.
pub fn is_rendered_next(domain: &Domain, render: Render, served: &Result<ObtainedArticle>) -> bool {
    if !domain.policy().renders_pages {
        return false;
    }
    match (render, served) {
        (Render::Never, _) => false,
        (Render::Auto, Ok(served)) => {
            served.answer.article.document.warnings.contains(&Warning::JavascriptRequired)
        }
        (Render::Auto, Err(error)) => failure::needs_scripts(error),
        (Render::Always | Render::WithoutCookieNotices, Ok(served)) => is_page(&served.answer.article),
        (Render::Always | Render::WithoutCookieNotices, Err(error)) => error.code == Code::NoReadableText,
    }
}

/// True if a text was read from a page that a browser can render.
fn is_page(article: &Article) -> bool {
    matches!(article.document.source, ExtractionSource::Html | ExtractionSource::StructuredData)
}

/// Next step of a background read that requires a rendering.
#[derive(Debug, Clone)]
pub enum RenderingStep {
    /// The page must be read as served.
    Read,
    /// The page can be rendered.
    Render,
    /// The source is not a page that can be rendered. This is its text.
    Served(Article),
    /// The source failed recently.
    Failed,
}

/// Returns the next step of a background read that requires a rendering of `page`. Fetches nothing. As in [`read`], the
/// page is read as served first.
#[boxed]
pub async fn rendering_step(domain: &Domain, page: &Address, freshness: Freshness) -> Result<RenderingStep> {
    let needs_scripts = |failure: &SourceFailure| failure.code == Code::NoReadableText;
    Ok(match store::lookup(domain, page, freshness, CacheAudience::Account).await? {
        CacheLookup::Fresh(article) | CacheLookup::Stale(Some(article)) if is_page(&article) => {
            RenderingStep::Render
        }
        CacheLookup::Fresh(article) | CacheLookup::Stale(Some(article)) => RenderingStep::Served(article),
        CacheLookup::Failed(failure) if needs_scripts(&failure) => RenderingStep::Render,
        CacheLookup::Failed(_) => RenderingStep::Failed,
        CacheLookup::Stale(None) => match store::last_failure(domain, &page.key).await? {
            Some(failure) if needs_scripts(&failure) => RenderingStep::Render,
            Some(_) | None => RenderingStep::Read,
        },
    })
}

#[cfg(test)]
mod tests {
    use browser::RenderError;

    use super::*;

    #[test]
    fn full_queue_is_reported_and_a_broken_browser_is_not() {
        let served = || Err(Error::new(Code::NoReadableText, "There is no text."));
        let broken = failure::of_render_error(&RenderError::BrowserLost);
        assert_eq!(better(served(), Err(broken.into())).unwrap_err().code, Code::NoReadableText);
        let full = Error::new(Code::CapacityExhausted, "Too many jobs are waiting.");
        assert_eq!(better(served(), Err(full)).unwrap_err().code, Code::CapacityExhausted);
    }
}
