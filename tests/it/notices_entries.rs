//! Messages about new entries of feeds: their content, omitted entries, and the delivery of each entry in exactly one
//! message.

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use kernel::testing::smtp::SmtpServer;
use kernel::tiers::Tier;
use kernel::{ChannelId, EntryId, FeedId, SubscriptionId};
use notices::{ListedEntry, NewEntries};
use reqwest::Method;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::notices::{add_webhook, mailing};
use crate::support::browser::Browser;
use crate::support::clock::{DAY, HOUR, MINUTE};
use crate::support::owned_objects::create_channel;
use crate::support::person::Person;
use crate::support::rss::{document, feed, poll};
use crate::support::{HttpAnswer, ReceivedRequest, Reply, TestApp, World, on_each_world, run};

/// Runs the poll, the job that writes the messages, and the jobs that deliver them.
pub(crate) async fn run_all(app: &TestApp) {
    for _ in 0..4 {
        poll(app).await;
    }
}

/// Replaces the document of the feed and delivers the messages about it.
pub(crate) async fn publish(app: &TestApp, reply: Reply) {
    app.site.put("/feed.xml", reply);
    app.clock.advance(2 * DAY);
    run_all(app).await;
}

pub(crate) fn rss(document: String) -> Reply {
    Reply::bytes("application/rss+xml", document.into_bytes())
}

/// Follows the feed, whose document contains the entries 1 and 2. Returns the path of the subscription's settings.
pub(crate) async fn follow(app: &TestApp, who: &Person) -> String {
    let url = app.site.put("/feed.xml", feed(1..=2));
    let made = who.post(app, "/v1/rss/subscriptions", &json!({ "url": url })).await.expect(201).json();
    format!("/v1/rss/subscriptions/{}/settings", made["subscription"]["id"])
}

pub(crate) async fn change(app: &TestApp, who: &Person, path: &str, body: Value) -> HttpAnswer {
    let headers = [("x-api-key", who.key.as_str()), ("content-type", "application/json")];
    app.send(Method::PATCH, path, &headers, Some(body.to_string())).await
}

/// Follows the feed and notifies a webhook of its entries after the first poll. Returns the path of the settings
/// and the id of the channel.
async fn follow_with_webhook(app: &TestApp, who: &Person) -> (String, String) {
    let mut browser = Browser::signed_in(app, who).await;
    let hook = app.site.put("/hook", Reply::status(204));
    let (channel, _) = add_webhook(&mut browser, &hook).await;
    let path = follow(app, who).await;
    run_all(app).await;
    change(app, who, &path, json!({ "notify": [channel] })).await.expect(200);
    (path, channel)
}

fn requests_to(app: &TestApp, path: &str) -> Vec<ReceivedRequest> {
    app.site.requests().into_iter().filter(|seen| seen.path == path).collect()
}

/// Returns the bodies of the messages about entries to the webhook, which also gets messages about the account.
pub(crate) fn payloads(app: &TestApp) -> Vec<Value> {
    let sent = requests_to(app, "/hook").into_iter().map(|seen| serde_json::from_str(&seen.body).unwrap());
    sent.filter(|payload: &Value| payload["type"] == "feed.entries").collect()
}

pub(crate) fn titles(payload: &Value) -> Vec<&str> {
    let entries = payload["data"]["entries"].as_array().unwrap();
    entries.iter().map(|entry| entry["title"].as_str().unwrap()).collect()
}

fn signature_of(request: &ReceivedRequest, secret: &str) -> String {
    let header = |name: &str| request.headers[name].to_str().unwrap();
    let secret = BASE64.decode(secret.strip_prefix("whsec_").unwrap().as_bytes()).unwrap();
    let signed = format!("{}.{}.{}", header("webhook-id"), header("webhook-timestamp"), request.body);
    let mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap().chain_update(signed);
    format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()))
}

#[test]
fn new_entries_are_sent_to_a_signed_webhook_and_a_push_service() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let push = create_channel(&app, &who).await;
        app.site.put("/", Reply::status(200));
        let mut browser = Browser::signed_in(&app, &who).await;
        let hook = app.site.put("/hook", Reply::status(204));
        let (webhook, secret) = add_webhook(&mut browser, &hook).await;
        let path = follow(&app, &who).await;
        let set = change(&app, &who, &path, json!({ "notify": [webhook, push] })).await.expect(200).json();
        assert_eq!(set["notify"].as_array().unwrap().len(), 2);
        run_all(&app).await;
        assert_eq!(payloads(&app), Vec::<Value>::new(), "the first poll is silent");

        publish(&app, feed(1..=3)).await;
        let sent = requests_to(&app, "/hook");
        assert_eq!(sent.len(), 1);
        assert_eq!(sent[0].headers["webhook-signature"].to_str().unwrap(), signature_of(&sent[0], &secret));
        let payload = &payloads(&app)[0];
        let (data, entry) = (&payload["data"], &payload["data"]["entries"][0]);
        assert_eq!(payload["type"], "feed.entries");
        assert_eq!((titles(payload), &data["more"]), (vec!["Note 3"], &json!(0)));
        assert_eq!((&data["feed"]["title"], &data["title"]), (&json!("Harbour"), &json!("Harbour: Note 3")));
        assert_eq!((&entry["url"], &entry["text"]), (&json!("https://example.org/3"), &json!("Words of 3")));
        assert!(entry["publishedAt"].as_str().unwrap().starts_with("2026-11-04T10:00:00"), "{entry}");
        assert_eq!(data["link"], format!("{}/entries/{}", app.origin, entry["id"]));

        publish(&app, feed(1..=5)).await;
        // A changed entry is not sent again.
        publish(&app, rss(document(1..=5).replace("Words of 5", "Other words"))).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 2);
        assert_eq!(titles(&all[1]), ["Note 4", "Note 5"]);
        let pushed: Vec<Value> =
            requests_to(&app, "/").iter().map(|seen| serde_json::from_str(&seen.body).unwrap()).collect();
        assert_eq!(pushed.len(), 2);
        assert_eq!(
            (&pushed[0]["topic"], &pushed[0]["title"]),
            (&json!("my-topic"), &json!("Harbour: Note 3"))
        );
        assert!(pushed[0]["message"].as_str().unwrap().contains("Words of 3"), "{}", pushed[0]);
        assert_eq!(pushed[1]["title"], "Harbour: 2 new entries");
        let text = pushed[1]["message"].as_str().unwrap();
        let link = format!("{}/entries/{}", app.origin, all[1]["data"]["entries"][0]["id"]);
        assert!(text.contains(&format!("• Note 4\n{link}\n• Note 5\n")), "{text}");
    });
}

#[test]
fn muted_and_read_entries_are_not_sent_and_a_removed_channel_gets_none() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (path, channel) = follow_with_webhook(&app, &who).await;
        let rules = path.replace("/v1/rss", "").replace("/settings", "/rules");
        let mut browser = Browser::signed_in(&app, &who).await;
        for (action, words) in [("mute", "advert"), ("read", "boring")] {
            browser.open(&rules).await.expect(200);
            let fields = [
                ("act", "create"),
                ("action", action),
                ("part", "title"),
                ("kind", "words"),
                ("words", words),
            ];
            browser.submit(&rules, &fields).await.expect(303);
        }
        let with_rules = |document: String| {
            document.replace("Note 3<", "Advert<").replace("Note 4<", "Boring<").replace("Note 6<", "Advert<")
        };
        publish(&app, rss(with_rules(document(1..=5)))).await;
        publish(&app, rss(with_rules(document(1..=6)))).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(titles(&all[0]), ["Note 5"]);

        change(&app, &who, &path, json!({ "notify": [] })).await.expect(200);
        publish(&app, rss(with_rules(document(1..=7)))).await;
        assert_eq!(payloads(&app).len(), 1);
        change(&app, &who, &path, json!({ "notify": [channel] })).await.expect(200);
        publish(&app, rss(with_rules(document(1..=8)))).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 2);
        assert_eq!(titles(&all[1]), ["Note 8"], "entries that arrived in the meantime are not sent");
    });
}

#[test]
fn repeated_and_lost_jobs_send_each_entry_in_one_message() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        follow_with_webhook(&app, &who).await;
        let domain = &app.app.domain;
        // The job of the claim is lost.
        app.site.put("/feed.xml", feed(1..=3));
        app.clock.advance(2 * DAY);
        poll(&app).await;
        let claim = format!("UPDATE feed_notice_request SET due_at = {}", domain.now() + HOUR);
        assert_eq!(domain.db().write().execute_unprepared(&claim).await.unwrap().rows_affected(), 1);
        run_all(&app).await;
        assert_eq!(payloads(&app), Vec::<Value>::new());
        app.clock.advance(HOUR);
        run_all(&app).await;
        assert_eq!(payloads(&app).len(), 1);
        // The worker was killed after it had written the message.
        let again = "INSERT INTO feed_notice_request (feed_id, after_id, due_at) SELECT id, 0, 0 FROM feed";
        domain.db().write().execute_unprepared(again).await.unwrap();
        run_all(&app).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(titles(&all[0]), ["Note 3"]);
    });
}

#[test]
fn many_entries_are_listed_in_part_and_counted() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        follow_with_webhook(&app, &who).await;
        publish(&app, feed(1..=28)).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 1);
        let data = &all[0]["data"];
        assert_eq!((titles(&all[0]).len(), &data["more"]), (20, &json!(6)));
        assert_eq!(data["title"], "Harbour: 26 new entries");
    });
}

#[test]
fn entries_wait_for_the_next_message_after_the_maximum_number_of_messages_per_day() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let (path, channel) = follow_with_webhook(&app, &who).await;
        let refresh = path.replace("/settings", "/refresh");
        let publish_now = async |reply: Reply| {
            app.site.put("/feed.xml", reply);
            app.clock.advance(6 * MINUTE);
            who.send(&app, Method::POST, &refresh).await.expect(202);
            run_all(&app).await;
        };
        let subscription = who.get(&app, &path.replace("/settings", "")).await.expect(200).json();
        let id = subscription["subscription"]["id"].as_i64().unwrap();
        write_messages(&app, &who, (id, &channel), 24).await;
        publish_now(feed(1..=3)).await;
        publish_now(feed(1..=4)).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 24);
        assert!(all.iter().all(|payload| titles(payload) == ["Earlier"]), "{all:?}");
        app.clock.advance(HOUR);
        run_all(&app).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 25);
        assert_eq!(titles(&all[24]), ["Note 3", "Note 4"]);
    });
}

#[test]
fn message_that_does_not_fit_for_all_its_channels_waits_for_the_next_day() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let push = create_channel(&app, &who).await;
        let (path, webhook) = follow_with_webhook(&app, &who).await;
        let subscription = who.get(&app, &path.replace("/settings", "")).await.expect(200).json();
        let id = subscription["subscription"]["id"].as_i64().unwrap();
        let domain = &app.app.domain;
        // The service no longer exists: its messages are written, and not sent.
        let gone = "UPDATE channel SET status = 'off', off_reason = 'gone' WHERE kind = 'ntfy'";
        domain.db().write().execute_unprepared(gone).await.unwrap();
        write_messages(&app, &who, (id + 1, &push), notices::MAX_ENTRY_MESSAGES_PER_DAY - 1).await;
        let waits = async |channels: &[&str]| {
            let ids: Vec<ChannelId> = channels.iter().map(|channel| channel.parse().unwrap()).collect();
            let subscription = (who.id, SubscriptionId::new(id));
            let until = notices::entries_wait_until(domain.db().write(), domain, subscription, &ids);
            until.await.unwrap().is_some()
        };
        assert!(!waits(&[webhook.as_str()]).await && waits(&[webhook.as_str(), push.as_str()]).await);
        let switched_off = "UPDATE channel SET off_reason = 'person' WHERE kind = 'ntfy'";
        domain.db().write().execute_unprepared(switched_off).await.unwrap();
        assert!(
            !waits(&[webhook.as_str(), push.as_str()]).await,
            "a channel that is switched off gets no message"
        );
        domain.db().write().execute_unprepared(gone).await.unwrap();

        change(&app, &who, &path, json!({ "notify": [webhook, push] })).await.expect(200);
        app.site.put("/feed.xml", feed(1..=3));
        app.clock.advance(6 * MINUTE);
        who.send(&app, Method::POST, &path.replace("/settings", "/refresh")).await.expect(202);
        run_all(&app).await;
        assert_eq!(payloads(&app), Vec::<Value>::new());
        app.clock.advance(DAY);
        run_all(&app).await;
        let all = payloads(&app);
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(titles(&all[0]), ["Note 3"]);
    });
}

/// Writes messages about earlier entries of a subscription to a channel.
pub(crate) async fn write_messages(app: &TestApp, who: &Person, (id, channel): (i64, &str), count: i64) {
    let domain = &app.app.domain;
    let channels = [channel.parse().unwrap()];
    let transaction = domain.db().begin().await.unwrap();
    for number in 1..=count {
        let entry = ListedEntry {
            id: EntryId::new(number),
            url: "https://example.org/".to_owned(),
            title: "Earlier".to_owned(),
            text: String::new(),
            published_at: None,
            content: None,
        };
        let news = NewEntries {
            account_id: who.id,
            subscription_id: SubscriptionId::new(id),
            feed_id: FeedId::new(1),
            channels: &channels,
            feed_title: "Harbour",
            feed_url: "https://example.org/feed.xml",
            site_url: None,
            entries: vec![entry],
            count: 1,
            through: EntryId::new(1_000_000 + number),
        };
        notices::entries_arrived(&transaction, domain, news).await.unwrap();
    }
    transaction.commit().await.unwrap();
}

#[test]
fn channels_are_chosen_on_the_page_of_a_feed_and_belong_to_its_account() {
    on_each_world(async |app| {
        let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Pro).await);
        let channel = create_channel(&app, &who).await;
        let path = follow(&app, &who).await;
        let theirs = follow(&app, &other).await;
        for wrong in [json!([channel]), json!(["nonsense"])] {
            change(&app, &other, &theirs, json!({ "notify": wrong })).await.api_error(404, "not_found");
        }
        let at = path.replace("/v1/rss", "").replace("/settings", "");
        let mut browser = Browser::signed_in(&app, &who).await;
        let page = browser.open(&at).await.expect(200).text();
        assert!(page.contains("Send new entries to") && page.contains(&channel), "{page}");
        browser.submit(&at, &[("notify", channel.as_str())]).await.expect(303);
        let settings = who.get(&app, &path).await.expect(200).json();
        assert_eq!(settings["notify"], json!([channel]));
        browser.open(&format!("/settings/channels/{channel}/delete")).await.expect(200);
        browser.submit(&format!("/settings/channels/{channel}/delete"), &[]).await.expect(303);
        assert_eq!(who.get(&app, &path).await.expect(200).json()["notify"], json!([]));
    });
}

#[test]
fn unsubscribe_link_stops_messages_about_the_feed() {
    run(async {
        for world in World::ALL {
            let server = SmtpServer::start().await;
            let app = mailing(world, &server).await;
            let who = Person::free(&app).await;
            let mut browser = Browser::signed_in(&app, &who).await;
            browser.open("/settings/channels?kind=mail").await.expect(200);
            let fields = [("kind", "mail"), ("address", who.email.as_str()), ("name", "Me")];
            browser.submit("/settings/channels", &fields).await.expect(303);
            app.run_jobs().await;
            let letter = server.letter().await.text;
            let confirm = letter.lines().find_map(|line| line.strip_prefix(app.origin.as_str())).unwrap();
            app.send(Method::POST, confirm, &[], None).await.expect(200);
            let channels = who.get(&app, "/v1/channels").await.expect(200).json();
            let path = follow(&app, &who).await;
            run_all(&app).await;
            let notify = json!({ "notify": [channels["channels"][0]["id"]] });
            change(&app, &who, &path, notify).await.expect(200);
            publish(&app, feed(1..=4)).await;
            let letter = server.letter().await.text;
            assert!(letter.contains("Harbour: 2 new entries") && letter.contains("- Note 4"), "{letter}");
            let start = letter.rfind("/notices/stop?link=").unwrap();
            let link = letter[start..].split_whitespace().next().unwrap();
            let mut reader = Browser::new(&app);
            let page = reader.open(link).await.expect(200).text();
            assert!(page.contains("New entries of the feed") && page.contains("Harbour"), "{page}");
            app.send(Method::POST, link, &[], None).await.expect(200);
            assert_eq!(who.get(&app, &path).await.expect(200).json()["notify"], json!([]));
        }
    });
}
