//! Callers that read and write while a migration or another disturbance runs. Their statements are valid in
//! every schema since the schema from which upgrades start.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Database, DatabaseSettings};
use sea_orm::{ConnectionTrait, TransactionTrait};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::filled_database::{OWNERS, uuid};

/// Maximum time that a caller waits for a lock. Exceeding it counts as an error of the upgrade.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval between the statements of a caller.
const PACE: Duration = Duration::from_millis(5);
/// Statement of a long read transaction, such as a backup or a report.
const LONG_READ: &str = "SELECT pg_sleep_for('2 seconds')";

/// Results of all callers.
#[derive(Debug, Default)]
pub(super) struct LoadReport {
    /// Number of statements that succeeded.
    pub(super) answered: u64,
    /// Longest duration of a statement, and that statement.
    pub(super) longest: (Duration, String),
    pub(super) errors: Vec<String>,
}

/// Running callers.
pub(super) struct Load {
    callers: Vec<JoinHandle<()>>,
    met: Arc<Mutex<LoadReport>>,
    stop: CancellationToken,
}

impl Load {
    /// Starts the callers on a database that [`fill`](super::filled_database::fill) filled with `rows` rows
    /// per table.
    pub(super) async fn begin(url: &str, rows: u64) -> Self {
        let settings = DatabaseSettings {
            max_connections: 12,
            lock_timeout: LOCK_TIMEOUT,
            ..DatabaseSettings::default()
        };
        let database = Arc::new(Database::connect(url, &settings).await.expect("the database opens"));
        let (met, stop) = (Arc::new(Mutex::new(LoadReport::default())), CancellationToken::new());
        let walk = |caller: u64| {
            let (database, met, stop) = (Arc::clone(&database), Arc::clone(&met), stop.clone());
            tokio::spawn(async move { call(&database, &met, &stop, (caller, rows)).await })
        };
        let mut callers: Vec<_> = (0..6).map(walk).collect();
        let (database, errors, ended) = (Arc::clone(&database), Arc::clone(&met), stop.clone());
        callers.push(tokio::spawn(async move { read_long(&database, &errors, &ended).await }));
        Self { callers, met, stop }
    }

    /// Stops the callers and returns their results.
    pub(super) async fn end(self) -> LoadReport {
        self.stop.cancel();
        for caller in self.callers {
            caller.await.expect("the caller does not panic");
        }
        Arc::into_inner(self.met).expect("no caller is left").into_inner()
    }
}

async fn call(
    database: &Database,
    met: &Mutex<LoadReport>,
    stop: &CancellationToken,
    (caller, rows): (u64, u64),
) {
    let mut pace = tokio::time::interval(PACE);
    let mut round = 0;
    while !stop.is_cancelled() {
        pace.tick().await;
        round += 1;
        let number = rows + round * 10 + caller;
        for sql in statements(number, round % rows + 1) {
            let begin = Instant::now();
            let outcome = database.write().execute_unprepared(&sql).await;
            let took = begin.elapsed();
            let mut met = met.lock().await;
            match outcome {
                Ok(_) => met.answered += 1,
                Err(error) => met.errors.push(format!("{sql}: {error}")),
            }
            if took > met.longest.0 {
                met.longest = (took, sql);
            }
        }
    }
}

/// Returns the statements of a job from submission to completion, of a poll of a feed with a new entry, of a
/// run of a monitor with its credits, and of an item that is saved, tagged, and read. `number` is the number
/// of a new row, `old` that of an existing row.
fn statements(number: u64, old: u64) -> Vec<String> {
    let (id, owner, item) =
        (uuid(&number.to_string()), uuid(&(number % OWNERS + 1).to_string()), uuid(&old.to_string()));
    let feed = number % OWNERS + 1;
    vec![
        format!(
            "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) \
             VALUES ({id}, 'extraction', 'new{number}', '[]', 0, 1, 'ready', 0, 0, 1) ON CONFLICT DO NOTHING"
        ),
        format!(
            "UPDATE job SET state = 'running', lease_until = 1, fence = fence + 1, attempts = attempts + 1 \
             WHERE id = {id} AND state = 'ready'"
        ),
        format!("DELETE FROM job WHERE id = {id} AND state = 'running'"),
        format!("UPDATE feed SET last_fetched_at = {number} WHERE id = {feed}"),
        format!(
            "INSERT INTO feed_entry (feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, \
             fingerprint, title, search_text) VALUES ({feed}, {number}, 1, 1, 1, 1, 1, 'new', ' new ')"
        ),
        format!("SELECT id, title FROM feed_entry WHERE feed_id = {feed} ORDER BY id DESC LIMIT 20"),
        format!(
            "INSERT INTO rss_entry_mark (account_id, feed_id, entry_id, unread) \
             VALUES ({owner}, {feed}, {old}, TRUE) ON CONFLICT DO NOTHING"
        ),
        format!(
            "INSERT INTO monitor_run (id, account_id, monitor_id, due_at, started_at, finished_at, outcome, added, \
             removed, modified, credits) VALUES ({id}, {owner}, {owner}, {number}, 1, 1, 'unchanged', 0, 0, 0, 1)"
        ),
        format!(
            "INSERT INTO credit_entry (account_id, month, kind, amount, made_at) VALUES ({owner}, 1, 'run', 1, 1)"
        ),
        format!("UPDATE monitor SET last_run_at = {number} WHERE id = {owner}"),
        format!("UPDATE library_item SET updated_at = {number} WHERE id = {item}"),
        format!(
            "INSERT INTO library_tagged (account_id, object_id, tag_key, kind, position) \
             VALUES ({owner}, {id}, 'new', 'item', 0)"
        ),
        format!(
            "SELECT object_id FROM library_tagged WHERE account_id = {owner} AND tag_key = 'new' LIMIT 20"
        ),
        format!("SELECT tier FROM account WHERE id = {owner}"),
    ]
}

async fn read_long(database: &Database, met: &Mutex<LoadReport>, stop: &CancellationToken) {
    while !stop.is_cancelled() {
        let outcome = async {
            let transaction = database.write().begin().await?;
            transaction.execute_unprepared("SELECT id FROM job LIMIT 1").await?;
            transaction.execute_unprepared("SELECT object_id FROM library_tagged LIMIT 1").await?;
            transaction.execute_unprepared(LONG_READ).await?;
            transaction.commit().await
        };
        if let Err(error) = outcome.await {
            met.lock().await.errors.push(format!("the long read: {error}"));
        }
    }
}
