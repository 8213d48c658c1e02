//! Preview of rules: the newest entries of a feed before and after the rules are applied. Nothing is saved.

use async_recursion::async_recursion as boxed;
use entities::ids::{FeedId, SubscriptionId};
use identity::limits::AccountLimits;

use super::super::expressions::thread_cpu_time;
use super::super::rewrites::{
    EntryTexts, REWRITE_TIME_LIMIT, Rewrite, RewriteLimits, Rewriter, allowed_address, not_fetched,
};
use super::super::rules::TOO_COSTLY;
use super::super::source_kind::SourceKind;
use super::super::subscriptions::get_subscription;
use super::sample::{self, SampleResult};
use articles::Payer;
use jobs::{Pending, Progress, WaitOutcome};
use kernel::{Code, Domain, Error, Result};

/// Entries of a feed before and after the rules are applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RewritePreview {
    /// Newest entries first.
    pub entries: Vec<RewrittenEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewrittenEntry {
    pub before: RewrittenTexts,
    pub after: RewrittenTexts,
    /// True if a text of the entry is unchanged because the result of a rule was refused.
    pub is_partial: bool,
}

/// Texts of an entry that rules change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RewrittenTexts {
    pub title: Option<String>,
    pub url: Option<String>,
    pub summary: Option<String>,
    /// Sanitised markup.
    pub content: Option<String>,
}

/// Preview that waits until the feed is fetched.
pub struct PendingRewritePreview {
    feed_id: FeedId,
    rewriter: Rewriter,
}

/// Requests the newest entries of a feed before and after the rules are applied. A fetch of the feed costs
/// one fresh extraction; for ten minutes, further previews cost nothing.
///
/// # Errors
/// `not_found` if the subscription does not exist; `invalid_request` if a rule is invalid or too costly, or if the feed
/// is not fetched; the failure of the feed; `fresh_extraction_limit`; `capacity_exhausted`.
#[boxed]
pub async fn request_rewrite_preview(
    domain: &Domain,
    payer: Payer,
    id: SubscriptionId,
    rules: &[Rewrite],
) -> Result<Progress<PendingRewritePreview>> {
    let subscription = get_subscription(domain, payer.account_id, id).await?;
    let rewriter = Rewriter::compile(rules).await?;
    if subscription.source_kind != SourceKind::Feed {
        return Err(not_fetched());
    }
    let feed_id = subscription.feed_id;
    if let Some(sample) = sample::cached(domain, feed_id).await? {
        return Ok(Progress::Done(preview(domain, rewriter, sample).await?));
    }
    let hold = domain.limits().reserve_extraction(domain, payer.account_id, payer.tier).await?;
    let submitted = sample::submit(domain, payer.account_id, feed_id).await;
    if !submitted.as_ref().is_ok_and(|job| !job.joined) {
        domain.limits().refund(hold).await;
    }
    Ok(Progress::Waiting { job: submitted?, pending: PendingRewritePreview { feed_id, rewriter } })
}

impl Pending for PendingRewritePreview {
    type Answer = RewritePreview;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<RewritePreview> {
        match outcome {
            WaitOutcome::Ended(_) => match sample::cached(domain, self.feed_id).await? {
                Some(sample) => preview(domain, self.rewriter, sample).await,
                None => Err(still_running()),
            },
            WaitOutcome::TimedOut => Err(still_running()),
            WaitOutcome::Failed(error) => Err(error),
        }
    }
}

/// Applies rules to the entries of a sample.
async fn preview(domain: &Domain, rewriter: Rewriter, sample: SampleResult) -> Result<RewritePreview> {
    let entries = sample.map_err(Error::from)?;
    let domain = domain.clone();
    let work = move || {
        let allowed = |url: &str| allowed_address(&domain, url);
        let until = thread_cpu_time() + REWRITE_TIME_LIMIT;
        let limits = RewriteLimits { clock: &thread_cpu_time, until, allowed: &allowed };
        let rewritten = entries.iter().map(|texts| {
            let rewritten = rewriter.rewrite(texts, &limits).ok()?;
            Some(RewrittenEntry {
                before: Rewriter::original(texts).into(),
                after: rewritten.texts.into(),
                is_partial: rewritten.is_partial,
            })
        });
        rewritten.collect::<Option<Vec<RewrittenEntry>>>()
    };
    let entries = tokio::task::spawn_blocking(work).await.map_err(Error::internal)?;
    let too_costly = || Error::new(Code::InvalidRequest, TOO_COSTLY).at("rewrites", TOO_COSTLY);
    Ok(RewritePreview { entries: entries.ok_or_else(too_costly)? })
}

impl From<EntryTexts> for RewrittenTexts {
    fn from(texts: EntryTexts) -> Self {
        let EntryTexts { title, url, summary, content } = texts;
        Self { title, url, summary, content }
    }
}

fn still_running() -> Error {
    jobs::timed_out(
        Code::ServiceUnavailable,
        "The feed was not read in time. Its fetch continues; try again in a moment.",
    )
}
