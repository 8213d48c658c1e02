//! Position at which browsers read a text aloud: it belongs to the account, so other devices continue there.

use serde_json::json;

use crate::desk_lists::following;
use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

const PATH: &str = "/settings/listening";

/// Saves a text. Returns its name in reading positions.
async fn saved_text(app: &TestApp, who: &Person) -> String {
    let body =
        json!({"title": "Text", "content": "The first words.\n\nThe second words.\n\nThe third words."});
    let saved = who.post(app, "/v1/library/items", &body).await.expect(201).json();
    format!("library/{}", saved["item"]["id"].as_str().unwrap())
}

#[test]
fn position_is_synchronized_until_the_text_is_read() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let text = saved_text(&app, &who).await;
        let path = format!("/{text}");
        let mut browser = Browser::signed_in(&app, &who).await;
        let mut device = Browser::signed_in(&app, &who).await;
        let page = browser.open(&path).await.expect(200).text();
        assert!(page.contains("id=\"listening\"") && !page.contains("data-offset"), "{page}");
        let at = [("text", text.as_str()), ("blocks", "3"), ("block", "1"), ("offset", "4")];
        browser.submit(PATH, &at).await.expect(204);
        let page = device.open(&path).await.expect(200).text();
        assert!(page.contains("data-blocks=\"3\" data-block=\"1\" data-offset=\"4\" data-time="), "{page}");
        let mut stranger = Browser::signed_in(&app, &other).await;
        stranger.open("/library").await.expect(200);
        stranger.submit(PATH, &at).await.expect(404);
        for wrong in [("text", "monitors/1"), ("block", "3"), ("block", "x"), ("offset", "-1")] {
            browser.open(&path).await.expect(200);
            let fields = at.map(|field| if field.0 == wrong.0 { wrong } else { field });
            browser.submit(PATH, &fields).await.expect(422);
        }
        browser.open(&path).await.expect(200);
        browser.submit_from("https://evil.example", PATH, &at).await.expect(403);
        browser.open(&path).await.expect(200);
        browser.submit(PATH, &[("text", &text)]).await.expect(204);
        let page = device.open(&path).await.expect(200).text();
        assert!(!page.contains("data-offset"), "{page}");
    });
}

#[test]
fn position_in_an_entry_belongs_to_its_followers() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let mut browser = following(&app, &who).await;
        let list = browser.open("/entries?show=all").await.expect(200).text();
        let id = between(&list, "name=\"entry\" value=\"", "\"").to_owned();
        let text = format!("entries/{id}");
        let at = [("text", text.as_str()), ("blocks", "5"), ("block", "2"), ("offset", "0")];
        browser.submit(PATH, &at).await.expect(204);
        let page = browser.open(&format!("/{text}")).await.expect(200).text();
        assert!(page.contains("data-blocks=\"5\" data-block=\"2\""), "{page}");
        let mut stranger = Browser::signed_in(&app, &other).await;
        stranger.open("/library").await.expect(200);
        stranger.submit(PATH, &at).await.expect(404);
    });
}
