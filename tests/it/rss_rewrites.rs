//! Rules that rewrite the entries of a feed, and articles that are rendered in a browser, through the API and on pages.

use feeds::SubscriptionUpdate;
use kernel::SubscriptionId;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world};

const DAY: i64 = 24 * 60 * 60 * 1000;

async fn follow(app: &TestApp, who: &Person, body: &Value) -> Value {
    who.post(app, "/v1/rss/subscriptions", body).await.json()["subscription"].clone()
}

fn settings_path(subscription: &Value) -> String {
    format!("/v1/rss/subscriptions/{}/settings", subscription["id"])
}

async fn change(app: &TestApp, who: &Person, path: &str, body: Value) -> HttpAnswer {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    app.send(Method::PATCH, path, &headers, Some(body.to_string())).await
}

async fn entries(app: &TestApp, who: &Person, query: &str) -> Vec<Value> {
    let list = who.get(app, &format!("/v1/rss/entries?limit=100&{query}")).await.expect(200).json();
    list["entries"].as_array().unwrap().clone()
}

fn titles(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["title"].as_str().unwrap()).collect()
}

fn replace(field: &str, pattern: &str, with: &str) -> Value {
    json!({"replace": {"field": field, "pattern": pattern, "with": with}})
}

/// Polls several feeds of one site. They are polled one after the other.
async fn poll_all(app: &TestApp) {
    for _ in 0..3 {
        poll(app).await;
    }
}

#[test]
fn rules_rewrite_entries_of_their_account_only_and_create_no_duplicates() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/feed.xml", feed(1..=2));
        let mine = follow(&app, &who, &json!({ "url": url })).await;
        follow(&app, &other, &json!({ "url": url })).await;
        poll(&app).await;
        let rules = json!([
            replace("title", "^Note (\\d)", "Boat $1"),
            replace("content", "Words of", "Tales of"),
            replace("address", "example\\.org", "example.net"),
        ]);
        let path = settings_path(&mine);
        let set = change(&app, &who, &path, json!({ "rewrites": rules })).await.expect(200).json();
        assert_eq!(set["rewrites"][1]["replace"], rules[1]["replace"]);
        assert_eq!((&set["rewrites"][1]["remove"], &set["rewritesSkipped"]), (&Value::Null, &json!(0)));
        poll(&app).await;

        let own = entries(&app, &who, "").await;
        assert_eq!(titles(&own), ["Boat 2", "Boat 1"]);
        assert_eq!(
            (&own[0]["url"], &own[0]["summary"]),
            (&json!("https://example.net/2"), &json!("Tales of 2"))
        );
        let list = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        assert_eq!(list["unreadTotal"], 2);
        assert_eq!(titles(&entries(&app, &other, "").await), ["Note 2", "Note 1"]);
        assert_eq!(titles(&entries(&app, &who, "query=boat").await).len(), 2, "searches know the new words");
        assert!(entries(&app, &other, "query=boat").await.is_empty());

        // A changed entry is also rewritten, and following the address again changes nothing.
        let body = document(1..=3).replace("Words of 2", "Words of two");
        app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        app.clock.advance(2 * DAY);
        poll_all(&app).await;
        let own = entries(&app, &who, "").await;
        assert_eq!(titles(&own), ["Boat 3", "Boat 2", "Boat 1"]);
        assert!(own.iter().any(|entry| entry["summary"] == "Tales of two"), "{own:?}");
        who.post(&app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(200);
        let all = who.get(&app, "/v1/rss/subscriptions").await.expect(200).json();
        assert_eq!(all["subscriptions"].as_array().unwrap().len(), 1);

        change(&app, &other, &path, json!({ "rewrites": [] })).await.api_error(404, "not_found");
        let cleared = change(&app, &who, &path, json!({ "rewrites": [] })).await.expect(200).json();
        assert_eq!(cleared["rewrites"], json!([]));
        app.site.put("/feed.xml", feed(1..=4));
        app.clock.advance(2 * DAY);
        poll_all(&app).await;
        assert_eq!(titles(&entries(&app, &who, "").await)[0], "Note 4");
    });
}

#[test]
fn filters_apply_to_rewritten_entries() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/feed.xml", feed(1..=1));
        let mine = follow(&app, &who, &json!({ "url": url })).await;
        poll(&app).await;
        let rules = json!([replace("title", "Note 3", "Advert")]);
        change(&app, &who, &settings_path(&mine), json!({ "rewrites": rules })).await.expect(200);
        poll(&app).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let at = format!("/subscriptions/{}/rules", mine["id"]);
        browser.open(&at).await.expect(200);
        let fields = [
            ("act", "create"),
            ("action", "mute"),
            ("part", "title"),
            ("kind", "words"),
            ("words", "advert"),
        ];
        browser.submit(&at, &fields).await.expect(303);
        app.site.put("/feed.xml", feed(1..=3));
        app.clock.advance(2 * DAY);
        poll_all(&app).await;
        assert_eq!(titles(&entries(&app, &who, "").await), ["Note 2", "Note 1"]);
    });
}

#[test]
fn invalid_rule_is_refused_with_its_number_and_position() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/feed.xml", feed(1..=1));
        let mine = follow(&app, &who, &json!({ "url": url })).await;
        let path = settings_path(&mine);
        let bad = json!({"rewrites": [{"remove": ".ad"}, replace("title", "a(b", "")]});
        let refused = change(&app, &who, &path, bad).await.api_error(422, "invalid_request");
        let message = refused["error"].as_str().unwrap();
        assert!(message.contains("Rule 2") && message.contains("unclosed group (character 2)"), "{message}");
        assert!(refused["details"].to_string().contains("/rewrites/1/replace/pattern"), "{refused}");
        for bad in [
            json!([{"remove": "div > p"}]),
            json!([{"apply": "no such rule"}]),
            json!([{"apply": "image_captions", "remove": ".ad"}]),
            json!([{}]),
            json!([replace("guid", "a", "b")]),
            json!([replace("title", "", "b")]),
            json!([replace("title", &"a".repeat(501), "b")]),
            json!(vec![json!({"remove": ".ad"}); 21]),
        ] {
            let body = json!({ "rewrites": bad });
            change(&app, &who, &path, body.clone()).await.api_error(422, "invalid_request");
            let preview = path.replace("/settings", "/rewrites/preview");
            who.post(&app, &preview, &body).await.api_error(422, "invalid_request");
        }
        let stored = who.get(&app, &path).await.expect(200).json();
        assert_eq!(stored["rewrites"], json!([]));
        app.get(&path).await.api_error(401, "missing_credential");
    });
}

/// Feed whose only entry has a picture with a title, a picture for deferred loading, and an advertisement.
fn comic() -> Reply {
    let markup = "&lt;div class=&quot;ad wide&quot;&gt;Buy &lt;div&gt;boats&lt;/div&gt;&lt;/div&gt;\
         &lt;img src=&quot;https://example.org/a.png&quot; alt=&quot;Boat&quot; title=&quot;It&amp;#39;s afloat&quot;&gt;\
         &lt;img srcset=&quot;https://example.org/s.png 320w, https://example.org/l.png 640w&quot;&gt;";
    let body = format!(
        "<rss version=\"2.0\"><channel><title>Comic</title><item><title>BOATS ARE NOT SHIPS</title><guid>c1</guid>\
         <link>https://example.org/c1</link><description>{markup}</description></item></channel></rss>"
    );
    Reply::bytes("application/rss+xml", body.into_bytes())
}

#[test]
fn preview_displays_entries_before_and_after_rules_that_are_then_applied() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/comic.xml", comic());
        let mine = follow(&app, &who, &json!({ "url": url })).await;
        poll(&app).await;
        let rules = json!([
            {"remove": "div.ad"},
            {"apply": "image_captions"},
            {"apply": "srcset_images"},
            {"apply": "title_capitals"},
        ]);
        let path = settings_path(&mine).replace("/settings", "/rewrites/preview");
        let hits = app.site.hits("/comic.xml");
        let preview = who.post(&app, &path, &json!({ "rewrites": rules })).await.expect(200).json();
        let (before, after) = (&preview["entries"][0]["before"], &preview["entries"][0]["after"]);
        assert_eq!(before["title"], "BOATS ARE NOT SHIPS");
        let content = before["content"].as_str().unwrap();
        assert!(content.contains("Buy") && !content.contains("afloat"), "{content}");
        assert!(!content.contains("l.png") && !content.contains("lang="), "{content}");
        assert_eq!(after["title"], "Boats are not ships");
        let content = after["content"].as_str().unwrap();
        assert!(!content.contains("Buy") && !content.contains("boats<"), "{content}");
        assert!(content.contains("<figcaption>It's afloat</figcaption>"), "{content}");
        assert!(content.contains("src=\"https://example.org/l.png\""), "{content}");
        assert!(!content.contains("lang=") && !content.contains("align="), "{content}");
        who.post(&app, &path, &json!({ "rewrites": [] })).await.expect(200);
        assert_eq!(app.site.hits("/comic.xml"), hits + 1, "further previews use the same fetch");
        other.post(&app, &path, &json!({ "rewrites": [] })).await.api_error(404, "not_found");
        app.post(&path, &json!({ "rewrites": [] })).await.api_error(401, "missing_credential");

        let mut browser = Browser::signed_in(&app, &who).await;
        let settings = format!("/subscriptions/{}", mine["id"]);
        let at = format!("{settings}/rewrites");
        assert!(browser.open(&settings).await.expect(200).text().contains(&at));
        assert!(browser.open(&at).await.expect(200).text().contains("No rule"));
        let row = |kind: &'static str, pattern: &'static str, position: &'static str| {
            [("kind", kind), ("pattern", pattern), ("with", ""), ("position", position)]
        };
        let rows = [row("image_captions", "", "2"), row("remove", "div.ad", "1"), row("", "", "3")].concat();
        let with = |act: &'static str| [rows.clone(), vec![("act", act)]].concat();
        let page = browser.submit(&at, &with("preview")).await.expect(200).text();
        assert!(page.contains("afloat") && page.contains("Before the rules"), "{page}");
        let wrong = [row("title", "ok", "1"), row("title", "a(b", "2")].concat();
        let page = browser.submit(&at, &wrong).await.expect(422).text();
        assert!(page.contains("Rule 2: this regular expression is not supported"), "{page}");
        assert!(page.contains("id=\"pattern-2-error\""), "{page}");
        browser.submit(&at, &with("save")).await.expect(303);
        let page = browser.open(&at).await.expect(200).text();
        let first = page.find("selected>Remove elements").expect("the rule is listed");
        assert!(first < page.find("selected>Add picture titles as captions").unwrap(), "{page}");

        poll(&app).await;
        let own = entries(&app, &who, "").await;
        assert_eq!(titles(&own), ["BOATS ARE NOT SHIPS"]);
        let entry = who.get(&app, &format!("/v1/rss/entries/{}", own[0]["id"])).await.expect(200).json();
        assert_eq!(entry["content"]["text"], "It's afloat");
    });
}

#[test]
fn replaced_address_that_may_not_be_fetched_is_refused_and_reported() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let url = app.site.put("/feed.xml", feed(1..=2));
        let mine = follow(&app, &who, &json!({ "url": url })).await;
        poll(&app).await;
        let rules = json!([replace("address", "^https://example.org", "ftp://example.org")]);
        let path = settings_path(&mine);
        change(&app, &who, &path, json!({ "rewrites": rules })).await.expect(200);
        poll(&app).await;
        let own = entries(&app, &who, "").await;
        assert_eq!(own[0]["url"], "https://example.org/2");
        assert_eq!(who.get(&app, &path).await.expect(200).json()["rewritesSkipped"], 2);
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open(&format!("/subscriptions/{}/rewrites", mine["id"])).await.expect(200).text();
        assert!(page.contains("because a rule could not be applied: 2"), "{page}");
    });
}

#[test]
fn exported_rules_are_imported_for_followed_feeds() {
    on_each_world(async |app| {
        let (who, heir) = (Person::free(&app).await, Person::free(&app).await);
        let domain = &app.app.domain;
        let url = app.site.put("/feed.xml", feed(1..=2));
        let mine = follow(&app, &who, &json!({ "url": url })).await;
        let rules = json!([{"remove": ".ad"}, replace("title", "^Note", "Boat")]);
        let body = json!({"rewrites": rules, "renderArticles": true});
        change(&app, &who, &settings_path(&mine), body).await.expect(200);
        let exported = feeds::export_settings(domain, who.id).await.unwrap();
        let exported = serde_json::to_vec(&exported).unwrap();
        let theirs = follow(&app, &heir, &json!({ "url": url })).await;
        for _ in 0..2 {
            let imported = feeds::import_settings(domain, heir.id, exported.clone()).await.unwrap();
            assert!(
                imported.subscriptions.failed.is_empty() && imported.rules.failed.is_empty(),
                "{imported:?}"
            );
        }
        let id = SubscriptionId::new(theirs["id"].as_i64().unwrap());
        let imported = feeds::get_subscription(domain, heir.id, id).await.unwrap();
        assert!(imported.render_articles && imported.rewrites.len() == 2);
        poll_all(&app).await;
        assert_eq!(titles(&entries(&app, &heir, "").await), ["Boat 2", "Boat 1"]);

        // Undoing the removal restores the rules.
        let removed = feeds::removable_subscription(domain, heir.id, id).await.unwrap().unwrap();
        feeds::unfollow(domain, heir.id, id).await.unwrap();
        assert!(feeds::follow_again(domain, heir.id, &removed).await.unwrap());
        let again = feeds::list_subscriptions(domain, heir.id, None, None, 10).await.unwrap().subscriptions;
        assert_eq!(again.len(), 1);
        assert!(again[0].render_articles && again[0].rewrites == imported.rewrites);
        let unknown = SubscriptionUpdate { rewrites: Some(Vec::new()), ..SubscriptionUpdate::default() };
        let refused = feeds::update_subscription(domain, who.id, again[0].id, unknown).await.unwrap_err();
        assert_eq!(refused.code, kernel::Code::NotFound);
    });
}

#[test]
fn entry_whose_article_needs_a_browser_keeps_the_text_of_the_feed() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let page = app.site.article("/town");
        let body = document(1..=1).replace("https://example.org/1?utm_source=rss", &page);
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let mine = follow(&app, &who, &json!({"url": url, "fullText": true})).await;
        follow(&app, &other, &json!({"url": url, "fullText": true})).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let at = format!("/subscriptions/{}", mine["id"]);
        browser.open(&at).await.expect(200);
        browser.submit(&at, &[("fullText", "rendered")]).await.expect(303);
        let settings = who.get(&app, &settings_path(&mine)).await.expect(200).json();
        assert_eq!(settings["renderArticles"], true);
        poll(&app).await;
        poll(&app).await;
        let id = entries(&app, &who, "").await[0]["id"].clone();
        let content = async |reader: &Person| {
            let entry = reader.get(&app, &format!("/v1/rss/entries/{id}")).await.expect(200).json();
            entry["content"].clone()
        };
        let own = content(&who).await;
        assert_eq!((&own["source"], &own["pending"]), (&json!("feed"), &json!(false)));
        assert_eq!(own["warnings"], json!(["renderer_unavailable"]));
        let theirs = content(&other).await;
        assert_eq!((&theirs["source"], &theirs["warnings"]), (&json!("article"), &json!([])));
        let page = browser.open(&format!("/entries/{id}")).await.expect(200).text();
        assert!(page.contains("this service has none") && page.contains("Words of 1"), "{page}");
        let preview = [("act", "preview"), ("fullText", "rendered")];
        let page = browser.open(&at).await.expect(200).text();
        assert!(page.contains("<option value=\"rendered\" selected>"), "{page}");
        browser.submit(&at, &preview).await.expect(422);
    });
}
