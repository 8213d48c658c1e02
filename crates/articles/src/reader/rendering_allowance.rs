//! Allowance of rendered pages for the anonymous callers of a network. Requests and read jobs share it.

use async_recursion::async_recursion as boxed;
use identity::limits::window::{LimitDecision, RatePolicy};
use identity::limits::{AccountLimits, Network};
use kernel::Domain;

/// Name of the limit.
const NAME: &str = "render";
/// Maximum number of rendered pages per network, and the window in seconds.
const RENDERINGS: (u32, u32) = (10, 3600);

/// Charges the rendering of a page to a network. The names in `network` are hashed, because read jobs store the
/// network.
#[boxed]
pub async fn charge_rendering(domain: &Domain, network: &Network) -> Option<LimitDecision> {
    let (quota, seconds) = RENDERINGS;
    let counters = network.counters(NAME, &[RatePolicy::sliding(NAME, quota, seconds)]);
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    charges.decision().cloned()
}
