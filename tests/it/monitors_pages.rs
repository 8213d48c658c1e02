//! Pages of monitors: the list, the form with its preview, and the detail page with its buttons.

use identity::accounts::set_tier;
use kernel::tiers::Tier;
use reqwest::Method;

use crate::support::monitoring::{advance_minute, create_monitor, get_monitor, page, run_now, watch_page};
use crate::support::person::{PASSWORD, Person};
use crate::support::{HttpAnswer, TestApp, on_each_world};

struct Browser {
    cookie: String,
}

impl Browser {
    async fn of(app: &TestApp, who: &Person) -> Self {
        let form = app.get("/sign-in").await.expect(200);
        let cookie = cookie(&form);
        let body = body(&[("token", &token(&form)), ("email", &who.email), ("password", PASSWORD)]);
        let answer = post(app, "/sign-in", &cookie, body).await.expect(303);
        Self { cookie: self::cookie(&answer) }
    }

    async fn get(&self, app: &TestApp, path: &str) -> HttpAnswer {
        app.get_with(path, &[("cookie", &self.cookie)]).await
    }

    async fn send(&self, app: &TestApp, page: &str, path: &str, fields: &[(&str, &str)]) -> HttpAnswer {
        let token = token(&self.get(app, page).await.expect(200));
        let fields: Vec<(&str, &str)> = fields.iter().copied().chain([("token", token.as_str())]).collect();
        post(app, path, &self.cookie, body(&fields)).await
    }
}

fn cookie(answer: &HttpAnswer) -> String {
    answer
        .header_lines("set-cookie")
        .iter()
        .map(|line| line.split(';').next().unwrap())
        .collect::<Vec<_>>()
        .join("; ")
}

fn token(answer: &HttpAnswer) -> String {
    let text = answer.text();
    text.split("name=\"token\" value=\"")
        .nth(1)
        .expect("the page has a form token")
        .split('"')
        .next()
        .unwrap()
        .to_owned()
}

fn body(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

async fn post(app: &TestApp, path: &str, cookie: &str, body: String) -> HttpAnswer {
    let headers =
        [("cookie", cookie), ("content-type", "application/x-www-form-urlencoded"), ("origin", &app.origin)];
    app.send(Method::POST, path, &headers, Some(body)).await
}

#[test]
fn monitor_is_created_edited_and_deleted_in_the_browser() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        app.get("/monitors").await.expect(303);
        let browser = Browser::of(&app, &who).await;
        let lists = "href=\"/monitors/lists\">Import and export</a>";
        let empty = browser.get(&app, "/monitors").await.expect(200).text();
        assert!(empty.contains("curl") && empty.contains(lists), "the empty list shows an example: {empty}");
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let fields =
            [("name", "Harbour"), ("targetUrl", url.as_str()), ("targetType", "page"), ("follow", "1")];
        let preview: Vec<(&str, &str)> = fields.into_iter().chain([("act", "preview")]).collect();
        let seen = browser.send(&app, "/monitors/new", "/monitors/new", &preview).await.expect(200).text();
        assert!(seen.contains("What will be watched") && seen.contains("The ferry leaves at nine."));
        let made = browser.send(&app, "/monitors/new", "/monitors/new", &fields).await.expect(303);
        let at = made.header("location").split('?').next().unwrap().to_owned();
        advance_minute(&app).await;
        app.site.put("/harbour", page("The ferry leaves at ten."));
        browser.send(&app, &at, &format!("{at}/run"), &[]).await.expect(303);
        app.run_jobs().await;
        let text = browser.get(&app, &at).await.expect(200).text();
        assert!(text.contains("class=\"timeline\"") && text.contains("class=\"changed\""), "{text}");
        let link = text
            .split("/changes/")
            .nth(1)
            .expect("the page links a change")
            .split('"')
            .next()
            .unwrap()
            .to_owned();
        assert!(app.get(&format!("/changes/{link}")).await.expect(200).text().contains("<del>"));
        browser.send(&app, &at, &format!("{at}/pause"), &[]).await.expect(303);
        let list = browser.get(&app, "/monitors").await.expect(200).text();
        assert!(list.contains("paused") && list.contains(lists), "{list}");
        browser.send(&app, &at, &format!("{at}/resume"), &[]).await.expect(303);
        let edit = format!("{at}/edit");
        let changed = [
            ("name", "Ferry"),
            ("targetUrl", url.as_str()),
            ("intervalMinutes", "2880"),
            ("trigger", "text_appears"),
            ("value", "ten"),
        ];
        let tried: Vec<(&str, &str)> = changed.into_iter().chain([("act", "preview")]).collect();
        assert!(
            browser
                .send(&app, &edit, &edit, &tried)
                .await
                .expect(200)
                .text()
                .contains("1 of the last 1 change")
        );
        browser.send(&app, &edit, &edit, &changed).await.expect(303);
        assert!(browser.get(&app, &at).await.expect(200).text().contains("2 days"));
        let wrong = [("name", ""), ("intervalMinutes", "5")];
        browser.send(&app, &edit, &edit, &wrong).await.expect(422);
        browser.send(&app, &at, &format!("{at}/rotate-feed"), &[]).await.expect(303);
        assert!(browser.get(&app, "/settings/plan").await.expect(200).text().contains("1 of 3"));
        browser.send(&app, &format!("{at}/delete"), &format!("{at}/delete"), &[]).await.expect(303);
        browser.get(&app, &at).await.expect(404);
    });
}

#[test]
fn forged_forms_and_monitors_of_other_accounts_are_refused() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/harbour", page("x"));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        let stranger = Browser::of(&app, &other).await;
        stranger.get(&app, &at).await.expect(404);
        let owner = Browser::of(&app, &who).await;
        let forged = post(&app, &format!("{at}/pause"), &owner.cookie, body(&[("token", "x")])).await;
        forged.expect(403);
        assert_eq!(get_monitor(&app, &who, &monitor).await["status"], "active");
        run_now(&app, &who, &monitor).await;
        owner.get(&app, "/monitors/nothing").await.expect(404);
        owner.get(&app, "/monitors/new").await.expect(200);
    });
}

#[test]
fn feed_link_rotation_is_confirmed_and_form_errors_are_linked() {
    on_each_world(async |app| {
        let browser = Browser::of(&app, &Person::free(&app).await).await;
        let form = "/monitors/new";
        let wrong = [("name", "Ferry"), ("targetUrl", "nowhere"), ("targetType", "page"), ("act", "make")];
        let text = browser.send(&app, form, form, &wrong).await.expect(422).text();
        assert!(text.contains("<title>Error: ") && text.contains("href=\"#targetUrl\""), "{text}");
        let url = app.site.article("/ferry");
        let good = [("name", "Ferry"), ("targetUrl", url.as_str()), ("targetType", "page"), ("act", "make")];
        let made = browser.send(&app, form, form, &good).await.expect(303);
        let at = made.header("location").split('?').next().unwrap().to_owned();
        let confirmation = browser.get(&app, &format!("{at}/rotate-feed")).await.expect(200).text();
        assert!(confirmation.contains("stop working immediately"), "{confirmation}");
    });
}

#[test]
fn failed_run_is_explained_without_error_codes() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let browser = Browser::of(&app, &who).await;
        let url = app.site.put("/harbour", crate::support::Reply::status(404));
        let monitor = watch_page(&app, &who, &url).await;
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        assert!(browser.get(&app, &at).await.expect(200).text().contains("no run has succeeded"));
        advance_minute(&app).await;
        for page in ["/monitors", &at] {
            let text = browser.get(&app, page).await.expect(200).text();
            assert!(text.contains("The page does not exist") && !text.contains("source_not_found"), "{text}");
        }
        let text = browser.get(&app, &at).await.expect(200).text();
        assert!(text.contains("The last run: 0 with a change, 0 without, 1 failed."), "{text}");
    });
}

/// Returns the text between two markers. Empty if a marker is missing.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).map_or("", |(inner, _)| inner)
}

#[test]
fn preview_precedes_the_name_field_and_proposes_a_name() {
    on_each_world(async |app| {
        let browser = Browser::of(&app, &Person::free(&app).await).await;
        let form = browser.get(&app, "/monitors/new").await.expect(200).text();
        let position =
            |text: &str, words: &str| text.find(words).unwrap_or_else(|| panic!("{words} in {text}"));
        assert!(position(&form, "name=\"targetUrl\"") < position(&form, "value=\"preview\""));
        assert!(position(&form, "value=\"preview\"") < position(&form, "name=\"name\""));
        let preview = between(&form, "<button class=\"\"", ">");
        assert!(preview.contains("preview") && preview.contains("formnovalidate"), "{form}");
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let preview_fields = [("targetUrl", url.as_str()), ("targetType", "page"), ("act", "preview")];
        let seen =
            browser.send(&app, "/monitors/new", "/monitors/new", &preview_fields).await.expect(200).text();
        assert!(seen.contains("name=\"name\" type=\"text\" value=\"Harbour\""), "{seen}");
        assert!(between(&seen, "<button class=\"\"", "</button>").contains("Start watching"), "{seen}");
        let named = [("name", "Ferry"), preview_fields[0], preview_fields[1], preview_fields[2]];
        let seen = browser.send(&app, "/monitors/new", "/monitors/new", &named).await.expect(200).text();
        assert!(seen.contains("value=\"Ferry\""), "the entered name is retained");
    });
}

#[test]
fn form_errors_are_summarised_and_the_input_is_retained() {
    on_each_world(async |app| {
        let browser = Browser::of(&app, &Person::free(&app).await).await;
        let url = app.site.put("/shop", page("x"));
        let wrong = [
            ("targetUrl", url.as_str()),
            ("targetType", "extract"),
            ("items", ".product"),
            ("trigger", "below"),
            ("ignore", "visitors today"),
            ("act", "make"),
        ];
        let text = browser.send(&app, "/monitors/new", "/monitors/new", &wrong).await.expect(422).text();
        assert!(text.contains("<title>Error: New monitor"), "{text}");
        let summary = between(&text, "role=\"alert\"", "</div>");
        assert!(summary.contains("autofocus") && summary.contains("3 problems"), "{summary}");
        for (field, words) in [
            ("fields", "Enter at least one value"),
            ("value", "Enter the number to wait for"),
            ("name", "Enter a name for the monitor"),
        ] {
            assert!(summary.contains(&format!("href=\"#{field}\"")) && summary.contains(words), "{summary}");
            assert!(
                text.contains(&format!("id=\"{field}\"")) && text.contains(&format!("id=\"{field}-error\""))
            );
        }
        for retained in
            [&format!("value=\"{url}\""), ".product", "visitors today", "value=\"below\" selected"]
        {
            assert!(text.contains(retained), "{retained} is missing in {text}");
        }
        let odd = [
            ("name", "Shop"),
            ("targetUrl", url.as_str()),
            ("targetType", "extract"),
            ("fields", "price = .price\nprice = .old"),
            ("intervalMinutes", "15"),
            ("act", "make"),
        ];
        let text = browser.send(&app, "/monitors/new", "/monitors/new", &odd).await.expect(422).text();
        let summary = between(&text, "role=\"alert\"", "</div>");
        assert!(summary.contains("href=\"#fields\"") && !summary.contains("/fields"), "{summary}");
        let short = [odd[0], odd[1], ("targetType", "page"), odd[4], odd[5]];
        let text = browser.send(&app, "/monitors/new", "/monitors/new", &short).await.expect(422).text();
        let summary = between(&text, "role=\"alert\"", "</div>");
        assert!(summary.contains("every day") && summary.contains("href=\"#intervalMinutes\""), "{summary}");
    });
}

#[test]
fn form_changes_the_url_and_selector_of_a_monitor() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let browser = Browser::of(&app, &who).await;
        let (one, other) =
            (app.site.put("/one", page("Nine o'clock.")), app.site.put("/other", page("Ten o'clock.")));
        let monitor = watch_page(&app, &who, &one).await;
        advance_minute(&app).await;
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        let edit = format!("{at}/edit");
        let form = browser.get(&app, &edit).await.expect(200).text();
        assert!(form.contains(&format!("value=\"{one}\"")) && form.contains("name=\"selector\""), "{form}");
        let fields = [
            ("name", "Harbour"),
            ("targetUrl", other.as_str()),
            ("selector", "main p:last-child"),
            ("intervalMinutes", "1440"),
            ("follow", "1"),
            ("act", "save"),
        ];
        browser.send(&app, &edit, &edit, &fields).await.expect(303);
        let now = get_monitor(&app, &who, &monitor).await;
        assert_eq!(
            (now["targetUrl"].as_str(), now["selector"].as_str()),
            (Some(&*other), Some("main p:last-child"))
        );
        let cleared = [fields[0], fields[1], fields[3], fields[4], fields[5]];
        browser.send(&app, &edit, &edit, &cleared).await.expect(303);
        assert!(get_monitor(&app, &who, &monitor).await["selector"].is_null());
        advance_minute(&app).await;
        let text = browser.get(&app, &at).await.expect(200).text();
        assert!(
            text.contains(&other) && text.contains("first run") && !text.contains("change found"),
            "{text}"
        );
    });
}

#[test]
fn change_page_links_to_the_monitor_and_neighbouring_changes() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let browser = Browser::of(&app, &who).await;
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        for hour in ["ten", "eleven", "noon"] {
            app.site.put("/harbour", page(&format!("The ferry leaves at {hour}.")));
            run_now(&app, &who, &monitor).await;
        }
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        let list = browser.get(&app, "/monitors").await.expect(200).text();
        let newest = between(&list, "/changes/", "\"").to_owned();
        assert!(list.contains("noon"), "the list shows the change: {list}");
        let text = browser.get(&app, &format!("/changes/{newest}")).await.expect(200).text();
        assert!(
            text.contains(&format!("{at}\""))
                && text.contains("Earlier change")
                && !text.contains("Later change")
        );
        // Unchanged text is displayed as context below its heading. Block numbers are hidden.
        assert!(text.contains("unchanged lines") && text.contains("<h2>News</h2>"), "{text}");
        assert!(!text.contains("class=\"anchor\""), "{text}");
        let earlier = between(&text, "rel=\"prev\" href=\"", "\"").to_owned();
        let path = earlier.strip_prefix(&app.origin).unwrap_or(&earlier).to_owned();
        let text = browser.get(&app, &path).await.expect(200).text();
        assert!(text.contains("Earlier change") && text.contains("Later change"), "{text}");
        application::credit_grants::grant(&app.app.domain, &who.email, -95, "").await.unwrap();
        app.site.put("/harbour", page("The ferry leaves at one."));
        run_now(&app, &who, &monitor).await;
        let list = browser.get(&app, "/monitors").await.expect(200).text();
        assert!(
            list.contains("noon → one") && !list.contains("Waiting until"),
            "a notice is not listed as a change: {list}"
        );
        let text = browser.get(&app, &format!("/changes/{newest}")).await.expect(200).text();
        let last = between(&text, "rel=\"next\" href=\"", "\"").to_owned();
        let path = last.strip_prefix(&app.origin).unwrap_or(&last).to_owned();
        let text = browser.get(&app, &path).await.expect(200).text();
        assert!(text.contains("Earlier change") && !text.contains("Later change"), "{text}");
        let stranger = app.get(&format!("/changes/{newest}")).await.expect(200).text();
        assert!(!stranger.contains("Earlier change") && !stranger.contains(&at), "{stranger}");
        let other = Browser::of(&app, &Person::free(&app).await).await;
        let text = other.get(&app, &format!("/changes/{newest}")).await.expect(200).text();
        assert!(!text.contains("Earlier change") && !text.contains(&at), "{text}");
    });
}

#[test]
fn page_reloads_until_the_run_is_over_and_reports_its_outcome() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let browser = Browser::of(&app, &who).await;
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let monitor = watch_page(&app, &who, &url).await;
        advance_minute(&app).await;
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        app.site.put("/harbour", page("The ferry leaves at ten."));
        let sent = browser.send(&app, &at, &format!("{at}/run"), &[]).await.expect(303);
        let waiting = browser.get(&app, sent.header("location")).await.expect(200);
        let refresh = waiting.header("refresh").to_owned();
        assert!(refresh.starts_with("3; url=/monitors/") && refresh.contains("reload=1"), "{refresh}");
        app.run_jobs().await;
        let next = refresh.split_once("url=").unwrap().1.to_owned();
        let ended = browser.get(&app, &next).await.expect(200);
        assert_eq!(ended.header("refresh"), "");
        let text = ended.text();
        assert!(text.contains("Run finished: change found."), "{text}");
        // The bar of a change links to the change. The axis displays the first and the last date.
        let line = text.split("class=\"timeline").nth(1).unwrap();
        assert!(between(line, "<svg", "</svg>").contains("<a href="), "{text}");
        assert!(text.contains("class=\"dates") && text.contains("class=\"legend"), "{text}");
    });
}

#[test]
fn exhausted_monitor_quota_is_reported_instead_of_a_form() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let browser = Browser::of(&app, &who).await;
        for name in ["one", "two", "three"] {
            let url = app.site.put(&format!("/{name}"), page(name));
            watch_page(&app, &who, &url).await;
        }
        let text = browser.get(&app, "/monitors/new").await.expect(200).text();
        assert!(text.contains("Your plan allows no more monitors") && text.contains("3 of 3"), "{text}");
        assert!(!text.contains("<textarea"), "{text}");
    });
}

#[test]
fn saving_the_form_on_a_smaller_plan_retains_the_shorter_interval() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Premium).await;
        let browser = Browser::of(&app, &who).await;
        let url = app.site.put("/harbour", page("x"));
        let hourly = serde_json::json!({"name": "Harbour", "targetUrl": url, "intervalMinutes": 60});
        let monitor = create_monitor(&app, &who, &hourly).await;
        set_tier(&app.app.domain, &who.email, Tier::Free).await.unwrap();
        let edit = format!("/monitors/{}/edit", monitor["id"].as_str().unwrap());
        let fields = [("name", "Port"), ("targetUrl", &*url), ("intervalMinutes", "1440"), ("act", "save")];
        browser.send(&app, &edit, &edit, &fields).await.expect(303);
        assert_eq!(get_monitor(&app, &who, &monitor).await["name"], "Port");
        set_tier(&app.app.domain, &who.email, Tier::Premium).await.unwrap();
        assert_eq!(get_monitor(&app, &who, &monitor).await["intervalMinutes"], 60);
    });
}

#[test]
fn masked_clock_is_listed_and_watched_on_request() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let clock = |day: u32| page(&format!("The ferry is on time.</p><p>Updated {day} May 2026, 10:31"));
        let url = app.site.put("/harbour", clock(12));
        let body = serde_json::json!({"name": "Harbour", "targetUrl": url});
        let preview = who.post(&app, "/v1/monitors/preview", &body).await.expect(200).json();
        let reasons: Vec<&serde_json::Value> =
            preview["blocks"].as_array().unwrap().iter().map(|block| &block["unwatched"]).collect();
        assert_eq!(reasons.last().unwrap().as_str(), Some("clock"), "{preview}");
        assert_eq!(reasons.iter().filter(|reason| !reason.is_null()).count(), 1, "{preview}");
        let monitor = create_monitor(&app, &who, &body).await;
        advance_minute(&app).await;
        let masks = get_monitor(&app, &who, &monitor).await["masks"].to_string();
        assert!(masks.contains("Updated 12 May 2026, 10:31"), "{masks}");
        app.site.put("/harbour", clock(13));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "unchanged");
        let browser = Browser::of(&app, &who).await;
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        let text = browser.get(&app, &at).await.expect(200).text();
        assert!(text.contains("Watch these too"), "{text}");
        browser.send(&app, &at, &format!("{at}/watch-all"), &[]).await.expect(303);
        assert_eq!(get_monitor(&app, &who, &monitor).await["masks"], serde_json::json!([]));
        app.site.put("/harbour", clock(14));
        assert_eq!(run_now(&app, &who, &monitor).await["outcome"], "changed");
    });
}
