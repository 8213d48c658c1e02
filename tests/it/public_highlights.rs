//! Public pages of single highlights: content, optional note, texts that may require a login, and removal of
//! the page.

use kernel::HighlightId;
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::{Browser, between};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

const QUOTE: &str = "Paragraph 1 of Harbour";

async fn save(app: &TestApp, who: &Person, body: Value) -> String {
    let saved = who.post(app, "/v1/library/items", &body).await.expect(201).json();
    app.run_jobs().await;
    saved["item"]["id"].as_str().unwrap().to_owned()
}

async fn mark(app: &TestApp, who: &Person, item: &str, quote: &str) -> String {
    let body = json!({"itemId": item, "quote": quote, "note": "private-note"});
    let made = who.post(app, "/v1/library/highlights", &body).await.expect(201).json();
    made["object"]["id"].as_str().unwrap().to_owned()
}

/// Saves a fetched page with a highlight. Returns the ids of the item and of the highlight.
async fn fill(app: &TestApp, who: &Person) -> (String, String) {
    let url = app.site.article("/town?access_token=private-token");
    let item = save(app, who, json!({"url": url, "tags": ["private-tag"]})).await;
    let id = mark(app, who, &item, QUOTE).await;
    (item, id)
}

/// Publishes a highlight on its page. Returns the address of its public page.
async fn publish(browser: &mut Browser<'_>, id: &str, fields: &[(&str, &str)]) -> String {
    browser.open(&format!("/library/highlights/{id}/quote")).await.expect(200);
    let made = browser.submit(&format!("/library/highlights/{id}/publish"), fields).await.expect(303);
    let page = browser.follow(&made).await;
    assert!(page.contains("The quote is public."), "{page}");
    between(&page, "aria-label=\"Quote link\">", "<").to_owned()
}

#[test]
fn public_quote_names_its_source_and_includes_the_note_only_if_chosen() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (_, id) = fill(&app, &who).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = publish(&mut browser, &id, &[]).await;
        assert!(url.contains("/feeds/highlights/"), "{url}");
        let page = app.get(&url).await.expect(200);
        assert_eq!(
            (page.header("x-robots-tag"), page.header("cache-control")),
            ("noindex", "private, no-store")
        );
        let text = page.text();
        for words in [QUOTE, "A town by the sea", "#:~:text=Paragraph%201%20of%20Harbour"] {
            assert!(text.contains(words), "{words} in {text}");
        }
        for private in ["private-note", "private-tag", "private-token", "Paragraph 2"] {
            assert!(!text.contains(private), "{private} in {text}");
        }
        assert_eq!(publish(&mut browser, &id, &[("note", "include")]).await, url, "the address stays");
        assert!(app.get(&url).await.expect(200).text().contains("private-note"));
        assert_eq!(publish(&mut browser, &id, &[]).await, url);
        assert!(!app.get(&url).await.expect(200).text().contains("private-note"));
        app.send(Method::POST, &url, &[], None).await.expect(405);
        for wrong in [format!("{url}x"), format!("{}/feeds/highlights/%00", app.origin)] {
            app.get(&wrong).await.expect(404);
        }
    });
}

#[test]
fn public_quotes_are_listed_and_made_private_next_to_public_tags() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let (_, id) = fill(&app, &who).await;
        let (mut browser, mut stranger) = (Browser::new(&app), Browser::new(&app));
        browser.sign_in(&who.email).await;
        stranger.sign_in(&other.email).await;
        let url = publish(&mut browser, &id, &[]).await;
        let list = browser.open("/library/public-tags").await.expect(200).text();
        assert!(list.contains("Your public quotes") && list.contains(&url), "{list}");
        assert!(!stranger.open("/library/public-tags").await.expect(200).text().contains(&url));
        for act in ["publish", "unpublish"] {
            let path = format!("/library/highlights/{id}/{act}");
            stranger.open("/library/public-tags").await.expect(200);
            stranger.submit(&path, &[]).await.expect(404);
            let refused = app.send(Method::POST, &path, &[], None).await;
            assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        }
        stranger.open(&format!("/library/highlights/{id}/quote")).await.expect(404);
        app.get(&url).await.expect(200);
        let path = format!("/library/highlights/{id}/unpublish");
        for _ in 0..2 {
            let ended = browser.submit(&path, &[("from", "list")]).await.expect(303);
            let page = browser.follow(&ended).await;
            assert!(page.contains("The quote is private again.") && !page.contains(&url), "{page}");
            app.get(&url).await.expect(404);
        }
        assert_ne!(publish(&mut browser, &id, &[]).await, url, "a revoked address stays revoked");
        app.get(&url).await.expect(404);
    });
}

#[test]
fn quote_of_supplied_text_or_private_address_cannot_be_public() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let content = "<p>Words of a page behind a login.</p>";
        let supplied = save(&app, &who, json!({"url": "https://example.org/mail", "content": content})).await;
        let local = save(&app, &who, json!({"url": "http://192.168.1.7/page", "content": content})).await;
        let text = save(&app, &who, json!({"content": content})).await;
        let fetched = save(&app, &who, json!({"url": app.site.article("/town")})).await;
        let mut ids = Vec::new();
        for item in [&supplied, &local, &text] {
            ids.push(mark(&app, &who, item, "behind a login").await);
        }
        // The fetched text does not contain these words, so they may require a login.
        ids.push(mark(&app, &who, &fetched, "Words that only the person saw").await);
        // A similar quote may contain other words about the person, such as an account number.
        let similar = "Paragraph 1 of Harbour tells of boats and tide, of the people who come every morning, and of \
                       what they carry home 4711";
        ids.push(mark(&app, &who, &fetched, similar).await);
        let marked = ids.last().unwrap().parse().unwrap();
        let marked = library::get_highlight(&app.app.domain, who.id, marked).await.unwrap();
        assert_eq!(marked.row.anchor_status, library::AnchorStatus::Moved);
        for id in ids {
            let page = browser.open(&format!("/library/highlights/{id}/quote")).await.expect(200).text();
            assert!(page.contains("This quote cannot have a public link"), "{page}");
            // The page has no form, so the token is that of another page.
            browser.open("/settings").await.expect(200);
            let refused = browser.submit(&format!("/library/highlights/{id}/publish"), &[]).await.expect(422);
            assert!(refused.text().contains("from a public address"), "{}", refused.text());
        }
        let list = browser.open("/library/public-tags").await.expect(200).text();
        assert!(!list.contains("Your public quotes"), "{list}");
    });
}

#[test]
fn note_written_after_the_removal_of_a_public_note_is_private() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (_, id) = fill(&app, &who).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let highlight: HighlightId = id.parse().unwrap();
        let write = async |note: Option<&str>| {
            let note = Some(note.map(str::to_owned));
            let update = library::HighlightUpdate { note, ..library::HighlightUpdate::default() };
            library::update_highlight(&app.app.domain, who.id, highlight, update).await.unwrap();
        };
        let url = publish(&mut browser, &id, &[("note", "include")]).await;
        write(Some("better-note")).await;
        assert!(app.get(&url).await.expect(200).text().contains("better-note"));
        write(None).await;
        write(Some("later-note")).await;
        assert!(!app.get(&url).await.expect(200).text().contains("later-note"));
        // The note can be included only if the person has seen it.
        write(None).await;
        publish(&mut browser, &id, &[("note", "include")]).await;
        write(Some("latest-note")).await;
        assert!(!app.get(&url).await.expect(200).text().contains("latest-note"));
    });
}

#[test]
fn public_page_is_removed_with_its_highlight_its_item_or_its_account() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let domain = &app.app.domain;
        let (item, id) = fill(&app, &who).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;

        let url = publish(&mut browser, &id, &[]).await;
        let highlight: HighlightId = id.parse().unwrap();
        library::delete_highlight(domain, who.id, highlight, None).await.unwrap();
        app.get(&url).await.expect(404);

        let id = mark(&app, &who, &item, QUOTE).await;
        let url = publish(&mut browser, &id, &[]).await;
        let item_id = item.parse().unwrap();
        let keep = library::Annotations::Keep;
        library::schedule_deletion(domain, who.id, &[item_id], keep).await.unwrap();
        app.get(&url).await.expect(404);
        let list = browser.open("/library/public-tags").await.expect(200).text();
        assert!(list.contains(&url) && list.contains("The page is not available at the moment"), "{list}");
        library::cancel_deletion(domain, who.id, &[item_id]).await.unwrap();
        app.get(&url).await.expect(200);
        library::delete(domain, who.id, item_id, library::ItemDeletion::default()).await.unwrap();
        app.get(&url).await.expect(404);
        assert!(library::list_public_highlights(domain, who.id).await.unwrap().is_empty());
        // The highlight belongs to the item that is saved again, and stays private.
        save(&app, &who, json!({"url": app.site.article("/town?access_token=private-token")})).await;
        app.get(&url).await.expect(404);

        let item = save(&app, &who, json!({"url": app.site.article("/other")})).await;
        let id = mark(&app, &who, &item, QUOTE).await;
        let url = publish(&mut browser, &id, &[]).await;
        identity::accounts::disable(domain, &who.email).await.unwrap();
        app.get(&url).await.expect(404);
        identity::accounts::enable(domain, &who.email).await.unwrap();
        app.get(&url).await.expect(200);
        identity::accounts::delete_by_email(domain, &who.email).await.unwrap();
        app.get(&url).await.expect(404);
    });
}
