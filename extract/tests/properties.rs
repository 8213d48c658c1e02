//! Invariants that hold for every input, including hostile input.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use extract::{Document, ExtractionOutcome, Input, extract, render};
use proptest::prelude::*;

fn read(bytes: Vec<u8>, mime: &str) -> Option<Document> {
    let input =
        Input { bytes, content_type: Some(mime.to_owned()), url: Some("https://a.example/b/c".to_owned()) };
    let outcome = extract(&input);
    assert_eq!(outcome, extract(&input), "the same bytes give the same result");
    match outcome {
        ExtractionOutcome::Document(document) => Some(*document),
        _ => None,
    }
}

/// Tags, text and arbitrary characters in any order.
fn markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,12}( [a-z,]{1,9}){0,20}[.!]? ",
        Just("<p>".to_owned()),
        Just("</p>".to_owned()),
        Just("<div class=\"content related nav\">".to_owned()),
        Just("</div>".to_owned()),
        Just("<ul><li>".to_owned()),
        Just("</li></ul>".to_owned()),
        Just("<table><tr><td>".to_owned()),
        Just("</td><td colspan=9999>".to_owned()),
        Just("</table>".to_owned()),
        Just("<h2>".to_owned()),
        Just("</h2>".to_owned()),
        Just("<a href=\"javascript:alert(1)\" onclick=x>".to_owned()),
        Just("<a href='/x?a=1&b=2'>".to_owned()),
        Just("</a>".to_owned()),
        Just("<pre><code class=language-x>".to_owned()),
        Just("</pre>".to_owned()),
        Just("<math display=block><mi>x</mi>".to_owned()),
        Just("<svg><style><img src=x onerror=y>".to_owned()),
        Just("<script>alert('<p>')</script>".to_owned()),
        Just("<img src=/i.png alt='two words here' width=900>".to_owned()),
        Just("<blockquote>".to_owned()),
        Just("<figure><figcaption>".to_owned()),
        Just("<noscript>".to_owned()),
        Just("<br><br>".to_owned()),
        Just("&lt;script&gt;alert(2)&lt;/script&gt;".to_owned()),
        Just("日本語の文章。\u{202e}\u{0}\u{ad}".to_owned()),
        Just("``` | * _ # \\ $$ ".to_owned()),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn check(document: &Document, size: usize) {
    for (index, block) in document.blocks.iter().enumerate() {
        assert_eq!(usize::try_from(block.anchor).unwrap(), index + 1);
        assert!(!block.text.trim().is_empty());
        assert!(block.tokens <= 1000);
        for link in &block.links {
            assert!(
                ["http://", "https://", "mailto:"].iter().any(|start| link.url.starts_with(start)),
                "{}",
                link.url
            );
        }
        for mark in &block.marks {
            assert!(
                block.text.get(mark.start as usize..mark.end as usize).is_some_and(|text| !text.is_empty())
            );
        }
    }
    let text = render::text(&document.blocks);
    assert!(text.len() <= 40 * size + 4096, "{} of {size}", text.len());
    assert!(!text.contains(['\u{202e}', '\u{0}']));
    let html = render::html(&document.blocks).to_lowercase();
    for tag in html.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or(rest)) {
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap_or(tag);
        assert!(
            !["script", "img", "iframe", "svg", "style", "object", "form"].contains(&name),
            "{tag} in {html}"
        );
        for active in ["javascript:", "data:", " onclick", " onerror", " style"] {
            assert!(!tag.contains(active), "{active} in {tag}");
        }
    }
    let stored = serde_json::to_string(document).unwrap();
    assert_eq!(serde_json::from_str::<Document>(&stored).unwrap(), *document);
    let _ = render::markdown(&document.blocks);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_markup_gives_valid_blocks(markup in markup()) {
        let size = markup.len();
        if let Some(document) = read(markup.into_bytes(), "text/html") {
            check(&document, size);
        }
    }

    #[test]
    fn any_markdown_gives_valid_blocks(markup in markup()) {
        let size = markup.len();
        if let Some(document) = read(markup.into_bytes(), "text/markdown") {
            check(&document, size);
        }
    }

    #[test]
    fn any_bytes_of_any_media_type_give_valid_blocks(bytes in proptest::collection::vec(any::<u8>(), 0..400), kind in 0..8_usize) {
        let kinds = [
            "text/html; charset=shift_jis", "text/plain", "application/pdf", "application/epub+zip", "text/markdown",
            "application/rss+xml", "application/octet-stream", "application/xhtml+xml; charset=utf-16",
        ];
        let size = bytes.len();
        if let Some(document) = read(bytes, kinds[kind]) {
            check(&document, size);
        }
    }
}
