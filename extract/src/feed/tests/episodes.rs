//! Podcast data of entries: iTunes, Podcasting 2.0, Media RSS and JSON Feed.

use super::super::{Episode, EpisodeKind, EpisodePerson, FeedInput, KnownEntry, TranscriptFile, parse};
use super::{EntryState, parse_body, rss};

const ITUNES: &str = "xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"";
const PODCAST: &str = "xmlns:podcast=\"https://podcastindex.org/namespace/1.0\"";
const AUDIO: &str = "<enclosure url=\"https://cdn.example/1.mp3\" type=\"audio/mpeg\" length=\"1048576\"/>";

/// Feed that declares both namespaces, with these elements in its channel and its item.
fn show(channel: &str, item: &str) -> String {
    rss(&format!("{channel}<item><title>E</title><guid>1</guid>{AUDIO}{item}</item>"))
        .replace("<rss ", &format!("<rss {ITUNES} {PODCAST} "))
}

fn episode(item: &str) -> Option<Episode> {
    parse_body(&show("", item)).entries.remove(0).episode
}

fn person(name: &str, role: &str) -> EpisodePerson {
    EpisodePerson { name: name.to_owned(), role: role.to_owned(), ..EpisodePerson::default() }
}

#[test]
fn itunes_elements_are_read() {
    let item = "<itunes:duration>1:02:03</itunes:duration><itunes:season>2</itunes:season>\
        <itunes:episode>7</itunes:episode><itunes:episodeType>Bonus</itunes:episodeType>\
        <itunes:explicit>yes</itunes:explicit><itunes:image href=\"https://cdn.example/7.jpg\"/>";
    let only_itunes = rss(&format!("<item><title>E</title>{AUDIO}{item}</item>"))
        .replace("<rss ", &format!("<rss {ITUNES} "));
    for source in [show("", item), only_itunes] {
        let entry = parse_body(&source).entries.remove(0);
        let expected = Episode {
            duration_seconds: Some(3723),
            season: Some(2),
            number: Some(7),
            kind: Some(EpisodeKind::Bonus),
            explicit: Some(true),
            ..Episode::default()
        };
        assert_eq!(entry.episode, Some(expected), "{source}");
        assert_eq!(entry.image_url.as_deref(), Some("https://cdn.example/7.jpg"));
        assert_eq!(entry.enclosures[0].size_bytes, Some(1_048_576));
    }
}

#[test]
fn durations_are_read_in_every_notation() {
    let cases = [
        ("90", Some(90)),
        ("62:03", Some(3723)),
        ("01:02:03.9", Some(3723)),
        ("5400.25", Some(5400)),
        ("00:00:00", None),
        ("1:2:3:4", None),
        ("an hour", None),
        ("99999999999", None),
        ("", None),
    ];
    for (written, expected) in cases {
        let read = episode(&format!("<itunes:duration>{written}</itunes:duration>"));
        assert_eq!(read.and_then(|episode| episode.duration_seconds), expected, "{written}");
    }
}

#[test]
fn chapters_and_transcripts_are_read() {
    let item = "<podcast:chapters url=\"/c/1.json\" type=\"application/json+chapters\"/>\
        <podcast:transcript url=\"https://cdn.example/1.html\" type=\"text/html\" language=\"en\"/>\
        <podcast:transcript url=\"https://cdn.example/1.SRT?v=1\" language=\"en\"></podcast:transcript>\
        <podcast:transcript url=\"https://cdn.example/de\" type=\"Text/VTT; charset=utf-8\" language=\"de\"/>\
        <podcast:transcript url=\"ftp://cdn.example/1\" type=\"text/plain\"/><podcast:transcript url=\"\"/>";
    let read = episode(item).unwrap();
    assert_eq!(read.chapters_url.as_deref(), Some("https://example.org/c/1.json"));
    let file = |url: &str, media_type: &str, language: &str| TranscriptFile {
        url: url.to_owned(),
        media_type: media_type.to_owned(),
        language: Some(language.to_owned()),
    };
    let expected = [
        file("https://cdn.example/1.html", "text/html", "en"),
        file("https://cdn.example/1.SRT?v=1", "application/x-subrip", "en"),
        file("https://cdn.example/de", "text/vtt", "de"),
    ];
    assert_eq!(read.transcripts, expected);
    assert_eq!(read.readable_transcripts(), [&expected[1], &expected[2]]);
}

#[test]
fn persons_of_an_episode_replace_persons_of_the_feed() {
    let own = "<podcast:person role=\"Guest\" href=\"https://ann.example/\" img=\"/ann.jpg\">Ann  Lee</podcast:person>\
        <podcast:person>Bo &amp; Co</podcast:person><podcast:person>Bo &amp; Co</podcast:person><podcast:person/>";
    let channel =
        "<podcast:person group=\"cast\">Host Hal</podcast:person><itunes:explicit>false</itunes:explicit>";
    let ann = EpisodePerson {
        url: Some("https://ann.example/".to_owned()),
        image_url: Some("https://example.org/ann.jpg".to_owned()),
        ..person("Ann Lee", "guest")
    };
    let read = |item: &str| parse_body(&show(channel, item)).entries.remove(0).episode.unwrap();
    assert_eq!(read(own).persons, [ann, person("Bo & Co", "host")]);
    assert_eq!(read("").persons, [person("Host Hal", "host")]);
    assert_eq!(
        (read("").explicit, read("<itunes:explicit>true</itunes:explicit>").explicit),
        (Some(false), Some(true))
    );
    let silent = parse_body(&show(channel, "").replace(AUDIO, "")).entries.remove(0).episode;
    assert_eq!(silent, None, "an entry without a recording is no episode");
}

#[test]
fn season_and_episode_numbers_are_read_with_their_names() {
    let read = episode(
        "<podcast:season name=\"The  Sea\">3</podcast:season><podcast:episode display=\"Part 2\">2</podcast:episode>",
    )
    .unwrap();
    assert_eq!((read.season, read.season_name.as_deref()), (Some(3), Some("The Sea")));
    assert_eq!((read.number, read.label.as_deref()), (Some(2), Some("Part 2")));
    let decimal =
        episode("<podcast:episode>3.5</podcast:episode><itunes:episode>3</itunes:episode>").unwrap();
    assert_eq!((decimal.number, decimal.label.as_deref()), (Some(3), Some("3.5")));
    assert_eq!(episode("<podcast:episode>soon</podcast:episode><itunes:season>-1</itunes:season>"), None);
}

#[test]
fn unknown_podcast_elements_are_skipped_with_their_content() {
    let live = "<podcast:liveItem status=\"live\"><title>Live</title><guid>live</guid>\
        <enclosure url=\"https://cdn.example/live\" type=\"audio/mpeg\"/><podcast:person>Liv</podcast:person></podcast:liveItem>";
    let value = "<podcast:value type=\"lightning\"><podcast:valueRecipient name=\"x\"/><title>Pay</title></podcast:value>\
        <podcast:duration>9</podcast:duration>";
    let feed = parse_body(&show(live, value));
    assert_eq!(feed.entries.len(), 1);
    assert_eq!(feed.entries[0].title.as_deref(), Some("E"));
    assert_eq!((&feed.entries[0].episode, feed.title.as_deref()), (&None, Some("Harbour")));
}

#[test]
fn podcast_namespace_is_recognised_by_urls_and_prefix() {
    let chapters = "<podcast:chapters url=\"https://cdn.example/c\"/>";
    let older = "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md";
    let source = show("", chapters);
    let other_prefix = source.replace("podcast:", "p:").replace("xmlns:podcast", "xmlns:p");
    let undeclared = source.replace(PODCAST, "");
    for source in [
        &source,
        &source.replace("https://podcastindex.org/namespace/1.0", older),
        &other_prefix,
        &undeclared,
    ] {
        let episode = parse_body(source).entries.remove(0).episode.unwrap_or_default();
        assert_eq!(episode.chapters_url.as_deref(), Some("https://cdn.example/c"), "{source}");
    }
}

#[test]
fn duration_of_media_and_attachments_is_read() {
    let media = "<media:content xmlns:media=\"http://search.yahoo.com/mrss/\" url=\"https://cdn.example/a.mp4\" \
        type=\"video/mp4\" duration=\"61\" fileSize=\"7\"/>";
    let entry = parse_body(&rss(&format!("<item><title>A</title>{media}</item>"))).entries.remove(0);
    assert_eq!(entry.episode.and_then(|episode| episode.duration_seconds), Some(61));
    assert_eq!(entry.enclosures[0].size_bytes, Some(7));
    let json = r#"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","content_text":"x",
        "attachments":[{"url":"https://cdn.example/a.mp3","mime_type":"audio/mpeg","duration_in_seconds":62.5,"size_in_bytes":9}]}]}"#;
    let entry = parse_body(json).entries.remove(0);
    assert_eq!(entry.episode.and_then(|episode| episode.duration_seconds), Some(62));
    assert_eq!(entry.enclosures[0].size_bytes, Some(9));
}

#[test]
fn transcripts_and_persons_are_limited() {
    let many = |element: &str| (0..100).map(|n| element.replace("{n}", &n.to_string())).collect::<String>();
    let transcripts = many("<podcast:transcript url=\"https://cdn.example/{n}\" type=\"text/plain\"/>");
    let persons = many("<podcast:person>Person {n}</podcast:person>");
    let read = episode(&(transcripts + &persons)).unwrap();
    assert_eq!((read.transcripts.len(), read.persons.len()), (10, 30));
    let long = episode(&format!("<podcast:person>{}</podcast:person>", "x".repeat(9_000))).unwrap();
    assert_eq!(long.persons[0].name.chars().count(), 200);
    let page = format!("https://cdn.example/{}", "x".repeat(2_000));
    let large = many(&format!("<podcast:person href=\"{page}\">Person {{n}}</podcast:person>"));
    let persons = episode(&large).unwrap().persons;
    assert!((5..10).contains(&persons.len()), "{} persons", persons.len());
    assert_eq!(persons[0].name, "Person 0");
}

#[test]
fn stored_episode_is_returned_unless_it_is_fixed() {
    let body = show("", "<podcast:chapters url=\"https://cdn.example/c\"/>");
    let marks = parse_body(&body).entries[0].marks;
    for (fixed_through, is_returned) in [(0, true), (1, false)] {
        let feed = parse(&FeedInput {
            body: body.as_bytes().to_vec(),
            base_url: Some("https://example.org/news/feed.xml".to_owned()),
            known: vec![KnownEntry { id: 1, marks }],
            was_read: true,
            fixed_through,
            ..FeedInput::default()
        });
        assert_eq!(feed.entries[0].state, EntryState::Same { id: 1 });
        assert_eq!(feed.entries[0].episode.is_some(), is_returned);
    }
}
