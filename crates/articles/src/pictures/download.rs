//! Fetches a picture in a worker, identifies its type from its bytes, and stores it.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE32_NOPAD;
use entities::picture::Model;
use fetch::Fetched;
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::request::{cached, find};
use super::{FOLDER, FRESH_FOR, PictureFailure};
use crate::worker_tools::Tools;
use jobs::Claimed;
use kernel::statement::execute;
use kernel::{Domain, Result};

/// Picture whose bytes were written to the blob store.
struct StoredPicture {
    blob: String,
    picture: extract::picture::PictureInfo,
    size: i64,
}

/// Fetches the picture of a claimed job.
///
/// # Errors
/// If the blob store or the database is unavailable. The job is then retried.
#[boxed]
pub async fn fetch_picture(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<()> {
    let now = domain.now();
    let row = find(domain, &claimed.key).await?.filter(|row| cached(row, now).is_none());
    // The picture was fetched by an earlier job, or its row was evicted.
    let Some(row) = row else { return jobs::complete(domain, claimed).await };
    let outcome = match download(tools, &row.url).await {
        // The permit for the body is released when the body is stored.
        Ok((picture, fetched)) => Ok(store(domain, picture, &fetched.body).await?),
        Err(failure) => Err(failure),
    };
    let label = outcome.as_ref().map_or_else(|failure| failure.as_str(), |_| "ok");
    metrics::counter!("carrel_pictures_total", "outcome" => label).increment(1);
    let written = write(domain, claimed, &row, &outcome).await;
    let unused = match (&written, outcome) {
        (Ok(()), Ok(_)) => row.blob,
        // The result was not written, so no row references the new file.
        (Err(_), Ok(stored)) => Some(stored.blob),
        (_, Err(_)) => None,
    };
    if let Some(blob) = unused {
        domain.blobs().delete(&blob).await?;
    }
    written
}

async fn download(
    tools: &Tools,
    url: &str,
) -> std::result::Result<(extract::picture::PictureInfo, Fetched), PictureFailure> {
    let fetched = tools.fetcher.fetch(&fetch::Request::picture(url)).await;
    let fetched = fetched.map_err(|error| PictureFailure::from(&error))?;
    Ok((extract::picture::identify(&fetched.body)?, fetched))
}

async fn store(
    domain: &Domain,
    picture: extract::picture::PictureInfo,
    bytes: &[u8],
) -> Result<StoredPicture> {
    let random = BASE32_NOPAD.encode(&domain.random::<20>()).to_lowercase();
    let blob = format!("{FOLDER}/{random}");
    let mut upload = domain.blobs().begin(&blob).await?;
    if let Err(error) = upload.push(bytes).await {
        upload.abort().await;
        return Err(error);
    }
    let size = i64::try_from(upload.finish().await?.size).unwrap_or(i64::MAX);
    Ok(StoredPicture { blob, picture, size })
}

/// Records the result and completes the job. After a temporary failure, the previously fetched picture is
/// retained.
async fn write(
    domain: &Domain,
    claimed: &Claimed,
    row: &Model,
    outcome: &std::result::Result<StoredPicture, PictureFailure>,
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    match outcome {
        Ok(stored) => write_picture(&transaction, domain, &row.hash, stored).await?,
        Err(failure) => write_failure(&transaction, domain, &row.hash, *failure).await?,
    }
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

async fn write_picture(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    hash: &str,
    stored: &StoredPicture,
) -> Result<()> {
    let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
    let sql = "UPDATE picture SET blob = $1, media_type = $2, width = $3, height = $4, size_bytes = $5, failure = NULL, \
               holds_until = $6 WHERE hash = $7";
    let values = [
        stored.blob.as_str().into(),
        stored.picture.media_type.into(),
        side(stored.picture.width).into(),
        side(stored.picture.height).into(),
        stored.size.into(),
        (domain.now() + FRESH_FOR).into(),
        hash.into(),
    ];
    let changed = execute(transaction, sql, values).await?;
    if changed == 0 {
        // The row was evicted in the meantime. The stored file will be deleted as a file without a row.
        tracing::debug!("row of fetched picture was evicted");
    }
    Ok(())
}

async fn write_failure(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    hash: &str,
    failure: PictureFailure,
) -> Result<()> {
    let sql = "UPDATE picture SET failure = $1, holds_until = $2 WHERE hash = $3";
    let values = [failure.as_str().into(), (domain.now() + failure.cache_duration()).into(), hash.into()];
    execute(connection, sql, values).await?;
    Ok(())
}

/// Records that fetching a picture crashed its workers, so that the fetch is not repeated for some time.
#[boxed]
pub async fn give_up(domain: &Domain, hash: &str) -> Result<()> {
    write_failure(domain.db().write(), domain, hash, PictureFailure::Unreachable).await
}
