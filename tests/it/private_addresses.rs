//! Servers at private addresses: no feature that accepts a URL connects to them, whatever the spelling.

use std::net::{TcpListener, TcpStream};

use kernel::tiers::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use crate::library_imports;
use crate::support::browser::Browser;
use crate::support::clock::{HOUR, SECOND};
use crate::support::oauth_clients::{CHALLENGE, REDIRECT_URI};
use crate::support::person::Person;
use crate::support::{Setup, TestApp, World, run};

/// Spellings of the host of a server on this machine.
const HOSTS: [&str; 13] = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.0.0.1.",
    "0.0.0.0",
    "localhost",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "\u{2460}\u{2461}\u{2466}.0.0.1",
    "user@127.0.0.1",
];

/// Operations that fetch a URL, with their request bodies.
const OPERATIONS: [(&str, &str); 12] = [
    ("/api/v1/read", r#"{"url": "URL"}"#),
    ("/api/v1/read/batch", r#"{"requests": [{"url": "URL"}]}"#),
    ("/api/v1/read/jobs", r#"{"url": "URL"}"#),
    ("/api/v1/read/verify", r#"{"url": "URL", "quotes": ["words of some length"]}"#),
    ("/v1/articles/extract", r#"{"url": "URL"}"#),
    ("/v1/articles/read", r#"{"url": "URL"}"#),
    ("/v1/articles/search", r#"{"url": "URL", "query": "words"}"#),
    ("/v1/library/items", r#"{"url": "URL"}"#),
    ("/v1/monitors", r#"{"name": "A", "targetUrl": "URL"}"#),
    ("/v1/monitors/preview", r#"{"targetUrl": "URL"}"#),
    ("/v1/rss/subscriptions", r#"{"url": "URL"}"#),
    ("/v1/rss/discover", r#"{"url": "URL"}"#),
];

async fn try_operations(app: &TestApp, who: &Person, url: &str) {
    app.clock.advance(SECOND);
    let post = async |path: &str, body: &Value| {
        let answer = who.post(app, path, body).await;
        assert!(answer.status < 500, "{path} {url}: {}", answer.text());
        answer
    };
    for (path, body) in OPERATIONS {
        post(path, &serde_json::from_str(&body.replace("URL", url)).expect("the body is JSON")).await;
    }
    let follow = json!({"op": "sources.follow", "set": {"urls": [url]}});
    let preview = post("/v1/feeds/mutate", &follow).await.json();
    let commit = json!({"op": "sources.follow", "commitToken": preview["commitToken"]});
    post("/v1/feeds/mutate", &commit).await;
    assert!(app.read(url, &[]).await.status < 500, "{url}");
    assert!(app.get(&format!("/{url}")).await.status < 500, "{url}");
}

/// Imports a list of feeds and a list of pages with these URLs.
async fn import(app: &TestApp, who: &Person, urls: &[String]) {
    let outlines: Vec<String> =
        urls.iter().map(|url| format!("<outline type=\"rss\" text=\"A\" xmlUrl=\"{url}\"/>")).collect();
    let outlines = outlines.concat();
    let list = format!("<opml version=\"2.0\"><body>{outlines}</body></opml>");
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "text/x-opml")];
    app.send(Method::POST, "/v1/rss/opml", &headers, Some(list)).await.expect(200);
    let rows: Vec<String> = urls.iter().map(|url| format!("A,{url},1704067200,,unread\n")).collect();
    let rows = rows.concat();
    let table = format!("title,url,time_added,tags,status\n{rows}");
    library_imports::send(app, who, table.into_bytes(), &[("dryRun", "false")]).await.expect(202);
}

/// Adds channels in the browser, and opens the consent page of a client with a metadata document.
async fn try_pages(browser: &mut Browser<'_>, authority: &str) {
    for kind in ["webhook", "ntfy"] {
        browser.open(&format!("/settings/channels?kind={kind}")).await.expect(200);
        for scheme in ["http", "https"] {
            let address = format!("{scheme}://{authority}/words");
            let fields = [("kind", kind), ("address", address.as_str()), ("name", "A")];
            // Some spellings are refused only when a message is sent.
            assert!(browser.submit("/settings/channels", &fields).await.status < 500, "{address}");
        }
    }
    let client_id = format!("https://{authority}/client.json");
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("response_type", "code"),
            ("client_id", client_id.as_str()),
            ("redirect_uri", REDIRECT_URI),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ])
        .finish();
    browser.open(&format!("/oauth/authorize?{query}")).await.expect(400);
}

#[test]
fn server_at_a_private_address_receives_no_connection() {
    run(async {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        server.set_nonblocking(true).unwrap();
        let address = server.local_addr().unwrap();
        let setup = Setup::on(World::Small).set("CARREL_READER_LIMITS", "off");
        let app = setup.set("CARREL_FETCH_ALLOW", "192.0.2.1/32").spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let authorities: Vec<String> =
            HOSTS.iter().map(|host| format!("{host}:{}", address.port())).collect();
        let urls: Vec<String> =
            authorities.iter().map(|authority| format!("http://{authority}/words")).collect();
        for (authority, url) in authorities.iter().zip(&urls) {
            try_operations(&app, &who, url).await;
            try_pages(&mut browser, authority).await;
        }
        import(&app, &who, &urls).await;
        for _ in 0..3 {
            app.clock.advance(HOUR);
            app.tick().await;
            app.run_jobs().await;
        }
        let connection = server.accept().map(|(_, client)| client);
        assert!(connection.is_err(), "{connection:?} has connected");
        // The server accepts connections, so the check above is valid.
        let _client = TcpStream::connect(address).unwrap();
        server.accept().unwrap();
    });
}
