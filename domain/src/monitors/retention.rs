//! What is kept: contents, runs and changes for as long as the plan says, and never less than what the
//! feed shows and the next run needs. Everything in small steps, so that no other writer waits long.

use sea_orm::ConnectionTrait;

use super::feed::NEWEST;
use super::rows::change;
use crate::clock::Millis;
use crate::error::Result;
use crate::feeds::schedule::{DAY, HOUR};
use crate::handle::Domain;
use crate::limits::Tier;

/// Runs are kept this long.
const RUNS_MS: Millis = 90 * DAY;
/// Kept answers of previews.
const PREVIEWS_MS: Millis = HOUR;
/// Bodies that monitors share are kept this long after the last answer.
const BODIES_MS: Millis = 2 * DAY;
/// Rows of one step.
const STEP: u32 = 500;
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
        let text = format!(
            "DELETE FROM monitor_change WHERE id IN (SELECT c.id FROM monitor_change c JOIN account a \
             ON a.id = c.account_id WHERE a.tier = '{}' AND c.detected_at < $1 AND c.id < (SELECT n.id FROM \
             monitor_change n WHERE n.monitor_id = c.monitor_id ORDER BY n.id DESC LIMIT 1 OFFSET {}) LIMIT {STEP})",
            tier.as_str(),
            NEWEST - 1
        );
        deleted += steps(connection, &text, before).await?;
        let text = format!(
            "DELETE FROM monitor_snapshot WHERE (monitor_id, hash) IN (SELECT s.monitor_id, s.hash \
             FROM monitor_snapshot s JOIN account a ON a.id = s.account_id JOIN monitor m ON m.id = s.monitor_id \
             WHERE a.tier = '{}' AND s.seen_at < $1 AND COALESCE(m.baseline_hash, '') <> s.hash LIMIT {STEP})",
            tier.as_str()
        );
        deleted += steps(connection, &text, before).await?;
    }
    let text = format!(
        "DELETE FROM monitor_run WHERE id IN (SELECT id FROM monitor_run WHERE finished_at < $1 LIMIT {STEP})"
    );
    deleted += steps(connection, &text, now - RUNS_MS).await?;
    let text = "DELETE FROM monitor_preview WHERE made_at < $1";
    deleted += change(connection, text, [(now - PREVIEWS_MS).into()]).await?;
    let text = "UPDATE monitor_target SET body = NULL WHERE checked_at < $1 AND body IS NOT NULL";
    change(connection, text, [(now - BODIES_MS).into()]).await?;
    let text = format!(
        "DELETE FROM monitor_target WHERE url_key IN (SELECT t.url_key FROM monitor_target t \
         WHERE t.checked_at < $1 AND NOT EXISTS (SELECT 1 FROM monitor m WHERE m.url_key = t.url_key) LIMIT {STEP})"
    );
    deleted += steps(connection, &text, now - BODIES_MS).await?;
    Ok(deleted + crate::credits::delete_old_months(domain).await?)
}

async fn steps(connection: &impl ConnectionTrait, text: &str, before: Millis) -> Result<u64> {
    let mut deleted = 0;
    for _ in 0..STEPS {
        let count = change(connection, text, [before.into()]).await?;
        deleted += count;
        if count < u64::from(STEP) {
            break;
        }
    }
    Ok(deleted)
}
