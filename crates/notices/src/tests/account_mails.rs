//! Tests of mails about the account: their daily limit, and their unsubscribe link. Also tests messages after
//! their monitor was deleted, the plan of their account shrank, or an operator retried their job.

use super::fixture::{Fixture, link_of};
use crate::*;
use jobs::{JobFilter, JobKind};
use kernel::clock::{DAY, HOUR};
use kernel::testing::on_both;
use kernel::tiers::Tier;
use kernel::{Backend, Code};

const MARK: &str = "List-Unsubscribe: <https://my.example.org/notices/stop?link=";

impl Fixture {
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
    let fixture = Fixture::new(backend).await;
    let mail = fixture.mail("me@example.org").await;
    fixture.keys(23).await;
    assert_eq!(fixture.after(1_000).await, 20);
    let refused = test(&fixture.domain, fixture.account_id, mail.id).await.unwrap_err();
    assert_eq!(refused.code, Code::RateLimited, "test messages count as mails");
    assert_eq!(fixture.after(DAY).await, 1);
    for _ in 0..20 {
        fixture.smtp.letter().await;
    }
    let digest = fixture.smtp.letter().await;
    assert!(digest.text.contains("3 messages:"), "{}", digest.text);
    let unsubscription = find_unsubscription(&fixture.domain, &link_of(&digest, MARK)).await.unwrap();
    assert_eq!(
        unsubscription.scope,
        StoppedMessages::Account,
        "the link ends the kind of messages in the digest"
    );
}

async fn account_notices_have_an_unsubscribe_link(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    fixture.keys(1).await;
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    assert!(letter.text.contains("To stop these messages: "), "{}", letter.text);
    fixture.keys(1).await;
    let ended = unsubscribe(&fixture.domain, &link_of(&letter, MARK)).await.unwrap();
    assert_eq!((ended.address.as_str(), ended.scope), ("me@example.org", StoppedMessages::Account));
    assert!(!fixture.channel(mail.id).await.account_news);
    fixture.keys(1).await;
    fixture.after(1_000).await;
    assert!(fixture.smtp.is_empty().await, "neither queued nor new account messages are sent");
    fixture.change(monitor, "120 → 90").await;
    fixture.after(1_000).await;
    assert!(fixture.smtp.letter().await.text.contains("Lamp"), "messages of monitors are still sent");
}

/// By the link in a test message, the owner of the address can unsubscribe from all messages.
async fn link_in_a_test_message_unsubscribes_from_everything(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    test(&fixture.domain, fixture.account_id, mail.id).await.unwrap();
    fixture.after(1_000).await;
    let link = link_of(&fixture.smtp.letter().await, MARK);
    fixture.change(monitor, "waits").await;
    assert_eq!(unsubscribe(&fixture.domain, &link).await.unwrap().scope, StoppedMessages::Everything);
    let off = fixture.channel(mail.id).await;
    assert_eq!((off.status, off.off_reason), (ChannelStatus::Unconfirmed, None));
    fixture.change(monitor, "unheard").await;
    fixture.keys(1).await;
    fixture.after(DAY).await;
    assert!(fixture.smtp.is_empty().await);
    assert!(test(&fixture.domain, fixture.account_id, mail.id).await.is_err());
    assert!(switch_on(&fixture.domain, fixture.account_id, mail.id).await.is_err());
}

async fn deleted_monitor_sends_no_messages(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let (immediate, _) = fixture.webhook().await;
    let (daily, _) = fixture.webhook().await;
    let digest = ChannelSettings {
        name: "Daily",
        digest: "13:00",
        zone: "UTC",
        account_news: false,
        digest_today: false,
        digest_review: false,
        entry_texts: false,
        saved_items: false,
    };
    update(domain, owner, daily.id, digest).await.unwrap();
    let gone = fixture.monitor(&[immediate.id, daily.id]).await;
    let remaining = fixture.monitor(&[daily.id]).await;
    fixture.change(gone, "waits").await;
    fixture.change(remaining, "stays").await;
    monitors::delete(domain, owner, gone).await.unwrap();
    assert!(
        fixture.rows().await.iter().all(|row| row.monitor_id != Some(gone)),
        "the notices of a deleted monitor are deleted"
    );
    fixture.after(2 * HOUR).await;
    let sent = fixture.receiver.take();
    assert_eq!(sent.len(), 1);
    let messages = sent[0].json()["data"]["messages"].as_array().unwrap().clone();
    assert_eq!((messages.len(), &messages[0]["title"]), (1, &"stays".into()));
}

/// A message was given up because no worker could send it. If an operator retries its job, it is sent.
async fn retried_dead_message_is_sent(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change(monitor, "120 → 90").await;
    let filter = JobFilter { kind: Some(JobKind::Notice), ..JobFilter::default() };
    let job = jobs::list(&fixture.domain, &filter).await.unwrap().remove(0);
    jobs::cancel(&fixture.domain, job.id).await.unwrap();
    give_up(&fixture.domain, &job.key).await.unwrap();
    assert_eq!(fixture.states().await, [NoticeState::Failed]);
    jobs::retry_manually(&fixture.domain, job.id).await.unwrap();
    assert_eq!(fixture.after(1_000).await, 1);
    assert_eq!(fixture.states().await, [NoticeState::Sent]);
    assert_eq!(fixture.receiver.take().len(), 1);
}

async fn channels_beyond_a_smaller_plan_are_off_until_the_plan_allows_them(backend: Backend) {
    let fixture = Fixture::on(backend, Tier::Pro).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mut channels = vec![fixture.mail("me@example.org").await];
    for _ in 0..4 {
        fixture.test.clock.advance(1);
        channels.push(fixture.webhook().await.0);
    }
    let newest = channels[4].id;
    let monitor = fixture.monitor(&[newest]).await;
    let stand = async || {
        let listed = list(domain, owner).await.unwrap();
        listed.iter().map(|channel| channel.off_reason).collect::<Vec<_>>()
    };
    fixture.tier(Tier::Free).await;
    let plan = Some(OffReason::Plan);
    assert_eq!(stand().await, [None, None, None, plan, plan], "the newest channels are switched off");
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains("2 channels were switched off"), "{letter}");
    assert_eq!(switch_on(domain, owner, newest).await.unwrap_err().code, Code::LimitReached);
    fixture.change(monitor, "missed").await;
    assert_eq!(fixture.after(1_000).await, 0);
    switch_off(domain, owner, channels[1].id).await.unwrap();
    switch_on(domain, owner, channels[3].id).await.unwrap();
    assert_eq!(stand().await, [None, Some(OffReason::Person), None, None, plan]);
    fixture.tier(Tier::Premium).await;
    assert_eq!(stand().await, [None, Some(OffReason::Person), None, None, None]);
    fixture.after(1_000).await;
    let messages = fixture.receiver.take();
    assert_eq!(
        (messages.len(), &messages[0].json()["type"]),
        (1, &"summary".into()),
        "a summary of the missed messages is sent"
    );
}

/// No address, token, or secret must be visible if a value that functions pass to each other is logged.
#[tokio::test]
async fn debug_output_contains_no_secrets() {
    let fixture = Fixture::new(Backend::Sqlite).await;
    let address = fixture.receiver.url("/hidden-hook");
    let mqtt = NewMqtt::default();
    let destination = NewDestination { address: &address, token: "tk_hidden", chat: "hidden", mqtt };
    let new = Fixture::new_channel(ChannelKind::Webhook, destination);
    let request_text = format!("{new:?}");
    let made = create(&fixture.domain, fixture.account_id, new).await.unwrap();
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
    link_in_a_test_message_unsubscribes_from_everything,
    deleted_monitor_sends_no_messages,
    retried_dead_message_is_sent,
    channels_beyond_a_smaller_plan_are_off_until_the_plan_allows_them,
}
