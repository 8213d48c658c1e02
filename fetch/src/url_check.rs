//! Syntactic guard: rejects URLs before any name lookup.
//!
//! The text is checked first, because the WHATWG parser silently repairs tabs, backslashes, and missing
//! slashes. Then the *parsed* host is classified, never its spelling, so that the check and the connection
//! use the same parser. The addresses of a name are checked on connection (`resolve`).

use std::net::IpAddr;

use percent_encoding::percent_decode_str;
use url::{Host, Url};

use crate::address;
use crate::settings::FetcherSettings;

/// Maximum length of a URL, in code points.
const MAX_URL_CHARS: usize = 4096;
/// Maximum length of a URL after parsing, in bytes: a character has up to four bytes, each encoded as three
/// letters.
pub const MAX_URL_BYTES: usize = 12 * MAX_URL_CHARS;

/// Prefixes of credentials of this service: keys, codes, and tokens. They are never sent to third-party
/// servers.
pub const CREDENTIAL_PREFIXES: [&str; 5] = ["svc_", "sva_", "svo_", "svr_", "svf_"];

/// Last labels that never name a public site: search domains, mDNS, container, and router names.
const LOCAL_SUFFIXES: [&str; 12] = [
    "localhost", "localdomain", "local", "internal", "intranet", "private", "lan", "corp", "home",
    "home.arpa", "onion", "invalid",
];

/// Bad ports of the Fetch standard, and ports of data stores and machine control.
const BAD_PORTS: [u16; 112] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513,
    514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1433,
    1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 4369, 5060, 5061,
    5432, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6380, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
    9042, 9160, 9200, 9300, 10080, 10250, 10255, 11211, 27017, 27018, 27019,
];

/// Reason why a URL is refused without a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The text is not a valid absolute http(s) URL: `invalid_url`.
    #[error("this is not a valid URL: {0}")]
    Invalid(&'static str),
    /// A private or loopback address, an address of this service, a name that is not public, or a blocked
    /// port: `url_not_allowed`.
    #[error("this address may not be fetched: {0}")]
    NotAllowed(&'static str),
    /// The URL contains an API key or token of this service: `credential_in_url` on the reader, `invalid_url`
    /// on the API.
    #[error("the URL contains an API key or token, which must never be part of a source URL")]
    Credential,
}

/// Checks a URL as sent by a user, without any lookup. Returns the URL to fetch, including its fragment.
///
/// # Errors
/// Returns the first violated rule.
pub fn check_url(text: &str, settings: &FetcherSettings) -> Result<Url, UrlError> {
    if text.chars().nth(MAX_URL_CHARS).is_some() {
        return Err(UrlError::Invalid("it is longer than 4096 characters"));
    }
    check_encoded_url(text, settings)
}

/// True if a secret can be sent to this URL: over TLS, or to a loopback address.
pub fn is_confidential(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let is_loopback = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(_)) | None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback)
}

/// Checks a URL that a parser may have re-encoded: 4096 characters have up to 48 KiB when they are
/// percent-encoded.
///
/// # Errors
/// See [`check_url`].
pub(crate) fn check_encoded_url(text: &str, settings: &FetcherSettings) -> Result<Url, UrlError> {
    if text.len() > MAX_URL_BYTES {
        return Err(UrlError::Invalid("it is longer than 4096 characters"));
    }
    if contains_credential(text) {
        return Err(UrlError::Credential);
    }
    if text.bytes().any(|byte| byte <= 0x20 || byte == 0x7f) {
        return Err(UrlError::Invalid("it contains spaces or control characters"));
    }
    if text.contains('\\') {
        return Err(UrlError::Invalid("it contains a backslash"));
    }
    let Some(rest) = strip_scheme(text) else {
        return Err(UrlError::Invalid("it must start with http:// or https://"));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() {
        return Err(UrlError::Invalid("it has no host"));
    }
    if authority.contains('@') {
        return Err(UrlError::Invalid("it contains user info (user:password@)"));
    }
    let url = Url::parse(text).map_err(|_| UrlError::Invalid("its host or port is invalid"))?;
    check_target(&url, settings)?;
    Ok(url)
}

/// Checks a parsed URL from a user or a redirect.
pub(crate) fn check_target(url: &Url, settings: &FetcherSettings) -> Result<(), UrlError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(UrlError::Invalid("only http and https are supported"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(UrlError::Invalid("it contains user info (user:password@)"));
    }
    let Some(port) = url.port_or_known_default() else {
        return Err(UrlError::Invalid("it has no port"));
    };
    match url.host() {
        Some(Host::Ipv4(address)) => check_address(IpAddr::V4(address), port, settings)?,
        Some(Host::Ipv6(address)) => check_address(IpAddr::V6(address), port, settings)?,
        Some(Host::Domain(name)) => check_name(name, port, settings)?,
        None => return Err(UrlError::Invalid("it has no host")),
    }
    let is_port_allowed = settings.allow.iter().any(|rule| rule.port == Some(port));
    if BAD_PORTS.contains(&port) && !is_port_allowed {
        return Err(UrlError::NotAllowed("its port is not used for web pages"));
    }
    Ok(())
}

/// True if a host name can exist only in the network of the operator. Such a name is allowed only if the
/// operator allowed all of its addresses.
pub fn is_local_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    if !name.contains('.') {
        return true;
    }
    LOCAL_SUFFIXES.iter().any(|suffix| has_suffix(name, suffix))
}

fn check_address(address: IpAddr, port: u16, settings: &FetcherSettings) -> Result<(), UrlError> {
    match address::refusal_reason(address, Some(port), settings) {
        Some(reason) => Err(UrlError::NotAllowed(reason)),
        None => Ok(()),
    }
}

fn check_name(name: &str, port: u16, settings: &FetcherSettings) -> Result<(), UrlError> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_valid_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    if name.len() > 253 || !name.split('.').all(is_valid_label) {
        return Err(UrlError::Invalid("its host name is invalid"));
    }
    if settings.own_hosts.iter().any(|own| is_own_name(own, name, port)) {
        return Err(UrlError::NotAllowed("it is this service itself"));
    }
    if has_suffix(name, "onion") || (is_local_name(name) && settings.allow.is_empty()) {
        return Err(UrlError::NotAllowed("its host name is not on the public internet"));
    }
    Ok(())
}

fn is_own_name(own: &str, name: &str, port: u16) -> bool {
    let (own_name, own_port) = address::split_host_port(own);
    let own_name = own_name.strip_suffix('.').unwrap_or(own_name);
    own_name.eq_ignore_ascii_case(name) && own_port.is_none_or(|own_port| own_port == port)
}

/// True if `name` is `suffix` or a domain below it, ignoring case.
fn has_suffix(name: &str, suffix: &str) -> bool {
    let Some(at) = name.len().checked_sub(suffix.len()) else { return false };
    name.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(suffix))
        && (at == 0 || name.as_bytes()[at - 1] == b'.')
}

fn strip_scheme(text: &str) -> Option<&str> {
    ["http://", "https://"].iter().find_map(|scheme| {
        let head = text.get(..scheme.len())?;
        head.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
    })
}

/// True if the text contains something that looks like one of our credentials (a prefix and base62), plain or
/// percent-encoded. Short runs count only if they contain a digit, so that words such as `svc_documentation`
/// in a path are allowed.
fn contains_credential(text: &str) -> bool {
    let decoded = percent_decode_str(text).decode_utf8_lossy();
    let secret_starts = |text: &str| -> Vec<usize> {
        let matches = CREDENTIAL_PREFIXES.iter().flat_map(|prefix| text.match_indices(prefix));
        matches.map(|(at, mark)| at + mark.len()).collect()
    };
    [text, decoded.as_ref()].iter().any(|text| {
        secret_starts(text).into_iter().any(|at| {
            let run = text[at..].bytes().take_while(u8::is_ascii_alphanumeric).take(46);
            let (length, digits) = run.fold((0_usize, false), |(length, digits), byte| {
                (length + 1, digits || byte.is_ascii_digit())
            });
            length >= 40 || (length >= 16 && digits)
        })
    })
}
