//! Query strings, read as forms are: `+` is a space.

use poem::Request;

/// Reads the query string once, where poem-openapi's parameters look for it.
pub async fn with_query(mut request: Request) -> poem::Result<Request> {
    let pairs = url::form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
    let pairs = pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    request.extensions_mut().insert(poem_openapi::__private::UrlQuery(pairs));
    Ok(request)
}
