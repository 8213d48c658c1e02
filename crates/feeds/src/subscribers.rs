//! Combined demand of a feed's followers, who share its polls.

mod sql;

use std::collections::HashMap;

use entities::ids::FeedId;
use sea_orm::{ConnectionTrait, Value};

use super::schedule::Demand;
use kernel::clock::MINUTE;
use kernel::statement::statement;
use kernel::tiers::{Tier, Tiers};
use kernel::{Millis, Result};

/// Returns the demand of each feed. Feeds without followers are omitted.
pub(super) async fn demands(
    connection: &impl ConnectionTrait,
    tiers: &Tiers,
    feed_ids: &[FeedId],
) -> Result<HashMap<FeedId, Demand>> {
    if feed_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = sql::demand_statement(tiers, feed_ids.len());
    let values: Vec<Value> = feed_ids.iter().map(|id| (*id).into()).collect();
    let rows = connection.query_all_raw(statement(connection, &sql, values)).await?;
    rows.iter()
        .map(|row| {
            let (fixed, adaptive, best): (i64, i64, i64) =
                (row.try_get_by_index(2)?, row.try_get_by_index(3)?, row.try_get_by_index(4)?);
            let tier = [Tier::Free, Tier::Premium, Tier::Pro][usize::try_from(best.clamp(0, 2)).unwrap_or(0)];
            let texts: i64 = row.try_get_by_index(5)?;
            let demand = Demand {
                followers: row.try_get_by_index(1)?,
                wants_texts: texts > 0,
                adaptive: adaptive > 0,
                fixed_ms: (fixed > 0).then_some(fixed * MINUTE),
                floor_ms: Millis::from(tiers.of(tier).rss_minimum_interval_minutes) * MINUTE,
            };
            Ok((row.try_get_by_index(0)?, demand))
        })
        .collect()
}
