//! Categories of entries in each format, their limits, and their independence from the identity of an entry.

use super::super::categories::add_stated;
use super::super::names::Vocabulary;
use super::super::{Categories, EntryState, FeedInput, KnownEntry, ParsedFeed, parse};
use super::{parse_body, rss};

fn names(feed: &ParsedFeed) -> Vec<Vec<&str>> {
    feed.entries.iter().map(|entry| entry.categories.names.iter().map(String::as_str).collect()).collect()
}

fn atom(entry: &str) -> String {
    format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title><id>urn:t</id><entry><id>urn:1</id>\
         <title>E</title><updated>2026-01-01T00:00:00Z</updated>{entry}</entry></feed>"
    )
}

/// RSS with declarations of both vocabularies that extend it.
fn extended(items: &str) -> String {
    rss(items).replace(
        "<rss version=\"2.0\">",
        "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:media=\"http://search.yahoo.com/mrss/\">",
    )
}

#[test]
fn rss_categories_are_read_with_either_parser() {
    let feed = extended(
        "<category>Of the channel</category>\
         <item><title>One</title><guid>1</guid><category domain=\"https://example.org/\"> Sea \n trade </category>\
         <category><![CDATA[R&D]]></category><category>Boats &amp; ships</category><category/></item>\
         <item><title>Two</title><guid>2</guid></item>\
         <item><title>Three</title><guid>3</guid><dc:subject>Weather</dc:subject>\
         <media:keywords>storm, wind ,,rain</media:keywords></item>",
    );
    let expected: [&[&str]; 3] =
        [&["Sea trade", "R&D", "Boats & ships"], &[], &["Weather", "storm", "wind", "rain"]];
    let strict = parse_body(&feed);
    assert!(!strict.repaired);
    assert_eq!(names(&strict), expected);
    let broken = parse_body(&feed.replace("</channel></rss>", ""));
    assert!(broken.repaired);
    assert_eq!(names(&broken), expected);
}

#[test]
fn atom_categories_have_labels_or_terms() {
    let entry = "<category term=\"t1\" label=\"First &amp; best\"/><category term=\"t2\"></category>\
                 <category term=\"t3\" label=\"\"/><category scheme=\"urn:s\"/>";
    let feed = atom(entry);
    for source in [feed.clone(), feed.replace("</entry></feed>", "")] {
        assert_eq!(names(&parse_body(&source)), [["First & best", "t2", "t3"]], "{source}");
    }
}

#[test]
fn rdf_subjects_are_categories() {
    let feed = parse_body(
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><title>T</title><dc:subject>All</dc:subject></channel>\
         <item rdf:about=\"urn:1\"><title>E</title><dc:subject>Tides</dc:subject><dc:subject>Ebb</dc:subject></item></rdf:RDF>",
    );
    assert_eq!(names(&feed), [["Tides", "Ebb"]]);
}

#[test]
fn json_tags_are_categories() {
    let feed = |tags: &str| {
        format!(
            "{{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\
             \"items\":[{{\"id\":\"1\",\"content_text\":\"x\",\"tags\":{tags}}}]}}"
        )
    };
    let cases: [(&str, &[&str]); 4] = [
        ("[\"a\", \" b \", 7, null, {\"x\": 1}, [\"y\"], \"\"]", &["a", "b", "7"]),
        ("\"single\"", &["single"]),
        ("{\"x\": 1}", &[]),
        ("null", &[]),
    ];
    for (tags, expected) in cases {
        assert_eq!(names(&parse_body(&feed(tags))), [expected], "{tags}");
    }
}

#[test]
fn names_that_differ_only_in_letter_case_are_one_category() {
    let item = |categories: &str| rss(&format!("<item><title>T</title>{categories}</item>"));
    let category = |name: &str| format!("<category>{name}</category>");
    let feed = parse_body(&item(&["Rust", "RUST", " rust ", "Öl", "öl"].map(category).concat()));
    assert_eq!(names(&feed), [["Rust", "Öl"]]);
}

#[test]
fn hostile_categories_are_bounded_and_omitted_categories_are_counted() {
    let many = (0..40_000).map(|n| format!("<category>c{n}</category>")).collect::<Vec<String>>().concat();
    let feed = parse_body(&rss(&format!("<item><title>T</title>{many}{many}</item>")));
    let categories = &feed.entries[0].categories;
    assert_eq!((categories.names.len(), categories.omitted), (32, 40_000 - 32));
    assert_eq!(categories.names[31], "c31");

    let long = "é".repeat(100_000);
    let feed = parse_body(&rss(&format!("<item><title>T</title><category>{long}</category></item>")));
    let [name] = feed.entries[0].categories.names.as_slice() else {
        panic!("{:?}", feed.entries[0].categories)
    };
    assert_eq!(name.chars().count(), 100);
    assert!(name.ends_with('…'));

    let markup = "<category>&lt;b onclick=&quot;x()&quot;&gt;Bold&lt;/b&gt; \u{202e}move\u{0}</category>";
    let feed = parse_body(&rss(&format!("<item><title>T</title>{markup}</item>")));
    assert_eq!(names(&feed), [["Bold move"]]);
}

#[test]
fn blank_and_repeated_keywords_are_not_stored() {
    let mut stated = Vec::new();
    let content = format!("storm,{} wind,storm, ,\nrain", ",".repeat(1_000_000));
    add_stated(&mut stated, Vocabulary::Media, &[], &content);
    assert_eq!(stated, ["storm", "wind", "rain"]);
}

#[test]
fn unclosed_category_does_not_hide_the_next_entry() {
    let feed = parse_body(&rss(
        "<item><title>One</title><category>open<guid>1</guid></item><item><title>Two</title></item>",
    ));
    let titles: Vec<Option<&str>> = feed.entries.iter().map(|entry| entry.title.as_deref()).collect();
    assert_eq!(titles, [Some("One"), Some("Two")]);
    assert_eq!(names(&feed), [vec!["open"], Vec::new()]);
}

#[test]
fn categories_do_not_change_an_entry_and_are_returned_for_a_stored_entry() {
    let item = |categories: &str| {
        rss(&format!(
            "<item><title>T</title><guid>1</guid><description>text</description>{categories}</item>"
        ))
    };
    let before = parse_body(&item(""));
    let known = vec![KnownEntry { id: 7, marks: before.entries[0].marks }];
    let poll = |fixed_through: i64| {
        parse(&FeedInput {
            body: item("<category>New</category>").into_bytes(),
            base_url: Some("https://example.org/news/feed.xml".to_owned()),
            known: known.clone(),
            was_read: true,
            fixed_through,
            ..FeedInput::default()
        })
    };
    let after = poll(0);
    assert_eq!(after.entries[0].state, EntryState::Same { id: 7 });
    assert_eq!(after.entries[0].marks, before.entries[0].marks);
    assert_eq!(names(&after), [["New"]]);
    assert_eq!(poll(7).entries[0].categories, Categories::default(), "a fixed entry does not change");
}
