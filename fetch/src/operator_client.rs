//! HTTP client for servers configured by the operator. It connects to one fixed address, follows no
//! redirects, and is exempt from the guard's check for public addresses.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Response};

use crate::error::SetupError;
use crate::{client_error, tls};

/// Creates a client that sends `headers` with each request. `connect` is the connect timeout; `configure`
/// sets the other timeouts.
///
/// # Errors
/// If the system's certificates cannot be read, or the client cannot be created.
#[expect(
    clippy::disallowed_methods,
    reason = "its fixed address is configured by the operator, not chosen by a user"
)]
pub(crate) fn client(
    headers: HeaderMap,
    connect: Duration,
    configure: impl FnOnce(ClientBuilder) -> ClientBuilder,
) -> Result<Client, SetupError> {
    let builder = Client::builder()
        .tls_backend_preconfigured(tls::client_config(None)?)
        .default_headers(headers)
        .no_proxy()
        .redirect(Policy::none())
        .referer(false)
        .user_agent(concat!("Carrel/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(connect);
    configure(builder).build().map_err(|error| SetupError::Client(client_error::chain(&error)))
}

/// Reason why an answer could not be read.
pub(crate) enum BodyError {
    Failed(reqwest::Error),
    TooLarge,
}

/// Reads the body of an answer, of at most `max_bytes`.
pub(crate) async fn read(mut answer: Response, max_bytes: usize) -> Result<Bytes, BodyError> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(BodyError::Failed)? {
        if body.len() + chunk.len() > max_bytes {
            return Err(BodyError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.into())
}
