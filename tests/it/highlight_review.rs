//! Daily review of highlights on pages, general and themed: due highlights, answers, repeated answers, cards, frequency of
//! sources, the daily digest, and the state in exports.

use kernel::testing::smtp::SmtpServer;
use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::library_imports::{send, state};
use crate::notices::{deliver_due_notices, mailing};
use crate::support::browser::{Browser, between};
use crate::support::clock::{DAY, HOUR, SECOND};
use crate::support::person::Person;
use crate::support::{TestApp, World, on_each_world, run};

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
fn due_highlights_are_displayed_one_after_another_until_none_is_left() {
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
        assert!(page.contains("This highlight is back in your review."), "{page}");
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
        library::delete(domain, who.id, item, library::ItemDeletion::default()).await.unwrap();
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("2 left today") && page.contains("Boats"), "detached highlights stay: {page}");
        let id = id_of(&page);
        browser.submit(PATH, &[("id", &id), ("answer", "never")]).await.expect(303);
        let path = format!("/library/highlights/{id}");
        assert!(browser.open(&path).await.expect(200).text().contains("Review again"));
        let resumed = browser.submit(&path, &[("act", "review")]).await.expect(303);
        let page = browser.follow(&resumed).await;
        assert!(page.contains("This highlight is back in your review."), "{page}");
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
        let page = browser.open(&card_of(&id_of(&page))).await.expect(200).text();
        assert!(page.contains("Fiszka do powtórek") && !page.contains("lang=\"en\""), "{page}");
    });
}

/// Returns the id of the item of the highlight on the page.
fn item_of(page: &str) -> String {
    between(page, "name=\"item\" value=\"", "\"").to_owned()
}

#[test]
fn review_interval_follows_the_frequency_of_the_source() {
    on_each_world(async |app| {
        let (_, mut browser) = with_due_highlights(&app).await;
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("in 3 days") && page.contains("value=\"normal\" selected"), "{page}");
        let (item, path) = (item_of(&page), format!("{PATH}/frequency"));
        let choose = async |browser: &mut Browser<'_>, frequency: &str| {
            browser.open(PATH).await.expect(200);
            let fields = [("item", item.as_str()), ("frequency", frequency)];
            let chosen = browser.submit(&path, &fields).await.expect(303);
            browser.follow(&chosen).await
        };
        let page = choose(&mut browser, "less").await;
        assert!(page.contains("Frequency saved.") && page.contains("in 6 days"), "{page}");
        let first = id_of(&page);
        browser.submit(PATH, &[("id", &first), ("answer", "later")]).await.expect(303);
        let page = choose(&mut browser, "never").await;
        assert!(
            page.contains("Nothing is due today.") && page.contains("value=\"never\" selected"),
            "{page}"
        );
        app.clock.advance(DAY);
        // The interval of the answered highlight decreases from six days to one day.
        let page = choose(&mut browser, "more").await;
        assert!(page.contains("2 left today"), "{page}");
        let page = choose(&mut browser, "normal").await;
        assert!(page.contains("1 left today") && !page.contains("Sources that come back"), "{page}");
        app.clock.advance(2 * DAY);
        assert!(browser.open(PATH).await.expect(200).text().contains("2 left today"));
    });
}

#[test]
fn frequency_is_refused_without_a_session_for_another_account_and_with_invalid_input() {
    on_each_world(async |app| {
        let (_, mut browser) = with_due_highlights(&app).await;
        let other = Person::on(&app, Tier::Pro).await;
        let mut stranger = Browser::signed_in(&app, &other).await;
        let item = item_of(&browser.open(PATH).await.expect(200).text());
        for path in [format!("{PATH}/frequency"), format!("{PATH}/channel")] {
            let refused = app.send(Method::POST, &path, &[], None).await;
            assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        }
        let path = format!("{PATH}/frequency");
        stranger.open("/settings").await.expect(200);
        stranger.submit(&path, &[("item", &item), ("frequency", "never")]).await.expect(404);
        browser.submit(&path, &[("item", &item), ("frequency", "weekly")]).await.expect(422);
        browser.open(PATH).await.expect(200);
        browser.submit(&path, &[("item", "x"), ("frequency", "never")]).await.expect(404);
        assert!(browser.open(PATH).await.expect(200).text().contains("2 left today"));
    });
}

#[test]
fn frequency_is_part_of_exports() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let heir = Person::on(&app, Tier::Pro).await;
        let item = item_of(&browser.open(PATH).await.expect(200).text());
        let fields = [("item", item.as_str()), ("frequency", "less")];
        browser.submit(&format!("{PATH}/frequency"), &fields).await.expect(303);
        let export = who.post(&app, "/v1/library/exports", &json!({})).await.expect(202).json();
        app.run_jobs().await;
        let path = format!("/v1/library/exports/{}/file", export["export"]["id"].as_str().unwrap());
        let archive = who.get(&app, &path).await.expect(200).body;
        let made = send(&app, &heir, archive, &[("dryRun", "false")]).await.expect(202).json();
        let done: Value = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
        assert_eq!(done["state"], json!("complete"), "{done}");
        let mut reader = Browser::signed_in(&app, &heir).await;
        let page = reader.open(PATH).await.expect(200).text();
        assert!(page.contains("in 6 days") && page.contains("value=\"less\" selected"), "{page}");
    });
}

#[test]
fn number_of_highlights_per_day_is_set_by_page_and_api_and_exported() {
    const SETTINGS: &str = "/v1/library/review-settings";
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let heir = Person::on(&app, Tier::Pro).await;
        let chosen = async |who: &Person| who.get(&app, SETTINGS).await.expect(200).json();
        assert_eq!(chosen(&who).await, json!({"highlightsPerDay": 10}));
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("2 left today") && page.contains("max=\"50\" value=\"10\""), "{page}");

        let path = format!("{PATH}/number");
        for wrong in ["0", "51", "many"] {
            browser.open(PATH).await.expect(200);
            let refused = browser.submit(&path, &[("highlightsPerDay", wrong)]).await.expect(422).text();
            assert!(refused.contains("Enter a number from 1 to 50."), "{wrong}: {refused}");
            assert!(refused.contains(&format!("value=\"{wrong}\"")), "{wrong}: {refused}");
        }
        let saved = browser.submit(&path, &[("highlightsPerDay", "1")]).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(
            page.contains("Number of highlights per day saved.") && page.contains("1 left today"),
            "{page}"
        );
        assert_eq!(chosen(&who).await, json!({"highlightsPerDay": 1}));
        let first = id_of(&page);
        browser.submit(PATH, &[("id", &first), ("answer", "later")]).await.expect(303);
        assert!(browser.open(PATH).await.expect(200).text().contains("Nothing is due today."));

        let change = json!({"highlightsPerDay": 3});
        let changed = crate::library_items::send(&app, &who, Method::PATCH, SETTINGS, &change).await;
        assert_eq!(changed.expect(200).json(), change);
        assert!(browser.open(PATH).await.expect(200).text().contains("1 left today"));
        for wrong in [0, 51] {
            let wrong = json!({ "highlightsPerDay": wrong });
            let refused = crate::library_items::send(&app, &who, Method::PATCH, SETTINGS, &wrong).await;
            refused.api_error(422, "invalid_request");
        }
        assert_eq!(chosen(&heir).await, json!({"highlightsPerDay": 10}), "the setting of another account");

        let archive = exported(&app, &who, "svc_jsonl").await;
        let fields = [("dryRun", "false"), ("include", "settings")];
        let made = send(&app, &heir, archive, &fields).await.expect(202).json();
        let done: Value = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
        assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
        assert_eq!(chosen(&heir).await, change);
        let refused = app.send(Method::POST, &path, &[], None).await;
        assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
    });
}

/// Creates and confirms a mail channel without a digest, and returns its id.
async fn add_mail_channel(
    app: &TestApp,
    server: &SmtpServer,
    browser: &mut Browser<'_>,
    who: &Person,
) -> String {
    browser.open("/settings/channels?kind=mail").await.expect(200);
    let fields = [("kind", "mail"), ("address", who.email.as_str()), ("name", "Me")];
    let made = browser.submit("/settings/channels", &fields).await.expect(303);
    app.run_jobs().await;
    let letter = server.letter().await.text;
    let link = letter.lines().find(|line| line.contains("/notices/confirm?link=")).unwrap();
    app.send(Method::POST, link.strip_prefix(&app.origin).unwrap(), &[], None).await.expect(200);
    made.header("location").rsplit('/').next().unwrap().split('?').next().unwrap().to_owned()
}

#[test]
fn due_highlights_are_mailed_daily_until_none_is_due() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = mailing(world, &server).await;
            let who = Person::on(&app, Tier::Pro).await;
            fill(&app, &who).await;
            let mut browser = Browser::signed_in(&app, &who).await;
            assert!(browser.open(PATH).await.expect(200).text().contains("Add a channel"));
            let channel = add_mail_channel(&app, &server, &mut browser, &who).await;
            browser.open(PATH).await.expect(200);
            let mail = format!("{PATH}/channel");
            let on = [("channel", channel.as_str()), ("send", "on"), ("digest", "08:00")];
            let chosen = browser.submit(&mail, &on).await.expect(303);
            let page = browser.follow(&chosen).await;
            assert!(page.contains("Due highlights will be sent.") && page.contains("08:00"), "{page}");
            let settings = browser.open(&format!("/settings/channels/{channel}")).await.expect(200).text();
            assert!(settings.contains("name=\"digestReview\" value=\"1\" checked"), "{settings}");

            // The test begins at 12:00 UTC.
            app.clock.advance(21 * HOUR);
            deliver_due_notices(&app).await;
            let letter = server.letter().await.text;
            for words in [
                "Highlights to review", QUOTES[0], QUOTES[1], "Be early", "Boats", "List-Unsubscribe",
                "text/html",
            ] {
                assert!(letter.contains(words), "{words} in {letter}");
            }
            let (passage, review) = (format!("{}/library/", app.origin), format!("{}{PATH}", app.origin));
            assert!(letter.contains(&passage) && letter.contains("#mark-"), "{letter}");
            assert!(letter.contains(&review), "{letter}");
            deliver_due_notices(&app).await;
            assert!(server.is_empty().await, "the mail is sent one time a day");

            for _ in QUOTES {
                let id = id_of(&browser.open(PATH).await.expect(200).text());
                browser.submit(PATH, &[("id", &id), ("answer", "never")]).await.expect(303);
            }
            app.clock.advance(DAY);
            deliver_due_notices(&app).await;
            assert!(server.is_empty().await, "nothing is due");
            browser.open(PATH).await.expect(200);
            let off = [("channel", channel.as_str()), ("send", "off")];
            let stopped = browser.submit(&mail, &off).await.expect(303);
            assert!(browser.follow(&stopped).await.contains("Due highlights will no longer be sent."));
        }
    });
}

#[test]
fn mail_of_highlights_is_refused_for_another_account_and_with_invalid_input() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = mailing(world, &server).await;
            let (who, other) = (Person::free(&app).await, Person::free(&app).await);
            let mut browser = Browser::signed_in(&app, &who).await;
            let mut stranger = Browser::signed_in(&app, &other).await;
            let channel = add_mail_channel(&app, &server, &mut browser, &who).await;
            let mail = format!("{PATH}/channel");
            let fields = |act, time| [("channel", channel.as_str()), ("send", act), ("digest", time)];
            stranger.open("/settings").await.expect(200);
            stranger.submit(&mail, &fields("on", "08:00")).await.expect(404);
            for (act, time) in [("on", "25:00"), ("on", ""), ("maybe", "08:00")] {
                browser.open(PATH).await.expect(200);
                browser.submit(&mail, &fields(act, time)).await.expect(422);
            }
            browser.open(PATH).await.expect(200);
            browser.submit(&mail, &[("channel", "x"), ("send", "on")]).await.expect(404);
            assert!(browser.open(PATH).await.expect(200).text().contains("Send to"));
        }
    });
}

const THEMES: &str = "/highlights/review/themes";
const REVIEWS: &str = "/v1/library/reviews";

/// Returns the address of a themed review with this name on the page of reviews.
fn theme_of(page: &str, name: &str) -> String {
    let (before, _) = page.split_once(&format!("<bdi>{name}</bdi></a></h3>")).expect("the review is listed");
    before.rsplit("<a href=\"").next().unwrap().trim_end_matches("\">").to_owned()
}

/// Saves another item, whose highlight is due and has a tag.
async fn add_tagged_highlight(app: &TestApp, who: &Person) {
    let item =
        json!({"url": "https://other.example/mills", "title": "Mills", "content": "<p>The mill turns.</p>"});
    let item = who.post(app, "/v1/library/items", &item).await.expect(201).json()["item"]["id"].clone();
    let mark = json!({"itemId": item, "quote": "The mill turns", "tags": ["Water"]});
    who.post(app, "/v1/library/highlights", &mark).await.expect(201);
}

#[test]
fn themed_review_displays_only_its_highlights_up_to_its_daily_number() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        fill(&app, &who).await;
        add_tagged_highlight(&app, &who).await;
        app.clock.advance(DAY);
        let mut browser = Browser::signed_in(&app, &who).await;
        let items = who.get(&app, "/v1/library/items?query=boats").await.expect(200).json();
        let boats = items["items"].as_array().unwrap().iter().find(|item| item["title"] == "Boats").unwrap();
        let boats = boats["id"].as_str().unwrap();
        browser.open("/library?q=domain:other.example").await.expect(200);
        let search = [("name", "Others"), ("query", "domain:other.example"), ("target", "library")];
        browser.submit("/library/searches", &search).await.expect(303);

        browser.open(THEMES).await.expect(200);
        for (name, number, kind, value) in
            [("Water", "5", "tag", "water"), ("Ships", "1", "item", boats), ("Far", "3", "search", "Others")]
        {
            let fields = [("name", name), ("highlightsPerDay", number), ("kind", kind), (kind, value)];
            let added = browser.submit(THEMES, &fields).await.expect(303);
            assert!(browser.follow(&added).await.contains("Themed review added."));
        }
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("3 left today"), "the general review: {page}");
        for (name, quote, left) in
            [("Water", "The mill turns", 1), ("Ships", QUOTES[0], 1), ("Far", "The mill turns", 1)]
        {
            let theme = browser.open(&theme_of(&page, name)).await.expect(200).text();
            assert!(
                theme.contains(quote) && theme.contains(&format!("{left} left today")),
                "{name}: {theme}"
            );
            assert_eq!(theme.contains("The mill turns"), quote == "The mill turns", "{name}: {theme}");
        }
        let ships = theme_of(&page, "Ships");
        let theme = browser.open(&ships).await.expect(200).text();
        let (id, theme) = (id_of(&theme), between(&theme, "name=\"theme\" value=\"", "\"").to_owned());
        let fields = [("id", id.as_str()), ("answer", "later"), ("theme", theme.as_str())];
        let answered = browser.submit(PATH, &fields).await.expect(303);
        assert_eq!(answered.header("location"), ships);
        assert!(browser.follow(&answered).await.contains("Nothing is due today."), "one a day");
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("2 left today"), "the answer does not count in the general review: {page}");
        app.clock.advance(DAY);
        let theme = browser.open(&ships).await.expect(200).text();
        assert!(theme.contains(QUOTES[1]) && theme.contains("1 left today"), "{theme}");
    });
}

#[test]
fn themed_review_follows_its_tag_and_reports_a_deleted_source() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        add_tagged_highlight(&app, &who).await;
        app.clock.advance(DAY);
        let mut browser = Browser::signed_in(&app, &who).await;
        browser.open("/library").await.expect(200);
        let search = [("name", "Mills"), ("query", "mill"), ("target", "library")];
        browser.submit("/library/searches", &search).await.expect(303);
        let body =
            |name: &str, field: &str, value: &str| json!({"name": name, "highlightsPerDay": 5, field: value});
        who.post(&app, REVIEWS, &body("By tag", "tag", "water")).await.expect(201);
        who.post(&app, REVIEWS, &body("By search", "savedSearch", "mills")).await.expect(201);
        let page = browser.open(PATH).await.expect(200).text();
        assert!(
            browser.open(&theme_of(&page, "By search")).await.expect(200).text().contains("The mill turns")
        );
        library::rename_tag(&app.app.domain, who.id, "water", "rivers").await.unwrap();
        let theme = browser.open(&theme_of(&page, "By tag")).await.expect(200).text();
        assert!(theme.contains("rivers") && theme.contains("The mill turns"), "{theme}");

        let searches = library::list_saved_searches(&app.app.domain, who.id).await.unwrap();
        library::delete_search(&app.app.domain, who.id, searches[0].id).await.unwrap();
        let theme = browser.open(&theme_of(&page, "By search")).await.expect(200).text();
        assert!(
            theme.contains("The saved search was deleted.") && theme.contains("Nothing is due"),
            "{theme}"
        );
        let list = who.get(&app, REVIEWS).await.expect(200).json();
        let review = &list["reviews"][0];
        let theme = ["tag", "itemId", "savedSearch"].map(|field| review[field].clone());
        assert_eq!(
            (review["name"].as_str(), theme),
            (Some("By search"), [Value::Null, Value::Null, Value::Null])
        );
    });
}

#[test]
fn themed_reviews_are_created_changed_limited_and_deleted_by_api() {
    on_each_world(async |app| {
        let (who, _) = with_due_highlights(&app).await;
        let other = Person::on(&app, Tier::Pro).await;
        let body = json!({"name": "Sea", "highlightsPerDay": 5, "tag": "sea"});
        app.send(Method::GET, REVIEWS, &[], None).await.expect(401);
        let made = who.post(&app, REVIEWS, &body).await.expect(201).json();
        let path = format!("{REVIEWS}/{}", made["review"]["id"].as_str().unwrap());
        let change = json!({"name": "Seas", "highlightsPerDay": 50, "tag": "seas"});
        let changed = crate::library_items::send(&app, &who, Method::PUT, &path, &change).await;
        let changed = changed.expect(200).json();
        assert_eq!(
            (&changed["review"]["tag"], &changed["review"]["highlightsPerDay"]),
            (&json!("seas"), &json!(50))
        );
        crate::library_items::send(&app, &other, Method::PUT, &path, &change)
            .await
            .api_error(404, "not_found");
        for wrong in [
            json!({"name": "Sea", "highlightsPerDay": 0, "tag": "sea"}),
            json!({"name": "Sea", "highlightsPerDay": 51, "tag": "sea"}),
            json!({"name": " ", "highlightsPerDay": 5, "tag": "sea"}),
            json!({"name": "Sea", "highlightsPerDay": 5}),
            json!({"name": "Sea", "highlightsPerDay": 5, "tag": "sea", "savedSearch": "Sea"}),
        ] {
            who.post(&app, REVIEWS, &wrong).await.api_error(422, "invalid_request");
        }
        let unknown = json!({"name": "Sea", "highlightsPerDay": 5, "savedSearch": "Sea"});
        who.post(&app, REVIEWS, &unknown).await.api_error(404, "not_found");

        for number in 1..10 {
            let body = json!({"name": format!("Sea {number}"), "highlightsPerDay": 5, "tag": "sea"});
            who.post(&app, REVIEWS, &body).await.expect(201);
        }
        who.post(&app, REVIEWS, &body).await.api_error(403, "limit_reached");
        who.send(&app, Method::DELETE, &path).await.expect(204);
        who.send(&app, Method::DELETE, &path).await.api_error(404, "not_found");
        who.post(&app, REVIEWS, &body).await.expect(201);
    });
}

#[test]
fn themed_reviews_refuse_other_accounts_and_invalid_forms() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let other = Person::on(&app, Tier::Pro).await;
        let mut stranger = Browser::signed_in(&app, &other).await;
        let body = json!({"name": "Sea", "highlightsPerDay": 5, "tag": "sea"});
        let made = who.post(&app, REVIEWS, &body).await.expect(201).json();
        let id = made["review"]["id"].as_str().unwrap();
        let theme = format!("{PATH}?theme={id}");
        stranger.open(&theme).await.expect(404);
        stranger.open(&format!("{THEMES}/{id}")).await.expect(404);
        stranger.open("/settings").await.expect(200);
        stranger.submit(&format!("{THEMES}/{id}"), &[("act", "delete")]).await.expect(404);
        let highlight = id_of(&browser.open(PATH).await.expect(200).text());
        let fields = [("id", highlight.as_str()), ("answer", "soon"), ("theme", "x")];
        browser.submit(PATH, &fields).await.expect(404);
        for method in [Method::GET, Method::POST] {
            let refused = app.send(method, THEMES, &[], None).await;
            assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        }
        browser.open(THEMES).await.expect(200);
        for (field, value, words) in
            [("highlightsPerDay", "51", "Enter a number from 1 to 50."), ("tag", " ", "must not be blank")]
        {
            let fields =
                [(field, value), ("name", "Sea"), ("highlightsPerDay", "5"), ("kind", "tag"), ("tag", "sea")];
            let refused = browser.submit(THEMES, &fields).await.expect(422).text();
            assert!(refused.contains(words), "{refused}");
            browser.open(THEMES).await.expect(200);
        }
    });
}

#[test]
fn themed_reviews_are_part_of_account_exports() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let heir = Person::on(&app, Tier::Pro).await;
        browser.open("/library").await.expect(200);
        let search = [("name", "Sea"), ("query", "harbour"), ("target", "library")];
        browser.submit("/library/searches", &search).await.expect(303);
        let item = item_of(&browser.open(PATH).await.expect(200).text());
        for (name, field, value) in
            [("Tagged", "tag", "sea"), ("Boats", "itemId", item.as_str()), ("Found", "savedSearch", "Sea")]
        {
            let body = json!({"name": name, "highlightsPerDay": 7, field: value});
            who.post(&app, REVIEWS, &body).await.expect(201);
        }
        let archive = exported(&app, &who, "svc_jsonl").await;
        // The second import adds nothing.
        for _ in 0..2 {
            let fields = [("dryRun", "false"), ("include", "settings")];
            let made = send(&app, &heir, archive.clone(), &fields).await.expect(202).json();
            let done: Value = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
        }
        let items = heir.get(&app, "/v1/library/items").await.expect(200).json();
        let list = heir.get(&app, REVIEWS).await.expect(200).json();
        let reviews: Vec<[&Value; 5]> = list["reviews"]
            .as_array()
            .unwrap()
            .iter()
            .map(|review| {
                ["name", "highlightsPerDay", "tag", "itemId", "savedSearch"].map(|field| &review[field])
            })
            .collect();
        let (seven, null, own) = (json!(7), Value::Null, items["items"][0]["id"].clone());
        let (tagged, boats, searched, tag, sea) =
            (json!("Tagged"), json!("Boats"), json!("Found"), json!("sea"), json!("Sea"));
        let expected = [
            [&boats, &seven, &null, &own, &null],
            [&searched, &seven, &null, &null, &sea],
            [&tagged, &seven, &tag, &null, &null],
        ];
        assert_eq!(reviews, expected);
    });
}

#[test]
fn due_highlights_are_sent_to_a_chat_with_the_names_of_themed_reviews() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let number = json!({"highlightsPerDay": 1});
        crate::library_items::send(&app, &who, Method::PATCH, "/v1/library/review-settings", &number)
            .await
            .expect(200);
        let item = item_of(&browser.open(PATH).await.expect(200).text());
        let review = json!({"name": "Boats & ports", "highlightsPerDay": 5, "itemId": item});
        who.post(&app, REVIEWS, &review).await.expect(201);
        let channel = crate::support::owned_objects::create_channel(&app, &who).await;
        let page = browser.open(PATH).await.expect(200).text();
        assert!(page.contains("Send to Mine"), "{page}");
        let fields = [("channel", channel.as_str()), ("send", "on"), ("digest", "08:00")];
        let chosen = browser.submit(&format!("{PATH}/channel"), &fields).await.expect(303);
        assert!(browser.follow(&chosen).await.contains("Sent daily at 08:00 to Mine."));
        app.clock.advance(DAY);
        let due = application::highlight_review::due(&app.app.domain, who.id).await.unwrap();
        let names: Vec<Option<&str>> =
            due.iter().map(|review| review.theme.as_ref().map(|theme| theme.name.as_str())).collect();
        assert_eq!(names, [None, Some("Boats & ports")], "a highlight is listed one time");
        let quotes: Vec<usize> = due.iter().map(|review| review.highlights.len()).collect();
        assert_eq!(quotes, [1, 1]);
    });
}

/// Saves an item with a number of highlights, which are named after it: `Book 01`, and so on. They have the tag `Sea`.
async fn add_source(app: &TestApp, who: &Person, name: &str, number: usize) {
    let quotes: Vec<String> = (1..=number).map(|at| format!("{name} {at:02}")).collect();
    let content = format!("<p>{} end here.</p>", quotes.join(" then "));
    let url = format!("https://example.org/{name}");
    let item = json!({"url": url, "title": name, "content": content});
    let item = who.post(app, "/v1/library/items", &item).await.expect(201).json()["item"]["id"].clone();
    for quote in quotes {
        let mark = json!({"itemId": item, "quote": quote, "tags": ["Sea"]});
        who.post(app, "/v1/library/highlights", &mark).await.expect(201);
        app.clock.advance(SECOND);
    }
}

/// Returns the quotes that the digest of the day lists for the general review.
async fn listed(app: &TestApp, who: &Person) -> Vec<String> {
    let due = application::highlight_review::due(&app.app.domain, who.id).await.unwrap();
    let general = due.iter().filter(|review| review.theme.is_none());
    general.flat_map(|review| &review.highlights).map(|highlight| highlight.row.quote.clone()).collect()
}

#[test]
fn sources_alternate_regardless_of_the_answers_to_their_highlights() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for (name, number) in [("Book", 8), ("Isle", 1), ("Pier", 1), ("Reef", 1)] {
            add_source(&app, &who, name, number).await;
        }
        let number = json!({"highlightsPerDay": 4});
        crate::library_items::send(&app, &who, Method::PATCH, "/v1/library/review-settings", &number)
            .await
            .expect(200);
        let review = json!({"name": "Sea", "highlightsPerDay": 4, "tag": "sea"});
        who.post(&app, REVIEWS, &review).await.expect(201);
        app.clock.advance(DAY);
        add_source(&app, &who, "Sail", 1).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let first_day = ["Book 01", "Isle 01", "Pier 01", "Reef 01"];
        // No answer, not even one that excludes the highlight, makes the next highlight of its source appear earlier.
        for (at, answer) in ["never", "soon", "later", "later"].into_iter().enumerate() {
            assert_eq!(listed(&app, &who).await, first_day[at..], "after {at} answers");
            let page = browser.open(PATH).await.expect(200).text();
            assert!(page.contains(first_day[at]), "{page}");
            assert!(page.contains(&format!("{} left today", 4 - at)), "{page}");
            let theme = browser.open(&theme_of(&page, "Sea")).await.expect(200).text();
            assert!(theme.contains(first_day[at]) && theme.contains("4 left today"), "{theme}");
            browser.open(PATH).await.expect(200);
            browser.submit(PATH, &[("id", &id_of(&page)), ("answer", answer)]).await.expect(303);
        }
        assert!(browser.open(PATH).await.expect(200).text().contains("Nothing is due today."));

        app.clock.advance(DAY);
        assert_eq!(listed(&app, &who).await, ["Isle 01", "Sail 01", "Book 02", "Book 03"]);
        let page = browser.open(PATH).await.expect(200).text();
        let theme = browser.open(&theme_of(&page, "Sea")).await.expect(200).text();
        assert!(page.contains("Isle 01") && theme.contains("Isle 01"), "{page} {theme}");
        browser.open(PATH).await.expect(200);
        browser.submit(PATH, &[("id", &id_of(&page)), ("answer", "soon")]).await.expect(303);
        assert_eq!(listed(&app, &who).await, ["Sail 01", "Book 02", "Book 03"]);
    });
}

/// Returns the page of the card of a highlight.
fn card_of(id: &str) -> String {
    format!("/library/highlights/{id}/card")
}

/// Exports the library in a format, and returns the file.
async fn exported(app: &TestApp, who: &Person, format: &str) -> Vec<u8> {
    let made = who.post(app, "/v1/library/exports", &json!({"format": format})).await.expect(202).json();
    app.run_jobs().await;
    let path = format!("/v1/library/exports/{}/file", made["export"]["id"].as_str().unwrap());
    who.get(app, &path).await.expect(200).body
}

#[test]
fn card_gaps_hide_words_until_the_answer_is_displayed() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let review = browser.open(PATH).await.expect(200).text();
        assert!(review.contains("Make a card") && !review.contains("Show answer"), "{review}");
        let id = id_of(&review);
        let page = browser.open(&card_of(&id)).await.expect(200).text();
        assert!(page.contains("name=\"word\" value=\"4\">ferry</label>"), "{page}");
        let fields = [("act", "gaps"), ("word", "4"), ("gaps", "")];
        let saved = browser.submit(&card_of(&id), &fields).await.expect(303);
        let page = browser.follow(&saved).await;
        assert!(page.contains("Card saved.") && page.contains("value=\"4\" checked>"), "{page}");

        let review = browser.open(PATH).await.expect(200).text();
        let (front, back) = review.split_once("Show answer").unwrap();
        assert!(front.contains("The <mark>[…]</mark> leaves") && !front.contains("ferry"), "{review}");
        assert!(back.contains("The <mark>ferry</mark> leaves") && back.contains("Be early"), "{review}");
        assert!(!front.contains("name=\"answer\"") && id_of(back) == id, "{review}");

        // A written part of a word is retained when the card is changed.
        browser.open(&card_of(&id)).await.expect(200);
        let fields = [("act", "gaps"), ("word", "4"), ("gaps", "leave\r\n")];
        browser.submit(&card_of(&id), &fields).await.expect(303);
        let fields = [("act", "gaps"), ("part", "4")];
        let page = browser.open(&card_of(&id)).await.expect(200).text();
        assert!(page.contains("name=\"part\" value=\"4\" checked><span><bdi>ferry leave</bdi>"), "{page}");
        browser.submit(&card_of(&id), &fields).await.expect(303);
        let review = browser.open(PATH).await.expect(200).text();
        assert!(review.contains("The <mark>[…]</mark>s"), "{review}");
        let text = String::from_utf8(exported(&app, &who, "anki").await).unwrap();
        assert!(
            text.contains(
                "\nThe […]s\tThe <b>ferry leave</b>s\t<a href=\"https://example.org/boats\">Boats</a>\t\n"
            ),
            "{text}"
        );
        browser.open(PATH).await.expect(200);
        browser.submit(PATH, &[("id", &id), ("answer", "later")]).await.expect(303);
        let review = browser.open(PATH).await.expect(200).text();
        assert!(review.contains(QUOTES[1]) && review.contains("1 left today"), "{review}");
    });
}

#[test]
fn question_of_a_card_replaces_its_gaps_until_it_is_deleted() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let id = id_of(&browser.open(PATH).await.expect(200).text());
        let path = format!("/v1/library/highlights/{id}");
        let card = format!("{path}/card");
        let gaps = json!({"gaps": [{"text": "ferry"}, {"text": "leaves", "start": 10}]});
        let key = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let put = async |body: &Value| app.send(Method::PUT, &card, &key, Some(body.to_string())).await;
        let set = put(&gaps).await.expect(200).json();
        let joined = json!({"gaps": [{"start": 4, "text": "ferry leaves"}], "question": null, "answer": null, "fits": true});
        assert_eq!(set["object"]["card"], joined);

        browser.open(&card_of(&id)).await.expect(200);
        let fields = [("act", "question"), ("question", "Who leaves?"), ("answer", "The ferry <1>")];
        browser.submit(&card_of(&id), &fields).await.expect(303);
        let review = browser.open(PATH).await.expect(200).text();
        let (front, back) = review.split_once("Show answer").unwrap();
        assert!(front.contains("Who leaves?") && !front.contains(QUOTES[0]), "{review}");
        assert!(back.contains("The ferry &lt;1&gt;") && back.contains(QUOTES[0]), "{review}");
        let got = who.get(&app, &path).await.expect(200).json();
        assert_eq!(
            (&got["object"]["card"]["question"], &got["object"]["card"]["gaps"]),
            (&json!("Who leaves?"), &json!([]))
        );

        browser.open(&card_of(&id)).await.expect(200);
        let deleted = browser.submit(&card_of(&id), &[("act", "delete")]).await.expect(303);
        assert!(browser.follow(&deleted).await.contains("Card deleted."));
        assert_eq!(who.get(&app, &path).await.expect(200).json()["object"]["card"], Value::Null);
        assert!(!browser.open(PATH).await.expect(200).text().contains("Show answer"));
        put(&gaps).await.expect(200);
        for _ in 0..2 {
            who.send(&app, Method::DELETE, &card).await.expect(204);
        }
        assert_eq!(who.get(&app, &path).await.expect(200).json()["object"]["card"], Value::Null);
    });
}

#[test]
fn card_is_refused_without_a_session_for_another_account_and_with_invalid_input() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let other = Person::on(&app, Tier::Pro).await;
        let mut stranger = Browser::signed_in(&app, &other).await;
        let id = id_of(&browser.open(PATH).await.expect(200).text());
        for method in [Method::GET, Method::POST] {
            let refused = app.send(method, &card_of(&id), &[], None).await;
            assert!(refused.header("location").starts_with("/sign-in"), "{}", refused.text());
        }
        stranger.open(&card_of(&id)).await.expect(404);
        stranger.open("/settings").await.expect(200);
        stranger.submit(&card_of(&id), &[("act", "gaps"), ("word", "4")]).await.expect(404);
        let forms: [&[(&str, &str)]; 6] = [
            &[("act", "gaps")],
            &[("act", "gaps"), ("word", "3")],
            &[("act", "gaps"), ("gaps", "boat")],
            &[("act", "gaps"), ("gaps", QUOTES[0])],
            &[("act", "question"), ("question", " "), ("answer", "a")],
            &[("act", "hide")],
        ];
        for fields in forms {
            browser.open(&card_of(&id)).await.expect(200);
            browser.submit(&card_of(&id), fields).await.expect(422);
        }
        let card = format!("/v1/library/highlights/{id}/card");
        let put = async |key: &str, body: Value| {
            let headers = [("x-api-key", key), ("content-type", "application/json")];
            app.send(Method::PUT, &card, &headers, Some(body.to_string())).await
        };
        let question = json!({"question": "Who?", "answer": "The ferry"});
        put("none", question.clone()).await.expect(401);
        put(&other.key, question).await.api_error(404, "not_found");
        for body in [
            json!({}),
            json!({"question": " "}),
            json!({"gaps": []}),
            json!({"gaps": [{"text": "boat"}]}),
            json!({"gaps": [{"text": "ferry", "start": 3}]}),
            json!({"gaps": [{"text": "ferry"}], "question": "Who?"}),
        ] {
            put(&who.key, body).await.api_error(422, "invalid_request");
        }
        assert!(!browser.open(PATH).await.expect(200).text().contains("Show answer"));
    });
}

#[test]
fn card_is_exported_and_hides_nothing_if_its_quote_has_changed() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let heir = Person::on(&app, Tier::Pro).await;
        let id = id_of(&browser.open(PATH).await.expect(200).text());
        browser.open(&card_of(&id)).await.expect(200);
        browser.submit(&card_of(&id), &[("act", "gaps"), ("gaps", "ferry")]).await.expect(303);
        let archive = exported(&app, &who, "svc_jsonl").await;
        for _ in 0..2 {
            let made = send(&app, &heir, archive.clone(), &[("dryRun", "false")]).await.expect(202).json();
            let done: Value = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
            assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
        }
        let list = heir.get(&app, "/v1/library/highlights").await.expect(200).json();
        let cards = list["highlights"].as_array().unwrap().iter().map(|highlight| &highlight["card"]);
        let cards: Vec<&Value> = cards.filter(|card| !card.is_null()).collect();
        let gaps = json!([{"start": 4, "text": "ferry"}]);
        assert_eq!(cards, [&json!({"gaps": gaps, "question": null, "answer": null, "fits": true})]);

        let sql = "UPDATE library_highlight SET quote = 'The old ferry leaves' WHERE card IS NOT NULL";
        app.app.domain.db().write().execute_unprepared(sql).await.unwrap();
        let review = browser.open(PATH).await.expect(200).text();
        assert!(review.contains("The old ferry leaves") && review.contains("no longer matches"), "{review}");
        assert!(!review.contains("<mark>") && !review.contains("Show answer"), "{review}");
        let page = browser.open(&card_of(&id)).await.expect(200).text();
        assert!(page.contains("no longer matches") && !page.contains(" checked>"), "{page}");
        let text = String::from_utf8(exported(&app, &who, "anki").await).unwrap();
        assert!(text.contains("\n# The card of the highlight ") && !text.contains("[…]"), "{text}");
    });
}

#[test]
fn imported_highlight_gets_its_missing_card_regardless_of_order() {
    on_each_world(async |app| {
        let (who, mut browser) = with_due_highlights(&app).await;
        let without = exported(&app, &who, "svc_jsonl").await;
        let id = id_of(&browser.open(PATH).await.expect(200).text());
        browser.open(&card_of(&id)).await.expect(200);
        browser.submit(&card_of(&id), &[("act", "gaps"), ("gaps", "ferry")]).await.expect(303);
        let with = exported(&app, &who, "svc_jsonl").await;
        for files in [[&without, &with], [&with, &without]] {
            let heir = Person::on(&app, Tier::Pro).await;
            for file in files {
                let made = send(&app, &heir, file.clone(), &[("dryRun", "false")]).await.expect(202).json();
                let done: Value = state(&app, &heir, made["import"]["id"].as_str().unwrap()).await;
                assert_eq!((&done["state"], &done["problems"]), (&json!("complete"), &json!([])), "{done}");
            }
            let list = heir.get(&app, "/v1/library/highlights").await.expect(200).json();
            let list = list["highlights"].as_array().unwrap();
            let cards = list.iter().filter(|highlight| !highlight["card"].is_null()).count();
            assert_eq!((list.len(), cards), (2, 1), "{list:?}");
            let notes = heir.get(&app, "/v1/library/notes").await.expect(200).json();
            assert_eq!(notes["notes"], json!([]));
        }
        // The id selects the highlight of this library.
        who.send(&app, Method::DELETE, &format!("/v1/library/highlights/{id}/card")).await.expect(204);
        let made = send(&app, &who, with.clone(), &[("dryRun", "false")]).await.expect(202).json();
        state(&app, &who, made["import"]["id"].as_str().unwrap()).await;
        let got = who.get(&app, &format!("/v1/library/highlights/{id}")).await.expect(200).json();
        assert_eq!(got["object"]["card"]["fits"], json!(true), "{got}");
    });
}
