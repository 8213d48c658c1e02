//! Runs an extraction in a worker: fetches the source, parses the response in a child process, and commits
//! the text or the failure in the transaction that completes the job.

use async_recursion::async_recursion as boxed;
use browser::{PageRendering, RenderError, RenderRequest};
use data_encoding::HEXLOWER;
use entities::ids::SnapshotId;
use entities::{snapshot, source};
use extract::{Document, ExtractionOutcome, ExtractionSource, Warning};
use fetch::{Fetched, Pace, RobotsRule};
use jobs::JobKind;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value,
};
use sha2::{Digest, Sha256};

use std::time::Duration;

use super::failure::{self, SourceFailure};
use super::store::{self, Packed};
use super::{eviction, parts};
use kernel::{Backend, Code, Domain, Error, Result};

use crate::worker_tools::Tools;
use kernel::statement::execute;

/// Time after which a rendered document is read in its current state. Including the start of a browser,
/// this is shorter than the time for which callers wait.
pub const RENDER_DEADLINE: Duration = Duration::from_secs(18);
/// Maximum compressed size, in bytes, of a stored text.
const MAX_STORED_BYTES: usize = 8 << 20;

/// Result of fetching and extracting a source.
enum ExtractionAttempt {
    /// The stored text is still current (status 304).
    Unchanged { etag: Option<String>, last_modified: Option<String> },
    /// A body was downloaded and its text extracted.
    Read(Box<ExtractedText>),
    /// There is no text. `downloaded` is true if a body was received.
    Failed { failure: SourceFailure, downloaded: bool },
}

impl ExtractionAttempt {
    /// Returns the compressed size of the new text in bytes. `None` if there is no new text.
    fn stored_bytes(&self) -> Option<usize> {
        match self {
            Self::Read(extract_text) => Some(extract_text.packed.bytes.len()),
            Self::Unchanged { .. } | Self::Failed { .. } => None,
        }
    }
}

struct ExtractedText {
    fetched: Fetched,
    body_hash: String,
    packed: Packed,
}

/// Runs the extraction of a claimed job for `caller`, an account or a network. Cookie notices of a rendered page are
/// dismissed if the job requests it. If the source fails, the failure is stored as the result, and the job completes.
///
/// # Errors
/// If the result cannot be written. The job is then retried.
#[boxed]
pub async fn run(
    domain: &Domain,
    tools: &Tools,
    claimed: &jobs::Claimed,
    (caller, dismiss_cookie_notices): (Option<String>, bool),
) -> Result<()> {
    let tools = &Tools {
        fetcher: tools.fetcher.for_caller(caller.clone()),
        sandbox: tools.sandbox.for_caller(caller.clone()),
        ..tools.clone()
    };
    let key = claimed.key.as_str();
    let Some(row) = source::Entity::find_by_id(key).one(domain.db().read()).await? else {
        return jobs::complete(domain, claimed).await;
    };
    let outcome = if claimed.kind == JobKind::Render {
        render_source(tools, &row, (caller, dismiss_cookie_notices)).await
    } else {
        fetch_source(tools, &row, pace(claimed.priority)).await
    };
    let stored_bytes = outcome.stored_bytes();
    if !store_first_text(domain, claimed, &row, &outcome).await? {
        let transaction = domain.db().begin().await?;
        write(domain, &transaction, row, outcome).await?;
        jobs::complete_in(&transaction, domain, claimed).await?;
        transaction.commit().await?;
    }
    crate::cache::of(domain).forget(key);
    if let Some(bytes) = stored_bytes {
        eviction::note_stored(domain, bytes).await;
    }
    Ok(())
}

/// Records that the extraction job of `key` is dead, because it crashed its worker repeatedly.
#[boxed]
pub async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    let message = "Reading the page failed repeatedly.".to_owned();
    let change = source::ActiveModel {
        key: Set(key.to_owned()),
        failed_at: Set(Some(domain.now())),
        error_code: Set(Some(Code::UnsupportedContent.as_str().to_owned())),
        error_message: Set(Some(message)),
        error_retry_after: Set(None),
        ..Default::default()
    };
    source::Entity::update_many()
        .set(change)
        .filter(source::Column::Key.eq(key))
        .exec(domain.db().write())
        .await?;
    crate::cache::of(domain).forget(key);
    Ok(())
}

/// Returns the pace of fetches for a job's priority. A low-priority job is a prefetch for which no caller waits. A
/// caller that joins such a job raises its priority.
fn pace(priority: jobs::Priority) -> Pace {
    match priority {
        jobs::Priority::Low => Pace::Background,
        jobs::Priority::Normal | jobs::Priority::High | jobs::Priority::Urgent => Pace::Interactive,
    }
}

async fn fetch_source(tools: &Tools, row: &source::Model, pace: Pace) -> ExtractionAttempt {
    let has_text = row.snapshot_id.is_some();
    let request = fetch::Request {
        etag: row.etag.clone().filter(|_| has_text),
        last_modified: row.last_modified.clone().filter(|_| has_text),
        deadline: tools.settings.fetch_timeout,
        robots: RobotsRule::Obey,
        pace,
        ..fetch::Request::page(row.url.clone())
    };
    match tools.fetcher.fetch(&request).await {
        Err(error) => ExtractionAttempt::Failed { failure: SourceFailure::from(&error), downloaded: false },
        Ok(fetched) if fetched.not_modified => {
            metrics::counter!("carrel_cache_total", "outcome" => "revalidated").increment(1);
            ExtractionAttempt::Unchanged { etag: fetched.etag, last_modified: fetched.last_modified }
        }
        Ok(fetched) => {
            extract_text(tools, pace, fetched, (row.selector.clone(), BytesOrigin::Response)).await
        }
    }
}

/// Renders the page of a source in the worker's browser and extracts the text of the rendered document.
async fn render_source(
    tools: &Tools,
    row: &source::Model,
    (caller, dismiss_cookie_notices): (Option<String>, bool),
) -> ExtractionAttempt {
    let failed = |failure, downloaded| ExtractionAttempt::Failed { failure, downloaded };
    let Some(renderer) = &tools.renderer else {
        let missing = RenderError::Browser { reason: "this worker has none".to_owned() };
        return failed(failure::of_render_error(&missing), false);
    };
    let page = RenderRequest::page(row.url.clone(), RENDER_DEADLINE);
    let request = RenderRequest { caller, dismiss_cookie_notices, ..page };
    let PageRendering { url, status, html, is_cut, warnings, .. } = match renderer.render(&request).await {
        Ok(rendered) => rendered,
        Err(error) => {
            tracing::info!(%error, "page not rendered");
            let downloaded = !matches!(
                error,
                RenderError::Refused(_) | RenderError::Browser { .. } | RenderError::BrowserLost
            );
            return failed(failure::of_render_error(&error), downloaded);
        }
    };
    for warning in warnings {
        tracing::info!(%warning, host = url.host_str(), "page rendered with a warning");
    }
    match Fetched::of_rendered(url, status, html) {
        Ok(fetched) => {
            let origin = BytesOrigin::Rendering { is_cut };
            extract_text(tools, Pace::Interactive, fetched, (row.selector.clone(), origin)).await
        }
        Err(error) => failed(SourceFailure::from(&error), true),
    }
}

/// Origin of the bytes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BytesOrigin {
    /// The response of the source.
    Response,
    /// The document of a browser. `is_cut` is true if text may be missing.
    Rendering { is_cut: bool },
}

/// Marks a text as the text of a rendered page. Removes the warning that the page needs scripts, because they
/// ran. If `is_cut` is true, adds the warning that part of the text may be missing.
pub fn mark_rendered(document: &mut Document, is_cut: bool) {
    document.source = ExtractionSource::Rendered;
    document.warnings.retain(|warning| *warning != Warning::JavascriptRequired);
    if is_cut && !document.warnings.contains(&Warning::TruncatedSource) {
        document.warnings.push(Warning::TruncatedSource);
    }
}

/// Removes the parts of an extraction that are not stored, and marks a text that comes from a rendering.
fn complete_outcome(extraction: &mut ExtractionOutcome, origin: BytesOrigin) {
    match extraction {
        ExtractionOutcome::Document(document) => {
            // Links to further parts are not stored with the text.
            document.next_links = extract::NextLinks::default();
            if let BytesOrigin::Rendering { is_cut } = origin {
                mark_rendered(document, is_cut);
            }
        }
        // The scripts ran, but there is still no text.
        ExtractionOutcome::NoText { warnings, .. } if origin != BytesOrigin::Response => warnings.clear(),
        ExtractionOutcome::NoText { .. }
        | ExtractionOutcome::Unsupported { .. }
        | ExtractionOutcome::TooComplex { .. } => {}
    }
}

async fn extract_text(
    tools: &Tools,
    pace: Pace,
    mut fetched: Fetched,
    (selector, origin): (Option<String>, BytesOrigin),
) -> ExtractionAttempt {
    let body_hash = HEXLOWER.encode(&Sha256::digest(&fetched.body));
    // The body is moved and not copied: it may be large, and many bodies are processed at the same time.
    let input = extract::Input {
        bytes: std::mem::take(&mut fetched.body).into(),
        content_type: fetched.content_type.clone(),
        url: Some(fetched.url.as_str().to_owned()),
    };
    let sandbox = tools.sandbox.at_pace(pace);
    let is_selected = selector.is_some();
    let has_removed =
        selector.as_deref().is_some_and(|parts| !extract::TextParts::parse(parts).removed.is_empty());
    let extracted = match selector {
        Some(selector) => sandbox.extract_selected(input, selector).await,
        None => sandbox.extract(input).await,
    };
    fetched.release_body();
    let mut extraction = match extracted {
        Ok(extraction) if is_selected || origin != BytesOrigin::Response => extraction,
        Ok(extraction) => parts::complete(tools, pace, &fetched.url, extraction).await,
        Err(fault) => {
            tracing::warn!(?fault, host = fetched.url.host_str(), "extraction process crashed");
            return ExtractionAttempt::Failed {
                failure: failure::of_sandbox_error(&fault),
                downloaded: true,
            };
        }
    };
    if is_selected && matches!(extraction, ExtractionOutcome::NoText { .. }) {
        let message = if has_removed {
            "No text is left on the page: nothing matches the selector, or all of it is removed."
        } else {
            "Nothing on the page matches the selector."
        };
        return ExtractionAttempt::Failed {
            failure: SourceFailure::new(Code::NoReadableText, message),
            downloaded: true,
        };
    }
    complete_outcome(&mut extraction, origin);
    match (failure::of_extraction(&extraction), extraction) {
        (Some(failure), _) => ExtractionAttempt::Failed { failure, downloaded: true },
        (None, ExtractionOutcome::Document(document)) => match pack(document).await {
            Ok(packed) => ExtractionAttempt::Read(Box::new(ExtractedText { fetched, body_hash, packed })),
            Err(failure) => ExtractionAttempt::Failed { failure, downloaded: true },
        },
        (None, _) => ExtractionAttempt::Failed {
            failure: SourceFailure::new(
                Code::NoReadableText,
                "The source was read, but there is no text in it.",
            ),
            downloaded: true,
        },
    }
}

/// Encodes a text for a library item, which stores its own copy.
///
/// # Errors
/// `content_too_large` if the compressed text is too large to store.
#[boxed]
pub async fn pack_document(document: Box<extract::Document>) -> Result<Vec<u8>> {
    Ok(pack(document).await?.bytes)
}

/// Compresses a text. Callers compress before they acquire a database connection.
pub(super) async fn pack(document: Box<extract::Document>) -> std::result::Result<Packed, SourceFailure> {
    let packed = store::convert(move || store::encode(&document)).await;
    match packed.flatten() {
        Ok(packed) if packed.bytes.len() <= MAX_STORED_BYTES => Ok(packed),
        Ok(_) => Err(SourceFailure::new(Code::ContentTooLarge, "The text is too large to store.")),
        Err(error) => {
            tracing::error!(error = %error.report(), "failed to encode text");
            Err(SourceFailure::new(Code::Internal, "The text cannot be stored."))
        }
    }
}

/// Completes a job, and writes the first text and the new state of its source, in one round trip. Writes nothing if the
/// job was claimed again or the source was deleted.
const STORE_FIRST_TEXT: &str = "WITH asked AS (SELECT key FROM source WHERE key = $4 FOR UPDATE), \
     ended AS (DELETE FROM job USING asked WHERE id = $1 AND fence = $2 AND worker = $3 AND state = 'running' RETURNING id), \
     kept AS (INSERT INTO snapshot (id, source_key, final_url, body_hash, document_hash, document, stored_bytes, \
       fetched_at) SELECT $5, $4, $6, $7, $8, $9, $10, $11 FROM ended RETURNING id) \
     UPDATE source SET snapshot_id = kept.id, checked_at = $11, downloaded_at = $11, etag = $12, last_modified = $13, \
       failed_at = NULL, error_code = NULL, error_message = NULL, error_retry_after = NULL \
     FROM kept WHERE source.key = $4";

/// Writes the first text of a source and completes its job in one statement that only PostgreSQL supports.
/// Returns false if nothing was written.
async fn store_first_text(
    domain: &Domain,
    claimed: &jobs::Claimed,
    row: &source::Model,
    outcome: &ExtractionAttempt,
) -> Result<bool> {
    let is_first = row.snapshot_id.is_none() && domain.db().backend() == Backend::Postgres;
    let ExtractionAttempt::Read(extract_text) = outcome else { return Ok(false) };
    if !is_first || !claimed.kind.rules().delete_when_complete {
        return Ok(false);
    }
    let (fetched, packed) = (&extract_text.fetched, &extract_text.packed);
    let values: [Value; 13] = [
        claimed.id.into(),
        claimed.fence.into(),
        claimed.worker.clone().into(),
        row.key.clone().into(),
        domain.new_id::<SnapshotId>().into(),
        fetched.url.as_str().into(),
        extract_text.body_hash.clone().into(),
        packed.hash.clone().into(),
        packed.bytes.clone().into(),
        i64::try_from(packed.bytes.len()).unwrap_or(i64::MAX).into(),
        domain.now().into(),
        fetched.etag.clone().into(),
        fetched.last_modified.clone().into(),
    ];
    Ok(execute(domain.db().write(), STORE_FIRST_TEXT, values).await? > 0)
}

async fn write(
    domain: &Domain,
    transaction: &sea_orm::DatabaseTransaction,
    row: source::Model,
    outcome: ExtractionAttempt,
) -> Result<()> {
    let now = domain.now();
    let mut change = source::ActiveModel { key: Set(row.key.clone()), ..Default::default() };
    match outcome {
        ExtractionAttempt::Unchanged { etag, last_modified } => {
            change.checked_at = Set(Some(now));
            clear_failure(&mut change);
            if etag.is_some() {
                change.etag = Set(etag);
            }
            if last_modified.is_some() {
                change.last_modified = Set(last_modified);
            }
        }
        ExtractionAttempt::Read(extract_text) => {
            let ExtractedText { fetched, body_hash, packed } = *extract_text;
            let snapshot_id = store_text(domain, transaction, &row.key, &fetched, body_hash, packed).await?;
            change.snapshot_id = Set(Some(snapshot_id));
            change.checked_at = Set(Some(now));
            change.downloaded_at = Set(Some(now));
            change.etag = Set(fetched.etag);
            change.last_modified = Set(fetched.last_modified);
            clear_failure(&mut change);
        }
        ExtractionAttempt::Failed { failure, downloaded } => {
            metrics::counter!("carrel_source_failures_total", "code" => failure.code.as_str()).increment(1);
            change.failed_at = Set(Some(now));
            change.error_code = Set(Some(failure.code.as_str().to_owned()));
            change.error_message = Set(Some(failure.message));
            change.error_retry_after =
                Set(failure.retry_after.and_then(|seconds| i32::try_from(seconds).ok()));
            if downloaded {
                change.downloaded_at = Set(Some(now));
            }
        }
    }
    change.update(transaction).await?;
    Ok(())
}

fn clear_failure(change: &mut source::ActiveModel) {
    change.failed_at = Set(None);
    change.error_code = Set(None);
    change.error_message = Set(None);
    change.error_retry_after = Set(None);
}

/// Stores a text. If the newest stored text of the source is identical, its snapshot is reused, so that
/// existing cursors and validators remain valid.
async fn store_text(
    domain: &Domain,
    transaction: &sea_orm::DatabaseTransaction,
    key: &str,
    fetched: &Fetched,
    body_hash: String,
    packed: Packed,
) -> Result<SnapshotId> {
    let newest: Option<(SnapshotId, String, String)> = snapshot::Entity::find()
        .select_only()
        .columns([snapshot::Column::Id, snapshot::Column::DocumentHash, snapshot::Column::FinalUrl])
        .filter(snapshot::Column::SourceKey.eq(key))
        .order_by_desc(snapshot::Column::FetchedAt)
        .into_tuple()
        .one(transaction)
        .await?;
    if let Some((id, hash, final_url)) = newest
        && hash == packed.hash
        && final_url == fetched.url.as_str()
    {
        return Ok(id);
    }
    let id = domain.new_id();
    let row = snapshot::ActiveModel {
        id: Set(id),
        source_key: Set(key.to_owned()),
        final_url: Set(fetched.url.as_str().to_owned()),
        body_hash: Set(body_hash),
        document_hash: Set(packed.hash),
        stored_bytes: Set(i64::try_from(packed.bytes.len()).unwrap_or(i64::MAX)),
        document: Set(packed.bytes),
        fetched_at: Set(domain.now()),
    };
    snapshot::Entity::insert(row).exec_without_returning(transaction).await.map_err(Error::from)?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendered_document_is_marked_and_has_a_warning_only_if_cut() {
        let rendered = |is_cut| {
            let warnings = vec![Warning::JavascriptRequired];
            let mut document = Document { warnings, ..Document::default() };
            mark_rendered(&mut document, is_cut);
            mark_rendered(&mut document, is_cut);
            (document.source, document.warnings)
        };
        assert_eq!(rendered(true), (ExtractionSource::Rendered, vec![Warning::TruncatedSource]));
        assert_eq!(rendered(false), (ExtractionSource::Rendered, Vec::new()));
    }
}
