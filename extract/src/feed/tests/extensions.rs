//! Elements of other namespaces inside entries, XHTML, and the bases of relative URLs.

use super::super::{FeedInput, FeedLimits, parse};
use super::{parse_body, rss};

#[test]
fn atom_elements_in_rss_are_read_with_any_prefix() {
    let with_atom = include_str!("../../../tests/feeds/rss_with_atom_prefix.xml");
    let with_a = include_str!("../../../tests/feeds/rss_with_a_prefix.xml");
    let with_default =
        with_atom.replace("<atom:", "<x:").replace("</atom:", "</x:").replace("xmlns:atom", "xmlns:x");
    for source in [with_atom, with_a, &with_default] {
        let entry = &parse_body(source).entries[0];
        assert_eq!(entry.url.as_deref(), Some("https://s.example/item"), "{source}");
        assert_eq!(entry.author.as_deref(), Some("Jo"));
        assert_eq!(entry.content_html.as_deref(), Some("<p>Body</p>"));
        assert_eq!(entry.published, Some(1_546_441_445_000));
        assert_eq!(entry.updated, Some(1_546_527_845_000));
    }
}

#[test]
fn rss_link_precedes_atom_link() {
    let feed = parse_body(&rss("<item><link>https://s.example/own</link><atom:link \
        xmlns:atom=\"http://www.w3.org/2005/Atom\" href=\"https://s.example/other\"/></item>"));
    assert_eq!(feed.entries[0].url.as_deref(), Some("https://s.example/own"));
}

#[test]
fn default_namespace_applies_only_to_its_element() {
    let feed = parse_body(&rss("<item><body xmlns=\"http://www.w3.org/1999/xhtml\"><p>Text</p></body>\
        <title>One</title><link>https://s.example/1</link></item><item><title>Two</title></item>"));
    let titles: Vec<Option<&str>> = feed.entries.iter().map(|entry| entry.title.as_deref()).collect();
    assert_eq!(titles, [Some("One"), Some("Two")]);
    assert_eq!(feed.entries[0].content_html.as_deref(), Some("<p>Text</p>"));
    assert_eq!(feed.entries[0].url.as_deref(), Some("https://s.example/1"));
}

#[test]
fn title_of_an_extension_is_not_used_for_the_entry() {
    let nested = include_str!("../../../tests/feeds/nested_title.atom");
    let with_default = nested.replace("x:foo xmlns:x=", "foo xmlns=").replace("/x:foo", "/foo");
    for source in [nested, &with_default] {
        assert_eq!(parse_body(source).entries[0].title.as_deref(), Some("Of the entry"), "{source}");
    }
    let media = include_str!("../../../tests/feeds/media_title.xml");
    assert_eq!(parse_body(media).entries[0].title, None);
    let ranked =
        rss("<item><media:title xmlns:media=\"http://search.yahoo.com/mrss/\">Of the file</media:title>\
        <title>Own</title></item>");
    assert_eq!(parse_body(&ranked).entries[0].title.as_deref(), Some("Own"));
    let only = ranked.replace("<title>Own</title>", "");
    assert_eq!(parse_body(&only).entries[0].title.as_deref(), Some("Of the file"));
}

#[test]
fn extension_without_end_tag_does_not_hide_fields() {
    let feed =
        parse_body(&rss("<item><x:open xmlns:x=\"urn:x\"><title>One</title><x:open><guid>1</guid></item>\
        <item><title>Two</title></item>"));
    let titles: Vec<Option<&str>> = feed.entries.iter().map(|entry| entry.title.as_deref()).collect();
    assert_eq!(titles, [Some("One"), Some("Two")]);
    assert_eq!(feed.entries[0].id, "1");
}

#[test]
fn xhtml_content_is_unchanged() {
    let feed = parse_body(include_str!("../../../tests/feeds/xhtml_br.atom"));
    assert!(!feed.repaired);
    assert_eq!(
        feed.entries[0].content_html.as_deref(),
        Some("<p>one<br>two</p><hr><img src=\"https://example.org/a.png\" alt=\"x\"><p>three<br>four</p>")
    );
    let atom = |content: &str| {
        format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>F</title><entry><id>u</id><title>E</title>\
             <content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\">{content}</div></content></entry></feed>"
        )
    };
    for (written, expected) in [
        ("a<br></br>b", "a<br>b"),
        ("<b/>plain <i title=\"1\"/>text", "<b></b>plain <i></i>text"),
        (
            "<img src=\"https://s.example/a\" alt=\"&quot;q&quot;\"/>",
            "<img src=\"https://s.example/a\" alt=\"&quot;q&quot;\">",
        ),
        ("1 &lt; 2 &amp;amp; 3", "1 &lt; 2 &amp;amp; 3"),
    ] {
        let feed = parse_body(&atom(written));
        assert_eq!(feed.entries[0].content_html.as_deref(), Some(expected), "{written}");
    }
}

#[test]
fn formula_in_mathml_becomes_tex() {
    let formula = "<math><msup><mi>a</mi><mn>2</mn></msup><mo>+</mo><mi>b</mi></math>";
    let described = |markup: &str| {
        parse_body(&rss(&format!("<item><description><![CDATA[{markup}]]></description></item>")))
    };
    let feed = described(&format!("<p>So {formula} and {formula} hold.</p>"));
    let expected = "<p>So <code>a^{2} + b</code> and <code>a^{2} + b</code> hold.</p>";
    assert_eq!(feed.entries[0].summary_html.as_deref(), Some(expected));
    let xhtml = "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><entry><id>1</id><title>E</title>\
        <content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>So <m:math \
        xmlns:m=\"http://www.w3.org/1998/Math/MathML\"><m:mi>x</m:mi></m:math></p></div></content></entry></feed>";
    assert_eq!(parse_body(xhtml).entries[0].content_html.as_deref(), Some("<p>So <code>x</code></p>"));
    // The text of a rendered formula is already in the markup.
    let rendered = described(&format!("<span>{formula}</span><span class=\"katex-html\">a2 + b</span>"));
    assert!(!rendered.entries[0].summary_html.as_deref().unwrap().contains("<code>"));
    let unclosed = described("<math><mi>x</mi><p>end</p>");
    assert!(unclosed.entries[0].summary_html.as_deref().unwrap().ends_with("<p>end</p>"));
}

#[test]
fn link_to_a_stylesheet_is_markup_of_its_field() {
    let feed = parse_body(&rss("<item><title>T</title><body>One <link rel=\"stylesheet\" \
        href=\"https://s.example/a.css\"/>and two</body><link>https://s.example/1</link></item>"));
    assert_eq!(feed.entries[0].content_html.as_deref(), Some("One and two"));
    assert_eq!(feed.entries[0].url.as_deref(), Some("https://s.example/1"));
}

#[test]
fn relative_urls_in_rss_refer_to_the_entry_or_the_site() {
    let item = "<item><title>T</title><link>/posts/1/</link><description>&lt;img src=\"a.png\"&gt;</description></item>\
                <item><title>U</title><description>&lt;img src=\"b.png\"&gt;</description></item>";
    let rss =
        rss(item).replace("<link>https://example.org/</link>", "<link>https://site.example/blog/</link>");
    for source in [rss.clone(), rss.replace("</channel></rss>", "")] {
        let feed = parse_body(&source);
        assert_eq!(feed.entries[0].url.as_deref(), Some("https://site.example/posts/1/"));
        assert_eq!(feed.entries[0].image_url.as_deref(), Some("https://site.example/posts/1/a.png"));
        assert_eq!(feed.entries[1].image_url.as_deref(), Some("https://site.example/blog/b.png"));
    }
}

#[test]
fn invalid_permalink_flag_is_ignored() {
    let item = |flag: &str| {
        rss(&format!("<item><title>T</title><guid isPermaLink=\"{flag}\">https://s.example/1</guid></item>"))
    };
    for (flag, expected) in [("false", None), ("meep", Some("https://s.example/1"))] {
        assert_eq!(parse_body(&item(flag)).entries[0].url.as_deref(), expected, "{flag}");
    }
}

#[test]
fn dublin_core_identifier_is_used_if_the_guid_is_missing() {
    let item = "<item><title>T</title><dc:identifier xmlns:dc=\"http://purl.org/dc/elements/1.1/\">doi:1</dc:identifier></item>";
    assert_eq!(parse_body(&rss(item)).entries[0].id, "doi:1");
    let with_guid = rss(&item.replace("</item>", "<guid>g</guid></item>"));
    assert_eq!(parse_body(&with_guid).entries[0].id, "g");
}

#[test]
fn encoding_that_the_bytes_contradict_is_ignored() {
    let body = include_bytes!("../../../tests/feeds/utf16_label_utf8_bytes.xml").to_vec();
    let types = [None, Some("text/xml"), Some("text/xml; charset=utf-16")];
    for content_type in types.map(|kind| kind.map(str::to_owned)) {
        let feed = parse(&FeedInput { body: body.clone(), content_type, ..FeedInput::default() });
        assert_eq!(feed.entries[0].title.as_deref(), Some("Héllo"));
    }
    let latin: Vec<u8> =
        String::from_utf8(body).unwrap().chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let feed = parse(&FeedInput { body: latin, ..FeedInput::default() });
    assert_eq!(feed.entries[0].title.as_deref(), Some("Héllo"));
}

#[test]
fn entities_of_the_document_type_are_resolved() {
    let feed = rss("<item><title>&co; &amp; more</title></item>");
    let declared = feed.replace("<rss", "<!DOCTYPE rss [<!ENTITY co \"Ada &#38; Co\">]><rss");
    assert_eq!(parse_body(&declared).entries[0].title.as_deref(), Some("Ada & Co & more"));
}

#[test]
fn gzip_file_with_trailing_bytes_is_unpacked() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(rss("<item><title>Packed</title></item>").as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    for body in [packed.clone(), [&packed[..], b"\n\0\0"].concat()] {
        let feed = parse(&FeedInput { body, ..FeedInput::default() });
        assert_eq!(feed.entries[0].title.as_deref(), Some("Packed"));
    }
}

#[test]
fn unpacked_file_is_cut_at_the_limit() {
    use std::io::Write;
    let item = |n: u32| format!("<item><title>Packed {n}</title></item>");
    let items: String = (0..1_000).map(item).collect();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(rss(&items).as_bytes()).unwrap();
    let body = encoder.finish().unwrap();
    let limits = FeedLimits { bytes: 10_000, ..FeedLimits::default() };
    assert!(body.len() < limits.bytes);
    let feed = parse(&FeedInput { body, limits, ..FeedInput::default() });
    assert!(feed.is_cut && (1..300).contains(&feed.entries.len()), "{} entries", feed.entries.len());
}

#[test]
fn text_without_tags_retains_its_line_breaks() {
    let displayed = |text: &str| {
        let item = format!("<item><title>T</title><description>{text}</description></item>");
        parse_body(&rss(&item)).entries[0].summary_html.clone().unwrap_or_default()
    };
    assert_eq!(displayed("One\nTwo &amp;amp; three\r\n\n\n \nFour"), "One<br>Two &amp; three<br><br>Four");
    assert_eq!(displayed("\n      One line,\n      formatted\n"), "One line, formatted");
    assert_eq!(displayed("&lt;p&gt;One\nTwo&lt;/p&gt;"), "<p>One\nTwo</p>");
    let lines = "a\n".repeat(200_000);
    assert!(!displayed(&lines).contains("<br>"), "the text would become too long");
}
