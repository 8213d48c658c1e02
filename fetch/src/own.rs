//! Client for another Carrel server, configured by the operator. It connects to one fixed address, follows no
//! redirects, and is exempt from the guard's check for public addresses. It is never used for third-party
//! servers.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response};
use url::{Host, Url};

use crate::error::SetupError;
use crate::{convert, named};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum pause within a response. Longer than a server lets a call wait.
const READ_TIMEOUT: Duration = Duration::from_mins(3);

/// Error of a call to the server.
#[derive(Debug, thiserror::Error)]
pub enum OwnError {
    /// A credential must not be sent to this address.
    #[error("the address {0}")]
    Address(&'static str),
    /// The credential cannot be sent in a header.
    #[error("the credential contains invalid characters")]
    Credential,
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There was no response, or the connection broke.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
}

/// Server and the credential for it.
#[derive(Clone, Debug)]
pub struct OwnServer {
    client: Client,
    address: Url,
}

/// Response of the server, read in chunks.
#[derive(Debug)]
pub struct OwnAnswer(Response);

impl OwnServer {
    /// Creates a client for the server at `address`, to which `credential` is sent as a bearer token: over
    /// https, or over http to a loopback address.
    ///
    /// # Errors
    /// If the address does not meet these rules, or the client cannot be created.
    pub fn new(address: &str, credential: &str) -> Result<Self, OwnError> {
        let url = checked(address)?;
        let mut bearer =
            HeaderValue::from_str(&format!("Bearer {credential}")).map_err(|_| OwnError::Credential)?;
        bearer.set_sensitive(true);
        let headers = HeaderMap::from_iter([
            (AUTHORIZATION, bearer),
            (ACCEPT, HeaderValue::from_static("application/json, text/event-stream")),
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        ]);
        Ok(Self {
            client: named::client(headers, CONNECT_TIMEOUT, |client| client.read_timeout(READ_TIMEOUT))?,
            address: url,
        })
    }

    /// Posts a body with additional headers.
    ///
    /// # Errors
    /// If there is no response.
    pub async fn post(
        &self,
        headers: &[(&'static str, String)],
        body: String,
    ) -> Result<OwnAnswer, OwnError> {
        let mut request = self.client.post(self.address.clone()).body(body);
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).map_err(|_| OwnError::Credential)?;
            request = request.header(HeaderName::from_static(name), value);
        }
        request.send().await.map(OwnAnswer).map_err(|error| OwnError::Unreachable(convert::chain(&error)))
    }
}

impl OwnAnswer {
    pub fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    /// Whether the response is an event stream.
    pub fn is_stream(&self) -> bool {
        let kind = self.0.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
    }

    /// Value of `Retry-After`, in seconds.
    pub fn retry_after(&self) -> Option<u64> {
        self.0.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok()
    }

    /// Next chunk of the body. `None` at the end.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, OwnError> {
        self.0.chunk().await.map_err(|error| OwnError::Unreachable(convert::chain(&error)))
    }
}

fn checked(address: &str) -> Result<Url, OwnError> {
    let url = Url::parse(address).map_err(|_| OwnError::Address("is not a valid URL"))?;
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    if !(url.scheme() == "https" || (url.scheme() == "http" && is_here)) {
        return Err(OwnError::Address("must be https, or http to this machine"));
    }
    let is_bare = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    if is_bare { Ok(url) } else { Err(OwnError::Address("must not contain a user, query, or fragment")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credential_is_sent_only_over_https_or_to_loopback() {
        for address in [
            "https://carrel.example.org/mcp",
            "http://127.0.0.1:8080/mcp",
            "http://[::1]:8080/mcp",
            "http://localhost/mcp/x/core",
        ] {
            assert!(checked(address).is_ok(), "{address}");
        }
        for address in [
            "http://carrel.example.org/mcp",
            "http://localhost.example.org/mcp",
            "http://127.0.0.1.example.org/mcp",
            "https://key@carrel.example.org/mcp",
            "https://carrel.example.org/mcp?key=1",
            "ftp://127.0.0.1/",
            "file:///etc/passwd",
            "carrel.example.org",
        ] {
            assert!(checked(address).is_err(), "{address}");
        }
        assert!(matches!(OwnServer::new("https://a.example/", "a\nb"), Err(OwnError::Credential)));
    }
}
