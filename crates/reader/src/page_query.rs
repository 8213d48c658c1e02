//! What the small pages beside the reading page take from their address.

use poem::Request;

/// The value of a parameter of the address, when it is there.
pub(super) fn value(request: &Request, name: &str) -> Option<String> {
    let query = request.uri().query().unwrap_or_default();
    let found = url::form_urlencoded::parse(query.as_bytes()).find(|(sent, _)| sent == name);
    found.map(|(_, value)| value.into_owned())
}
