//! Delivers a message to a URL supplied by a person, with one POST under the guard. The status is the result.

use std::time::Duration;

use permits::Pace;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Instant, timeout};
use url::{Host, Url};

use crate::body_memory::BodyShare;
use crate::budget::{HostShare, host_key};
use crate::error::Error;
use crate::fetcher::Fetcher;
use crate::response::{self, Overflow};
use crate::settings::FetcherSettings;
use crate::url_check::{self, UrlError};

/// Total time of a delivery.
const DEADLINE: Duration = Duration::from_secs(10);
/// Timeout for the body of the response, which is informative only: the status is the result.
const BODY_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of response bytes to read.
const MAX_RESPONSE_BYTES: usize = 8 * 1024;
/// The only allowed port below [`FIRST_UNPRIVILEGED_PORT`].
const HTTPS_PORT: u16 = 443;
/// Lowest port that is not reserved for system services.
const FIRST_UNPRIVILEGED_PORT: u16 = 1024;

/// HTTP method of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeliveryMethod {
    #[default]
    Post,
    /// Used for services that recognize a repeated message by its address.
    Put,
}

/// Message to deliver.
#[derive(Clone)]
pub struct Delivery {
    pub method: DeliveryMethod,
    /// Destination, checked again before sending.
    pub url: String,
    /// Header lines in addition to `Content-Type: application/json`.
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

/// Omits URL, header lines, and body, because they may contain tokens.
impl std::fmt::Debug for Delivery {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.body.len();
        formatter.debug_struct("Delivery").field("bytes", &bytes).finish_non_exhaustive()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryResponse {
    /// HTTP status. Redirects are not followed and are reported like any other status.
    pub status: u16,
    /// First bytes of the body as text. Empty if the body could not be read.
    pub text: String,
    /// Delay after which the receiver asks for the next attempt.
    pub retry_after: Option<Duration>,
}

/// Checks a delivery URL without any lookup. The scheme must be https, or http for a loopback address that
/// the operator allowed; the port must be 443 or at least 1024.
///
/// # Errors
/// Returns the first violated rule.
pub fn check_delivery_url(text: &str, settings: &FetcherSettings) -> Result<Url, UrlError> {
    let url = url_check::check_url(text, settings)?;
    let is_local = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    };
    if url.scheme() != "https" && !is_local {
        return Err(UrlError::NotAllowed("it must begin with https://"));
    }
    check_port(&url)?;
    Ok(url)
}

/// Checks that a message may be delivered to the port of a URL.
pub(crate) fn check_port(url: &Url) -> Result<(), UrlError> {
    let port = url.port_or_known_default().unwrap_or_default();
    if port != HTTPS_PORT && port < FIRST_UNPRIVILEGED_PORT {
        return Err(UrlError::NotAllowed("its port must be 443, or 1024 or more"));
    }
    Ok(())
}

impl Fetcher {
    /// Delivers a message without a proxy and without following redirects. Takes at most ten seconds in
    /// total, and reads at most 8 KiB of the response.
    ///
    /// # Errors
    /// If there is no response; see [`Error`]. A response is never an error, whatever its status.
    pub async fn deliver(&self, delivery: Delivery) -> Result<DeliveryResponse, Error> {
        let late = Error::Timeout { reason: "the exchange exceeded its deadline", answered: false };
        timeout(DEADLINE, self.post_delivery(delivery)).await.unwrap_or(Err(late))
    }

    async fn post_delivery(&self, delivery: Delivery) -> Result<DeliveryResponse, Error> {
        let url = check_delivery_url(&delivery.url, self.settings()).map_err(Error::from_caller_url)?;
        let mut headers =
            HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        for (name, value) in &delivery.headers {
            let unsendable = |_| Error::InvalidResponse { reason: "a header contains invalid characters" };
            let mut value = HeaderValue::from_str(value).map_err(unsendable)?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let (client, budget, memory) = self.exchange_parts();
        let host_share = HostShare { pace: Pace::Interactive, caller: None };
        let _permit = budget.acquire(&url, host_share, DEADLINE, None).await?;
        let response = match delivery.method {
            DeliveryMethod::Post => client.post(&url, headers, delivery.body).await?,
            DeliveryMethod::Put => client.put(&url, headers, delivery.body).await?,
        };
        let (status, retry_after) = (response.status().as_u16(), response::retry_after(response.headers()));
        // A body that hangs, breaks, or cannot be decoded does not change the result.
        let (caller, deadline) = (&host_key(&url), Instant::now() + BODY_TIMEOUT);
        let share = BodyShare { memory, pace: Pace::Interactive, caller, deadline };
        let body =
            timeout(BODY_TIMEOUT, response::body(response, MAX_RESPONSE_BYTES, Overflow::Truncate, share));
        let text = match body.await {
            Ok(Ok((bytes, _))) => String::from_utf8_lossy(&bytes).into_owned(),
            Ok(Err(_)) | Err(_) => String::new(),
        };
        Ok(DeliveryResponse { status, text, retry_after })
    }
}
