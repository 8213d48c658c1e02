//! Link with which a person confirms a subscription. It is displayed, and never opened by this service.

use url::Url;

use crate::document::{Document, Link};

/// Maximum number of characters of a URL.
const URL_CHARS: usize = 2000;
/// Beginnings of words that denote a confirmation, in lower case.
const WORDS: [&str; 14] = [
    "confirm", "verif", "activat", "opt-in", "optin", "double-opt", "bestätig", "bestaetig", "aktivier",
    "bevestig", "conferm", "bekræft", "potwierd", "подтверд",
];

/// Returns the first confirmation link, if the subject states that the message requests a confirmation.
pub(super) fn link(subject: Option<&str>, document: &Document) -> Option<String> {
    if !has_word(subject?) {
        return None;
    }
    let links = document.blocks.iter().flat_map(|block| {
        let plain = block.text.split_whitespace().filter_map(plain_link);
        block.links.iter().cloned().chain(plain.filter(move |_| block.links.is_empty()))
    });
    let is_usable = |link: &Link| link.url.starts_with("http") && link.url.chars().count() <= URL_CHARS;
    links.filter(is_usable).find(|link| has_word(&link.text) || has_word(&link.url)).map(|link| link.url)
}

fn has_word(text: &str) -> bool {
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Link that is written as its URL.
fn plain_link(word: &str) -> Option<Link> {
    let word = word.trim_matches(['<', '>', '(', ')', '"', '.', ',']);
    let is_web = word.starts_with("https://") || word.starts_with("http://");
    let url = is_web.then(|| Url::parse(word).ok()).flatten()?;
    Some(Link { text: String::new(), url: url.into() })
}
