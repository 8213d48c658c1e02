//! Query strings, decoded like forms: `+` is a space.

use std::borrow::Cow;

use poem::{Request, http::Uri};

/// Parses the query string into the extension from which poem-openapi reads parameters.
#[expect(clippy::unused_async, reason = "poem takes an async function here")]
pub async fn with_query(mut request: Request) -> poem::Result<Request> {
    let pairs = url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
    let pairs = pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    request.extensions_mut().insert(poem_openapi::__private::UrlQuery(pairs));
    Ok(request)
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
