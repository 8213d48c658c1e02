//! Addresses of this service in the texts of the handbook.

use http_kit::config::Origins;
use http_kit::surface::Surface;

/// Address of the service in the texts of the handbook.
pub(super) const SAMPLE_ORIGIN: &str = "http://127.0.0.1:8080";

/// Replaces the address in the examples of a text with the address of this service.
pub(super) fn with_own_origin(text: &str, origins: &Origins) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(SAMPLE_ORIGIN) {
        let is_end = |character: char| character.is_whitespace() || "'\"`<>)|$".contains(character);
        let path = after.split(is_end).next().unwrap_or_default();
        replaced.push_str(before);
        replaced.push_str(origin_of(path, origins));
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

/// Returns the origin at which this service answers requests for `path`, which may have a query. An empty path
/// means the service as a whole.
fn origin_of<'a>(path: &str, origins: &'a Origins) -> &'a str {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    if path.is_empty() {
        return origins.base.as_str();
    }
    let origin = match Surface::of(path) {
        Surface::Account => &origins.auth,
        Surface::Pages | Surface::Reader | Surface::Prefix | Surface::Pictures => &origins.reader,
        Surface::Ops
        | Surface::Developer
        | Surface::Mcp
        | Surface::Hubs
        | Surface::OAuth
        | Surface::Apps
        | Surface::PublicFeeds => &origins.base,
    };
    origin.as_str()
}
