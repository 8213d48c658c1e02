//! Fetches a picture in a worker, identifies its type from its bytes, and stores it. Another job stores a smaller
//! version.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE32_NOPAD;
use entities::picture::Model;
use fetch::Fetched;
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::reduction::{Reduction, reduce};
use super::request::{cached, find};
use super::width::PictureWidth;
use super::{FOLDER, FRESH_FOR, PictureFailure};
use crate::worker_tools::Tools;
use jobs::Claimed;
use kernel::statement::execute;
use kernel::{Domain, Millis, Result};

/// Picture whose bytes were written to the blob store.
struct StoredPicture {
    blob: String,
    picture: extract::picture::PictureInfo,
    size: i64,
}

/// Result of a job, and the time until which it is cached.
struct DownloadOutcome {
    result: std::result::Result<StoredPicture, PictureFailure>,
    holds_until: Millis,
}

/// Fetches the picture of a claimed job, or creates a smaller version of a fetched picture.
///
/// # Errors
/// If the blob store or the database is unavailable. The job is then retried.
#[boxed]
pub async fn fetch_picture(domain: &Domain, tools: &Tools, claimed: &Claimed) -> Result<()> {
    let now = domain.now();
    let row = find(domain, &claimed.key).await?.filter(|row| cached(row, now).is_none());
    // The picture was fetched by an earlier job, or its row was evicted.
    let Some(row) = row else { return jobs::complete(domain, claimed).await };
    let width = PictureWidth::of_row(&row);
    let outcome = match width {
        Some(width) => smaller_version(domain, tools, &row, width).await?,
        None => fetched(domain, tools, &row.url).await?,
    };
    let label = match (&outcome.result, width) {
        (Err(failure), _) => failure.as_str(),
        (Ok(_), Some(_)) => "smaller",
        (Ok(_), None) => "ok",
    };
    metrics::counter!("carrel_pictures_total", "outcome" => label).increment(1);
    let write_result = write(domain, claimed, &row, &outcome).await;
    let unused = match (&write_result, outcome.result) {
        (Ok(()), Ok(_)) => row.blob,
        // The previous smaller version may have been made from other bytes.
        (Ok(()), Err(_)) => row.blob.filter(|_| width.is_some()),
        // The result was not written, so no row references the new file.
        (Err(_), Ok(stored)) => Some(stored.blob),
        (Err(_), Err(_)) => None,
    };
    if let Some(blob) = unused {
        domain.blobs().delete(&blob).await?;
    }
    write_result
}

async fn fetched(domain: &Domain, tools: &Tools, url: &str) -> Result<DownloadOutcome> {
    match download(tools, url).await {
        // The permit for the body is released when the body is stored.
        Ok((picture, fetched)) => {
            let stored = store(domain, picture, &fetched.body).await?;
            Ok(DownloadOutcome { result: Ok(stored), holds_until: domain.now() + FRESH_FOR })
        }
        Err(failure) => {
            Ok(DownloadOutcome { result: Err(failure), holds_until: domain.now() + failure.cache_duration() })
        }
    }
}

async fn smaller_version(
    domain: &Domain,
    tools: &Tools,
    row: &Model,
    width: PictureWidth,
) -> Result<DownloadOutcome> {
    let Reduction { result, holds_until } = reduce(domain, tools, row, width).await?;
    let result = match result {
        Ok((picture, bytes)) => Ok(store(domain, picture, &bytes).await?),
        Err(failure) => Err(failure),
    };
    Ok(DownloadOutcome { result, holds_until })
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
/// retained; a previous smaller version is not, because it may show another picture.
async fn write(domain: &Domain, claimed: &Claimed, row: &Model, outcome: &DownloadOutcome) -> Result<()> {
    let transaction = domain.db().begin().await?;
    let holds_until = outcome.holds_until;
    match &outcome.result {
        Ok(stored) => write_picture(&transaction, &row.hash, stored, holds_until).await?,
        Err(failure) if row.max_width > 0 => {
            write_no_version(&transaction, &row.hash, *failure, holds_until).await?;
        }
        Err(failure) => write_failure(&transaction, &row.hash, *failure, holds_until).await?,
    }
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

async fn write_picture(
    transaction: &DatabaseTransaction,
    hash: &str,
    stored: &StoredPicture,
    holds_until: Millis,
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
        holds_until.into(),
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
    hash: &str,
    failure: PictureFailure,
    holds_until: Millis,
) -> Result<()> {
    let sql = "UPDATE picture SET failure = $1, holds_until = $2 WHERE hash = $3";
    execute(connection, sql, [failure.as_str().into(), holds_until.into(), hash.into()]).await?;
    Ok(())
}

/// Records that a picture has no smaller version.
async fn write_no_version(
    connection: &impl ConnectionTrait,
    hash: &str,
    failure: PictureFailure,
    holds_until: Millis,
) -> Result<()> {
    let sql = "UPDATE picture SET blob = NULL, media_type = NULL, width = 0, height = 0, size_bytes = 0, failure = $1, \
               holds_until = $2 WHERE hash = $3";
    execute(connection, sql, [failure.as_str().into(), holds_until.into(), hash.into()]).await?;
    Ok(())
}

/// Records that fetching or reducing a picture crashed its workers, so that this is not repeated for some time. A
/// previous smaller version is deleted, because it may show another picture.
#[boxed]
pub async fn give_up(domain: &Domain, hash: &str) -> Result<()> {
    let (connection, now, failure) = (domain.db().write(), domain.now(), PictureFailure::Unreachable);
    let holds_until = now + failure.cache_duration();
    let version = find(domain, hash).await?.filter(|row| row.max_width > 0);
    let Some(version) = version else { return write_failure(connection, hash, failure, holds_until).await };
    if cached(&version, now).is_some() {
        return Ok(());
    }
    write_no_version(connection, hash, failure, holds_until).await?;
    if let Some(blob) = version.blob {
        domain.blobs().delete(&blob).await?;
    }
    Ok(())
}
