//! Feed parsing: formats, errors, texts, limits.

use super::super::dates::DateOrder;
use super::super::{FeedInput, FeedKind, debug_print, jsonl, parse};
use super::{parse_body, rss};

#[test]
fn valid_feed_is_not_marked_repaired() {
    let feed = parse_body(&rss(
        "<item><title>A</title><link>https://example.org/a?utm_source=x&amp;b=1</link></item>",
    ));
    assert_eq!(
        (feed.kind, feed.repaired, feed.title.as_deref()),
        (Some(FeedKind::Rss), false, Some("Harbour"))
    );
    assert_eq!(feed.entries[0].url.as_deref(), Some("https://example.org/a?b=1"));
}

#[test]
fn old_format_versions_are_parsed() {
    let atom = "<feed version=\"0.3\" xmlns=\"http://purl.org/atom/ns#\"><title>T</title><entry><title>E</title><id>x:1</id>\
                <link rel=\"alternate\" href=\"/e\"/><issued>2003-12-13T08:29:29-04:00</issued>\
                <content type=\"text/html\" mode=\"escaped\">&lt;p&gt;Hi&lt;/p&gt;</content></entry></feed>";
    let rdf = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://my.netscape.com/rdf/simple/0.9/\">\
               <channel><title>T</title></channel><item><title>E</title><link>https://example.org/e</link></item></rdf:RDF>";
    let old = "<rss version=\"0.93\"><channel><title>T</title><item><title>E</title><link>https://example.org/e</link></item></channel></rss>";
    for source in [atom, rdf, old] {
        let feed = parse_body(source);
        assert_eq!(feed.entries.len(), 1, "{source}");
        assert_eq!(feed.entries[0].title.as_deref(), Some("E"));
        assert_eq!(feed.entries[0].url.as_deref(), Some("https://example.org/e"));
    }
    assert_eq!(parse_body(atom).entries[0].published, Some(1_071_318_569_000));
    assert_eq!(parse_body(atom).entries[0].content_html.as_deref(), Some("<p>Hi</p>"));
}

#[test]
fn broken_feed_is_parsed_and_marked_repaired() {
    let whole = rss(
        "<item><title>One</title><link>https://example.org/1</link></item><item><title>Two &nbsp; & more</title><link>https://example.org/2?a=1&b=2</link><description><![CDATA[never closed</description></item>",
    );
    for source in [whole.clone(), whole.replace("</channel></rss>", ""), whole.replacen("</item>", "", 1)] {
        let feed = parse_body(&source);
        assert!(feed.repaired, "{source}");
        assert_eq!(feed.entries.len(), 2, "{source}");
        assert_eq!(feed.entries[1].title.as_deref(), Some("Two & more"));
        assert_eq!(feed.entries[1].url.as_deref(), Some("https://example.org/2?a=1&b=2"));
        assert_eq!(feed.entries[1].summary.as_deref(), Some("never closed"));
    }
}

#[test]
fn wide_encodings_are_decoded_without_panic() {
    let text = rss("<item><title>Größe</title></item>").replace("\"1.0\"?", "\"1.0\" encoding=\"utf-16\"?");
    let big: Vec<u8> =
        [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let widest: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    for body in [big, little, widest] {
        let feed = parse(&FeedInput { body, ..FeedInput::default() });
        assert_eq!(feed.entries[0].title.as_deref(), Some("Größe"));
    }
}

#[test]
fn markup_is_sanitised_and_urls_become_absolute() {
    let feed = parse_body(&rss(
        "<item><title>&lt;b&gt;Bold&lt;/b&gt; &amp;amp; plain</title><description><![CDATA[<p onclick=\"x()\">Hi <a href=\"../x?utm_medium=rss&id=1\">there</a>\
         <script>alert(1)</script><img src=\"javascript:alert(1)\"><img src=\"/a.png\"></p>]]></description></item>",
    ));
    let entry = &feed.entries[0];
    assert_eq!(entry.title.as_deref(), Some("Bold & plain"));
    let html = entry.summary_html.as_deref().unwrap();
    assert!(html.contains("href=\"https://example.org/x?id=1\""), "{html}");
    assert!(!html.contains("script") && !html.contains("onclick"), "{html}");
    assert_eq!(entry.image_url.as_deref(), Some("https://example.org/a.png"));
    assert_eq!(entry.summary.as_deref(), Some("Hi there"));
}

#[test]
fn control_and_bidi_characters_are_removed() {
    let feed = parse_body(&rss(
        "<item><title>a\u{0}b\u{202E}c&#1;d&#x202e;e &#147;q&#148;</title><description>x\u{8}y&#x7f;</description></item>",
    ));
    assert_eq!(feed.entries[0].title.as_deref(), Some("abcde “q”"));
    assert_eq!(feed.entries[0].summary.as_deref(), Some("xy"));
}

#[test]
fn hostile_markup_becomes_plain_text() {
    let deep = "<div>".repeat(5_000);
    let many = format!("<a {}>words</a>", "x=1 ".repeat(2_000));
    let references = "&amp;&#x41;".repeat(40_000);
    for hostile in [deep, many, references] {
        let start = std::time::Instant::now();
        let feed = parse_body(&rss(&format!(
            "<item><title>t</title><description><![CDATA[{hostile}end]]></description></item>"
        )));
        assert!(feed.entries[0].summary_html.as_deref().unwrap_or_default().ends_with("end"));
        assert!(start.elapsed().as_secs() < 10);
    }
}

#[test]
fn only_the_newest_items_within_the_limit_are_returned() {
    let item = |n: u32| {
        let (hour, minute) = (n / 60, n % 60);
        let time = format!("2026-01-01T{hour:02}:{minute:02}:00Z");
        format!("<item><title>N{n}</title><guid>g{n}</guid><pubDate>{time}</pubDate></item>")
    };
    let items: Vec<String> = (0..900).map(item).collect();
    let feed = parse_body(&rss(&items.concat()));
    assert_eq!((feed.entries.len(), feed.dropped), (500, 400));
    assert_eq!(feed.entries.last().unwrap().title.as_deref(), Some("N899"));
}

#[test]
fn polling_hints_and_hubs_are_read() {
    let feed = parse_body(&rss(
        "<ttl>90</ttl><skipHours><hour>0</hour><hour>23</hour></skipHours><skipDays><day>Sunday</day></skipDays>\
         <atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"hub\" href=\"https://hub.example.net/\"/>\
         <atom:link rel=\"self\" href=\"https://example.org/self\"/><item><title>x</title></item>",
    ));
    assert_eq!(feed.hints.ttl_minutes, Some(90));
    assert_eq!((feed.hints.skip_hours, feed.hints.skip_days), ((1 << 23) | 1, 1 << 6));
    assert_eq!(feed.hub.hubs, ["https://hub.example.net/"]);
    assert_eq!(feed.hub.topic.as_deref(), Some("https://example.org/self"));
}

#[test]
fn podcast_images_and_authors_are_read() {
    let feed = parse_body(
        "<rss version=\"2.0\" xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"><channel><title>P</title>\
         <itunes:image href=\"https://example.org/p.jpg\"/><item><title>E</title><itunes:author>Ann Lee</itunes:author>\
         <itunes:image href=\"https://example.org/e.jpg\"/><enclosure url=\"https://example.org/e.mp3\" type=\"audio/mpeg\"/></item></channel></rss>",
    );
    assert_eq!(feed.image_url.as_deref(), Some("https://example.org/p.jpg"));
    let entry = &feed.entries[0];
    assert_eq!(entry.author.as_deref(), Some("Ann Lee"));
    assert_eq!(entry.image_url.as_deref(), Some("https://example.org/e.jpg"));
    assert_eq!(entry.links, ["https://example.org/e.mp3"]);
}

#[test]
fn truncated_json_feed_is_parsed() {
    let whole = r#"{"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"https://example.org/","items":[
        {"id":7,"url":"/7","content_html":"<p>Seven</p>","date_published":"2026-01-02T03:04:05Z","authors":[{"name":"Ann"}]},
        {"id":"8","url":"/8","content_text":"Eight <b>"},]}"#;
    for source in [whole.to_owned(), whole[..whole.len() - 2].to_owned()] {
        let feed = parse_body(&source);
        assert_eq!(
            (feed.kind, feed.repaired, feed.entries.len()),
            (Some(FeedKind::Json), true, 2),
            "{source}"
        );
        assert_eq!(feed.entries[0].id, "7");
        assert_eq!(feed.entries[0].url.as_deref(), Some("https://example.org/7"));
        assert_eq!(feed.entries[1].content_html.as_deref(), Some("Eight &lt;b&gt;"));
    }
}

#[test]
fn documents_of_other_formats_are_not_feeds() {
    for source in [
        "",
        "hello",
        "<html><body><p>x</p></body></html>",
        "{\"a\":1}",
        "{\"items\":[1]}",
        "<svg/>",
        "\u{0}\u{1}",
    ] {
        assert!(!parse_body(source).is_feed(), "{source}");
    }
}

#[test]
fn both_parsers_yield_equal_marks() {
    let sound = rss(
        "<item><title>A &amp; B</title><link>https://example.org/1</link><guid isPermaLink=\"false\"> 1 </guid><pubDate>Thu, 01 Oct 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;x&lt;/p&gt;</description></item>",
    );
    let broken = sound.replace("</channel></rss>", "");
    let (sound, broken) = (parse_body(&sound), parse_body(&broken));
    assert!(!sound.repaired && broken.repaired);
    assert_eq!(sound.entries[0].marks, broken.entries[0].marks);
    assert_eq!(sound.entries[0].key, broken.entries[0].key);
}

#[test]
fn feed_date_formats_are_parsed() {
    let at =
        |text: &str| super::super::dates::parse(text, DateOrder::default()).map(|time| time.to_rfc3339());
    for (text, expected) in [
        ("Tue, 01 Oct 2024 10:00:00 EST", "2024-10-01T15:00:00+00:00"),
        ("1 October 24 9:05 PM +0200", "2024-10-01T19:05:00+00:00"),
        ("Tue Oct  1 10:00:00 2024", "2024-10-01T10:00:00+00:00"),
        ("2024-10-01T10:00:00.5-0500", "2024-10-01T15:00:00.500+00:00"),
        ("2024-275", "2024-10-01T00:00:00+00:00"),
        ("Di, 01 Okt 2024 24:00:00 GMT", "2024-10-02T00:00:00+00:00"),
        ("Oct 1, 2024 10:00:00 GMT", "2024-10-01T10:00:00+00:00"),
        ("02.11.2026 10:00", "2026-11-02T10:00:00+00:00"),
        ("2.11.26", "2026-11-02T00:00:00+00:00"),
        ("02/11/2026", "2026-02-11T00:00:00+00:00"),
        ("25/12/2026", "2026-12-25T00:00:00+00:00"),
        ("mar, 03 nov 2026 10:00:00 GMT", "2026-11-03T10:00:00+00:00"),
        ("2026-11-02T10:00:00-07:00[America/Los_Angeles]", "2026-11-02T17:00:00+00:00"),
        ("1700000000", "2023-11-14T22:13:20+00:00"),
        ("1700000000000", "2023-11-14T22:13:20+00:00"),
    ] {
        assert_eq!(at(text).as_deref(), Some(expected), "{text}");
    }
    let unknown = ["0001-01-01T00:00:00Z", "Mon, 01 Jan 0001 00:00:00 +0000", "[2024-10-01]", "1.2.3.4"];
    let wrong = ["", "soon", "2024-13-01", "99:99:99", "Tue, 00 Oct 2024", &"9".repeat(200)];
    for text in wrong.into_iter().chain(unknown) {
        assert_eq!(at(text), None, "{text}");
    }
}

#[test]
fn numeric_dates_are_read_in_the_order_of_the_feed_language() {
    let expected =
        [("", 2, 11), ("en", 2, 11), ("en-us", 2, 11), ("en-GB", 11, 2), ("de", 11, 2), ("fr-CA", 11, 2)];
    for (language, month, day) in expected {
        let item = "<item><title>A</title><pubDate>02/11/2026 10:00</pubDate></item>";
        let feed = rss(&format!("<language>{language}</language>{item}"));
        for source in [feed.clone(), feed.replace("</channel></rss>", "")] {
            let published = parse_body(&source).entries[0].published.and_then(jsonl::time);
            assert_eq!(published, Some(format!("2026-{month:02}-{day:02}T10:00:00Z")), "{language}");
        }
    }
}

#[test]
fn unusual_dates_of_items_are_parsed() {
    let feed = parse_body(include_str!("../../../tests/feeds/dates.xml"));
    let times: Vec<Option<String>> =
        feed.entries.iter().map(|entry| entry.published.and_then(jsonl::time)).collect();
    let expected = [Some("2026-11-02T10:00:00Z"), Some("2026-11-02T17:00:00Z"), None];
    assert_eq!(times, expected.map(|time| time.map(str::to_owned)));
}

#[test]
fn each_input_line_gets_one_response() {
    let body = rss("<item><title>A</title><pubDate>Thu, 01 Oct 2026 10:00:00 GMT</pubDate></item>");
    let line =
        r#"{"id":"x","path":"p","headers":{"Content-Type":"text/xml"},"base_uri":"https://example.org/"}"#;
    let answer = jsonl::answer(line, |_| Ok(body.clone().into_bytes()));
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["id"], "x");
    assert_eq!(answer["entries"][0]["published"], "2026-10-01T10:00:00Z");
    for line in ["", "[]", "{\"id\":1}", line] {
        let answer = jsonl::answer(line, |_| Err(std::io::ErrorKind::NotFound.into()));
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["ok"], false, "{line}");
        assert!(answer["error"].is_string());
    }
    assert!(debug_print::debug_print(&parse_body(&body)).contains("* A\n"));
}

#[test]
fn self_closed_elements_of_an_entry_are_empty() {
    for empty in [
        "<script src=\"x.js\"/>",
        "<style/>",
        "<iframe src=\"https://a.example/\" />",
        "<title/>",
        "<textarea/>",
    ] {
        let atom = format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><entry><title>E</title><id>x:1</id><updated>2024-01-01T00:00:00Z</updated>\
             <content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">{empty}<p>Words of it.</p></div></content></entry></feed>"
        );
        let escaped = empty.replace('<', "&lt;");
        let rss = rss(&format!(
            "<item><title>E</title><link>https://example.org/e</link><description>{escaped}&lt;p>Words of it.&lt;/p></description></item>"
        ));
        for source in [atom, rss] {
            let feed = parse_body(&source);
            let entry = &feed.entries[0];
            let markup = entry.content_html.as_ref().or(entry.summary_html.as_ref()).unwrap();
            assert!(markup.contains("<p>Words of it.</p>"), "{empty}: {markup}");
        }
    }
}
