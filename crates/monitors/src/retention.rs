//! Retention of snapshots, runs and changes: as long as the plan allows, and at least as long as the feed and
//! the next run need them. Rows are deleted in small steps, so other writers do not wait long.

use super::feed::MAX_CHANGES;
use super::screenshots;
use super::sql::{self, STEP};
use async_recursion::async_recursion as boxed;
use kernel::clock::{DAY, HOUR};
use kernel::retention::{ExpiredRows, repeat_in_steps};
use kernel::tiers::Tier;
use kernel::{Domain, Millis, Result};

/// Retention of runs.
const RUNS_MS: Millis = 90 * DAY;
/// Retention of preview results.
pub(super) const PREVIEWS_MS: Millis = HOUR;
/// Retention of shared bodies after the last response.
const BODIES_MS: Millis = 2 * DAY;
const OLD_RUNS: ExpiredRows = ExpiredRows { table: "monitor_run", key: "id", condition: "finished_at < $1" };
const OLD_PREVIEWS: ExpiredRows =
    ExpiredRows { table: "monitor_preview", key: "key", condition: "made_at < $1" };

/// Returns the retention of snapshots and changes.
const fn retention_ms(tier: Tier) -> Millis {
    match tier {
        Tier::Free => 30 * DAY,
        Tier::Premium => 180 * DAY,
        Tier::Pro => 365 * DAY,
    }
}

/// Deletes old runs and preview results. Returns the number of deleted rows.
#[boxed]
pub async fn delete_old_runs(domain: &Domain) -> Result<u64> {
    let (connection, now) = (domain.db().write(), domain.now());
    let runs = OLD_RUNS.delete(connection, &[(now - RUNS_MS).into()]).await?;
    Ok(runs + OLD_PREVIEWS.delete(connection, &[(now - PREVIEWS_MS).into()]).await?)
}

/// Deletes old snapshots with their screenshots, old changes, and targets that no monitor watches. Returns the
/// number of deleted rows.
#[boxed]
pub async fn delete_old_contents(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let connection = domain.db().write();
    let mut deleted = 0;
    for tier in Tier::ALL {
        let before = now - retention_ms(tier);
        // The hundred newest changes are retained for the feed, regardless of their age.
        deleted +=
            repeat_in_steps(connection, &sql::delete_changes(tier, MAX_CHANGES), &[before.into()], STEP)
                .await?;
        deleted += repeat_in_steps(connection, &sql::delete_snapshots(tier), &[before.into()], STEP).await?;
    }
    let (backend, before) = (connection.get_database_backend(), [(now - BODIES_MS).into()]);
    repeat_in_steps(connection, &sql::drop_bodies(backend), &before, STEP).await?;
    deleted += repeat_in_steps(connection, &sql::delete_targets(backend), &before, STEP).await?;
    Ok(deleted + screenshots::delete_unused(domain).await?)
}
