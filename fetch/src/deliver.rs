//! Handing a message over to an address that a person named: one POST under the guard, to be judged by its status.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use tokio::time::timeout;
use url::{Host, Url};

use crate::answer::{self, Overflow};
use crate::error::Error;
use crate::fetcher::Fetcher;
use crate::request::Pace;
use crate::settings::Settings;
use crate::target::{self, UrlError};

/// How long a delivery may take, everything together.
const DEADLINE: Duration = Duration::from_secs(10);
/// How long the body of an answer is waited for: its status says what there is to know.
const BODY_PATIENCE: Duration = Duration::from_secs(2);
/// So much of an answer is read.
const MAX_ANSWER_BYTES: usize = 8 * 1024;
/// The only port below the free ones.
const HTTPS_PORT: u16 = 443;
/// Ports from here on belong to no service of the system.
const FREE_PORTS: u16 = 1024;

/// What is handed over.
#[derive(Clone)]
pub struct Delivery {
    /// Where; it is checked again here.
    pub url: String,
    /// Header lines beside `Content-Type: application/json`.
    pub headers: Vec<(&'static str, String)>,
    /// The bytes.
    pub body: Vec<u8>,
}

/// Address and header lines may hold tokens: neither is printed, nor what is handed over.
impl std::fmt::Debug for Delivery {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.body.len();
        formatter.debug_struct("Delivery").field("bytes", &bytes).finish_non_exhaustive()
    }
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The status; a redirect is one like others, and is not followed.
    pub status: u16,
    /// The beginning of the body as text.
    pub text: String,
    /// When the receiver asks to be asked again.
    pub retry_after: Option<Duration>,
}

/// Checks an address that messages are to be handed over to, without any lookup: https, or http to an address of this
/// machine that the operator opened; port 443 or one from 1024 on.
///
/// # Errors
/// The first rule that it breaks.
pub fn check_delivery_url(text: &str, settings: &Settings) -> Result<Url, UrlError> {
    let url = target::check_url(text, settings)?;
    let is_local = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    };
    if url.scheme() != "https" && !is_local {
        return Err(UrlError::NotAllowed("it must begin with https://"));
    }
    let port = url.port_or_known_default().unwrap_or_default();
    if port != HTTPS_PORT && port < FREE_PORTS {
        return Err(UrlError::NotAllowed("its port must be 443, or 1024 or more"));
    }
    Ok(url)
}

impl Fetcher {
    /// Hands a message over: no redirect is followed, no proxy asked, ten seconds for everything, and 8 KiB of the
    /// answer are read.
    ///
    /// # Errors
    /// When there is no answer; see [`Error`]. Whatever status there is, it is no error.
    pub async fn deliver(&self, delivery: Delivery) -> Result<Delivered, Error> {
        let late = Error::Timeout { reason: "the whole exchange has a deadline", answered: false };
        timeout(DEADLINE, self.hand_over(delivery)).await.unwrap_or(Err(late))
    }

    async fn hand_over(&self, delivery: Delivery) -> Result<Delivered, Error> {
        let url = check_delivery_url(&delivery.url, self.settings()).map_err(Error::as_typed)?;
        let mut headers =
            HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        for (name, value) in &delivery.headers {
            let unsendable = |_| Error::InvalidResponse { reason: "a header cannot be sent" };
            let mut value = HeaderValue::from_str(value).map_err(unsendable)?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let (client, budget, memory) = self.exchange_parts();
        let _permit = budget.acquire(&url, Pace::Interactive, DEADLINE, None).await?;
        let response = client.post(&url, headers, delivery.body).await?;
        let (status, retry_after) = (response.status().as_u16(), answer::retry_after(response.headers()));
        // A body that hangs, breaks off or cannot be unpacked takes nothing from the status.
        let body = timeout(BODY_PATIENCE, answer::body(response, MAX_ANSWER_BYTES, Overflow::Cut, memory));
        let text = match body.await {
            Ok(Ok((bytes, _))) => String::from_utf8_lossy(&bytes).into_owned(),
            Ok(Err(_)) | Err(_) => String::new(),
        };
        Ok(Delivered { status, text, retry_after })
    }
}
