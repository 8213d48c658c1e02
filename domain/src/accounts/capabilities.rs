//! What an account may do and how much of it is used: the one source of `/v1/me` and of the plan page.

use crate::credits;
use crate::error::Result;
use crate::handle::Domain;
use crate::limits::{Limits, Tier, usage};
use entities::ids::AccountId;

/// An account's plan, its limits and its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Whose.
    pub account_id: AccountId,
    /// Under which plan.
    pub tier: Tier,
    /// The numbers.
    pub limits: CapabilityLimits,
}

/// The nineteen numbers of the account operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapabilityLimits {
    /// Keys that may be active at once.
    pub active_api_keys: u64,
    /// Feeds that may be followed.
    pub rss_subscriptions: u64,
    /// Feeds that are followed.
    pub rss_subscriptions_used: u64,
    /// Collections that there may be.
    pub rss_collections: u64,
    /// Collections that there are.
    pub rss_collections_used: u64,
    /// Monitors that there may be.
    pub web_monitors: u64,
    /// Monitors that there are.
    pub web_monitors_used: u64,
    /// Monitors that can still be made.
    pub web_monitors_remaining: u64,
    /// The shortest time between two runs of a monitor, in minutes.
    pub web_monitor_minimum_interval_minutes: u64,
    /// Credits of this UTC calendar month.
    pub web_monitor_monthly_credits: u64,
    /// Credits used in this month.
    pub web_monitor_monthly_credits_used: u64,
    /// Credits left in this month.
    pub web_monitor_monthly_credits_remaining: u64,
    /// Bytes that the library may hold.
    pub library_storage_bytes: u64,
    /// Bytes that the library holds.
    pub library_storage_used_bytes: u64,
    /// Bytes that still fit.
    pub library_storage_remaining_bytes: u64,
    /// Operations in 60 seconds.
    pub operations_per_minute: u64,
    /// Operations in a UTC day.
    pub operations_per_day: u64,
    /// Downloads of sources in 60 seconds.
    pub fresh_extractions_per_minute: u64,
    /// Downloads of sources in a UTC day.
    pub fresh_extractions_per_day: u64,
}

/// What `account_id` may do under `tier`, and what it uses now.
///
/// # Errors
/// `Unavailable` when the database cannot tell.
pub async fn capabilities(
    domain: &Domain,
    limits: &Limits,
    account_id: AccountId,
    tier: Tier,
) -> Result<Capabilities> {
    let used = usage::of(domain, domain.db().read(), account_id).await?;
    let plan = limits.of(tier);
    let monitors = u64::from(plan.web_monitors);
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let credits = credits::look(domain.db().read(), domain.now(), account_id, allowance).await?;
    let number = |credits: i64| u64::try_from(credits).unwrap_or(0);
    let limits = CapabilityLimits {
        active_api_keys: plan.active_api_keys.into(),
        rss_subscriptions: plan.rss_subscriptions.into(),
        rss_subscriptions_used: used.rss_subscriptions,
        rss_collections: plan.rss_collections.into(),
        rss_collections_used: used.rss_collections,
        web_monitors: monitors,
        web_monitors_used: used.web_monitors,
        web_monitors_remaining: monitors.saturating_sub(used.web_monitors),
        web_monitor_minimum_interval_minutes: plan.web_monitor_minimum_interval_minutes.into(),
        web_monitor_monthly_credits: number(credits.limit()),
        web_monitor_monthly_credits_used: number(credits.used),
        web_monitor_monthly_credits_remaining: number(credits.remaining()),
        library_storage_bytes: plan.library_storage_bytes,
        library_storage_used_bytes: used.library_storage_bytes,
        library_storage_remaining_bytes: plan
            .library_storage_bytes
            .saturating_sub(used.library_storage_bytes),
        operations_per_minute: plan.operations_per_minute.into(),
        operations_per_day: plan.operations_per_day.into(),
        fresh_extractions_per_minute: plan.fresh_extractions_per_minute.into(),
        fresh_extractions_per_day: plan.fresh_extractions_per_day.into(),
    };
    Ok(Capabilities { account_id, tier, limits })
}
