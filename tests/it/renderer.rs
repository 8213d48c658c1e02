//! Pages whose text needs scripts, with a real Chromium. Without it, the tests are skipped with a message.

use identity::limits::AccountLimits;
use jobs::{JobKind, JobState, NewJob};
use kernel::tiers::Tier;
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::library_items::{item_path, save_item, send};
use crate::library_page_copies::used_bytes;
use crate::support::browser::Browser;
use crate::support::clock::{DAY, MINUTE, SECOND};
use crate::support::person::Person;
use crate::support::rss::{document, poll};
use crate::support::{Reply, Setup, TestApp, World, eventually, run};

/// Page whose text is created by a script.
const SCRIPT_PAGE: &str = "<!doctype html><html lang=en><head><title>Harbour</title></head><body>\
    <noscript>Enable JavaScript to read this page.</noscript><div id=root></div><script>\
    const sentence = ['The harbour', 'wall was repaired in autumn, and the boats returned before the first storm.'].join(' ');\
    document.getElementById('root').innerHTML = '<main><h1>Harbour</h1>' + ('<p>' + sentence + '</p>').repeat(9) + '</main>';\
    </script></body></html>";

/// Starts an app on each deployment type with the browser of this machine. If there is no browser, starts no
/// app.
pub(crate) fn with_browser(reader_limits: &'static str, test: impl AsyncFn(TestApp)) {
    let Some(program) = articles::worker_tools::find_browser() else {
        eprintln!("SKIPPED: no Chromium is installed, so no page is rendered (apt-get install chromium)");
        return;
    };
    run(async {
        for world in World::ALL {
            eprintln!("on {world:?}");
            let program = program.to_str().expect("the path is UTF-8");
            let setup =
                Setup::on(world).set("CARREL_READER_LIMITS", reader_limits).set("CARREL_READ_SECONDS", "110");
            test(setup.set("CARREL_RENDERER", program).spawn().await).await;
        }
    });
}

#[test]
fn reader_renders_a_page_that_needs_scripts_and_reports_the_allowance() {
    with_browser("100/10,100/60", async |app| {
        let url = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
        let served = app.read(&url, &[("render", "never")]).await.expect(422).json();
        assert_eq!(served["code"], "no_readable_text");
        let read = app.read(&url, &[]).await.expect(200);
        assert!(read.header("ratelimit").contains("\"render\";r=9"), "{}", read.header("ratelimit"));
        let read = read.json();
        assert_eq!(read["extraction_source"], "rendered", "{read}");
        assert_eq!(read["warnings"], json!([]));
        assert!(read["blocks"].to_string().contains("The harbour wall was repaired"));
        let hits = app.site.hits("/scripts");
        let again = app.read(&url, &[]).await.expect(200);
        assert!(!again.header("ratelimit").contains("\"render\""), "a stored text is free");
        assert_eq!(again.json()["extraction_source"], "rendered");
        assert_eq!(app.site.hits("/scripts"), hits);
    });
}

#[test]
fn rendered_article_costs_five_fresh_extractions_shared_by_equal_requests() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
        let body = json!({"url": url, "render": "always"});
        let read = async || person.post(&app, "/v1/articles/read", &body).await.expect(200);
        let (first, second) = tokio::join!(read(), read());
        for answer in [&first, &second] {
            assert_eq!(answer.json()["extractionSource"], "rendered");
        }
        let states = read().await.header("ratelimit").to_owned();
        assert!(states.contains("\"fresh-minute\";r=5;"), "{states}");
    });
}

#[test]
fn served_page_is_rendered_only_on_request() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        let source = async |render: &str| {
            let body = json!({"url": url, "render": render});
            person.post(&app, "/v1/articles/read", &body).await.expect(200).json()["extractionSource"].clone()
        };
        assert_eq!(source("auto").await, "html");
        assert_eq!(source("always").await, "rendered");
        assert_eq!(source("never").await, "html");
    });
}

#[test]
fn cookie_notices_are_dismissed_only_on_request() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let sentence =
            "<p>The harbour wall was repaired in autumn, and the boats returned before the first storm.</p>";
        let page = format!(
            "<!doctype html><html lang=en><head><title>Harbour</title></head><body><main><h1>Harbour</h1>{}<div id=out></div></main>\
             <div id=onetrust-banner-sdk><button id=onetrust-reject-all-handler onclick=\"this.parentNode.remove(); \
             document.getElementById('out').innerHTML = '<p>The readers of this page rejected every cookie.</p>'\">Reject</button></div>\
             </body></html>",
            sentence.repeat(9)
        );
        let url = app.site.put("/notice", Reply::html(page));
        let text = async |render: &str| {
            let body = json!({"url": url, "render": render});
            person.post(&app, "/v1/articles/read", &body).await.expect(200).text()
        };
        assert!(!text("always").await.contains("rejected every cookie"));
        let dismissed = text("without_cookie_notices").await;
        assert!(dismissed.contains("rejected every cookie"), "{dismissed}");
        assert!(!text("always").await.contains("rejected every cookie"), "each has its own text");
    });
}

#[test]
fn saved_page_that_needs_scripts_is_rendered_by_a_worker() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
        let saved = person.post(&app, "/v1/library/items", &json!({"url": url})).await.json();
        let path = format!("/v1/library/items/{}", saved["item"]["id"].as_str().expect("an id"));
        app.clock.advance(SECOND);
        app.tick().await;
        let read = async || person.get(&app, &path).await.expect(200).json();
        let item =
            eventually("the text is stored", read, |read| read["item"]["articleStatus"] == "ready").await;
        assert_eq!(item["item"]["extractionSource"], "rendered", "{item}");
    });
}

#[test]
fn article_of_a_feed_is_read_from_the_rendered_page() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let page = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
        let body = document(1..=1).replace("https://example.org/1?utm_source=rss", &page);
        let url = app.site.put("/feed.xml", Reply::bytes("application/rss+xml", body.into_bytes()));
        let follow = json!({"url": url, "fullText": true});
        let made = person.post(&app, "/v1/rss/subscriptions", &follow).await.expect(201).json();
        let path = format!("/v1/rss/subscriptions/{}/settings", made["subscription"]["id"]);
        let headers = [("x-api-key", person.key.as_str()), ("content-type", "application/json")];
        let rendered = json!({"renderArticles": true}).to_string();
        app.send(Method::PATCH, &path, &headers, Some(rendered)).await.expect(200);
        poll(&app).await;
        let list = person.get(&app, "/v1/rss/entries").await.expect(200).json();
        let path = format!("/v1/rss/entries/{}", list["entries"][0]["id"]);
        // The page is read as served first, and rendered by the next tick that finds it without a text.
        let read = async || {
            app.clock.advance(2 * MINUTE);
            app.tick().await;
            person.get(&app, &path).await.expect(200).json()["content"].clone()
        };
        let content =
            eventually("the article is stored", read, |content| content["source"] == "article").await;
        assert!(content["text"].as_str().unwrap().contains("The harbour wall was repaired"), "{content}");
    });
}

/// Creates a read job and waits until it is finished.
async fn finished_job(app: &TestApp, body: &Value) -> Value {
    let job = app.post("/api/v1/read/jobs", body).await.expect(202).json();
    let id = job["job_id"].as_str().expect("an id");
    // Polls are rate-limited, so the database is read.
    let read = async || {
        app.tick().await;
        let id = id.parse().expect("the id is a UUID");
        articles::reader::read_jobs::get(&app.app.domain, id).await.expect("the job is stored")
    };
    eventually("the job is finished", read, |job| job.state.is_final()).await;
    app.get(&format!("/api/v1/read/jobs/{id}")).await.expect(200).json()
}

#[test]
fn read_job_renders_a_page_from_the_allowance_of_its_network() {
    with_browser("100/10,100/60", async |app| {
        let put = |path: &str| app.site.put(path, Reply::html(SCRIPT_PAGE));
        let job = finished_job(&app, &json!({"url": put("/first")})).await;
        let result_url = job["result_url"].as_str().expect("a URL");
        let result = app.get_with(result_url, &[("accept", "application/json")]).await.expect(200).json();
        assert_eq!(result["extraction_source"], "rendered", "{result}");
        let read = app.read(&put("/second"), &[]).await.expect(200);
        assert!(read.header("ratelimit").contains("\"render\";r=8"), "{}", read.header("ratelimit"));
        let served = finished_job(&app, &json!({"url": put("/third"), "render": "never"})).await;
        assert_eq!(served["error"]["code"], "no_readable_text", "{served}");
    });
}

#[test]
fn batch_and_idempotent_request_are_rendered_unless_render_is_never() {
    with_browser("100/10,100/60", async |app| {
        let put = |path: &str| app.site.put(path, Reply::html(SCRIPT_PAGE));
        let (first, second, third) = (put("/first"), put("/second"), put("/third"));
        let batch = json!({"requests": [{"url": first}, {"url": second, "render": "never"}]});
        let answer = app.post("/api/v1/read/batch", &batch).await.expect(200);
        assert!(answer.header("ratelimit").contains("\"render\";r=9"), "{}", answer.header("ratelimit"));
        let answer = answer.json();
        assert_eq!(answer["results"][0]["output"]["extraction_source"], "rendered", "{answer}");
        assert_eq!(answer["results"][1]["output"]["code"], "no_readable_text", "{answer}");
        let headers = [("idempotency-key", "k")];
        let read = app.post_with("/api/v1/read", &headers, &json!({"url": third})).await.expect(200);
        assert!(read.header("ratelimit").contains("\"render\";r=8"), "{}", read.header("ratelimit"));
        assert_eq!(read.json()["extraction_source"], "rendered");
    });
}

#[test]
fn saved_page_is_rendered_as_chosen_in_the_form() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.article("/town");
        let body = json!({"url": url, "render": "always"});
        let saved = person.post(&app, "/v1/library/items", &body).await.expect(201).json();
        let path = format!("/v1/library/items/{}", saved["item"]["id"].as_str().expect("an id"));
        let stored = async || {
            let read = async || {
                app.tick().await;
                person.get(&app, &path).await.expect(200).json()["item"].clone()
            };
            eventually("the text is stored", read, |item| item["articleStatus"] == "ready").await
        };
        app.clock.advance(SECOND);
        let item = stored().await;
        assert_eq!(item["extractionSource"], "rendered", "{item}");
        let refresh = async |body: Value| {
            app.clock.advance(2 * MINUTE);
            person.post(&app, &format!("{path}/refresh"), &body).await.expect(202);
            stored().await["extractionSource"].clone()
        };
        assert_eq!(refresh(json!({})).await, "rendered", "the choice is stored");
        assert_eq!(refresh(json!({"render": "never"})).await, "html");
    });
}

#[test]
fn save_form_and_admin_page_report_whether_a_browser_is_available() {
    run(async {
        for (renderer, is_offered) in [("workers", true), ("off", false)] {
            let setup = Setup::on(World::Small).set("CARREL_ADMIN_TOKEN", "a-long-admin-token");
            let app = setup.set("CARREL_RENDERER", renderer).spawn().await;
            let person = Person::free(&app).await;
            let mut browser = Browser::new(&app);
            browser.sign_in(&person.email).await;
            let admin = [("authorization", "Bearer a-long-admin-token")];
            let jobs = app.get_with("/admin", &admin).await.expect(200).text();
            assert!(jobs.contains("Browser for pages that need scripts: "), "{jobs}");
            assert_eq!(jobs.contains("in workers on other machines."), is_offered, "{renderer}");
            let page = browser.open("/save").await.expect(200).text();
            assert_eq!(page.contains("<select id=\"render\""), is_offered, "{renderer}");
            let url = app.site.article("/town");
            let saved = browser.submit("/save", &[("url", &url), ("render", "never")]).await.expect(303);
            let page = browser.follow(&saved).await;
            assert_eq!(page.contains(">Fetch in a browser</button>"), is_offered, "{renderer}");
            let items = person.get(&app, "/v1/library/items").await.expect(200).json();
            assert_eq!(items["items"][0]["extractionSource"], "html", "{items}");
        }
    });
}

/// Page with a style, a picture, and a script that runs once a second.
const DISPLAYED_PAGE: &str = "<!doctype html><html lang=en><head><title>Quay</title><style>h1 { color: teal; }</style></head>\
    <body onload=\"document.querySelector('h1').append(' at dusk')\"><h1>The quay</h1><img src=/quay.svg alt=Quay>\
    <img src=/missing.png alt=Missing><p>The quay was built of stone, and its cranes were taken down in spring.</p>\
    <script>setInterval(() => fetch('/beat'), 1000)</script></body></html>";
const PICTURE: &str =
    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>alert(1)</script></svg>";

#[test]
fn copies_of_an_items_page_are_created_replaced_and_counted() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.put("/quay", Reply::html(DISPLAYED_PAGE));
        app.site.put("/quay.svg", Reply::bytes("image/svg+xml", PICTURE.as_bytes().to_vec()));
        let item = save_item(&app, &person, &json!({"url": url, "content": "Words of the quay."})).await;
        let copies = format!("{}/copies", item_path(&item));
        let before = used_bytes(&app, &person).await;
        let mut sizes = Vec::new();
        for (format, start) in [("html", "\u{feff}<!doctype html>"), ("pdf", "%PDF-"), ("html", "\u{feff}")] {
            app.clock.advance(MINUTE);
            let requested = person.post(&app, &copies, &json!({"format": format})).await.expect(202);
            assert_eq!(requested.json()["copy"]["state"], "waiting");
            let states = requested.header("ratelimit").to_owned();
            assert!(states.contains("\"fresh-minute\";r=5;"), "{states}");
            let joined = person.post(&app, &copies, &json!({"format": format})).await.expect(202);
            assert_eq!(joined.json()["copy"]["requestedAt"], requested.json()["copy"]["requestedAt"]);
            app.run_jobs().await;
            let copy = copy_of(&app, &person, &copies, format).await;
            assert_eq!(copy["state"], "ready", "{copy}");
            let file = person.get(&app, &format!("{copies}/{format}")).await.expect(200);
            assert!(file.body.starts_with(start.as_bytes()), "{format}");
            assert_eq!(copy["size"], file.body.len());
            sizes.push((format, copy["size"].as_i64().unwrap()));
        }
        let stored: i64 = sizes[1..].iter().map(|(_, size)| size).sum();
        assert_eq!(used_bytes(&app, &person).await, before + stored, "{sizes:?}");
        let html = person.get(&app, &format!("{copies}/html")).await.expect(200).text();
        for part in
            ["The quay at dusk", "h1 { color: teal; }", "data:image/svg+xml;base64,", "Left out: 1 picture."]
        {
            assert!(html.contains(part), "{part}: {html}");
        }
        for part in ["<script", "onload", "setInterval", app.site.url("").as_str()] {
            let body = html.split("</div>").skip(1).collect::<String>();
            assert!(!body.contains(part), "{part}: {html}");
        }
        let copy = copy_of(&app, &person, &copies, "html").await;
        assert_eq!(copy["statement"], "Left out: 1 picture.");

        // A second run of the job changes nothing.
        let domain = &app.app.domain;
        let key = format!("{}:html", item["id"].as_str().unwrap());
        let job = NewJob::new(JobKind::LibraryPageCopy, key);
        let job = jobs::submit(domain.db().write(), domain, job).await.unwrap();
        app.app.engine.push_all(&[job]).await;
        app.run_jobs().await;
        assert_eq!(copy_of(&app, &person, &copies, "html").await, copy);
        assert_eq!(used_bytes(&app, &person).await, before + stored);
    });
}

/// Runs the jobs that become due within a minute.
async fn run_next_jobs(app: &TestApp) {
    app.clock.advance(MINUTE);
    app.tick().await;
    app.run_jobs().await;
}

#[test]
fn page_of_a_new_item_is_copied_automatically_within_quota_and_storage() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let change = json!({"formats": ["html", "screenshot"]});
        let path = "/v1/library/page-copy-settings";
        send(&app, &person, Method::PATCH, path, &change).await.expect(200);
        let domain = &app.app.domain;
        let save = async |path: &str| {
            let item = save_item(&app, &person, &json!({"url": app.site.article(path)})).await;
            format!("{}/copies", item_path(&item))
        };
        let first = save("/town").await;
        let left = async || {
            domain.limits().background_extractions_left(domain, person.id, Tier::Free).await.unwrap()
        };
        let before = left().await;
        assert_eq!(copy_of(&app, &person, &first, "html").await["state"], "waiting");
        run_next_jobs(&app).await;
        for format in ["html", "screenshot"] {
            let copy = copy_of(&app, &person, &first, format).await;
            assert_eq!(copy["state"], "ready", "{copy}");
        }
        assert_eq!(left().await, before - 10, "five fresh extractions for each copy");

        // A new day with a new quota, of which five fresh extractions remain for background work.
        app.clock.advance(DAY);
        while left().await > 5 {
            let taken = domain.limits().reserve_background_extraction(domain, person.id, Tier::Free).await;
            assert!(taken.is_ok(), "{taken:?}");
        }
        let second = save("/quay").await;
        run_next_jobs(&app).await;
        let mut states = Vec::new();
        for format in ["html", "screenshot"] {
            let copy = copy_of(&app, &person, &second, format).await;
            states.push((copy["state"].clone(), copy["errorCode"].clone()));
        }
        let created = (json!("ready"), Value::Null);
        let refused = (json!("failed"), json!("fresh_extraction_limit"));
        assert!(states.contains(&created) && states.contains(&refused), "{states:?}");
        let mut browser = Browser::signed_in(&app, &person).await;
        let page = second.replace("/v1/library/items", "/library");
        let page = browser.open(&page).await.expect(200).text();
        assert!(page.contains("fresh extractions for automatic copies are used up"), "{page}");

        app.clock.advance(DAY);
        let third = save("/harbour").await;
        let limits = person.get(&app, "/v1/me").await.expect(200).json()["limits"].clone();
        let full = format!("UPDATE library_account SET stored_bytes = {}", limits["libraryStorageBytes"]);
        domain.db().write().execute_unprepared(&full).await.unwrap();
        run_next_jobs(&app).await;
        let copy = copy_of(&app, &person, &third, "html").await;
        assert_eq!((&copy["state"], &copy["errorCode"]), (&json!("failed"), &json!("storage_limit_reached")));
    });
}

#[test]
fn copy_of_an_error_page_fails_and_the_earlier_copy_remains() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let url = app.site.put("/quay", Reply::html(DISPLAYED_PAGE));
        let item = save_item(&app, &person, &json!({"url": url, "content": "Words of the quay."})).await;
        let copies = format!("{}/copies", item_path(&item));
        let request = json!({"format": "screenshot"});
        person.post(&app, &copies, &request).await.expect(202);
        app.run_jobs().await;
        let first = copy_of(&app, &person, &copies, "screenshot").await;
        assert_eq!(first["state"], "ready", "{first}");
        app.site.put("/quay", Reply::status(404));
        app.clock.advance(MINUTE);
        person.post(&app, &copies, &request).await.expect(202);
        app.run_jobs().await;
        let second = copy_of(&app, &person, &copies, "screenshot").await;
        assert_eq!(
            (&second["state"], &second["checksum"]),
            (&json!("failed"), &first["checksum"]),
            "{second}"
        );
        assert!(second["errorCode"].is_string());
        let file = person.get(&app, &format!("{copies}/screenshot")).await.expect(200);
        assert!(file.body.starts_with(b"\x89PNG"));
    });
}

#[test]
fn page_copy_dismisses_the_cookie_notice_and_states_the_dismissal() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let page = "<!doctype html><html lang=en><head><title>Quay</title></head><body><h1>The quay</h1>\
            <p>The quay was built of stone, and its cranes were taken down in spring.</p><div id=onetrust-consent-sdk>\
            <div id=onetrust-banner-sdk>We use cookies.<button id=onetrust-reject-all-handler \
            onclick=\"document.getElementById('onetrust-consent-sdk').remove()\">Reject</button></div></div></body></html>";
        let url = app.site.put("/notice", Reply::html(page));
        let item = save_item(&app, &person, &json!({"url": url, "content": "Words of the quay."})).await;
        let copies = format!("{}/copies", item_path(&item));
        person.post(&app, &copies, &json!({"format": "html"})).await.expect(202);
        app.run_jobs().await;
        let copy = copy_of(&app, &person, &copies, "html").await;
        assert_eq!(copy["statement"], "The OneTrust cookie notice was rejected.", "{copy}");
        let html = person.get(&app, &format!("{copies}/html")).await.expect(200).text();
        assert!(html.contains("The quay was built") && !html.contains("We use cookies"), "{html}");
        let mut browser = Browser::signed_in(&app, &person).await;
        let page = browser.open(&copies.replace("/v1/library/items", "/library")).await.expect(200).text();
        assert!(page.contains("The OneTrust cookie notice was rejected."), "{page}");
    });
}

#[test]
fn automatic_copy_is_not_charged_again_after_its_worker_was_lost() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let path = "/v1/library/page-copy-settings";
        send(&app, &person, Method::PATCH, path, &json!({"formats": ["html"]})).await.expect(200);
        let domain = &app.app.domain;
        let item = save_item(&app, &person, &json!({"url": app.site.article("/town")})).await;
        let left = async || {
            domain.limits().background_extractions_left(domain, person.id, Tier::Free).await.unwrap()
        };
        let before = left().await;
        let charged = "UPDATE library_page_copy SET charged_at = requested_at";
        domain.db().write().execute_unprepared(charged).await.unwrap();
        run_next_jobs(&app).await;
        let copy = copy_of(&app, &person, &format!("{}/copies", item_path(&item)), "html").await;
        assert_eq!(copy["state"], "ready", "{copy}");
        assert_eq!(left().await, before);
    });
}

#[test]
fn page_is_not_rendered_if_its_request_is_withdrawn_while_the_job_waits() {
    with_browser("off", async |app| {
        let person = Person::free(&app).await;
        let gate = app.site.hold("/first");
        let mut items = Vec::new();
        for path in ["/first", "/withdrawn"] {
            let url = app.site.put(path, Reply::html(DISPLAYED_PAGE));
            items.push(save_item(&app, &person, &json!({"url": url, "content": "Words of the quay."})).await);
        }
        let copies: Vec<String> = items.iter().map(|item| format!("{}/copies", item_path(item))).collect();
        // An account cannot use all browsers, so the second job waits for the first one.
        person.post(&app, &copies[0], &json!({"format": "html"})).await.expect(202);
        gate.wait_for_requests(1).await;
        person.post(&app, &copies[1], &json!({"format": "html"})).await.expect(202);
        let domain = &app.app.domain;
        let key = format!("{}:html", items[1]["id"].as_str().unwrap());
        let job = jobs::live_submission(domain.db().write(), JobKind::LibraryPageCopy, &key).await.unwrap();
        let id = job.expect("the copy is requested").id;
        let state = async || jobs::get(domain, id).await.unwrap().map(|job| job.state);
        eventually("the job is claimed", state, |state| *state == Some(JobState::Running)).await;
        person.send(&app, Method::DELETE, &format!("{}/html", copies[1])).await.expect(204);
        gate.open();
        app.run_jobs().await;
        let copy = copy_of(&app, &person, &copies[0], "html").await;
        assert_eq!(copy["state"], "ready", "{copy}");
        assert_eq!(app.site.hits("/withdrawn"), 0);
    });
}

async fn copy_of(app: &TestApp, person: &Person, copies: &str, format: &str) -> Value {
    let listed = person.get(app, copies).await.expect(200).json();
    let copy = listed["copies"].as_array().unwrap().iter().find(|copy| copy["format"] == format);
    copy.cloned().unwrap_or_default()
}

#[test]
fn rendering_without_a_browser_is_refused_and_automatic_reads_are_unchanged() {
    run(async {
        for world in World::ALL {
            let app = TestApp::on(world).await;
            let person = Person::free(&app).await;
            let url = app.site.put("/scripts", Reply::html(SCRIPT_PAGE));
            let post = async |render: Value| {
                person.post(&app, "/v1/articles/read", &json!({"url": url, "render": render})).await
            };
            assert_eq!(post(json!("always")).await.expect(422).json()["code"], "unsupported_content");
            assert_eq!(post(json!("auto")).await.expect(422).json()["code"], "no_readable_text");
            assert_eq!(post(json!("sometimes")).await.expect(400).json()["code"], "invalid_request");
            app.read(&url, &[("render", "always")]).await.expect(400);
            let body = json!({"url": url, "render": "always"});
            let saved = person.post(&app, "/v1/library/items", &body).await.expect(422).json();
            assert_eq!(saved["code"], "unsupported_content");
            let items = person.get(&app, "/v1/library/items").await.expect(200).json();
            assert_eq!(items["items"], json!([]));
            app.post("/api/v1/read/jobs", &body).await.expect(400);
            let batch = app.post("/api/v1/read/batch", &json!({"requests": [body]})).await.expect(200).json();
            assert_eq!(batch["results"][0]["output"]["code"], "invalid_parameter", "{batch}");
            let ready = eventually(
                "the app is ready",
                async || app.get("/readyz").await,
                |answer| answer.status == 200,
            );
            assert_eq!(ready.await.json()["renderer"], "off (CARREL_RENDERER=off)");
        }
    });
}

#[test]
fn item_with_a_stored_rendering_gets_the_served_text_without_a_browser() {
    run(async {
        for world in World::ALL {
            let app = TestApp::on(world).await;
            let person = Person::free(&app).await;
            let body = json!({"url": app.site.article("/town")});
            let saved = person.post(&app, "/v1/library/items", &body).await.expect(201).json();
            let path = format!("/v1/library/items/{}", saved["item"]["id"].as_str().expect("an id"));
            let sql = "UPDATE library_item SET render = 'always'";
            let changed = kernel::statement::execute(app.app.domain.db().write(), sql, []).await;
            assert_eq!(changed.expect("the item is changed"), 1);
            app.clock.advance(2 * MINUTE);
            person.post(&app, &format!("{path}/refresh"), &json!({})).await.expect(202);
            app.run_jobs().await;
            let item = person.get(&app, &path).await.expect(200).json()["item"].clone();
            assert_eq!(
                (&item["articleStatus"], &item["articleError"]),
                (&json!("ready"), &json!(null)),
                "{item}"
            );
        }
    });
}
