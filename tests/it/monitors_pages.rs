//! Pages of monitors: the list, the form with its preview, one monitor, its buttons.

use reqwest::Method;

use crate::support::person::{PASSWORD, Person};
use crate::support::watch::{minute, page, run_now, shown, watched};
use crate::support::{Answer, TestApp, on_each_world};

/// A signed-in browser.
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

    async fn get(&self, app: &TestApp, path: &str) -> Answer {
        app.get_with(path, &[("cookie", &self.cookie)]).await
    }

    async fn send(&self, app: &TestApp, page: &str, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = token(&self.get(app, page).await.expect(200));
        let fields: Vec<(&str, &str)> = fields.iter().copied().chain([("token", token.as_str())]).collect();
        post(app, path, &self.cookie, body(&fields)).await
    }
}

fn cookie(answer: &Answer) -> String {
    answer
        .header_lines("set-cookie")
        .iter()
        .map(|line| line.split(';').next().unwrap())
        .collect::<Vec<_>>()
        .join("; ")
}

fn token(answer: &Answer) -> String {
    let text = answer.text();
    text.split("name=\"token\" value=\"").nth(1).expect("a token").split('"').next().unwrap().to_owned()
}

fn body(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

async fn post(app: &TestApp, path: &str, cookie: &str, body: String) -> Answer {
    let headers =
        [("cookie", cookie), ("content-type", "application/x-www-form-urlencoded"), ("origin", &app.origin)];
    app.send(Method::POST, path, &headers, Some(body)).await
}

#[test]
fn a_person_makes_a_monitor_and_looks_at_it() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        app.get("/monitors").await.expect(303);
        let browser = Browser::of(&app, &who).await;
        assert!(
            browser.get(&app, "/monitors").await.expect(200).text().contains("curl"),
            "the empty list teaches"
        );
        let url = app.site.put("/harbour", page("The ferry leaves at nine."));
        let fields =
            [("name", "Harbour"), ("targetUrl", url.as_str()), ("targetType", "page"), ("follow", "1")];
        let preview: Vec<(&str, &str)> = fields.into_iter().chain([("act", "preview")]).collect();
        let seen = browser.send(&app, "/monitors/new", "/monitors/new", &preview).await.expect(200).text();
        assert!(seen.contains("This would be watched") && seen.contains("The ferry leaves at nine."));
        let made = browser.send(&app, "/monitors/new", "/monitors/new", &fields).await.expect(303);
        let at = made.header("location").split('?').next().unwrap().to_owned();
        minute(&app).await;
        app.site.put("/harbour", page("The ferry leaves at ten."));
        browser.send(&app, &at, &format!("{at}/run"), &[]).await.expect(303);
        app.run_jobs().await;
        let text = browser.get(&app, &at).await.expect(200).text();
        assert!(text.contains("class=\"timeline\"") && text.contains("class=\"changed\""), "{text}");
        let link = text.split("/changes/").nth(1).expect("a change").split('"').next().unwrap().to_owned();
        assert!(app.get(&format!("/changes/{link}")).await.expect(200).text().contains("<del>"));
        browser.send(&app, &at, &format!("{at}/pause"), &[]).await.expect(303);
        assert!(browser.get(&app, "/monitors").await.expect(200).text().contains("paused"));
        browser.send(&app, &at, &format!("{at}/resume"), &[]).await.expect(303);
        let edit = format!("{at}/edit");
        let changed =
            [("name", "Ferry"), ("intervalMinutes", "2880"), ("trigger", "text_appears"), ("value", "ten")];
        let tried: Vec<(&str, &str)> = changed.into_iter().chain([("act", "preview")]).collect();
        assert!(
            browser
                .send(&app, &edit, &edit, &tried)
                .await
                .expect(200)
                .text()
                .contains("1 of the last 1 changes")
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
fn forms_from_elsewhere_and_other_peoples_monitors_are_refused() {
    on_each_world(async |app| {
        let (who, other) = (Person::free(&app).await, Person::free(&app).await);
        let url = app.site.put("/harbour", page("x"));
        let monitor = watched(&app, &who, &url).await;
        minute(&app).await;
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        let stranger = Browser::of(&app, &other).await;
        stranger.get(&app, &at).await.expect(404);
        let owner = Browser::of(&app, &who).await;
        let forged = post(&app, &format!("{at}/pause"), &owner.cookie, body(&[("token", "x")])).await;
        forged.expect(403);
        assert_eq!(shown(&app, &who, &monitor).await["status"], "active");
        run_now(&app, &who, &monitor).await;
        owner.get(&app, "/monitors/nothing").await.expect(404);
        owner.get(&app, "/monitors/new").await.expect(200);
    });
}

#[test]
fn replacing_a_feed_link_asks_first_and_an_error_is_named_at_the_top() {
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
        let asked = browser.get(&app, &format!("{at}/rotate-feed")).await.expect(200).text();
        assert!(asked.contains("stop working at once"), "{asked}");
    });
}

#[test]
fn a_failed_run_is_told_in_a_sentence() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let browser = Browser::of(&app, &who).await;
        let url = app.site.put("/harbour", crate::support::Reply::status(404));
        let monitor = watched(&app, &who, &url).await;
        let at = format!("/monitors/{}", monitor["id"].as_str().unwrap());
        assert!(browser.get(&app, &at).await.expect(200).text().contains("no run has succeeded yet"));
        minute(&app).await;
        for page in ["/monitors", &at] {
            let text = browser.get(&app, page).await.expect(200).text();
            assert!(
                text.contains("The source has no such page") && !text.contains("source_not_found"),
                "{text}"
            );
        }
        let text = browser.get(&app, &at).await.expect(200).text();
        assert!(text.contains("The last run: 0 with a change, 0 without, 1 failed."), "{text}");
    });
}
