//! Rules for headers that accounts add to requests to other servers.

use crate::bounds::{MONITOR_HEADER_NAME_CHARS, MONITOR_HEADER_VALUE_CHARS};

/// Headers that accounts may not set, because they concern the connection, the body, or conditional requests.
const RESERVED: &[&str] = &[
    "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect", "host",
    "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
    "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
    "user-agent",
];

/// Reason why an account cannot set a header.
pub const SET_BY_SERVICE: &str = "is set by the service";

/// Invalid part of a header, `name` or `value`, and the reason. `None` if the header is valid.
pub fn header_fault(name: &str, value: &str) -> Option<(&'static str, &'static str)> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_name = (1..=MONITOR_HEADER_NAME_CHARS).contains(&name.len());
    if !is_name || !name.bytes().all(is_token) {
        return Some(("name", "must be the name of a header, such as X-Region"));
    }
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        return Some(("name", SET_BY_SERVICE));
    }
    let is_value = is_header_value(value, MONITOR_HEADER_VALUE_CHARS);
    (!is_value).then_some(("value", "must be one line of ASCII characters"))
}

/// True if a text can be a header value of at most `most` bytes.
pub fn is_header_value(text: &str, most: usize) -> bool {
    text.len() <= most && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// True if a text can be the value of the `User-Agent` header, of at most `most` bytes.
pub fn is_user_agent(text: &str, most: usize) -> bool {
    is_header_value(text, most) && !text.trim().is_empty()
}
