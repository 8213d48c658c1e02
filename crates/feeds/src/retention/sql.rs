//! SQL statements that delete entries.

use entities::ids::FeedId;
use sea_orm::{ConnectionTrait, Value};

use crate::source_kind::SourceKind;
use kernel::Result;
use kernel::statement::{execute, placeholders, scalar, statement};

/// Condition that no account has starred entry `e`.
pub(super) const UNSTARRED: &str = "NOT EXISTS (SELECT 1 FROM rss_star r WHERE r.entry_id = e.id)";

/// Returns the statement that selects unstarred entries of feed `$1` that were discovered before `$2` and are
/// not among the newest.
pub(super) fn expired(newest: i64, step: i64) -> String {
    format!(
        "SELECT e.id FROM feed_entry e WHERE e.feed_id = $1 AND e.discovered_us < $2 AND e.id < \
         (SELECT n.id FROM feed_entry n WHERE n.feed_id = $1 ORDER BY n.id DESC LIMIT 1 OFFSET {}) \
         AND {UNSTARRED} ORDER BY e.id LIMIT {step}",
        newest - 1
    )
}

/// Returns the given feeds that have more than `count` entries.
pub(super) async fn over_count(
    connection: &impl ConnectionTrait,
    feed_ids: &[FeedId],
    count: i64,
) -> Result<Vec<FeedId>> {
    let sql = format!(
        "SELECT f.id FROM feed f WHERE f.id IN ({}) AND EXISTS \
         (SELECT 1 FROM feed_entry e WHERE e.feed_id = f.id ORDER BY e.id DESC LIMIT 1 OFFSET {count})",
        placeholders(1, feed_ids.len())
    );
    let ids = feed_ids.iter().map(|id| Value::from(*id));
    let rows = connection.query_all_raw(statement(connection, &sql, ids)).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Returns the statement that selects unstarred entries of feed `$1` beyond the limits on number or total
/// size, counted from the newest entry.
pub(super) fn over_limits(count: i64, bytes: i64, step: i64) -> String {
    let all_over_limits = all_over_limits(count, bytes);
    format!("SELECT e.id FROM ({all_over_limits}) e WHERE {UNSTARRED} ORDER BY e.id LIMIT {step}")
}

/// Returns the statement that selects unstarred entries of the newsletters of account `$1` beyond a total size,
/// counted from the newest entry.
pub(super) fn newsletters_over_limit(bytes: i64, step: i64) -> String {
    format!(
        "SELECT e.id FROM (SELECT n.id AS id, SUM(n.size_bytes) OVER (ORDER BY n.id DESC ROWS UNBOUNDED PRECEDING) \
         AS total FROM rss_subscription s JOIN feed f ON f.id = s.feed_id JOIN feed_entry n ON n.feed_id = f.id \
         WHERE s.account_id = $1 AND {}) e WHERE e.total > {bytes} AND {UNSTARRED} ORDER BY e.id LIMIT {step}",
        SourceKind::Newsletter.condition("f")
    )
}

/// Deletes the texts of starred entries beyond the limits. Their texts are stored with the saved items.
pub(super) async fn clear_starred_texts(
    connection: &impl ConnectionTrait,
    feed_id: FeedId,
    count: i64,
    bytes: i64,
) -> Result<()> {
    let stars = "SELECT count(*) FROM (SELECT 1 FROM rss_star r WHERE r.feed_id = $1 LIMIT 1) n";
    if scalar(connection, stars, [feed_id.into()]).await? == 0 {
        return Ok(());
    }
    let all_over_limits = all_over_limits(count, bytes);
    let sql = format!(
        "UPDATE feed_entry SET content = NULL WHERE content IS NOT NULL AND id IN \
         (SELECT e.id FROM ({all_over_limits}) e WHERE NOT {UNSTARRED})"
    );
    execute(connection, &sql, [feed_id.into()]).await?;
    Ok(())
}

/// Returns the statement that selects the entries of feed `$1` beyond the limits on number or total size,
/// counted from the newest entry.
fn all_over_limits(count: i64, bytes: i64) -> String {
    format!(
        "SELECT k.id AS id FROM (SELECT e.id AS id, ROW_NUMBER() OVER newest AS place, \
         SUM(e.size_bytes) OVER newest AS total FROM feed_entry e WHERE e.feed_id = $1 \
         WINDOW newest AS (ORDER BY e.id DESC ROWS UNBOUNDED PRECEDING)) k \
         WHERE k.place > {count} OR k.total > {bytes}"
    )
}

/// Returns true if a statement selects at least one row.
pub(super) async fn any(connection: &impl ConnectionTrait, chosen: &str, values: &[Value]) -> Result<bool> {
    let sql = format!("SELECT count(*) FROM ({chosen}) c");
    Ok(scalar(connection, &sql, values.iter().cloned()).await? > 0)
}

/// Deletes the entries that a statement selects. Returns the number of deleted entries.
pub(super) async fn delete(connection: &impl ConnectionTrait, chosen: &str, values: &[Value]) -> Result<u64> {
    let sql = format!("DELETE FROM feed_entry WHERE id IN ({chosen})");
    execute(connection, &sql, values.iter().cloned()).await
}
