//! Stored rules of feeds.

use std::sync::Arc;

use entities::feed_login;
use entities::ids::FeedId;
use sea_orm::{ConnectionTrait, Value};

use super::entry_texts::RewriteReport;
use super::rewriter::Rewriter;
use super::rule::Rewrite;
use kernel::statement::execute;
use kernel::{Error, Millis, Result};

/// Returns the stored form of rules. `None` if there are none.
pub(crate) fn stored_form(rules: &[Rewrite]) -> Result<Option<String>> {
    if rules.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(rules).map(Some).map_err(Error::internal)
}

/// Parses stored rules. Rules that this version does not know are reported to the log, and no rule is returned.
pub(crate) fn stored_rules(feed_id: FeedId, stored: Option<&str>) -> Vec<Rewrite> {
    let Some(stored) = stored else { return Vec::new() };
    serde_json::from_str(stored).unwrap_or_else(|error| {
        tracing::error!(%error, feed = %feed_id, "failed to parse the rewrite rules of a feed");
        Vec::new()
    })
}

/// Compiles the stored rules of a feed. `None` if there are none, or if they were stopped.
pub(crate) fn stored_rewriter(row: &feed_login::Model) -> Option<Arc<Rewriter>> {
    let rules = stored_rules(row.feed_id, row.rewrites.as_deref());
    if rules.is_empty() || row.rewrites_stopped_at.is_some() {
        return None;
    }
    match Rewriter::new(&rules) {
        Ok(rewriter) => Some(Arc::new(rewriter)),
        Err(error) => {
            tracing::error!(%error, feed = %row.feed_id, "failed to compile the rewrite rules of a feed");
            None
        }
    }
}

/// Records entries to which the rules of a feed could not be applied. Stops rules that exceeded their time limit.
pub(crate) async fn record_report(
    connection: &impl ConnectionTrait,
    now: Millis,
    feed_id: FeedId,
    report: RewriteReport,
) -> Result<()> {
    if report == RewriteReport::default() {
        return Ok(());
    }
    let skipped = i32::try_from(report.skipped).unwrap_or(i32::MAX);
    let stopped_at = report.is_too_slow.then_some(now);
    // The count stays far below the maximum of its column.
    let sql = "UPDATE feed_login SET rewrites_skipped = CASE WHEN rewrites_skipped < 1000000 \
               THEN rewrites_skipped + $2 ELSE rewrites_skipped END, \
               rewrites_stopped_at = COALESCE(rewrites_stopped_at, $3) WHERE feed_id = $1";
    let values: [Value; 3] = [feed_id.into(), skipped.into(), stopped_at.into()];
    execute(connection, sql, values).await?;
    Ok(())
}
