//! Query strings, decoded like forms: `+` is a space.

use std::borrow::Cow;

use percent_encoding::percent_decode;
use poem::{Request, http::Uri};

/// Parses the query string into the extension from which poem-openapi reads parameters.
#[expect(clippy::unused_async, reason = "poem takes an async function here")]
pub async fn with_query(mut request: Request) -> poem::Result<Request> {
    let pairs = url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
    let pairs = pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    request.extensions_mut().insert(poem_openapi::__private::UrlQuery(pairs));
    Ok(request)
}

/// Returns the name of the first parameter of a query or form whose name or value is not UTF-8. `None` if all are
/// UTF-8. The parser replaces other bytes with U+FFFD.
pub fn undecodable_name(query: &[u8]) -> Option<String> {
    let mut pairs = query.split(|byte| *byte == b'&');
    let pair = pairs.find(|pair| percent_decode(pair).decode_utf8().is_err())?;
    url::form_urlencoded::parse(pair).next().map(|(name, _)| name.into_owned())
}

/// Parses at most `most` pairs of a query or form.
///
/// # Errors
/// Returns the name of the first pair that is not UTF-8, because its decoded value would be another text.
pub fn decoded_pairs(query: &[u8], most: usize) -> Result<Vec<(String, String)>, String> {
    if let Some(name) = undecodable_name(query) {
        return Err(name);
    }
    let pairs = url::form_urlencoded::parse(query).take(most);
    Ok(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
}

/// Returns the first value of a query parameter, percent-decoded. `None` if it was not sent.
pub fn value<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    url::form_urlencoded::parse(query.as_bytes()).find(|(sent, _)| sent == name).map(|(_, value)| value)
}

/// Returns the first value of a query parameter of `uri`. `None` if it was not sent.
pub fn value_in<'a>(uri: &'a Uri, name: &str) -> Option<Cow<'a, str>> {
    value(uri.query().unwrap_or_default(), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_a_parameter_that_is_not_utf_8_is_returned() {
        for (query, expected) in [
            ("", None),
            ("a=%C3%A9&&b=1+2&c=%", None),
            ("a=%C3%A9&url=caf%e9&c=%ff", Some("url")),
            ("a=1&%E9=2", Some("\u{fffd}")),
            ("a=%C3&b=%A9", Some("a")),
        ] {
            assert_eq!(undecodable_name(query.as_bytes()).as_deref(), expected, "{query}");
        }
    }

    #[test]
    fn first_value_of_a_repeated_parameter_is_used() {
        let query = "a=&url=https%3A%2F%2Fa.example%2F%3Fx%3D1+2&url=other&b";
        assert_eq!(value(query, "url").as_deref(), Some("https://a.example/?x=1 2"));
        assert_eq!((value(query, "a").as_deref(), value(query, "b").as_deref()), (Some(""), Some("")));
        assert_eq!((value(query, "c"), value("", "")), (None, None));
        let uri = Uri::from_static("/read?url=a");
        assert_eq!(value_in(&uri, "url").as_deref(), Some("a"));
        assert_eq!(value_in(&Uri::from_static("/read"), "url"), None);
    }
}
