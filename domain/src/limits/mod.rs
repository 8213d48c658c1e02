//! Limits: how often and how much a caller may ask, counted in one place for every surface and every
//! kind of credential.
//!
//! [`window`] is the mechanism and knows neither accounts nor plans; [`tiers`] is the table of what the
//! plans allow; [`Limits`] puts the two together and keeps the daily counts on disk.

mod account;
mod counters;
mod days;
mod network;
mod old_counts;
mod room;
pub mod tiers;
pub mod usage;
pub mod window;

#[cfg(test)]
mod tests;

pub use account::{FRESH_DAY, FRESH_MINUTE, OPERATIONS_DAY, OPERATIONS_MINUTE, Shown, refusal};
pub use counters::{Limits, Reservation};
pub use network::Network;
pub use old_counts::delete_old_counts;
pub use room::require_room;
pub use tiers::{Tier, TierLimits, Tiers};
