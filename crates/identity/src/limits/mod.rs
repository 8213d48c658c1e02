//! Limits: how often and how much a caller may use, counted in one place for every surface and every kind of
//! credential.
//!
//! [`window`] is the mechanism and knows neither accounts nor plans; `tiers` is the table of what the plans
//! allow; [`Limits`] combines the two and stores the daily counts in the database.

mod account;
mod counters;
mod days;
mod network;
mod old_counts;
mod room;
pub mod window;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use kernel::Domain;

pub use account::{FRESH_DAY, FRESH_MINUTE, OPERATIONS_DAY, OPERATIONS_MINUTE, Shown, refusal};
pub use counters::{Limits, Reservation};
pub use kernel::tiers::{Tier, TierLimits, Tiers};
pub use network::Network;
pub use old_counts::delete_old_counts;
pub use room::require_room;

/// Access to the limits of a [`Domain`] handle.
pub trait AccountLimits {
    /// The limits, counted in this process unless [`install`] named other counters.
    fn limits(&self) -> Arc<Limits>;
}

impl AccountLimits for Domain {
    fn limits(&self) -> Arc<Limits> {
        self.shared(|| Limits::new(Arc::clone(&self.policy().tiers), window::Windows::memory()))
    }
}

/// The same handle with limits by its policy's plans, counted in `windows`.
#[must_use]
pub fn install(domain: Domain, windows: window::Windows) -> Domain {
    let limits = Limits::new(Arc::clone(&domain.policy().tiers), windows);
    domain.install(limits)
}
