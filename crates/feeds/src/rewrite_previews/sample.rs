//! Newest entries of a feed for previews of rules. A worker fetches the feed, because stored entries are already
//! rewritten and lack attributes that rules need. The result is cached for further previews.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, FeedId};
use entities::{feed, feed_sample};
use extract::feed::{FeedInput, ParsedEntry};
use fetch::{Pace, Request};
use sea_orm::sea_query::OnConflict;
use sea_orm::{EntityTrait, IntoActiveModel};
use serde::{Deserialize, Serialize};

use super::super::login::{self, OwnRequest};
use super::super::poll::request_of;
use super::super::rewrites::{EntryTexts, read_feed};
use articles::SourceFailure;
use articles::worker_tools::Tools;
use jobs::{JobKind, NewJob};
use kernel::clock::{MINUTE, SECOND};
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum number of entries.
const MAX_ENTRIES: usize = 5;
/// Maximum size of the texts of all entries but the first, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Cache lifetime of entries, in milliseconds.
const CACHE_TTL_MS: Millis = 10 * MINUTE;
/// Cache lifetime of a failure, in milliseconds.
const FAILURE_TTL_MS: Millis = MINUTE;

/// Cached result of a fetch.
pub(super) type SampleResult = std::result::Result<Vec<EntryTexts>, SourceFailure>;

#[derive(Serialize, Deserialize)]
struct SampleArguments {
    feed_id: FeedId,
    /// Account that submitted the job.
    account_id: AccountId,
}

/// Returns the cached result of a feed. `None` if there is no fresh result.
pub(super) async fn cached(domain: &Domain, feed_id: FeedId) -> Result<Option<SampleResult>> {
    let connection = domain.db().write();
    let Some(row) = feed_sample::Entity::find_by_id(feed_id).one(connection).await? else { return Ok(None) };
    let age = jobs::database_time(connection, domain).await? - row.made_at;
    Ok(match row.error_code {
        None if age < CACHE_TTL_MS => Some(Ok(serde_json::from_str(&row.entries).map_err(Error::internal)?)),
        Some(code) if age < FAILURE_TTL_MS => {
            let elapsed = u32::try_from(age / SECOND).unwrap_or_default();
            let retry_after = row.error_retry_after.and_then(|seconds| u32::try_from(seconds).ok());
            let retry_after = retry_after.map(|seconds| seconds.saturating_sub(elapsed).max(1));
            let message = row.error_message.unwrap_or_default();
            Some(Err(SourceFailure::from_stored(&code, message, retry_after)))
        }
        None | Some(_) => None,
    })
}

/// Submits a job that fetches a feed, or joins the job in progress. The caller must push the job.
pub(super) async fn submit(
    domain: &Domain,
    account_id: AccountId,
    feed_id: FeedId,
) -> Result<jobs::Submitted> {
    let arguments = SampleArguments { feed_id, account_id };
    let job = NewJob::new(JobKind::FeedSample, feed_id.to_string()).owner(account_id).payload(&arguments)?;
    let transaction = domain.db().begin().await?;
    let submitted = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok(submitted)
}

/// Runs the claimed job in a worker.
///
/// # Errors
/// `Unavailable` or `Internal` if the result cannot be written.
#[boxed]
pub async fn take_sample(domain: &Domain, tools: &Tools, claimed: &jobs::Claimed) -> Result<()> {
    let SampleArguments { feed_id, account_id } = claimed.arguments()?;
    let Some(feed) = feed::Entity::find_by_id(feed_id).one(domain.db().read()).await? else {
        return jobs::complete(domain, claimed).await;
    };
    let own = login::own_requests(domain, std::slice::from_ref(&feed)).await?.remove(&feed_id);
    let result = fetch_entries(tools, &feed, own, account_id).await?;
    let (entries, failure) = match result {
        Ok(entries) => (entries, None),
        Err(failure) => (Vec::new(), Some(failure)),
    };
    let retry_after = failure.as_ref().and_then(|failure| failure.retry_after);
    let (code, message) = failure.map(|failure| (failure.code.as_str().to_owned(), failure.message)).unzip();
    let made = feed_sample::Model {
        feed_id,
        entries: serde_json::to_string(&entries).map_err(Error::internal)?,
        error_code: code,
        error_message: message,
        error_retry_after: retry_after.and_then(|seconds| i32::try_from(seconds).ok()),
        made_at: jobs::database_time(domain.db().read(), domain).await?,
    };
    let on_conflict = OnConflict::column(feed_sample::Column::FeedId)
        .update_columns([
            feed_sample::Column::Entries,
            feed_sample::Column::ErrorCode,
            feed_sample::Column::ErrorMessage,
            feed_sample::Column::ErrorRetryAfter,
            feed_sample::Column::MadeAt,
        ])
        .to_owned();
    let transaction = domain.db().begin().await?;
    feed_sample::Entity::insert(made.into_active_model())
        .on_conflict(on_conflict)
        .exec_without_returning(&transaction)
        .await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Fetches a feed as a poll does, and returns its newest entries with the marks of a prepared body.
async fn fetch_entries(
    tools: &Tools,
    feed: &feed::Model,
    own: Option<OwnRequest>,
    account_id: AccountId,
) -> Result<SampleResult> {
    let caller = Some(account_id.to_string());
    let request = Request { pace: Pace::Interactive, ..request_of(tools, feed, own.as_ref()) };
    let mut fetched = match tools.fetcher.for_caller(caller.clone()).fetch(&request).await {
        Ok(fetched) => fetched,
        Err(error) => return Ok(Err(SourceFailure::from(&error))),
    };
    let input = FeedInput {
        // The permit for a large body is released with the response.
        body: std::mem::take(&mut fetched.body).into(),
        content_type: fetched.content_type.clone(),
        base_url: Some(fetched.url.as_str().to_owned()),
        limits: tools.settings.feed_limits,
        ..FeedInput::default()
    };
    let sandbox = tools.sandbox.at_pace(Pace::Interactive).for_caller(caller);
    Ok(match read_feed(&sandbox, input, true).await? {
        Ok(parsed) if parsed.is_feed() => Ok(newest(parsed.entries)),
        Ok(_) => Err(SourceFailure::new(Code::SourceInvalidResponse, "The address no longer has a feed.")),
        Err(error) => Err(articles::of_sandbox_error(&error)),
    })
}

/// Returns the texts of the newest entries.
fn newest(mut entries: Vec<ParsedEntry>) -> Vec<EntryTexts> {
    entries.sort_by_key(|entry| entry.rank);
    let mut bytes = 0;
    let mut newest = Vec::with_capacity(MAX_ENTRIES);
    for entry in entries.iter().take(MAX_ENTRIES) {
        let texts = EntryTexts::of(entry);
        bytes += texts.content.as_ref().map_or(0, String::len);
        if bytes > MAX_BYTES && !newest.is_empty() {
            break;
        }
        newest.push(texts);
    }
    newest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_contains_the_newest_entries_up_to_its_maximum_size() {
        let entry = |rank: u32, bytes: usize| ParsedEntry {
            rank,
            title: Some(rank.to_string()),
            content_html: Some("x".repeat(bytes)),
            ..ParsedEntry::default()
        };
        let titles = |entries: Vec<ParsedEntry>| -> Vec<String> {
            newest(entries).into_iter().filter_map(|texts| texts.title).collect()
        };
        assert_eq!(titles((0..9).rev().map(|rank| entry(rank, 10)).collect()), ["0", "1", "2", "3", "4"]);
        assert_eq!(titles(vec![entry(1, 10), entry(0, 2 << 20)]), ["0"]);
    }
}
