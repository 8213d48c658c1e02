//! Tests of mails about the account: their daily limit, and their unsubscribe link. Also tests messages whose
//! monitor is deleted, whose plan shrinks, or whose job an operator retries.

use super::setting::{Setting, link_of};
use crate::*;
use jobs::{JobFilter, JobKind};
use kernel::clock::{DAY, HOUR};
use kernel::testing::on_both;
use kernel::tiers::Tier;
use kernel::{Backend, Code};

const MARK: &str = "List-Unsubscribe: <https://my.example.org/notices/stop?link=";

impl Setting {
    /// Creates API keys.
    async fn keys(&self, count: usize) {
        for number in 0..count {
            let transaction = self.domain.db().begin().await.unwrap();
            let key = (self.domain.new_id(), format!("key {number}"));
            key_made(&transaction, &self.domain, self.account_id, (key.0, &key.1)).await.unwrap();
            transaction.commit().await.unwrap();
        }
    }

    async fn tier(&self, tier: Tier) {
        let email = format!("{}@example.org", self.account_id);
        identity::accounts::set_tier(&self.domain, &email, tier).await.unwrap();
    }
}

/// If API keys are created all day, the mailbox must not fill up: notices above the daily limit are combined.
async fn account_notices_respect_the_daily_mail_limit(backend: Backend) {
    let setting = Setting::new(backend).await;
    let mail = setting.mail("me@example.org").await;
    setting.keys(23).await;
    assert_eq!(setting.after(1_000).await, 20);
    let refused = test(&setting.domain, setting.account_id, mail.id).await.unwrap_err();
    assert_eq!(refused.code, Code::RateLimited, "test messages count as mails");
    assert_eq!(setting.after(DAY).await, 1);
    for _ in 0..20 {
        setting.smtp.letter().await;
    }
    let digest = setting.smtp.letter().await;
    assert!(digest.text.contains("3 messages:"), "{}", digest.text);
    let unsubscription = find_unsubscription(&setting.domain, &link_of(&digest, MARK)).await.unwrap();
    assert_eq!(
        unsubscription.scope,
        UnsubscribedScope::Account,
        "the link ends the kind of messages in the digest"
    );
}

async fn account_notices_have_an_unsubscribe_link(backend: Backend) {
    let setting = Setting::new(backend).await;
    let mail = setting.mail("me@example.org").await;
    let monitor = setting.monitor(&[mail.id]).await;
    setting.keys(1).await;
    setting.after(1_000).await;
    let letter = setting.smtp.letter().await;
    assert!(letter.text.contains("To stop these messages: "), "{}", letter.text);
    setting.keys(1).await;
    let ended = unsubscribe(&setting.domain, &link_of(&letter, MARK)).await.unwrap();
    assert_eq!((ended.address.as_str(), ended.scope), ("me@example.org", UnsubscribedScope::Account));
    assert!(!setting.channel(mail.id).await.account_news);
    setting.keys(1).await;
    setting.after(1_000).await;
    assert!(setting.smtp.is_empty().await, "neither queued nor new account messages are sent");
    setting.change(monitor, "120 → 90").await;
    setting.after(1_000).await;
    assert!(setting.smtp.letter().await.text.contains("Lamp"), "messages of monitors are still sent");
}

/// With a link in a test message, the owner of the address can unsubscribe from all messages.
async fn test_message_can_unsubscribe_from_everything(backend: Backend) {
    let setting = Setting::new(backend).await;
    let mail = setting.mail("me@example.org").await;
    let monitor = setting.monitor(&[mail.id]).await;
    test(&setting.domain, setting.account_id, mail.id).await.unwrap();
    setting.after(1_000).await;
    let link = link_of(&setting.smtp.letter().await, MARK);
    setting.change(monitor, "waits").await;
    assert_eq!(unsubscribe(&setting.domain, &link).await.unwrap().scope, UnsubscribedScope::Everything);
    let off = setting.channel(mail.id).await;
    assert_eq!((off.status, off.off_reason), (ChannelStatus::Unconfirmed, None));
    setting.change(monitor, "unheard").await;
    setting.keys(1).await;
    setting.after(DAY).await;
    assert!(setting.smtp.is_empty().await);
    assert!(test(&setting.domain, setting.account_id, mail.id).await.is_err());
    assert!(switch_on(&setting.domain, setting.account_id, mail.id).await.is_err());
}

async fn deleted_monitor_sends_no_messages(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (domain, owner) = (&setting.domain, setting.account_id);
    let (immediate, _) = setting.webhook().await;
    let (daily, _) = setting.webhook().await;
    let digest = ChannelSettings {
        name: "Daily",
        digest: "13:00",
        zone: "UTC",
        account_news: false,
        digest_today: false,
        digest_review: false,
    };
    update(domain, owner, daily.id, digest).await.unwrap();
    let gone = setting.monitor(&[immediate.id, daily.id]).await;
    let remaining = setting.monitor(&[daily.id]).await;
    setting.change(gone, "waits").await;
    setting.change(remaining, "stays").await;
    monitors::delete(domain, owner, gone).await.unwrap();
    assert!(
        setting.rows().await.iter().all(|row| row.monitor_id != Some(gone)),
        "the notices of a deleted monitor are deleted"
    );
    setting.after(2 * HOUR).await;
    let sent = setting.receiver.take();
    assert_eq!(sent.len(), 1);
    let messages = sent[0].json()["data"]["messages"].as_array().unwrap().clone();
    assert_eq!((messages.len(), &messages[0]["title"]), (1, &"stays".into()));
}

/// A message was given up because no worker could send it. If an operator retries its job, it is sent.
async fn retried_dead_message_is_sent(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (channel, _) = setting.webhook().await;
    let monitor = setting.monitor(&[channel.id]).await;
    setting.change(monitor, "120 → 90").await;
    let filter = JobFilter { kind: Some(JobKind::Notice), ..JobFilter::default() };
    let job = jobs::list(&setting.domain, &filter).await.unwrap().remove(0);
    jobs::cancel(&setting.domain, job.id).await.unwrap();
    give_up(&setting.domain, &job.key).await.unwrap();
    assert_eq!(setting.states().await, [NoticeState::Failed]);
    jobs::retry_manually(&setting.domain, job.id).await.unwrap();
    assert_eq!(setting.after(1_000).await, 1);
    assert_eq!(setting.states().await, [NoticeState::Sent]);
    assert_eq!(setting.receiver.take().len(), 1);
}

async fn channels_beyond_a_smaller_plan_are_off_until_the_plan_allows_them(backend: Backend) {
    let setting = Setting::on(backend, Tier::Pro).await;
    let (domain, owner) = (&setting.domain, setting.account_id);
    let mut channels = vec![setting.mail("me@example.org").await];
    for _ in 0..4 {
        setting.test.clock.advance(1);
        channels.push(setting.webhook().await.0);
    }
    let newest = channels[4].id;
    let monitor = setting.monitor(&[newest]).await;
    let stand = async || {
        let listed = list(domain, owner).await.unwrap();
        listed.iter().map(|channel| channel.off_reason).collect::<Vec<_>>()
    };
    setting.tier(Tier::Free).await;
    let plan = Some(OffReason::Plan);
    assert_eq!(stand().await, [None, None, None, plan, plan], "the newest channels are switched off");
    setting.after(1_000).await;
    let letter = setting.smtp.letter().await.text;
    assert!(letter.contains("2 channels were switched off"), "{letter}");
    assert_eq!(switch_on(domain, owner, newest).await.unwrap_err().code, Code::LimitReached);
    setting.change(monitor, "missed").await;
    assert_eq!(setting.after(1_000).await, 0);
    switch_off(domain, owner, channels[1].id).await.unwrap();
    switch_on(domain, owner, channels[3].id).await.unwrap();
    assert_eq!(stand().await, [None, Some(OffReason::Person), None, None, plan]);
    setting.tier(Tier::Premium).await;
    assert_eq!(stand().await, [None, Some(OffReason::Person), None, None, None]);
    setting.after(1_000).await;
    let messages = setting.receiver.take();
    assert_eq!(
        (messages.len(), &messages[0].json()["type"]),
        (1, &"summary".into()),
        "a summary of the missed messages is sent"
    );
}

/// If a value that functions pass to each other is logged, no address, token or secret must be visible.
#[tokio::test]
async fn debug_output_contains_no_secrets() {
    let setting = Setting::new(Backend::Sqlite).await;
    let address = setting.receiver.url("/hidden-hook");
    let mqtt = NewMqtt::default();
    let destination = NewDestination { address: &address, token: "tk_hidden", chat: "hidden", mqtt };
    let new = Setting::new_channel(ChannelKind::Webhook, destination);
    let request_text = format!("{new:?}");
    let made = create(&setting.domain, setting.account_id, new).await.unwrap();
    let secret = made.secret.clone().unwrap();
    let delivery = fetch::Delivery {
        method: fetch::DeliveryMethod::Post,
        url: address,
        headers: vec![("authorization", "hidden".into())],
        body: b"hidden".to_vec(),
    };
    for printed in [request_text, format!("{made:?}"), format!("{delivery:?}")] {
        assert!(!printed.contains("hidden") && !printed.contains(&secret), "{printed}");
    }
}

on_both! {
    account_notices_respect_the_daily_mail_limit,
    account_notices_have_an_unsubscribe_link,
    test_message_can_unsubscribe_from_everything,
    deleted_monitor_sends_no_messages,
    retried_dead_message_is_sent,
    channels_beyond_a_smaller_plan_are_off_until_the_plan_allows_them,
}
