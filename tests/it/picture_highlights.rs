//! Highlights of pictures: through the API and on pages, their position in a new text, reviews, public pages, and
//! exports.

use kernel::tiers::Tier;
use serde_json::{Value, json};

use crate::library_imports::{send, state};
use crate::library_items::{item_path, save_item};
use crate::support::browser::{Browser, between};
use crate::support::clock::{DAY, MINUTE};
use crate::support::person::Person;
use crate::support::{Reply, TestApp, on_each_world};

const HIGHLIGHTS: &str = "/v1/library/highlights";
const TOWER: &str = "https://a.example/tower.png?signature=1";
const BOAT: &str = "https://a.example/photos/boat.jpg";
const CAPTION: &str = "The old tower in winter";
const ALT: &str = "A tower by the sea";

/// Returns an edition of an article with a figure, and with a picture that has no text.
fn article(tower: &str, edition: u32) -> String {
    let words = "tells of boats and tide, of the people who come every morning, and of what they carry home in the evening.";
    format!(
        "<!doctype html><html lang=\"en\"><head><title>A harbour</title></head><body><article><h1>A harbour</h1>\
         <p>The first paragraph {words}</p><p>The second paragraph {words}</p>\
         <figure><img src=\"{tower}\" alt=\"{ALT}\"><figcaption>{CAPTION}</figcaption></figure>\
         <p>The third paragraph {words}</p><p><img src=\"{BOAT}\" width=\"800\" height=\"600\"></p>\
         <p>The fourth paragraph of edition {edition} {words}</p></article></body></html>"
    )
}

async fn save(app: &TestApp, who: &Person) -> Value {
    let url = app.site.put("/harbour", Reply::html(article(TOWER, 1)));
    let item = save_item(app, who, &json!({ "url": url })).await;
    app.run_jobs().await;
    item
}

/// Highlights a picture and returns the highlight.
async fn mark(app: &TestApp, who: &Person, item: &Value, url: &str) -> Value {
    let body = json!({"itemId": item["id"], "pictureUrl": url});
    who.post(app, HIGHLIGHTS, &body).await.expect(201).json()["object"].clone()
}

#[test]
fn picture_is_highlighted_by_its_url_with_its_caption() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = save(&app, &who).await;
        let body = json!({"itemId": item["id"], "pictureUrl": TOWER, "color": "blue", "note": "Draw it.", "tags": ["tower"]});
        let made = who.post(&app, HIGHLIGHTS, &body).await.expect(201).json()["object"].clone();
        assert_eq!(
            [&made["quote"], &made["anchorStatus"], &made["color"], &made["note"], &made["tags"]],
            [&json!(CAPTION), &json!("exact"), &json!("blue"), &json!("Draw it."), &json!(["tower"])]
        );
        assert_eq!(made["picture"], json!({"url": TOWER, "alt": ALT}));
        assert!(made["anchor"].is_i64() && made["startOffset"].as_i64() < made["endOffset"].as_i64());
        let again = who.post(&app, HIGHLIGHTS, &body).await.expect(200).json();
        assert_eq!(again["object"]["id"], made["id"]);

        // A highlight of the caption is a separate passage.
        let caption = json!({"itemId": item["id"], "quote": CAPTION});
        let caption = who.post(&app, HIGHLIGHTS, &caption).await.expect(201).json();
        assert_eq!(caption["object"]["picture"], Value::Null);

        let boat = mark(&app, &who, &item, BOAT).await;
        assert_eq!(boat["picture"], json!({"url": BOAT, "alt": null}));
        assert_eq!((&boat["quote"], &boat["anchorStatus"]), (&json!("boat.jpg"), &json!("exact")));
        assert_eq!(boat["startOffset"], boat["endOffset"], "the picture is not part of the text");

        let absent = mark(&app, &who, &item, "https://a.example/none.png").await;
        assert_eq!((&absent["quote"], &absent["anchorStatus"]), (&json!("none.png"), &json!("orphaned")));

        let list = who.get(&app, &format!("{HIGHLIGHTS}?itemId={}", item["id"].as_str().unwrap())).await;
        let list = list.expect(200).json()["highlights"].clone();
        assert_eq!((list.as_array().unwrap().len(), &list[3]["id"]), (4, &absent["id"]));
        let changes = who.get(&app, "/v1/library/sync?types=highlight").await.expect(200).json();
        let synced = changes["changes"].as_array().unwrap().iter();
        let mut synced = synced.map(|change| &change["object"]["picture"]["url"]);
        assert!(synced.any(|url| *url == TOWER), "{changes}");

        for (refused, code) in [
            (json!({"itemId": item["id"]}), "invalid_request"),
            (json!({"itemId": item["id"], "pictureUrl": BOAT, "quote": CAPTION}), "invalid_request"),
            (json!({"itemId": item["id"], "pictureUrl": "no address"}), "invalid_url"),
        ] {
            who.post(&app, HIGHLIGHTS, &refused).await.api_error(422, code);
        }
        other.post(&app, HIGHLIGHTS, &body).await.api_error(404, "not_found");
    });
}

#[test]
fn highlight_is_reanchored_to_its_picture_in_a_new_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = save(&app, &who).await;
        let made = mark(&app, &who, &item, TOWER).await;
        let path = format!("{HIGHLIGHTS}/{}", made["id"].as_str().unwrap());
        let refreshed = async |text: String| {
            app.site.put("/harbour", Reply::html(text));
            app.clock.advance(2 * MINUTE);
            who.post(&app, &format!("{}/refresh", item_path(&item)), &json!({})).await.expect(202);
            app.run_jobs().await;
            who.get(&app, &path).await.expect(200).json()["object"].clone()
        };
        let signed = TOWER.replace("signature=1", "signature=2");
        let moved = refreshed(article(&signed, 2)).await;
        assert_eq!((&moved["anchorStatus"], &moved["picture"]["url"]), (&json!("moved"), &json!(signed)));
        assert_eq!(moved["quote"], CAPTION);
        let gone = refreshed(article("https://a.example/other.png", 3)).await;
        assert_eq!((&gone["anchorStatus"], &gone["anchor"]), (&json!("orphaned"), &Value::Null));
        assert_eq!(gone["picture"]["url"], json!(signed));
        let back = refreshed(article(&signed, 4)).await;
        assert_eq!(back["anchorStatus"], "exact");
    });
}

#[test]
fn picture_is_highlighted_on_the_page_of_its_item_and_reviewed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let item = save(&app, &who).await;
        let at = format!("/library/{}", item["id"].as_str().unwrap());
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open(&at).await.expect(200).text();
        let button = "form=\"mark-picture\" name=\"picture\" value=\"";
        assert_eq!(page.matches(button).count(), 2, "{page}");
        assert_eq!(between(&page, button, "\""), TOWER);
        assert!(page.contains("<form class=\"noprint\" id=\"mark-picture\" method=\"post\""), "{page}");

        let path = format!("{at}/highlights");
        let marked = browser.submit(&path, &[("picture", TOWER)]).await.expect(303);
        let id = marked.header("location").split("#mark-").nth(1).unwrap().to_owned();
        let page = browser.follow(&marked).await;
        assert!(page.contains(&format!("<p class=\"image marked\" id=\"mark-{id}\">")), "{page}");
        assert_eq!(page.matches(button).count(), 1, "{page}");
        let listed = between(&page, "<div class=\"highlight-picture\">", "</div>");
        assert!(listed.contains("src=\"/pictures/") && listed.contains(ALT), "{page}");
        let fields = [("note", "Draw it."), ("color", "green")];
        browser.submit(&format!("/library/highlights/{id}"), &fields).await.expect(303);

        let text = browser.load(&format!("{at}/markdown")).await.expect(200).text();
        let (_, list) = text.split_once("\n## Highlights\n").expect("the text has its highlights");
        for words in [format!("- {CAPTION}"), format!("![{ALT}]({TOWER})"), "Draw it.".to_owned()] {
            assert!(list.contains(&words), "{words} in {list}");
        }
        let share = browser.open(&format!("/library/highlights/{id}/quote")).await.expect(200).text();
        assert!(between(&share, "<div class=\"highlight-picture\">", "</div>").contains(ALT), "{share}");
        let published = browser.submit(&format!("/library/highlights/{id}/publish"), &[]).await.expect(303);
        let page = browser.follow(&published).await;
        let url = between(&page, "aria-label=\"Quote link\">", "<");
        let public = app.get(url).await.expect(200).text();
        assert!(between(&public, "<div class=\"highlight-picture\">", "</div>").contains(ALT), "{public}");

        app.clock.advance(DAY);
        let review = browser.open("/highlights/review").await.expect(200).text();
        assert!(between(&review, "<div class=\"highlight-picture\">", "</div>").contains(ALT), "{review}");
        assert!(review.contains(CAPTION) && review.contains("Draw it."), "{review}");
    });
}

#[test]
fn picture_highlight_is_refused_without_a_session_and_for_another_account() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = save(&app, &who).await;
        let path = format!("/library/{}/highlights", item["id"].as_str().unwrap());
        let refused = app.send(reqwest::Method::POST, &path, &[], None).await;
        assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        let mut stranger = Browser::signed_in(&app, &other).await;
        stranger.open("/settings").await.expect(200);
        stranger.submit(&path, &[("picture", TOWER)]).await.expect(404);
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/settings").await.expect(200);
        browser.submit(&path, &[("picture", "javascript:steal()")]).await.expect(422);
        let list = who.get(&app, HIGHLIGHTS).await.expect(200).json();
        assert_eq!(list["highlights"], json!([]));
    });
}

#[test]
fn picture_highlight_is_part_of_exports() {
    on_each_world(async |app| {
        let (who, heir) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let item = save(&app, &who).await;
        mark(&app, &who, &item, TOWER).await;
        mark(&app, &who, &item, BOAT).await;
        let export = who.post(&app, "/v1/library/exports", &json!({})).await.expect(202).json();
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
        let archive = who.get(&app, &path).await.expect(200).body;
        for _ in 0..2 {
            let made = send(&app, &heir, archive.clone(), &[("dryRun", "false")]).await.expect(202).json();
            let done = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
        }
        let values = async |who: &Person| -> Vec<[Value; 4]> {
            let list = who.get(&app, HIGHLIGHTS).await.expect(200).json();
            let mut values: Vec<[Value; 4]> = list["highlights"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| ["picture", "quote", "anchorStatus", "anchor"].map(|name| one[name].clone()))
                .collect();
            values.sort_by_key(|values| values[1].to_string());
            values
        };
        let (own, imported) = (values(&who).await, values(&heir).await);
        assert_eq!((own.len(), &own), (2, &imported));
    });
}
