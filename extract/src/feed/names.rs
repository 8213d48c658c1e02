//! Resolves element names to a few vocabularies, from namespace URLs (including misspelt and obsolete ones)
//! and from prefixes that feeds use without a declaration.

use std::collections::HashMap;

/// Vocabulary that the parsers understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Vocabulary {
    /// RSS and Atom of all versions, and elements without a namespace.
    Core,
    DublinCore,
    Terms,
    Content,
    Itunes,
    Media,
    Xhtml,
    Syndication,
    /// Podcasting 2.0.
    Podcast,
    Other,
}

/// Prefix declarations that have been read so far. A new declaration replaces the earlier declaration: some
/// feeds declare a prefix too late, but no feed gives two meanings to a prefix.
pub(super) struct Namespaces {
    prefixes: HashMap<String, Vocabulary>,
}

impl Namespaces {
    pub(super) fn new() -> Self {
        Self { prefixes: HashMap::new() }
    }

    /// Reads the namespace declarations of a tag, and resolves its name as [`resolve`](Self::resolve) does. A
    /// default namespace on an element inside an entry or a channel applies only to this element.
    pub(super) fn declare(&mut self, name: &str, attributes: &[(&str, &str)]) -> (Vocabulary, String) {
        let mut own_default = None;
        for (attribute, value) in attributes {
            if let Some(prefix) = attribute.strip_prefix("xmlns:") {
                self.prefixes.insert(prefix.to_owned(), vocabulary_of_namespace(value));
            } else if *attribute == "xmlns" {
                own_default = Some(vocabulary_of_namespace(value));
            }
        }
        let (vocabulary, local) = self.resolve(name);
        let Some(default) = own_default else { return (vocabulary, local) };
        if is_structural(&local) {
            // Any other default namespace of these elements is treated as a private name for RSS or Atom.
            let is_core = default == Vocabulary::Other || !name.contains(':');
            let default = if is_core { Vocabulary::Core } else { default };
            self.prefixes.insert(String::new(), default);
            return self.resolve(name);
        }
        (if name.contains(':') { vocabulary } else { default }, local)
    }

    /// Vocabulary and lower-case local name of a tag.
    pub(super) fn resolve(&self, name: &str) -> (Vocabulary, String) {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let vocabulary = self.prefixes.get(prefix).copied().unwrap_or_else(|| vocabulary_of_prefix(prefix));
        (vocabulary, local.to_lowercase())
    }
}

/// True for the structural elements of feeds. `local` is in lower case.
pub(super) fn is_structural(local: &str) -> bool {
    matches!(local, "item" | "entry" | "channel" | "feed" | "rss" | "rdf")
}

/// Vocabulary of an undeclared prefix.
pub(super) fn vocabulary_of_prefix(prefix: &str) -> Vocabulary {
    match prefix.to_ascii_lowercase().as_str() {
        "" | "rss" | "atom" | "atom03" | "atom10" | "a10" | "rss091" => Vocabulary::Core,
        "dc" => Vocabulary::DublinCore,
        "dcterms" => Vocabulary::Terms,
        "content" => Vocabulary::Content,
        "itunes" => Vocabulary::Itunes,
        "media" => Vocabulary::Media,
        "xhtml" | "body" | "html" => Vocabulary::Xhtml,
        "sy" => Vocabulary::Syndication,
        "podcast" => Vocabulary::Podcast,
        _ => Vocabulary::Other,
    }
}

/// Vocabulary of a namespace URL.
pub(super) fn vocabulary_of_namespace(address: &str) -> Vocabulary {
    let address = address.trim().to_ascii_lowercase();
    let bare = address
        .trim_start_matches("http://")
        .trim_start_matches("https://")
        .trim_start_matches("www.")
        .trim_end_matches(['/', '#']);
    match bare {
        ""
        | "purl.org/rss/1.0"
        | "my.netscape.com/rdf/simple/0.9"
        | "channel.netscape.com/rdf/simple/0.9"
        | "w3.org/2005/atom"
        | "purl.org/atom/ns"
        | "purl.org/atom"
        | "purl.org/pie"
        | "purl.org/echo"
        | "example.com/necho"
        | "example.com/newformat"
        | "uri/of/echo/namespace"
        | "blogs.law.harvard.edu/tech/rss"
        | "cyber.law.harvard.edu/rss/rss.html"
        | "rssboard.org/rss-specification"
        | "purl.org/rss/2.0"
        | "purl.org/rss/1.0/modules/rss091"
        | "w3.org/2005/atom10" => Vocabulary::Core,
        "purl.org/dc/elements/1.1" | "purl.org/dc/elements/1.0" | "purl.org/dc" => Vocabulary::DublinCore,
        "purl.org/dc/terms" => Vocabulary::Terms,
        "purl.org/rss/1.0/modules/content" => Vocabulary::Content,
        "itunes.com/dtds/podcast-1.0.dtd"
        | "example.com/dtds/podcast-1.0.dtd"
        | "itunes.com/dtds/podcast-1.0" => Vocabulary::Itunes,
        "search.yahoo.com/mrss"
        | "video.search.yahoo.com/mrss"
        | "tools.search.yahoo.com/mrss"
        | "api.flickr.com/services/feeds" => Vocabulary::Media,
        "w3.org/1999/xhtml" => Vocabulary::Xhtml,
        "purl.org/rss/1.0/modules/syndication" => Vocabulary::Syndication,
        "podcastindex.org/namespace/1.0" => Vocabulary::Podcast,
        other if other.contains("backend.userland.com/rss") => Vocabulary::Core,
        other if other.contains("purl.org/rss/1.0/modules/content") => Vocabulary::Content,
        // URL of the document that describes the namespace. Older feeds declare it as the namespace.
        other if other.contains("podcastindex-org/podcast-namespace") => Vocabulary::Podcast,
        _ => Vocabulary::Other,
    }
}

/// True for namespace URLs that feed-rs recognises in exactly this spelling, and for those that it can ignore
/// without data loss.
pub(super) fn is_known_to_strict_parser(address: &str) -> bool {
    matches!(
        address,
        "http://www.w3.org/2005/Atom"
            | "http://purl.org/rss/1.0/modules/content/"
            | "http://purl.org/dc/elements/1.1/"
            | "http://search.yahoo.com/mrss/"
            | "http://www.itunes.com/dtds/podcast-1.0.dtd"
            | "http://purl.org/rss/1.0/modules/syndication/"
    ) || vocabulary_of_namespace(address) == Vocabulary::Other
}
