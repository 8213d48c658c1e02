//! Limits on the rate and amount of a caller's use of the service, counted in one module for every surface
//! and every kind of credential.
//!
//! [`window`] counts, and is independent of accounts and plans. `tiers` is the table of plan limits. [`Limits`]
//! combines the two and stores the daily counts in the database.

mod account;
mod cleanup;
mod counters;
mod daily_usage;
mod network;
mod plan_limit;
pub mod window;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use kernel::Domain;

pub use account::{ExposedLimits, FRESH_DAY, FRESH_MINUTE, OPERATIONS_DAY, OPERATIONS_MINUTE};
pub use account::{PastCharge, refusal};
pub use cleanup::delete_expired_counters;
pub use counters::{Limits, Reservation};
pub use kernel::tiers::{Tier, TierLimits, Tiers};
pub use network::Network;
pub use plan_limit::check_plan_limit;

/// Access to the limits of a [`Domain`] handle.
pub trait AccountLimits {
    /// The limits. Their counters are in the memory of this process unless [`install`] set others.
    fn limits(&self) -> Arc<Limits>;
}

impl AccountLimits for Domain {
    fn limits(&self) -> Arc<Limits> {
        self.shared(|| Limits::new(Arc::clone(&self.policy().tiers), window::Windows::memory()))
    }
}

/// Returns the handle with the plan limits of its policy, which are counted in `windows`.
#[must_use]
pub fn install(domain: Domain, windows: window::Windows) -> Domain {
    let limits = Limits::new(Arc::clone(&domain.policy().tiers), windows);
    domain.install(limits)
}
