//! Tests of webhooks: content, signatures, attempts, and the formats of other services.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::fixture::{Fixture, ORIGIN};
use super::receiver::ReceivedRequest;
use kernel::Backend;
use kernel::clock::{DAY, HOUR, MINUTE};

use crate::*;
use kernel::testing::on_both;

/// Verifies a request like a library of Standard Webhooks. Returns the index of the matching signature.
fn matching_signature(received: &ReceivedRequest, secret: &str) -> Option<usize> {
    let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap().as_bytes()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(
        format!("{}.{}.", received.header("webhook-id"), received.header("webhook-timestamp")).as_bytes(),
    );
    mac.update(&received.body);
    let signature = format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()));
    received.header("webhook-signature").split(' ').position(|candidate| candidate == signature)
}

/// If a worker crashes between the response and its commit, the message is delivered again with the same id
/// and the same bytes.
async fn message_is_sent_until_its_delivery_is_recorded(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, secret) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change_with(monitor, "120 → 90", "one").await;
    fixture.change_with(monitor, "120 → 90", "one").await;
    assert_eq!(fixture.rows().await.len(), 1, "a cause has one row per channel");
    fixture.test.clock.advance(1_000);
    let due = jobs::due_batch(&fixture.domain, jobs::JobKind::Notice, 10).await.unwrap();
    let dies = jobs::claim(&fixture.domain, due[0].id, "dies", 30_000).await.unwrap().unwrap();
    jobs::release(&fixture.domain, &dies).await.unwrap();
    let lives = jobs::claim(&fixture.domain, due[0].id, "lives", 30_000).await;
    let lives = if let Some(lives) = lives.unwrap() {
        lives
    } else {
        let due = jobs::due_batch(&fixture.domain, jobs::JobKind::Notice, 10).await.unwrap();
        jobs::claim(&fixture.domain, due[0].id, "lives", 30_000).await.unwrap().unwrap()
    };
    let first = body::ready(&fixture.domain, &lives).await.unwrap().unwrap().bytes;
    let unnoted = deliver(&fixture.domain, &fixture.tools, &dies).await;
    assert!(unnoted.is_err_and(|error| jobs::is_lease_lost(&error)));
    fixture.test.clock.advance(MINUTE);
    deliver(&fixture.domain, &fixture.tools, &lives).await.unwrap();
    let sent = fixture.receiver.take();
    assert_eq!(sent.len(), 2, "the message is sent at least once");
    assert_eq!((&sent[0].body, &sent[1].body), (&first, &first));
    assert_eq!(sent[0].header("webhook-id"), sent[1].header("webhook-id"));
    assert_ne!(sent[0].header("webhook-timestamp"), sent[1].header("webhook-timestamp"));
    assert!(sent.iter().all(|one| matching_signature(one, &secret) == Some(0)));
    fixture.change_with(monitor, "120 → 90", "one").await;
    assert_eq!(fixture.after(DAY).await, 0, "an accepted message is not sent again");
}

async fn repeated_cause_sends_a_single_message(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let (channel, _) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change(monitor, "120 → 90").await;
    let transaction = domain.db().begin().await.unwrap();
    let key = (domain.new_id(), "laptop");
    for _ in 0..2 {
        key_made(&transaction, domain, owner, key).await.unwrap();
        grant_made(&transaction, domain, (owner, "me@example.org"), (domain.new_id(), "An app"))
            .await
            .unwrap();
        new_sign_in(&transaction, domain, owner, (&[7; 16], "192.0.2.1")).await.unwrap();
        for (used, cost) in [(79, 1), (81, 2), (82, 1), (100, 3)] {
            credits_used(&transaction, domain, owner, (202_611, used, 100, cost)).await.unwrap();
        }
        out_of_credits(&transaction, domain, owner, 202_611).await.unwrap();
    }
    transaction.commit().await.unwrap();
    fixture.after(1_000).await;
    let mut kinds: Vec<String> =
        fixture.receiver.take().iter().map(|one| one.json()["type"].as_str().unwrap().to_owned()).collect();
    kinds.sort();
    assert_eq!(
        kinds,
        [
            "account.app_connected", "account.app_connected", "account.key_created", "account.signed_in",
            "credits.used", "credits.used", "monitor.changed",
        ],
        "each grant is a cause of its own, all others are combined"
    );
}

async fn change_message_contains_its_monitor_and_a_link_to_this_service(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change_with(monitor, "costs\r\n\u{202e}90", "one").await;
    fixture.after(1_000).await;
    let sent = fixture.receiver.take();
    assert!(sent[0].head.starts_with("POST /hook HTTP/1.1\r\n"), "{}", sent[0].head);
    assert_eq!(sent[0].header("content-type"), "application/json");
    let body = sent[0].json();
    assert_eq!(body["type"], "monitor.changed");
    assert_eq!(body["timestamp"], "2026-11-20T12:00:00.000Z");
    let data = &body["data"];
    assert_eq!((&data["title"], &data["text"]), (&json!("costs 90"), &json!("It costs 90 now.")));
    assert_eq!(data["link"], json!(format!("{ORIGIN}/changes/one")));
    assert_eq!((&data["monitor"]["id"], &data["monitor"]["name"]), (&json!(monitor), &json!("Lamp")));
}

async fn message_has_eight_attempts_and_respects_retry_after(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, secret) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.receiver.answer("302 Found\nlocation: http://127.0.0.1:1/");
    fixture.change(monitor, "120 → 90").await;
    let mut tried = fixture.after(1_000).await;
    for _ in 0..26 {
        tried += fixture.after(HOUR).await;
    }
    let sent = fixture.receiver.take();
    assert_eq!((tried, sent.len()), (8, 8), "a redirect is not followed and counts as a failure");
    assert!(sent.iter().all(|one| one.body == sent[0].body && matching_signature(one, &secret) == Some(0)));
    let row = &fixture.rows().await[0];
    assert_eq!((row.state, row.tries, row.status), (NoticeState::Failed, 8, Some(302)));
    assert_eq!(fixture.channel(channel.id).await.status, ChannelStatus::Active);

    fixture.receiver.answer("204 No Content");
    fixture.receiver.answer_next("503 Busy\nretry-after: 7200\n\nback at noon");
    fixture.change(monitor, "90 → 80").await;
    assert_eq!(fixture.after(1_000).await, 1);
    let listed = list_sent(&fixture.domain, fixture.account_id, channel.id).await.unwrap();
    assert_eq!((listed[0].status, listed[0].answer.as_deref()), (Some(503), Some("back at noon")));
    assert_eq!(fixture.after(HOUR).await, 0);
    assert_eq!(fixture.after(HOUR).await, 1);
    assert_eq!(fixture.states().await[1], NoticeState::Sent);
}

async fn status_410_switches_the_channel_off(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.receiver.answer_next("410 Gone\n\nno more");
    fixture.change(monitor, "one").await;
    fixture.after(1_000).await;
    fixture.change(monitor, "two").await;
    assert_eq!(fixture.after(DAY).await, 0);
    let off = fixture.channel(channel.id).await;
    assert_eq!((off.status, off.off_reason), (ChannelStatus::Off, Some(OffReason::Gone)));
    assert_eq!(fixture.receiver.take().len(), 1);
}

async fn replaced_secret_signs_messages_for_another_day(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, previous) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    let secret = rotate_secret(&fixture.domain, fixture.account_id, channel.id).await.unwrap();
    assert_ne!(previous, secret);
    fixture.change(monitor, "one").await;
    fixture.after(DAY - 1_000).await;
    fixture.change(monitor, "two").await;
    fixture.after(1_000).await;
    let sent = fixture.receiver.take();
    assert_eq!(
        [matching_signature(&sent[0], &secret), matching_signature(&sent[0], &previous)],
        [Some(0), Some(1)]
    );
    assert_eq!(
        [matching_signature(&sent[1], &secret), matching_signature(&sent[1], &previous)],
        [Some(0), None]
    );
}

/// Chat services only display the text of a page and do not interpret it.
async fn page_text_is_not_interpreted_by_chat_services(backend: Backend) {
    let fixture = Fixture::on(backend, kernel::tiers::Tier::Pro).await;
    let title = "@everyone <!channel> *sale* [free](https://evil.example)\r\n&";
    let body = |kind: ChannelKind, chat: Option<&str>| -> Value {
        let destination = destination::Destination {
            address: String::new(),
            recipient: chat.map(str::to_owned),
            token: None,
            secret: None,
            previous_secret: None,
            mqtt: None,
        };
        let content = message::MessageContent::new(title, "", format!("{ORIGIN}/changes/1"), 0);
        let message = message::Message {
            kind: NoticeKind::Change,
            content,
            subject: message::NoticeSubject::Account,
            collected: Vec::new(),
            more: 0,
            today: None,
            language: kernel::Language::English,
        };
        serde_json::from_slice(&services::body(kind, &message, &destination, template::Templates::default()))
            .unwrap()
    };
    let slack = body(ChannelKind::Slack, None);
    assert!(slack["text"].as_str().unwrap().starts_with("@everyone &lt;!channel&gt; *sale*"), "{slack}");
    assert_eq!((&slack["mrkdwn"], &slack["unfurl_links"]), (&json!(false), &json!(false)));
    let discord = body(ChannelKind::Discord, None);
    assert_eq!(discord["allowed_mentions"], json!({"parse": []}));
    assert!(
        discord["content"].as_str().unwrap().contains(r"\[free\]\(https://evil.example\) &"),
        "{discord}"
    );
    let telegram = body(ChannelKind::Telegram, Some("-100"));
    assert_eq!((&telegram["chat_id"], telegram.get("parse_mode")), (&json!("-100"), None));
    let ntfy = body(ChannelKind::Ntfy, Some("my-topic"));
    assert_eq!((&ntfy["topic"], &ntfy["click"]), (&json!("my-topic"), &json!(format!("{ORIGIN}/changes/1"))));
    assert!(!ntfy["title"].as_str().unwrap().contains(['\r', '\n']), "{ntfy}");
    // Message to ntfy: JSON to the root of the server, with the access token.
    let address = fixture.receiver.url("/my-topic");
    let destination = NewDestination { address: &address, token: "tk_secret", ..NewDestination::default() };
    let new = Fixture::new_channel(ChannelKind::Ntfy, destination);
    let made = create(&fixture.domain, fixture.account_id, new).await.unwrap();
    test(&fixture.domain, fixture.account_id, made.channel.id).await.unwrap();
    fixture.after(1_000).await;
    let sent = fixture.receiver.take();
    assert!(sent[0].head.starts_with("POST / HTTP/1.1"), "{}", sent[0].head);
    assert_eq!(sent[0].header("authorization"), "Bearer tk_secret");
    assert_eq!(sent[0].json()["topic"], "my-topic");
}

on_both! {
    message_is_sent_until_its_delivery_is_recorded,
    repeated_cause_sends_a_single_message,
    change_message_contains_its_monitor_and_a_link_to_this_service,
    message_has_eight_attempts_and_respects_retry_after,
    status_410_switches_the_channel_off,
    replaced_secret_signs_messages_for_another_day,
    page_text_is_not_interpreted_by_chat_services,
}
