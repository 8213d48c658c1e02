//! SQL statement for the followers of feeds.

use kernel::statement::placeholders;
use kernel::tiers::{Tier, Tiers};

/// Returns the statement for `count` feeds. For each feed it selects the number of followers, the shortest
/// fixed interval, the number of followers without a fixed interval, the best plan, and whether a follower
/// requests texts.
pub(super) fn demand_statement(tiers: &Tiers, count: usize) -> String {
    // A fixed interval is raised to the minimum of the follower's own plan, which may have increased since
    // the interval was set. The plans of other followers do not matter.
    let least = |tier: Tier| tiers.of(tier).rss_minimum_interval_minutes;
    let (pro, premium, free) = (least(Tier::Pro), least(Tier::Premium), least(Tier::Free));
    let own = format!("CASE a.tier WHEN 'pro' THEN {pro} WHEN 'premium' THEN {premium} ELSE {free} END");
    format!(
        "SELECT s.feed_id, count(*), CAST(COALESCE(MIN(CASE WHEN s.interval_minutes < {own} THEN {own} \
         ELSE s.interval_minutes END), 0) AS BIGINT), \
         CAST(SUM(CASE WHEN s.interval_minutes IS NULL THEN 1 ELSE 0 END) AS BIGINT), \
         CAST(MAX(CASE a.tier WHEN 'pro' THEN 2 WHEN 'premium' THEN 1 ELSE 0 END) AS BIGINT), \
         CAST(MAX(CASE WHEN s.full_text THEN 1 ELSE 0 END) AS BIGINT) \
         FROM rss_subscription s JOIN account a ON a.id = s.account_id \
         WHERE s.feed_id IN ({}) GROUP BY s.feed_id",
        placeholders(1, count)
    )
}
