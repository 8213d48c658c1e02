//! Authentication of app requests, and rate limits of their keys.

use data_encoding::BASE64;
use identity::caller::{Caller, Credential};
use identity::keys::feed_apps::{self, AppCredential};
use identity::limits::AccountLimits;
use identity::limits::Network;
use kernel::Error;
use poem::Request;

use http_kit::app::App;
use http_kit::http::network::{client_address, is_from_proxy};

/// Authenticates the credential of an app, and charges one request to its key and account.
///
/// # Errors
/// If the credential is invalid, or if a rate limit of the key or its account is exceeded.
pub(super) async fn admit(
    app: &App,
    request: &Request,
    credential: AppCredential<'_>,
) -> Result<Caller, Error> {
    let network = Network::of(client_address(request, &app.settings.trusted_proxies));
    let caller = feed_apps::authenticate(&app.domain, &network, credential).await?;
    if let Credential::Key(key_id) = caller.credential {
        let limits = app.domain.limits();
        limits.charge_app(&app.domain, caller.account_id, caller.tier, key_id).await?;
    }
    Ok(caller)
}

/// Returns true if a trusted proxy received the request over plain HTTP although the service is reached over
/// HTTPS. Third parties may have read its credential.
pub(super) fn is_plain(app: &App, request: &Request) -> bool {
    app.settings.origins.base.is_secure()
        && is_from_proxy(request, &app.settings.trusted_proxies)
        && request.header("x-forwarded-proto").is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"))
}

/// Returns the credentials of the `Authorization` header. `None` if the header uses another scheme.
pub(super) fn credentials<'a>(request: &'a Request, scheme: &str) -> Option<&'a str> {
    let (name, rest) = request.header("authorization")?.trim().split_once(' ')?;
    name.eq_ignore_ascii_case(scheme).then(|| rest.trim())
}

/// Returns the user name and the password of Basic authentication.
pub(super) fn basic_credentials(request: &Request) -> Option<(String, String)> {
    let bytes = BASE64.decode(credentials(request, "Basic")?.as_bytes()).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.split_once(':').map(|(name, password)| (name.to_owned(), password.to_owned()))
}
