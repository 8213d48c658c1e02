//! Rate limits of failures per network at the token endpoint, refreshes per grant, and registrations. Many
//! people's apps share the addresses of a few large services, so that one app's successful requests never
//! count against another.

use crate::limits::AccountLimits;
use async_recursion::async_recursion as boxed;
use entities::ids::GrantId;

use super::oauth_error::OAuthError;
use crate::limits::Network;
use crate::limits::window::{Counter, Decision, RatePolicy};
use kernel::{Code, Domain, Error};

/// Failed requests of one network per minute.
const FAILURES: [RatePolicy; 1] = [RatePolicy::sliding("oauth-failures", 30, 60)];
/// Token refreshes of one grant per hour.
const REFRESHES: [RatePolicy; 1] = [RatePolicy::sliding("oauth-refresh", 60, 3600)];
/// Registrations of one network per minute.
const REGISTRATIONS: [RatePolicy; 1] = [RatePolicy::sliding("oauth-register", 300, 60)];
/// Total registrations of all networks per minute.
const ALL_REGISTRATIONS: [RatePolicy; 1] = [RatePolicy::sliding("oauth-register", 3000, 60)];

/// Counts a failed request of a network. Only failing requests are refused by this limit; others from the
/// same network continue.
///
/// # Errors
/// `temporarily_unavailable`, with the seconds to wait, after too many recent failures.
#[boxed]
pub async fn charge_failure(domain: &Domain, network: &Network) -> Result<(), OAuthError> {
    let counters = network.counters("oauth:f", &FAILURES);
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    charges.refusal().map_or(Ok(()), refuse)
}

/// Charges one refresh of a grant's tokens.
pub(super) async fn charge_refresh(domain: &Domain, grant_id: GrantId) -> Result<(), OAuthError> {
    let decision =
        domain.limits().windows().check(&format!("oauth:g:{grant_id}"), &REFRESHES, domain.now()).await;
    refuse(&decision)
}

/// Charges one registration.
///
/// # Errors
/// `temporarily_unavailable`, with the seconds to wait.
#[boxed]
pub async fn charge_registration(domain: &Domain, network: &Network) -> Result<(), OAuthError> {
    let mut counters = network.counters("oauth:r", &REGISTRATIONS);
    counters.push(Counter { key: "oauth:r".to_owned(), policies: ALL_REGISTRATIONS.to_vec() });
    let charges = domain.limits().windows().check_each(counters, domain.now()).await;
    charges.refusal().map_or(Ok(()), refuse)
}

fn refuse(decision: &Decision) -> Result<(), OAuthError> {
    if decision.allowed { Ok(()) } else { Err(too_many(decision.retry_after())) }
}

fn too_many(seconds: u32) -> OAuthError {
    Error::new(Code::RateLimited, "Too many requests.").retry_after(seconds.max(1)).into()
}
