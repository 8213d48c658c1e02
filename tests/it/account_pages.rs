//! All pages of an account: forged forms, texts that contain markup, and access by another account. The pages
//! are discovered by following links, so that none is forgotten.

use std::collections::BTreeMap;

use identity::accounts::{AccountRole, set_role};
use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::clock::SECOND;
use crate::support::form::{Field, with_form};
use crate::support::monitoring::{create_monitor, page, run_now};
use crate::support::oauth_clients::{FULL_ACCESS, code};
use crate::support::owned_objects::{OwnedObjects, visible_objects};
use crate::support::page_walk::{StartTag, is_html, start_tags, walk};
use crate::support::person::Person;
use crate::support::rss::poll;
use crate::support::{HttpAnswer, Reply, TestApp, on_each_world, run};

/// Form with the method `POST`.
#[derive(Debug)]
struct PostForm {
    action: String,
    is_upload: bool,
    /// Form token, which protects against cross-site requests.
    token: String,
    /// Names and values of the form's inputs and buttons.
    fields: Vec<(String, String)>,
}

/// Returns the `POST` forms of a page.
fn post_forms(html: &str) -> Vec<PostForm> {
    let mut forms: Vec<PostForm> = Vec::new();
    let mut is_post = false;
    for tag in start_tags(html) {
        let value = |name: &str| tag.attribute(name).unwrap_or_default().to_owned();
        match tag.name.as_str() {
            "form" => {
                is_post = value("method") == "post";
                if is_post {
                    let action = value("action").split('#').next().unwrap_or_default().to_owned();
                    let is_upload = value("enctype") == "multipart/form-data";
                    forms.push(PostForm { action, is_upload, token: String::new(), fields: Vec::new() });
                }
            }
            "input" | "button" if is_post => {
                let form = forms.last_mut().expect("a form precedes its inputs");
                match value("name").as_str() {
                    "" => {}
                    "token" => {
                        assert!(form.token.is_empty(), "{} has two tokens", form.action);
                        form.token = value("value");
                    }
                    name => form.fields.push((name.to_owned(), value("value"))),
                }
            }
            _ => {}
        }
    }
    forms
}

async fn send(
    app: &TestApp,
    cookies: &str,
    form: &PostForm,
    token: &str,
    headers: &[(&str, &str)],
) -> HttpAnswer {
    app.clock.advance(SECOND);
    let request = app.request(Method::POST, &form.action).header("cookie", cookies);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let request = if form.is_upload {
        let file = Field { name: "file", file: Some(("a.csv", "text/csv")), body: b"title,url\n" };
        with_form(request, &[Field { name: "token", file: None, body: token.as_bytes() }, file])
    } else {
        let fields = form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let fields = [("token", token)].into_iter().chain(fields);
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        request.header("content-type", "application/x-www-form-urlencoded").body(body)
    };
    HttpAnswer::of(request.send().await.expect("the app responds")).await
}

/// Adds a channel and connects an app, both with the name `name`.
async fn add_channel_and_app(app: &TestApp, who: &Person, browser: &mut Browser<'_>, name: &str) {
    let hook = app.site.put("/hook", Reply::status(204));
    browser.open("/settings/channels?kind=webhook").await.expect(200);
    let fields = [("kind", "webhook"), ("address", hook.as_str()), ("name", name)];
    browser.submit("/settings/channels", &fields).await.expect(200);
    let client = json!({"client_name": name, "token_endpoint_auth_method": "none",
        "redirect_uris": ["http://localhost/callback"]});
    let client = app.post("/oauth/register", &client).await.expect(201).json();
    code(&app.app.domain, who.id, client["client_id"].as_str().unwrap(), FULL_ACCESS).await;
}

/// Returns the paths of pages to which no other page links after the creation of their object.
fn unlinked_pages(own: &OwnedObjects) -> Vec<String> {
    let pages = [("/library/import", "/v1/library/imports/"), ("/library/export", "/v1/library/exports/")];
    pages.iter().map(|(page, prefix)| format!("{page}/{}", own.ids[prefix])).collect()
}

#[test]
fn forged_forms_of_all_pages_are_refused() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        set_role(&app.app.domain, &who.email, AccountRole::Administrator).await.unwrap();
        let own = Box::pin(OwnedObjects::create(&app, &who, "owner")).await;
        let (mut browser, mut second) = (Browser::new(&app), Browser::new(&app));
        browser.sign_in(&who.email).await;
        second.sign_in(&who.email).await;
        add_channel_and_app(&app, &who, &mut browser, "My program").await;
        let pages = walk(&app, &browser, unlinked_pages(&own)).await;
        let pages = pages.values().filter(|page| is_html(page)).map(HttpAnswer::text);
        let forms: BTreeMap<String, PostForm> =
            pages.flat_map(|page| post_forms(&page)).map(|form| (form.action.clone(), form)).collect();
        for action in ["/settings/password", "/library/bulk", "/library/import", "/sign-out"] {
            assert!(forms.contains_key(action), "{action} is not among {:?}", forms.keys());
        }
        assert!(forms.len() >= 40, "{:?}", forms.keys());

        second.open("/settings").await.expect(200);
        let (cookies, foreign) = (browser.cookie_header(), second.token());
        let before = visible_objects(&app, &who, &own).await;
        for form in forms.values() {
            let (right, origin) = (form.token.as_str(), ("origin", app.origin.as_str()));
            assert!(!right.is_empty() && right != foreign, "{}", form.action);
            for (token, headers) in [
                ("", vec![origin]),
                ("wrong", vec![origin]),
                (foreign.as_str(), vec![origin]),
                (right, vec![("origin", "https://evil.example")]),
                (right, vec![("origin", "null")]),
                (right, vec![origin, ("sec-fetch-site", "cross-site")]),
                (right, vec![origin, ("sec-fetch-site", "same-site")]),
            ] {
                let answer = send(&app, &cookies, form, token, &headers).await;
                assert_eq!(answer.status, 403, "{} {token} {headers:?}: {}", form.action, answer.text());
            }
        }
        assert_eq!(visible_objects(&app, &who, &own).await, before, "nothing was changed");
        let own_origin = [("origin", app.origin.as_str())];
        let sign_out = &forms["/sign-out"];
        send(&app, &cookies, sign_out, &sign_out.token, &own_origin).await.expect(303);
    });
}

/// Text that becomes active content on a page that does not escape it.
const MARKUP: &str = "\"'><script>steal()</script><img src=x onerror=steal()>";
const SHORT_MARKUP: &str = "\"><svg onload=steal()>";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Creates a feed whose texts and links contain markup.
fn hostile_feed() -> Reply {
    let (text, twice) = (escaped(MARKUP), escaped(&escaped(MARKUP)));
    let items: Vec<String> = ["javascript:steal()", "https://example.org/a?b=\"><script>steal()</script>"]
        .iter()
        .enumerate()
        .map(|(number, link)| {
            format!(
                "<item><title>{twice}</title><link>{}</link><guid isPermaLink=\"false\">{number}{text}</guid>\
                 <author>{text}</author><category>{text}</category>\
                 <description>{text}&lt;a href=\"javascript:steal()\"&gt;{twice}&lt;/a&gt;</description></item>",
                escaped(link)
            )
        })
        .collect();
    let items = items.concat();
    let rss = format!(
        "<rss version=\"2.0\"><channel><title>{twice}</title><link>javascript:steal()</link>{items}</channel></rss>"
    );
    Reply::bytes("application/rss+xml", rss.into_bytes())
}

/// Creates objects of every kind whose texts contain markup.
async fn create_hostile_objects(app: &TestApp, who: &Person, browser: &mut Browser<'_>) {
    let post = async |path: &str, body: Value| {
        let answer = who.post(app, path, &body).await;
        assert!(matches!(answer.status, 200..=202), "{path}: {}", answer.text());
        answer.json()
    };
    let content = format!("<p>{MARKUP}Words of a desk. <a href=\"javascript:steal()\">A link</a></p>");
    let item = json!({"url": "https://example.org/hostile", "title": MARKUP, "author": MARKUP,
        "content": content, "tags": [SHORT_MARKUP]});
    let item = post("/v1/library/items", item).await["item"]["id"].clone();
    post("/v1/library/items", json!({"fileName": format!("{MARKUP}.txt")})).await;
    post("/v1/library/notes", json!({"text": MARKUP, "itemId": item})).await;
    let highlight =
        json!({"itemId": item, "quote": "Words of a desk", "note": MARKUP, "tags": [SHORT_MARKUP]});
    post("/v1/library/highlights", highlight).await;
    let feed = app.site.put("/hostile.xml", hostile_feed());
    post("/v1/rss/subscriptions", json!({"url": feed, "title": MARKUP})).await;
    poll(app).await;
    post("/v1/rss/collections", json!({"name": MARKUP, "feedIds": []})).await;
    let url = app.site.put("/hostile", page(&escaped(MARKUP)));
    let monitor = create_monitor(app, who, &json!({"name": MARKUP, "targetUrl": url})).await;
    run_now(app, who, &monitor).await;
    app.site.put("/hostile", page(&format!("Other words: {}", escaped(MARKUP))));
    run_now(app, who, &monitor).await;
    browser.open("/settings/keys").await.expect(200);
    let key = [("name", MARKUP), ("scopes", "svc:read"), ("expiresInDays", "")];
    browser.submit("/settings/keys", &key).await.expect(201);
    add_channel_and_app(app, who, browser, MARKUP).await;
}

/// True if the target of a link or a resource is a web address or a path. The only script is the bookmarklet.
fn is_web_address(address: &str) -> bool {
    let (scheme, _) = address.split_once(':').unwrap_or_default();
    let has_scheme = !scheme.is_empty() && !scheme.contains(['/', '?', '#']);
    !has_scheme || ["http", "https"].contains(&scheme) || address.starts_with("javascript:location.href=")
}

/// Asserts that a tag cannot run scripts or load anything from another host.
fn assert_inactive(path: &str, tag: &StartTag) {
    let active = ["applet", "base", "embed", "frame", "iframe", "math", "object", "style"];
    assert!(!active.contains(&tag.name.as_str()), "{path}: {tag:?}");
    for (name, value) in &tag.attributes {
        assert!(!name.starts_with("on") && name != "srcdoc" && name != "style", "{path}: {tag:?}");
        if ["action", "formaction", "href", "src"].contains(&name.as_str()) {
            assert!(is_web_address(value), "{path}: {tag:?}");
        }
    }
    let source = tag.attribute("src").unwrap_or_default();
    match tag.name.as_str() {
        "script" => assert!(source.starts_with("/assets/"), "{path}: {tag:?}"),
        "img" => assert!(source.starts_with('/') && !source.starts_with("//"), "{path}: {tag:?}"),
        _ => {}
    }
}

#[test]
fn texts_with_markup_are_escaped_on_all_pages() {
    run(async {
        let app = TestApp::spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        set_role(&app.app.domain, &who.email, AccountRole::Administrator).await.unwrap();
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        Box::pin(create_hostile_objects(&app, &who, &mut browser)).await;
        let mut affected = Vec::new();
        let pages = walk(&app, &browser, Vec::new()).await;
        for (path, answer) in pages.iter().filter(|(_, answer)| is_html(answer)) {
            let (policy, text) = (answer.header("content-security-policy"), answer.text());
            assert!(answer.status < 500, "{path}: {text}");
            assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{path}");
            for tag in start_tags(&text) {
                assert_inactive(path, &tag);
            }
            if text.contains("steal()") {
                affected.push(path.split(['?', '/']).nth(1).unwrap_or_default());
            }
        }
        for area in ["library", "entries", "subscriptions", "collections", "monitors", "settings", "today"] {
            assert!(affected.contains(&area), "no page of {area} has one of the texts: {affected:?}");
        }
    });
}

/// True if a path contains the id of an object.
fn names_an_object(path: &str) -> bool {
    let is_id = |part: &str| part.parse::<u64>().is_ok() || uuid::Uuid::parse_str(part).is_ok();
    path.split('?').next().unwrap_or_default().split('/').any(is_id)
}

#[test]
fn pages_of_another_account_return_404() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let own = Box::pin(OwnedObjects::create(&app, &who, "owner")).await;
        let (mut browser, mut stranger) = (Browser::new(&app), Browser::new(&app));
        browser.sign_in(&who.email).await;
        stranger.sign_in(&other.email).await;
        add_channel_and_app(&app, &who, &mut browser, "My program").await;
        let pages = walk(&app, &browser, unlinked_pages(&own)).await;
        let pages: Vec<_> = pages.iter().filter(|(path, _)| names_an_object(path)).collect();
        assert!(pages.len() >= 16, "{}", pages.len());
        for (path, answer) in pages {
            assert!(matches!(answer.status, 200 | 303), "{path}: {}", answer.status);
            app.clock.advance(SECOND);
            assert_eq!(stranger.load(path).await.status, 404, "{path}");
        }
    });
}
