//! Mail to inbox addresses: received over LMTP and SMTP, by the command line, and through the API, and saved as items
//! of the library. `CARREL_TEST_KILLS` sets the number of kills for longer runs; default: 3, maximum: 20.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use kernel::tiers::Tier;
use kernel::{Backend, EntryId, Scopes};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};
use tokio_util::sync::CancellationToken;

use crate::library_crashes::kills;
use crate::support::browser::{Browser, between};
use crate::support::feed_app::{FeedApp, app_key, fever};
use crate::support::killable_process::KillableProcess;
use crate::support::person::Person;
use crate::support::secure_site::SecureSite;
use crate::support::servers::{CARREL, free_port};
use crate::support::{HttpAnswer, Setup, TestApp, World, eventually, on_each_world, run};

const ADDRESSES: &str = "/v1/inbox/addresses";
const MESSAGES: &str = "/v1/inbox/messages";

/// Newsletter with a text and an HTML form, a picture, and an attachment.
const NEWSLETTER: &str = "From: Lamps Weekly <news@lamps.example>\r\nTo: you@example.net\r\nSubject: Issue 7\r\n\
    Message-ID: <7@lamps.example>\r\nDate: Fri, 03 May 2024 10:00:00 +0200\r\nList-Id: Lamps Weekly <weekly.lamps.example>\r\n\
    List-Unsubscribe: <https://lamps.example/off?u=1>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n\
    MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=out\r\n\r\n\
    --out\r\nContent-Type: multipart/alternative; boundary=in\r\n\r\n\
    --in\r\nContent-Type: text/plain\r\n\r\nplain form\r\n\
    --in\r\nContent-Type: text/html; charset=windows-1252\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
    <table><tr><td><p>The lamp is =93lit=94 at dusk.</p></td></tr></table><img src=3D\"https://lamps.example/t\" width=3D1 height=3D1>\r\n\
    --in--\r\n\
    --out\r\nContent-Type: application/pdf; name=plan.pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\r\n%PDF-\r\n--out--\r\n";

/// Creates an address and returns it with its id.
async fn address(app: &TestApp, who: &Person, body: &Value) -> (String, String) {
    let made = who.post(app, ADDRESSES, body).await.expect(201).json()["address"].clone();
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    (text("address"), text("id"))
}

async fn items(app: &TestApp, who: &Person) -> Vec<Value> {
    let list = who.get(app, "/v1/library/items?includeMetadata=true").await.expect(200).json();
    list["items"].as_array().unwrap().clone()
}

async fn messages(app: &TestApp, who: &Person) -> Vec<Value> {
    let list = who.get(app, MESSAGES).await.expect(200).json();
    list["messages"].as_array().unwrap().clone()
}

fn states(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["state"].as_str().unwrap()).collect()
}

/// Delivers a message through the API.
async fn post(app: &TestApp, who: &Person, to: &str, message: &[u8]) -> HttpAnswer {
    let request = app
        .request(Method::POST, &format!("{MESSAGES}?address={to}"))
        .header("x-api-key", &who.key)
        .header("content-type", "message/rfc822")
        .body(message.to_vec());
    HttpAnswer::of(request.send().await.unwrap()).await
}

/// Mail listener of a test, stopped on drop.
struct MailListener {
    at: std::net::SocketAddr,
    shutdown: CancellationToken,
}

impl MailListener {
    async fn start(app: &TestApp) -> Self {
        Self::start_with(app, None).await
    }

    async fn start_with(app: &TestApp, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (at, shutdown) = (listener.local_addr().unwrap(), CancellationToken::new());
        tokio::spawn(::inbox::lmtp::serve(app.app.engine.clone(), listener, tls, shutdown.clone()));
        Self { at, shutdown }
    }

    async fn connect(&self) -> MailClient {
        MailClient::connect(self.at).await
    }
}

impl Drop for MailListener {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

struct MailClient<S = TcpStream> {
    stream: BufReader<S>,
}

impl MailClient {
    /// Connects as soon as the listener accepts connections.
    async fn connect(at: std::net::SocketAddr) -> Self {
        let attempt = async || TcpStream::connect(at).await.ok();
        let stream = eventually("the listener accepts mail", attempt, Option::is_some).await.unwrap();
        let mut client = Self { stream: BufReader::new(stream) };
        client.expect("220").await;
        client
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> MailClient<S> {
    async fn reply(&mut self) -> String {
        let mut reply = String::new();
        loop {
            let mut line = String::new();
            let count = self.stream.read_line(&mut line).await.unwrap();
            let is_last = count == 0 || line.as_bytes().get(3) != Some(&b'-');
            reply.push_str(&line);
            if is_last {
                return reply;
            }
        }
    }

    async fn expect(&mut self, front: &str) -> String {
        let reply = self.reply().await;
        assert!(reply.starts_with(front), "expected {front}, received {reply:?}");
        reply
    }

    async fn send(&mut self, text: &str) {
        self.stream.get_mut().write_all(text.as_bytes()).await.unwrap();
        self.stream.get_mut().flush().await.unwrap();
    }

    async fn say(&mut self, command: &str, front: &str) -> String {
        self.send(&format!("{command}\r\n")).await;
        self.expect(front).await
    }

    /// Sends a message to the recipients.
    async fn data(&mut self, recipients: &[&str], message: &str) {
        self.say("MAIL FROM:<bounce@lamps.example> BODY=8BITMIME", "250").await;
        for recipient in recipients {
            self.say(&format!("RCPT TO:<{recipient}>"), "250").await;
        }
        self.say("DATA", "354").await;
        self.send(&format!("{}\r\n.\r\n", message.replace("\r\n.", "\r\n.."))).await;
    }
}

fn with_domain(world: World) -> Setup {
    Setup::on(world)
        .set("CARREL_READER_LIMITS", "off")
        .set("CARREL_INBOX_DOMAIN", "in.example.net")
        .set("CARREL_INBOX_AUTHENTICATION", "mx.example.net")
}

#[test]
fn newsletter_received_by_lmtp_becomes_an_item_with_its_file() {
    run(async {
        for world in World::ALL {
            let app = with_domain(world).spawn().await;
            let who = Person::on(&app, Tier::Pro).await;
            let (to, id) = address(&app, &who, &json!({"name": "News", "tags": ["letter"]})).await;
            assert!(to.ends_with("@in.example.net"), "{to}");
            let listener = MailListener::start(&app).await;
            let mut client = listener.connect().await;
            let extensions = client.say("LHLO mx.example.net", "250").await;
            assert!(
                extensions.contains("PIPELINING") && extensions.contains("SIZE 26214400"),
                "{extensions}"
            );
            let message = format!(
                "Authentication-Results: mx.example.net; spf=pass\r\nAuthentication-Results: forged.example; dkim=pass\r\n{NEWSLETTER}"
            );
            client.data(&[&to], &message).await;
            client.expect("250").await;
            client.say("QUIT", "221").await;
            app.run_jobs().await;

            let list = items(&app, &who).await;
            assert_eq!(list.len(), 1, "{list:?}");
            let item = &list[0];
            assert_eq!((&item["title"], &item["tags"]), (&json!("Issue 7"), &json!(["letter"])));
            assert_eq!(
                (&item["captureMethod"], &item["contentKind"]),
                (&json!("email_inbox"), &json!("email"))
            );
            assert_eq!((&item["author"], &item["articleStatus"]), (&json!("Lamps Weekly"), &json!("ready")));
            let item_id = item["id"].as_str().unwrap();
            let path = format!("/v1/library/items/{item_id}?includeContent=true");
            let text = who.get(&app, &path).await.expect(200).text();
            assert!(text.contains("The lamp is \u{201c}lit\u{201d} at dusk."), "{text}");
            assert!(!text.contains("plain form") && !text.contains("lamps.example/t\""), "{text}");
            let file = who.get(&app, &format!("/v1/library/items/{item_id}/file")).await.expect(200);
            assert_eq!(String::from_utf8(file.body).unwrap(), format!("{message}\r\n"));

            let received = messages(&app, &who).await;
            assert_eq!(states(&received), ["saved"]);
            let received = &received[0];
            assert_eq!((&received["itemId"], &received["addressId"]), (&json!(item_id), &json!(id)));
            assert_eq!(received["sender"], "Lamps Weekly <news@lamps.example>");
            assert_eq!(received["listId"], "weekly.lamps.example");
            assert_eq!(received["unsubscribeUrl"], "https://lamps.example/off?u=1");
            assert_eq!(received["oneClickUnsubscribe"], true);
            assert_eq!(received["authentication"], "mx.example.net; spf=pass");
            assert_eq!(received["attachments"], json!(["plan.pdf"]));
            assert_eq!(
                (&received["trackingPixels"], &received["confirmationUrl"]),
                (&json!(1), &Value::Null)
            );
        }
    });
}

#[test]
fn redelivered_message_is_not_saved_again() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
        let (other, _) = address(&app, &who, &json!({"name": "Other"})).await;
        let listener = MailListener::start(&app).await;
        let mut client = listener.connect().await;
        client.say("LHLO mx", "250").await;
        // Two addresses of the account, then the same bytes again.
        client.data(&[&to, &other], NEWSLETTER).await;
        client.expect("250").await;
        client.expect("250").await;
        client.data(&[&to], NEWSLETTER).await;
        client.expect("250").await;
        app.run_jobs().await;
        assert_eq!(states(&messages(&app, &who).await), ["saved"]);
        // Other bytes with the same Message-ID.
        client.data(&[&to], &format!("Received: from elsewhere\r\n{NEWSLETTER}")).await;
        client.expect("250").await;
        app.run_jobs().await;
        let received = messages(&app, &who).await;
        assert_eq!(states(&received), ["duplicate", "saved"]);
        assert_eq!(received[0]["itemId"], received[1]["itemId"]);
        assert_eq!(items(&app, &who).await.len(), 1);
        // Another account receives the same message.
        let stranger = Person::on(&app, Tier::Pro).await;
        let (theirs, _) = address(&app, &stranger, &json!({"name": "News"})).await;
        client.data(&[&theirs], NEWSLETTER).await;
        client.expect("250").await;
        app.run_jobs().await;
        assert_eq!(items(&app, &stranger).await.len(), 1);
    });
}

#[test]
fn unknown_recipients_and_relaying_are_refused_with_the_same_reply() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, id) = address(&app, &who, &json!({"name": "News"})).await;
        let listener = MailListener::start(&app).await;
        let mut client = listener.connect().await;
        client.say("RCPT TO:<a@b.example>", "503").await;
        client.say("LHLO mx", "250").await;
        client.say("MAIL FROM:<a@b.example> SIZE=99999999", "552").await;
        client.say("MAIL FROM:<a@b.example>", "250").await;
        let mut answers = Vec::new();
        for unknown in ["copper-meadow-0000@localhost", "someone@elsewhere.example", "\"x\"@localhost"] {
            answers.push(client.say(&format!("RCPT TO:<{unknown}>"), "550").await);
        }
        who.send(&app, Method::DELETE, &format!("{ADDRESSES}/{id}")).await.expect(204);
        answers.push(client.say(&format!("RCPT TO:<{to}>"), "550").await);
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        client.say("DATA", "503").await;
        client.say("STARTTLS", "500").await;
        client.say(&"x".repeat(5000), "500").await;
        client.say("VRFY someone", "252").await;
        for _ in 0..2 {
            client.say("NONSENSE", "500").await;
        }
        // The connection is closed after the tenth fault.
        client.expect("421").await;
        assert_eq!(client.reply().await, "");
    });
}

#[test]
fn connection_without_messages_is_closed_after_many_commands() {
    run(async {
        let app = with_domain(World::Small).spawn().await;
        let listener = MailListener::start(&app).await;
        let mut client = listener.connect().await;
        client.say("LHLO mx", "250").await;
        client.send(&"NOOP\r\n".repeat(9_999)).await;
        for _ in 0..9_999 {
            client.expect("250").await;
        }
        client.say("NOOP", "421").await;
        assert_eq!(client.reply().await, "");
    });
}

#[test]
fn smtp_session_gets_one_reply_and_bare_line_breaks_do_not_end_the_message() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "One"})).await;
        let (second, _) = address(&app, &who, &json!({"name": "Two"})).await;
        let listener = MailListener::start(&app).await;
        let mut client = listener.connect().await;
        client.say("EHLO mx", "250").await;
        let text = "From: a@b.example\r\nSubject: Smuggled\r\n\r\none\n.\nMAIL FROM:<x>\ntwo\r\n.dotted";
        client.data(&[&to, &second], text).await;
        client.expect("250").await;
        // There is no second reply.
        client.say("NOOP", "250 2.0.0 OK").await;
        app.run_jobs().await;
        let list = items(&app, &who).await;
        assert_eq!(list.len(), 1);
        let file = format!("/v1/library/items/{}/file", list[0]["id"].as_str().unwrap());
        let file = who.get(&app, &file).await.expect(200);
        assert_eq!(String::from_utf8(file.body).unwrap(), format!("{text}\r\n"));
    });
}

#[test]
fn malformed_nested_and_empty_messages_become_items() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
        let nested = (0..40).fold("Content-Type: text/plain\r\n\r\ndeep\r\n".to_owned(), |inner, level| {
            format!("Content-Type: multipart/mixed; boundary=b{level}\r\n\r\n--b{level}\r\nContent-Type: text/plain\r\n\r\nouter\r\n--b{level}\r\n{inner}\r\n--b{level}--\r\n")
        });
        let shapes: [(&str, Vec<u8>, Option<&str>); 5] = [
            ("Charset", b"From: a@b.example\r\nSubject: Charset\r\nContent-Type: text/plain; charset=windows-1252\r\n\r\nIt costs \x80 5.\r\n".to_vec(), Some("It costs \u{20ac} 5.")),
            ("Broken", b"From: a@b.example\r\nSubject: Broken\r\nContent-Type: multipart/alternative; boundary=gone\r\n\r\nThe text remains.\r\n".to_vec(), Some("The text remains.")),
            ("Nested", format!("From: a@b.example\r\nSubject: Nested\r\n{nested}").into_bytes(), Some("outer")),
            ("Scan", b"From: a@b.example\r\nSubject: Scan\r\nContent-Type: application/pdf; name=scan.pdf\r\n\r\n%PDF-\r\n".to_vec(), Some("scan.pdf")),
            ("Empty", b"From: a@b.example\r\nSubject: Empty\r\n\r\n".to_vec(), None),
        ];
        for (_, message, _) in &shapes {
            post(&app, &who, &to, message).await.expect(202);
        }
        app.run_jobs().await;
        assert_eq!(states(&messages(&app, &who).await), ["saved"; 5]);
        let list = items(&app, &who).await;
        for (title, _, text) in &shapes {
            let item = list.iter().find(|item| item["title"] == *title).unwrap_or_else(|| panic!("{title}"));
            assert_eq!(item["contentKind"], "email", "{title}");
            let path = format!("/v1/library/items/{}?includeContent=true", item["id"].as_str().unwrap());
            let content = who.get(&app, &path).await.expect(200).text();
            match text {
                Some(text) => assert!(content.contains(text), "{title}: {content}"),
                None => assert_eq!(item["articleStatus"], "failed", "{content}"),
            }
        }
    });
}

#[test]
fn delivery_by_the_api_needs_an_address_of_the_account_and_a_message() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let (to, id) = address(&app, &who, &json!({"name": "News"})).await;
        let accepted = post(&app, &who, &to, NEWSLETTER.as_bytes()).await.expect(202).json();
        assert_eq!(accepted["message"]["state"], "received");
        post(&app, &other, &to, NEWSLETTER.as_bytes()).await.api_error(404, "not_found");
        post(&app, &who, "no@localhost", NEWSLETTER.as_bytes()).await.api_error(404, "not_found");
        let path = format!("{MESSAGES}?address={to}");
        app.send(Method::POST, &path, &[], None).await.api_error(401, "missing_credential");
        who.post(&app, &path, &json!({})).await.api_error(415, "unsupported_media_type");
        assert!(messages(&app, &other).await.is_empty());
        let path = format!("{ADDRESSES}/{id}");
        other.send(&app, Method::DELETE, &path).await.api_error(404, "not_found");
        other.post(&app, &format!("{path}/replace"), &json!({})).await.api_error(404, "not_found");
        let list = other.get(&app, ADDRESSES).await.expect(200).json();
        assert_eq!(list, json!({"addresses": []}));
    });
}

#[test]
fn address_is_muted_replaced_and_limited_by_the_plan() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        who.post(&app, ADDRESSES, &json!({"name": " "})).await.api_error(422, "invalid_request");
        let (to, id) = address(&app, &who, &json!({"name": "News"})).await;
        let path = format!("{ADDRESSES}/{id}");
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let mute = json!({"muted": true, "name": "Loud"}).to_string();
        let muted = app.send(Method::PATCH, &path, &headers, Some(mute)).await.expect(200).json();
        assert_eq!((&muted["address"]["muted"], &muted["address"]["name"]), (&json!(true), &json!("Loud")));
        post(&app, &who, &to, NEWSLETTER.as_bytes()).await.expect(202);
        app.run_jobs().await;
        assert_eq!(states(&messages(&app, &who).await), ["muted"]);
        assert!(items(&app, &who).await.is_empty());
        let replaced = who.post(&app, &format!("{path}/replace"), &json!({})).await.expect(200).json();
        assert_ne!(replaced["address"]["address"], json!(to));
        post(&app, &who, &to, NEWSLETTER.as_bytes()).await.api_error(404, "not_found");
        for name in ["Two", "Three"] {
            address(&app, &who, &json!({"name": name})).await;
        }
        who.post(&app, ADDRESSES, &json!({"name": "Four"})).await.api_error(403, "limit_reached");
    });
}

/// Starts a service without workers that has received a newsletter for a person.
async fn with_received_newsletter(world: World, tier: Tier) -> (TestApp, Person) {
    let app = Setup::on(world).idle().spawn().await;
    let who = Person::on(&app, tier).await;
    let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
    post(&app, &who, &to, NEWSLETTER.as_bytes()).await.expect(202);
    (app, who)
}

#[test]
fn message_received_before_a_restart_is_saved_after_the_restart() {
    run(async {
        for world in World::ALL {
            let (mut app, who) = with_received_newsletter(world, Tier::Pro).await;
            assert_eq!(states(&messages(&app, &who).await), ["received"]);
            app.start_workers().await;
            app.tick().await;
            app.run_jobs().await;
            assert_eq!(states(&messages(&app, &who).await), ["saved"]);
            assert_eq!(items(&app, &who).await[0]["title"], "Issue 7");
        }
    });
}

#[test]
fn confirmed_message_waits_until_the_account_has_storage_again() {
    const HOUR: i64 = 3_600_000;
    run(async {
        for world in World::ALL {
            let (mut app, who) = with_received_newsletter(world, Tier::Free).await;
            let me = who.get(&app, "/v1/me").await.expect(200).json();
            let limit = me["limits"]["libraryStorageBytes"].as_i64().unwrap();
            let add = async |app: &TestApp, bytes: i64| {
                let sql = format!("UPDATE library_account SET stored_bytes = stored_bytes + ({bytes})");
                sea_orm::ConnectionTrait::execute_unprepared(app.app.domain.db().write(), &sql)
                    .await
                    .unwrap();
            };
            add(&app, limit).await;
            app.start_workers().await;
            // More attempts than the job allows. They are not counted.
            for hours in [[1; 25].as_slice(), &[25; 8]].concat() {
                app.clock.advance(hours * HOUR);
                app.tick().await;
                app.run_jobs().await;
            }
            let waiting = messages(&app, &who).await;
            assert_eq!(states(&waiting), ["received"]);
            assert_eq!(waiting[0]["reason"], "storage_limit_reached");
            add(&app, -limit).await;
            app.clock.advance(25 * HOUR);
            app.tick().await;
            app.run_jobs().await;
            assert_eq!(states(&messages(&app, &who).await), ["saved"]);
            assert_eq!(items(&app, &who).await[0]["title"], "Issue 7");
        }
    });
}

#[test]
fn message_without_a_job_is_saved_after_the_cleanup() {
    run(async {
        for world in World::ALL {
            let (mut app, who) = with_received_newsletter(world, Tier::Pro).await;
            let sql = "DELETE FROM job WHERE kind = 'inbox_message'";
            sea_orm::ConnectionTrait::execute_unprepared(app.app.domain.db().write(), sql).await.unwrap();
            app.clock.advance(25 * 3_600_000);
            app.clean_up().await;
            app.start_workers().await;
            app.tick().await;
            app.run_jobs().await;
            assert_eq!(states(&messages(&app, &who).await), ["saved"]);
        }
    });
}

#[test]
fn resent_message_is_not_counted_against_the_daily_limit() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiers.toml");
        std::fs::write(&path, "[free]\ninbox_messages_per_day = 1\n").unwrap();
        let path = path.display().to_string();
        for world in World::ALL {
            let app = with_domain(world).set("CARREL_TIERS_FILE", path.as_str()).spawn().await;
            let who = Person::free(&app).await;
            let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
            for _ in 0..2 {
                post(&app, &who, &to, NEWSLETTER.as_bytes()).await.expect(202);
            }
            let other = format!("X-Other: 1\r\n{NEWSLETTER}");
            post(&app, &who, &to, other.as_bytes()).await.api_error(429, "rate_limited");
        }
    });
}

/// Starts sending a message on a separate connection, up to the command that precedes its content.
async fn ready_to_send(listener: &MailListener, to: &str) -> MailClient {
    let mut client = listener.connect().await;
    client.say("LHLO mx", "250").await;
    client.say("MAIL FROM:<bounce@lamps.example>", "250").await;
    client.say(&format!("RCPT TO:<{to}>"), "250").await;
    client.say("DATA", "354").await;
    client
}

#[test]
fn concurrent_messages_get_separate_replies() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiers.toml");
        std::fs::write(&path, "[free]\ninbox_messages_per_day = 3\n").unwrap();
        for world in World::ALL {
            let files = tempfile::tempdir().unwrap();
            let setup = with_domain(world).set("CARREL_TIERS_FILE", path.display().to_string());
            let app = setup.with_files_in(files.path()).spawn().await;
            let (pro, free) = (Person::on(&app, Tier::Pro).await, Person::free(&app).await);
            let (to, _) = address(&app, &pro, &json!({"name": "News"})).await;
            let (limited, _) = address(&app, &free, &json!({"name": "News"})).await;
            let listener = MailListener::start(&app).await;
            // One message three times, six other messages, and five messages for an account that may receive
            // three.
            let mut sent = Vec::new();
            for number in [1, 1, 1, 2, 3, 4, 5, 6, 7] {
                sent.push((ready_to_send(&listener, &to).await, number));
            }
            for number in 1..=5 {
                sent.push((ready_to_send(&listener, &limited).await, number));
            }
            let replies = sent.into_iter().map(|(mut client, number)| async move {
                client.send(&format!("{}\r\n.\r\n", letter(number, ""))).await;
                client.reply().await
            });
            let mut replies = futures_util::future::join_all(replies).await;
            let mut of_limited = replies.split_off(9);
            assert!(replies.iter().all(|reply| reply.starts_with("250")), "{replies:?}");
            of_limited.sort_unstable();
            let codes: Vec<&str> = of_limited.iter().map(|reply| &reply[..3]).collect();
            assert_eq!(codes, ["250", "250", "250", "450", "450"]);
            app.run_jobs().await;
            assert_eq!(states(&messages(&app, &pro).await), ["saved"; 7]);
            assert_eq!((items(&app, &pro).await.len(), items(&app, &free).await.len()), (7, 3));
            let refused = free.get(&app, ADDRESSES).await.expect(200).json();
            assert_eq!(refused["addresses"][0]["refusals"], 2);
            assert_eq!(refused["addresses"][0]["refusedReason"], "rate_limited");
            let used = pro.get(&app, ADDRESSES).await.expect(200).json();
            assert_eq!(used["addresses"][0]["refusals"], 0);
        }
    });
}

/// Runs `carrel inbox deliver` with a message on its standard input.
async fn deliver(app: &TestApp, folder: &std::path::Path, to: &str, message: &str) -> Output {
    let mut command = Command::new(CARREL);
    command.args(["inbox", "deliver", to]).env_clear().current_dir(folder);
    command.env("DATABASE_URL", app.database_url()).env("CARREL_FILES", folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let message = message.to_owned();
    let run = move || {
        let mut child = command.spawn().unwrap();
        // The command may end without reading the message.
        let _ = child.stdin.take().unwrap().write_all(message.as_bytes());
        child.wait_with_output().unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

#[test]
fn delivery_by_the_command_line_reports_its_result_to_the_mail_server() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let app = Setup::on(World::Small).with_files_in(folder.path()).idle().spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
        let unknown = deliver(&app, folder.path(), "no-such-0000@localhost", NEWSLETTER).await;
        assert_eq!(unknown.status.code(), Some(67), "{unknown:?}");
        assert_eq!(deliver(&app, folder.path(), &to, NEWSLETTER).await.status.code(), Some(0));
        let large = format!("{NEWSLETTER}{}", "x".repeat(26 * 1024 * 1024));
        let refused = deliver(&app, folder.path(), &to, &large).await;
        assert_eq!(refused.status.code(), Some(65), "{refused:?}");
        let list = who.get(&app, ADDRESSES).await.expect(200).json();
        assert_eq!(list["addresses"][0]["refusals"], 1);
        assert_eq!(list["addresses"][0]["refusedReason"], "payload_too_large");
    });
}

#[test]
fn inbox_page_lists_addresses_and_messages() {
    run(async {
        let app = with_domain(World::Small).spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        browser.open("/settings/inbox").await.expect(200);
        browser.submit("/settings/inbox", &[("name", "News"), ("tags", "letter, read")]).await.expect(303);
        let page = browser.open("/settings/inbox").await.expect(200).text();
        let to = between(&page, "<code>", "</code>").to_owned();
        let id = between(&page, "action=\"/settings/inbox/", "\"").to_owned();
        post(&app, &who, &to, NEWSLETTER.as_bytes()).await.expect(202);
        app.run_jobs().await;
        let page = browser.open("/settings/inbox").await.expect(200).text();
        for text in ["Tags: letter, read.", "Issue 7", "Saved", "https://lamps.example/off?u=1"] {
            assert!(page.contains(text), "{text}: {page}");
        }
        let message = between(&page, "href=\"/settings/inbox/messages/", "\"");
        let details = browser.open(&format!("/settings/inbox/messages/{message}")).await.expect(200).text();
        for text in ["Issue 7", "Lamps Weekly", "weekly.lamps.example", "plan.pdf", "Open in the library"] {
            assert!(details.contains(text), "{text}: {details}");
        }
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&Person::on(&app, Tier::Pro).await.email).await;
        stranger.open(&format!("/settings/inbox/messages/{message}")).await.expect(404);
        browser.submit(&format!("/settings/inbox/{id}"), &[("act", "delete")]).await.expect(303);
        let page = browser.open("/settings/inbox").await.expect(200).text();
        assert!(!page.contains(&to) && page.contains("Issue 7"));
    });
}

/// Tags of the only item with a title.
async fn tags_of(app: &TestApp, who: &Person, title: &str) -> Value {
    let list = items(app, who).await;
    let matching: Vec<&Value> = list.iter().filter(|item| item["title"] == title).collect();
    assert_eq!(matching.len(), 1, "{list:?}");
    matching[0]["tags"].clone()
}

#[test]
fn message_gets_no_public_or_shared_tags_of_its_address() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let old = json!({"content": "Old.", "tags": ["Public", "Later", "Family"]});
        who.post(&app, "/v1/library/items", &old).await.expect(201);
        who.post(&app, "/v1/library/public-tags", &json!({"name": "Public"})).await.expect(200);
        let body = json!({"name": "News", "tags": ["public", "later", "family", "Letter"]});
        let (to, _) = address(&app, &who, &body).await;
        post(&app, &who, &to, letter(1, "").as_bytes()).await.expect(202);
        app.run_jobs().await;
        let mut names: Vec<String> =
            serde_json::from_value(tags_of(&app, &who, "Issue 1").await).expect("tags are names");
        names.sort_by_key(|name| name.to_lowercase());
        assert_eq!(names.join(",").to_lowercase(), "family,later,letter");

        who.post(&app, "/v1/library/public-tags", &json!({"name": "Later"})).await.expect(200);
        let team = who.post(&app, "/v1/teams", &json!({"name": "Family"})).await.expect(201).json();
        let shared = format!("/v1/teams/{}/tags/family", team["team"]["id"].as_str().unwrap());
        who.send(&app, Method::PUT, &shared).await.expect(204);
        post(&app, &who, &to, letter(2, "").as_bytes()).await.expect(202);
        app.run_jobs().await;
        assert_eq!(tags_of(&app, &who, "Issue 2").await, json!(["Letter"]));
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open("/settings/inbox").await.expect(200).text();
        let withheld = "Not added because they are public or shared: public, later, family";
        assert!(page.contains(withheld), "{page}");
    });
}

/// Newsletter without files, with a number in its subject and its `Message-ID`.
fn letter(number: u32, headers: &str) -> String {
    format!(
        "From: Lamps Weekly <news@lamps.example>\r\nSubject: Issue {number}\r\nMessage-ID: <l{number}@lamps.example>\r\n\
         {headers}Content-Type: text/html; charset=utf-8\r\n\r\n\
         <p>Text of issue {number} with a <a href=\"https://lamps.example/{number}\">link</a>.</p>\r\n"
    )
}

async fn subscriptions(app: &TestApp, who: &Person) -> Vec<Value> {
    let list = who.get(app, "/v1/rss/subscriptions").await.expect(200).json();
    list["subscriptions"].as_array().unwrap().clone()
}

async fn titles_of_entries(app: &TestApp, who: &Person) -> Vec<String> {
    let list = who.get(app, "/v1/rss/entries").await.expect(200).json();
    let titles = list["entries"].as_array().unwrap().iter().map(|entry| entry["title"].as_str().unwrap());
    titles.map(str::to_owned).collect()
}

#[test]
fn newsletter_to_a_feed_address_becomes_an_entry_of_its_own_feed() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let folder = json!({"name": "Letters", "feedIds": []});
        let folder = who.post(&app, "/v1/rss/collections", &folder).await.expect(201).json();
        let folder = folder["collection"]["id"].as_i64().unwrap();
        let body = json!({"name": "News", "destination": "feed", "collectionId": folder});
        let (to, _) = address(&app, &who, &body).await;
        for (number, headers) in
            [(1, "List-Id: <weekly.lamps.example>\r\n"), (2, "List-Id: <weekly.lamps.example>\r\n"), (3, "")]
        {
            post(&app, &who, &to, letter(number, headers).as_bytes()).await.expect(202);
            app.run_jobs().await;
        }
        let received = messages(&app, &who).await;
        assert_eq!(states(&received), ["saved"; 3]);
        assert_eq!(received[0]["itemId"], Value::Null);
        assert!(items(&app, &who).await.is_empty());
        let feeds = subscriptions(&app, &who).await;
        assert_eq!(feeds.len(), 2, "{feeds:?}");
        assert!(feeds.iter().all(|feed| feed["folderId"] == folder && feed["title"] == "Lamps Weekly"));
        assert_eq!(received[2]["feedId"], received[1]["feedId"]);
        assert_ne!(received[1]["feedId"], received[0]["feedId"]);
        let mut titles = titles_of_entries(&app, &who).await;
        titles.sort();
        assert_eq!(titles, ["Issue 1", "Issue 2", "Issue 3"]);
        // The feed is not polled, and is in the list of apps.
        app.tick().await;
        app.run_jobs().await;
        assert_eq!(subscriptions(&app, &who).await[0]["lastError"], Value::Null);
        let reader = FeedApp::sign_in(&app, &who).await;
        let list = reader.get("subscription/list").await;
        assert_eq!(list["subscriptions"].as_array().unwrap().len(), 2, "{list}");
        let (_, digest) = app_key(&app, &who, Scopes::ALL).await;
        let listed = fever(&app, &digest, "feeds", &[]).await;
        assert_eq!(listed["feeds"].as_array().unwrap().len(), 2, "{listed}");
        // An unfollowed newsletter has a feed again after its next message.
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let entries = entries["entries"].as_array().unwrap();
        let starred = entries.iter().find(|entry| entry["title"] == "Issue 1").unwrap();
        let starred = EntryId::new(starred["id"].as_i64().unwrap());
        assert_eq!(library::star(&app.app.domain, who.id, &[starred]).await.unwrap(), 1);
        let id = feeds[0]["id"].as_i64().unwrap();
        who.send(&app, Method::DELETE, &format!("/v1/rss/subscriptions/{id}")).await.expect(204);
        assert_eq!(subscriptions(&app, &who).await.len(), 1);
        post(&app, &who, &to, letter(4, "List-Id: <weekly.lamps.example>\r\n").as_bytes()).await.expect(202);
        app.run_jobs().await;
        assert_eq!(subscriptions(&app, &who).await.len(), 2);
        assert!(titles_of_entries(&app, &who).await.contains(&"Issue 4".to_owned()));
        assert!(items(&app, &who).await.is_empty(), "a star saves no item of a newsletter");
    });
}

#[test]
fn message_for_both_destinations_becomes_an_item_and_an_entry() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, id) = address(&app, &who, &json!({"name": "News"})).await;
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let path = format!("{ADDRESSES}/{id}");
        let both = json!({"destination": "both"}).to_string();
        let changed = app.send(Method::PATCH, &path, &headers, Some(both)).await.expect(200).json();
        assert_eq!(changed["address"]["destination"], "both");
        post(&app, &who, &to, letter(1, "").as_bytes()).await.expect(202);
        app.run_jobs().await;
        assert_eq!(items(&app, &who).await.len(), 1);
        assert_eq!(titles_of_entries(&app, &who).await, ["Issue 1"]);
        let other = Person::on(&app, Tier::Pro).await;
        let folder = json!({"name": "Theirs", "feedIds": []});
        let folder = other.post(&app, "/v1/rss/collections", &folder).await.expect(201).json();
        let body = json!({"collectionId": folder["collection"]["id"]}).to_string();
        app.send(Method::PATCH, &path, &headers, Some(body)).await.api_error(404, "not_found");
        let body = json!({"destination": "printer"}).to_string();
        app.send(Method::PATCH, &path, &headers, Some(body)).await.api_error(422, "invalid_request");
    });
}

#[test]
fn resent_message_with_an_item_becomes_an_entry_for_its_new_destination() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, id) = address(&app, &who, &json!({"name": "News"})).await;
        post(&app, &who, &to, letter(1, "").as_bytes()).await.expect(202);
        app.run_jobs().await;
        // Its row is deleted after the retention.
        let sql = "DELETE FROM inbox_message";
        sea_orm::ConnectionTrait::execute_unprepared(app.app.domain.db().write(), sql).await.unwrap();
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let both = json!({"destination": "both"}).to_string();
        app.send(Method::PATCH, &format!("{ADDRESSES}/{id}"), &headers, Some(both)).await.expect(200);
        post(&app, &who, &to, letter(1, "").as_bytes()).await.expect(202);
        app.run_jobs().await;
        let received = messages(&app, &who).await;
        assert_eq!(states(&received), ["duplicate"]);
        let items = items(&app, &who).await;
        assert_eq!((items.len(), &received[0]["itemId"]), (1, &items[0]["id"]));
        assert!(received[0]["feedId"].is_i64(), "{received:?}");
        assert_eq!(titles_of_entries(&app, &who).await, ["Issue 1"], "a new feed is not empty");
    });
}

#[test]
fn saving_a_newsletter_entry_creates_one_item_with_its_text() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News", "destination": "feed"})).await;
        post(&app, &who, &to, letter(1, "").as_bytes()).await.expect(202);
        app.run_jobs().await;
        let entries = who.get(&app, "/v1/rss/entries").await.expect(200).json();
        let path = format!("/v1/rss/entries/{}/save", entries["entries"][0]["id"]);
        for _ in 0..2 {
            let saved = who.post(&app, &path, &json!({})).await;
            assert!(saved.status < 300, "{}", saved.text());
        }
        app.tick().await;
        app.run_jobs().await;
        let items = items(&app, &who).await;
        assert_eq!((items.len(), &items[0]["title"]), (1, &json!("Issue 1")));
        let path = format!("/v1/library/items/{}?includeContent=true", items[0]["id"].as_str().unwrap());
        let text = who.get(&app, &path).await.expect(200).text();
        assert!(text.contains("Text of issue 1"), "{text}");
    });
}

#[test]
fn message_with_files_for_a_feed_also_becomes_an_item() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News", "destination": "feed"})).await;
        post(&app, &who, &to, NEWSLETTER.as_bytes()).await.expect(202);
        post(&app, &who, &to, b"From: a@b.example\r\nSubject: Empty\r\n\r\n").await.expect(202);
        app.run_jobs().await;
        assert_eq!(items(&app, &who).await.len(), 2);
        assert_eq!(titles_of_entries(&app, &who).await, ["Issue 7"]);
    });
}

#[test]
fn newsletter_beyond_the_feed_limit_of_the_plan_becomes_an_item() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tiers.toml");
        std::fs::write(&path, "[free]\nrss_subscriptions = 1\n").unwrap();
        let path = path.display().to_string();
        for world in World::ALL {
            let app = with_domain(world).set("CARREL_TIERS_FILE", path.as_str()).spawn().await;
            let who = Person::free(&app).await;
            let (to, _) = address(&app, &who, &json!({"name": "News", "destination": "feed"})).await;
            for (number, list) in [(1, "List-Id: <a.example>\r\n"), (2, "List-Id: <b.example>\r\n")] {
                post(&app, &who, &to, letter(number, list).as_bytes()).await.expect(202);
                app.run_jobs().await;
            }
            let received = messages(&app, &who).await;
            assert_eq!(received[0]["reason"], "limit_reached");
            assert_eq!(items(&app, &who).await[0]["title"], "Issue 2");
            assert_eq!(titles_of_entries(&app, &who).await, ["Issue 1"]);
        }
    });
}

fn subjects(page: &Value) -> Vec<&str> {
    page["messages"].as_array().unwrap().iter().map(|message| message["subject"].as_str().unwrap()).collect()
}

#[test]
fn messages_are_listed_in_pages() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
        for number in 1..=3 {
            post(&app, &who, &to, letter(number, "").as_bytes()).await.expect(202);
        }
        app.run_jobs().await;
        let first = who.get(&app, &format!("{MESSAGES}?limit=2")).await.expect(200).json();
        assert_eq!(subjects(&first), ["Issue 3", "Issue 2"], "also messages of one millisecond are in order");
        let cursor = first["nextCursor"].as_str().unwrap();
        let next = who.get(&app, &format!("{MESSAGES}?limit=2&cursor={cursor}")).await.expect(200).json();
        assert_eq!((subjects(&next), &next["nextCursor"]), (vec!["Issue 1"], &Value::Null));
        let other = Person::on(&app, Tier::Pro).await;
        let path = format!("{MESSAGES}?cursor={cursor}");
        other.get(&app, &path).await.api_error(422, "invalid_cursor");
    });
}

/// Message with a URL for one-click unsubscription.
fn with_one_click(number: u32, url: &str) -> String {
    let headers =
        format!("List-Unsubscribe: <{url}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
    letter(number, &headers)
}

#[test]
fn one_click_unsubscription_is_posted_by_a_worker_and_its_result_is_recorded() {
    run(async {
        for world in World::ALL {
            let site = SecureSite::start().await;
            let app = with_domain(world)
                .set("CARREL_FETCH_ALLOW", site.fetch_allow())
                .with_trusted_root(site.root())
                .spawn()
                .await;
            let who = Person::on(&app, Tier::Pro).await;
            let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
            let good = site.put_with("/good", "200 OK", "");
            let urls = [good, site.url("/gone"), "http://lamps.example/off".to_owned()];
            for (number, url) in (1..).zip(&urls) {
                post(&app, &who, &to, with_one_click(number, url).as_bytes()).await.expect(202);
                app.run_jobs().await;
            }
            // No request is sent without an action of the person.
            assert_eq!((site.hits("/good"), site.hits("/gone")), (0, 0));
            let ids: Vec<String> = messages(&app, &who)
                .await
                .iter()
                .rev()
                .map(|message| format!("{MESSAGES}/{}/unsubscribe", message["id"].as_str().unwrap()))
                .collect();
            let accepted = who.post(&app, &ids[0], &json!({})).await.expect(202).json();
            assert_eq!(accepted["message"]["unsubscribeState"], "requested");
            who.post(&app, &ids[1], &json!({})).await.expect(202);
            who.post(&app, &ids[2], &json!({})).await.api_error(422, "invalid_request");
            app.run_jobs().await;
            let received = messages(&app, &who).await;
            assert_eq!(received[2]["unsubscribeState"], "completed");
            assert_eq!((site.hits("/good"), site.hits("/gone")), (1, 1));
            assert_eq!(received[1]["unsubscribeState"], "failed");
            assert!(received[1]["unsubscribeReason"].is_string(), "{received:?}");
            // An accepted request is not repeated.
            let again = who.post(&app, &ids[0], &json!({})).await.expect(202).json();
            assert_eq!(again["message"]["unsubscribeState"], "completed");
            app.run_jobs().await;
            assert_eq!(site.hits("/good"), 1);
            let stranger = Person::on(&app, Tier::Pro).await;
            stranger.post(&app, &ids[0], &json!({})).await.api_error(404, "not_found");
            app.send(Method::POST, &ids[0], &[], None).await.api_error(401, "missing_credential");
        }
    });
}

#[test]
fn message_page_offers_unsubscription_and_confirmation() {
    run(async {
        let app = with_domain(World::Small).spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
        let letter = with_one_click(1, "https://127.0.0.1:1/off");
        let letter = format!("Authentication-Results: mx.example.net; spf=pass; dmarc=fail\r\n{letter}");
        post(&app, &who, &to, letter.as_bytes()).await.expect(202);
        let confirm = "From: a@b.example\r\nSubject: Please confirm\r\nContent-Type: text/html\r\n\r\n\
            <p><a href=\"https://b.example/c?t=1\">Confirm the subscription</a></p>\r\n";
        post(&app, &who, &to, confirm.as_bytes()).await.expect(202);
        app.run_jobs().await;
        let received = messages(&app, &who).await;
        assert_eq!(received[0]["confirmationUrl"], "https://b.example/c?t=1");
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let path = |message: &Value| format!("/settings/inbox/messages/{}", message["id"].as_str().unwrap());
        let page = browser.open(&path(&received[0])).await.expect(200).text();
        assert!(page.contains("href=\"https://b.example/c?t=1\"") && page.contains("Nothing was confirmed"));
        let letter = path(&received[1]);
        let page = browser.open(&letter).await.expect(200).text();
        for text in ["SPF pass", "DMARC fail", "probably forged", "https://127.0.0.1:1/off"] {
            assert!(page.contains(text), "{text}: {page}");
        }
        browser.submit(&format!("{letter}/unsubscribe"), &[]).await.expect(303);
        let page = browser.open(&letter).await.expect(200).text();
        assert!(page.contains("being sent") || page.contains("did not accept"), "{page}");
    });
}

#[test]
fn item_page_lists_pictures_and_files_of_its_message() {
    run(async {
        let app = with_domain(World::Small).spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
        let message = "From: a@b.example\r\nSubject: Tower\r\nContent-Type: multipart/related; boundary=b\r\n\r\n\
            --b\r\nContent-Type: text/html\r\n\r\n<p>The keeper counted the ships before dawn.</p>\
            <p><img src=\"cid:t@b\" alt=\"A tower by the sea at dawn\"></p>\r\n\
            --b\r\nContent-Type: image/gif; name=t.gif\r\nContent-ID: <t@b>\r\nContent-Transfer-Encoding: base64\r\n\r\n\
            R0lGODlhQAFAAYAAAAAAAP///yH5BAAAAAAALAAAAABAAUABAAICRAEAOw==\r\n\
            --b\r\nContent-Type: text/html; name=page.html\r\nContent-Disposition: attachment\r\n\r\n<b>bold</b>\r\n--b--\r\n";
        post(&app, &who, &to, message.as_bytes()).await.expect(202);
        app.run_jobs().await;
        let item = items(&app, &who).await[0]["id"].as_str().unwrap().to_owned();
        let mut browser = Browser::new(&app);
        browser.sign_in(&who.email).await;
        let page = browser.open(&format!("/library/{item}")).await.expect(200).text();
        let picture = format!("/library/{item}/files/1");
        assert!(page.contains(&format!("<img class=\"picture\" src=\"{picture}\"")), "{page}");
        assert!(page.contains("page.html") && !page.contains("src=\"https://mail.invalid"), "{page}");
        let picture = browser.load(&picture).await.expect(200);
        assert_eq!(picture.header("content-type"), "image/gif");
        assert!(picture.body.starts_with(b"GIF89a"));
        let file = browser.open(&format!("/library/{item}/files/2")).await.expect(200);
        assert_eq!(file.header("content-type"), "application/octet-stream");
        assert_eq!(file.header("x-content-type-options"), "nosniff");
        assert_eq!(file.body, b"<b>bold</b>");
        browser.open(&format!("/library/{item}/files/3")).await.expect(404);
        let mut stranger = Browser::new(&app);
        stranger.sign_in(&Person::on(&app, Tier::Pro).await.email).await;
        stranger.open(&format!("/library/{item}/files/1")).await.expect(404);
    });
}

#[test]
fn smtp_message_is_limited_to_one_account_and_unknown_recipients_are_refused() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
        let (theirs, _) = address(&app, &other, &json!({"name": "News"})).await;
        let listener = MailListener::start(&app).await;
        let mut client = listener.connect().await;
        client.say("EHLO mx", "250").await;
        client.say("MAIL FROM:<bounce@lamps.example>", "250").await;
        client.say(&format!("RCPT TO:<{to}>"), "250").await;
        client.say("RCPT TO:<copper-meadow-0000@localhost>", "550").await;
        client.say(&format!("RCPT TO:<{theirs}>"), "452 4.5.3").await;
        client.say("DATA", "354").await;
        client.send(&format!("{}\r\n.\r\n", letter(1, ""))).await;
        client.expect("250").await;
        client.data(&[&theirs], &letter(1, "")).await;
        client.expect("250").await;
        app.run_jobs().await;
        assert_eq!((items(&app, &who).await.len(), items(&app, &other).await.len()), (1, 1));
        // With LMTP, both are recipients of one message.
        let mut client = listener.connect().await;
        client.say("LHLO mx", "250").await;
        client.data(&[&to, &theirs], &letter(2, "")).await;
        client.expect("250").await;
        client.expect("250").await;
    });
}

#[test]
fn recipient_without_storage_is_refused_before_the_message_is_sent() {
    on_each_world(async |app| {
        let who = Person::free(&app).await;
        let (to, id) = address(&app, &who, &json!({"name": "News"})).await;
        let listener = MailListener::start(&app).await;
        let mut client = listener.connect().await;
        client.say("LHLO mx", "250").await;
        let limit = who.get(&app, "/v1/me").await.expect(200).json();
        let limit = limit["limits"]["libraryStorageBytes"].as_i64().unwrap();
        post(&app, &who, &to, letter(1, "").as_bytes()).await.expect(202);
        app.run_jobs().await;
        let sql = format!("UPDATE library_account SET stored_bytes = stored_bytes + {}", limit - 1_000_000);
        sea_orm::ConnectionTrait::execute_unprepared(app.app.domain.db().write(), &sql).await.unwrap();
        client.say("MAIL FROM:<a@b.example> SIZE=1000000", "250").await;
        client.say(&format!("RCPT TO:<{to}>"), "452 4.2.2").await;
        client.say("RSET", "250").await;
        client.say("MAIL FROM:<a@b.example> SIZE=1000", "250").await;
        client.say(&format!("RCPT TO:<{to}>"), "250").await;
        let list = who.get(&app, ADDRESSES).await.expect(200).json();
        assert_eq!(list["addresses"][0]["refusedReason"], "storage_limit_reached");
        // A muted address needs no storage.
        let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
        let path = format!("{ADDRESSES}/{id}");
        let mute = json!({"muted": true}).to_string();
        app.send(Method::PATCH, &path, &headers, Some(mute)).await.expect(200);
        client.say("RSET", "250").await;
        client.say("MAIL FROM:<a@b.example> SIZE=1000000", "250").await;
        client.say(&format!("RCPT TO:<{to}>"), "250").await;
    });
}

/// TLS acceptor with a new certificate, and a TLS client that trusts it.
fn tls() -> (TlsAcceptor, TlsConnector) {
    let key = rcgen::KeyPair::generate().unwrap();
    let params = rcgen::CertificateParams::new(vec!["in.example.net".to_owned()]).unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (chain, secret) = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    assert!(::inbox::lmtp::load_tls(&chain, &secret).is_err());
    std::fs::write(&chain, certificate.pem()).unwrap();
    std::fs::write(&secret, key.serialize_pem()).unwrap();
    let acceptor = ::inbox::lmtp::load_tls(&chain, &secret).unwrap();
    std::fs::write(&secret, rcgen::KeyPair::generate().unwrap().serialize_pem()).unwrap();
    assert!(::inbox::lmtp::load_tls(&chain, &secret).is_err());
    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    (acceptor, TlsConnector::from(Arc::new(config)))
}

#[test]
fn starttls_resets_the_session_and_injected_commands_close_it() {
    run(async {
        let app = with_domain(World::Small).spawn().await;
        let who = Person::on(&app, Tier::Pro).await;
        let (to, _) = address(&app, &who, &json!({"name": "News"})).await;
        let (acceptor, connector) = tls();
        let listener = MailListener::start_with(&app, Some(acceptor)).await;
        let mut client = listener.connect().await;
        let extensions = client.say("EHLO mx", "250").await;
        assert!(extensions.contains("STARTTLS") && !extensions.contains("AUTH"), "{extensions}");
        client.say("AUTH PLAIN AGEAYg==", "500").await;
        client.say("MAIL FROM:<a@b.example>", "250").await;
        client.say("STARTTLS", "220").await;
        let name = "in.example.net".try_into().unwrap();
        let encrypted = connector.connect(name, client.stream.into_inner()).await.unwrap();
        let mut client = MailClient { stream: BufReader::new(encrypted) };
        client.say(&format!("RCPT TO:<{to}>"), "503").await;
        let extensions = client.say("LHLO mx", "250").await;
        assert!(!extensions.contains("STARTTLS"), "{extensions}");
        client.say("STARTTLS", "503").await;
        client.data(&[&to], &letter(1, "")).await;
        client.expect("250").await;
        client.say("QUIT", "221").await;
        app.run_jobs().await;
        assert_eq!(items(&app, &who).await.len(), 1);

        let mut client = listener.connect().await;
        client.send("EHLO mx\r\nSTARTTLS\r\nMAIL FROM:<injected@b.example>\r\n").await;
        client.expect("250").await;
        client.expect("554").await;
        assert_eq!(client.reply().await, "");
    });
}

/// Number of messages that are confirmed before each kill.
const CONFIRMED: usize = 4;

#[test]
fn confirmed_messages_are_neither_lost_nor_duplicated_by_kills() {
    run(async {
        // The lists below have at most 100 messages.
        let kills = usize::try_from(kills()).unwrap().min(100 / (CONFIRMED + 1));
        for backend in [Backend::Sqlite, Backend::Postgres] {
            let at: std::net::SocketAddr = ([127, 0, 0, 1], free_port()).into();
            let (listen, domain) = (at.to_string(), ("CARREL_INBOX_DOMAIN", "in.example.net"));
            let process =
                KillableProcess::start_with(backend, &[("CARREL_INBOX_LISTEN", listen.as_str()), domain])
                    .await;
            let (_, made) = process.send(Method::POST, ADDRESSES, Some(&json!({"name": "News"}))).await;
            let to = made["address"]["address"].as_str().unwrap().to_owned();
            let message = |number: usize| {
                format!(
                    "From: a@b.example\r\nSubject: Number {number}\r\nMessage-ID: <{number}@b.example>\r\n\r\nText {number}."
                )
            };
            for round in 0..kills {
                let mut client = MailClient::connect(at).await;
                client.say("LHLO mx", "250").await;
                let first = round * (CONFIRMED + 1);
                for number in first..first + CONFIRMED {
                    client.data(&[&to], &message(number)).await;
                    client.expect("250").await;
                }
                // It is unknown whether this message is stored when the process dies, so it is sent again.
                client.data(&[&to], &message(first + CONFIRMED)).await;
                process.kill().await;
                process.restart().await;
                let mut client = MailClient::connect(at).await;
                client.say("LHLO mx", "250").await;
                client.data(&[&to], &message(first + CONFIRMED)).await;
                client.expect("250").await;
            }
            let are_processed = |list: &Value| {
                let messages = list["messages"].as_array().unwrap();
                messages.iter().all(|message| message["state"] != "received")
            };
            let list = async || process.get("/v1/inbox/messages?limit=100").await;
            let list = eventually("all messages are processed", list, are_processed).await;
            let count = kills * (CONFIRMED + 1);
            assert_eq!(states(list["messages"].as_array().unwrap()), vec!["saved"; count]);
            let items = process.get("/v1/library/items?limit=100").await;
            let titles =
                items["items"].as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap());
            let mut titles: Vec<&str> = titles.collect();
            titles.sort_unstable();
            titles.dedup();
            assert_eq!(titles.len(), count);
            assert_eq!(items["items"].as_array().unwrap().len(), count);
        }
    });
}
