//! SQL helpers that several modules of this crate use.

use entities::ids::{AccountId, EntryId, FeedId};
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::source_kind::SourceKind;
use kernel::Result;
pub(super) use kernel::statement::{execute, for_update, placeholders, scalar, statement};

/// Returns `($first, …), (…), …` for the `count` rows of a `VALUES` list with these column types.
pub(super) fn value_rows(first: usize, count: usize, types: &[&str]) -> String {
    let row = |at: usize| {
        let cell = |(column, kind): (usize, &&str)| {
            let parameter = first + at * types.len() + column;
            // The casts in the first row determine the column types of the list.
            if at == 0 { format!("CAST(${parameter} AS {kind})") } else { format!("${parameter}") }
        };
        let cells: Vec<String> = types.iter().enumerate().map(cell).collect();
        format!("({})", cells.join(", "))
    };
    let rows: Vec<String> = (0..count).map(row).collect();
    rows.join(", ")
}

/// Stops polling the given feeds that have no followers, and deletes their logins.
pub(super) async fn stop_polling_unfollowed(
    transaction: &DatabaseTransaction,
    feed_ids: &[FeedId],
) -> Result<()> {
    if feed_ids.is_empty() {
        return Ok(());
    }
    let ids = || feed_ids.iter().map(|id| (*id).into());
    let parameters = placeholders(1, feed_ids.len());
    // The row lock waits for concurrent follows, so that the update sees them.
    let lock_sql = format!(
        "SELECT f.id FROM feed f WHERE f.id IN ({parameters}) ORDER BY f.id{}",
        for_update(transaction, "f")
    );
    transaction.query_all_raw(statement(transaction, &lock_sql, ids())).await?;
    let sql = format!(
        "UPDATE feed SET next_poll_at = NULL WHERE id IN ({parameters}) \
         AND NOT EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = feed.id)"
    );
    execute(transaction, &sql, ids()).await?;
    let sql = format!(
        "DELETE FROM feed_login WHERE feed_id IN ({parameters}) \
         AND NOT EXISTS (SELECT 1 FROM rss_subscription s WHERE s.feed_id = feed_login.feed_id)"
    );
    execute(transaction, &sql, ids()).await?;
    Ok(())
}

/// Returns the number of feeds that an account follows, without internal feeds.
pub(super) async fn count_followed(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    let sql = format!(
        "SELECT count(*) FROM rss_subscription s JOIN feed f ON f.id = s.feed_id WHERE s.account_id = $1 AND {}",
        SourceKind::Feed.condition("f")
    );
    Ok(u64::try_from(scalar(connection, &sql, [account_id.into()]).await?).unwrap_or(0))
}

/// Returns the newest entry of a feed. 0 if the feed has no entries.
pub(super) async fn last_entry(connection: &impl ConnectionTrait, feed_id: FeedId) -> Result<EntryId> {
    let sql = "SELECT MAX(id) FROM feed_entry WHERE feed_id = $1";
    Ok(EntryId::new(scalar(connection, sql, [feed_id.into()]).await?))
}
