//! Feed discovery.

use super::super::FeedKind;
use super::super::discover::{in_headers, in_page, site_rules, well_known};

fn first(address: &str) -> Option<String> {
    site_rules(address).feeds.into_iter().next().map(|candidate| candidate.feed_url)
}

#[test]
fn feeds_of_known_sites_are_discovered_without_the_page() {
    for (address, feed) in [
        (
            "https://www.youtube.com/channel/UCabc-_1",
            "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc-_1",
        ),
        (
            "https://www.youtube.com/watch?v=x&list=PLabc",
            "https://www.youtube.com/feeds/videos.xml?playlist_id=PLabc",
        ),
        ("https://github.com/rust-lang/rust", "https://github.com/rust-lang/rust/releases.atom"),
        (
            "https://github.com/rust-lang/rust/commits/master",
            "https://github.com/rust-lang/rust/commits/master.atom",
        ),
        ("https://mastodon.example/@ann", "https://mastodon.example/@ann.rss"),
        ("https://www.reddit.com/r/rust/", "https://www.reddit.com/r/rust/.rss"),
    ] {
        assert_eq!(first(address).as_deref(), Some(feed));
    }
    assert_eq!(first("https://example.org/article"), None);
    assert_eq!(first("not an address"), None);
}

#[test]
fn page_feeds_are_listed_with_the_main_feed_first() {
    let page = br#"<html><head><base href="https://cdn.example.org/b/">
        <link rel="alternate" type="application/rss+xml" title="Comments Feed" href="/comments/feed/">
        <link rel=alternate type=application/rss+xml title="News &amp; more" href=news.xml>
        <link rel="alternate" type="application/json+oembed" href="/oembed">
        <link rel="stylesheet" href="/x.css"><link rel="alternate" hreflang="de" href="/de">
        </head><body><a href="/atom.xml">Atom</a><a href="/about">About</a></body></html>"#;
    let candidates = in_page(page, Some("text/html"), "https://example.org/");
    let actual: Vec<(&str, Option<&str>)> =
        candidates.iter().map(|feed| (feed.feed_url.as_str(), feed.title.as_deref())).collect();
    assert_eq!(
        actual,
        [
            ("https://cdn.example.org/b/news.xml", Some("News & more")),
            ("https://cdn.example.org/atom.xml", None),
            ("https://cdn.example.org/comments/feed/", Some("Comments Feed")),
        ]
    );
}

#[test]
fn feeds_in_link_headers_are_recognised_by_relation_and_type() {
    let lines = [
        "<https://s.example/wp-json/>; rel=\"https://api.w.org/\", <main,1.xml>; rel=alternate; \
         type=\"application/rss+xml; charset=utf-8\"; title=\"News, & more\"",
        "</atom>; REL=\"Alternate home\"; TYPE=application/atom+xml, <main,1.xml>; rel=feed",
        "</de>; rel=alternate; hreflang=de, </wp-json/1>; rel=alternate; type=application/json",
        "<javascript:x>; rel=alternate; type=application/rss+xml, </style.css>; rel=preload",
    ];
    let feeds = in_headers(&lines.map(str::to_owned), "https://s.example/blog/");
    let actual: Vec<(&str, Option<&str>, FeedKind)> =
        feeds.iter().map(|feed| (feed.feed_url.as_str(), feed.title.as_deref(), feed.kind)).collect();
    assert_eq!(
        actual,
        [
            ("https://s.example/blog/main,1.xml", Some("News, & more"), FeedKind::Rss),
            ("https://s.example/atom", None, FeedKind::Atom),
        ]
    );
}

#[test]
fn channel_feed_is_read_from_the_meta_element() {
    let page = br#"<meta itemprop="identifier" content="UC123">"#;
    let candidates = in_page(page, None, "https://www.youtube.com/@harbour");
    assert_eq!(candidates[0].feed_url, "https://www.youtube.com/feeds/videos.xml?channel_id=UC123");
    assert!(in_page(page, None, "https://example.org/").is_empty());
}

#[test]
fn common_paths_are_below_the_page_and_at_the_root() {
    let candidates: Vec<String> =
        well_known("https://example.org/blog?x=1").into_iter().map(|feed| feed.feed_url).collect();
    assert_eq!(candidates[0], "https://example.org/blog/feed");
    assert!(candidates.contains(&"https://example.org/rss.xml".to_owned()));
}
