//! Tests of combined messages: daily digests, and messages about monitors with many changes.

use super::fixture::{Fixture, ORIGIN};
use crate::*;
use kernel::Backend;
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::testing::on_both;
use kernel::tiers::Tier;

fn daily<'a>(at: &'a str, zone: &'a str) -> ChannelSettings<'a> {
    ChannelSettings {
        name: "Mine",
        digest: at,
        zone,
        account_news: true,
        digest_today: false,
        digest_review: false,
        entry_texts: false,
        saved_items: false,
    }
}

async fn digest_is_sent_at_its_local_time_unless_empty(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let (channel, _) = fixture.webhook().await;
    // It is 12:00 UTC now. 08:00 in New York is 13:00 UTC.
    update(domain, owner, channel.id, daily("08:00", "America/New_York")).await.unwrap();
    let monitor = fixture.monitor(&[channel.id]).await;
    for number in 0..103 {
        fixture.test.clock.advance(1);
        fixture.change(monitor, &format!("change {number}")).await;
    }
    let transaction = domain.db().begin().await.unwrap();
    key_made(&transaction, domain, owner, (domain.new_id(), "laptop")).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(fixture.after(59 * MINUTE).await, 1);
    assert_eq!(
        fixture.receiver.take()[0].json()["type"],
        "account.key_created",
        "account messages are sent immediately"
    );
    assert_eq!(fixture.after(MINUTE).await, 1);
    let digest = fixture.receiver.take()[0].json();
    assert_eq!((digest["type"].as_str(), digest["data"]["more"].as_u64()), (Some("digest"), Some(3)));
    let listed = digest["data"]["messages"].as_array().unwrap().clone();
    assert_eq!(listed.len(), 100);
    assert_eq!(listed[99]["title"], "change 102", "the newest are listed, oldest first");
    assert_eq!(listed[0]["monitor"]["name"], "Lamp");
    assert_eq!(fixture.after(3 * DAY).await, 0, "an empty digest is not sent");
    fixture.change(monitor, "another day").await;
    assert_eq!(fixture.after(DAY).await, 1);
    let causes: Vec<String> = fixture.rows().await.into_iter().map(|row| row.cause).collect();
    let days = causes.iter().filter(|cause| cause.starts_with("digest:")).count();
    assert_eq!(days, 2);
    assert!(causes.contains(&format!("digest:{}:2026-11-20", channel.id)), "{causes:?}");
}

/// There is one digest per local date. A change after the digest is included in the next one, even if the
/// time of the digest is postponed.
async fn change_after_a_rescheduled_digest_is_in_the_next_digest(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    // It is 12:00 UTC now.
    update(domain, owner, channel.id, daily("13:00", "UTC")).await.unwrap();
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change(monitor, "one").await;
    assert_eq!(fixture.after(HOUR).await, 1);
    update(domain, owner, channel.id, daily("18:00", "UTC")).await.unwrap();
    fixture.change(monitor, "two").await;
    assert_eq!(fixture.after(12 * HOUR).await, 0);
    assert_eq!(fixture.after(DAY).await, 1);
    let sent = fixture.receiver.take();
    assert_eq!((sent.len(), &sent[1].json()["data"]["messages"][0]["title"]), (2, &"two".into()));
}

/// If a digest could not be sent for a day, it is merged into the next digest.
async fn digest_overdue_by_a_day_is_merged_into_the_next_digest(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    update(domain, owner, channel.id, daily("08:00", "UTC")).await.unwrap();
    let monitor = fixture.monitor(&[channel.id]).await;
    fixture.change(monitor, "one").await;
    fixture.after(2 * DAY).await;
    assert!(fixture.receiver.take().is_empty(), "no worker ran for two days");
    fixture.change(monitor, "two").await;
    fixture.after(DAY).await;
    let sent = fixture.receiver.take();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].json()["data"]["messages"].as_array().unwrap().len(), 2);
}

/// A page that alternates between the contents of two servers must not cause ninety mails a day.
async fn many_changes_of_one_monitor_are_combined(backend: Backend) {
    let fixture = Fixture::on(backend, Tier::Pro).await;
    let (channel, _) = fixture.webhook().await;
    let (storm, calm) = (fixture.monitor(&[channel.id]).await, fixture.monitor(&[channel.id]).await);
    for quarter in 0..96 {
        fixture.change(storm, &format!("storm {quarter}")).await;
        if quarter == 50 {
            fixture.change(calm, "calm").await;
        }
        fixture.after(15 * MINUTE).await;
    }
    fixture.after(6 * HOUR).await;
    let sent: Vec<_> = fixture.receiver.take().iter().map(super::receiver::ReceivedRequest::json).collect();
    let of = |kind: &str| sent.iter().filter(|one| one["type"] == kind).count();
    assert_eq!(
        (of("monitor.changed"), of("monitor.changes")),
        (5, 4),
        "four single messages, one of another monitor, and four combined ones"
    );
    let combined = sent.iter().filter_map(|one| one["data"]["messages"].as_array()).map(Vec::len);
    assert_eq!(combined.sum::<usize>(), 92, "no message is lost");
    let one = sent.iter().find(|one| one["type"] == "monitor.changes").unwrap();
    assert_eq!(one["data"]["link"], format!("{ORIGIN}/monitors/{storm}"));
}

async fn muted_change_is_sent_after_the_muted_hours(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    let monitor = fixture.monitor(&[channel.id]).await;
    let until = fixture.domain.now() + 8 * HOUR;
    for number in 0..6 {
        fixture.muted_change(monitor, ("changed", &number.to_string()), until).await;
    }
    assert_eq!(fixture.after(8 * HOUR - MINUTE).await, 0);
    assert!(fixture.after(MINUTE).await >= 4, "single messages are sent");
    fixture.after(6 * HOUR).await;
    let sent: Vec<_> = fixture.receiver.take().iter().map(super::receiver::ReceivedRequest::json).collect();
    let combined = sent.iter().filter_map(|one| one["data"]["messages"].as_array()).map(Vec::len);
    let single = sent.iter().filter(|one| one["type"] == "monitor.changed").count();
    assert_eq!(single + combined.sum::<usize>(), 6, "no message is lost");
}

on_both! {
    muted_change_is_sent_after_the_muted_hours,
    digest_is_sent_at_its_local_time_unless_empty,
    digest_overdue_by_a_day_is_merged_into_the_next_digest,
    change_after_a_rescheduled_digest_is_in_the_next_digest,
    many_changes_of_one_monitor_are_combined,
}
