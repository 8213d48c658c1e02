//! What clients of servers have in common that the operator named: each is fixed to one address, follows nothing, and the
//! guard does not ask whether that address is public.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};

use crate::error::SetupError;
use crate::{convert, tls};

/// A client that sends `headers` with each request; `connect` is how long a connection may take to stand. How long the rest
/// may take is for `limits` to say.
///
/// # Errors
/// When the system's certificates cannot be read, or the client cannot be made.
#[expect(clippy::disallowed_methods, reason = "its one address is the operator's, not a stranger's")]
pub(crate) fn client(
    headers: HeaderMap,
    connect: Duration,
    limits: impl FnOnce(ClientBuilder) -> ClientBuilder,
) -> Result<Client, SetupError> {
    let builder = Client::builder()
        .tls_backend_preconfigured(tls::client_config(None)?)
        .default_headers(headers)
        .no_proxy()
        .redirect(Policy::none())
        .referer(false)
        .user_agent(concat!("Carrel/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(connect);
    limits(builder).build().map_err(|error| SetupError::Client(convert::chain(&error)))
}
