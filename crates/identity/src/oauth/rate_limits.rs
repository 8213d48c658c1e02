//! Rate limits of failed requests per network at the token endpoint, of refreshes per grant, and of
//! registrations. A few large services send the requests of many people from the same addresses, so the
//! successful requests of one app never count against another app.

use crate::limits::AccountLimits;
use async_recursion::async_recursion as boxed;
use entities::ids::GrantId;

use super::oauth_error::OAuthError;
use crate::limits::Network;
use crate::limits::window::{Counter, LimitDecision, RatePolicy};
use kernel::{Code, Domain, Error};

/// Limit on failed requests from one network.
const FAILURES: [RatePolicy; 1] = [RatePolicy::sliding("oauth-failures", 30, 60)];
/// Limit on token refreshes of one grant.
const REFRESHES: [RatePolicy; 1] = [RatePolicy::sliding("oauth-refresh", 60, 3600)];
/// Limit on registrations from one network.
const REGISTRATIONS: [RatePolicy; 1] = [RatePolicy::sliding("oauth-register", 300, 60)];
/// Limit on registrations, across all networks.
const ALL_REGISTRATIONS: [RatePolicy; 1] = [RatePolicy::sliding("oauth-register", 3000, 60)];

/// Charges a failed request to a network. If the limit is exceeded, only further failed requests get this error;
/// successful requests from the same network are not affected.
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

fn refuse(decision: &LimitDecision) -> Result<(), OAuthError> {
    if decision.allowed { Ok(()) } else { Err(too_many(decision.retry_after())) }
}

fn too_many(seconds: u32) -> OAuthError {
    Error::new(Code::RateLimited, "Too many requests.").retry_after(seconds.max(1)).into()
}
