//! Client for the trace collector configured by the operator. Like [`crate::carrel_server`], it connects to
//! one fixed address, follows no redirects, and is exempt from the guard's check for public addresses:
//! collectors often run in private networks.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use url::Url;

use crate::error::SetupError;
use crate::{client_error, operator_client};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of one request, including the response.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of response bytes to read, enough for an error message.
const MAX_RESPONSE_BYTES: usize = 64 << 10;

/// Error of a collector that cannot be used or did not accept data.
#[derive(Debug, thiserror::Error)]
pub enum CollectorError {
    /// A header contains characters that cannot be sent.
    #[error("the header {0} cannot be sent")]
    Header(String),
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There was no response, or the connection broke.
    #[error("the collector cannot be reached: {0}")]
    Unreachable(String),
}

#[derive(Clone, Debug)]
pub struct Collector {
    client: Client,
    address: Url,
}

impl Collector {
    /// Creates a client that posts to `address` and sends `headers` with each request. Header values may be
    /// credentials and are never printed.
    ///
    /// # Errors
    /// If a header cannot be sent or the client cannot be created.
    pub fn new<'a>(
        address: Url,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, CollectorError> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let fault = || CollectorError::Header(name.to_owned());
            let mut value = HeaderValue::from_str(value).map_err(|_| fault())?;
            value.set_sensitive(true);
            map.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| fault())?, value);
        }
        Ok(Self {
            client: operator_client::client(map, CONNECT_TIMEOUT, |client| client.timeout(TIMEOUT))?,
            address,
        })
    }

    /// Sends `body`. Returns the status and at most the first 64 KiB of the response.
    ///
    /// # Errors
    /// If there is no response within ten seconds.
    pub async fn post(
        &self,
        content_type: &'static str,
        body: Bytes,
    ) -> Result<(u16, Bytes), CollectorError> {
        let unreachable = |error: &reqwest::Error| CollectorError::Unreachable(client_error::chain(error));
        let request = self.client.post(self.address.clone()).header("content-type", content_type).body(body);
        let answer = request.send().await.map_err(|error| unreachable(&error))?;
        let status = answer.status().as_u16();
        let body = read_prefix(answer).await.map_err(|error| unreachable(&error))?;
        Ok((status, body))
    }
}

async fn read_prefix(mut answer: Response) -> Result<Bytes, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        body.extend_from_slice(&chunk[..chunk.len().min(MAX_RESPONSE_BYTES - body.len())]);
        if body.len() == MAX_RESPONSE_BYTES {
            break;
        }
    }
    Ok(body.into())
}
