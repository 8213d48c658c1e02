//! The client for one server that the operator named: another installation of ours. Strangers are none of its business:
//! it is fixed to one address, follows nothing, and the guard does not ask whether that address is public.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response};
use url::{Host, Url};

use crate::error::SetupError;
use crate::{convert, named};

/// How long a connection may take to stand.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest pause within an answer: longer than a server lets a call wait.
const READ_TIMEOUT: Duration = Duration::from_mins(3);

/// Why the server did not answer.
#[derive(Debug, thiserror::Error)]
pub enum OwnError {
    /// The address is not one that a credential may be sent to.
    #[error("the address {0}")]
    Address(&'static str),
    /// The credential cannot stand in a header.
    #[error("the credential holds characters that no credential has")]
    Credential,
    /// The client could not be made.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There was no answer, or it broke off.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
}

/// One server, with a credential for it.
#[derive(Clone, Debug)]
pub struct OwnServer {
    client: Client,
    address: Url,
}

/// What it answered, read piece by piece.
#[derive(Debug)]
pub struct OwnAnswer(Response);

impl OwnServer {
    /// The server at `address`, to which `credential` is sent as a bearer token: by https, or by http within this machine.
    ///
    /// # Errors
    /// When the address is another, or the client cannot be made.
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

    /// Sends a body with further headers.
    ///
    /// # Errors
    /// When there is no answer.
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
    /// Its status.
    pub fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    /// Whether it is a stream of events.
    pub fn is_stream(&self) -> bool {
        let kind = self.0.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.is_some_and(|kind| kind.starts_with("text/event-stream"))
    }

    /// Seconds until a retry may help.
    pub fn retry_after(&self) -> Option<u64> {
        self.0.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok()
    }

    /// The next piece; none at the end.
    ///
    /// # Errors
    /// When it breaks off.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, OwnError> {
        self.0.chunk().await.map_err(|error| OwnError::Unreachable(convert::chain(&error)))
    }
}

fn checked(address: &str) -> Result<Url, OwnError> {
    let url = Url::parse(address).map_err(|_| OwnError::Address("cannot be read"))?;
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
    if is_bare { Ok(url) } else { Err(OwnError::Address("must have no user, query or fragment")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_goes_by_https_or_stays_on_the_machine() {
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
