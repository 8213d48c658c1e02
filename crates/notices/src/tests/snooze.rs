//! Tests of the link by which the reader of a message snoozes or mutes a monitor.

use super::fixture::{Fixture, link_of};
use crate::*;
use kernel::clock::DAY;
use kernel::testing::on_both;
use kernel::{Backend, Code};

const PATH: &str = "/notices/snooze?link=";

async fn snoozed_monitor_sends_one_message_afterwards(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let domain = &fixture.domain;
    let mail = fixture.mail("me@example.org").await;
    let (monitor, other) = (fixture.monitor(&[mail.id]).await, fixture.monitor(&[mail.id]).await);
    fixture.change(monitor, "one").await;
    fixture.after(1_000).await;
    let link = link_of(&fixture.smtp.letter().await, PATH);
    let state = find_snooze(domain, &link).await.unwrap();
    assert_eq!((state.monitor.as_str(), state.until), ("Lamp", None), "opening changes nothing");
    let until = snooze(domain, &link, SnoozeChoice::Days(1)).await.unwrap().until.unwrap();
    assert_eq!(find_snooze(domain, &link).await.unwrap().until, Some(until));
    fixture.change(monitor, "two").await;
    fixture.change(monitor, "three").await;
    fixture.change(other, "of another monitor").await;
    fixture.after(1_000).await;
    assert!(fixture.smtp.letter().await.text.contains("of another monitor"));
    assert!(fixture.smtp.is_empty().await, "the messages of the snoozed monitor wait");
    fixture.after(DAY).await;
    let letter = fixture.smtp.letter().await.text;
    assert!(letter.contains("two") && letter.contains("three"), "{letter}");
    assert!(fixture.smtp.is_empty().await);
    fixture.change(monitor, "four").await;
    fixture.after(1_000).await;
    assert!(fixture.smtp.letter().await.text.contains("four"));
}

async fn resumed_monitor_sends_immediately_and_muted_monitor_sends_nothing(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (domain, owner) = (&fixture.domain, fixture.account_id);
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    fixture.change(monitor, "one").await;
    fixture.after(1_000).await;
    let link = link_of(&fixture.smtp.letter().await, PATH);
    snooze(domain, &link, SnoozeChoice::Days(7)).await.unwrap();
    assert_eq!(snooze(domain, &link, SnoozeChoice::Resume).await.unwrap().until, None);
    fixture.change(monitor, "two").await;
    fixture.after(1_000).await;
    assert!(fixture.smtp.letter().await.text.contains("two"));
    snooze(domain, &link, SnoozeChoice::Mute).await.unwrap();
    assert_eq!(monitors::get(domain, owner, monitor).await.unwrap().notify, []);
    fixture.change(monitor, "three").await;
    fixture.after(1_000).await;
    assert!(fixture.smtp.is_empty().await);
    assert_eq!(find_snooze(domain, &link[1..]).await.unwrap_err().code, Code::NotFound);
    monitors::delete(domain, owner, monitor).await.unwrap();
    assert_eq!(snooze(domain, &link, SnoozeChoice::Days(1)).await.unwrap_err().code, Code::NotFound);
}

/// If a combined message is due while its monitor is snoozed, it waits until the snooze expires.
async fn combined_message_waits_for_the_snooze(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let mail = fixture.mail("me@example.org").await;
    let monitor = fixture.monitor(&[mail.id]).await;
    for number in 0..4 {
        fixture.change(monitor, &format!("change {number}")).await;
    }
    fixture.after(1_000).await;
    let link = link_of(&fixture.smtp.letter().await, PATH);
    for _ in 0..3 {
        fixture.smtp.letter().await;
    }
    fixture.change(monitor, "combined").await;
    snooze(&fixture.domain, &link, SnoozeChoice::Days(1)).await.unwrap();
    fixture.after(DAY / 2).await;
    assert!(fixture.smtp.is_empty().await);
    fixture.after(DAY / 2).await;
    assert!(fixture.smtp.letter().await.text.contains("combined"));
}

on_both! {
    snoozed_monitor_sends_one_message_afterwards,
    resumed_monitor_sends_immediately_and_muted_monitor_sends_nothing,
    combined_message_waits_for_the_snooze,
}
