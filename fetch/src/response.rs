//! Reads responses: the meaning of a status, headers as bounded text, and bodies up to a size cap.

use std::io;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use chrono::DateTime;
use reqwest::header::{CONTENT_TYPE, DATE, HeaderMap, HeaderName, LINK, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use tokio::io::AsyncReadExt;

use crate::body_memory::{BodyShare, LargeBodyPermit, SMALL_BYTES};
use crate::client_error::{self, ExchangePhase};
use crate::decode;
use crate::error::Error;
use crate::request::{Accept, PICTURE_CAP_BYTES};
use crate::settings::FetcherSettings;

/// Maximum length of a header value, in bytes. Longer values are ignored.
const MAX_VALUE_BYTES: usize = 4096;
/// Maximum number of `Link` lines.
const MAX_LINKS: usize = 20;
/// Maximum pause that a source can request.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(7 * 24);
/// Initial allocation for a body. It grows with the received data.
const INITIAL_BODY_BYTES: usize = 64 * 1024;
/// Minimum free buffer space for one read.
const MIN_READ_BYTES: usize = 16 * 1024;

/// Handling of a body that exceeds its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overflow {
    /// Fails with an error.
    Refuse,
    /// Truncates the body (robots.txt, RFC 9309 section 2.5).
    Truncate,
}

/// Maps a final status to an error. `None` for a 2xx.
///
/// `Forbidden` includes the status, because it covers 403, 451, and 999. Any other 4xx means that the source
/// cannot answer this plain GET. A retry does not help, so the error is not transient.
pub(crate) fn status_error(status: StatusCode, headers: &HeaderMap) -> Option<Error> {
    let retry_after = retry_after(headers);
    match status.as_u16() {
        206 => Some(Error::InvalidResponse { reason: "it is a partial response that was not requested" }),
        200..=299 => None,
        401 => Some(Error::LoginRequired),
        402 => Some(Error::Paywalled),
        status @ (403 | 451 | 999) => Some(Error::Forbidden { status }),
        404 => Some(Error::NotFound { gone: false }),
        410 => Some(Error::NotFound { gone: true }),
        429 => Some(Error::RateLimited { retry_after }),
        status => Some(Error::Status { status, retry_after }),
    }
}

/// First line of a header, if it is text and not too long.
pub(crate) fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let value = headers.get(name)?;
    let header_text = value.to_str().ok().filter(|header_text| header_text.len() <= MAX_VALUE_BYTES)?;
    Some(header_text.trim().to_owned()).filter(|header_text| !header_text.is_empty())
}

/// All lines of a header, joined as RFC 9110 section 5.3 allows.
pub(crate) fn joined_header(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let lines: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    let header_text = lines.join(", ");
    Some(header_text).filter(|header_text| !header_text.is_empty() && header_text.len() <= MAX_VALUE_BYTES)
}

/// All headers by name, with invalid UTF-8 replaced.
pub(crate) fn all_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let value = |name: &HeaderName| {
        let lines = headers.get_all(name).iter().map(|line| String::from_utf8_lossy(line.as_bytes()));
        (name.as_str().to_owned(), lines.collect::<Vec<_>>().join(", "))
    };
    headers.keys().map(value).collect()
}

pub(crate) fn links(headers: &HeaderMap) -> Vec<String> {
    let lines = headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok());
    lines.filter(|line| line.len() <= MAX_VALUE_BYTES).take(MAX_LINKS).map(str::to_owned).collect()
}

/// `Retry-After` in both forms of RFC 9110 section 10.2.3. A date is compared with the response's own `Date`,
/// so that neither clock needs to be correct. Without `Date` it is ignored.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = header_text(headers, RETRY_AFTER)?;
    let pause = if value.bytes().all(|byte| byte.is_ascii_digit()) {
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        let until = DateTime::parse_from_rfc2822(&value).ok()?;
        let now = DateTime::parse_from_rfc2822(&header_text(headers, DATE)?).ok()?;
        (until - now).to_std().unwrap_or(Duration::ZERO)
    };
    Some(pause.min(MAX_RETRY_AFTER))
}

/// Refuses media types without text if a page was requested.
pub(crate) fn check_kind(headers: &HeaderMap, accept: Accept) -> Result<(), Error> {
    let kind = media_type(headers);
    let is_textless = ["audio/", "video/", "image/", "font/"].iter().any(|prefix| kind.starts_with(prefix));
    match accept {
        Accept::Page if is_textless => Err(Error::UnsupportedContent { content_type: kind }),
        Accept::Page | Accept::Feed | Accept::Any | Accept::Picture => Ok(()),
    }
}

/// True if a response with this `Content-Type` may be a web page.
pub(crate) fn may_be_html(content_type: Option<&str>) -> bool {
    let kind = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    ["", "text/html", "application/xhtml+xml"].iter().any(|known| kind.eq_ignore_ascii_case(known))
}

/// Refuses types other than JSON: `application/json`, or a type with the suffix `+json` (RFC 6839).
pub(crate) fn check_json(headers: &HeaderMap) -> Result<(), Error> {
    let kind = media_type(headers);
    let is_json = kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"));
    if is_json { Ok(()) } else { Err(Error::UnsupportedContent { content_type: kind }) }
}

/// Size cap of a response in bytes. For pictures and feeds it depends on the request, otherwise on the media
/// type.
pub(crate) fn cap(headers: &HeaderMap, accept: Accept, settings: &FetcherSettings) -> usize {
    if accept == Accept::Picture {
        return PICTURE_CAP_BYTES.min(settings.other_cap_bytes);
    }
    if accept == Accept::Feed {
        return settings.feed_cap_bytes;
    }
    let kind = media_type(headers);
    let is_text = kind.is_empty()
        || kind.starts_with("text/")
        || ["html", "xml", "json", "markdown"].iter().any(|word| kind.contains(word));
    if is_text { settings.page_cap_bytes } else { settings.other_cap_bytes }
}

/// Reads the body and counts bytes after decompression. A large body needs a permit of `share`. If its length
/// is declared, at most the first bytes, which a decoder needs, are read before the permit is acquired.
///
/// Each body waits first for the memory of its window, and then for its permit. If the order differed between
/// bodies, they could wait for each other.
pub(crate) async fn body(
    response: Response,
    cap: usize,
    overflow: Overflow,
    share: BodyShare<'_>,
) -> Result<(Bytes, Option<LargeBodyPermit>), Error> {
    let coding = decode::coding(response.headers())?;
    let declared = response.content_length().and_then(|length| usize::try_from(length).ok());
    if overflow == Overflow::Refuse && declared.is_some_and(|length| length > cap) {
        return Err(Error::TooLarge { limit_bytes: cap });
    }
    let is_large = declared.is_some_and(|length| length.min(cap) > SMALL_BYTES);
    // One byte above the cap distinguishes a body of exactly that size from a longer one.
    let limit = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
    let opened = decode::open(response, coding, share).await.map_err(|error| read_error(&error))?;
    let (mut plain, _window) = (opened.reader.take(limit), opened.window);
    let mut permit = if is_large { Some(share.acquire().await?) } else { None };
    let mut body = BytesMut::with_capacity(declared.unwrap_or(INITIAL_BODY_BYTES).min(INITIAL_BODY_BYTES));
    loop {
        if body.len() > SMALL_BYTES && permit.is_none() {
            permit = Some(share.acquire().await?);
        }
        body.reserve(MIN_READ_BYTES);
        if plain.read_buf(&mut body).await.map_err(|error| read_error(&error))? == 0 {
            break;
        }
    }
    if body.len() > cap {
        if overflow == Overflow::Refuse {
            return Err(Error::TooLarge { limit_bytes: cap });
        }
        body.truncate(cap);
    }
    Ok((body.freeze(), permit))
}

/// Error for a failed read. Errors of the HTTP client and errors of this crate are wrapped in the
/// `io::Error`. Any other error is from the decoder.
fn read_error(error: &io::Error) -> Error {
    let inner = error.get_ref();
    if let Some(error) = inner.and_then(|inner| inner.downcast_ref::<reqwest::Error>()) {
        return client_error::client_error(error, ExchangePhase::Body);
    }
    match inner.and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(error) => error.clone(),
        None => Error::InvalidResponse { reason: "its compression is broken" },
    }
}

/// Media type in lower case without parameters. Empty if there is none.
fn media_type(headers: &HeaderMap) -> String {
    let value = header_text(headers, CONTENT_TYPE).unwrap_or_default();
    let kind = value.split(';').next().unwrap_or_default();
    kind.trim().chars().take(100).collect::<String>().to_ascii_lowercase()
}
