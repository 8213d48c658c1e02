//! Requests for a picture from the viewer of a page: returns the cached picture, or submits a job that
//! fetches it.

use async_recursion::async_recursion as boxed;
use identity::limits::AccountLimits;
use std::collections::HashMap;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use entities::ids::AccountId;
use entities::picture::{self, Column, Entity, Model};
use futures_util::stream::BoxStream;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter};
use sha2::{Digest, Sha256};

use super::PictureFailure;
use super::width::PictureWidth;
use identity::limits::Network;
use identity::limits::window::{Counter, RatePolicy};
use jobs::{JobKind, NewJob, Pending, Progress, WaitOutcome};
use kernel::clock::HOUR;
use kernel::statement::execute;
use kernel::{Code, Domain, Error, Millis, Result};

/// Limit on displayed pictures, including cached pictures.
const VIEW_LIMITS: [RatePolicy; 1] = [RatePolicy::sliding("minute", 1_200, 60)];
/// Limits on pictures fetched for an account, and on smaller versions created for it. A picture has a size of at most 8
/// MB.
const FETCH_LIMITS: [RatePolicy; 2] =
    [RatePolicy::sliding("minute", 240, 60), RatePolicy::sliding("day", 4_000, 86_400)];
/// The same limits for a network whose users are not signed in.
const ANONYMOUS_FETCH_LIMITS: [RatePolicy; 2] =
    [RatePolicy::sliding("minute", 120, 60), RatePolicy::sliding("day", 1_000, 86_400)];
/// Precision, in milliseconds, of the recorded time of the last view.
const VIEW_PRECISION: Millis = HOUR;
/// Maximum number of pictures per page whose sizes are queried.
const MAX_SIZES: usize = 200;

/// Account or network that is charged for a picture.
#[derive(Clone, Debug)]
pub enum Requester {
    /// Signed-in user.
    Account(AccountId),
    /// Network of a person who is not signed in.
    Network(Network),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedPicture {
    /// Media type, identified from the bytes.
    pub media_type: String,
    /// Width in pixels; 0 if unknown.
    pub width: u32,
    /// Size in bytes.
    pub size: u64,
    /// Key of the file in the blob store. New bytes get a new key.
    pub blob: String,
}

/// A picture, or the reason why it is not displayed.
pub type PictureResult = std::result::Result<CachedPicture, PictureFailure>;

/// A picture that a worker is fetching.
#[derive(Debug)]
pub struct PendingPicture {
    hash: String,
}

/// Operation for which a requester is charged.
#[derive(Clone, Copy, Debug)]
pub(super) enum PictureCharge {
    View,
    Fetch,
    /// Creation of a smaller version.
    Reduction,
}

impl Requester {
    /// Returns the text that identifies the account or network.
    pub fn key(&self) -> String {
        match self {
            Self::Account(id) => id.to_string(),
            Self::Network(network) => network.as_str().to_owned(),
        }
    }

    pub(super) fn counters(&self, charge: PictureCharge) -> Vec<Counter> {
        let (kind, of_account, of_network): (&str, &[RatePolicy], &[RatePolicy]) = match charge {
            PictureCharge::View => ("picture", &VIEW_LIMITS, &VIEW_LIMITS),
            PictureCharge::Fetch => ("picture-fetch", &FETCH_LIMITS, &ANONYMOUS_FETCH_LIMITS),
            PictureCharge::Reduction => ("picture-smaller", &FETCH_LIMITS, &ANONYMOUS_FETCH_LIMITS),
        };
        match self {
            Self::Account(id) => {
                vec![Counter { key: format!("{kind}:{id}"), policies: of_account.to_vec() }]
            }
            Self::Network(network) => network.counters(kind, of_network),
        }
    }
}

/// Requests the picture at `url`, which the caller has verified with [`PictureKey::open`](super::PictureKey::open). The
/// result is a smaller version if a version of the given width is cached; otherwise,
/// [`request_smaller`](super::request_smaller()) can create the version from the result.
///
/// # Errors
/// `rate_limited` after too many requests; `capacity_exhausted` if too many fetches are waiting;
/// `service_unavailable`.
#[boxed]
pub async fn request(
    domain: &Domain,
    requester: &Requester,
    url: &str,
    width: Option<PictureWidth>,
) -> Result<Progress<PendingPicture>> {
    let limits = domain.limits();
    let windows = limits.windows();
    let views = windows.check_each(requester.counters(PictureCharge::View), domain.now()).await;
    if let Some(refusal) = views.refusal() {
        return Err(too_many().retry_after(refusal.retry_after()));
    }
    if domain.policy().max_picture_bytes == 0 || fetch::check_url(url, &domain.policy().fetch).is_err() {
        return Ok(Progress::Done(Err(PictureFailure::NotAllowed)));
    }
    if let Some(width) = width
        && let Some(row) = find(domain, &width.hash_of(url)).await?
        && let Some(Ok(smaller)) = cached(&row, domain.now())
    {
        touch(domain, &row).await?;
        return Ok(Progress::Done(Ok(smaller)));
    }
    let hash = hash_of(url);
    if let Some(row) = find(domain, &hash).await? {
        touch(domain, &row).await?;
        if let Some(result) = cached(&row, domain.now()) {
            return Ok(Progress::Done(result));
        }
    }
    let charges = windows.check_each(requester.counters(PictureCharge::Fetch), domain.now()).await;
    if let Some(refusal) = charges.refusal() {
        return Err(too_many().retry_after(refusal.retry_after()));
    }
    let submitted = submit(domain, &hash, url, None).await;
    if !submitted.as_ref().is_ok_and(|job| !job.joined) {
        windows.refund_each(&charges).await;
    }
    Ok(Progress::Waiting { job: submitted?, pending: PendingPicture { hash } })
}

fn too_many() -> Error {
    Error::new(Code::RateLimited, PictureFailure::Busy.sentence())
}

/// Submits the job of a picture or of its smaller version.
pub(super) async fn submit(
    domain: &Domain,
    hash: &str,
    url: &str,
    width: Option<PictureWidth>,
) -> Result<jobs::Submitted> {
    let row = Model {
        hash: hash.to_owned(),
        url: url.to_owned(),
        blob: None,
        media_type: None,
        width: 0,
        height: 0,
        size_bytes: 0,
        failure: None,
        holds_until: 0,
        asked_at: domain.now(),
        max_width: width.map_or(0, PictureWidth::column),
    };
    let is_known = OnConflict::column(Column::Hash).do_nothing().to_owned();
    let insert = Entity::insert(row.into_active_model()).on_conflict(is_known);
    match insert.exec_without_returning(domain.db().write()).await {
        Ok(_) | Err(sea_orm::DbErr::RecordNotInserted) => {}
        Err(error) => return Err(error.into()),
    }
    let kind = if width.is_some() { JobKind::SmallerPicture } else { JobKind::Picture };
    jobs::submit_batched(domain, NewJob::new(kind, hash).start_immediately()).await
}

impl Pending for PendingPicture {
    type Answer = PictureResult;

    async fn resume(self, domain: &Domain, outcome: WaitOutcome) -> Result<PictureResult> {
        match outcome {
            WaitOutcome::Ended(_) => {
                let row = find(domain, &self.hash).await?;
                Ok(row.and_then(|row| cached(&row, domain.now())).unwrap_or(Err(PictureFailure::Unreachable)))
            }
            WaitOutcome::TimedOut => Ok(Err(PictureFailure::Late)),
            WaitOutcome::Failed(error) => Err(error),
        }
    }
}

/// Returns the hash that identifies the stored picture of a URL.
pub(super) fn hash_of(url: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(url.as_bytes()))
}

pub(super) async fn find(domain: &Domain, hash: &str) -> Result<Option<Model>> {
    Ok(Entity::find_by_id(hash).one(domain.db().write()).await?)
}

/// Returns the cached picture or failure. `None` if the picture must be fetched.
pub(super) fn cached(row: &Model, now: Millis) -> Option<PictureResult> {
    if now >= row.holds_until {
        return None;
    }
    match (&row.blob, &row.media_type, &row.failure) {
        (Some(blob), Some(media_type), _) => Some(Ok(CachedPicture {
            media_type: media_type.clone(),
            width: row.width.max(0).unsigned_abs(),
            size: row.size_bytes.max(0).unsigned_abs(),
            blob: blob.clone(),
        })),
        (_, _, Some(word)) => Some(Err(PictureFailure::parse(word))),
        _ => None,
    }
}

/// Records a view of the picture. The least recently viewed pictures are evicted first.
async fn touch(domain: &Domain, row: &Model) -> Result<()> {
    let now = domain.now();
    if now < row.asked_at + VIEW_PRECISION {
        return Ok(());
    }
    let sql = "UPDATE picture SET asked_at = $1 WHERE hash = $2";
    execute(domain.db().write(), sql, [now.into(), row.hash.as_str().into()]).await?;
    Ok(())
}

/// Streams the bytes of a picture.
///
/// # Errors
/// `service_unavailable` if the blob store is unavailable or does not contain the picture.
#[boxed]
pub async fn read(
    domain: &Domain,
    picture: &CachedPicture,
) -> Result<BoxStream<'static, std::io::Result<Bytes>>> {
    domain.blobs().read(&picture.blob, 0..picture.size).await
}

/// Returns the width and height in pixels of each cached picture, by address.
#[boxed]
pub async fn sizes(domain: &Domain, urls: &[String]) -> Result<HashMap<String, (u32, u32)>> {
    if urls.is_empty() {
        return Ok(HashMap::new());
    }
    let hashes: Vec<String> = urls.iter().take(MAX_SIZES).map(|url| hash_of(url)).collect();
    let rows = Entity::find()
        .filter(Column::Hash.is_in(hashes))
        .filter(Column::Width.gt(0))
        .all(domain.db().read())
        .await?;
    let side = |pixels: i32| u32::try_from(pixels).unwrap_or(0);
    Ok(rows.into_iter().map(|row: picture::Model| (row.url, (side(row.width), side(row.height)))).collect())
}
