//! Rate limits for MCP requests that cost the account nothing, and for unauthenticated requests.

use identity::caller::{Caller, Credential};
use identity::limits::AccountLimits;
use identity::limits::Network;
use identity::limits::window::RatePolicy;
use kernel::{Code, Error};
use poem::Request;

use http_kit::app::App;
use http_kit::http::network::client_address;

/// Limit on requests without a charge (lists, `initialize`, `ping`), per credential.
const FREE: RatePolicy = RatePolicy::sliding("free", 120, 60);
/// Limit on refusals of unauthenticated requests, per network.
const UNAUTHENTICATED: RatePolicy = RatePolicy::sliding("strangers", 60, 60);

/// Counts a request that costs the account nothing, valid or not.
///
/// # Errors
/// `rate_limited`, with the seconds until the next request is accepted.
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

/// Counts a refusal of an unauthenticated request.
///
/// # Errors
/// `rate_limited`, with the seconds until the next refusal is sent.
pub(super) async fn count_unauthenticated(app: &App, request: &Request) -> kernel::Result<()> {
    let network = Network::of(client_address(request, &app.settings.trusted_proxies));
    let counters = network.counters("mcp:strangers", &[UNAUTHENTICATED]);
    let charges = app.domain.limits().windows().check_each(counters, app.domain.now()).await;
    charges.refusal().map_or(Ok(()), |refusal| {
        let message = "Too many requests without a valid credential.";
        Err(Error::new(Code::RateLimited, message).retry_after(refusal.retry_after()))
    })
}
