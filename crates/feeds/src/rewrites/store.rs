//! Stored rules of feeds.

use std::sync::Arc;

use entities::feed_login;
use entities::ids::FeedId;
use sea_orm::{ConnectionTrait, Value};

use super::feed_rewriting::RewriteReport;
use super::rewriter::Rewriter;
use super::rule::Rewrite;
use kernel::clock::HOUR;
use kernel::statement::execute;
use kernel::{Code, Error, Millis, Result};

/// Retention of the results of previews, in milliseconds.
const SAMPLE_RETENTION_MS: Millis = HOUR;

/// Returns the stored form of rules. `None` if there are none.
pub(crate) fn stored_form(rules: &[Rewrite]) -> Result<Option<String>> {
    if rules.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(rules).map(Some).map_err(Error::internal)
}

/// Parses stored rules. If this version does not support one of the rules, logs an error and returns no rule.
pub(crate) fn stored_rules(feed_id: FeedId, stored: Option<&str>) -> Vec<Rewrite> {
    let Some(stored) = stored else { return Vec::new() };
    serde_json::from_str(stored).unwrap_or_else(|error| {
        tracing::error!(%error, feed = %feed_id, "failed to parse the rewrite rules of a feed");
        Vec::new()
    })
}

/// Returns the stored rules of a feed that are applied: none if they were stopped.
pub(crate) fn active_rules(row: &feed_login::Model) -> Vec<Rewrite> {
    match row.rewrites_stopped_at {
        Some(_) => Vec::new(),
        None => stored_rules(row.feed_id, row.rewrites.as_deref()),
    }
}

/// Compiles stored rules of a feed. `None` if there are no rules, or if this version cannot compile them.
pub(crate) async fn compiled(feed_id: FeedId, rules: &[Rewrite]) -> Result<Option<Arc<Rewriter>>> {
    if rules.is_empty() {
        return Ok(None);
    }
    match Rewriter::compile(rules).await {
        Ok(rewriter) => Ok(Some(Arc::new(rewriter))),
        Err(error) if error.code == Code::InvalidRequest => {
            tracing::error!(%error, feed = %feed_id, "failed to compile the rewrite rules of a feed");
            Ok(None)
        }
        Err(error) => Err(error),
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

/// Deletes results of previews that are no longer used.
pub(crate) async fn delete_expired_samples(connection: &impl ConnectionTrait, now: Millis) -> Result<()> {
    let sql = "DELETE FROM feed_sample WHERE made_at < $1";
    execute(connection, sql, [(now - SAMPLE_RETENTION_MS).into()]).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rewrites: &str, rewrites_stopped_at: Option<Millis>) -> feed_login::Model {
        feed_login::Model {
            feed_id: FeedId::from(1),
            address_key: String::new(),
            sealed: Vec::new(),
            user_agent: None,
            header_names: None,
            sealed_headers: None,
            rewrites: Some(rewrites.to_owned()),
            rewrites_stopped_at,
            rewrites_skipped: 0,
        }
    }

    #[tokio::test]
    async fn stopped_unknown_and_invalid_rules_are_not_applied() {
        let valid = r#"[{"remove":".ad"}]"#;
        assert_eq!(active_rules(&row(valid, None)), [Rewrite::Remove(".ad".to_owned())]);
        assert!(active_rules(&row(valid, Some(5))).is_empty());
        assert!(active_rules(&row(r#"[{"unknown":1}]"#, None)).is_empty());
        let is_compiled = async |rules: &[Rewrite]| compiled(FeedId::from(1), rules).await.unwrap().is_some();
        assert!(is_compiled(&active_rules(&row(valid, None))).await);
        assert!(!is_compiled(&[]).await);
        assert!(!is_compiled(&[Rewrite::Remove("a > b".to_owned())]).await);
    }
}
