//! Marks unread entries as read after a number of days, which is a setting of the subscription or, if that is
//! not set, of its collection. Runs hourly in small steps. Entries that an account marked as unread remain
//! unread.

use async_recursion::async_recursion as boxed;
use sea_orm::{ConnectionTrait, DbBackend};

use super::app_streams::last_discovered_before;
use kernel::clock::DAY;
use kernel::statement::{execute, skip_locked, statement};
use kernel::{Domain, Millis, Result};

/// Maximum number of rows that a statement changes.
const STEP: u64 = 200;
/// Maximum number of times that a run executes each statement for one number of days. The next run continues.
const MAX_STEPS: usize = 50;

/// Conditions for subscriptions `s` whose entries are marked as read after `$2` days, by the setting of the
/// subscription or by the setting of their collection. The conditions are separate statements because
/// PostgreSQL would read all subscriptions for a combined condition.
const SETTINGS: [&str; 2] = [
    "s.read_after_days = $2",
    "s.read_after_days IS NULL AND s.collection_id IN \
     (SELECT c.id FROM rss_collection c WHERE c.read_after_days = $2)",
];

/// Marks old unread entries as read. Returns the number of changed subscriptions.
#[boxed]
pub async fn age_out(domain: &Domain) -> Result<u64> {
    let (connection, now) = (domain.db().write(), domain.now());
    let sql = "SELECT read_after_days FROM rss_subscription WHERE read_after_days > 0 \
               UNION SELECT read_after_days FROM rss_collection WHERE read_after_days > 0";
    let rows = connection.query_all_raw(statement(connection, sql, [])).await?;
    let backend = connection.get_database_backend();
    let statements: Vec<String> = SETTINGS.iter().flat_map(|setting| statements(backend, setting)).collect();
    let mut changed = 0;
    for row in rows {
        let days: i32 = row.try_get_by_index(0)?;
        let through = last_discovered_before(domain, (now - Millis::from(days) * DAY) * 1000).await?;
        for sql in &statements {
            for _ in 0..MAX_STEPS {
                let count = execute(connection, sql, [through.into(), days.into()]).await?;
                changed += count;
                if count < STEP {
                    break;
                }
            }
        }
    }
    Ok(changed)
}

/// Returns the statements that mark entries up to entry `$1` as read: one for the entries of subscriptions
/// with this setting, and one for the entries of their previous feeds.
fn statements(backend: DbBackend, setting: &str) -> [String; 2] {
    let lock = skip_locked(backend);
    let subscriptions = format!(
        "UPDATE rss_subscription SET read_through = $1 WHERE id IN (SELECT s.id FROM rss_subscription s \
         WHERE s.read_through < $1 AND {setting} AND EXISTS (SELECT 1 FROM feed_entry e \
         WHERE e.feed_id = s.feed_id AND e.id > s.read_through AND e.id <= $1) LIMIT {STEP} {lock})"
    );
    let previous_feeds = format!(
        "UPDATE rss_former_feed SET read_through = $1 WHERE (account_id, feed_id) IN \
         (SELECT p.account_id, p.feed_id FROM rss_former_feed p JOIN rss_subscription s \
         ON s.id = p.subscription_id WHERE p.read_through < $1 AND {setting} AND EXISTS \
         (SELECT 1 FROM feed_entry e WHERE e.feed_id = p.feed_id AND e.id > p.read_through AND e.id <= $1 \
         AND e.id <= p.last_entry_id) LIMIT {STEP})"
    );
    [subscriptions, previous_feeds]
}
