//! What agents may ask that costs the account nothing, and how often strangers are told that they are strangers.

use identity::caller::{Caller, Credential};
use identity::limits::AccountLimits;
use identity::limits::Network;
use identity::limits::window::RatePolicy;
use kernel::{Code, Error};
use poem::Request;

use http_kit::app::App;
use http_kit::http::network::client_address;

/// Requests without a charge: lists, beginnings, signs of life. By credential.
const FREE: RatePolicy = RatePolicy::sliding("free", 120, 60);
/// Refusals of those whom nobody knows. By network.
const STRANGERS: RatePolicy = RatePolicy::sliding("strangers", 60, 60);

/// Counts a request that costs the account nothing, whatever is wrong with it.
///
/// # Errors
/// `rate_limited`, with the seconds until the next one is taken.
pub(super) async fn count_free(app: &App, caller: &Caller) -> kernel::Result<()> {
    let credential = match caller.credential {
        Credential::Key(id) => format!("key:{id}"),
        Credential::Token { grant, client: _ } => format!("grant:{grant}"),
        Credential::Session => format!("account:{}", caller.account_id),
    };
    let limits = app.domain.limits();
    let windows = limits.windows();
    let decision = windows.check(&format!("mcp:free:{credential}"), &[FREE], app.domain.now()).await;
    if decision.allowed {
        return Ok(());
    }
    Err(Error::new(Code::RateLimited, "Too many requests in one minute.").retry_after(decision.retry_after()))
}

/// Counts a refusal of somebody whom nobody knows.
///
/// # Errors
/// `rate_limited`, with the seconds until the next one is told.
pub(super) async fn count_stranger(app: &App, request: &Request) -> kernel::Result<()> {
    let network = Network::of(client_address(request, &app.settings.trusted_proxies));
    let counters = network.counters("mcp:strangers", &[STRANGERS]);
    let charges = app.domain.limits().windows().check_each(counters, app.domain.now()).await;
    charges.refusal().map_or(Ok(()), |refusal| {
        let message = "Too many requests without a valid credential.";
        Err(Error::new(Code::RateLimited, message).retry_after(refusal.retry_after()))
    })
}
