//! Job that imports a list of subscriptions. A child process parses the file. Its lines are imported in
//! batches. Each batch is a transaction that also records the progress. After a crash, the job continues
//! after the last committed batch.

use entities::library_import;
use entities::library_words::TransferState;
use extract::feed::opml::Outline;
use extract::sandbox::Pool;
use futures_util::TryStreamExt;
use sea_orm::ActiveValue::Set;

use super::import::RowProblem;
use super::import_state;
use super::shared_file::FileError;
use feeds::{LIST_STEP, MAX_FEEDS, UnreadableList};
use identity::accounts;
use kernel::{Code, Domain, Error, Result};

/// Maximum number of lines whose problems are recorded.
const MAX_PROBLEMS: usize = 1_000;
/// Problem code of a feed that remains in its current collection.
pub const OTHER_COLLECTION: &str = "other_collection";
const IN_OTHER_COLLECTION: &str =
    "this feed is already followed in another collection and stays there. A feed has one collection.";
/// Maximum number of characters of a URL or a title in the description of a problem.
const EXCERPT_CHARS: usize = 300;

/// Imports a list of subscriptions.
///
/// # Errors
/// `capacity_exhausted` if no child process can be started.
pub(super) async fn run_list(domain: &Domain, sandbox: &Pool, row: library_import::Model) -> Result<()> {
    let file = file_of(domain, &row).await?;
    let lines = match feeds::read_outlines(sandbox, file).await? {
        Ok(lines) => lines,
        Err(unreadable) => {
            let code = match unreadable {
                UnreadableList::NoList => FileError::UnknownFormat.code(),
                UnreadableList::TooCostly => FileError::TooLarge.code(),
            };
            return import_state::end(domain, row.id, TransferState::Failed, Some(code)).await;
        }
    };
    let started = library_import::ActiveModel {
        state: Set(TransferState::Running),
        total: Set(Some(i64::try_from(lines.len()).unwrap_or(i64::MAX))),
        ..Default::default()
    };
    import_state::write(domain, row.id, started).await?;
    let mut row = row;
    let mut problems: Vec<RowProblem> = serde_json::from_str(&row.problems).unwrap_or_default();
    let mut done = usize::try_from(row.rows_done).unwrap_or_default();
    while let Some(rest) = lines.get(done..).filter(|rest| !rest.is_empty()) {
        let batch = rest.get(..LIST_STEP).unwrap_or(rest);
        if !import_batch(domain, &mut row, &mut problems, done, batch).await? {
            // The import was cancelled, as its row states.
            return Ok(());
        }
        done += batch.len();
    }
    import_state::end(domain, row.id, TransferState::Complete, None).await
}

/// Reads the file of an import. The upload has limited its size.
async fn file_of(domain: &Domain, row: &library_import::Model) -> Result<Vec<u8>> {
    let mut pieces = domain.blobs().read(&row.blob, 0..row.bytes.max(0).unsigned_abs()).await?;
    let mut file = Vec::new();
    while let Some(piece) = pieces.try_next().await.map_err(Error::internal)? {
        file.extend_from_slice(&piece);
    }
    Ok(file)
}

/// Imports a batch of lines and records the progress, in one transaction. Returns false if the import was
/// cancelled. `done` is the number of lines before the batch.
async fn import_batch(
    domain: &Domain,
    row: &mut library_import::Model,
    problems: &mut Vec<RowProblem>,
    done: usize,
    batch: &[Outline],
) -> Result<bool> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, row.account_id).await?;
    let current = library_import::Entity::of_any_owner(row.id).one(&transaction).await?;
    if current.is_none_or(|current| current.is_cancelled) {
        return Ok(false);
    }
    let capacity = MAX_FEEDS.saturating_sub(done).min(batch.len());
    let (within, _) = batch.split_at(capacity);
    let imported = feeds::import_batch(&transaction, domain, row.account_id, within).await?;
    row.created += i64::from(imported.created);
    row.existing += i64::from(imported.existing);
    row.skipped += i64::from(imported.unsorted);
    row.collections += i64::try_from(imported.collections).unwrap_or(i64::MAX);
    let failures =
        imported.failed.into_iter().chain((capacity..batch.len()).map(|at| (at, Code::LimitReached)));
    let failures: Vec<(usize, Code)> = failures.collect();
    row.failed += i64::try_from(failures.len()).unwrap_or(i64::MAX);
    let failures = failures.into_iter().map(|(at, code)| (at, code.as_str(), refusal(code)));
    let elsewhere = imported.elsewhere.into_iter().map(|at| (at, OTHER_COLLECTION, IN_OTHER_COLLECTION));
    for (at, code, why) in failures.chain(elsewhere) {
        if let Some(line) = batch.get(at).filter(|_| problems.len() < MAX_PROBLEMS) {
            let row = (done + at + 1) as u64;
            problems.push(RowProblem { row, code: code.to_owned(), reason: reason(line, why) });
        }
    }
    let change = library_import::ActiveModel {
        rows_done: Set(i64::try_from(done + batch.len()).unwrap_or(i64::MAX)),
        created: Set(row.created),
        existing: Set(row.existing),
        skipped: Set(row.skipped),
        failed: Set(row.failed),
        collections: Set(row.collections),
        problems: Set(serde_json::to_string(problems).map_err(Error::internal)?),
        ..Default::default()
    };
    import_state::write_in(&transaction, row.id, change).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Describes the problem of a line, with an excerpt of the line.
fn reason(line: &Outline, why: &str) -> String {
    let excerpt = |text: &str| -> String { text.chars().take(EXCERPT_CHARS).collect() };
    if line.feed_url.is_empty() {
        let title = excerpt(line.title.as_deref().unwrap_or("A feed without a name"));
        return format!("{title}: the file contains no address for this feed.");
    }
    format!("{}: {why}", excerpt(&kernel::address::without_user_info(&line.feed_url)))
}

/// Describes why a feed was not imported.
fn refusal(code: Code) -> &'static str {
    match code {
        Code::UrlNotAllowed => "this URL is in a network that this service may not access.",
        Code::LimitReached | Code::PlanRequired => "your plan, or a single file, allows no more feeds.",
        Code::InvalidRequest | Code::InvalidUrl => {
            "this is not the URL of a feed. It must start with http:// or https://."
        }
        Code::CredentialInUrl => "this URL contains a key or token for this service.",
        _ => "this feed could not be followed.",
    }
}
