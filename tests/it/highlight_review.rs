//! Daily review of highlights on pages: due highlights, answers, repeated answers, and the state in exports.

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_imports::{send, state};
use crate::support::browser::{Browser, between};
use crate::support::clock::{DAY, SECOND};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

const PATH: &str = "/highlights/review";
const QUOTES: [&str; 2] = ["The ferry leaves", "The harbour sleeps"];

/// Saves an item with two highlights. The first has a note.
async fn fill(app: &TestApp, who: &Person) {
    let item = json!({"url": "https://example.org/boats", "title": "Boats",
        "content": "<p>The ferry leaves at nine. The harbour sleeps at ten.</p>"});
    let item = who.post(app, "/v1/library/items", &item).await.expect(201).json()["item"]["id"].clone();
    let marks = [
        json!({"itemId": item, "quote": QUOTES[0], "note": "Be early"}),
        json!({"itemId": item, "quote": QUOTES[1]}),
    ];
    for mark in marks {
        who.post(app, "/v1/library/highlights", &mark).await.expect(201);
        app.clock.advance(SECOND);
    }
}

/// Creates an account with two due highlights, and a browser that is signed in to it.
async fn with_due_highlights(app: &TestApp) -> (Person, Browser<'_>) {
    let who = Person::on(app, Tier::Pro).await;
    fill(app, &who).await;
    app.clock.advance(DAY);
    let browser = Browser::signed_in(app, &who).await;
    (who, browser)
}

/// Returns the id of the highlight on the page.
fn id_of(page: &str) -> String {
    between(page, "name=\"id\" value=\"", "\"").to_owned()
}

#[test]
fn due_highlights_follow_each_other_until_none_is_left() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        fill(&app, &who).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("Nothing is due today."), "a highlight is due a day after: {page}");
        assert!(!browser.open("/today").await.expect(200).text().contains("Review highlights"));

        app.clock.advance(DAY);
        let today = browser.open("/today").await.expect(200).text();
        assert!(today.contains("2 highlights are due today.") && today.contains(PATH), "{today}");
        let page = browser.open(PATH).await.expect(200).text();
        for words in [QUOTES[0], "Be early", "Boats", "example.org", "2 left today", "in 3 days"] {
            assert!(page.contains(words), "{words} in {page}");
        }
        let first = id_of(&page);
        let answered = browser.submit(PATH, &[("id", &first), ("answer", "later")]).await.expect(303);
        let page = browser.follow(&answered).await;
        assert!(page.contains(QUOTES[1]) && page.contains("1 left today"), "{page}");
        let second = id_of(&page);
        let again = browser.submit(PATH, &[("id", &first), ("answer", "never")]).await.expect(303);
        let page = browser.follow(&again).await;
        assert!(page.contains("1 left today") && !page.contains("not be reviewed again"), "{page}");
        let never = browser.submit(PATH, &[("id", &second), ("answer", "never")]).await.expect(303);
        let page = browser.follow(&never).await;
        assert!(page.contains("not be reviewed again") && page.contains("Nothing is due today."), "{page}");

        app.clock.advance(2 * DAY);
        assert!(browser.open(PATH).await.expect(200).text().contains("Nothing is due today."));
        app.clock.advance(DAY);
        let page = browser.open(PATH).await.expect(200).text();
        assert!(id_of(&page) == first && page.contains("in 7 days"), "{page}");
        let soon = browser.submit(PATH, &[("id", &first), ("answer", "soon")]).await.expect(303);
        assert!(browser.follow(&soon).await.contains("Nothing is due today."));
        app.clock.advance(DAY);
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("1 left today") && page.contains("in 3 days"), "{page}");
    });
}

#[test]
fn excluded_highlight_is_included_again_on_the_page_of_its_item() {
    on_each_world(async |app| {
        let (_, mut browser) = with_due_highlights(&app).await;
        let first = id_of(&browser.open(PATH).await.expect(200).text());
        browser.submit(PATH, &[("id", &first), ("answer", "never")]).await.expect(303);
        let item = browser.open(&format!("/library/highlights/{first}")).await.expect(303);
        let page = browser.follow(&item).await;
        assert_eq!(page.matches("Review again").count(), 1, "{page}");
        let path = format!("/library/highlights/{first}");
        let resumed = browser.submit(&path, &[("act", "review")]).await.expect(303);
        let page = browser.follow(&resumed).await;
        assert!(page.contains("The highlight will be reviewed again."), "{page}");
        assert!(!page.contains("Review again"), "{page}");
        assert!(page.contains("Be early"), "the note stays: {page}");
        assert!(browser.open(PATH).await.expect(200).text().contains("2 left today"));
    });
}

#[test]
fn review_is_refused_without_a_session_for_another_account_and_with_invalid_input() {
    on_each_world(async |app| {
        let (_, mut browser) = with_due_highlights(&app).await;
        let other = Person::on(&app, Tier::Pro).await;
        let mut stranger = Browser::signed_in(&app, &other).await;
        for method in [Method::GET, Method::POST] {
            let refused = app.send(method, PATH, &[], None).await;
            assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        }
        let id = id_of(&browser.open(PATH).await.expect(200).text());
        assert!(stranger.open(PATH).await.expect(200).text().contains("Nothing is due today."));
        stranger.open("/settings").await.expect(200);
        stranger.submit(PATH, &[("id", &id), ("answer", "never")]).await.expect(404);
        stranger.open("/settings").await.expect(200);
        let path = format!("/library/highlights/{id}");
        stranger.submit(&path, &[("act", "review")]).await.expect(404);
        browser.submit(PATH, &[("id", &id), ("answer", "maybe")]).await.expect(422);
        browser.open(PATH).await.expect(200);
        browser.submit(PATH, &[("id", "x"), ("answer", "soon")]).await.expect(404);
        assert!(browser.open(PATH).await.expect(200).text().contains("2 left today"));
    });
}

#[test]
fn highlight_of_an_item_whose_deletion_is_pending_is_not_due() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let list = who.get(&app, "/v1/library/items").await.expect(200).json();
        let item = list["items"][0]["id"].as_str().unwrap().parse().unwrap();
        let domain = &app.app.domain;
        library::schedule_deletion(domain, who.id, &[item], library::Annotations::Delete).await.unwrap();
        assert!(browser.open(PATH).await.expect(200).text().contains("Nothing is due today."));
        library::cancel_deletion(domain, who.id, &[item]).await.unwrap();
        assert!(browser.open(PATH).await.expect(200).text().contains("2 left today"));
        library::delete(domain, who.id, item, library::Annotations::Keep).await.unwrap();
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("2 left today") && page.contains("Boats"), "detached highlights stay: {page}");
        let id = id_of(&page);
        browser.submit(PATH, &[("id", &id), ("answer", "never")]).await.expect(303);
        let path = format!("/library/highlights/{id}");
        assert!(browser.open(&path).await.expect(200).text().contains("Review again"));
        let resumed = browser.submit(&path, &[("act", "review")]).await.expect(303);
        let page = browser.follow(&resumed).await;
        assert!(page.contains("The highlight will be reviewed again."), "{page}");
    });
}

#[test]
fn review_state_is_part_of_exports() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let heir = Person::on(&app, Tier::Pro).await;
        let mut reader = Browser::signed_in(&app, &heir).await;
        for answer in ["later", "never"] {
            let id = id_of(&browser.open(PATH).await.expect(200).text());
            browser.submit(PATH, &[("id", &id), ("answer", answer)]).await.expect(303);
        }
        let export = who.post(&app, "/v1/library/exports", &json!({})).await.expect(202).json();
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
        let archive = who.get(&app, &path).await.expect(200).body;
        // The second import changes nothing.
        for _ in 0..2 {
            let made = send(&app, &heir, archive.clone(), &[("dryRun", "false")]).await.expect(202).json();
            let done: Value = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
        }
        assert!(reader.open(PATH).await.expect(200).text().contains("Nothing is due today."));
        app.clock.advance(3 * DAY);
        let page = reader.open(PATH).await.expect(200).text();
        assert!(page.contains("1 left today") && page.contains("in 7 days"), "{page}");
        assert!(page.contains(QUOTES[0]), "{page}");
    });
}

#[test]
fn review_is_in_the_language_of_the_account() {
    on_each_world(async |app| {
        let (_, mut browser) = with_due_highlights(&app).await;
        browser.choose_language("pl").await;
        let today = browser.open("/today").await.expect(200).text();
        assert!(today.contains("2 wyróżnienia do powtórki na dziś."), "{today}");
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("Nigdy więcej") && page.contains("za 3 dni"), "{page}");
        assert!(!page.contains("lang=\"en\""), "{page}");
    });
}
