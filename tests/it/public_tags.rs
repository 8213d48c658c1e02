//! Public pages of tags: content, feeds, publishing and unpublishing, changes of the tag, and deletion of the
//! account.

use extract::feed::{FeedInput, parse};
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

async fn save(app: &TestApp, who: &Person, body: Value) -> String {
    let saved = who.post(app, "/v1/library/items", &body).await.expect(201).json();
    saved["item"]["id"].as_str().unwrap().to_owned()
}

async fn publish(app: &TestApp, who: &Person, name: &str) -> Value {
    let body = json!({ "name": name });
    who.post(app, "/v1/library/public-tags", &body).await.expect(200).json()["tag"].clone()
}

/// Saves an item with a private note, and other items that are not part of the page. Returns the id of the
/// first item.
async fn fill(app: &TestApp, who: &Person) -> String {
    let item = json!({"url": "https://example.org/boats?a=1&b=2", "title": "Boats & <b>oars</b>",
        "content": "<p>The ferry leaves at nine.</p>", "tags": ["Coast", "secret-tag"]});
    let id = save(app, who, item).await;
    let note = json!({"text": "private-note", "itemId": id});
    who.post(app, "/v1/library/notes", &note).await.expect(201);
    let mark = json!({"itemId": id, "quote": "ferry leaves", "note": "private-remark"});
    who.post(app, "/v1/library/highlights", &mark).await.expect(201);
    save(app, who, json!({"content": "private-text", "title": "private-file", "tags": ["coast"]})).await;
    let other = json!({"url": "https://example.org/other", "title": "other-item", "content": "x"});
    save(app, who, other).await;
    id
}

fn assert_public_content(text: &str) {
    for private in ["private-", "secret-tag", "other-item", "ferry leaves"] {
        assert!(!text.contains(private), "{private} in {text}");
    }
}

#[test]
fn public_tag_has_a_page_and_feeds_of_its_web_pages() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        fill(&app, &who).await;
        let tag = publish(&app, &who, " COAST ").await;
        assert_eq!(tag["name"], "Coast");
        assert_eq!(publish(&app, &who, "coast").await, tag, "the addresses stay");
        let url = tag["pageUrl"].as_str().unwrap();
        let page = app.get(url).await.expect(200);
        assert_eq!(
            (page.header("x-robots-tag"), page.header("cache-control")),
            ("noindex", "private, no-store")
        );
        let text = page.text();
        assert!(text.contains("Boats &amp; &lt;b&gt;oars"), "{text}");
        assert_public_content(&text);
        for (ending, kind) in [
            ("xml", "application/rss+xml"),
            ("atom", "application/atom+xml"),
            ("json", "application/feed+json"),
        ] {
            let feed_url = format!("{url}.{ending}");
            let answer = app.get(&feed_url).await.expect(200);
            assert_eq!(answer.header("content-type"), format!("{kind}; charset=utf-8"));
            assert_eq!(
                (answer.header("x-robots-tag"), answer.header("cache-control")),
                ("noindex", "private, no-cache")
            );
            assert_public_content(&answer.text());
            let feed = parse(&FeedInput { body: answer.body.clone(), ..FeedInput::default() });
            assert_eq!((feed.title.as_deref(), feed.entries.len()), (Some("Coast"), 1), "{}", answer.text());
            let again =
                app.get_with(&feed_url, &[("if-none-match", answer.header("etag"))]).await.expect(304);
            assert!(again.body.is_empty());
            app.send(Method::POST, &feed_url, &[], None).await.expect(405);
        }
        assert_eq!(tag["feedUrl"], format!("{url}.xml"));
        for wrong in [format!("{url}.pdf"), format!("{url}x"), format!("{}/feeds/tags/%00", app.origin)] {
            app.get(&wrong).await.expect(404);
        }
    });
}

#[test]
fn public_tag_with_characters_that_xml_forbids_has_well_formed_feeds() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let name = "t\u{fffe}\u{ffff}g";
        save(&app, &who, json!({"url": "https://example.org/boats", "content": "x", "tags": [name]})).await;
        let tag = publish(&app, &who, name).await;
        let url = tag["pageUrl"].as_str().unwrap();
        for ending in ["xml", "atom"] {
            let text = app.get(&format!("{url}.{ending}")).await.expect(200).text();
            assert!(!text.contains(['\u{fffe}', '\u{ffff}']), "{text}");
            assert!(
                text.contains("<title>tg</title>") && text.contains("https://example.org/boats"),
                "{text}"
            );
        }
    });
}

#[test]
fn public_tag_page_has_no_supplied_text_credentials_or_private_address() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        save(&app, &who, json!({"url": app.site.article("/town"), "tags": ["coast"]})).await;
        for url in [
            "https://example.org/mail?page=2&access_token=private-token",
            "http://192.168.1.7/private-page",
            "http://files.intranet/private-page",
        ] {
            let content = "<p>private-words of a page behind a login.</p>";
            save(&app, &who, json!({"url": url, "content": content, "tags": ["coast"]})).await;
        }
        let tag = publish(&app, &who, "coast").await;
        let url = tag["pageUrl"].as_str().unwrap();
        for ending in ["", ".xml", ".atom", ".json"] {
            let text = app.get(&format!("{url}{ending}")).await.expect(200).text();
            assert_public_content(&text);
            assert!(text.contains("https://example.org/mail?page=2"), "{text}");
            assert!(text.contains("A town by the sea"), "{text}");
        }
        let list = who.get(&app, "/v1/library/items?tag=coast").await.expect(200).json();
        assert_eq!(list["items"].as_array().unwrap().len(), 4, "{list}");
    });
}

#[test]
fn public_tag_page_is_updated_when_its_items_or_the_tag_change() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let id = fill(&app, &who).await;
        let tag = publish(&app, &who, "coast").await;
        let url = tag["pageUrl"].as_str().unwrap();
        let etag = app.get(&format!("{url}.xml")).await.expect(200).header("etag").to_owned();
        let rename = json!({"from": "coast", "to": "Shore"});
        who.post(&app, "/v1/library/tags/rename", &rename).await.expect(200);
        let text = app.get(url).await.expect(200).text();
        assert!(text.contains("Shore") && text.contains("Boats"), "{text}");
        app.get_with(&format!("{url}.xml"), &[("if-none-match", &etag)]).await.expect(200);

        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let item = format!("/v1/library/items/{id}");
        let untagged = json!({"tags": ["secret-tag"]}).to_string();
        app.send(Method::PATCH, &item, &headers, Some(untagged)).await.expect(200);
        assert!(!app.get(url).await.expect(200).text().contains("Boats"));
        assert!(!app.get(&format!("{url}.json")).await.expect(200).text().contains("Boats"));

        // Items of another tag never become public because of a merge.
        let merge = json!({"from": "shore", "to": "secret-tag"});
        who.post(&app, "/v1/library/tags/rename", &merge).await.expect(200);
        app.get(url).await.expect(404);
        let list = who.get(&app, "/v1/library/public-tags").await.expect(200).json();
        assert_eq!(list, json!({"tags": []}));
    });
}

#[test]
fn unpublished_tag_and_tag_of_a_disabled_or_deleted_account_return_404() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        fill(&app, &who).await;
        let unknown = json!({"name": "coast"});
        other.post(&app, "/v1/library/public-tags", &unknown).await.api_error(404, "not_found");
        who.post(&app, "/v1/library/public-tags", &json!({"name": " "})).await.expect(422);
        app.post("/v1/library/public-tags", &unknown).await.api_error(401, "missing_credential");
        let tag = publish(&app, &who, "coast").await;
        let url = tag["pageUrl"].as_str().unwrap();
        let path = format!("/v1/library/public-tags/{}", tag["id"].as_str().unwrap());
        other.send(&app, Method::DELETE, &path).await.api_error(404, "not_found");
        app.get(url).await.expect(200);
        who.send(&app, Method::DELETE, &path).await.expect(204);
        for ending in ["", ".xml", ".atom", ".json"] {
            app.get(&format!("{url}{ending}")).await.expect(404);
        }
        who.send(&app, Method::DELETE, &path).await.api_error(404, "not_found");

        let renewed = publish(&app, &who, "coast").await;
        let new_url = renewed["pageUrl"].as_str().unwrap();
        assert_ne!(new_url, url);
        app.get(url).await.expect(404);
        app.get(new_url).await.expect(200);
        let deleted = json!({"name": "coast"});
        who.post(&app, "/v1/library/tags/delete", &deleted).await.expect(200);
        app.get(new_url).await.expect(404);

        let last = publish(&app, &who, "secret-tag").await;
        let last = last["pageUrl"].as_str().unwrap();
        app.get(last).await.expect(200);
        identity::accounts::disable(&app.app.domain, &who.email).await.unwrap();
        app.get(last).await.expect(404);
        identity::accounts::enable(&app.app.domain, &who.email).await.unwrap();
        app.get(last).await.expect(200);
        identity::accounts::delete_by_email(&app.app.domain, &who.email).await.unwrap();
        app.get(last).await.expect(404);
        app.get(&format!("{last}.xml")).await.expect(404);
    });
}

#[test]
fn tags_are_published_and_made_private_on_pages() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        fill(&app, &who).await;
        let (mut browser, mut stranger) = (Browser::new(&app), Browser::new(&app));
        browser.sign_in(&who.email).await;
        stranger.sign_in(&other.email).await;
        let form = browser.open("/library/public-tags?tag=coast").await.expect(200).text();
        assert!(form.contains("value=\"coast\""), "{form}");
        let wrong = browser.submit("/library/public-tags", &[("name", "nothing")]).await.expect(422).text();
        assert!(wrong.contains("None of your items have this tag."), "{wrong}");
        let made = browser.submit("/library/public-tags", &[("name", "coast")]).await.expect(303);
        let page = browser.follow(&made).await;
        let url = between(&page, "aria-label=\"Link to “Coast”\">", "<");
        assert!(url.contains("/feeds/tags/"), "{page}");
        app.get(url).await.expect(200);
        let action = between(&page, "action=\"/library/public-tags/", "\"");
        let action = format!("/library/public-tags/{action}");
        stranger.open("/library/public-tags").await.expect(200);
        stranger.submit(&action, &[]).await.expect(404);
        app.get(url).await.expect(200);
        let ended = browser.submit(&action, &[]).await.expect(303);
        assert!(browser.follow(&ended).await.contains("The tag is private again."));
        app.get(url).await.expect(404);
    });
}
