//! Articles to which entries link, for followers who read articles instead of the feed's summaries.
//!
//! Requests for articles wait in a table and have low priority. If several followers requested the same
//! article, one of them pays for it: the follower with the most fresh extractions left. Feeds may use half of
//! the fresh extractions of a day. A request that no follower can pay for waits for up to a week.

mod article_version;
mod sql;

use async_recursion::async_recursion as boxed;
use identity::limits::AccountLimits;
use std::sync::Arc;

use entities::feed_entry;
use entities::feed_text_request::{Column, Entity};
use entities::ids::{AccountId, EntryId, FeedId};
use extract::Document;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter};

use super::search_text;
use super::subscription::Subscription;
use articles::{
    Address, Article, CacheAudience, CacheLookup, Freshness, RENDERING_EXTRACTIONS, RenderingStep,
};
use jobs::Priority;
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::tiers::Tier;
use kernel::{Domain, Error, Millis, Result};

use sql::EntryTextRequest;

pub(super) use article_version::{ArticleVersion, RENDERED};
pub(super) use sql::request_newest;

/// Maximum age of an article for a full-text subscription, in seconds.
pub(super) const MAX_AGE_SECONDS: u32 = 86_400 * 30;
/// Time after which a waiting request is deleted, in milliseconds.
const MAX_WAIT: Millis = 7 * DAY;
/// Delay, in milliseconds, of a request that no follower could pay for.
const UNPAID_PAUSE: Millis = HOUR;
/// Delay of a request if the queue is full, in milliseconds.
const BUSY_PAUSE: Millis = 10 * MINUTE;
/// Interval at which a submitted article is checked, in milliseconds.
const READING_PAUSE: Millis = 2 * MINUTE;
/// Time, in milliseconds, after which a submitted article is no longer checked.
const MAX_READING: Millis = HOUR;
/// Maximum number of articles requested per tick.
const REQUESTS_PER_TICK: u32 = 50;
/// Maximum number of versions of an article among a feed's followers, including its main part as served.
const MAX_VERSIONS: u32 = 50;
/// Maximum number of followers of a feed whose remaining fresh extractions are compared.
const MAX_PAYERS: u32 = 16;

/// Text of the article to which an entry links.
pub(super) enum ArticleText {
    Available(String),
    /// The article was requested but is not available yet.
    Pending,
    /// The article must be rendered, and this service has no browser.
    NoBrowser,
    /// The entry has no article text.
    None,
}

/// Submits jobs for requested articles that a follower can pay for. The caller must push the jobs.
///
/// # Errors
/// `Unavailable` or `Internal` if the database cannot return the requests.
#[boxed]
pub async fn claim_texts(domain: &Domain) -> Result<Vec<jobs::Submitted>> {
    let now = domain.now();
    let connection = domain.db().write();
    let mut submitted = Vec::new();
    for request in sql::due(connection, now, REQUESTS_PER_TICK).await? {
        // The first process that postpones the request submits it.
        if sql::postpone(connection, request.entry_id, now, now + UNPAID_PAUSE).await? == 1 {
            submitted.extend(submit_request(domain, &request).await?);
        }
    }
    Ok(submitted)
}

/// Refuses the article version of a subscription if the other followers of the feed already use the maximum number of
/// versions, because its texts would never be requested.
///
/// # Errors
/// `invalid_request` if the version is refused.
pub(super) async fn require_version_capacity(
    connection: &impl ConnectionTrait,
    subscription: &Subscription,
    version: &ArticleVersion,
) -> Result<()> {
    if *version == ArticleVersion::default() {
        return Ok(());
    }
    let most = MAX_VERSIONS - 1;
    let others = sql::count_other_versions(connection, subscription, version).await?;
    if others < i64::from(most) {
        return Ok(());
    }
    let reason = format!("cannot be added: the followers of this feed already use {most} other selectors");
    Err(Error::invalid_field("text_selector", reason))
}

/// Deletes requests that have waited too long.
pub(super) async fn drop_expired(connection: &impl ConnectionTrait, now: Millis) -> Result<()> {
    Entity::delete_many().filter(Column::WantedAt.lt(now - MAX_WAIT)).exec(connection).await?;
    Ok(())
}

/// State of one text of a request.
enum TextStep {
    Available(String),
    /// The text does not exist.
    Missing,
    Submitted(jobs::Submitted),
    /// The text is being fetched.
    Reading,
    /// No follower can currently pay for the text.
    Unpaid,
    /// The queue is full.
    Busy,
}

/// Submits jobs for the texts of an entry's article, one for each version that the followers read. Deletes
/// the request if no text is pending.
async fn submit_request(domain: &Domain, request: &EntryTextRequest) -> Result<Vec<jobs::Submitted>> {
    let (connection, now) = (domain.db().write(), domain.now());
    let mut versions = sql::versions(domain.db().read(), request.feed_id, MAX_VERSIONS).await?;
    if versions.is_empty() {
        versions.push(ArticleVersion::default());
    }
    let (mut submitted, mut text) = (Vec::new(), None);
    let (mut is_reading, mut is_busy, mut is_unpaid) = (false, false, false);
    for version in &versions {
        match submit_text(domain, request, version).await? {
            TextStep::Available(available) => text = text.or(Some(available)),
            TextStep::Missing => {}
            TextStep::Submitted(job) => submitted.push(job),
            TextStep::Reading => is_reading = true,
            TextStep::Unpaid => is_unpaid = true,
            TextStep::Busy => is_busy = true,
        }
    }
    if !submitted.is_empty() {
        sql::mark_requested(connection, request.entry_id, now, now + READING_PAUSE).await?;
    } else if is_reading || is_busy {
        let pause = if is_reading { READING_PAUSE } else { BUSY_PAUSE };
        sql::postpone(connection, request.entry_id, Millis::MAX, now + pause).await?;
    } else {
        // A text that one follower cannot pay for must not delay indexing for the others.
        if let Some(text) = text {
            index(domain, request.entry_id, text).await?;
        }
        if !is_unpaid {
            Entity::delete_by_id(request.entry_id).exec(connection).await?;
        }
    }
    Ok(submitted)
}

/// State of a version of an article.
enum ArticleLookup {
    Available(Article),
    /// The text does not exist.
    Missing,
    /// The address must be read next.
    NotRead(Address),
    /// The page must be rendered, and no worker has a browser.
    NoBrowser,
}

/// Looks up a version of the page at an address. Fetches nothing.
async fn lookup(domain: &Domain, page: &Address, version: &ArticleVersion) -> Result<ArticleLookup> {
    let address = version.address(page.clone());
    let freshness = Freshness::seconds(MAX_AGE_SECONDS);
    match articles::lookup(domain, &address, freshness, CacheAudience::Account).await? {
        CacheLookup::Fresh(article) | CacheLookup::Stale(Some(article)) => {
            return Ok(ArticleLookup::Available(article));
        }
        CacheLookup::Failed(_) => return Ok(ArticleLookup::Missing),
        CacheLookup::Stale(None) => {}
    }
    if !version.is_rendered {
        return Ok(ArticleLookup::NotRead(address));
    }
    if !domain.policy().renders_pages {
        return Ok(ArticleLookup::NoBrowser);
    }
    Ok(match articles::rendering_step(domain, page, freshness).await? {
        RenderingStep::Read => ArticleLookup::NotRead(page.clone()),
        RenderingStep::Render => ArticleLookup::NotRead(address),
        RenderingStep::Served(article) => ArticleLookup::Available(article),
        RenderingStep::Failed => ArticleLookup::Missing,
    })
}

/// Submits the next read for a version of an article.
async fn submit_text(
    domain: &Domain,
    request: &EntryTextRequest,
    version: &ArticleVersion,
) -> Result<TextStep> {
    let Ok(page) = Address::parse(domain, &request.url) else { return Ok(TextStep::Missing) };
    let address = match lookup(domain, &page, version).await? {
        ArticleLookup::Available(article) => return Ok(TextStep::Available(plain_text(&article))),
        ArticleLookup::Missing | ArticleLookup::NoBrowser => return Ok(TextStep::Missing),
        ArticleLookup::NotRead(address) => address,
    };
    // The texts of the other versions may have been submitted without this text.
    if let Some(requested_at) = request.requested_at
        && articles::was_submitted(domain, &address).await?
    {
        // The article is still being fetched, or its fetch was lost.
        let is_reading = domain.now() - requested_at < MAX_READING;
        return Ok(if is_reading { TextStep::Reading } else { TextStep::Missing });
    }
    let cost = if address.is_rendered { RENDERING_EXTRACTIONS } else { 1 };
    let Some((account_id, tier)) = payer(domain, request.feed_id, version, cost).await? else {
        return Ok(TextStep::Unpaid);
    };
    let Ok(hold) = domain.limits().reserve_background_extractions(domain, (account_id, tier), cost).await
    else {
        return Ok(TextStep::Unpaid);
    };
    match articles::submit(domain, &address, Priority::Low).await {
        Ok(job) => {
            if job.joined {
                domain.limits().refund(hold).await;
            }
            Ok(TextStep::Submitted(job))
        }
        Err(error) => {
            tracing::debug!(%error, "article of an entry not requested");
            domain.limits().refund(hold).await;
            Ok(TextStep::Busy)
        }
    }
}

/// Returns the follower who requests this version and has the most fresh extractions left today. `None` if no
/// follower can pay `cost` fresh extractions.
async fn payer(
    domain: &Domain,
    feed_id: FeedId,
    version: &ArticleVersion,
    cost: u32,
) -> Result<Option<(AccountId, Tier)>> {
    let mut best = None;
    for (account_id, tier) in sql::payers(domain.db().read(), feed_id, version, MAX_PAYERS).await? {
        let left = domain.limits().background_extractions_left(domain, account_id, tier).await?;
        if left >= cost && best.is_none_or(|(most, _)| left > most) {
            best = Some((left, (account_id, tier)));
        }
    }
    Ok(best.map(|(_, payer)| payer))
}

/// Returns the text of the article to which an entry links. Requests the article if it is not cached.
pub(super) async fn text_of(
    domain: &Domain,
    entry_id: EntryId,
    url: &str,
    version: &ArticleVersion,
) -> Result<ArticleText> {
    let Ok(page) = Address::parse(domain, url) else { return Ok(ArticleText::None) };
    match lookup(domain, &page, version).await? {
        ArticleLookup::Available(article) => {
            let text = plain_text(&article);
            Ok(if text.is_empty() { ArticleText::None } else { ArticleText::Available(text) })
        }
        ArticleLookup::Missing => Ok(ArticleText::None),
        ArticleLookup::NoBrowser => Ok(ArticleText::NoBrowser),
        ArticleLookup::NotRead(_) => {
            request_article(domain.db().write(), entry_id, domain.now()).await?;
            Ok(ArticleText::Pending)
        }
    }
}

fn plain_text(article: &Article) -> String {
    let blocks: Vec<&str> = article.document.blocks.iter().map(|block| block.text.as_str()).collect();
    blocks.join("\n\n")
}

/// Adds the words of the article to the search text of its entry.
async fn index(domain: &Domain, entry_id: EntryId, text: String) -> Result<()> {
    let connection = domain.db().write();
    let Some(entry) = feed_entry::Entity::find_by_id(entry_id).one(connection).await? else { return Ok(()) };
    let before = entry.search_text.clone();
    let joined = move || search_text::with_article(&entry.search_text, &text);
    let search_text = tokio::task::spawn_blocking(joined).await.map_err(Error::internal)?;
    if search_text == before {
        return Ok(());
    }
    // Applies only if the entry has not changed since it was loaded.
    sql::set_search_text(connection, entry_id, &before, &search_text).await
}

/// Returns a version of the cached article at a URL. `None` if it is not cached.
pub(super) async fn document_of(
    domain: &Domain,
    url: &str,
    version: &ArticleVersion,
) -> Result<Option<Arc<Document>>> {
    let Ok(page) = Address::parse(domain, url) else { return Ok(None) };
    Ok(match lookup(domain, &page, version).await? {
        ArticleLookup::Available(article) => {
            Some(article.document).filter(|document| !document.blocks.is_empty())
        }
        ArticleLookup::Missing | ArticleLookup::NotRead(_) | ArticleLookup::NoBrowser => None,
    })
}

/// Requests the article of an entry unless it was already requested.
async fn request_article(connection: &impl ConnectionTrait, entry_id: EntryId, now: Millis) -> Result<()> {
    if Entity::find_by_id(entry_id).count(connection).await? == 0 {
        sql::insert_request(connection, entry_id, now).await?;
    }
    Ok(())
}
