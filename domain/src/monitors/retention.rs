//! What is kept: contents, runs and changes for as long as the plan says, and never less than what the
//! feed shows and the next run needs. Everything in small steps, so that no other writer waits long.

use entities::{monitor_preview, monitor_target};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

use super::feed::NEWEST;
use super::sql::{self, STEP};
use crate::clock::{DAY, HOUR, Millis};
use crate::error::Result;
use crate::handle::Domain;
use crate::limits::Tier;
use crate::statement::execute;

/// Runs are kept this long.
const RUNS_MS: Millis = 90 * DAY;
/// Kept answers of previews.
const PREVIEWS_MS: Millis = HOUR;
/// Bodies that monitors share are kept this long after the last answer.
const BODIES_MS: Millis = 2 * DAY;
/// Steps of one round; the next hour goes on.
const STEPS: usize = 20;

/// Contents and changes are kept this long.
const fn kept_ms(tier: Tier) -> Millis {
    match tier {
        Tier::Free => 30 * DAY,
        Tier::Premium => 180 * DAY,
        Tier::Pro => 365 * DAY,
    }
}

/// Deletes what is older than it is kept for; returns how many rows.
pub async fn housekeeping(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let connection = domain.db().write();
    let mut deleted = 0;
    for tier in Tier::ALL {
        let before = now - kept_ms(tier);
        // The hundred newest changes stand in the feed, however old they are.
        deleted += steps(connection, &sql::delete_changes(tier, NEWEST), before).await?;
        deleted += steps(connection, &sql::delete_snapshots(tier), before).await?;
    }
    deleted += steps(connection, &sql::delete_runs(), now - RUNS_MS).await?;
    deleted += monitor_preview::Entity::delete_many()
        .filter(monitor_preview::Column::MadeAt.lt(now - PREVIEWS_MS))
        .exec(connection)
        .await?
        .rows_affected;
    monitor_target::Entity::update_many()
        .col_expr(monitor_target::Column::Body, Expr::value(None::<Vec<u8>>))
        .filter(monitor_target::Column::CheckedAt.lt(now - BODIES_MS))
        .filter(monitor_target::Column::Body.is_not_null())
        .exec(connection)
        .await?;
    deleted += steps(connection, &sql::delete_targets(), now - BODIES_MS).await?;
    Ok(deleted + crate::credits::delete_old_months(domain).await?)
}

async fn steps(connection: &impl ConnectionTrait, text: &str, before: Millis) -> Result<u64> {
    let mut deleted = 0;
    for _ in 0..STEPS {
        let count = execute(connection, text, [before.into()]).await?;
        deleted += count;
        if count < u64::from(STEP) {
            break;
        }
    }
    Ok(deleted)
}
