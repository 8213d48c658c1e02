//! Tests of the requests to services.

use entities::ids::{EntryId, FeedId, SubscriptionId};
use entities::notice::NoticeKind;
use serde_json::json;

use super::*;
use crate::entry_list::{EntryList, ListedEntry};
use crate::message::{MessageContent, NoticeSubject};
use crate::today::{TodayDigest, TodayList, TodayRow, TodaySection};

const LINK: &str = "https://my.example.org/c/1";

fn message(title: &str) -> Message {
    Message {
        kind: NoticeKind::Change,
        content: MessageContent::new(title, "The price fell.", LINK.to_owned(), 0),
        subject: NoticeSubject::Account,
        collected: Vec::new(),
        more: 0,
        today: None,
        language: kernel::Language::English,
    }
}

fn sent(kind: ChannelKind, title: &str) -> Value {
    let destination = Destination {
        recipient: Some("recipient".to_owned()),
        token: Some("token".to_owned()),
        ..Destination::at("https://example.org/x".to_owned())
    };
    serde_json::from_slice(&body(kind, &message(title), &destination, Templates::default())).unwrap()
}

#[test]
fn bodies_have_the_fields_of_their_service() {
    let text = format!("Lamp\nThe price fell.\n{LINK}");
    assert_eq!(
        sent(ChannelKind::Matrix, "Lamp"),
        json!({"msgtype": "m.text", "body": text, "m.mentions": {}})
    );
    assert_eq!(
        sent(ChannelKind::Pushover, "Lamp"),
        json!({"token": "token", "user": "recipient", "title": "Lamp", "message": text})
    );
    assert_eq!(sent(ChannelKind::Mattermost, "Lamp"), json!({ "text": text }));
    assert_eq!(sent(ChannelKind::RocketChat, "Lamp"), json!({ "text": text }));
    assert_eq!(sent(ChannelKind::GoogleChat, "Lamp"), json!({ "text": text }));
    assert_eq!(sent(ChannelKind::Sms, "Lamp"), json!({"to": "recipient", "text": text}));
    let gotify = sent(ChannelKind::Gotify, "Lamp");
    assert_eq!((&gotify["title"], &gotify["message"]), (&json!("Lamp"), &json!(text)));
    let home = sent(ChannelKind::HomeAssistant, "Lamp");
    assert_eq!((&home["type"], &home["link"]), (&json!("monitor.changed"), &json!(LINK)));
    let mqtt = sent(ChannelKind::Mqtt, "Lamp");
    assert_eq!((&mqtt["title"], &mqtt["message"]), (&json!("Lamp"), &json!(text)));
    let card = &sent(ChannelKind::Teams, "Lamp")["attachments"][0]["content"];
    assert_eq!((&card["body"][0]["text"], &card["body"][2]["text"]), (&json!("Lamp"), &json!(LINK)));
}

#[test]
fn request_bodies_of_chat_and_push_services_have_the_documented_fields() {
    let text = format!("Lamp\nThe price fell.\n{LINK}");
    let expected = [
        (ChannelKind::Apprise, json!({"title": "Lamp", "body": text, "type": "info", "format": "text"})),
        (ChannelKind::Zulip, json!({ "text": text })),
        (ChannelKind::Webex, json!({ "text": text })),
        (ChannelKind::Lark, json!({"msg_type": "text", "content": {"text": text}})),
        (ChannelKind::DingTalk, json!({"msgtype": "text", "text": {"content": text}})),
        (ChannelKind::WeCom, json!({"msgtype": "text", "text": {"content": text}})),
        (ChannelKind::Line, json!({"to": "recipient", "messages": [{"type": "text", "text": text}]})),
        (ChannelKind::Pushbullet, json!({"type": "link", "title": "Lamp", "body": text, "url": LINK})),
        (ChannelKind::Bark, json!({"title": "Lamp", "body": text, "url": LINK})),
        (ChannelKind::Ifttt, json!({"value1": "Lamp", "value2": text, "value3": LINK})),
        (
            ChannelKind::PagerDuty,
            json!({
                "routing_key": "token",
                "event_action": "trigger",
                "dedup_key": LINK,
                "payload": {
                    "summary": "Lamp",
                    "source": "carrel",
                    "severity": "info",
                    "custom_details": {"message": text},
                },
                "links": [{"href": LINK, "text": "Open"}],
            }),
        ),
    ];
    for (kind, body) in expected {
        assert_eq!(sent(kind, "Lamp"), body, "{kind:?}");
    }
}

#[test]
fn access_tokens_of_push_services_are_sent_in_headers() {
    let device = Destination { token: Some("secret".to_owned()), ..Destination::at(LINK.to_owned()) };
    assert_eq!(token_header(ChannelKind::Pushbullet, &device), Some(("access-token", "secret".to_owned())));
    assert_eq!(token_header(ChannelKind::Line, &device), Some(("authorization", "Bearer secret".to_owned())));
    assert_eq!(token_header(ChannelKind::PagerDuty, &device), None);
}

#[test]
fn error_code_in_a_response_with_a_success_status_is_an_error() {
    for (kind, answer, is_error) in [
        (ChannelKind::Lark, r#"{"StatusCode":0,"StatusMessage":"success","code":0,"msg":"success"}"#, false),
        (ChannelKind::Lark, r#"{"code":19024,"msg":"Key Words Not Found"}"#, true),
        (ChannelKind::DingTalk, r#"{"errcode": 0, "errmsg": "ok"}"#, false),
        (ChannelKind::DingTalk, r#"{"errcode":310000,"errmsg":"keywords not in content"}"#, true),
        (ChannelKind::WeCom, r#"{"errcode":93000,"errmsg":"invalid webhook url"}"#, true),
        (ChannelKind::WeCom, "", false),
        (ChannelKind::Slack, r#"{"errcode":1,"code":1}"#, false),
        (ChannelKind::Webhook, r#"{"code":1}"#, false),
    ] {
        assert_eq!(reports_error(kind, answer), is_error, "{kind:?} {answer}");
    }
}

#[test]
fn page_text_is_escaped_for_each_service() {
    let title = "@all <users/all> [x](http://evil.example) *b*";
    let mattermost = sent(ChannelKind::Mattermost, title)["text"].as_str().unwrap().to_owned();
    assert!(!mattermost.contains("@all") && mattermost.contains("\\[x\\]\\("), "{mattermost}");
    assert!(!sent(ChannelKind::RocketChat, title).to_string().contains("@all"));
    assert!(!sent(ChannelKind::GoogleChat, title).to_string().contains("<users"));
    for kind in [ChannelKind::Lark, ChannelKind::WeCom, ChannelKind::Zulip] {
        assert!(!sent(kind, title).to_string().contains("<users"), "{kind:?}");
    }
    let zulip = sent(ChannelKind::Zulip, title).to_string();
    assert!(!zulip.contains("@all") && !zulip.contains("]("), "{zulip}");
    let card = sent(ChannelKind::Teams, title).to_string();
    assert!(!card.contains("[x](") && !card.contains("](http"), "{card}");
}

#[test]
fn long_texts_are_truncated_and_links_are_not() {
    let long = "x".repeat(290);
    for kind in ChannelKind::ALL.iter().copied() {
        let Some(service) = service(kind) else { continue };
        let text = bodies::text(&message(&long), service.escape, service.max_chars);
        assert!(text.chars().count() <= service.max_chars, "{kind:?}");
        assert!(text.ends_with(LINK), "{kind:?}");
    }
}

#[test]
fn template_renders_the_text_and_its_failure_is_reported() {
    let destination = Destination::at("https://example.org/x".to_owned());
    let text = |template: &str| -> String {
        let templates = Templates { text: Some(template), title: None };
        let bytes = body(ChannelKind::Mattermost, &message("@all fell"), &destination, templates);
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        value["text"].as_str().unwrap().to_owned()
    };
    assert_eq!(text("**{{ title }}** {{ link }}"), format!("**@\u{200b}all fell** {LINK}"));
    let failed = text("{{ nonsense }}");
    assert!(failed.starts_with("\\(Template: Line 1") && failed.ends_with(LINK), "{failed}");
}

#[test]
fn title_of_a_template_is_escaped_in_the_text_and_plain_in_fields() {
    let destination = Destination {
        token: Some("token".to_owned()),
        ..Destination::at("https://example.org/x".to_owned())
    };
    let about = message("@all fell");
    let about = Message { content: about.content.with_monitor("*Lamp*", "https://example.com/"), ..about };
    let templates = Templates { title: Some("{{ monitor }}: {{ title }}"), text: None };
    let sent = |kind: ChannelKind| -> Value {
        serde_json::from_slice(&body(kind, &about, &destination, templates)).unwrap()
    };
    let chat = sent(ChannelKind::Mattermost);
    assert!(chat["text"].as_str().unwrap().starts_with("\\*Lamp\\*: @\u{200b}all fell\n"), "{chat}");
    assert_eq!(sent(ChannelKind::Gotify)["title"], "*Lamp*: @all fell");
    let mail = sent(ChannelKind::Mail);
    assert_eq!(mail["subject"], "*Lamp*: @all fell");
    assert!(mail["text"].as_str().unwrap().contains("The price fell."), "{mail}");
    assert_eq!(sent(ChannelKind::Webhook)["data"]["title"], "@all fell");
}

#[test]
fn matrix_message_is_put_to_a_path_with_its_id() {
    let id = NoticeId::from_u128(7);
    let chat = Destination::at("https://example.org/rooms/a/send/m.room.message".to_owned());
    let (method, url) = target(ChannelKind::Matrix, &chat, id);
    assert_eq!((method, url), (DeliveryMethod::Put, format!("{}/{id}", chat.address)));
    let hook =
        Destination { token: Some("secret".to_owned()), ..Destination::at("https://example.org/".into()) };
    assert_eq!(target(ChannelKind::Gotify, &hook, id), (DeliveryMethod::Post, hook.address.clone()));
    assert_eq!(token_header(ChannelKind::Gotify, &hook), Some(("x-gotify-key", "secret".to_owned())));
    assert_eq!(token_header(ChannelKind::Pushover, &hook), None);
}

#[test]
fn mqtt_payload_is_the_rendered_template() {
    let broker = Destination::at("mqtts://example.org".to_owned());
    let templates = Templates { text: Some("{{ title }} {{ link }}"), title: None };
    let payload = body(ChannelKind::Mqtt, &message("“Lamp”"), &broker, templates);
    assert_eq!(String::from_utf8(payload).unwrap(), format!("“Lamp” {LINK}"));
}

#[test]
fn titles_of_listed_entries_are_escaped_like_the_title_of_a_message() {
    let entry = |id: i64| {
        let title = "<!channel>\n@all <users/all> [x](http://evil.example)".to_owned();
        let url = "https://example.org/".to_owned();
        ListedEntry {
            id: EntryId::new(id),
            url,
            title,
            text: String::new(),
            published_at: None,
            content: None,
        }
        .cleaned()
    };
    let list = EntryList {
        subscription_id: SubscriptionId::new(1),
        feed_id: FeedId::new(2),
        feed_title: "Harbour".to_owned(),
        feed_url: "https://example.org/feed.xml".to_owned(),
        site_url: None,
        entries: vec![entry(1), entry(2)],
        more: 0,
        has_texts: false,
    };
    let content = MessageContent::new("Harbour: 2 new entries", "", LINK.to_owned(), 0).with_entries(list);
    let (collected, more) = content.listed_messages("https://my.example.org");
    let about = Message { kind: NoticeKind::Entries, content, collected, more, ..message("") };
    for kind in ChannelKind::ALL.iter().copied() {
        let Some(service) = service(kind) else { continue };
        let escaped = (service.escape)(&about.collected[0].1.title);
        assert!(!escaped.contains('\n'), "{kind:?}");
        let text = bodies::text(&about, service.escape, 10_000);
        assert_eq!(
            text.matches(&format!("• {escaped}\nhttps://my.example.org/")).count(),
            2,
            "{kind:?}: {text}"
        );
    }
    assert!(!bodies::text(&about, bodies::escape_slack, 10_000).contains("<!channel>"));
    assert!(!bodies::text(&about, bodies::escape_chat, 10_000).contains("@all"));
}

#[test]
fn entries_that_do_not_fit_are_counted_and_links_are_never_shortened() {
    let entry = |id: i64| ListedEntry {
        id: EntryId::new(id),
        url: format!("https://example.org/{id}"),
        title: format!("Note {id}"),
        text: "Words".to_owned(),
        published_at: None,
        content: None,
    };
    let list = EntryList {
        subscription_id: SubscriptionId::new(1),
        feed_id: FeedId::new(2),
        feed_title: "Harbour".to_owned(),
        feed_url: "https://example.org/feed.xml".to_owned(),
        site_url: None,
        entries: (1..=20).map(entry).collect(),
        more: 3,
        has_texts: false,
    };
    let content = MessageContent::new("Harbour: 23 new entries", "", LINK.to_owned(), 0).with_entries(list);
    let (collected, more) = content.listed_messages("https://my.example.org");
    let kind = NoticeKind::Entries;
    let about = Message { kind, content, collected, more, ..message("") };
    let long = bodies::text(&about, str::to_owned, 10_000);
    assert!(long.contains("• Note 20\nhttps://my.example.org/entries/20\nand 3 more\n"), "{long}");
    let medium = bodies::text(&about, str::to_owned, 200);
    let start = "Harbour: 23 new entries\n• Note 1\nhttps://my.example.org/entries/1\n";
    assert!(medium.starts_with(start) && medium.contains(" more\n"), "{medium}");
    assert!(medium.chars().count() <= 200 && medium.ends_with(LINK), "{medium}");
    assert_eq!(bodies::text(&about, str::to_owned, 60), format!("Harbour: 23 new entries\n{LINK}"));
    let json = about.json();
    assert_eq!((&json["data"]["entries"][0]["id"], &json["data"]["more"]), (&json!(1), &json!(3)));
}

/// Returns a digest with due highlights of the general review and of a themed review.
fn digest(quotes: usize) -> Message {
    let row = |number: usize| TodayRow::new(&format!("Quote <{number}>"), "Boats", LINK.to_owned());
    let list = |name: Option<&str>, rows: Vec<TodayRow>| TodayList {
        section: TodaySection::Highlights,
        name: name.map(str::to_owned),
        rows,
    };
    let today = TodayDigest {
        lists: vec![list(None, (0..quotes).map(row).collect()), list(Some("Sea"), vec![row(quotes)])],
        due_highlights: u32::try_from(quotes).unwrap() + 1,
        review_link: "https://my.example.org/highlights/review".to_owned(),
        has_news: true,
    };
    let content = MessageContent::new("Digest", "", today.review_link.clone(), 0);
    Message { kind: NoticeKind::Digest, content, today: Some(today), ..message("") }
}

fn text_of(kind: ChannelKind, message: &Message, templates: Templates<'_>) -> String {
    let destination = Destination::at("https://example.org/x".to_owned());
    let body: Value = serde_json::from_slice(&body(kind, message, &destination, templates)).unwrap();
    body["text"].as_str().unwrap().to_owned()
}

#[test]
fn due_highlights_are_listed_within_the_length_of_the_service() {
    let text = text_of(ChannelKind::Slack, &digest(1), Templates::default());
    let link = "https://my.example.org/highlights/review";
    let highlights = "2 highlights are due today.\n• Quote &lt;0&gt;\nSea\n• Quote &lt;1&gt;";
    assert_eq!(text, format!("Digest\n{highlights}\n{link}"));
    for (kind, max_chars) in [(ChannelKind::Slack, 1_800), (ChannelKind::Sms, 300)] {
        let text = text_of(kind, &digest(49), Templates::default());
        assert!(text.chars().count() <= max_chars, "{text}");
        assert!(text.contains("50 highlights are due today.\n• Quote"), "{text}");
        assert!(text.ends_with(&format!("\n{link}")), "{text}");
    }
    let elsewhere = MessageContent::new("Digest", "", LINK.to_owned(), 0);
    let text =
        text_of(ChannelKind::Slack, &Message { content: elsewhere, ..digest(0) }, Templates::default());
    assert!(text.ends_with(&format!("\n{LINK}\n{link}")), "{text}");
}

#[test]
fn due_highlights_follow_the_template_of_a_chat_message() {
    let templates = Templates { title: None, text: Some("Mine: {{ title }}") };
    let text = text_of(ChannelKind::Slack, &digest(49), templates);
    assert!(text.starts_with("Mine: Digest\n50 highlights are due today.\n• Quote"), "{text}");
    assert!(text.ends_with("/highlights/review") && text.chars().count() <= 1_000, "{text}");
    let none = Message { today: None, ..digest(0) };
    assert_eq!(text_of(ChannelKind::Slack, &none, templates), "Mine: Digest");
}
