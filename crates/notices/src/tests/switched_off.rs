//! Tests of channels that are switched off: the messages that they miss, and the users that are notified.

use super::setting::Setting;
use crate::*;
use kernel::Backend;
use kernel::clock::{DAY, HOUR};
use kernel::testing::on_both;
use kernel::tiers::Tier;

async fn channel_is_off_after_three_days_and_five_failed_messages(backend: Backend) {
    let setting = Setting::on(backend, Tier::Pro).await;
    let (domain, owner) = (&setting.domain, setting.account_id);
    let (channel, _) = setting.webhook().await;
    setting.mail("me@example.org").await;
    let mut monitors = Vec::new();
    for _ in 0..3 {
        monitors.push(setting.monitor(&[channel.id]).await);
    }
    setting.receiver.answer("500 Broken");
    let active = async || setting.channel(channel.id).await.status == ChannelStatus::Active;
    // Six messages that were given up within two days do not switch the channel off yet.
    for day in 0..2 {
        for monitor in &monitors {
            setting.change(*monitor, &format!("day {day}")).await;
        }
        for _ in 0..27 {
            setting.after(HOUR).await;
        }
    }
    let given_up = setting.states().await.iter().filter(|state| **state == NoticeState::Failed).count();
    assert!(given_up >= 5 && active().await, "{given_up}");
    setting.change(monitors[0], "day 2").await;
    for _ in 0..27 {
        setting.after(HOUR).await;
    }
    let off = setting.channel(channel.id).await;
    assert_eq!((off.status, off.off_reason), (ChannelStatus::Off, Some(OffReason::Failing)));
    setting.after(1_000).await;
    let letter = setting.smtp.letter().await;
    assert!(letter.text.contains("switched off") && letter.to == ["me@example.org"], "{}", letter.text);
    // Missed messages are retained for a week.
    setting.change(monitors[1], "kept").await;
    setting.after(HOUR).await;
    setting.receiver.take();
    setting.receiver.answer("204 No Content");
    switch_on(domain, owner, channel.id).await.unwrap();
    assert_eq!(setting.after(1_000).await, 1);
    let summary = setting.receiver.take()[0].json();
    assert_eq!(summary["type"], "summary");
    let messages = summary["data"]["messages"].as_array().unwrap().clone();
    assert_eq!(messages.len(), 8, "failed and untried messages are listed: {summary}");
    assert_eq!(messages[7]["title"], "kept");
    setting.change(monitors[2], "after").await;
    setting.after(1_000).await;
    assert_eq!(setting.receiver.take().len(), 1);
}

async fn success_resets_the_failure_count(backend: Backend) {
    let setting = Setting::on(backend, Tier::Pro).await;
    let (channel, _) = setting.webhook().await;
    let monitor = setting.monitor(&[channel.id]).await;
    setting.receiver.answer("500 Broken");
    for day in 0..6 {
        setting.change(monitor, &format!("day {day}")).await;
        if day % 2 == 1 {
            setting.receiver.answer_next("200 OK\n\nfine");
        }
        for _ in 0..27 {
            setting.after(HOUR).await;
        }
    }
    assert_eq!(setting.channel(channel.id).await.status, ChannelStatus::Active);
}

async fn channel_switched_off_by_its_owner_gets_no_missed_messages(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (domain, owner) = (&setting.domain, setting.account_id);
    let (channel, _) = setting.webhook().await;
    let monitor = setting.monitor(&[channel.id]).await;
    switch_off(domain, owner, channel.id).await.unwrap();
    setting.change(monitor, "unheard").await;
    switch_on(domain, owner, channel.id).await.unwrap();
    assert_eq!(setting.after(DAY).await, 0);
    setting.change(monitor, "heard").await;
    setting.after(1_000).await;
    assert_eq!(setting.receiver.take().len(), 1);
}

/// If the channel of a digest is off, or the digest is given up, none of its messages is lost.
async fn messages_of_a_failed_digest_are_sent_when_switched_on(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (domain, owner) = (&setting.domain, setting.account_id);
    let (channel, _) = setting.webhook().await;
    let daily = ChannelSettings {
        name: "Mine",
        digest: "13:00",
        zone: "UTC",
        account_news: true,
        digest_today: false,
        digest_review: false,
    };
    update(domain, owner, channel.id, daily).await.unwrap();
    let monitor = setting.monitor(&[channel.id]).await;
    setting.receiver.answer("410 Gone");
    setting.change(monitor, "stood in a digest").await;
    setting.test.clock.advance(1);
    setting.change(monitor, "stood there too").await;
    setting.after(2 * HOUR).await;
    assert_eq!(setting.channel(channel.id).await.off_reason, Some(OffReason::Gone));
    setting.receiver.take();
    setting.receiver.answer("204 No Content");
    switch_on(domain, owner, channel.id).await.unwrap();
    setting.change(monitor, "waited for a digest").await;
    switch_off(domain, owner, channel.id).await.unwrap();
    setting.after(DAY).await;
    switch_on(domain, owner, channel.id).await.unwrap();
    setting.after(1_000).await;
    let titles: Vec<_> = setting
        .receiver
        .take()
        .iter()
        .flat_map(|one| one.json()["data"]["messages"].as_array().unwrap().clone())
        .map(|one| one["title"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(titles, ["stood in a digest", "stood there too", "waited for a digest"]);
    assert_eq!(setting.after(2 * DAY).await, 0);
}

async fn messages_missed_over_a_week_ago_are_not_sent(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (channel, _) = setting.webhook().await;
    let monitor = setting.monitor(&[channel.id]).await;
    setting.receiver.answer_next("410 Gone");
    setting.change(monitor, "old").await;
    setting.after(1_000).await;
    setting.after(5 * DAY).await;
    setting.change(monitor, "new").await;
    setting.after(3 * DAY).await;
    switch_on(&setting.domain, setting.account_id, channel.id).await.unwrap();
    setting.receiver.take();
    setting.after(1_000).await;
    let summary = setting.receiver.take()[0].json();
    let messages = summary["data"]["messages"].as_array().unwrap().clone();
    assert_eq!((messages.len(), &messages[0]["title"]), (1, &serde_json::json!("new")));
    assert_eq!(remove_old(&setting.domain).await.unwrap(), 0);
    setting.after(60 * DAY).await;
    assert!(remove_old(&setting.domain).await.unwrap() >= 2);
}

on_both! {
    channel_is_off_after_three_days_and_five_failed_messages,
    success_resets_the_failure_count,
    channel_switched_off_by_its_owner_gets_no_missed_messages,
    messages_of_a_failed_digest_are_sent_when_switched_on,
    messages_missed_over_a_week_ago_are_not_sent,
}
