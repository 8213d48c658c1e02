//! Reading and writing of OPML as feed readers export it.

use super::super::opml::{Outline, read, write};

/// Attribute order, letter case and nesting as exported by three feed readers.
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
fn reader_exports_round_trip() {
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
fn folders_urls_and_titles_are_read() {
    let feeds: Vec<Outline> = EXPORTS.iter().flat_map(|export| read(export.as_bytes()).unwrap()).collect();
    let actual: Vec<String> = feeds
        .iter()
        .map(|feed| {
            format!("{} {} {}", feed.folders.join("/"), feed.title.as_deref().unwrap_or("-"), feed.feed_url)
        })
        .collect();
    assert_eq!(
        actual,
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
fn html_is_rejected_and_long_opml_lists_are_truncated() {
    assert_eq!(read(b"<html></html>"), None);
    assert_eq!(read(b""), None);
    let flood =
        format!("<opml><body>{}</body></opml>", "<outline xmlUrl=\"https://example.org/f\"/>".repeat(25_000));
    assert_eq!(read(flood.as_bytes()).unwrap().len(), 20_000);
    let deep = "<outline text=\"x\">".repeat(5_000) + "<outline xmlUrl=\"https://example.org/f\"/>";
    assert_eq!(read(deep.as_bytes()).unwrap()[0].folders.len(), 32);
}

#[test]
fn folders_after_a_deep_folder_retain_their_names() {
    let deep = format!(
        "<opml><body><outline text=\"Outer\">{}<outline xmlUrl=\"https://in.example.org/f\"/>{}\
         <outline xmlUrl=\"https://out.example.org/f\"/></outline></body></opml>",
        "<outline text=\"x\">".repeat(50),
        "</outline>".repeat(50)
    );
    let feeds = read(deep.as_bytes()).unwrap();
    assert_eq!((feeds[0].folders.len(), feeds[1].folders.as_slice()), (32, &["Outer".to_owned()][..]));
}

#[test]
fn feed_without_url_is_listed() {
    let list = r#"<opml><body><outline text="Empty folder"/><outline type="rss" text="Gone"/>
        <outline text="Page" htmlUrl="https://page.example.org/"/><outline type="RSS" text="Both"></outline></body></opml>"#;
    let feeds = read(list.as_bytes()).unwrap();
    let titles: Vec<&str> = feeds.iter().filter_map(|feed| feed.title.as_deref()).collect();
    assert_eq!(titles, ["Gone", "Page", "Both"]);
    assert!(feeds.iter().all(|feed| feed.feed_url.is_empty()));
}

#[test]
fn outline_with_content_is_a_folder_regardless_of_its_type() {
    let flym = include_str!("../../../tests/feeds/folder_typed_rss.opml");
    let nested = flym
        .replace("title=\"tech\">", "title=\"tech\"><outline type=\"atom\" text=\"in\">")
        .replace("</body>", "</outline></body>");
    for (list, folders) in [(flym, &["tech"][..]), (nested.as_str(), &["tech", "in"][..])] {
        let feeds = read(list.as_bytes()).unwrap();
        assert_eq!(feeds.len(), 1, "{list}");
        assert_eq!(feeds[0].folders, folders);
        assert_eq!(feeds[0].feed_url, "http://127.0.0.1:8000/feed.xml");
    }
}

#[test]
fn truncated_url_of_an_outline_is_dropped() {
    let feeds = read(include_bytes!("../../../tests/feeds/truncated.opml")).unwrap();
    assert_eq!((feeds[0].title.as_deref(), feeds[0].feed_url.as_str()), (Some("g"), ""));
    for (cut, url) in [
        ("xmlUrl=http://a.exam", ""),
        ("xmlUrl='http://a.example.org/f", ""),
        ("xmlUrl=\"http://a.example.org/f\"", "http://a.example.org/f"),
        ("xmlUrl=\"http://a.example.org/f\" htmlUrl=\"http://a.exam", "http://a.example.org/f"),
    ] {
        let feeds = read(format!("<opml><body><outline text=\"g\" type=\"rss\" {cut}").as_bytes()).unwrap();
        assert_eq!((feeds[0].feed_url.as_str(), &feeds[0].site_url), (url, &None), "{cut}");
    }
}

#[test]
fn feed_scheme_is_removed_from_urls() {
    for written in [
        "feed://a.example.org/f",
        "feed:http://a.example.org/f",
        "feed://http://a.example.org/f",
        "FEED:a.example.org/f",
        "rss://a.example.org/f",
        " http://a.example.org/f ",
    ] {
        let list = format!("<opml><body><outline xmlUrl=\"{written}\"/></body></opml>");
        assert_eq!(read(list.as_bytes()).unwrap()[0].feed_url, "http://a.example.org/f", "{written}");
    }
}

#[test]
fn lists_in_other_encodings_are_decoded() {
    let list = "<opml><body><outline text=\"K\u{fc}che\" xmlUrl=\"https://a.example.org/f\"/></body></opml>";
    let latin: Vec<u8> = list.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect();
    let called_otherwise = [&b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>"[..], &latin].concat();
    let wide: Vec<u8> = list.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for body in [list.as_bytes().to_vec(), latin, called_otherwise, wide] {
        assert_eq!(read(&body).unwrap()[0].title.as_deref(), Some("K\u{fc}che"));
    }
    // Truncated in the middle: the complete part is read.
    let cut = &list.as_bytes()[..list.len() - 30];
    assert!(read(cut).is_some());
}
