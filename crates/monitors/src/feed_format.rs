//! Formats and URLs of the feeds of monitors and groups.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeedFormat {
    /// RSS 2.0.
    Rss,
    /// Atom (RFC 4287).
    Atom,
    /// JSON Feed 1.1.
    Json,
}

impl FeedFormat {
    /// File extension in the URL of the feed.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Rss => "xml",
            Self::Atom => "atom",
            Self::Json => "json",
        }
    }

    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Rss => "application/rss+xml; charset=utf-8",
            Self::Atom => "application/atom+xml; charset=utf-8",
            Self::Json => "application/feed+json; charset=utf-8",
        }
    }

    /// Format with this file extension.
    pub fn parse(extension: &str) -> Option<Self> {
        [Self::Rss, Self::Atom, Self::Json].into_iter().find(|form| form.extension() == extension)
    }
}

/// URL of a monitor's feed in one format.
pub(super) fn feed_url(base_url: &str, token: &str, form: FeedFormat) -> String {
    format!("{base_url}/feeds/monitors/{token}.{}", form.extension())
}

/// URL of the public page of a group.
pub(super) fn group_page_url(base_url: &str, token: &str) -> String {
    format!("{base_url}/feeds/groups/{token}")
}

/// URL of a group's feed in one format.
pub(super) fn group_feed_url(base_url: &str, token: &str, form: FeedFormat) -> String {
    format!("{}.{}", group_page_url(base_url, token), form.extension())
}
