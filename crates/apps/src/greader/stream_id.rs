//! Names of streams: feeds, labels, and states.

use percent_encoding::percent_decode_str;

use kernel::FeedId;

/// Stream that a name identifies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StreamId {
    /// All entries of followed feeds.
    ReadingList,
    /// Entries that are read.
    Read,
    /// Entries that are unread (`unread`), including read entries that were marked as unread again
    /// (`kept-unread`).
    Unread,
    /// Starred entries.
    Starred,
    /// Feed, by id.
    Feed(FeedId),
    /// Feed, by URL.
    Address(String),
    /// Collection, by name.
    Label(String),
    /// Any other name. The stream is empty, and changes to it are ignored.
    Unknown,
}

/// Prefix of the names of states and labels.
pub(super) const USER: &str = "user/";
/// Names of states and labels in responses contain `-` instead of the signed-in user.
pub(super) const READING_LIST: &str = "user/-/state/com.google/reading-list";
pub(super) const READ: &str = "user/-/state/com.google/read";
pub(super) const STARRED: &str = "user/-/state/com.google/starred";

/// Returns the stream name of a feed.
pub(super) fn of_feed(id: FeedId) -> String {
    format!("feed/{id}")
}

/// Returns the stream name of a label.
pub(super) fn of_label(name: &str) -> String {
    format!("user/-/label/{name}")
}

impl StreamId {
    /// Returns the label that a stream name names. `None` for other streams.
    pub(super) fn label_of(text: &str) -> Option<String> {
        match Self::parse(text) {
            Self::Label(label) => Some(label),
            Self::ReadingList
            | Self::Read
            | Self::Unread
            | Self::Starred
            | Self::Feed(_)
            | Self::Address(_)
            | Self::Unknown => None,
        }
    }

    /// Parses a stream name. Ignores the user in it.
    pub(super) fn parse(text: &str) -> Self {
        if let Some(feed) = text.strip_prefix("feed/") {
            return Self::of_feed(feed);
        }
        let rest = text.strip_prefix(USER).and_then(|rest| rest.split_once('/')).map(|(_, rest)| rest);
        let Some(rest) = rest else { return Self::Unknown };
        if let Some(label) = rest.strip_prefix("label/").filter(|label| !label.is_empty()) {
            return Self::Label(label.to_owned());
        }
        match rest.strip_prefix("state/com.google/") {
            Some("reading-list") => Self::ReadingList,
            Some("read") => Self::Read,
            Some("kept-unread" | "unread") => Self::Unread,
            Some("starred") => Self::Starred,
            Some(_) | None => Self::Unknown,
        }
    }

    fn of_feed(feed: &str) -> Self {
        if let Ok(number) = feed.parse() {
            return Self::Feed(FeedId::new(number));
        }
        let is_address = |text: &str| text.starts_with("http://") || text.starts_with("https://");
        if is_address(feed) {
            return Self::Address(feed.to_owned());
        }
        match percent_decode_str(feed).decode_utf8() {
            Ok(decoded) if is_address(&decoded) => Self::Address(decoded.into_owned()),
            Ok(_) | Err(_) => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_name_is_parsed_in_every_format() {
        for user in ["-", "1", "me@example.org"] {
            let state = |name: &str| StreamId::parse(&format!("user/{user}/state/com.google/{name}"));
            assert_eq!(state("reading-list"), StreamId::ReadingList);
            assert_eq!(state("starred"), StreamId::Starred);
            assert_eq!((state("unread"), state("kept-unread")), (StreamId::Unread, StreamId::Unread));
            assert_eq!(state("broadcast"), StreamId::Unknown);
            let label = StreamId::parse(&format!("user/{user}/label/Tech/Rust"));
            assert_eq!(label, StreamId::Label("Tech/Rust".into()));
        }
        assert_eq!(StreamId::parse("feed/12"), StreamId::Feed(FeedId::new(12)));
        let address = StreamId::Address("https://example.org/feed?a=1".into());
        assert_eq!(StreamId::parse("feed/https://example.org/feed?a=1"), address);
        assert_eq!(StreamId::parse("feed/https%3A%2F%2Fexample.org%2Ffeed%3Fa%3D1"), address);
        for odd in ["", "feed/", "feed/x", "user/", "user/-", "user/-/label/", "label/x", "feed/%ff"] {
            assert_eq!(StreamId::parse(odd), StreamId::Unknown, "{odd}");
        }
    }
}
