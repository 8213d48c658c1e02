//! Authors of entries, of the entries' feeds, and of the feeds from which entries were copied.

use super::{parse_body, rss};

fn authors(body: &str) -> Vec<Option<String>> {
    parse_body(body).entries.into_iter().map(|entry| entry.author).collect()
}

fn atom(body: &str) -> String {
    format!("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><id>urn:t</id>{body}</feed>")
}

#[test]
fn entry_without_author_has_the_authors_of_the_feed() {
    let feeds = [
        include_str!("../../../tests/feeds/author_of_feed.atom"),
        include_str!("../../../tests/feeds/author_of_feed.json"),
    ];
    for feed in feeds {
        assert_eq!(authors(feed), [Some("Ada Feed".to_owned())], "{feed}");
    }
    let item = "<item><title>E</title><guid>1</guid></item>";
    for author in [
        "<dc:creator xmlns:dc=\"http://purl.org/dc/elements/1.1/\">Ada Feed</dc:creator>",
        "<itunes:author xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">Ada Feed</itunes:author>",
        "<author>ada@example.org (Ada Feed)</author>",
    ] {
        assert_eq!(authors(&rss(&format!("{author}{item}"))), [Some("Ada Feed".to_owned())], "{author}");
    }
}

#[test]
fn editor_of_a_channel_is_not_the_author_of_its_items() {
    let editor = "<managingEditor>ed@example.org (Ed)</managingEditor>";
    let feed = rss(&format!("{editor}<item><title>E</title></item>"));
    for source in [&feed, &feed.replace("</channel></rss>", "")] {
        assert_eq!(authors(source), [None], "{source}");
    }
}

#[test]
fn authors_of_the_source_precede_authors_of_the_feed() {
    let entry = "<entry><id>urn:1</id><title>E</title><source><title>S</title><contributor><name>Not me</name>\
                 </contributor><author><name>Sue</name></author><author><email>tom@example.org</email></author>\
                 </source></entry>";
    let own =
        entry.replace("urn:1", "urn:2").replace("</entry>", "<author><name>Own</name></author></entry>");
    let feed = atom(&format!("<author><name>Ada Feed</name></author>{entry}{own}"));
    assert_eq!(authors(&feed), [Some("Sue, tom@example.org".to_owned()), Some("Own".to_owned())]);
}

#[test]
fn several_authors_are_all_retained() {
    let two = "<author><name>Ann</name></author><author><name>Ben</name></author>";
    let feed = atom(&format!("{two}<entry><id>urn:1</id><title>E</title></entry>"));
    assert_eq!(authors(&feed), [Some("Ann, Ben".to_owned())]);
    let json = |authors: &str| {
        format!(
            "{{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"J\",\"authors\":{authors},\
             \"items\":[{{\"id\":\"1\",\"content_text\":\"Hi\"}}]}}"
        )
    };
    let list = json("[{\"name\":\"Ann\"},\"Ben\"]");
    assert_eq!(authors(&list), [Some("Ann, Ben".to_owned())]);
    assert_eq!(authors(&json("{\"name\":\"Ann\"}")), [Some("Ann".to_owned())]);
}

#[test]
fn author_given_as_a_url_is_named_by_its_last_segment() {
    for (creator, name) in [
        ("https://lemmy.example/u/ann", "ann"),
        ("https://social.example/@ann/", "ann"),
        ("https://ann.example/", "ann.example"),
        ("https://lemmy.example/u/%C3%A9ric", "éric"),
        ("https://ann.example/profile.php?id=7", "https://ann.example/profile.php?id=7"),
        ("https://ann.example (Ann)", "https://ann.example (Ann)"),
        ("https://", "https://"),
        ("Ann Quill", "Ann Quill"),
    ] {
        let item = format!(
            "<item><title>E</title><dc:creator xmlns:dc=\"http://purl.org/dc/elements/1.1/\">{creator}</dc:creator></item>"
        );
        assert_eq!(authors(&rss(&item)), [Some(name.to_owned())], "{creator}");
    }
}

#[test]
fn credited_author_is_the_author_of_an_entry_without_another_author() {
    let credits = "<media:credit xmlns:media=\"http://search.yahoo.com/mrss/\" role=\"author\">Ann</media:credit>\
                   <media:credit role=\"producer\">Ben</media:credit>";
    let entry = |more: &str| rss(&format!("<item><title>E</title>{credits}{more}</item>"));
    assert_eq!(authors(&entry("")), [Some("Ann".to_owned())]);
    assert_eq!(authors(&entry("<author>Cleo</author>")), [Some("Cleo".to_owned())]);
}
