//! Discovery of the feeds of a site. A worker fetches the site. The result is cached under the requested
//! address, for this caller and for subsequent requests. If a page has no feed, the result contains the list
//! on the page, which a monitor can watch.

use async_recursion::async_recursion as boxed;
use std::time::Duration;

use entities::{feed, feed_discovery, ids::AccountId};
use extract::feed::{
    FeedInput, FeedKind,
    discover::{self, FeedCandidate, SiteRules},
};
use extract::sandbox::Pool;
use extract::watch::PageList;
use fetch::{Fetched, Fetcher, Pace, Request};
use futures_util::future::join_all;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};
use serde::{Deserialize, Serialize};

use super::addresses::find_feed_of_key;
use articles::worker_tools::Tools;
use articles::{Address, SourceFailure};
use jobs::{JobKind, NewJob};
use kernel::clock::{MINUTE, SECOND};
use kernel::{Code, Domain, Error, Millis, Result};

/// Cache lifetime of a result with feeds, in milliseconds.
const CACHE_TTL_MS: Millis = 10 * MINUTE;
/// Cache lifetime of a failure, in milliseconds.
const FAILURE_TTL_MS: Millis = MINUTE;
/// Maximum number of candidates that are fetched and verified.
const MAX_CHECKED: usize = 3;
/// Maximum number of common feed paths that are tried if a site links to no feed.
const MAX_GUESSES: usize = 5;
/// Maximum number of `<meta http-equiv=refresh>` redirects that are followed.
const MAX_META_REFRESHES: usize = 3;
/// Time limit for all requests of one discovery.
const DEADLINE: Duration = Duration::from_secs(25);
/// Time limit per candidate, so that slow candidates leave enough time for the page.
const CANDIDATE_DEADLINE: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscoveredFeed {
    pub feed_url: String,
    /// Title of the feed, or its title according to the page.
    pub title: Option<String>,
    /// Format of the feed, or its format according to the page.
    pub kind: FeedKind,
    /// True if the URL was fetched and verified to be a feed.
    pub checked: bool,
}

/// Feeds that were discovered on a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovered {
    /// Feeds, best first. May be empty.
    pub feeds: Vec<DiscoveredFeed>,
    /// List on a page that has no feed.
    pub page_list: Option<PageList>,
}

/// Cached result of a discovery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DiscoveryResult {
    Discovered(Discovered),
    /// The address could not be fetched.
    Failed(SourceFailure),
}

#[derive(Serialize, Deserialize)]
struct DiscoveryArgs {
    url: String,
    /// Account that submitted the job.
    #[serde(default)]
    account_id: Option<AccountId>,
}

/// Returns true if the address belongs to a feed that was fetched before and still exists. Such an address
/// needs no discovery.
pub(super) async fn is_known(domain: &Domain, address: &Address) -> Result<bool> {
    is_known_in(domain.db().read(), address).await
}

/// Like [`is_known`], but within a transaction.
pub(super) async fn is_known_in(connection: &impl ConnectionTrait, address: &Address) -> Result<bool> {
    let Some(key) = extract::feed::feed_key(address.url.as_str()) else { return Ok(false) };
    let Some(feed_id) = find_feed_of_key(connection, &key).await? else { return Ok(false) };
    let answers = feed::Entity::find_by_id(feed_id)
        .filter(feed::Column::LastFetchedAt.is_not_null())
        .filter(feed::Column::Gone.eq(false))
        .filter(feed::Column::SuccessorId.is_null());
    Ok(answers.one(connection).await?.is_some())
}

/// Returns the cached result for an address. `None` if there is no fresh result.
pub(super) async fn cached_discovery(domain: &Domain, address: &Address) -> Result<Option<DiscoveryResult>> {
    let connection = domain.db().write();
    let row = feed_discovery::Entity::find_by_id(address.key.as_str()).one(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let age = jobs::database_time(connection, domain).await? - row.made_at;
    Ok(match row.error_code {
        None if age < CACHE_TTL_MS => {
            let feeds: Vec<DiscoveredFeed> = serde_json::from_str(&row.found).map_err(Error::internal)?;
            let list = row.page_list.as_deref().map(serde_json::from_str).transpose();
            let page_list: Option<PageList> = list.map_err(Error::internal)?;
            Some(DiscoveryResult::Discovered(Discovered { feeds, page_list }))
        }
        Some(code) if age < FAILURE_TTL_MS => {
            let elapsed = u32::try_from(age / SECOND).unwrap_or_default();
            let retry_after = row.error_retry_after.and_then(|seconds| u32::try_from(seconds).ok());
            let retry_after = retry_after.map(|seconds| seconds.saturating_sub(elapsed).max(1));
            let message = row.error_message.unwrap_or_default();
            Some(DiscoveryResult::Failed(SourceFailure::from_stored(&code, message, retry_after)))
        }
        None | Some(_) => None,
    })
}

/// Submits a discovery job, or joins the job in progress. The caller must push the job.
pub(super) async fn submit_discovery(
    domain: &Domain,
    account_id: AccountId,
    address: &Address,
) -> Result<jobs::Submitted> {
    let args = DiscoveryArgs { url: address.url.as_str().to_owned(), account_id: Some(account_id) };
    let job = NewJob::new(JobKind::FeedDiscovery, address.key.clone()).owner(account_id).payload(&args)?;
    let transaction = domain.db().begin().await?;
    let submitted = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// Runs the claimed discovery job in a worker.
///
/// # Errors
/// `Unavailable` or `Internal` if the result cannot be written.
#[boxed]
pub async fn discover(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let DiscoveryArgs { url, account_id } = claimed.arguments()?;
    let caller = account_id.map(|id| id.to_string());
    let sandbox = tools.sandbox.at_pace(Pace::Interactive).for_caller(caller.clone());
    let search = FeedFinder { tools, fetcher: tools.fetcher.for_caller(caller), sandbox };
    let outcome = match tokio::time::timeout(DEADLINE, search.run(&url)).await {
        Ok(outcome) => outcome,
        Err(_) => Err(SourceFailure::new(Code::SourceTimeout, "The site took too long to answer.")),
    };
    let (Discovered { feeds, page_list }, failure) = match outcome {
        Ok(discovered) => (discovered, None),
        Err(failure) => (Discovered::default(), Some(failure)),
    };
    let retry_after = failure.as_ref().and_then(|failure| failure.retry_after);
    let (code, message) = failure.map(|failure| (failure.code.as_str().to_owned(), failure.message)).unzip();
    let made = feed_discovery::Model {
        url_key: claimed.key.clone(),
        found: serde_json::to_string(&feeds).map_err(Error::internal)?,
        error_code: code,
        error_message: message,
        error_retry_after: retry_after.and_then(|seconds| i32::try_from(seconds).ok()),
        made_at: jobs::database_time(domain.db().read(), domain).await?,
        page_list: page_list.as_ref().map(serde_json::to_string).transpose().map_err(Error::internal)?,
    };
    let on_conflict = OnConflict::column(feed_discovery::Column::UrlKey)
        .update_columns([
            feed_discovery::Column::Found,
            feed_discovery::Column::ErrorCode,
            feed_discovery::Column::ErrorMessage,
            feed_discovery::Column::ErrorRetryAfter,
            feed_discovery::Column::MadeAt,
            feed_discovery::Column::PageList,
        ])
        .to_owned();
    let transaction = domain.db().begin().await?;
    feed_discovery::Entity::insert(made.into_active_model())
        .on_conflict(on_conflict)
        .exec_without_returning(&transaction)
        .await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

struct FeedFinder<'a> {
    tools: &'a Tools,
    fetcher: Fetcher,
    sandbox: Pool,
}

impl FeedFinder<'_> {
    async fn run(&self, url: &str) -> Result<Discovered, SourceFailure> {
        let SiteRules { feeds: by_rule, naming_document, is_of_service } = discover::site_rules(url);
        let (feeds, failure) = self.check_or_failure(&by_rule).await;
        if feeds.iter().any(|feed| feed.checked) {
            return Ok(Discovered { feeds, page_list: None });
        }
        let discovered = self.read_page(naming_document.as_deref().unwrap_or(url), &by_rule).await;
        match (discovered, failure) {
            // The service has a feed, but the feed could not be fetched.
            (Ok(discovered), Some(failure)) if is_of_service && discovered.feeds.is_empty() => Err(failure),
            (discovered, _) => discovered,
        }
    }

    /// Returns the page itself if it is a feed, and otherwise the feeds to which it links, except those in
    /// `tried`. If there are none, returns the feed at a common path or, failing that, the list on the page.
    async fn read_page(&self, url: &str, tried: &[FeedCandidate]) -> Result<Discovered, SourceFailure> {
        let (mut fetched, feed) = self.resolve(url).await?;
        if let Some(feed) = feed {
            return Ok(Discovered { feeds: vec![feed], page_list: None });
        }
        let page_url = fetched.url.as_str().to_owned();
        let mut named = discover::site_rules(&page_url).feeds;
        named.extend(discover::in_headers(&fetched.links, &page_url));
        let page = extract::Input {
            bytes: std::mem::take(&mut fetched.body).into(),
            content_type: fetched.content_type.clone(),
            url: Some(page_url.clone()),
        };
        // A page that crashes the sandbox is treated like a page that links to no feeds.
        named.extend(self.sandbox.find_feeds(page.clone()).await.unwrap_or_default());
        // A large page is dropped with its permit before feeds are fetched, because these may need a permit too.
        let (small_page, list_of_large) = match fetched.body_permit.take() {
            Some(_permit) => (None, self.sandbox.find_list(page).await.unwrap_or_default()),
            None => (Some(page), None),
        };
        named.retain(|feed| !tried.iter().any(|other| other.feed_url == feed.feed_url));
        let checked = self.check(&discover::distinct(named)).await;
        if !checked.is_empty() {
            return Ok(Discovered { feeds: checked, page_list: None });
        }
        let feeds = self.guess(&page_url).await;
        if !feeds.is_empty() {
            return Ok(Discovered { feeds, page_list: None });
        }
        let page_list = match small_page {
            Some(page) => self.sandbox.find_list(page).await.unwrap_or_default(),
            None => list_of_large,
        };
        Ok(Discovered { feeds, page_list })
    }

    /// Fetches a URL and follows `<meta http-equiv=refresh>` until a feed is reached. A redirect whose target
    /// cannot be fetched is ignored. Returns the last response, and the feed if the response is a feed.
    async fn resolve(&self, url: &str) -> Result<(Fetched, Option<DiscoveredFeed>), SourceFailure> {
        let mut requested_url = url.to_owned();
        let mut fetched = self.fetch(url, self.tools.settings.fetch_timeout).await?;
        let mut refreshes = 0;
        loop {
            if let Some(feed) = self.feed(&requested_url, &fetched).await {
                return Ok((fetched, Some(feed)));
            }
            let next = fetched.meta_refresh().filter(|next| *next != fetched.url);
            let Some(next) = next.filter(|_| refreshes < MAX_META_REFRESHES) else { break };
            let Ok(target) = self.fetch(next.as_str(), CANDIDATE_DEADLINE).await else { break };
            requested_url = next.into();
            fetched = target;
            refreshes += 1;
        }
        Ok((fetched, None))
    }

    /// Returns the candidates that are feeds, in their original order, followed by the candidates that were
    /// not fetched.
    async fn check(&self, candidates: &[FeedCandidate]) -> Vec<DiscoveredFeed> {
        self.check_or_failure(candidates).await.0
    }

    /// Like [`check`](Self::check), but also returns the first failure of a candidate.
    async fn check_or_failure(
        &self,
        candidates: &[FeedCandidate],
    ) -> (Vec<DiscoveredFeed>, Option<SourceFailure>) {
        let (mut feeds, mut failure) = (Vec::new(), None);
        // Candidates are fetched concurrently, so that slow candidates leave time for the page and for other
        // candidates.
        let checks = candidates.iter().take(MAX_CHECKED).map(|candidate| self.check_candidate(candidate));
        for checked in join_all(checks).await {
            match checked {
                Ok(feed) => feeds.extend(feed),
                Err(error) => {
                    failure.get_or_insert(error);
                }
            }
        }
        feeds.extend(candidates.iter().skip(MAX_CHECKED).map(|candidate| DiscoveredFeed {
            feed_url: candidate.feed_url.clone(),
            title: candidate.title.clone(),
            kind: candidate.kind,
            checked: false,
        }));
        (feeds, failure)
    }

    /// Fetches a candidate. Returns `None` if it is not a feed.
    async fn check_candidate(
        &self,
        candidate: &FeedCandidate,
    ) -> Result<Option<DiscoveredFeed>, SourceFailure> {
        let fetched = self.fetch(&candidate.feed_url, CANDIDATE_DEADLINE).await?;
        let feed = self.feed(&candidate.feed_url, &fetched).await;
        Ok(feed.map(|mut feed| {
            feed.title = feed.title.or_else(|| candidate.title.clone());
            feed
        }))
    }

    /// Returns the first feed at a common feed path. Empty if there is none.
    async fn guess(&self, page: &str) -> Vec<DiscoveredFeed> {
        for candidate in discover::well_known(page).iter().take(MAX_GUESSES) {
            let Ok(fetched) = self.fetch(&candidate.feed_url, CANDIDATE_DEADLINE).await else { continue };
            if let Some(feed) = self.feed(&candidate.feed_url, &fetched).await {
                return vec![feed];
            }
        }
        Vec::new()
    }

    async fn fetch(&self, url: &str, deadline: Duration) -> Result<Fetched, SourceFailure> {
        let deadline = deadline.min(self.tools.settings.fetch_timeout);
        let request = Request { deadline, pace: Pace::Interactive, ..Request::feed(url) };
        self.fetcher.fetch(&request).await.map_err(|error| SourceFailure::from(&error))
    }

    /// Parses the response for a requested URL. Returns `None` if it is not a feed. Only a permanent redirect
    /// changes the URL of the feed.
    async fn feed(&self, requested_url: &str, fetched: &Fetched) -> Option<DiscoveredFeed> {
        let input = FeedInput {
            body: fetched.body.to_vec(),
            content_type: fetched.content_type.clone(),
            base_url: Some(fetched.url.as_str().to_owned()),
            ..FeedInput::default()
        };
        let parsed = self.sandbox.read_feed(input).await.ok()?;
        let kind = parsed.kind?;
        let feed_url = fetched.permanent_url.as_ref().map_or(requested_url, |url| url.as_str()).to_owned();
        Some(DiscoveredFeed { feed_url, title: parsed.title, kind, checked: true })
    }
}
