//! What an account may do and how much of it is used: the one source of `/v1/me` and of the plan page.

use crate::usage;
use crate::usage::Usage;
use entities::ids::AccountId;
use identity::credits;
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::tiers::{Tier, TierLimits};

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

/// Credits of a calendar month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthlyCredits {
    /// What the month gives in all.
    pub limit: u64,
    /// What runs cost.
    pub used: u64,
}

macro_rules! capability_limits {
    (|$plan:ident, $used:ident, $credits:ident| $($(#[doc = $about:literal])+ $field:ident: $value:expr,)+) => {
        /// The numbers of the account operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct CapabilityLimits { $($(#[doc = $about])+ pub $field: u64,)+ }

        impl CapabilityLimits {
            /// The numbers by their names, each with one line about it.
            pub const FIELDS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), concat!($($about),+).trim_ascii())),+];

            /// What `plan` allows, beside what is used of it.
            pub fn of($plan: &TierLimits, $used: &Usage, $credits: MonthlyCredits) -> Self {
                Self { $($field: $value),+ }
            }

            /// The numbers in the order of [`Self::FIELDS`].
            pub fn values(&self) -> impl Iterator<Item = u64> {
                [$(self.$field),+].into_iter()
            }
        }
    };
}

capability_limits! { |plan, used, credits|
    /// API keys that may be active at once.
    active_api_keys: plan.active_api_keys.into(),
    /// Feeds that may be followed.
    rss_subscriptions: plan.rss_subscriptions.into(),
    /// Feeds that are followed.
    rss_subscriptions_used: used.rss_subscriptions,
    /// Collections of feeds that there may be.
    rss_collections: plan.rss_collections.into(),
    /// Collections that there are.
    rss_collections_used: used.rss_collections,
    /// Consumers of what happens in followed feeds that there may be.
    feed_consumers: plan.feed_consumers.into(),
    /// Consumers that there are.
    feed_consumers_used: used.feed_consumers,
    /// Channels of notices that there may be.
    notification_channels: plan.notification_channels.into(),
    /// Channels that there are.
    notification_channels_used: used.notification_channels,
    /// Notices by mail in a UTC day.
    mails_per_day: plan.mails_per_day.into(),
    /// Web monitors that there may be.
    web_monitors: plan.web_monitors.into(),
    /// Web monitors that there are.
    web_monitors_used: used.web_monitors,
    /// Web monitors that can still be made.
    web_monitors_remaining: u64::from(plan.web_monitors).saturating_sub(used.web_monitors),
    /// The shortest time between two runs of a monitor, in minutes.
    web_monitor_minimum_interval_minutes: plan.web_monitor_minimum_interval_minutes.into(),
    /// Credits of this UTC calendar month.
    web_monitor_monthly_credits: credits.limit,
    /// Credits used in this month.
    web_monitor_monthly_credits_used: credits.used,
    /// Credits left in this month.
    web_monitor_monthly_credits_remaining: credits.limit.saturating_sub(credits.used),
    /// Bytes that the library may hold.
    library_storage_bytes: plan.library_storage_bytes,
    /// Bytes that the library holds.
    library_storage_used_bytes: used.library_storage_bytes,
    /// Bytes that still fit.
    library_storage_remaining_bytes: plan.library_storage_bytes.saturating_sub(used.library_storage_bytes),
    /// Operations in 60 seconds.
    operations_per_minute: plan.operations_per_minute.into(),
    /// Operations in a UTC day.
    operations_per_day: plan.operations_per_day.into(),
    /// Downloads of sources in 60 seconds.
    fresh_extractions_per_minute: plan.fresh_extractions_per_minute.into(),
    /// Downloads of sources in a UTC day.
    fresh_extractions_per_day: plan.fresh_extractions_per_day.into(),
}

/// What `account_id` may do under `tier`, and what it uses now.
///
/// # Errors
/// `Unavailable` when the database cannot tell.
pub async fn capabilities(domain: &Domain, account_id: AccountId, tier: Tier) -> Result<Capabilities> {
    let used = usage::of(domain, domain.db().read(), account_id).await?;
    let plan = domain.policy().tiers.of(tier);
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let credits = credits::balance(domain.db().read(), domain.now(), account_id, allowance).await?;
    let number = |credits: i64| u64::try_from(credits).unwrap_or(0);
    let credits = MonthlyCredits { limit: number(credits.limit()), used: number(credits.used) };
    let limits = CapabilityLimits::of(plan, &used, credits);
    Ok(Capabilities { account_id, tier, limits })
}
