//! Queue of item texts that workers create in the background, and the work of a worker on an item whose text is due.

use async_recursion::async_recursion as boxed;
use std::time::Duration;

use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_words::{ArticleStatus, Lane, TextOrigin};
use extract::sandbox::Pool;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::annotations::Annotations;
use super::content_extraction::{self, ContentInput};
use super::files;
use super::item;
use super::remove;
use super::rule_queue;
use super::save_item::outcome_of;
use super::text;
use super::text_request::{self, TextOutcome, TextRequest};
use super::transaction::LibraryTransaction;
use articles::{
    Address, FetchPurpose, Freshness, ObtainedArticle, Payer, QueueOutage, ReadOptions, RecentFailures,
    Render, require_browser,
};
use identity::accounts;
use jobs::{Claimed, Engine, JobKind, NewJob};
use kernel::clock::{HOUR, MINUTE};
use kernel::statement::{scalar, statement};
use kernel::{Code, Domain, Error, Millis, Result};
use tokio::time::Instant;

/// Maximum number of items for which one tick submits jobs.
const ITEMS_PER_TICK: u32 = 50;
/// Number of due items from which each lane is read in index order. Fewer items are sorted, which is faster
/// than skipping all items that wait for a retry in index order.
const INDEX_ORDER_THRESHOLD: i64 = 1_000;
/// Statement that counts the items that are due at `$1`, up to `$2`.
const COUNT_DUE: &str =
    "SELECT COUNT(*) FROM (SELECT 1 FROM library_item WHERE next_try_at <= $1 LIMIT $2) AS due";
/// Time after which an item is due again if its job was lost.
const LEASE: Millis = 10 * MINUTE;
/// Maximum duration of an extraction in a worker.
const EXTRACTION_TIMEOUT: Duration = Duration::from_mins(2);
/// Maximum age of a shared cached text that a refresh accepts.
const REFRESH_MAX_AGE_MS: Millis = MINUTE;

/// Text that a worker creates for an item.
#[derive(Debug)]
pub struct TextJob {
    ask: TextRequest,
    payer: Payer,
    lane: Lane,
    render: Option<Render>,
    tries: i16,
    /// Maximum age of an acceptable cached text. `None` for the first text of an item.
    max_age_ms: Option<Millis>,
    source: TextJobSource,
}

#[derive(Debug)]
enum TextJobSource {
    Fetched(Address),
    Content(ContentInput),
    /// File of a format without text.
    NoText,
}

/// Submits jobs for the items whose texts are due: first items in the person lane, then imported items. Each lane is
/// processed from the most to the least recently saved item.
#[boxed]
pub async fn claim_due(domain: &Domain) -> Result<Vec<jobs::Submitted>> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let due = scalar(&transaction, COUNT_DUE, [now.into(), INDEX_ORDER_THRESHOLD.into()]).await?;
    if due == 0 {
        return Ok(Vec::new());
    }
    let values = [now.into(), (now + LEASE).into()];
    let rows = transaction
        .query_all_raw(statement(&transaction, &claim_statement(due >= INDEX_ORDER_THRESHOLD), values))
        .await?;
    let mut new = Vec::with_capacity(rows.len());
    for row in &rows {
        let id: ItemId = row.try_get_by_index(0)?;
        new.push(NewJob::new(JobKind::LibraryText, id.to_string()).owner(row.try_get_by_index(1)?));
    }
    let submitted = jobs::submit_all(&transaction, domain, &new).await?;
    transaction.commit().await?;
    Ok(submitted.into_iter().flatten().collect())
}

/// Builds the statement that claims the next items. If many items are due, each lane is read in the order of
/// its index, so that the cost does not grow with the number of due items.
fn claim_statement(are_many: bool) -> String {
    let lanes = [Lane::Person, Lane::Import].map(|lane| {
        format!(
            "SELECT * FROM (SELECT id, lane, saved_at FROM library_item WHERE lane = '{}' AND next_try_at <= $1 \
             ORDER BY saved_at DESC LIMIT {ITEMS_PER_TICK}) AS of_{0}",
            lane.as_str()
        )
    });
    let due = if are_many {
        lanes.join(" UNION ALL ")
    } else {
        format!(
            "SELECT id, lane, saved_at FROM library_item WHERE next_try_at <= $1 \
             LIMIT {INDEX_ORDER_THRESHOLD}"
        )
    };
    format!(
        "UPDATE library_item SET next_try_at = $2 WHERE next_try_at <= $1 AND id IN (SELECT id FROM ({due}) AS due \
         ORDER BY CASE lane WHEN '{}' THEN 0 ELSE 1 END, saved_at DESC LIMIT {ITEMS_PER_TICK}) RETURNING id, account_id",
        Lane::Person.as_str()
    )
}

/// Marks the text of a job's item as being extracted, and returns the work. `None` if nothing is left to do.
#[boxed]
pub async fn start(domain: &Domain, claimed: &Claimed) -> Result<Option<TextJob>> {
    let Ok(id) = claimed.key.parse::<ItemId>() else { return Ok(None) };
    let Some(row) = library_item::Entity::of_any_owner(id).one(domain.db().read()).await? else {
        return Ok(None);
    };
    if row.article_status == ArticleStatus::AwaitingUpload {
        give_up_pending(domain, row.account_id, id).await?;
        return Ok(None);
    }
    if !text_request::is_waiting(row.article_status) {
        return Ok(None);
    }
    let account = accounts::get(domain, row.account_id).await?;
    let ask = TextRequest { account_id: row.account_id, item_id: id, number: row.ask };
    let source = match source_of(domain, &row).await {
        Ok(source) => source,
        Err(error) => {
            text_request::conclude(domain, ask, TextOutcome::of_error(&error), None).await?;
            return Ok(None);
        }
    };
    library_item::Entity::update_many()
        .col_expr(library_item::Column::ArticleStatus, ArticleStatus::Extracting.as_str().into())
        .filter(library_item::Column::Id.eq(id))
        .filter(library_item::Column::Ask.eq(row.ask))
        .exec(domain.db().write())
        .await?;
    Ok(Some(TextJob {
        ask,
        payer: Payer { account_id: row.account_id, tier: account.tier },
        lane: row.lane,
        render: row.render,
        tries: row.tries,
        max_age_ms: max_age(&row, domain.now()),
        source,
    }))
}

/// Returns a stored choice, or the default if the choice requires a browser and this service has none. An item that was
/// imported, or saved while there was a browser, then still gets the text of the page as served.
fn possible(domain: &Domain, render: Render) -> Render {
    if require_browser(domain, render).is_ok() { render } else { Render::default() }
}

/// Returns the maximum age of a cached text for a refresh, so that texts that are older than the refresh request are
/// rejected. `None` for the first text of an item.
fn max_age(row: &library_item::Model, now: Millis) -> Option<Millis> {
    let since_refresh = row.refreshed_at.map(|at| (now - at).max(0)).filter(|age| *age < HOUR);
    since_refresh.or(row.content_hash.is_some().then_some(REFRESH_MAX_AGE_MS))
}

async fn source_of(domain: &Domain, row: &library_item::Model) -> Result<TextJobSource> {
    let connection = domain.db().read();
    let missing =
        || Error::new(Code::NoReadableText, "This item has no source from which a text can be extracted.");
    match row.ask_from {
        Some(TextOrigin::Fetched) => Address::parse(domain, &row.url).map(TextJobSource::Fetched),
        Some(TextOrigin::Supplied) => {
            let original = text::original(connection, row.account_id, row.id).await?;
            let (bytes, mime) = original.ok_or_else(missing)?;
            let url = row.url.starts_with("http").then(|| row.url.clone());
            Ok(TextJobSource::Content(ContentInput { bytes, mime, url, origin: TextOrigin::Supplied }))
        }
        Some(TextOrigin::File) => {
            let Some(input) = files::file_input(domain, row).await? else { return Ok(TextJobSource::NoText) };
            let mime = input.content_type.unwrap_or_default();
            Ok(TextJobSource::Content(ContentInput {
                bytes: input.bytes,
                mime,
                url: input.url,
                origin: TextOrigin::File,
            }))
        }
        None => Err(missing()),
    }
}

impl TextJob {
    /// Extracts the text of supplied content or of a file. `None` if the text must be fetched.
    #[boxed]
    pub async fn read(&mut self, domain: &Domain, sandbox: &Pool) -> Option<TextResult> {
        let sandbox = &sandbox.for_caller(Some(self.payer.account_id.to_string()));
        match &mut self.source {
            TextJobSource::Fetched(_) => None,
            TextJobSource::NoText => Some(TextResult(TextOutcome::NoText)),
            TextJobSource::Content(content) => {
                let content = ContentInput {
                    bytes: std::mem::take(&mut content.bytes),
                    mime: content.mime.clone(),
                    url: content.url.clone(),
                    origin: content.origin,
                };
                Some(TextResult(
                    content_extraction::extract_text(sandbox, content, domain.now(), EXTRACTION_TIMEOUT)
                        .await,
                ))
            }
        }
    }

    /// Returns the text of the item's URL on behalf of its account. The page is rendered as the person chose,
    /// and by default if it needs scripts. Pages of imports are not rendered.
    #[boxed]
    pub async fn obtain(&self, engine: &Engine, deadline: Instant) -> Result<ObtainedArticle> {
        let TextJobSource::Fetched(address) = &self.source else {
            return Err(Error::internal("supplied content is not fetched"));
        };
        let (purpose, render) = match self.lane {
            Lane::Person => (FetchPurpose::Save, possible(engine.domain(), self.render.unwrap_or_default())),
            Lane::Import => (FetchPurpose::Import, Render::Never),
        };
        let failures = if self.tries > 0 { RecentFailures::Retried } else { RecentFailures::Returned };
        let freshness = match self.max_age_ms {
            Some(max_age_ms) => Freshness { max_age_ms, failures: RecentFailures::Retried },
            None => Freshness { failures, ..Freshness::HOUR },
        };
        let payer = Some(self.payer);
        let outage = QueueOutage::Returned;
        let options = ReadOptions { purpose, payer, freshness, render, permission: None, outage, deadline };
        articles::read(engine, address, options).await
    }
}

/// Result of an extraction or of a fetch.
#[derive(Debug)]
pub struct TextResult(TextOutcome);

impl TextResult {
    /// Converts the result of a fetch.
    #[boxed]
    pub async fn of(obtained: Result<ObtainedArticle>) -> Self {
        Self(outcome_of(obtained).await.0)
    }
}

/// Records the result of the work and completes its job.
#[boxed]
pub async fn finish(domain: &Domain, claimed: &Claimed, work: TextJob, result: TextResult) -> Result<()> {
    text_request::conclude(domain, work.ask, result.0, Some(claimed)).await?;
    Ok(())
}

/// Records that the text of an item was given up because its extraction crashed workers.
#[boxed]
pub async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    let Ok(id) = key.parse::<ItemId>() else { return Ok(()) };
    let Some(row) = library_item::Entity::of_any_owner(id).one(domain.db().read()).await? else {
        return Ok(());
    };
    let ask = TextRequest { account_id: row.account_id, item_id: id, number: row.ask };
    text_request::conclude(domain, ask, TextOutcome::Failed(Code::UnsupportedContent), None).await?;
    Ok(())
}

/// Handles an item whose file was not uploaded in time. If the item has a URL, its text is requested from the
/// URL. If it has no URL and no annotations, it is deleted.
async fn give_up_pending(domain: &Domain, account_id: AccountId, id: ItemId) -> Result<()> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let Some(mut row) = item::row(transaction.db(), account_id, id).await? else { return Ok(()) };
    if row.article_status != ArticleStatus::AwaitingUpload {
        return Ok(());
    }
    if files::is_upload_running(&transaction, id).await? {
        row.next_try_at = Some(transaction.now + HOUR);
        item::write_silently(&transaction, row).await?;
        return transaction.commit().await;
    }
    if row.url.starts_with("http") {
        text_request::request_text(&mut row, TextOrigin::Fetched, transaction.now);
        item::write(&mut transaction, row).await?;
    } else if has_annotations(&transaction, id).await? {
        row.article_status = ArticleStatus::NotApplicable;
        row.next_try_at = None;
        item::write(&mut transaction, row).await?;
        rule_queue::release(&transaction, id).await?;
    } else {
        remove::delete_in(&mut transaction, &[row], Annotations::Keep).await?;
    }
    transaction.commit().await
}

async fn has_annotations(transaction: &LibraryTransaction, id: ItemId) -> Result<bool> {
    let sql = "SELECT (SELECT COUNT(*) FROM library_note WHERE account_id = $1 AND item_id = $2) \
               + (SELECT COUNT(*) FROM library_highlight WHERE account_id = $1 AND item_id = $2)";
    let count = scalar(transaction.db(), sql, [transaction.account_id.into(), id.into()]).await?;
    Ok(count > 0)
}

#[cfg(test)]
mod tests {
    use sea_orm::{DbBackend, TransactionTrait};

    use super::*;
    use kernel::Backend;
    use kernel::testing::TestDatabase;

    /// Returns the query plan of a claim. The tables are empty, so plans that PostgreSQL prefers for few rows
    /// are disabled.
    async fn plan_of(database: &TestDatabase, are_many: bool) -> String {
        let transaction = database.domain.db().read().begin().await.unwrap();
        let (explain, column) = match transaction.get_database_backend() {
            DbBackend::Postgres => {
                for way in ["seqscan", "sort", "bitmapscan"] {
                    let off = format!("SET LOCAL enable_{way} = off");
                    transaction.execute_unprepared(&off).await.unwrap();
                }
                ("EXPLAIN", 0)
            }
            _ => ("EXPLAIN QUERY PLAN", 3),
        };
        let text = format!("{explain} {}", claim_statement(are_many));
        let values = [1_i64.into(), 2_i64.into()];
        let rows = transaction.query_all_raw(statement(&transaction, &text, values)).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.try_get_by_index(column).unwrap()).collect();
        plan.join("\n")
    }

    /// Claims must not sort a hundred thousand due imported items every second.
    #[tokio::test]
    async fn claim_of_many_items_reads_in_index_order() {
        for database in TestDatabase::each().await {
            let plan = plan_of(&database, true).await;
            assert_eq!(plan.matches("library_item_waiting_times").count(), 2, "{plan}");
            let sorts = plan.matches("Sort Key").count() + plan.matches("TEMP B-TREE").count();
            assert_eq!(sorts, 1, "only the hundred candidates are sorted: {plan}");
        }
    }

    /// Claims must not read a hundred thousand items that wait for a retry every second. Tests only SQLite,
    /// because the plan of PostgreSQL depends on the number of rows, and this table is empty.
    #[tokio::test]
    async fn claim_of_few_items_uses_the_due_time_index() {
        let database = TestDatabase::create(Backend::Sqlite).await;
        let plan = plan_of(&database, false).await;
        assert!(plan.contains("library_item_due") && !plan.contains("library_item_waiting"), "{plan}");
    }
}
