//! Encoding of caller-supplied text in paths and queries.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters that are not escaped (RFC 3986, section 2.3).
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Encodes a text as a path segment or a query value.
pub(crate) fn segment(text: &str) -> String {
    utf8_percent_encode(text, &PLAIN).to_string()
}
