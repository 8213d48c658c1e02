//! OPML as real readers write it, in and out again.

use super::super::opml::{Outline, read, write};

/// Attributes in the order, case and nesting of three readers' exports.
const EXPORTS: [&str; 3] = [
    r#"<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.0"><head><title>Subscriptions</title></head><body>
<outline text="Tech" title="Tech"><outline type="rss" text="A &amp; B" title="A &amp; B" xmlUrl="https://a.example.org/feed" htmlUrl="https://a.example.org/"/></outline>
<outline type="rss" text="Loose" title="Loose" xmlUrl="https://loose.example.org/rss"/></body></opml>"#,
    r#"<opml version="2.0"><head/><body><outline title="News"><outline title="World"><outline title="Deep" xmlUrl='http://deep.example.org/atom.xml?x=1&y=2' type='atom'></outline></outline></outline></body></opml>"#,
    r#"<?xml version='1.0' encoding='UTF-8'?><OPML VERSION="1.1"><BODY><OUTLINE TEXT="Caps" XMLURL="feed://caps.example.org/rss" HTMLURL=""/>
<outline text="Broken & unclosed"><outline text="In it" xmlurl="https://in.example.org/f"></body></opml>"#,
];

#[test]
fn exports_of_three_readers_come_back_equal() {
    for export in EXPORTS {
        let feeds = read(export.as_bytes()).unwrap();
        assert!(!feeds.is_empty());
        let again = read(write("Mine", &feeds).as_bytes()).unwrap();
        let sorted = |feeds: &[Outline]| {
            let mut lines: Vec<String> = feeds.iter().map(|feed| format!("{feed:?}")).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&feeds), sorted(&again));
    }
}

#[test]
fn folders_addresses_and_titles_are_kept() {
    let feeds: Vec<Outline> = EXPORTS.iter().flat_map(|export| read(export.as_bytes()).unwrap()).collect();
    let told: Vec<String> = feeds
        .iter()
        .map(|feed| {
            format!("{} {} {}", feed.folders.join("/"), feed.title.as_deref().unwrap_or("-"), feed.feed_url)
        })
        .collect();
    assert_eq!(
        told,
        [
            "Tech A & B https://a.example.org/feed",
            " Loose https://loose.example.org/rss",
            "News/World Deep http://deep.example.org/atom.xml?x=1&y=2",
            " Caps http://caps.example.org/rss",
            "Broken & unclosed In it https://in.example.org/f",
        ]
    );
}

#[test]
fn what_is_no_list_is_refused_and_floods_are_cut() {
    assert_eq!(read(b"<html></html>"), None);
    assert_eq!(read(b""), None);
    let flood =
        format!("<opml><body>{}</body></opml>", "<outline xmlUrl=\"https://example.org/f\"/>".repeat(25_000));
    assert_eq!(read(flood.as_bytes()).unwrap().len(), 20_000);
    let deep = "<outline text=\"x\">".repeat(5_000) + "<outline xmlUrl=\"https://example.org/f\"/>";
    assert_eq!(read(deep.as_bytes()).unwrap()[0].folders.len(), 32);
}
