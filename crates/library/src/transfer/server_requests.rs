//! URLs of requests to the APIs of other services.

use extract::imports::{ImportService, ServerPart};
use kernel::{Error, Result, rfc3339};
use url::Url;

use super::server_position::Position;

/// Path of the Google Reader API of `FreshRSS`.
const READER_API: &str = "api/greader.php/reader/api/0";
/// API paths that people may enter as a part of the server's address.
const API_SUFFIXES: [&str; 3] = ["/api/greader.php", "/api/v1", "/api"];

/// Returns the address of a service that has only one server. `None` for services with many servers.
pub fn server_address(service: ImportService) -> Option<&'static str> {
    match service {
        ImportService::Readwise | ImportService::ReadwiseReader => Some("https://readwise.io"),
        ImportService::Raindrop => Some("https://api.raindrop.io"),
        ImportService::Pinboard => Some("https://api.pinboard.in"),
        ImportService::Karakeep
        | ImportService::Wallabag
        | ImportService::Linkding
        | ImportService::Readeck
        | ImportService::Miniflux
        | ImportService::FreshRss => None,
    }
}

/// Returns the address of a server without a trailing slash and without the path of the API.
pub(super) fn base_of(url: &Url) -> String {
    let address = url.as_str().trim_end_matches('/');
    let base = API_SUFFIXES.iter().find_map(|suffix| address.strip_suffix(suffix)).unwrap_or(address);
    base.trim_end_matches('/').to_owned()
}

/// Returns the URL of a page of a server.
///
/// # Errors
/// `Internal` if the stored address is not a URL.
pub(super) fn page_url(
    service: ImportService,
    address: &str,
    part: ServerPart,
    position: &Position,
) -> Result<Url> {
    let (path, query) = page_path(service, part, position);
    let mut url = endpoint(address, &path)?;
    if let (ServerPart::Lists, Some(list)) = (part, &position.list) {
        let mut segments = url.path_segments_mut().map_err(|()| Error::internal("address without a path"))?;
        segments.push(list).push("bookmarks");
    }
    let query: Vec<(&str, String)> =
        query.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
    if !query.is_empty() {
        url.query_pairs_mut().extend_pairs(query);
    }
    Ok(url)
}

/// Returns the URLs of documents with the names of lists, which are needed to parse the rows.
///
/// # Errors
/// `Internal` if the stored address is not a URL.
pub(super) fn list_urls(service: ImportService, address: &str) -> Result<Vec<Url>> {
    let paths: &[&str] = match service {
        ImportService::Karakeep => &["api/v1/lists"],
        ImportService::Raindrop => &["rest/v1/collections", "rest/v1/collections/childrens"],
        _ => &[],
    };
    paths.iter().map(|path| endpoint(address, path)).collect()
}

/// Returns the URL to which a login is sent to obtain a token. `None` if the service has permanent tokens.
///
/// # Errors
/// `Internal` if the stored address is not a URL.
pub(super) fn login_url(service: ImportService, address: &str) -> Result<Option<Url>> {
    let path = match service {
        ImportService::Wallabag => "oauth/v2/token",
        ImportService::FreshRss => "api/greader.php/accounts/ClientLogin",
        _ => return Ok(None),
    };
    endpoint(address, path).map(Some)
}

fn endpoint(address: &str, path: &str) -> Result<Url> {
    Url::parse(&format!("{address}/{path}")).map_err(Error::internal)
}

type QueryParameters = Vec<(&'static str, Option<String>)>;

/// Returns the path and the query of a page. Parameters without a value are omitted from the URL.
fn page_path(service: ImportService, part: ServerPart, position: &Position) -> (String, QueryParameters) {
    let some = |text: &str| Some(text.to_owned());
    let cursor = position.cursor.clone();
    let rows = Some(service.page_rows().to_string());
    let since = position.since.map(rfc3339);
    let since_seconds = position.since.map(|at| (at / 1000).to_string());
    let (path, query) = match (service, part) {
        (ImportService::Karakeep, part) => return karakeep_path(part, position),
        (ImportService::Wallabag, _) => (
            "api/entries.json",
            vec![
                ("page", cursor.or_else(|| some("1"))),
                ("perPage", rows),
                ("sort", some("created")),
                ("order", some("asc")),
                ("detail", some("full")),
                ("since", since_seconds),
            ],
        ),
        (ImportService::Linkding, part) => {
            let is_archive = part == ServerPart::Archived;
            let path = if is_archive { "api/bookmarks/archived/" } else { "api/bookmarks/" };
            (path, vec![("limit", rows), ("offset", cursor), ("modified_since", since)])
        }
        (ImportService::Readeck, ServerPart::Highlights) => {
            ("api/bookmarks/annotations", vec![("limit", rows), ("offset", cursor)])
        }
        (ImportService::Readeck, _) => (
            "api/bookmarks",
            vec![("limit", rows), ("offset", cursor), ("sort", some("created")), ("updated_since", since)],
        ),
        (ImportService::Miniflux, ServerPart::Subscriptions) => ("v1/export", Vec::new()),
        (ImportService::Miniflux, _) => (
            "v1/entries",
            vec![
                ("starred", some("true")),
                ("order", some("id")),
                ("direction", some("asc")),
                ("limit", rows),
                ("after_entry_id", cursor),
                ("changed_after", since_seconds),
            ],
        ),
        (ImportService::FreshRss, part) => return reader_path(part, rows, cursor),
        (ImportService::Readwise, _) => {
            ("api/v2/export/", vec![("pageCursor", cursor), ("updatedAfter", since)])
        }
        (ImportService::ReadwiseReader, _) => {
            ("api/v3/list/", vec![("pageCursor", cursor), ("updatedAfter", since)])
        }
        (ImportService::Raindrop, _) => {
            ("rest/v1/raindrops/0", vec![("perpage", rows), ("page", cursor), ("sort", some("created"))])
        }
        (ImportService::Pinboard, _) => {
            ("v1/posts/all", vec![("format", some("json")), ("results", rows), ("start", cursor)])
        }
    };
    (path.to_owned(), query)
}

fn karakeep_path(part: ServerPart, position: &Position) -> (String, QueryParameters) {
    let limit = |rows: u64| ("limit", Some(rows.to_string()));
    let cursor = ("cursor", position.cursor.clone());
    let content = |is_read: bool| ("includeContent", Some(is_read.to_string()));
    let (path, query) = match part {
        ServerPart::Highlights => ("api/v1/highlights", vec![limit(100), cursor]),
        ServerPart::Lists => ("api/v1/lists", vec![limit(100), content(false), cursor]),
        // Only the first run reads texts. In subsequent runs, the texts of new items are fetched from their
        // URLs.
        _ => {
            let rows = ImportService::Karakeep.page_rows();
            ("api/v1/bookmarks", vec![limit(rows), content(position.since.is_none()), cursor])
        }
    };
    (path.to_owned(), query)
}

fn reader_path(part: ServerPart, rows: Option<String>, cursor: Option<String>) -> (String, QueryParameters) {
    if part == ServerPart::Subscriptions {
        return (format!("{READER_API}/subscription/export"), Vec::new());
    }
    let query = vec![("output", Some("json".to_owned())), ("n", rows), ("c", cursor)];
    (format!("{READER_API}/stream/contents/user/-/state/com.google/starred"), query)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_address_is_derived_from_an_address_with_an_api_path() {
        for (typed, expected) in [
            ("https://keep.example/", "https://keep.example"),
            ("https://keep.example/api/v1/", "https://keep.example"),
            ("https://rss.example/fresh/api/greader.php", "https://rss.example/fresh"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ] {
            assert_eq!(base_of(&Url::parse(typed).unwrap()), expected);
        }
    }

    #[test]
    fn page_url_contains_the_position_and_the_time_of_the_last_run() {
        let url = |service, part, position: &Position| {
            page_url(service, "https://s.example/x", part, position).unwrap().to_string()
        };
        let first = Position::default();
        let next_run = Position {
            cursor: Some("a&b".to_owned()),
            since: Some(1_704_067_200_000),
            ..Position::default()
        };
        assert_eq!(
            url(ImportService::Karakeep, ServerPart::Items, &first),
            "https://s.example/x/api/v1/bookmarks?limit=30&includeContent=true"
        );
        assert_eq!(
            url(ImportService::Karakeep, ServerPart::Items, &next_run),
            "https://s.example/x/api/v1/bookmarks?limit=30&includeContent=false&cursor=a%26b"
        );
        let list = Position { list: Some("../l".to_owned()), ..Position::default() };
        assert_eq!(
            url(ImportService::Karakeep, ServerPart::Lists, &list),
            "https://s.example/x/api/v1/lists/..%2Fl/bookmarks?limit=100&includeContent=false"
        );
        assert!(url(ImportService::Wallabag, ServerPart::Items, &next_run).ends_with("&since=1704067200"));
        assert!(
            url(ImportService::Readwise, ServerPart::Items, &next_run)
                .ends_with("pageCursor=a%26b&updatedAfter=2024-01-01T00%3A00%3A00.000Z")
        );
        assert_eq!(
            url(ImportService::Miniflux, ServerPart::Subscriptions, &first),
            "https://s.example/x/v1/export"
        );
    }
}
