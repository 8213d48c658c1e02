//! Which part of the service a path belongs to, told by its first segment. Every fixed path wins over the
//! prefix form of the reader. The paths behind the first segment stand in the parts themselves: operations
//! in `#[oai(path)]` attributes, what agents call in `mcp`, pages in `web`, feeds in `public_feeds`, hubs'
//! callbacks in `websub`, tokens in `oauth`, what apps call in `apps`.

/// The parts of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// What operators ask, on every host.
    Ops,
    /// The reader's pages and documents.
    Pages,
    /// The reader's API.
    Reader,
    /// The Developer API.
    Developer,
    /// What agents call.
    Mcp,
    /// Signing in, settings, and everything that a person has.
    Account,
    /// What hubs of `WebSub` call.
    Hubs,
    /// The authorization server, but for its page.
    OAuth,
    /// What feed apps and e-readers call.
    Apps,
    /// Feeds and changes of monitors, for whoever knows their address.
    PublicFeeds,
    /// Pictures of the pages that people read.
    Pictures,
    /// The prefix form of the reader: any other path.
    Prefix,
}

impl Surface {
    /// The surface of a path.
    pub fn of(path: &str) -> Self {
        let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        match first {
            "healthz" | "readyz" | "metrics" => Self::Ops,
            "v1" => Self::Developer,
            "mcp" => Self::Mcp,
            "websub" => Self::Hubs,
            "pictures" => Self::Pictures,
            "feeds" | "changes" => Self::PublicFeeds,
            "accounts" | "reader" | "fever" | "opds" => Self::Apps,
            // The page on which a person decides.
            "oauth" if path.starts_with("/oauth/authorize") => Self::Account,
            "oauth" | "auth.md" => Self::OAuth,
            ".well-known" if path != "/.well-known/api-catalog" => Self::OAuth,
            "admin" | "sign-up" | "sign-in" | "sign-out" | "forgot" | "reset" | "settings" | "monitors"
            | "notices" | "today" | "entries" | "subscriptions" | "collections" | "library" | "search"
            | "save" => Self::Account,
            "api" if path != "/api/v1/openapi.json" => Self::Reader,
            // What the reading page leads to; the box of the first page is a page.
            "read" if path != "/read" => Self::Reader,
            ""
            | "about"
            | "api"
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

    /// The label in metrics.
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

    /// A path as it may be logged: the prefix form is somebody's reading and may hold secrets of its source,
    /// and a key may have slipped into any path.
    pub fn loggable_path(self, path: &str) -> String {
        if kernel::looks_like_a_secret(path) {
            return "/<key>".to_owned();
        }
        match self {
            Self::Prefix => "/<url>".to_owned(),
            // What stands behind is a secret that opens a feed or a change, or the address of a picture.
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
            Self::Apps => without_name(path).chars().take(200).collect(),
        }
    }
}

/// A path of apps without the stream or the tag that it names: the address of a feed may hold a secret of its source.
fn without_name(path: &str) -> String {
    let named = ["/stream/contents/", "/reader/atom/", "/opds/tags/"].into_iter();
    let place = named.filter_map(|place| path.find(place).map(|at| at + place.len())).min();
    place.map_or_else(|| path.to_owned(), |end| format!("{}<name>", &path[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_stream_and_no_tag_of_an_app_is_logged() {
        let logged = |path: &str| Surface::of(path).loggable_path(path);
        let stream = "/reader/api/0/stream/contents/feed/https%3A%2F%2Fexample.org%2Ffeed%3Ftoken%3Dhidden";
        assert_eq!(logged(stream), "/reader/api/0/stream/contents/<name>");
        assert_eq!(logged("/opds/tags/hidden"), "/opds/tags/<name>");
        assert_eq!(logged("/reader/atom/feed%2Fhidden"), "/reader/atom/<name>");
        for path in
            ["/reader/api/0/stream/contents", "/reader/api/0/stream/items/ids", "/opds/tags", "/fever/"]
        {
            assert_eq!(logged(path), path);
        }
    }
}
