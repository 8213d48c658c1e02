//! Returns the text of a URL: a stored text that is fresh enough, or the result of an extraction.
//!
//! The account that causes a download is charged in advance, and refunded if no download happens. An account that joins
//! a running extraction is not charged. If the account has no fresh extractions left, a text that was confirmed within
//! the last seven days is returned instead.

use identity::limits::AccountLimits;
use std::time::Duration;

use entities::ids::AccountId;
use entities::source;
use futures_util::future::{BoxFuture, FutureExt};
use sea_orm::EntityTrait;

use super::caller_limit::CallerArguments;
use super::store;
use super::{Address, Article, CacheAudience, CacheLookup, Freshness, ServedArticle};
use identity::limits::Reservation;
use identity::limits::window;
use jobs::{JobState, NewJob, Pending, Priority, Progress, Submitted, WaitOutcome};
use kernel::db::was_full_within;
use kernel::tiers::Tier;
use kernel::{Class, Code, Domain, Error, Millis, Result};

/// Maximum age, in seconds, of a stored text that is returned if the account has no fresh extractions left.
const FALLBACK_SECONDS: u32 = 7 * 86_400;

/// Fresh extractions that rendering a page costs, in addition to the extraction of the page itself.
pub const RENDERING_EXTRACTIONS: u32 = 4;

/// Account that is charged for a download.
#[derive(Clone, Copy, Debug)]
pub struct Payer {
    pub account_id: AccountId,
    pub tier: Tier,
}

/// Purpose of a request. Determines which quota is charged and how long the shared copy is cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchPurpose {
    /// A caller reads the text.
    Read,
    /// A caller saves a permanent copy. If the quota is used up, no old text is returned, because the saved
    /// copy would never be updated.
    Save,
    /// An item is imported, and no caller waits for its text. Imports use at most half of the daily fresh
    /// extractions.
    Import,
}

impl FetchPurpose {
    /// Returns the audience for which the shared copy is cached. A caller that saves the text has a separate
    /// copy, so the shared copy is not cached longer.
    fn audience(self, payer: Option<Payer>) -> CacheAudience {
        match self {
            Self::Read if payer.is_some() => CacheAudience::Account,
            Self::Read | Self::Save | Self::Import => CacheAudience::Anyone,
        }
    }

    /// Builds the extraction job of `address` for `caller`, an account or a network.
    fn job(self, address: &Address, caller: Option<String>) -> Result<NewJob> {
        let dismiss_cookie_notices = address.dismisses_cookie_notices;
        let arguments = CallerArguments { caller: caller.clone(), dismiss_cookie_notices };
        let job = NewJob::new(address.job_kind(), address.key.clone()).caller(caller).payload(&arguments)?;
        Ok(match self {
            Self::Read | Self::Save => job,
            Self::Import => job.priority(Priority::Low),
        })
    }

    async fn reserve(self, domain: &Domain, payer: Payer, address: &Address) -> Result<Reservation> {
        let (limits, Payer { account_id, tier }) = (domain.limits(), payer);
        match self {
            Self::Read | Self::Save if address.is_rendered => {
                limits.reserve_extractions(domain, (account_id, tier), RENDERING_EXTRACTIONS).await
            }
            Self::Read | Self::Save => limits.reserve_extraction(domain, account_id, tier).await,
            Self::Import => limits.reserve_background_extraction(domain, account_id, tier).await,
        }
    }
}

/// An article, with the effect of the request on the account's quota.
#[derive(Debug)]
pub struct ObtainedArticle {
    pub answer: ServedArticle,
    /// Age in seconds of a text that is returned because the account has no fresh extractions left. Otherwise
    /// `None`.
    pub age_s: Option<u32>,
    /// Fresh extraction limits of the account after this call. `None` if the call did not change them.
    pub fresh: Option<Vec<window::RateState>>,
}

/// An extraction for whose text the caller waits.
pub struct PendingText {
    address: Address,
    requested_at: Millis,
    reservation: Option<Reservation>,
}

/// Requests a text of `address` that satisfies `freshness`: a stored text, or the result of an extraction.
/// All callers in all processes that request the same URL share one extraction.
///
/// # Errors
/// Returns the failure of the source; `fresh_extraction_limit` if the account has no fresh extractions left;
/// `capacity_exhausted` if too many extractions are waiting.
pub fn request<'a>(
    domain: &'a Domain,
    payer: Option<Payer>,
    address: &'a Address,
    freshness: Freshness,
) -> BoxFuture<'a, Result<Progress<PendingText>>> {
    request_for(domain, FetchPurpose::Read, payer, address, freshness)
}

/// Like [`request`], but with an explicit purpose.
pub fn request_for<'a>(
    domain: &'a Domain,
    purpose: FetchPurpose,
    payer: Option<Payer>,
    address: &'a Address,
    freshness: Freshness,
) -> BoxFuture<'a, Result<Progress<PendingText>>> {
    get_cached_or_submit(domain, purpose, payer, address, freshness).boxed()
}

async fn get_cached_or_submit(
    domain: &Domain,
    purpose: FetchPurpose,
    payer: Option<Payer>,
    address: &Address,
    freshness: Freshness,
) -> Result<Progress<PendingText>> {
    let requested_at = domain.now();
    let audience = purpose.audience(payer);
    match store::lookup(domain, address, freshness, audience).await? {
        CacheLookup::Fresh(article) => {
            count_lookup("hit");
            return Ok(Progress::Done(stored(article, None)));
        }
        CacheLookup::Failed(failure) => {
            count_lookup("failure");
            return Err(failure.into());
        }
        CacheLookup::Stale(_) => {}
    }
    let caller = payer.map(|payer| payer.account_id.to_string()).or_else(kernel::caller::current);
    let job = purpose.job(address, caller)?;
    let reservation = match payer {
        None => None,
        Some(payer) => match purpose.reserve(domain, payer, address).await {
            Ok(reservation) => Some(reservation),
            Err(refusal) => return without_quota(domain, purpose, address, refusal).await,
        },
    };
    count_lookup("miss");
    let mut pending = PendingText { address: address.clone(), requested_at, reservation };
    match submit_if_stale(domain, job, address, freshness, audience).await {
        Ok(Some(job)) => {
            if job.joined {
                pending.refund(domain).await;
            }
            Ok(Progress::Waiting { job, pending })
        }
        Ok(None) => {
            pending.refund(domain).await;
            let answer = store::answer_of(domain, &address.key, requested_at).await?;
            Ok(Progress::Done(ObtainedArticle { answer, age_s: None, fresh: None }))
        }
        Err(error) => {
            pending.refund(domain).await;
            Err(error)
        }
    }
}

impl Pending for PendingText {
    type Answer = ObtainedArticle;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<ObtainedArticle> {
        self.finish(domain, outcome).await
    }
}

impl PendingText {
    /// Returns the result of a completed job. The future is boxed like that of [`request`]: both contain most of the
    /// read path, and are thus compiled only in this crate, and not again in every crate that awaits them.
    fn finish(self, domain: &Domain, outcome: WaitOutcome) -> BoxFuture<'_, Result<ObtainedArticle>> {
        self.read_result(domain, outcome).boxed()
    }

    async fn read_result(mut self, domain: &Domain, outcome: WaitOutcome) -> Result<ObtainedArticle> {
        let waited = Duration::from_millis((domain.now() - self.requested_at).max(0).unsigned_abs());
        let outcome = match outcome {
            // If the disk was full, the result was not written, and a retry would not find it.
            WaitOutcome::TimedOut if was_full_within(waited) => WaitOutcome::Failed(jobs::no_result()),
            outcome => outcome,
        };
        let is_still_running = matches!(outcome, WaitOutcome::TimedOut);
        let answer = match outcome {
            WaitOutcome::Ended(JobState::Complete) => {
                store::answer_of(domain, &self.address.key, self.requested_at).await
            }
            WaitOutcome::Ended(JobState::Failed | JobState::Dead) => Err(jobs::no_result()),
            WaitOutcome::Ended(JobState::Ready | JobState::Running) | WaitOutcome::TimedOut => Err(late()),
            WaitOutcome::Failed(error) => Err(error),
        };
        let is_new = answer.as_ref().is_ok_and(|answer| !answer.cache_hit);
        if self.reservation.is_some() && !is_still_running && !is_new && !self.is_downloaded(domain).await {
            self.refund(domain).await;
        }
        let fresh = self.reservation.map(|reservation| reservation.states().to_vec());
        Ok(ObtainedArticle { answer: answer?, age_s: None, fresh })
    }

    /// Refunds the charge.
    async fn refund(&mut self, domain: &Domain) {
        if let Some(reservation) = self.reservation.take() {
            domain.limits().refund(reservation).await;
        }
    }

    /// Returns whether a body was downloaded since the request, even if the extraction failed.
    async fn is_downloaded(&self, domain: &Domain) -> bool {
        let row = source::Entity::find_by_id(&self.address.key).one(domain.db().read()).await;
        row.map_or(true, |row| {
            row.and_then(|row| row.downloaded_at).is_some_and(|at| at >= self.requested_at)
        })
    }
}

/// Handles a request whose account has no fresh extractions left: returns a text that was confirmed within the last
/// seven days, or joins the extraction that another caller started.
async fn without_quota(
    domain: &Domain,
    purpose: FetchPurpose,
    address: &Address,
    refusal: Error,
) -> Result<Progress<PendingText>> {
    if !matches!(refusal.class(), Class::Limited | Class::Forbidden) {
        return Err(refusal);
    }
    if purpose == FetchPurpose::Read
        && let Some((article, age)) = fallback(domain, address).await?
    {
        count_lookup("hit");
        return Ok(Progress::Done(stored(article, Some(age))));
    }
    count_lookup("miss");
    match jobs::live_submission(domain.db().read(), address.job_kind(), &address.key).await? {
        Some(job) => {
            let pending =
                PendingText { address: address.clone(), requested_at: domain.now(), reservation: None };
            Ok(Progress::Waiting { job, pending })
        }
        None => Err(refusal),
    }
}

/// Submits an extraction of `address`, or joins a pending extraction. Returns `None` if an extraction has
/// completed since the caller's lookup and its result is fresh enough. Therefore, if many callers find a
/// stale text at the same time, only one of them causes a download.
async fn submit_if_stale(
    domain: &Domain,
    job: NewJob,
    address: &Address,
    freshness: Freshness,
    audience: CacheAudience,
) -> Result<Option<Submitted>> {
    let is_unknown = store::ensure_source(domain.db().write(), domain.now(), address, audience).await?;
    // The extraction of a source that was unknown is never withdrawn below, so it may start immediately.
    let job = if is_unknown { job.start_immediately() } else { job };
    let submitted = jobs::submit_batched(domain, job).await?;
    if is_unknown || submitted.joined {
        return Ok(Some(submitted));
    }
    // The source row must be read after the job row is written: an earlier job has then either completed and
    // written its result to the source row, or was joined.
    let row = source::Entity::find_by_id(&address.key).one(domain.db().read()).await?;
    let is_answered = row.is_some_and(|row| store::is_answer(&row, domain.now(), freshness));
    if is_answered && jobs::withdraw(domain, submitted.id).await? {
        crate::cache::of(domain).forget(&address.key);
        return Ok(None);
    }
    Ok(Some(submitted))
}

/// Returns the stored text of `address` and its age in seconds. `None` if no text was confirmed in the last
/// seven days.
async fn fallback(domain: &Domain, address: &Address) -> Result<Option<(Article, u32)>> {
    let week = Freshness::seconds(FALLBACK_SECONDS);
    let article = match store::lookup(domain, address, week, CacheAudience::Account).await? {
        CacheLookup::Fresh(article) | CacheLookup::Stale(Some(article)) => article,
        CacheLookup::Failed(_) | CacheLookup::Stale(None) => return Ok(None),
    };
    let row = source::Entity::find_by_id(&address.key).one(domain.db().read()).await?;
    let confirmed = row.and_then(|row| row.checked_at).unwrap_or(article.fetched_at);
    let age = u32::try_from((domain.now() - confirmed).max(0) / 1000).unwrap_or(u32::MAX);
    Ok((age <= FALLBACK_SECONDS).then_some((article, age)))
}

fn stored(article: Article, age_s: Option<u32>) -> ObtainedArticle {
    ObtainedArticle { answer: ServedArticle { article, cache_hit: true }, age_s, fresh: None }
}

/// Counts a lookup by its outcome: `hit`, `miss`, or `failure` if a recent failure is returned.
fn count_lookup(outcome: &'static str) {
    metrics::counter!("carrel_cache_total", "outcome" => outcome).increment(1);
}

fn late() -> Error {
    jobs::timed_out(
        Code::ReadTimeout,
        "The page was not ready in time. Its extraction continues; retry in a moment.",
    )
}
