//! Daily review of highlights on pages: due highlights, answers, repeated answers, cards, frequency of sources, the
//! daily digest, and the state in exports.

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
        library::delete(domain, who.id, item, library::Annotations::Keep).await.unwrap();
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
        // The interval of the answered highlight shrinks from six days to one.
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
        for path in [format!("{PATH}/frequency"), format!("{PATH}/mail")] {
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
fn number_of_highlights_per_day_is_chosen_on_the_page_and_by_api_and_exported() {
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
fn due_highlights_are_mailed_daily_while_there_are_any() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = mailing(world, &server).await;
            let who = Person::on(&app, Tier::Pro).await;
            fill(&app, &who).await;
            let mut browser = Browser::signed_in(&app, &who).await;
            assert!(browser.open(PATH).await.expect(200).text().contains("Add an e-mail channel"));
            let channel = add_mail_channel(&app, &server, &mut browser, &who).await;
            browser.open(PATH).await.expect(200);
            let mail = format!("{PATH}/mail");
            let on = [("channel", channel.as_str()), ("mail", "on"), ("digest", "08:00")];
            let chosen = browser.submit(&mail, &on).await.expect(303);
            let page = browser.follow(&chosen).await;
            assert!(
                page.contains("Due highlights will be sent by e-mail.") && page.contains("08:00"),
                "{page}"
            );
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
            let off = [("channel", channel.as_str()), ("mail", "off")];
            let stopped = browser.submit(&mail, &off).await.expect(303);
            assert!(browser.follow(&stopped).await.contains("will no longer be sent by e-mail"));
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
            let mail = format!("{PATH}/mail");
            let fields = |act, time| [("channel", channel.as_str()), ("mail", act), ("digest", time)];
            stranger.open("/settings").await.expect(200);
            stranger.submit(&mail, &fields("on", "08:00")).await.expect(404);
            for (act, time) in [("on", "25:00"), ("on", ""), ("maybe", "08:00")] {
                browser.open(PATH).await.expect(200);
                browser.submit(&mail, &fields(act, time)).await.expect(422);
            }
            browser.open(PATH).await.expect(200);
            browser.submit(&mail, &[("channel", "x"), ("mail", "on")]).await.expect(404);
            assert!(browser.open(PATH).await.expect(200).text().contains("Send to"));
        }
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
fn gaps_of_a_card_hide_words_before_the_answer() {
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
fn card_is_exported_and_hides_nothing_if_it_does_not_fit() {
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
