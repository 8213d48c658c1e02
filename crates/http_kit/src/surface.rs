//! Surfaces of the service, selected by the first path segment. Fixed paths take precedence over the prefix
//! form of the reader. The paths below the first segment are defined in the surfaces: operations in
//! `#[oai(path)]` attributes, the MCP endpoint in `mcp`, pages in `web`, feeds in `public_feeds`, hub
//! callbacks in `websub`, tokens in `oauth`, and app protocols in `apps`.

/// Surface of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Operator endpoints, on every host.
    Ops,
    /// Pages and documents of the reader.
    Pages,
    /// API of the reader.
    Reader,
    Developer,
    /// MCP endpoint for agents.
    Mcp,
    /// Sign-in, settings, and the pages of an account.
    Account,
    /// Callbacks of `WebSub` hubs.
    Hubs,
    /// Authorization server, except its consent page.
    OAuth,
    /// Protocols of feed apps and e-readers.
    Apps,
    /// Feeds and changes of monitors, for anyone who knows their address.
    PublicFeeds,
    /// Pictures of the pages that people read.
    Pictures,
    /// Prefix form of the reader: any other path, interpreted as the URL of a source.
    Prefix,
}

impl Surface {
    /// Returns the surface of a path.
    pub fn of(path: &str) -> Self {
        let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        match first {
            "healthz" | "readyz" | "metrics" => Self::Ops,
            "v1" => Self::Developer,
            "mcp" => Self::Mcp,
            "websub" => Self::Hubs,
            "pictures" => Self::Pictures,
            "feeds" | "changes" => Self::PublicFeeds,
            "accounts" | "reader" | "fever" | "opds" | "kosync" | "readeck" | "kobo" => Self::Apps,
            // The Nextcloud News API.
            "index.php" if is_news_operation(path) => Self::Apps,
            // The token endpoint of wallabag.
            "oauth" if path.trim_start_matches('/').starts_with("oauth/v2/") => Self::Apps,
            // The consent page.
            "oauth" if path.starts_with("/oauth/authorize") => Self::Account,
            "oauth" | "auth.md" => Self::OAuth,
            ".well-known" if path != "/.well-known/api-catalog" => Self::OAuth,
            "admin" | "sign-up" | "sign-in" | "sign-out" | "forgot" | "reset" | "settings" | "monitors"
            | "notices" | "today" | "offline" | "entries" | "subscriptions" | "collections" | "library"
            | "highlights" | "search" | "save" | "welcome" => Self::Account,
            "api" if is_app_operation(path) => Self::Apps,
            "api" if path != "/api/v1/openapi.json" => Self::Reader,
            // Operations that the reading page links to, such as `/read/epub`; `/read` itself is a page.
            "read" if path != "/read" => Self::Reader,
            ""
            | "about"
            | "api"
            | "appearance"
            | "assets"
            | "docs"
            | "favicon.ico"
            | "llms.txt"
            | "manifest.webmanifest"
            | "openapi.json"
            | "opensearch.xml"
            | "problems"
            | "read"
            | "robots.txt"
            | ".well-known" => Self::Pages,
            _ => Self::Prefix,
        }
    }

    /// Returns the label in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ops => "ops",
            Self::Pages => "pages",
            Self::Reader => "reader",
            Self::Developer => "developer",
            Self::Mcp => "mcp",
            Self::Account => "people",
            Self::Hubs => "hubs",
            Self::OAuth => "oauth",
            Self::Apps => "apps",
            Self::PublicFeeds => "published",
            Self::Pictures => "pictures",
            Self::Prefix => "prefix",
        }
    }

    /// Returns the path in a form that may be logged. The prefix form reveals what a person reads and may
    /// contain secrets of the source, and any path may contain a key by mistake.
    pub fn loggable_path(self, path: &str) -> String {
        if kernel::looks_like_a_secret(path) {
            return "/<key>".to_owned();
        }
        match self {
            Self::Prefix => "/<url>".to_owned(),
            // The remaining path is a secret that gives access to a feed or a change, or the address of a
            // picture.
            Self::PublicFeeds | Self::Pictures => {
                format!("/{}/<secret>", path.split('/').nth(1).unwrap_or_default())
            }
            Self::Ops
            | Self::Pages
            | Self::Reader
            | Self::Developer
            | Self::Mcp
            | Self::Account
            | Self::Hubs
            | Self::OAuth => path.chars().take(200).collect(),
            Self::Apps => redact_name(path).chars().take(200).collect(),
        }
    }
}

/// Returns true for paths of app protocols below `/api`: the Google Reader API as in `FreshRSS`, wallabag,
/// and Instapaper. Paths of wallabag may end with the suffix of a format, such as `.json`.
fn is_app_operation(path: &str) -> bool {
    let operation = path.trim_start_matches('/').split('/').nth(1).unwrap_or_default();
    let wallabag = ["annotations", "entries", "info", "tags", "user", "version"];
    let instapaper = ["add", "authenticate"];
    operation == "greader.php"
        || instapaper.contains(&operation)
        || wallabag.contains(&operation.strip_suffix(".json").unwrap_or(operation))
}

/// Returns true for paths of the Nextcloud News API.
fn is_news_operation(path: &str) -> bool {
    let rest = path.trim_start_matches('/').strip_prefix("index.php/apps/news/api");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Replaces the name of a stream or tag, or the token of an account, in a path of an app protocol: the
/// address of a feed may contain a secret of its source.
fn redact_name(path: &str) -> String {
    let named = ["/stream/contents/", "/reader/atom/", "/opds/tags/", "/opds/2/tags/", "/kobo/"].into_iter();
    let prefix = named.filter_map(|prefix| path.find(prefix).map(|at| at + prefix.len())).min();
    prefix.map_or_else(|| path.to_owned(), |end| format!("{}<name>", &path[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn app_protocol_paths_do_not_shadow_reader_operations() {
        for path in [
            "/api/entries",
            "/api/entries.json",
            "/api/entries/12.json",
            "/api/entries/12/export.epub",
            "/api/version",
            "/api/info.json",
            "/api/tags",
            "/api/annotations/3",
            "/api/add",
            "/api/authenticate",
            "/api/greader.php/reader/api/0/token",
            "/oauth/v2/token",
            "/kosync/users/auth",
            "/readeck/api/bookmarks",
            "/kobo/token/v1/initialization",
            "/index.php/apps/news/api",
            "/index.php/apps/news/api/v1-3/items",
        ] {
            assert_eq!(Surface::of(path), Surface::Apps, "{path}");
        }
        for path in ["/api/v1/read", "/api/v1/entries", "/api/add.json", "/api/nothing"] {
            assert_eq!(Surface::of(path), Surface::Reader, "{path}");
        }
        assert_eq!(Surface::of("/index.php/apps/files"), Surface::Prefix);
        assert_eq!(Surface::of("/oauth/token"), Surface::OAuth);
        assert_eq!(Surface::of("/oauth/authorize"), Surface::Account);
    }

    #[test]
    fn stream_and_tag_names_of_apps_are_not_logged() {
        let logged = |path: &str| Surface::of(path).loggable_path(path);
        let stream = "/reader/api/0/stream/contents/feed/https%3A%2F%2Fexample.org%2Ffeed%3Ftoken%3Dhidden";
        assert_eq!(logged(stream), "/reader/api/0/stream/contents/<name>");
        assert_eq!(logged("/opds/tags/hidden"), "/opds/tags/<name>");
        assert_eq!(logged("/opds/2/tags/hidden"), "/opds/2/tags/<name>");
        assert_eq!(logged("/reader/atom/feed%2Fhidden"), "/reader/atom/<name>");
        assert_eq!(logged("/kobo/hidden/v1/initialization"), "/kobo/<name>");
        for path in
            ["/reader/api/0/stream/contents", "/reader/api/0/stream/items/ids", "/opds/tags", "/fever/"]
        {
            assert_eq!(logged(path), path);
        }
    }
}
