//! References of objects in results of the default tools: a kind, a colon, and an id.

use http_kit::http::fault::Fault;
use serde_json::{Value, json};

use crate::tools::paths::segment;

/// Kind and id of a reference.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    text.trim().split_once(':').filter(|(_, id)| !id.is_empty())
}

/// True if the text is a web address.
pub(super) fn is_address(text: &str) -> bool {
    split(text).is_some_and(|(kind, _)| matches!(kind, "http" | "https"))
}

/// Id of a reference of a given kind. An id without a kind is accepted.
///
/// # Errors
/// If the reference is of another kind.
pub(super) fn id_of<'a>(text: &'a str, kind: &str) -> Result<&'a str, Fault> {
    match split(text) {
        None => Ok(text.trim()),
        Some((known, id)) if known == kind => Ok(id),
        Some(_) => Err(Fault::new(format!("must be {kind}:… ids"))),
    }
}

/// Filter that selects a feed by its id, or the feeds of a collection by its name.
///
/// # Errors
/// If the text is a reference of another kind.
pub(super) fn sources(text: &str) -> Result<Value, Fault> {
    const OTHERS: [&str; 6] = ["item", "note", "highlight", "entry", "change", "monitor"];
    let text = text.trim();
    let wrong = || Fault::new("must be a feed:… id or the name of a collection");
    match split(text) {
        Some(("feed", id)) => {
            let id: u64 = id.parse().map_err(|_| wrong())?;
            Ok(json!({ "source": { "include": [id] } }))
        }
        Some((kind, _)) if OTHERS.contains(&kind) => Err(wrong()),
        Some(_) | None => Ok(match text.parse::<u64>() {
            Ok(id) => json!({ "source": { "include": [id] } }),
            Err(_) => json!({ "collection": [text] }),
        }),
    }
}

/// Path of an operation on the object with this id.
pub(super) fn path_of(collection: &str, id: &str) -> String {
    format!("{collection}/{}", segment(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_filter_selects_a_feed_or_a_collection() {
        assert_eq!(sources("feed:7"), Ok(json!({"source": {"include": [7]}})));
        assert_eq!(sources(" 7 "), Ok(json!({"source": {"include": [7]}})));
        assert_eq!(sources("News: daily"), Ok(json!({"collection": ["News: daily"]})));
        assert!(sources("entry:7").is_err() && sources("feed:x").is_err());
    }

    #[test]
    fn reference_is_split_into_kind_and_id() {
        assert_eq!(split(" item:0193 "), Some(("item", "0193")));
        assert_eq!((split("item:"), split("item")), (None, None));
        assert!(is_address("https://example.org/a:b") && !is_address("ftp://x") && !is_address("entry:5"));
        assert_eq!(id_of("item:7", "item"), Ok("7"));
        assert_eq!(id_of("7", "item"), Ok("7"));
        assert_eq!(id_of("note:7", "item").unwrap_err().reason, "must be item:… ids");
        assert_eq!(path_of("/v1/rss/entries", "../7"), "/v1/rss/entries/..%2F7");
    }
}
