//! Enclosures and pictures of entries.

use super::super::Enclosure;
use super::{parse_body, rss};

fn files(item: &str) -> Vec<String> {
    let describe = |enclosure: &Enclosure| format!("{} {}", enclosure.media_type, enclosure.url);
    parse_body(item).entries[0].enclosures.iter().map(describe).collect()
}

#[test]
fn media_content_is_read_with_and_without_other_extensions() {
    for feed in [
        include_str!("../../../tests/feeds/media_content_with_itunes.xml"),
        include_str!("../../../tests/feeds/media_content_without_itunes.xml"),
    ] {
        assert_eq!(files(feed), ["audio/mpeg https://cdn.example/a.mp3"], "{feed}");
    }
}

#[test]
fn thumbnail_without_media_content_is_the_picture_of_its_entry() {
    let thumbnail =
        "<media:thumbnail xmlns:media=\"http://search.yahoo.com/mrss/\" url=\"https://c.example/a.png\"/>";
    let item = format!("<item><title>Boats</title><guid>1</guid>{thumbnail}</item>");
    let entry = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><id>1</id><title>Boats</title>{thumbnail}</entry></feed>"
    );
    for feed in [rss(&item), entry] {
        let picture = parse_body(&feed).entries[0].image_url.clone();
        assert_eq!(picture.as_deref(), Some("https://c.example/a.png"), "{feed}");
    }
}

#[test]
fn enclosure_url_is_used_for_an_episode_without_link() {
    let entry = &parse_body(include_str!("../../../tests/feeds/enclosure_only.xml")).entries[0];
    assert_eq!(entry.url.as_deref(), Some("https://cdn.example/1.mp3"));
    assert_eq!(entry.marks.url, 0, "the URL of a file does not identify the entry");
    let linked =
        rss("<item><guid>https://example.org/e</guid><enclosure url=\"https://cdn.example/1.mp3\"/></item>");
    assert_eq!(parse_body(&linked).entries[0].url.as_deref(), Some("https://example.org/e"));
}

#[test]
fn enclosures_of_every_type_are_read_with_audio_and_video_first() {
    let enclosures = "<enclosure url=\"https://c.example/notes.PDF?x=1\"/>\
        <enclosure url=\"https://c.example/cover\" type=\"image/png\"/>\
        <enclosure url=\"https://c.example/thing\"/>\
        <enclosure url=\"https://c.example/a.m4a\" type=\"application/octet-stream\"/>\
        <enclosure url=\"https://c.example/a.m4a\" type=\"audio/x-m4a\"/>\
        <enclosure url=\"https://c.example/b.mp4\" type=\"\"/>";
    let expected = [
        "audio/mp4 https://c.example/a.m4a",
        "video/mp4 https://c.example/b.mp4",
        "application/pdf https://c.example/notes.PDF?x=1",
        "image/png https://c.example/cover",
        "application/octet-stream https://c.example/thing",
    ];
    let feed = rss(&format!("<item><title>A</title>{enclosures}</item>"));
    for source in [&feed, &feed.replace("</channel></rss>", "")] {
        assert_eq!(files(source), expected, "{source}");
    }
}

#[test]
fn media_type_is_derived_from_the_medium_attribute() {
    let feed = rss("<item><title>A</title><group xmlns=\"http://search.yahoo.com/mrss/\"/>\
        <m:content xmlns:m=\"http://search.yahoo.com/mrss/\" url=\"https://c.example/1\" medium=\"video\"/>\
        <m:content url=\"https://c.example/player.swf\" type=\"application/x-shockwave-flash\"/></item>");
    assert_eq!(files(&feed), ["video/mp4 https://c.example/1"]);
}

#[test]
fn attached_picture_is_part_of_a_post_without_title() {
    let media = "<media:content xmlns:media=\"http://search.yahoo.com/mrss/\" url=\"https://s.example/a.png\" \
                 type=\"image/png\" medium=\"image\"><media:description type=\"plain\">A &quot;cat&quot;</media:description></media:content>";
    let text = "<description>&lt;p&gt;Look&lt;/p&gt;</description>";
    for item in [format!("{media}{text}"), format!("{text}{media}")] {
        let entry = &parse_body(&rss(&format!("<item><guid>1</guid>{item}</item>"))).entries[0];
        assert_eq!(
            entry.summary_html.as_deref(),
            Some("<p>Look</p><p><img src=\"https://s.example/a.png\" alt=\"A &quot;cat&quot;\"></p>")
        );
        assert_eq!(entry.summary.as_deref(), Some("Look"));
    }
    let titled = &parse_body(&rss(&format!("<item><title>T</title>{text}{media}</item>"))).entries[0];
    assert_eq!(titled.summary_html.as_deref(), Some("<p>Look</p>"));
    assert_eq!(titled.image_url.as_deref(), Some("https://s.example/a.png"));
}

#[test]
fn small_thumbnail_is_a_portrait_and_not_the_picture_of_its_entry() {
    let thumbnail = |size: &str| {
        let item = format!(
            "<item><title>A</title><media:thumbnail xmlns:media=\"http://search.yahoo.com/mrss/\" {size} \
             url=\"https://c.example/a.png\"/></item>"
        );
        parse_body(&rss(&item)).entries[0].image_url.clone()
    };
    assert_eq!(thumbnail("width=\"60\" height=\"60\""), None);
    for size in ["", "height=\"60\"", "width=\"480\" height=\"60\"", "width=\"60px\" height=\"60\""] {
        assert_eq!(thumbnail(size).as_deref(), Some("https://c.example/a.png"), "{size}");
    }
    let own = "<media:thumbnail xmlns:media=\"http://search.yahoo.com/mrss/\" width=\"60\" height=\"60\" \
               url=\"https://c.example/feed.png\"/><item><title>A</title></item>";
    assert_eq!(parse_body(&rss(own)).image_url.as_deref(), Some("https://c.example/feed.png"));
}

#[test]
fn link_to_comments_is_not_the_link_of_its_entry() {
    let item = "<item><title>A</title><comments>/a#comments</comments><link>https://example.org/a</link>\
                <itunes:duration xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">60</itunes:duration></item>";
    let entry = &parse_body(&rss(item)).entries[0];
    assert_eq!(entry.url.as_deref(), Some("https://example.org/a"));
    assert_eq!(entry.links, ["https://example.org/a#comments", "https://example.org/a"]);
    let unlinked = item.replace("<link>https://example.org/a</link>", "");
    assert_eq!(parse_body(&rss(&unlinked)).entries[0].url, None);
}
