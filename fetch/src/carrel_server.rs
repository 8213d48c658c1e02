//! Client for another Carrel server, configured by the operator. It connects to one fixed address, follows no
//! redirects, and is exempt from the guard's check for public addresses. It is never used for third-party
//! servers.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response};
use url::{Host, Url};

use crate::error::SetupError;
use crate::{client_error, operator_client};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum pause within a response. Longer than a server delays the response to any call.
const READ_TIMEOUT: Duration = Duration::from_mins(3);

/// Error of a call to the server.
#[derive(Debug, thiserror::Error)]
pub enum CarrelServerError {
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

/// Address of a server, with the credential for it.
#[derive(Clone, Debug)]
pub struct CarrelServer {
    client: Client,
    address: Url,
}

/// Response of the server, read in chunks.
#[derive(Debug)]
pub struct CarrelResponse(Response);

impl CarrelServer {
    /// Creates a client for the server at `address`, to which `credential` is sent as a bearer token: over
    /// https, or over http to a loopback address.
    ///
    /// # Errors
    /// If the address does not meet these rules, or the client cannot be created.
    pub fn new(address: &str, credential: &str) -> Result<Self, CarrelServerError> {
        let url = check_address(address)?;
        let mut bearer = HeaderValue::from_str(&format!("Bearer {credential}"))
            .map_err(|_| CarrelServerError::Credential)?;
        bearer.set_sensitive(true);
        let headers = HeaderMap::from_iter([
            (AUTHORIZATION, bearer),
            (ACCEPT, HeaderValue::from_static("application/json, text/event-stream")),
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        ]);
        Ok(Self {
            client: operator_client::client(headers, CONNECT_TIMEOUT, |client| {
                client.read_timeout(READ_TIMEOUT)
            })?,
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
    ) -> Result<CarrelResponse, CarrelServerError> {
        let mut request = self.client.post(self.address.clone()).body(body);
        for (name, value) in headers {
            let value = HeaderValue::from_str(value).map_err(|_| CarrelServerError::Credential)?;
            request = request.header(HeaderName::from_static(name), value);
        }
        send(request).await
    }

    /// Requests the address with query parameters.
    ///
    /// # Errors
    /// If there is no response.
    pub async fn get(&self, query: &[(&str, &str)]) -> Result<CarrelResponse, CarrelServerError> {
        let mut url = self.address.clone();
        url.query_pairs_mut().extend_pairs(query);
        send(self.client.get(url)).await
    }
}

async fn send(request: RequestBuilder) -> Result<CarrelResponse, CarrelServerError> {
    request
        .send()
        .await
        .map(CarrelResponse)
        .map_err(|error| CarrelServerError::Unreachable(client_error::chain(&error)))
}

impl CarrelResponse {
    pub fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    /// True if the response is an event stream.
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
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, CarrelServerError> {
        self.0.chunk().await.map_err(|error| CarrelServerError::Unreachable(client_error::chain(&error)))
    }
}

fn check_address(address: &str) -> Result<Url, CarrelServerError> {
    let url = Url::parse(address).map_err(|_| CarrelServerError::Address("is not a valid URL"))?;
    let is_local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    if !(url.scheme() == "https" || (url.scheme() == "http" && is_local)) {
        return Err(CarrelServerError::Address("must be https, or http to this machine"));
    }
    let is_bare = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    if is_bare {
        Ok(url)
    } else {
        Err(CarrelServerError::Address("must not contain a user, query, or fragment"))
    }
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
            assert!(check_address(address).is_ok(), "{address}");
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
            assert!(check_address(address).is_err(), "{address}");
        }
        assert!(matches!(
            CarrelServer::new("https://a.example/", "a\nb"),
            Err(CarrelServerError::Credential)
        ));
    }
}
