//! SQL statements for hubs.

use entities::feed_hub::Model;
use entities::ids::FeedId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};

use kernel::statement::{execute, statement};
use kernel::{Millis, Result};

/// Writes the hub of a feed. A hub with the same URL and topic is left unchanged.
pub(super) async fn upsert_if_changed(transaction: &DatabaseTransaction, hub: Model) -> Result<()> {
    let sql = "INSERT INTO feed_hub (feed_id, hub_url, topic_url, token, secret, state, next_try_at, attempts) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (feed_id) DO UPDATE SET \
        hub_url = excluded.hub_url, topic_url = excluded.topic_url, token = excluded.token, \
        secret = excluded.secret, state = excluded.state, lease_until = NULL, \
        next_try_at = excluded.next_try_at, attempts = excluded.attempts \
        WHERE feed_hub.hub_url <> excluded.hub_url OR feed_hub.topic_url <> excluded.topic_url";
    let values: [Value; 8] = [
        hub.feed_id.into(),
        hub.hub_url.into(),
        hub.topic_url.into(),
        hub.token.into(),
        hub.secret.into(),
        hub.state.into(),
        hub.next_try_at.into(),
        hub.attempts.into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}

/// Claims up to `step` hubs that are due at `now`, until `again`. Returns their feeds.
pub(super) async fn claim(
    transaction: &DatabaseTransaction,
    now: Millis,
    again: Millis,
    step: u32,
) -> Result<Vec<FeedId>> {
    let sql = format!(
        "UPDATE feed_hub SET next_try_at = $2 WHERE feed_id IN (SELECT feed_id FROM feed_hub \
         WHERE next_try_at <= $1 ORDER BY next_try_at LIMIT {step}) AND next_try_at <= $1 RETURNING feed_id"
    );
    let rows = transaction.query_all_raw(statement(transaction, &sql, [now.into(), again.into()])).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// Result of a request to a hub.
#[derive(Clone, Copy, Debug)]
pub(super) struct HubRequest {
    /// Number of consecutive requests. 0 if the hub is abandoned.
    pub(super) attempts: i32,
    /// Time of the next request.
    pub(super) next: Millis,
    /// A lease that expires after this time need not be renewed yet.
    pub(super) renewal_due: Millis,
}

/// Records the request, unless the hub has verified the subscription in the meantime. The verification has
/// already set these values and takes precedence.
pub(super) async fn record_request(
    transaction: &DatabaseTransaction,
    hub: &Model,
    request: HubRequest,
) -> Result<()> {
    let sql = "UPDATE feed_hub SET attempts = $1, next_try_at = $2, state = CASE WHEN state = 'active' THEN state \
                WHEN $1 = 0 THEN 'failed' ELSE 'pending' END WHERE feed_id = $3 AND token = $4 \
                AND NOT (state = 'active' AND lease_until > $5)";
    let values: [Value; 5] = [
        request.attempts.into(),
        request.next.into(),
        hub.feed_id.into(),
        hub.token.as_str().into(),
        request.renewal_due.into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}
