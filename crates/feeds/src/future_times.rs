//! Resets times of feeds that a wrong clock stored in the future. Otherwise, feeds that were polled in that period are
//! polled again only after the wrong date.

use jobs::hosts::MAX_QUEUE;
use kernel::clock::FUTURE_LIMIT;
use kernel::retention::repeat_in_steps;
use kernel::statement::{scalar, skip_locked};
use kernel::{Domain, Result};
use sea_orm::Value;

use super::hubs;

/// Maximum number of feeds changed per statement.
const STEP: u32 = 500;

/// Makes feeds due whose last poll, failure, refresh or queue time is too far in the future, and renews leases of hubs
/// that end too late.
pub(super) async fn reset_future_times(domain: &Domain) -> Result<()> {
    let now = domain.now();
    let limits: [Value; 2] = [(now + FUTURE_LIMIT).into(), (now + MAX_QUEUE + FUTURE_LIMIT).into()];
    let from_future =
        "FROM feed WHERE last_fetched_at > $1 OR failing_since > $1 OR refreshed_at > $1 OR turn_at > $2";
    let any = format!("SELECT COUNT(*) FROM (SELECT 1 {from_future} LIMIT 1) AS feeds");
    let mut count = hubs::renew_future_leases(domain, now).await?;
    if scalar(domain.db().read(), &any, limits.clone()).await? > 0 {
        let connection = domain.db().write();
        let times = ["last_fetched_at", "failing_since", "refreshed_at"];
        let times = times.map(|time| format!("{time} = CASE WHEN {time} > $1 THEN $3 ELSE {time} END"));
        let sql = format!(
            "UPDATE feed SET {}, next_poll_at = CASE WHEN next_poll_at > $3 THEN $3 ELSE next_poll_at END, \
             turn_at = CASE WHEN turn_at > $2 THEN NULL ELSE turn_at END \
             WHERE id IN (SELECT id {from_future} LIMIT {STEP} {})",
            times.join(", "),
            skip_locked(connection.get_database_backend())
        );
        let [event, queue] = limits;
        count += repeat_in_steps(connection, &sql, &[event, queue, now.into()], STEP).await?;
    }
    if count > 0 {
        tracing::warn!(count, "reset feed times in the future, because the clock was ahead");
    }
    Ok(())
}
