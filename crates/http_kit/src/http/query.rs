//! Query strings, read as forms are: `+` is a space.

use std::borrow::Cow;

use poem::{Request, http::Uri};

/// Reads the query string once, where poem-openapi's parameters look for it.
pub async fn with_query(mut request: Request) -> poem::Result<Request> {
    let pairs = url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
    let pairs = pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    request.extensions_mut().insert(poem_openapi::__private::UrlQuery(pairs));
    Ok(request)
}

/// The first value of a parameter of a query string, without its percent signs; none when it was not sent.
pub fn value<'a>(query: &'a str, name: &str) -> Option<Cow<'a, str>> {
    url::form_urlencoded::parse(query.as_bytes()).find(|(sent, _)| sent == name).map(|(_, value)| value)
}

/// The same of an address.
pub fn value_in<'a>(uri: &'a Uri, name: &str) -> Option<Cow<'a, str>> {
    value(uri.query().unwrap_or_default(), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_has_the_value_that_was_sent_first() {
        let query = "a=&url=https%3A%2F%2Fa.example%2F%3Fx%3D1+2&url=other&b";
        assert_eq!(value(query, "url").as_deref(), Some("https://a.example/?x=1 2"));
        assert_eq!((value(query, "a").as_deref(), value(query, "b").as_deref()), (Some(""), Some("")));
        assert_eq!((value(query, "c"), value("", "")), (None, None));
        let uri = Uri::from_static("/read?url=a");
        assert_eq!(value_in(&uri, "url").as_deref(), Some("a"));
        assert_eq!(value_in(&Uri::from_static("/read"), "url"), None);
    }
}
