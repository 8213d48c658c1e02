//! Completes an extracted text: fetches the further parts of a multi-page article, and an alternative form of a page
//! that has almost no text of its own. All fetches pass the guard and share the time limit of one download.

use std::time::Duration;

use extract::{Document, ExtractionOutcome, NextLinks};
use fetch::{Fetched, Pace, Url};

use crate::worker_tools::Tools;

/// Ratio of text sizes above which an alternative form replaces the page.
const FULLER: usize = 2;

/// Completes `extraction`. Returns it unchanged if no part or alternative form can be fetched. The requests are sent at
/// the pace of the request for the page.
pub(super) async fn complete(
    tools: &Tools,
    pace: Pace,
    page: &Url,
    extraction: ExtractionOutcome,
) -> ExtractionOutcome {
    if tools.settings.max_parts < 2 {
        return extraction;
    }
    let requests = PartRequests::new(pace, tools.settings.fetch_timeout);
    let extraction = fuller_form(tools, &requests, page, extraction).await;
    match extraction {
        ExtractionOutcome::Document(document) if document.next_links.next.is_some() => {
            ExtractionOutcome::Document(Box::new(join_parts(tools, &requests, *document).await))
        }
        other => other,
    }
}

/// Pace of all further requests for one text, and the time limit that they share.
struct PartRequests {
    pace: Pace,
    since: tokio::time::Instant,
    total: Duration,
}

impl PartRequests {
    fn new(pace: Pace, total: Duration) -> Self {
        Self { pace, since: tokio::time::Instant::now(), total }
    }

    /// Returns the remaining time. `None` if it is too short for another request.
    fn left(&self) -> Option<Duration> {
        self.total.checked_sub(self.since.elapsed()).filter(|left| *left > Duration::from_millis(500))
    }
}

/// Replaces a page with its first alternative form that has more than twice as much text.
async fn fuller_form(
    tools: &Tools,
    requests: &PartRequests,
    page: &Url,
    extraction: ExtractionOutcome,
) -> ExtractionOutcome {
    let forms = match &extraction {
        ExtractionOutcome::Document(document) => document.next_links.fuller.clone(),
        ExtractionOutcome::NoText { next_links, .. } => next_links.fuller.clone(),
        ExtractionOutcome::Unsupported { .. } | ExtractionOutcome::TooComplex { .. } => Vec::new(),
    };
    for form in forms.into_iter().filter(|form| is_same_site(page, form)) {
        let Some(other) = fetch_document(tools, requests, &form).await else { continue };
        let current_size = match &extraction {
            ExtractionOutcome::Document(document) => size(document),
            _ => 0,
        };
        if size(&other) > current_size.saturating_mul(FULLER) {
            return ExtractionOutcome::Document(Box::new(as_page(other, &extraction)));
        }
    }
    extraction
}

/// Returns whether an alternative form is on the same site as the page. A form on another site is not
/// fetched, because a page could otherwise make Carrel send requests to any server.
fn is_same_site(page: &Url, form: &str) -> bool {
    extract::feed::site(page.as_str()).is_some_and(|site| extract::feed::site(form) == Some(site))
}

/// Gives an alternative form the title and the canonical URL of the original page.
fn as_page(mut other: Document, page: &ExtractionOutcome) -> Document {
    if let ExtractionOutcome::Document(document) = page {
        other.canonical_url = document.canonical_url.clone().or(other.canonical_url);
        other.title.clone_from(&document.title);
    }
    other.next_links = NextLinks { next: other.next_links.next, fuller: Vec::new() };
    other
}

fn size(document: &Document) -> usize {
    document.blocks.iter().map(|block| block.text.len()).sum()
}

/// Appends the parts that follow a document, as many as can be fetched in time.
async fn join_parts(tools: &Tools, requests: &PartRequests, first: Document) -> Document {
    let mut parts: Vec<Document> = Vec::new();
    let mut fetched_urls: Vec<String> = Vec::new();
    while parts.len() + 1 < tools.settings.max_parts {
        let next = parts.last().map_or(&first.next_links, |part| &part.next_links).next.clone();
        let Some(next) = next.filter(|next| !fetched_urls.contains(next)) else { break };
        let Some(part) =
            fetch_document(tools, requests, &next).await.filter(|part| extract::continues(&first, part))
        else {
            break;
        };
        fetched_urls.push(next);
        parts.push(part);
    }
    if parts.is_empty() { first } else { extract::join(first, parts) }
}

/// Fetches and extracts another page. Returns `None` on failure.
async fn fetch_document(tools: &Tools, requests: &PartRequests, url: &str) -> Option<Document> {
    let request =
        fetch::Request { deadline: requests.left()?, pace: requests.pace, ..fetch::Request::page(url) };
    let Fetched { body, content_type, url, body_permit, .. } = match tools.fetcher.fetch(&request).await {
        Ok(fetched) => fetched,
        Err(error) => {
            tracing::debug!(%error, "failed to fetch further part of article");
            return None;
        }
    };
    let input = extract::Input { bytes: body.into(), content_type, url: Some(url.into()) };
    let extraction = tools.sandbox.at_pace(requests.pace).extract(input).await;
    drop(body_permit);
    match extraction {
        Ok(ExtractionOutcome::Document(document)) if !document.blocks.is_empty() => Some(*document),
        Ok(_) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests;
