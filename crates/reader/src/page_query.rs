//! Query parameters of the pages next to the reading page.

use poem::Request;

/// Value of a query parameter, if it is present.
pub(super) fn value(request: &Request, name: &str) -> Option<String> {
    let query = request.uri().query().unwrap_or_default();
    let pair = url::form_urlencoded::parse(query.as_bytes()).find(|(sent, _)| sent == name);
    pair.map(|(_, value)| value.into_owned())
}
