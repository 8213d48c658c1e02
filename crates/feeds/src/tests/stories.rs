//! Tests of stories in a list, on both databases.

use super::*;

const OTHER: &str = "https://other.example.net/news.xml";
const REPORT: &str = "The harbour council decided on Monday that the northern ferry will leave every morning \
    before seven, because fishermen and market traders complained about missing trains during winter";

/// Returns a feed with one entry per title, address, and description.
fn feed_of(entries: &[(&str, &str, &str)]) -> String {
    let item = |(title, url, text): &(&str, &str, &str)| {
        format!("<item><title>{title}</title><link>{url}</link><description>{text}</description></item>")
    };
    let items: Vec<String> = entries.iter().map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>Town</title>{}</channel></rss>", items.concat())
}

#[tokio::test]
async fn same_and_similar_entries_of_other_feeds_are_listed_below_the_first() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let (one, other) = (follows(domain, who, FEED).await, follows(domain, who, OTHER).await);
        let edited = REPORT.replace("Monday", "Tuesday").replace("complained", "protested");
        let first = [
            ("Ferry leaves earlier", "https://a.example.org/ferry", REPORT),
            ("Ferry leaves earlier, again", "https://a.example.org/again", REPORT),
            ("Beetles", "https://a.example.org/beetles", "Seventeen beetles"),
        ];
        let second = [
            ("A link to beetles", "https://a.example.org/beetles?utm_source=feed", "Read this"),
            ("Northern ferry leaves earlier", "https://b.example.org/ferry", edited.as_str()),
            ("Trains", "https://b.example.org/trains", "Seventeen trains"),
        ];
        arrives(domain, one.feed_id, &feed_of(&first)).await;
        arrives(domain, other.feed_id, &feed_of(&second)).await;
        let page = entries(domain, who, EntryFilter::default()).await;
        let stories = group_stories(domain, page.entries).await.unwrap();
        let related = |title: &str| {
            let story = stories.iter().find(|story| story.entry.title == title).unwrap();
            story.related.iter().map(|one| (one.entry.title.as_str(), one.relation)).collect::<Vec<_>>()
        };
        assert_eq!(related("A link to beetles"), [("Beetles", StoryRelation::Same)]);
        assert!(related("Trains").is_empty());
        let ferry = related("Northern ferry leaves earlier");
        assert_eq!(ferry.len(), 2);
        assert!(ferry.iter().all(|(_, relation)| *relation == StoryRelation::Similar), "{ferry:?}");
        let of_one = EntryFilter { feed_id: Some(one.feed_id), ..EntryFilter::default() };
        let stories = group_stories(domain, entries(domain, who, of_one).await.entries).await.unwrap();
        assert_eq!(stories.len(), 3, "entries of one feed are not grouped");
    }
}

#[tokio::test]
async fn story_signature_is_computed_before_the_transaction() {
    let body = feed_of(&[("Ferry leaves earlier", "https://a.example.org/ferry", REPORT)]);
    let parsed = extract::feed::parse(&FeedInput { body: body.into_bytes(), ..FeedInput::default() });
    let (parsed, derived) = crate::ingest::derive_all_fields(parsed, true).await.unwrap();
    let entry = &parsed.entries[0];
    let signature = crate::similarity::signature(entry.title.as_deref(), entry.summary.as_deref());
    assert!(signature.is_some());
    assert_eq!(derived[&entry.rank].story_signature, signature);
}
