//! Choices of the messages that channels get: new entries of a collection or a rule, their texts, and saved
//! items.

use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::notices::{add_webhook, deliver_due_notices};
use crate::notices_entries::{change, follow, payloads, publish, rss, run_all, titles, write_messages};
use crate::support::browser::Browser;
use crate::support::clock::{HOUR, MINUTE};
use crate::support::owned_objects::create_channel;
use crate::support::person::Person;
use crate::support::rss::{document, feed};
use crate::support::{Reply, TestApp, on_each_world};

/// Signs in and adds a webhook. Returns its id.
async fn webhook(app: &TestApp, who: &Person) -> String {
    let mut browser = Browser::signed_in(app, who).await;
    let hook = app.site.put("/hook", Reply::status(204));
    add_webhook(&mut browser, &hook).await.0
}

async fn effective(app: &TestApp, who: &Person, path: &str) -> (Value, Value) {
    let settings = who.get(app, path).await.expect(200).json();
    (settings["notify"].clone(), settings["effectiveNotify"].clone())
}

#[test]
fn feed_without_channels_notifies_the_channels_of_its_collection() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let channel = webhook(&app, &who).await;
        let path = follow(&app, &who).await;
        run_all(&app).await;
        let made = who.post(&app, "/v1/rss/collections", &json!({ "name": "Harbours" })).await.expect(201);
        let collection = format!("/v1/rss/collections/{}", made.json()["collection"]["id"]);
        let settings = format!("{collection}/settings");
        change(&app, &other, &settings, json!({ "notify": [] })).await.api_error(404, "not_found");
        let theirs = create_channel(&app, &other).await;
        change(&app, &who, &settings, json!({ "notify": [theirs] })).await.api_error(404, "not_found");
        let set = change(&app, &who, &settings, json!({ "notify": [channel] })).await.expect(200).json();
        assert_eq!(set, json!({ "readAfterDays": null, "notify": [channel] }));
        publish(&app, feed(1..=3)).await;
        assert_eq!(payloads(&app), Vec::<Value>::new(), "the feed is in another collection");

        let followed = who.get(&app, &path.replace("/settings", "")).await.expect(200).json();
        let feed_id = &followed["subscription"]["feedId"];
        change(&app, &who, &collection, json!({ "feedIds": [feed_id] })).await.expect(200);
        assert_eq!(effective(&app, &who, &path).await, (Value::Null, json!([channel])));
        publish(&app, feed(1..=4)).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 1);
        assert_eq!(titles(&all[0]), ["Note 4"], "entries from before are not sent");

        change(&app, &who, &path, json!({ "notify": [] })).await.expect(200);
        publish(&app, feed(1..=5)).await;
        assert_eq!(payloads(&app).len(), 1, "the feed has its own setting");
        change(&app, &who, &path, json!({ "notify": null })).await.expect(200);
        publish(&app, feed(1..=6)).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 2);
        assert_eq!(titles(&all[1]), ["Note 6"]);

        let mut browser = Browser::signed_in(&app, &who).await;
        let at = collection.replace("/v1/rss", "");
        let page = browser.open("/collections").await.expect(200).text();
        assert!(page.contains("Channels: 1") && !page.contains("name=\"notify\""), "{page}");
        let chosen = at.replace("/collections/", "/collections?channels=");
        let page = browser.open(&chosen).await.expect(200).text();
        assert!(page.contains(&format!("name=\"notify\" value=\"{channel}\" checked")), "{page}");
        browser.submit(&at, &[("act", "notify")]).await.expect(303);
        assert_eq!(effective(&app, &who, &path).await, (Value::Null, json!([])));
        publish(&app, feed(1..=7)).await;
        assert_eq!(payloads(&app).len(), 2);
    });
}

#[test]
fn feed_channels_replace_the_channels_of_the_collection() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let channel = webhook(&app, &who).await;
        let path = follow(&app, &who).await;
        let followed = who.get(&app, &path.replace("/settings", "")).await.expect(200).json();
        let settings = format!("/v1/rss/collections/{}/settings", followed["subscription"]["folderId"]);
        change(&app, &who, &settings, json!({ "notify": [channel] })).await.expect(200);
        let at = path.replace("/v1/rss", "").replace("/settings", "");
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open(&at).await.expect(200).text();
        assert!(page.contains("From the collection") && page.contains("My program"), "{page}");
        browser.submit(&at, &[("notifyNone", "on")]).await.expect(303);
        assert_eq!(effective(&app, &who, &path).await, (json!([]), json!([])));
        browser.open(&at).await.expect(200);
        browser.submit(&at, &[("notify", channel.as_str())]).await.expect(303);
        assert_eq!(effective(&app, &who, &path).await, (json!([channel]), json!([channel])));
        browser.open(&at).await.expect(200);
        browser.submit(&at, &[]).await.expect(303);
        assert_eq!(effective(&app, &who, &path).await, (Value::Null, json!([channel])));
    });
}

/// Creates a rule on the page of a feed. The rule sends entries with these words in their titles to a
/// channel.
async fn send_matching(app: &TestApp, who: &Person, path: &str, (words, channel): (&str, &str)) {
    let rules = path.replace("/v1/rss", "").replace("/settings", "/rules");
    let mut browser = Browser::signed_in(app, who).await;
    browser.open(&rules).await.expect(200);
    let fields =
        [("act", "create"), ("action", "notify"), ("part", "title"), ("kind", "words"), ("words", words)];
    let refused = browser.submit(&rules, &fields).await.expect(422).text();
    assert!(refused.contains("<a href=\"#notify\">Select at least one channel.</a>"), "{refused}");
    assert!(refused.contains("<fieldset id=\"notify\""), "{refused}");
    browser.open(&rules).await.expect(200);
    let with_channel: Vec<(&str, &str)> = fields.into_iter().chain([("notify", channel)]).collect();
    browser.submit(&rules, &with_channel).await.expect(303);
    let page = browser.open(&rules).await.expect(200).text();
    assert!(page.contains("Send to channels") && page.contains("My program"), "{page}");
}

#[test]
fn rule_sends_only_matching_entries_and_a_channel_gets_each_entry_in_one_message() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let channel = webhook(&app, &who).await;
        let path = follow(&app, &who).await;
        run_all(&app).await;
        send_matching(&app, &who, &path, ("storm", &channel)).await;
        let storms =
            |document: String| document.replace("Note 4<", "Storm 4<").replace("Note 6<", "Storm 6<");
        publish(&app, rss(storms(document(1..=5)))).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!((titles(&all[0]), &all[0]["data"]["more"]), (vec!["Storm 4"], &json!(0)));

        // The worker was killed after it had written the message.
        let again = "INSERT INTO feed_notice_request (feed_id, after_id, due_at) SELECT id, 0, 0 FROM feed";
        app.app.domain.db().write().execute_unprepared(again).await.unwrap();
        run_all(&app).await;
        assert_eq!(payloads(&app).len(), 1);

        change(&app, &who, &path, json!({ "notify": [channel] })).await.expect(200);
        publish(&app, rss(storms(document(1..=7)))).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 2, "the channel gets entry 6 as a channel of the feed only");
        assert_eq!(titles(&all[1]), ["Storm 6", "Note 7"]);
        let rows = app.app.domain.db().write();
        let pending = kernel::statement::scalar(rows, "SELECT count(*) FROM rss_rule_notice", []).await;
        assert_eq!(pending.unwrap(), 0);
    });
}

#[test]
fn entries_sent_by_rules_wait_after_the_maximum_number_of_messages_per_day() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let channel = webhook(&app, &who).await;
        let path = follow(&app, &who).await;
        run_all(&app).await;
        send_matching(&app, &who, &path, ("note", &channel)).await;
        let publish_now = async |reply: Reply| {
            app.site.put("/feed.xml", reply);
            app.clock.advance(6 * MINUTE);
            who.send(&app, Method::POST, &path.replace("/settings", "/refresh")).await.expect(202);
            run_all(&app).await;
        };
        let followed = who.get(&app, &path.replace("/settings", "")).await.expect(200).json();
        let id = followed["subscription"]["id"].as_i64().unwrap();
        write_messages(&app, &who, (id, &channel), 24).await;
        publish_now(feed(1..=3)).await;
        publish_now(feed(1..=4)).await;
        assert_eq!(payloads(&app).len(), 24);
        app.clock.advance(HOUR);
        run_all(&app).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 25);
        assert_eq!(titles(&all[24]), ["Note 3", "Note 4"]);
    });
}

#[test]
fn webhook_gets_entry_texts_if_chosen_and_texts_are_deleted_after_delivery() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let channel = webhook(&app, &who).await;
        let path = follow(&app, &who).await;
        run_all(&app).await;
        change(&app, &who, &path, json!({ "notify": [channel] })).await.expect(200);
        publish(&app, feed(1..=3)).await;
        assert!(payloads(&app)[0]["data"]["entries"][0].get("content").is_none());

        let at = format!("/v1/channels/{channel}");
        let set = change(&app, &who, &at, json!({ "entryTexts": true })).await.expect(200).json();
        assert_eq!(
            (&set["channel"]["entryTexts"], &set["channel"]["savedItems"]),
            (&json!(true), &json!(false))
        );
        let long = "tide ".repeat(10_000);
        publish(&app, rss(document(1..=5).replace("Words of 5", &long))).await;
        let all = payloads(&app);
        let entries = &all[1]["data"]["entries"];
        assert_eq!(
            (&entries[0]["content"], &entries[0]["contentCut"]),
            (&json!("Words of 4"), &json!(false))
        );
        let cut = entries[1]["content"].as_str().unwrap();
        assert!(
            cut.starts_with("tide tide") && cut.len() <= 20 * 1024 && cut.len() > 20_000,
            "{}",
            cut.len()
        );
        assert_eq!(entries[1]["contentCut"], true);
        let stored = "SELECT count(*) FROM notice WHERE kind = 'entries' \
                      AND (entries IS NOT NULL OR sealed_body IS NOT NULL)";
        let stored = kernel::statement::scalar(app.app.domain.db().write(), stored, []).await.unwrap();
        assert_eq!(stored, 0, "sent messages have no entries");
    });
}

#[test]
fn saved_item_is_sent_to_channels_that_selected_it_except_imports() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let channel = webhook(&app, &who).await;
        let saved = |app: &TestApp| -> Vec<Value> {
            let hook = app.site.requests().into_iter().filter(|seen| seen.path == "/hook");
            let all = hook.map(|seen| serde_json::from_str::<Value>(&seen.body).unwrap());
            all.filter(|payload| payload["type"] == "library.item_saved").collect()
        };
        let save = async |body: Value| {
            who.post(&app, "/v1/library/items", &body).await.expect(201);
            deliver_due_notices(&app).await;
        };
        save(json!({ "content": "Words before.", "title": "Before" })).await;
        let at = format!("/v1/channels/{channel}");
        change(&app, &who, &at, json!({ "savedItems": true })).await.expect(200);
        save(json!({ "content": "Words of the tide.", "title": "Tide", "tags": ["boats"] })).await;
        save(json!({ "content": "Imported words.", "title": "Old", "captureMethod": "import" })).await;
        let all = saved(&app);
        assert_eq!(all.len(), 1, "{all:?}");
        let item = &all[0]["data"]["items"][0];
        assert_eq!((&item["title"], &item["tags"]), (&json!("Tide"), &json!(["boats"])));
        assert_eq!((&item["url"], &all[0]["data"]["more"]), (&Value::Null, &json!(0)));
        assert_eq!(all[0]["data"]["title"], "Saved: Tide");
        assert_eq!(
            all[0]["data"]["link"],
            format!("{}/library/{}", app.origin, item["id"].as_str().unwrap())
        );
    });
}
