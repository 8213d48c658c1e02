//! Limits and usage of an account. Both `/v1/me` and the plan page display them.

use crate::usage;
use crate::usage::Usage;
use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use identity::{accounts, credits};
use kernel::tiers::{Tier, TierLimits};
use kernel::{Domain, Result};

/// Plan, limits, and usage of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capabilities {
    pub account_id: AccountId,
    pub tier: Tier,
    pub limits: CapabilityLimits,
}

/// Credits of an account for one calendar month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthlyCredits {
    /// Credits granted for the month.
    pub limit: u64,
    /// Credits spent on runs.
    pub used: u64,
}

macro_rules! capability_limits {
    (|$plan:ident, $used:ident, $credits:ident| $($(#[doc = $about:literal])+ $field:ident: $value:expr,)+) => {
        /// Limits and usage as `/v1/me` reports them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct CapabilityLimits { $($(#[doc = $about])+ pub $field: u64,)+ }

        impl CapabilityLimits {
            /// Field names with their one-line descriptions.
            pub const FIELDS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), concat!($($about),+).trim_ascii())),+];

            /// Combines the limits of `plan` with the usage and the credits.
            pub fn of($plan: &TierLimits, $used: &Usage, $credits: MonthlyCredits) -> Self {
                Self { $($field: $value),+ }
            }

            /// Returns the values in the order of [`Self::FIELDS`].
            pub fn values(&self) -> impl Iterator<Item = u64> {
                [$(self.$field),+].into_iter()
            }
        }
    };
}

capability_limits! { |plan, used, credits|
    /// Maximum number of active API keys.
    active_api_keys: plan.active_api_keys.into(),
    /// Maximum number of followed feeds.
    rss_subscriptions: plan.rss_subscriptions.into(),
    /// Number of followed feeds.
    rss_subscriptions_used: used.rss_subscriptions,
    /// Maximum number of feed collections.
    rss_collections: plan.rss_collections.into(),
    /// Number of feed collections.
    rss_collections_used: used.rss_collections,
    /// Maximum number of feed consumers.
    feed_consumers: plan.feed_consumers.into(),
    /// Number of feed consumers.
    feed_consumers_used: used.feed_consumers,
    /// Maximum number of notification channels.
    notification_channels: plan.notification_channels.into(),
    /// Number of notification channels.
    notification_channels_used: used.notification_channels,
    /// Maximum number of mail notices per UTC day.
    mails_per_day: plan.mails_per_day.into(),
    /// Maximum number of web monitors.
    web_monitors: plan.web_monitors.into(),
    /// Number of web monitors.
    web_monitors_used: used.web_monitors,
    /// Number of web monitors that can still be created.
    web_monitors_remaining: u64::from(plan.web_monitors).saturating_sub(used.web_monitors),
    /// Shortest interval between two runs of a monitor, in minutes.
    web_monitor_minimum_interval_minutes: plan.web_monitor_minimum_interval_minutes.into(),
    /// Monitor credits granted for this UTC calendar month.
    web_monitor_monthly_credits: credits.limit,
    /// Monitor credits used in this month.
    web_monitor_monthly_credits_used: credits.used,
    /// Monitor credits left in this month.
    web_monitor_monthly_credits_remaining: credits.limit.saturating_sub(credits.used),
    /// Maximum size of the library in bytes.
    library_storage_bytes: plan.library_storage_bytes,
    /// Size of the library in bytes.
    library_storage_used_bytes: used.library_storage_bytes,
    /// Bytes left in the library.
    library_storage_remaining_bytes: plan.library_storage_bytes.saturating_sub(used.library_storage_bytes),
    /// Maximum number of operations per 60 seconds.
    operations_per_minute: plan.operations_per_minute.into(),
    /// Maximum number of operations per UTC day.
    operations_per_day: plan.operations_per_day.into(),
    /// Maximum number of fresh extractions (downloads of sources) per 60 seconds.
    fresh_extractions_per_minute: plan.fresh_extractions_per_minute.into(),
    /// Maximum number of fresh extractions (downloads of sources) per UTC day.
    fresh_extractions_per_day: plan.fresh_extractions_per_day.into(),
    /// Fresh extractions that a rendered read costs: one for the page, the others for its rendering in a browser.
    fresh_extractions_per_rendered_read: u64::from(1 + articles::RENDERING_EXTRACTIONS),
}

/// Returns the plan `tier` of `account_id` with the limits of the account and the current usage.
///
/// # Errors
/// `not_found` if the account does not exist.
#[boxed]
pub async fn capabilities(domain: &Domain, account_id: AccountId, tier: Tier) -> Result<Capabilities> {
    let used = usage::current_usage(domain, domain.db().read(), account_id).await?;
    let plan = &accounts::limits(domain.db().read(), domain, account_id).await?;
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let credits = credits::balance(domain.db().read(), domain.now(), account_id, allowance).await?;
    let number = |credits: i64| u64::try_from(credits).unwrap_or(0);
    let credits = MonthlyCredits { limit: number(credits.limit()), used: number(credits.used) };
    let limits = CapabilityLimits::of(plan, &used, credits);
    Ok(Capabilities { account_id, tier, limits })
}
