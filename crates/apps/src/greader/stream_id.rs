//! Names of streams: feeds, labels and states.

use percent_encoding::percent_decode_str;

use kernel::FeedId;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StreamId {
    /// Everything that is followed.
    ReadingList,
    /// What was read.
    Read,
    /// What was not, or is to be read again.
    KeptUnread,
    /// What has a star.
    Starred,
    /// A feed by its number.
    Feed(FeedId),
    /// A feed by its address.
    Address(String),
    /// A collection by its name.
    Label(String),
    /// Anything else: nothing is in it, and changing it changes nothing.
    Unknown,
}

/// The form in which we name the states and labels of whoever asks.
pub(super) const READING_LIST: &str = "user/-/state/com.google/reading-list";
/// Of what was read.
pub(super) const READ: &str = "user/-/state/com.google/read";
/// Of what has a star.
pub(super) const STARRED: &str = "user/-/state/com.google/starred";

/// How we name a feed.
pub(super) fn of_feed(id: FeedId) -> String {
    format!("feed/{id}")
}

/// How we name a label.
pub(super) fn of_label(name: &str) -> String {
    format!("user/-/label/{name}")
}

impl StreamId {
    /// What a name stands for, however the app names the user.
    pub(super) fn parse(text: &str) -> Self {
        if let Some(feed) = text.strip_prefix("feed/") {
            return Self::of_feed(feed);
        }
        let rest = text.strip_prefix("user/").and_then(|rest| rest.split_once('/')).map(|(_, rest)| rest);
        let Some(rest) = rest else { return Self::Unknown };
        if let Some(label) = rest.strip_prefix("label/").filter(|label| !label.is_empty()) {
            return Self::Label(label.to_owned());
        }
        match rest.strip_prefix("state/com.google/") {
            Some("reading-list") => Self::ReadingList,
            Some("read") => Self::Read,
            Some("kept-unread") => Self::KeptUnread,
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
    fn streams_are_known_by_all_their_names() {
        for user in ["-", "1", "me@example.org"] {
            let state = |name: &str| StreamId::parse(&format!("user/{user}/state/com.google/{name}"));
            assert_eq!(state("reading-list"), StreamId::ReadingList);
            assert_eq!(state("starred"), StreamId::Starred);
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
