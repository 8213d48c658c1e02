//! Keeping of feeds through HTTP and on the pages: statistics.

use serde_json::json;

use crate::support::browser::Browser;
use crate::support::on_each_world;
use crate::support::person::Person;
use crate::support::rss::{feed, poll};

#[test]
fn statistics_of_feeds_are_listed_for_their_account_only() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/feed.xml", feed(1..=4));
        let made = who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
        poll(&app).await;
        let entries = who.get(&app, "/v1/rss/entries?limit=1").await.expect(200).json();
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open(&format!("/entries/{}", entries["entries"][0]["id"])).await.expect(200);

        let list = who.get(&app, "/v1/rss/statistics").await.expect(200).json();
        let one = &list["statistics"][0];
        assert_eq!(one["subscriptionId"], made["subscription"]["id"]);
        assert_eq!((&one["title"], &one["readShare"]), (&json!("Harbour"), &json!(0.25)));
        assert!(one["lastPostAt"].is_string() && one["lastReadAt"].is_string(), "{one}");
        assert_eq!((&one["neverRead"], &list["nextCursor"]), (&json!(false), &json!(null)));
        let none = who.get(&app, "/v1/rss/statistics?neverRead=true").await.expect(200).json();
        assert_eq!(none["statistics"], json!([]));
        let others = other.get(&app, "/v1/rss/statistics").await.expect(200).json();
        assert_eq!(others["statistics"], json!([]));
        app.get("/v1/rss/statistics").await.api_error(401, "missing_credential");
        who.get(&app, "/v1/rss/statistics?limit=101").await.api_error(422, "invalid_request");

        let page = browser.open("/subscriptions/statistics").await.expect(200).text();
        assert!(page.contains("Harbour") && page.contains("25 % read"), "{page}");
        let page = browser.open("/subscriptions/statistics?show=never-read").await.expect(200).text();
        assert!(page.contains("There are no feeds that you never read."), "{page}");
        let id = &made["subscription"]["id"];
        let page = browser.open(&format!("/subscriptions/{id}")).await.expect(200).text();
        assert!(page.contains("<dt>Read</dt><dd>25 %"), "{page}");
    });
}
