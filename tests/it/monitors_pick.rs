//! Choice of the watched parts on a picture of the page, in the forms of new and existing monitors. The tests use a real
//! Chromium. If there is none, the tests that need it are skipped with a message.

use kernel::clock::HOUR;
use kernel::tiers::Tier;
use serde_json::{Value, json};

use crate::renderer::with_browser;
use crate::support::browser::{Browser, between};
use crate::support::monitoring::{create_monitor, get_monitor, page, watch_page};
use crate::support::on_each_world;
use crate::support::person::Person;
use crate::support::{Reply, TestApp};

const NEW: &str = "/monitors/new";

/// Page of a shop whose price, table, list, and hostile text are created by a script.
const SHOP: &str = "<!doctype html><html lang=en><head><title>Lamp</title></head><body><noscript>Enable JavaScript.</noscript>\
    <div id=root></div><script>const text = 'The lamp of the harbour is made of brass and gives a warm light for years.';\
    document.getElementById('root').innerHTML = '<main><h1>Lamp</h1><p class=price>12 EUR</p>' +\
    ('<p>' + text + '</p>').repeat(4) + '<table id=stock><tr><td>Pier</td><td>3 left</td></tr><tr><td>Tower</td>' +\
    '<td>sold out</td></tr></table><ul><li>Shade</li><li>Cable</li></ul>' +\
    '<div id=evil>&lt;script&gt;alert(1)&lt;/script&gt; \"quoted\"</div><p hidden>Hidden words</p></main>';\
    </script></body></html>";

/// Page whose result depends on a field without text and on a button.
const SEARCH: &str = "<!doctype html><html lang=en><head><title>Search</title></head><body><main><h1>Harbour</h1>\
    <p>The harbour wall was repaired in autumn and the boats came back before the first storm of the year.</p>\
    <label for=query>Boat</label> <input id=query><button id=search>Search</button><p id=list></p></main><script>\
    document.getElementById('search').onclick = () => {\
      document.getElementById('list').textContent = 'Boats for ' + document.getElementById('query').value; };\
    </script></body></html>";

/// Page with a component that has a shadow root, and with repeated ids.
const COMPONENT: &str = "<!doctype html><html lang=en><head><title>Tide</title></head><body><h1>Tide</h1>\
    <p>The tide table of the harbour is updated every morning before the boats leave for the islands.</p>\
    <tide-table></tide-table><p id=same>First note</p><p id=same>Second note</p><script>\
    const host = document.querySelector('tide-table').attachShadow({ mode: 'open' });\
    host.innerHTML = '<section class=tides><b class=high>High at 9:12</b> <b class=low>Low at 15:30</b></section>';\
    </script></body></html>";

/// Requests the picture of a page. Returns the form.
async fn picture(browser: &mut Browser<'_>, url: &str) -> String {
    browser.open(NEW).await.expect(200);
    let typed = [
        ("name", "My lamp"),
        ("targetUrl", url),
        ("targetType", "page"),
        ("tags", "home"),
        ("intervalMinutes", "1440"),
        ("act", "picture"),
    ];
    browser.submit(NEW, &typed).await.expect(200).text()
}

/// Returns the parts in the list of the form: number, text, and selector, as HTML.
fn parts(form: &str) -> Vec<(String, String, String)> {
    let list = between(form, "<ol class=\"parts\"", "</ol>");
    let row = |row: &str| {
        let of = |start, end| between(row, start, end).to_owned();
        (
            of("value=\"", "\""),
            of("<bdi>", "</bdi>"),
            of("<code class=\"soft small\" dir=\"ltr\">", "</code>"),
        )
    };
    list.split("<li>").skip(1).map(row).collect()
}

fn key(form: &str) -> String {
    between(form, "name=\"picture\" value=\"", "\"").to_owned()
}

fn unescaped(html: &str) -> String {
    html.replace("&gt;", ">").replace("&lt;", "<").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn chosen_part_fills_in_the_selector_and_leaves_the_rest_of_the_form_unchanged() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/lamp", Reply::html(SHOP));
        let form = picture(&mut browser, &url).await;
        assert!(form.contains("id=\"preview\"") && form.contains("Choose a part of the page"), "{form}");
        let known = parts(&form);
        let part = known.iter().find(|(_, text, _)| text == "12 EUR");
        let (number, _, selector) = part.unwrap_or_else(|| panic!("{known:?}"));
        assert_eq!(selector, ".price");
        assert!(
            form.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !form.contains("<script"),
            "{form}"
        );
        assert!(!form.contains("Hidden words"), "{form}");
        let key = key(&form);
        let typed = [
            ("name", "My lamp"),
            ("targetUrl", url.as_str()),
            ("targetType", "page"),
            ("tags", "home"),
            ("intervalMinutes", "1440"),
            ("picture", key.as_str()),
        ];
        let chosen = [&typed[..], &[("part", number.as_str())]].concat();
        let form = browser.submit(NEW, &chosen).await.expect(200).text();
        let selector = between(&form, "<textarea id=\"selector\"", "</textarea>");
        assert!(selector.strip_suffix(".price").is_some(), "{form}");
        assert!(between(&form, "name=\"render\"", ">").contains("checked"), "{form}");
        assert!(form.contains("value=\"My lamp\"") && form.contains("value=\"home\""), "{form}");
        let listed = between(&form, "<ul class=\"chosen-parts\"", "</ul>");
        assert!(listed.contains("<bdi>12 EUR</bdi>") && form.contains(&key), "{form}");
        let filled = [&typed[..], &[("render", "1"), ("selector", ".price")]].concat();
        let previewed = [&filled[..], &[("act", "preview")]].concat();
        let form = browser.submit(NEW, &previewed).await.expect(200).text();
        let preview = between(&form, "id=\"preview\"", "</section>");
        assert!(preview.contains("12 EUR") && !preview.contains("made of brass"), "{preview}");
        assert!(form.contains("Choose another part") && form.contains(&key), "{form}");
        let made = [&filled[..], &[("act", "make")]].concat();
        let made = browser.submit(NEW, &made).await.expect(303);
        let id = made.header("location").split('?').next().unwrap().rsplit('/').next().unwrap().to_owned();
        let monitor = get_monitor(&app, &who, &json!({"id": id})).await;
        assert_eq!((&monitor["selector"], &monitor["render"]), (&json!(".price"), &json!(true)));
    });
}

/// Returns the number and the selector of the part with this text.
fn part_of(form: &str, text: &str) -> (String, String) {
    let known = parts(form);
    let part = known.iter().find(|(_, own, _)| own == text);
    let (number, _, selector) = part.unwrap_or_else(|| panic!("{known:?}"));
    (number.clone(), unescaped(selector))
}

#[test]
fn parts_of_an_existing_monitor_are_added_and_removed() {
    with_browser("off", async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let mut browser = Browser::signed_in(&app, &who).await;
        let url = app.site.put("/lamp", Reply::html(SHOP));
        let monitor = watch_page(&app, &who, &url).await;
        let edit = format!("/monitors/{}/edit", monitor["id"].as_str().unwrap());
        browser.open(&edit).await.expect(200);
        let typed = [("name", "My lamp"), ("targetUrl", url.as_str()), ("intervalMinutes", "1440")];
        let requested = [&typed[..], &[("act", "picture")]].concat();
        let form = browser.submit(&edit, &requested).await.expect(200).text();
        assert!(form.contains(&format!("formaction=\"{edit}#preview\"")), "{form}");
        let key = key(&form);
        let ((price, _), (shade, shade_selector)) = (part_of(&form, "12 EUR"), part_of(&form, "Shade"));
        let pressed = |selector: &str, part: &str| {
            let more = [("picture", key.as_str()), ("render", "1"), ("selector", selector), ("part", part)];
            let fields = typed.iter().chain(&more);
            fields.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
        };
        let both = format!(".price\n{shade_selector}");
        for (selector, part, expected) in
            [(".price", &shade, both.as_str()), (both.as_str(), &price, shade_selector.as_str())]
        {
            let fields = pressed(selector, part);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
            let form = browser.submit(&edit, &fields).await.expect(200).text();
            let area = unescaped(between(&form, "<textarea id=\"selector\"", "</textarea>"));
            assert!(area.ends_with(&format!(">{expected}")), "{form}");
            let count = expected.lines().count();
            assert_eq!(form.matches("aria-pressed=\"true\"").count(), count, "{form}");
        }
        let saved = [&typed[..], &[("render", "1"), ("selector", both.as_str()), ("act", "save")]].concat();
        browser.submit(&edit, &saved).await.expect(303);
        let stored = get_monitor(&app, &who, &monitor).await;
        assert_eq!((&stored["selector"], &stored["render"]), (&json!(both), &json!(true)));
        let mut stranger = Browser::signed_in(&app, &other).await;
        stranger.open(NEW).await.expect(200);
        stranger.submit(&edit, &requested).await.expect(404);
    });
}

/// Returns the number of the part with this selector.
fn number_of(form: &str, selector: &str) -> String {
    let known = parts(form);
    let part = known.iter().find(|(_, _, own)| unescaped(own) == selector);
    part.unwrap_or_else(|| panic!("{known:?}")).0.clone()
}

#[test]
fn next_step_is_chosen_on_a_picture_taken_after_the_previous_steps() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let url = app.site.put("/search", Reply::html(SEARCH));
        browser.open(NEW).await.expect(200);
        let typed = [("name", "Boats"), ("targetUrl", url.as_str()), ("targetType", "page")];
        let own = [&typed[..], &[("steps", "type #query => Ada"), ("act", "steps")]].concat();
        let form = browser.submit(NEW, &own).await.expect(200).text();
        assert!(form.contains("Choose steps on the page") && form.contains("Remove step 1"), "{form}");
        let (before, field) = (key(&form), number_of(&form, "#query"));
        let filled = [&typed[..], &[("steps", "type #query => Ada"), ("picture", before.as_str())]].concat();
        // A field cannot be watched, so it begins a step regardless of the purpose.
        let pressed = [&filled[..], &[("pick", "part"), ("part", field.as_str())]].concat();
        let started = browser.submit(NEW, &pressed).await.expect(200).text();
        assert!(started.contains("name=\"stepSelector\" value=\"#query\""), "{started}");
        assert!(between(&started, "name=\"stepKind\" value=\"type\"", ">").contains("checked"), "{started}");
        let button = number_of(&started, "#search");
        let pressed = [&filled[..], &[("pick", "step"), ("part", button.as_str())]].concat();
        let started = browser.submit(NEW, &pressed).await.expect(200).text();
        assert!(between(&started, "name=\"stepKind\" value=\"click\"", ">").contains("checked"), "{started}");
        assert!(!started.contains("Boats for Ada"), "{started}");
        app.clock.advance(2 * 60_000);
        let step = [("stepSelector", "#search"), ("stepKind", "click"), ("stepText", ""), ("act", "addStep")];
        let form = browser.submit(NEW, &[&filled[..], &step].concat()).await.expect(200).text();
        let lines = unescaped(between(&form, "<textarea id=\"steps\"", "</textarea>"));
        assert!(lines.ends_with(">type #query => Ada\nclick #search"), "{lines}");
        assert!(form.contains("Remove step 2") && key(&form) != before, "{form}");
        assert_eq!(part_of(&form, "Boats for Ada").1, "#list", "the picture is of the page after the steps");
        assert!(between(&form, "name=\"render\"", ">").contains("checked"), "{form}");
    });
}

#[test]
fn monitor_without_parts_has_no_picture() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::signed_in(&app, &who).await;
        let url = app.site.put("/lamp", Reply::html(SHOP));
        let body = json!({"name": "Headers", "targetUrl": url, "targetType": "headers"});
        let monitor = create_monitor(&app, &who, &body).await;
        let edit = format!("/monitors/{}/edit", monitor["id"].as_str().unwrap());
        let form = browser.open(&edit).await.expect(200).text();
        assert!(!form.contains("value=\"picture\""), "{form}");
        let typed = [("name", "Headers"), ("targetUrl", url.as_str()), ("act", "picture")];
        let refused = browser.submit(&edit, &typed).await.expect(422).text();
        assert!(refused.contains("no parts to choose"), "{refused}");
    });
}

/// Returns the letters and digits of a text, because values and lines separate the parts of an element differently.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Checks that a preview reads the text of each part with its selector.
async fn expect_texts(app: &TestApp, who: &Person, url: &str, form: &str) {
    let known = parts(form);
    assert!(known.len() >= 5, "{known:?}");
    for some in known.chunks(10) {
        let field = |(number, _, selector): &(String, String, String)| json!({"name": format!("part {number}"), "selector": unescaped(selector)});
        let fields: Vec<Value> = some.iter().map(field).collect();
        let body = json!({"targetUrl": url, "targetType": "extract", "render": true, "fields": fields});
        let preview = who.post(app, "/v1/monitors/preview", &body).await.expect(200).json();
        let values = &preview["items"][0]["fields"];
        for (number, text, selector) in some {
            let watched = letters(values[format!("part {number}")].as_str().unwrap_or_default());
            let text = unescaped(text);
            let is_cut = text.ends_with('…');
            let offered = letters(&text);
            assert!(!offered.is_empty() && watched.starts_with(&offered), "{selector}: {text}: {preview}");
            assert!(is_cut || watched == offered, "{selector}: {text}: {watched}");
        }
    }
}

#[test]
fn every_offered_selector_returns_the_text_of_its_part() {
    with_browser("off", async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for (path, content) in [("/lamp", SHOP), ("/tide", COMPONENT)] {
            let mut browser = Browser::new(&app);
            browser.sign_in(&who.email).await;
            let url = app.site.put(path, Reply::html(content));
            let form = picture(&mut browser, &url).await;
            expect_texts(&app, &who, &url, &form).await;
        }
    });
}

#[test]
fn picture_belongs_to_its_account_and_expires() {
    with_browser("off", async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let (mut browser, mut stranger) = (Browser::new(&app), Browser::new(&app));
        browser.sign_in(&who.email).await;
        stranger.sign_in(&other.email).await;
        let url = app.site.put("/lamp", Reply::html(SHOP));
        let key = key(&picture(&mut browser, &url).await);
        let path = |file: &str| format!("/monitors/new/pictures/{key}/{file}");
        let answer = browser.load(&path("page.jpg")).await.expect(200);
        assert!(answer.body.starts_with(b"\xff\xd8\xff"), "a JPEG");
        for (name, value) in [
            ("content-type", "image/jpeg"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; sandbox"),
            ("cache-control", "private, no-store"),
        ] {
            assert_eq!(answer.header(name), value);
        }
        let style = browser.load(&path("style.css")).await.expect(200);
        assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
        assert!(style.text().contains(".page-picture>[value=\"1\"]{left:"), "{}", style.text());
        app.get(&path("page.jpg")).await.expect(303);
        stranger.open(NEW).await.expect(200);
        for file in ["page.jpg", "style.css"] {
            stranger.load(&path(file)).await.expect(404);
        }
        let typed = [("targetUrl", url.as_str()), ("picture", key.as_str()), ("part", "1")];
        for (browser, part) in [(&mut stranger, "1"), (&mut browser, "999")] {
            let typed = [typed[0], typed[1], ("part", part)];
            let refused = browser.submit(NEW, &typed).await.expect(422).text();
            assert!(between(&refused, "role=\"alert\"", "</div>").contains("has expired"), "{refused}");
        }
        browser.load("/monitors/new/pictures/%00/page.jpg").await.expect(404);
        app.clock.advance(HOUR + 1);
        browser.load(&path("page.jpg")).await.expect(404);
        let refused = browser.submit(NEW, &typed).await.expect(422).text();
        assert!(between(&refused, "role=\"alert\"", "</div>").contains("has expired"), "{refused}");
    });
}

#[test]
fn picture_costs_five_fresh_extractions_and_three_are_retained_per_account() {
    with_browser("off", async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let mut keys = Vec::new();
        for number in 1..=4 {
            let url = app.site.put(&format!("/lamp/{number}"), Reply::html(SHOP));
            keys.push(key(&picture(&mut browser, &url).await));
            app.clock.advance(2 * 60_000);
        }
        for (index, key) in keys.iter().enumerate() {
            let status = if index == 0 { 404 } else { 200 };
            browser.load(&format!("/monitors/new/pictures/{key}/page.jpg")).await.expect(status);
        }
        let plain = app.site.put("/plain", page("The tide is low."));
        app.clock.advance(HOUR);
        picture(&mut browser, &plain).await;
        let body = json!({"targetUrl": plain});
        let answer = who.post(&app, "/v1/monitors/preview", &body).await.expect(200);
        let limits = answer.header("ratelimit");
        assert!(limits.contains("\"fresh-minute\";r=4;"), "{limits}");
    });
}

#[test]
fn picture_is_refused_for_request_settings_and_without_an_address() {
    with_browser("off", async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let url = app.site.put("/lamp", Reply::html(SHOP));
        browser.open(NEW).await.expect(200);
        let missing = browser.submit(NEW, &[("act", "picture")]).await.expect(422).text();
        assert!(between(&missing, "role=\"alert\"", "</div>").contains("#targetUrl"), "{missing}");
        let own = [("targetUrl", url.as_str()), ("post", "1"), ("body", "x"), ("act", "picture")];
        let refused = browser.submit(NEW, &own).await.expect(422).text();
        assert!(between(&refused, "role=\"alert\"", "</div>").contains("#body"), "{refused}");
        assert_eq!(app.site.hits("/lamp"), 0);
    });
}

#[test]
fn form_explains_that_the_service_has_no_browser() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let form = browser.open(NEW).await.expect(200).text();
        assert!(form.contains("This service has no browser"), "{form}");
        assert!(!form.contains("value=\"picture\""), "{form}");
        let url = app.site.put("/lamp", Reply::html(SHOP));
        let refused = browser.submit(NEW, &[("targetUrl", url.as_str()), ("act", "picture")]).await;
        let refused = refused.expect(422).text();
        assert!(between(&refused, "role=\"alert\"", "</div>").contains("no browser"), "{refused}");
        app.get("/monitors/new/pictures/none/page.jpg").await.expect(303);
        browser.load("/monitors/new/pictures/none/page.jpg").await.expect(404);
        let steps = [("targetUrl", url.as_str()), ("steps", "click #a\r\nclick #b")];
        let removed = [&steps[..], &[("removeStep", "1")]].concat();
        let typed =
            [&steps[..], &[("stepSelector", "#c"), ("stepKind", "type"), ("stepText", "x"), ("act", "make")]]
                .concat();
        for (fields, expected) in [(removed, ">click #b"), (typed, "click #b\ntype #c => x")] {
            let form = browser.submit(NEW, &fields).await.expect(422).text();
            let lines = unescaped(between(&form, "<textarea id=\"steps\"", "</textarea>"));
            assert!(lines.ends_with(expected), "{lines}");
        }
        let unknown = [&steps[..], &[("removeStep", "3")]].concat();
        let form = browser.submit(NEW, &unknown).await.expect(422).text();
        assert!(between(&form, "role=\"alert\"", "</div>").contains("no such step"), "{form}");
    });
}
