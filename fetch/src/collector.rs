//! The client for the one collector of traces that the operator named. Like [`crate::own`] it is fixed to one address,
//! follows nothing, and the guard does not ask whether that address is public: collectors stand in private networks.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response};
use url::Url;

use crate::error::SetupError;
use crate::{convert, named};

/// How long a connection may take to stand.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long one sending may take in all.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most of an answer that is read: what went wrong fits into it.
const LONGEST_ANSWER: usize = 64 << 10;

/// Why a collector cannot be used, or took nothing.
#[derive(Debug, thiserror::Error)]
pub enum CollectorError {
    /// A header that cannot be sent.
    #[error("the header {0} cannot be sent")]
    Header(String),
    /// The client could not be made.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There was no answer, or it broke off.
    #[error("the collector cannot be reached: {0}")]
    Unreachable(String),
}

/// One collector.
#[derive(Clone, Debug)]
pub struct Collector {
    client: Client,
    address: Url,
}

impl Collector {
    /// The collector that takes bodies at `address`, with headers that go with each (credentials among them: they are
    /// never printed).
    ///
    /// # Errors
    /// When a header cannot be sent or the client cannot be made.
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
        Ok(Self { client: named::client(map, CONNECT_TIMEOUT, |client| client.timeout(TIMEOUT))?, address })
    }

    /// Sends `body`; gives the status of the answer and at most the first 64 KiB of it.
    ///
    /// # Errors
    /// When there is no answer within ten seconds.
    pub async fn post(
        &self,
        content_type: &'static str,
        body: Bytes,
    ) -> Result<(u16, Bytes), CollectorError> {
        let unreachable = |error: &reqwest::Error| CollectorError::Unreachable(convert::chain(error));
        let request = self.client.post(self.address.clone()).header("content-type", content_type).body(body);
        let answer = request.send().await.map_err(|error| unreachable(&error))?;
        let status = answer.status().as_u16();
        let body = beginning(answer).await.map_err(|error| unreachable(&error))?;
        Ok((status, body))
    }
}

async fn beginning(mut answer: Response) -> Result<Bytes, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await? {
        body.extend_from_slice(&chunk[..chunk.len().min(LONGEST_ANSWER - body.len())]);
        if body.len() == LONGEST_ANSWER {
            break;
        }
    }
    Ok(body.into())
}
