//! Tests of the confirmation of addresses and of the creation of channels.

use super::fixture::Fixture;
use crate::*;
use kernel::testing::{on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Code};

const DAY: i64 = 86_400_000;

fn mail_to(address: &str) -> NewChannel<'_> {
    Fixture::new_channel(ChannelKind::Mail, NewDestination { address, ..NewDestination::default() })
}

/// If a user enters the address of another person, that person must not get unsolicited messages.
async fn address_gets_messages_only_after_confirmation(backend: Backend) {
    let fixture = Fixture::on(backend, Tier::Pro).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let made = create(domain, owner, mail_to(" Victim@Example.org ")).await.unwrap();
    assert_eq!(
        (made.channel.status, made.channel.masked_address.as_str()),
        (ChannelStatus::Unconfirmed, "victim@example.org")
    );
    let monitor = fixture.monitor(&[made.channel.id]).await;
    fixture.change(monitor, "120 → 90").await;
    assert_eq!(fixture.after(60_000).await, 0);
    assert_eq!(fixture.rows().await, [], "no notice is stored for an unconfirmed address");
    let link = fixture.confirmation_link(made.job.unwrap()).await;
    let confirmation = find_confirmation(domain, &link).await.unwrap();
    assert_eq!((confirmation.address.as_str(), confirmation.is_done), ("victim@example.org", false));
    assert_eq!(
        fixture.channel(made.channel.id).await.status,
        ChannelStatus::Unconfirmed,
        "opening the link does not confirm the address"
    );
    confirm(domain, &link).await.unwrap();
    assert!(confirm(domain, &link).await.unwrap().is_done, "confirming twice succeeds");
    fixture.change(monitor, "90 → 80").await;
    fixture.after(1_000).await;
    assert_eq!(fixture.smtp.letter().await.to, ["victim@example.org"]);
    assert_eq!(find_confirmation(domain, &link[1..]).await.unwrap_err().code, Code::NotFound);
}

async fn switching_off_and_on_does_not_confirm_an_address(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let id = create(domain, owner, mail_to("victim@example.org")).await.unwrap().channel.id;
    assert_eq!(switch_off(domain, owner, id).await.unwrap().status, ChannelStatus::Unconfirmed);
    assert_eq!(switch_on(domain, owner, id).await.unwrap_err().code, Code::InvalidRequest);
    assert_eq!(fixture.channel(id).await.off_reason, None);
}

async fn confirmation_links_are_limited_per_address(backend: Backend) {
    let fixture = Fixture::on(backend, Tier::Pro).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let other = person(domain, Tier::Pro).await;
    let made = create(domain, owner, mail_to("victim@example.org")).await.unwrap();
    let first = fixture.confirmation_link(made.job.unwrap()).await;
    for account_id in [owner, other] {
        let refused = create(domain, account_id, mail_to("victim@example.org")).await.unwrap_err();
        assert_eq!(refused.code, Code::RateLimited);
    }
    assert_eq!(list(domain, other).await.unwrap(), [], "a channel is not created if its link cannot be sent");
    fixture.test.clock.advance(DAY);
    let again = request_confirmation(domain, owner, made.channel.id).await.unwrap().unwrap();
    let second = fixture.confirmation_link(again).await;
    assert_eq!(
        find_confirmation(domain, &first).await.unwrap_err().code,
        Code::NotFound,
        "only the newest link is valid"
    );
    fixture.test.clock.advance(DAY);
    create(domain, other, mail_to("victim@example.org")).await.unwrap();
    fixture.test.clock.advance(30 * DAY);
    let refused = request_confirmation(domain, owner, made.channel.id).await.unwrap_err();
    assert_eq!(refused.code, Code::RateLimited, "an address receives at most three links");
    confirm(domain, &second).await.unwrap();
    create(domain, owner, mail_to("victim@example.org")).await.unwrap();
}

async fn plan_limits_channels_and_mails(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    fixture.webhook().await;
    fixture.webhook().await;
    let refused = create(domain, owner, mail_to("more@example.org")).await.unwrap_err();
    assert_eq!(refused.code, Code::LimitReached);
    // Six monitors with four changes each: 24 mails, of which the plan allows 20.
    let mut monitors = Vec::new();
    for _ in 0..3 {
        monitors.push(fixture.monitor(&[mail.id]).await);
    }
    identity::accounts::set_tier(domain, &format!("{owner}@example.org"), Tier::Premium).await.unwrap();
    for _ in 0..3 {
        monitors.push(fixture.monitor(&[mail.id]).await);
    }
    identity::accounts::set_tier(domain, &format!("{owner}@example.org"), Tier::Free).await.unwrap();
    for monitor in monitors {
        for change in 0..4 {
            fixture.change(monitor, &format!("change {change}")).await;
        }
    }
    fixture.after(1_000).await;
    let states = fixture.states().await;
    let count = |state| states.iter().filter(|current| **current == state).count();
    assert_eq!((count(NoticeState::Sent), count(NoticeState::Held)), (20, 4));
    fixture.after(DAY).await;
    for _ in 0..20 {
        fixture.smtp.letter().await;
    }
    let digest = fixture.smtp.letter().await.text;
    assert!(digest.contains("4 messages:"), "{digest}");
    assert!(fixture.smtp.is_empty().await);
}

/// An account that creates and deletes channels must not mail links to an unlimited number of people.
async fn account_can_mail_at_most_twenty_links_per_day(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let ask = async |number: u32| create(domain, owner, mail_to(&format!("one{number}@example.org"))).await;
    for number in 0..20 {
        let made = ask(number).await.unwrap();
        delete(domain, owner, made.channel.id).await.unwrap();
    }
    assert_eq!(ask(20).await.unwrap_err().code, Code::RateLimited);
    assert!(list(domain, owner).await.unwrap().is_empty(), "the refused channel is not stored");
    fixture.test.clock.advance(DAY);
    ask(21).await.unwrap();
}

async fn test_messages_are_limited_to_five_per_hour(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    for _ in 0..5 {
        test(&fixture.domain, fixture.account_id, channel.id).await.unwrap();
    }
    let refused = test(&fixture.domain, fixture.account_id, channel.id).await.unwrap_err();
    assert_eq!(refused.code, Code::RateLimited);
    assert_eq!(fixture.after(1_000).await, 5);
    assert_eq!(fixture.receiver.take()[0].json()["type"], "test");
}

async fn channels_are_private_and_deleted_with_the_account(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let domain = &fixture.domain;
    let (channel, _) = fixture.webhook().await;
    let stranger = person(domain, Tier::Free).await;
    let missing = |error: kernel::Error| assert_eq!(error.code, Code::NotFound);
    missing(get(domain, stranger, channel.id).await.unwrap_err());
    missing(list_sent(domain, stranger, channel.id).await.unwrap_err());
    missing(test(domain, stranger, channel.id).await.unwrap_err());
    missing(switch_off(domain, stranger, channel.id).await.unwrap_err());
    missing(switch_on(domain, stranger, channel.id).await.unwrap_err());
    missing(rotate_secret(domain, stranger, channel.id).await.unwrap_err());
    missing(delete(domain, stranger, channel.id).await.unwrap_err());
    let foreign = check_notify(domain.db().write(), stranger, &[channel.id]).await.unwrap_err();
    assert_eq!(foreign.code, Code::NotFound);
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change(monitor, "x").await;
    identity::accounts::delete_by_email(domain, &format!("{}@example.org", fixture.account_id))
        .await
        .unwrap();
    assert_eq!(fixture.rows().await, []);
    assert_eq!(fixture.after(1_000).await, 1, "the job of the deleted notice ends");
    assert!(fixture.receiver.received().is_empty());
}

async fn deleted_channel_is_removed_from_monitors_and_groups(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let domain = &fixture.domain;
    let (one, _) = fixture.webhook().await;
    let (two, _) = fixture.webhook().await;
    let (three, _) = fixture.webhook().await;
    let lists = [vec![one.id], vec![one.id, two.id], vec![two.id, one.id, three.id]];
    let mut monitors = Vec::new();
    for list in &lists {
        monitors.push(fixture.monitor(list).await);
    }
    let group = monitors::GroupEdit {
        name: Some("Lamps".to_owned()),
        notify: Some(Some(vec![one.id, two.id])),
        ..monitors::GroupEdit::default()
    };
    let group = monitors::create_group(domain, fixture.account_id, group).await.unwrap();
    delete(domain, fixture.account_id, two.id).await.unwrap();
    let group = monitors::get_group(domain, fixture.account_id, group.id).await.unwrap();
    assert_eq!(group.notify, Some(vec![one.id]));
    let mut left = Vec::new();
    for id in monitors {
        left.push(monitors::get(domain, fixture.account_id, id).await.unwrap().notify);
    }
    assert_eq!(left, [vec![one.id], vec![one.id], vec![one.id, three.id]]);
}

#[expect(clippy::too_many_lines, reason = "one table of addresses")]
#[tokio::test]
async fn addresses_are_validated_and_masked() {
    let fixture = Fixture::on(Backend::Sqlite, Tier::Pro).await;
    let make = async |kind, address: &str, token: &str, chat: &str| {
        let destination = NewDestination { address, token, chat, ..NewDestination::default() };
        let new = Fixture::new_channel(kind, destination);
        create(&fixture.domain, fixture.account_id, new).await.map(|made| made.channel.masked_address)
    };
    let token = "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11";
    for (kind, address, token, chat, masked) in [
        (ChannelKind::Webhook, "https://example.com/hooks/abcdefghijkl", "", "", "example.com/…ijkl"),
        (ChannelKind::Webhook, "https://example.com:8443/x", "", "", "example.com:8443"),
        (
            ChannelKind::Slack,
            "https://hooks.slack.com/services/T0/B0/secretsecret",
            "",
            "",
            "hooks.slack.com/…cret",
        ),
        (
            ChannelKind::Discord,
            "https://discord.com/api/webhooks/1/secretsecret",
            "",
            "",
            "discord.com/…cret",
        ),
        (ChannelKind::Ntfy, "https://ntfy.sh/my-secret-topic", "tk_x", "", "ntfy.sh/…opic"),
        (ChannelKind::Telegram, "", token, "-1001234", "chat …1234, bot …ew11"),
        (
            ChannelKind::Matrix,
            "https://example.org/",
            "syt_x",
            "!abcd:example.org",
            "room ….org on example.org",
        ),
        (
            ChannelKind::Pushover,
            "",
            "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
            "u2u2u2u2u2u2u2u2u2u2u2u2u2u2u2",
            "user …u2u2, application …a1a1",
        ),
        (ChannelKind::Gotify, "https://example.org/gotify/", "AbC", "", "example.org"),
        (ChannelKind::Mattermost, "https://example.org/hooks/abcdefgh", "", "", "example.org/…efgh"),
        (ChannelKind::RocketChat, "https://example.org/hooks/1/abcd", "", "", "example.org/…abcd"),
        (
            ChannelKind::Teams,
            "https://x.webhook.office.com/webhookb2/1",
            "",
            "",
            "x.webhook.office.com/…b2/1",
        ),
        (
            ChannelKind::GoogleChat,
            "https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=abcd",
            "",
            "",
            "chat.googleapis.com/…abcd",
        ),
        (ChannelKind::Sms, "https://example.org/send", "", "+49 170 123-4567", "…4567 by example.org"),
        (ChannelKind::HomeAssistant, "https://example.org/api/webhook/abcd", "", "", "example.org/…abcd"),
        (ChannelKind::Mqtt, "mqtts://example.org", "", "home/lamp", "topic …lamp on example.org:8883"),
    ] {
        assert_eq!(make(kind, address, token, chat).await.unwrap(), masked);
    }
    for (kind, address, token, chat) in [
        (ChannelKind::Webhook, "http://example.com/hook", "", ""),
        (ChannelKind::Webhook, "https://example.com:25/hook", "", ""),
        (ChannelKind::Webhook, "https://10.0.0.1/hook", "", ""),
        (ChannelKind::Webhook, "https://user:pass@example.com/", "", ""),
        (ChannelKind::Webhook, "", "", ""),
        (ChannelKind::Slack, "https://hooks.slack.com.evil.example/x", "", ""),
        (ChannelKind::Discord, "https://discord.com/invite/x", "", ""),
        (ChannelKind::Ntfy, "https://ntfy.sh/", "", ""),
        (ChannelKind::Ntfy, "https://ntfy.sh/a/b", "", ""),
        (ChannelKind::Telegram, "", "token", "1"),
        (ChannelKind::Telegram, "", token, "a b"),
        (ChannelKind::Mail, "nobody", "", ""),
        (ChannelKind::Matrix, "https://example.org/", "", "!a:b"),
        (ChannelKind::Matrix, "https://example.org/", "x", "#general:example.org"),
        (ChannelKind::Pushover, "", "short", "short"),
        (ChannelKind::Gotify, "https://example.org/", "", ""),
        (ChannelKind::Mattermost, "https://example.org/", "", ""),
        (ChannelKind::RocketChat, "https://example.org/hooks/", "", ""),
        (ChannelKind::Teams, "https://webhook.office.com.example.org/x", "", ""),
        (ChannelKind::GoogleChat, "https://chat.google.com/x", "", ""),
        (ChannelKind::Sms, "https://example.org/send", "", "0170 1234567"),
        (ChannelKind::HomeAssistant, "https://example.org/", "", ""),
        (ChannelKind::Mqtt, "https://example.org", "", "home/lamp"),
        (ChannelKind::Mqtt, "mqtts://10.0.0.1", "", "home/lamp"),
        (ChannelKind::Mqtt, "mqtts://example.org", "", ""),
        (ChannelKind::Mqtt, "mqtts://example.org", "", "home/#"),
        (ChannelKind::Mqtt, "mqtts://example.org", "password without user", "home/lamp"),
    ] {
        let refused = make(kind, address, token, chat).await.unwrap_err();
        assert!(matches!(refused.code, Code::InvalidRequest | Code::UrlNotAllowed), "{address}: {refused}");
        assert!(refused.field().is_some(), "{address}");
    }
    let odd = |name, digest, zone| ChannelSettings {
        name,
        digest,
        zone,
        account_news: false,
        digest_today: false,
        digest_review: false,
        entry_texts: false,
        saved_items: false,
    };
    let (channel, _) = fixture.webhook().await;
    for settings in
        [odd("", "", ""), odd("a\nb", "", ""), odd("x", "25:00", ""), odd("x", "", "Mars/Olympus")]
    {
        let refused = update(&fixture.domain, fixture.account_id, channel.id, settings).await.unwrap_err();
        assert_eq!(refused.code, Code::InvalidRequest);
    }
}

/// Valid key of a `PagerDuty` integration.
const KEY: &str = "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1";
/// Valid id of a LINE user.
const USER: &str = "Ub2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2";
/// Address of `PagerDuty` in Europe.
const EVENTS: &str = "https://events.eu.pagerduty.com/v2/enqueue";
/// Kind, address, token, chat, and masked address of channels to chat and push services.
const VALID: [(ChannelKind, &str, &str, &str, &str); 11] = [
    (ChannelKind::Apprise, "https://example.org/notify/abcdefgh", "", "", "example.org/…efgh"),
    (
        ChannelKind::Zulip,
        "https://example.org/api/v1/external/slack_incoming?api_key=abcd",
        "",
        "",
        "example.org/…abcd",
    ),
    (ChannelKind::Webex, "https://webexapis.com/v1/webhooks/incoming/abcd", "", "", "webexapis.com/…abcd"),
    (ChannelKind::Lark, "https://open.feishu.cn/open-apis/bot/v2/hook/abcd", "", "", "open.feishu.cn/…abcd"),
    (
        ChannelKind::DingTalk,
        "https://oapi.dingtalk.com/robot/send?access_token=abcd",
        "",
        "",
        "oapi.dingtalk.com/…abcd",
    ),
    (
        ChannelKind::WeCom,
        "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=abcd",
        "",
        "",
        "qyapi.weixin.qq.com/…abcd",
    ),
    (ChannelKind::Line, "", "token/abcd=", USER, "chat …b2b2, bot …bcd="),
    (ChannelKind::Pushbullet, "", "o.abcd", "", "account …abcd"),
    (ChannelKind::Bark, "https://api.day.app/abcdefghijkl/Test?sound=x", "", "", "api.day.app/…ijkl"),
    (
        ChannelKind::Ifttt,
        "https://maker.ifttt.com/trigger/lamp/with/key/abcd",
        "",
        "",
        "maker.ifttt.com/…abcd",
    ),
    (ChannelKind::PagerDuty, EVENTS, KEY, "", "integration …a1a1 on events.eu.pagerduty.com"),
];
/// Kind, address, token, and chat of channels that are refused.
const REFUSED: [(ChannelKind, &str, &str, &str); 14] = [
    (ChannelKind::Apprise, "https://example.org/notify/", "", ""),
    (ChannelKind::Zulip, "https://example.org/api/v1/external/json?api_key=abcd", "", ""),
    (ChannelKind::Zulip, "https://example.org/api/v1/external/slack_incoming", "", ""),
    (ChannelKind::Webex, "https://webexapis.com.evil.example/v1/webhooks/incoming/x", "", ""),
    (ChannelKind::Lark, "https://example.org/open-apis/bot/v2/hook/x", "", ""),
    (ChannelKind::DingTalk, "https://oapi.dingtalk.com/robot/send", "", ""),
    (ChannelKind::WeCom, "https://example.org/cgi-bin/webhook/send?key=x", "", ""),
    (ChannelKind::Line, "", "", USER),
    (ChannelKind::Line, "", "token", "somebody"),
    (ChannelKind::Pushbullet, "", "", ""),
    (ChannelKind::Bark, "https://api.day.app/", "", ""),
    (ChannelKind::Ifttt, "https://ifttt.com/maker_webhooks", "", ""),
    (ChannelKind::PagerDuty, EVENTS, "short", ""),
    (ChannelKind::PagerDuty, "https://example.org/v2/enqueue", KEY, ""),
];

#[tokio::test]
async fn addresses_of_chat_and_push_services_are_validated_and_masked() {
    let fixture = Fixture::on(Backend::Sqlite, Tier::Pro).await;
    let make = async |kind, address: &str, token: &str, chat: &str| {
        let destination = NewDestination { address, token, chat, ..NewDestination::default() };
        let new = Fixture::new_channel(kind, destination);
        create(&fixture.domain, fixture.account_id, new).await.map(|made| made.channel.masked_address)
    };
    for (kind, address, token, chat, masked) in VALID {
        assert_eq!(make(kind, address, token, chat).await.unwrap(), masked);
    }
    for (kind, address, token, chat) in REFUSED {
        let refused = make(kind, address, token, chat).await.unwrap_err();
        assert!(matches!(refused.code, Code::InvalidRequest | Code::UrlNotAllowed), "{address}: {refused}");
        assert!(refused.field().is_some(), "{kind:?} {address}");
    }
}

#[tokio::test]
async fn each_invalid_address_has_a_specific_error() {
    let fixture = Fixture::on(Backend::Sqlite, Tier::Pro).await;
    let token = "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11";
    let error_message = async |kind, address: &str, token: &str, chat: &str| {
        let new =
            Fixture::new_channel(kind, NewDestination { address, token, chat, ..NewDestination::default() });
        create(&fixture.domain, fixture.account_id, new).await.unwrap_err().message
    };
    for (kind, address, token, chat, words) in [
        (ChannelKind::Webhook, "", "", "", "Enter the address of your program"),
        (ChannelKind::Slack, "", "", "", "Enter the webhook URL that Slack shows"),
        (ChannelKind::Slack, "https://app.slack.com/client/T0", "", "", "not a webhook URL from Slack"),
        (ChannelKind::Discord, "https://discord.gg/x", "", "", "not a webhook URL from Discord"),
        (ChannelKind::Ntfy, "my-topic", "", "", "https://ntfy.sh/ followed by its name"),
        (ChannelKind::Ntfy, "https://ntfy.sh/", "", "", "not a topic address"),
        (ChannelKind::Ntfy, "https://ntfy.sh/x", "two words", "", "one word"),
        (ChannelKind::Telegram, "", "", "1", "Enter your bot's token"),
        (ChannelKind::Telegram, "", "12345", "1", "not a bot token"),
        (ChannelKind::Telegram, "", token, "", "Enter the chat"),
        (ChannelKind::Telegram, "", token, "my friends", "not a chat"),
        (ChannelKind::Telegram, "", token, "friends", "not a chat"),
    ] {
        let message = error_message(kind, address, token, chat).await;
        assert!(message.contains(words), "{kind:?} {address}: {message}");
    }
}

/// A leaked table or log must not reveal the destination of a channel or the key that signs its messages.
#[tokio::test]
async fn secrets_are_sealed() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    let (channel, secret) = fixture.webhook().await;
    let row = channel::fetch_row(&fixture, channel.id).await;
    let printed = format!("{row:?}");
    assert!(!printed.contains("/hook") && !printed.contains(&secret), "{printed}");
    assert!(!row.sealed.windows(5).any(|window| window == b"/hook"));
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.receiver.answer("500 Broken");
    fixture.change(monitor, "a secret word").await;
    fixture.after(1_000).await;
    let sealed = fixture.rows().await[0].sealed_body.clone().unwrap();
    assert!(!sealed.windows(6).any(|window| window == b"secret"));
    fixture.receiver.answer("204 No Content");
    fixture.after(kernel::clock::DAY).await;
    assert_eq!(fixture.rows().await[0].sealed_body, None, "a sent message has no body");
}

mod channel {
    use super::Fixture;
    use entities::channel::{self, Model};
    use entities::ids::ChannelId;

    pub(super) async fn fetch_row(fixture: &Fixture, id: ChannelId) -> Model {
        channel::Entity::of_any_owner(id).one(fixture.domain.db().write()).await.unwrap().unwrap()
    }
}

on_both! {
    address_gets_messages_only_after_confirmation,
    switching_off_and_on_does_not_confirm_an_address,
    confirmation_links_are_limited_per_address,
    plan_limits_channels_and_mails,
    account_can_mail_at_most_twenty_links_per_day,
    test_messages_are_limited_to_five_per_hour,
    channels_are_private_and_deleted_with_the_account,
    deleted_channel_is_removed_from_monitors_and_groups,
}
