//! Preview of article text: the text that selectors select on the page of a feed's newest entry.

use std::sync::Arc;

use async_recursion::async_recursion as boxed;
use entities::ids::SubscriptionId;
use extract::{Document, TextParts};

use super::entries::list_entries;
use super::entry::Entry;
use super::entry_filter::EntryFilter;
use super::full_text::ArticleVersion;
use super::subscriptions::get_subscription;
use super::validation::{check_removals, check_selector};
use articles::{Address, Freshness, ObtainedArticle, Payer, PendingText, Render};
use jobs::{Engine, Pending, Progress, WaitOutcome};
use kernel::{Domain, Error, Result};
use tokio::time::Instant;

/// Maximum age, in seconds, of a text that a preview displays without a download.
const MAX_AGE_SECONDS: u32 = 3_600;

/// Text that was selected on the page of an entry.
#[derive(Clone, Debug)]
pub struct TextPreview {
    pub entry: Entry,
    pub document: Arc<Document>,
}

/// Preview that waits for an extraction.
pub struct PendingTextPreview {
    entry: Entry,
    pending: PendingText,
}

/// Requests the text that `selector` selects on the page of the newest entry, without the parts that the
/// selectors `removals` match. An empty selector selects the main part. A download costs one fresh extraction.
///
/// # Errors
/// `not_found` if the subscription does not exist; `invalid_request` if a selector is invalid or the feed
/// has no entries; the failure of the page; `fresh_extraction_limit`; `capacity_exhausted`.
#[boxed]
pub async fn request_text_preview(
    domain: &Domain,
    payer: Payer,
    id: SubscriptionId,
    selector: &str,
    removals: &[String],
) -> Result<Progress<PendingTextPreview>> {
    let parts = TextParts { selector: check_selector(selector)?, removed: check_removals(removals)? }.text();
    let (entry, page) = newest_page(domain, payer, id).await?;
    let address = ArticleVersion { is_rendered: false, parts }.address(page);
    let freshness = Freshness::seconds(MAX_AGE_SECONDS);
    Ok(match articles::request(domain, Some(payer), &address, freshness).await? {
        Progress::Done(obtained) => Progress::Done(previewed(entry, obtained)),
        Progress::Waiting { job, pending } => {
            Progress::Waiting { job, pending: PendingTextPreview { entry, pending } }
        }
    })
}

/// Request for the text of the newest entry with selectors.
#[derive(Clone, Debug)]
pub struct ArticlePreview {
    pub subscription_id: SubscriptionId,
    pub selector: String,
    pub removals: Vec<String>,
    pub deadline: Instant,
}

/// Returns the text of the page of the newest entry after a browser rendered it. As for an article, the page is first
/// read as served; that text is returned if the page cannot be rendered. Costs the fresh extractions of both.
///
/// # Errors
/// The errors of [`request_text_preview`]; `unsupported_content` if no worker has a browser.
#[boxed]
pub async fn preview_rendered_text(
    engine: &Engine,
    payer: Payer,
    preview: &ArticlePreview,
) -> Result<TextPreview> {
    let domain = engine.domain();
    let ArticlePreview { subscription_id, selector, removals, deadline } = preview;
    let parts = TextParts { selector: check_selector(selector)?, removed: check_removals(removals)? }.text();
    articles::require_browser(domain, Render::Always)?;
    let (entry, page) = newest_page(domain, payer, *subscription_id).await?;
    let freshness = Freshness::seconds(MAX_AGE_SECONDS);
    let served = match articles::request(domain, Some(payer), &page, freshness).await {
        Ok(progress) => engine.await_result(progress, *deadline).await,
        Err(error) => Err(error),
    };
    if !articles::is_rendered_next(domain, Render::Always, &served) {
        return Ok(previewed(entry, served?));
    }
    let address = ArticleVersion { is_rendered: true, parts }.address(page);
    let requested = articles::request(domain, Some(payer), &address, freshness).await?;
    Ok(previewed(entry, engine.await_result(requested, *deadline).await?))
}

/// Returns the newest entry of a subscription, and the address of its page.
async fn newest_page(domain: &Domain, payer: Payer, id: SubscriptionId) -> Result<(Entry, Address)> {
    let feed_id = Some(get_subscription(domain, payer.account_id, id).await?.feed_id);
    let filter = EntryFilter { feed_id, ..EntryFilter::default() };
    let newest = list_entries(domain, payer.account_id, &filter, None, 1).await?.entries.pop();
    let entry =
        newest.ok_or_else(|| Error::invalid_field("text_selector", "cannot be tried without an entry"))?;
    let page = Address::parse(domain, &entry.url)?;
    Ok((entry, page))
}

impl Pending for PendingTextPreview {
    type Answer = TextPreview;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<TextPreview> {
        let obtained = self.pending.resume(domain, outcome).await?;
        Ok(previewed(self.entry, obtained))
    }
}

fn previewed(entry: Entry, obtained: ObtainedArticle) -> TextPreview {
    TextPreview { entry, document: obtained.answer.article.document }
}
