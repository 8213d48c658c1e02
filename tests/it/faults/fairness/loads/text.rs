//! Texts, pages, and feeds that the loads use.

use fastrand::Rng;

use crate::support::Reply;
use crate::support::site::article;

/// Words of the texts. Each word occurs with the numbers 0 to 99 appended.
const WORDS: [&str; 12] = [
    "anchor", "boat", "chart", "dock", "engine", "ferry", "gull", "harbour", "island", "jetty", "keel",
    "lamp",
];
/// Number of paragraphs on a large page.
const PARAGRAPHS: usize = 750;
/// Number of entries in a large feed. Carrel ignores further entries.
const ENTRIES: usize = 500;

/// Returns a text of about `bytes` bytes in paragraphs. It is the same for each seed.
pub(super) fn text(seed: u64, bytes: usize) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = String::with_capacity(bytes + 100);
    while text.len() < bytes {
        for _ in 0..40 {
            text += &format!("{}{} ", WORDS[rng.usize(..WORDS.len())], rng.u8(..100));
        }
        text += "\n\n";
    }
    text
}

/// Returns a reply with a large page whose title contains the number.
pub(super) fn large_page(paragraphs: &str, number: usize) -> Reply {
    let page = article().replacen("A town by the sea", &format!("Page {number}"), 1);
    Reply::html(page.replace("</article>", &format!("{paragraphs}</article>")))
}

/// Returns the paragraphs of a large page, about 1 MB.
pub(super) fn large_paragraphs() -> String {
    let paragraph = format!("<p>{}</p>", "A town by the sea, and a story about it. ".repeat(30));
    paragraph.repeat(PARAGRAPHS)
}

/// Returns an RSS document of about 1 MB.
pub(super) fn large_feed() -> Vec<u8> {
    let description = "Words about the harbour and the people who come every morning. ".repeat(30);
    let entry = |number: usize| {
        format!(
            "<item><title>Entry {number}</title><link>https://example.org/{number}</link><guid \
             isPermaLink=\"false\">large{number}</guid><pubDate>2026-11-{:02}T10:00:00Z</pubDate>\
             <description>{description}</description></item>",
            number % 20 + 1
        )
    };
    let entries: String = (0..ENTRIES).map(entry).collect();
    let head = "<rss version=\"2.0\"><channel><title>Harbour</title><link>https://example.org/</link>";
    format!("{head}{entries}</channel></rss>").into_bytes()
}
