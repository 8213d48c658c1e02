//! Tests of the link with which the reader of a message snoozes or mutes a monitor.

use super::setting::{Setting, link_of};
use crate::*;
use kernel::clock::DAY;
use kernel::testing::on_both;
use kernel::{Backend, Code};

const PATH: &str = "/notices/snooze?link=";

async fn snoozed_monitor_sends_one_message_afterwards(backend: Backend) {
    let setting = Setting::new(backend).await;
    let domain = &setting.domain;
    let mail = setting.mail("me@example.org").await;
    let (monitor, other) = (setting.monitor(&[mail.id]).await, setting.monitor(&[mail.id]).await);
    setting.change(monitor, "one").await;
    setting.after(1_000).await;
    let link = link_of(&setting.smtp.letter().await, PATH);
    let state = find_snooze(domain, &link).await.unwrap();
    assert_eq!((state.monitor.as_str(), state.until), ("Lamp", None), "opening changes nothing");
    let until = snooze(domain, &link, SnoozeChoice::Days(1)).await.unwrap().until.unwrap();
    assert_eq!(find_snooze(domain, &link).await.unwrap().until, Some(until));
    setting.change(monitor, "two").await;
    setting.change(monitor, "three").await;
    setting.change(other, "of another monitor").await;
    setting.after(1_000).await;
    assert!(setting.smtp.letter().await.text.contains("of another monitor"));
    assert!(setting.smtp.is_empty().await, "the messages of the snoozed monitor wait");
    setting.after(DAY).await;
    let letter = setting.smtp.letter().await.text;
    assert!(letter.contains("two") && letter.contains("three"), "{letter}");
    assert!(setting.smtp.is_empty().await);
    setting.change(monitor, "four").await;
    setting.after(1_000).await;
    assert!(setting.smtp.letter().await.text.contains("four"));
}

async fn resumed_monitor_sends_immediately_and_muted_one_sends_nothing(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (domain, owner) = (&setting.domain, setting.account_id);
    let mail = setting.mail("me@example.org").await;
    let monitor = setting.monitor(&[mail.id]).await;
    setting.change(monitor, "one").await;
    setting.after(1_000).await;
    let link = link_of(&setting.smtp.letter().await, PATH);
    snooze(domain, &link, SnoozeChoice::Days(7)).await.unwrap();
    assert_eq!(snooze(domain, &link, SnoozeChoice::Resume).await.unwrap().until, None);
    setting.change(monitor, "two").await;
    setting.after(1_000).await;
    assert!(setting.smtp.letter().await.text.contains("two"));
    snooze(domain, &link, SnoozeChoice::Mute).await.unwrap();
    assert_eq!(monitors::get(domain, owner, monitor).await.unwrap().notify, []);
    setting.change(monitor, "three").await;
    setting.after(1_000).await;
    assert!(setting.smtp.is_empty().await);
    assert_eq!(find_snooze(domain, &link[1..]).await.unwrap_err().code, Code::NotFound);
    monitors::delete(domain, owner, monitor).await.unwrap();
    assert_eq!(snooze(domain, &link, SnoozeChoice::Days(1)).await.unwrap_err().code, Code::NotFound);
}

/// If a combined message is due while its monitor is snoozed, it waits until the snooze expires.
async fn combined_message_waits_for_the_snooze(backend: Backend) {
    let setting = Setting::new(backend).await;
    let mail = setting.mail("me@example.org").await;
    let monitor = setting.monitor(&[mail.id]).await;
    for number in 0..4 {
        setting.change(monitor, &format!("change {number}")).await;
    }
    setting.after(1_000).await;
    let link = link_of(&setting.smtp.letter().await, PATH);
    for _ in 0..3 {
        setting.smtp.letter().await;
    }
    setting.change(monitor, "combined").await;
    snooze(&setting.domain, &link, SnoozeChoice::Days(1)).await.unwrap();
    setting.after(DAY / 2).await;
    assert!(setting.smtp.is_empty().await);
    setting.after(DAY / 2).await;
    assert!(setting.smtp.letter().await.text.contains("combined"));
}

on_both! {
    snoozed_monitor_sends_one_message_afterwards,
    resumed_monitor_sends_immediately_and_muted_one_sends_nothing,
    combined_message_waits_for_the_snooze,
}
