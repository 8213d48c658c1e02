//! What the followers of feeds ask for, taken together: one poll serves them all.

use std::collections::HashMap;

use entities::ids::FeedId;
use sea_orm::{ConnectionTrait, Value};

use super::schedule::Demand;
use super::sql::{placeholders, statement};
use crate::clock::{MINUTE, Millis};
use crate::error::Result;
use crate::limits::{Tier, Tiers};

/// What the followers of some feeds ask for; feeds without followers are not in it.
pub(super) async fn demands(
    connection: &impl ConnectionTrait,
    tiers: &Tiers,
    feed_ids: &[FeedId],
) -> Result<HashMap<FeedId, Demand>> {
    if feed_ids.is_empty() {
        return Ok(HashMap::new());
    }
    // A plan may have become smaller than what was set under it, and another follower's larger one is not theirs.
    let least = |tier: Tier| tiers.of(tier).rss_minimum_interval_minutes;
    let (pro, premium, free) = (least(Tier::Pro), least(Tier::Premium), least(Tier::Free));
    let own = format!("CASE a.tier WHEN 'pro' THEN {pro} WHEN 'premium' THEN {premium} ELSE {free} END");
    let sql = format!(
        "SELECT s.feed_id, count(*), CAST(COALESCE(MIN(CASE WHEN s.interval_minutes < {own} THEN {own} \
         ELSE s.interval_minutes END), 0) AS BIGINT), \
         CAST(SUM(CASE WHEN s.interval_minutes IS NULL THEN 1 ELSE 0 END) AS BIGINT), \
         CAST(MAX(CASE a.tier WHEN 'pro' THEN 2 WHEN 'premium' THEN 1 ELSE 0 END) AS BIGINT), \
         CAST(MAX(CASE WHEN s.full_text THEN 1 ELSE 0 END) AS BIGINT) \
         FROM rss_subscription s JOIN account a ON a.id = s.account_id \
         WHERE s.feed_id IN ({}) GROUP BY s.feed_id",
        placeholders(1, feed_ids.len())
    );
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
