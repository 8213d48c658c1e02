//! Text of callers inside paths and queries.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What stands in a path or a query as it is (RFC 3986, 2.3).
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as one segment of a path, or as a value in a query.
pub fn segment(text: &str) -> String {
    utf8_percent_encode(text, &PLAIN).to_string()
}
