//! Plan limits and counters of all accounts.

use async_recursion::async_recursion as boxed;
use std::sync::Arc;

use super::daily_usage::DailyUsage;
use super::window::{LimitDecision, RatePolicy, RateState, Windows};
use kernel::tiers::{Tier, TierLimits, Tiers};

/// Plan limits and counters of all accounts. Cheap to clone; clones share the counters.
#[derive(Clone)]
pub struct Limits {
    pub(super) tiers: Arc<Tiers>,
    pub(super) windows: Windows,
    pub(super) days: Arc<DailyUsage>,
}

/// Fresh extractions that were charged before their download. [`Limits::refund`] refunds them if the work is not done.
#[must_use = "refund the reservation if the work is not done"]
#[derive(Debug)]
pub struct Reservation {
    pub(super) key: String,
    pub(super) policies: [RatePolicy; 2],
    pub(super) decision: LimitDecision,
}

impl Reservation {
    /// The account's limit states, this download included.
    pub fn states(&self) -> &[RateState] {
        &self.decision.states
    }
}

impl Limits {
    /// Creates limits from the plans in `tiers`, counted in `windows`.
    pub fn new(tiers: Arc<Tiers>, windows: Windows) -> Self {
        Self { tiers, windows, days: Arc::default() }
    }

    pub fn of(&self, tier: Tier) -> &TierLimits {
        self.tiers.of(tier)
    }

    /// The counters, for limits that do not belong to an account.
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Refunds a reservation because its work was not done, or because the request joined another caller's download.
    #[boxed]
    pub async fn refund(&self, reservation: Reservation) {
        self.windows.refund(&reservation.key, &reservation.policies, &reservation.decision).await;
    }
}

impl std::fmt::Debug for Limits {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Limits").field("tiers", &self.tiers).finish_non_exhaustive()
    }
}
