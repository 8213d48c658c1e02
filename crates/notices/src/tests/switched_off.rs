//! Tests of channels that are switched off: the messages that they miss, and the users that are notified.

use super::fixture::Fixture;
use crate::*;
use kernel::Backend;
use kernel::clock::{DAY, HOUR};
use kernel::testing::on_both;
use kernel::tiers::Tier;

async fn channel_is_off_after_three_days_and_five_failed_messages(backend: Backend) {
    let fixture = Fixture::on(backend, Tier::Pro).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let (channel, _) = fixture.webhook().await;
    fixture.mail("me@example.org").await;
    let mut monitors = Vec::new();
    for _ in 0..3 {
        monitors.push(fixture.monitor(&[channel.id]).await);
    }
    fixture.receiver.answer("500 Broken");
    let active = async || fixture.channel(channel.id).await.status == ChannelStatus::Active;
    // Six messages that were given up within two days do not switch the channel off yet.
    for day in 0..2 {
        for monitor in &monitors {
            fixture.change(*monitor, &format!("day {day}")).await;
        }
        for _ in 0..27 {
            fixture.after(HOUR).await;
        }
    }
    let given_up = fixture.states().await.iter().filter(|state| **state == NoticeState::Failed).count();
    assert!(given_up >= 5 && active().await, "{given_up}");
    fixture.change(monitors[0], "day 2").await;
    for _ in 0..27 {
        fixture.after(HOUR).await;
    }
    let off = fixture.channel(channel.id).await;
    assert_eq!((off.status, off.off_reason), (ChannelStatus::Off, Some(OffReason::Failing)));
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    assert!(letter.text.contains("switched off") && letter.to == ["me@example.org"], "{}", letter.text);
    // Missed messages are retained for a week.
    fixture.change(monitors[1], "kept").await;
    fixture.after(HOUR).await;
    fixture.receiver.take();
    fixture.receiver.answer("204 No Content");
    switch_on(domain, owner, channel.id).await.unwrap();
    assert_eq!(fixture.after(1_000).await, 1);
    let summary = fixture.receiver.take()[0].json();
    assert_eq!(summary["type"], "summary");
    let messages = summary["data"]["messages"].as_array().unwrap().clone();
    assert_eq!(messages.len(), 8, "failed and untried messages are listed: {summary}");
    assert_eq!(messages[7]["title"], "kept");
    fixture.change(monitors[2], "after").await;
    fixture.after(1_000).await;
    assert_eq!(fixture.receiver.take().len(), 1);
}

async fn success_resets_the_failure_count(backend: Backend) {
    let fixture = Fixture::on(backend, Tier::Pro).await;
    let (channel, _) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.receiver.answer("500 Broken");
    for day in 0..6 {
        fixture.change(monitor, &format!("day {day}")).await;
        if day % 2 == 1 {
            fixture.receiver.answer_next("200 OK\n\nfine");
        }
        for _ in 0..27 {
            fixture.after(HOUR).await;
        }
    }
    assert_eq!(fixture.channel(channel.id).await.status, ChannelStatus::Active);
}

async fn channel_switched_off_by_its_owner_gets_no_missed_messages(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let (channel, _) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    switch_off(domain, owner, channel.id).await.unwrap();
    fixture.change(monitor, "unheard").await;
    switch_on(domain, owner, channel.id).await.unwrap();
    assert_eq!(fixture.after(DAY).await, 0);
    fixture.change(monitor, "heard").await;
    fixture.after(1_000).await;
    assert_eq!(fixture.receiver.take().len(), 1);
}

/// If the channel of a digest is off, or the digest is given up, none of its messages is lost.
async fn messages_of_a_failed_digest_are_sent_when_switched_on(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let (channel, _) = fixture.webhook().await;
    let daily = ChannelSettings {
        name: "Mine",
        digest: "13:00",
        zone: "UTC",
        account_news: true,
        digest_today: false,
        digest_review: false,
        entry_texts: false,
        saved_items: false,
    };
    update(domain, owner, channel.id, daily).await.unwrap();
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.receiver.answer("410 Gone");
    fixture.change(monitor, "stood in a digest").await;
    fixture.test.clock.advance(1);
    fixture.change(monitor, "stood there too").await;
    fixture.after(2 * HOUR).await;
    assert_eq!(fixture.channel(channel.id).await.off_reason, Some(OffReason::Gone));
    fixture.receiver.take();
    fixture.receiver.answer("204 No Content");
    switch_on(domain, owner, channel.id).await.unwrap();
    fixture.change(monitor, "waited for a digest").await;
    switch_off(domain, owner, channel.id).await.unwrap();
    fixture.after(DAY).await;
    switch_on(domain, owner, channel.id).await.unwrap();
    fixture.after(1_000).await;
    let titles: Vec<_> = fixture
        .receiver
        .take()
        .iter()
        .flat_map(|one| one.json()["data"]["messages"].as_array().unwrap().clone())
        .map(|one| one["title"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(titles, ["stood in a digest", "stood there too", "waited for a digest"]);
    assert_eq!(fixture.after(2 * DAY).await, 0);
}

async fn messages_missed_over_a_week_ago_are_not_sent(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.receiver.answer_next("410 Gone");
    fixture.change(monitor, "old").await;
    fixture.after(1_000).await;
    fixture.after(5 * DAY).await;
    fixture.change(monitor, "new").await;
    fixture.after(3 * DAY).await;
    switch_on(&fixture.domain, fixture.account_id, channel.id).await.unwrap();
    fixture.receiver.take();
    fixture.after(1_000).await;
    let summary = fixture.receiver.take()[0].json();
    let messages = summary["data"]["messages"].as_array().unwrap().clone();
    assert_eq!((messages.len(), &messages[0]["title"]), (1, &serde_json::json!("new")));
    assert_eq!(remove_old(&fixture.domain).await.unwrap(), 0);
    fixture.after(60 * DAY).await;
    assert!(remove_old(&fixture.domain).await.unwrap() >= 2);
}

on_both! {
    channel_is_off_after_three_days_and_five_failed_messages,
    success_resets_the_failure_count,
    channel_switched_off_by_its_owner_gets_no_missed_messages,
    messages_of_a_failed_digest_are_sent_when_switched_on,
    messages_missed_over_a_week_ago_are_not_sent,
}
