//! Google Reader API for whole lists: export, verification of a subscription, and counts.

use crate::support::feed_app::{FeedApp, follow_feed};
use crate::support::on_each_world;
use crate::support::person::Person;

const ALL: &str = "user/-/state/com.google/reading-list";
const READ: &str = "user/-/state/com.google/read";
const STARRED: &str = "user/-/state/com.google/starred";

#[test]
fn subscriptions_are_exported_checked_and_counted() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let reader = FeedApp::sign_in(&app, &who).await;
        let number = follow_feed(&app, &who, "/feed.xml", 1..=5).await;
        let (feed, address) = (format!("feed/{number}"), format!("feed/{}", app.site.url("/feed.xml")));
        reader
            .change("subscription/edit", &[("ac", "edit"), ("s", &feed), ("a", "user/-/label/Coast")])
            .await;
        let list = reader.request("subscription/export").await.expect(200);
        assert_eq!(list.header("content-type"), "text/xml; charset=utf-8");
        let list = extract::feed::opml::read(list.text().as_bytes()).unwrap();
        assert_eq!((list.len(), &list[0].folders), (1, &vec!["Coast".to_owned()]));
        assert_eq!(list[0].feed_url, app.site.url("/feed.xml"));

        let query =
            |stream: &str| url::form_urlencoded::byte_serialize(stream.as_bytes()).collect::<String>();
        for (stream, word) in [
            (feed.as_str(), "true"),
            (&address, "true"),
            ("feed/999", "false"),
            ("feed/https://other.example.org/", "false"),
            (ALL, "false"),
        ] {
            let answer = reader.request(&format!("subscribed?s={}", query(stream))).await.expect(200).text();
            assert_eq!(answer, word, "{stream}");
        }
        reader.request("subscribed").await.expect(400);

        let id = reader.ids(&format!("s={ALL}")).await[0].to_string();
        reader.change("edit-tag", &[("i", &id), ("a", READ), ("a", STARRED)]).await;
        let count = async |query: &str| {
            reader.request(&format!("stream/items/count?{query}")).await.expect(200).text()
        };
        for (asked, number) in [
            (format!("s={ALL}"), "5"),
            (format!("s={ALL}&xt={READ}"), "4"),
            (format!("s={STARRED}"), "1"),
            (format!("s={}", query(&feed)), "5"),
            ("s=user/-/label/Coast".to_owned(), "5"),
            ("s=user/-/label/None&a=true".to_owned(), "0"),
        ] {
            assert_eq!(count(&asked).await, number, "{asked}");
        }
        let dated = count(&format!("s={ALL}&a=true")).await;
        let (number, day) = dated.split_once('#').unwrap();
        assert!(number == "5" && day.contains(", 20"), "{dated}");
        reader.request("stream/items/count").await.expect(400);
        let stranger = Person::free(&app).await;
        let other = FeedApp::sign_in(&app, &stranger).await;
        assert_eq!(other.request(&format!("subscribed?s={feed}")).await.expect(200).text(), "false");
        assert_eq!(other.request(&format!("stream/items/count?s={ALL}")).await.expect(200).text(), "0");
    });
}
