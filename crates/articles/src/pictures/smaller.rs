//! Requests for smaller versions of pictures. A version is created after its picture is fetched, and is cached as long
//! as the picture. If a picture has no smaller version, or too many are being created, the picture itself is displayed.

use async_recursion::async_recursion as boxed;
use extract::smaller_picture::may_be_smaller;

use super::request::{CachedPicture, PictureCharge, PictureResult, Requester, cached, find, submit};
use super::width::PictureWidth;
use identity::limits::AccountLimits;
use jobs::{Pending, Progress, WaitOutcome};
use kernel::{Code, Domain, Result};

/// Maximum size, in bytes, of a picture that is displayed unchanged on every screen.
const SMALL_BYTES: u64 = 40_000;

/// A smaller version that a worker is creating.
#[derive(Debug)]
pub struct PendingSmaller {
    hash: String,
    original: CachedPicture,
}

/// Requests the smaller version of a picture that [`request`](super::request()) has returned. The result is `original`
/// if there is no smaller version.
///
/// # Errors
/// `service_unavailable`.
#[boxed]
pub async fn request_smaller(
    domain: &Domain,
    requester: &Requester,
    url: &str,
    original: &CachedPicture,
    width: PictureWidth,
) -> Result<Progress<PendingSmaller>> {
    let unchanged = || -> Progress<PendingSmaller> { Progress::Done(Ok(original.clone())) };
    let is_wide = may_be_smaller(&original.media_type, original.width, width.pixels());
    if !is_wide || original.size <= SMALL_BYTES {
        return Ok(unchanged());
    }
    let hash = width.hash_of(url);
    let row = find(domain, &hash).await?;
    match row.and_then(|row| cached(&row, domain.now())) {
        Some(Ok(smaller)) => return Ok(Progress::Done(Ok(smaller))),
        Some(Err(_)) => return Ok(unchanged()),
        None => {}
    }
    let limits = domain.limits();
    let windows = limits.windows();
    let charges = windows.check_each(requester.counters(PictureCharge::Reduction), domain.now()).await;
    if charges.refusal().is_some() {
        return Ok(unchanged());
    }
    let submitted = submit(domain, &hash, url, Some(width)).await;
    if !submitted.as_ref().is_ok_and(|job| !job.joined) {
        windows.refund_each(&charges).await;
    }
    match submitted {
        Ok(job) => {
            let pending = PendingSmaller { hash, original: original.clone() };
            Ok(Progress::Waiting { job, pending })
        }
        Err(error) if error.code == Code::CapacityExhausted => Ok(unchanged()),
        Err(error) => Err(error),
    }
}

impl Pending for PendingSmaller {
    type Answer = PictureResult;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<PictureResult> {
        let row = match outcome {
            WaitOutcome::Ended(_) => find(domain, &self.hash).await?,
            WaitOutcome::TimedOut => None,
            WaitOutcome::Failed(error) => {
                tracing::debug!(error = error.report(), "smaller picture not created");
                None
            }
        };
        let smaller = row.and_then(|row| cached(&row, domain.now())?.ok());
        Ok(Ok(smaller.unwrap_or(self.original)))
    }
}
