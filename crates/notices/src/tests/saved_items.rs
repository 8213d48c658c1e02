//! Tests of messages about saved items: their channels, their number per day, and the message about further items.

use entities::ids::{ChannelId, ItemId};
use entities::notice;
use kernel::Backend;
use kernel::clock::DAY;
use kernel::testing::on_both;
use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel};
use serde_json::{Value, json};

use super::fixture::{Fixture, ORIGIN, link_of};
use crate::*;

/// Saves the item with this number.
async fn save(fixture: &Fixture, number: u128) {
    let domain = &fixture.domain;
    let transaction = domain.db().begin().await.unwrap();
    assert!(notifies_saved_items(&transaction, fixture.account_id).await.unwrap());
    let item = ListedItem {
        id: ItemId::from_u128(number),
        url: Some(format!("https://example.org/{number}")),
        title: format!("Item {number}"),
        tags: vec!["boats".to_owned()],
        saved_at: domain.now(),
    };
    item_saved(&transaction, domain, fixture.account_id, item).await.unwrap();
    transaction.commit().await.unwrap();
}

async fn select(fixture: &Fixture, id: ChannelId) {
    set_saved_items(fixture, id, true).await;
}

async fn set_saved_items(fixture: &Fixture, id: ChannelId, is_selected: bool) {
    let edit = MessageEdit { saved_items: Some(is_selected), ..MessageEdit::default() };
    edit_messages(&fixture.domain, fixture.account_id, id, edit).await.unwrap();
}

/// Writes rows of messages that were sent today.
async fn write_sent(fixture: &Fixture, count: i64) {
    let row = fixture.rows().await.remove(0);
    let copies = (0..count).map(|number| {
        let cause = format!("saved:copy-{number}");
        notice::Model { id: fixture.domain.new_id(), cause, ..row.clone() }.into_active_model().reset_all()
    });
    notice::Entity::insert_many(copies).exec_without_returning(fixture.domain.db().write()).await.unwrap();
}

fn titles(payload: &Value) -> Vec<&str> {
    let items = payload["data"]["items"].as_array().unwrap();
    items.iter().map(|item| item["title"].as_str().unwrap()).collect()
}

async fn channels_that_selected_saved_items_get_one_message_per_item(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (chosen, _) = fixture.webhook().await;
    fixture.webhook().await;
    assert!(!notifies_saved_items(fixture.domain.db().write(), fixture.account_id).await.unwrap());
    select(&fixture, chosen.id).await;
    save(&fixture, 1).await;
    save(&fixture, 1).await;
    fixture.after(1_000).await;
    let sent = fixture.receiver.take();
    assert_eq!(sent.len(), 1);
    let payload = sent[0].json();
    let id = ItemId::from_u128(1);
    assert_eq!(payload["type"], "library.item_saved");
    assert_eq!(payload["data"]["link"], format!("{ORIGIN}/library/{id}"));
    let item = &payload["data"]["items"][0];
    assert_eq!((&item["url"], &item["tags"]), (&json!("https://example.org/1"), &json!(["boats"])));
    assert_eq!((&item["id"], &payload["data"]["more"]), (&json!(id), &json!(0)));
    assert!(item["savedAt"].is_string(), "{item}");
}

async fn items_beyond_the_daily_limit_are_listed_in_one_message(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let (channel, _) = fixture.webhook().await;
    select(&fixture, channel.id).await;
    save(&fixture, 1).await;
    fixture.after(1_000).await;
    write_sent(&fixture, MAX_SAVED_MESSAGES_PER_DAY - 1).await;
    fixture.receiver.take();
    for number in 2..=24 {
        save(&fixture, number).await;
    }
    let count = i64::try_from(fixture.rows().await.len()).unwrap();
    assert_eq!(count, MAX_SAVED_MESSAGES_PER_DAY + 1, "further items share a message");
    assert_eq!(fixture.after(1_000).await, 0);
    fixture.after(DAY).await;
    let sent = fixture.receiver.take();
    assert_eq!(sent.len(), 1);
    let payload = sent[0].json();
    let listed: Vec<String> = (2..=21).map(|number| format!("Item {number}")).collect();
    assert_eq!(titles(&payload), listed);
    assert_eq!(payload["data"]["more"], 3);
    save(&fixture, 25).await;
    fixture.after(1_000).await;
    assert_eq!(titles(&fixture.receiver.take()[0].json()), ["Item 25"]);
}

/// Saves an item whose message is sent to two channels, and writes messages until one more fits into the day. Returns the
/// second channel.
async fn fill_day_except_one(fixture: &Fixture) -> ChannelId {
    let channels = [fixture.webhook().await.0.id, fixture.webhook().await.0.id];
    for id in channels {
        select(fixture, id).await;
    }
    save(fixture, 1).await;
    fixture.after(1_000).await;
    assert_eq!(fixture.receiver.take().len(), 2);
    write_sent(fixture, MAX_SAVED_MESSAGES_PER_DAY - 3).await;
    channels[1]
}

/// Returns the titles of the items in each received message, the shortest list first.
fn received(fixture: &Fixture) -> Vec<Vec<String>> {
    let mut lists: Vec<Vec<String>> = Vec::new();
    for sent in fixture.receiver.take() {
        lists.push(titles(&sent.json()).into_iter().map(str::to_owned).collect());
    }
    lists.sort_by_key(Vec::len);
    lists
}

async fn item_whose_messages_exceed_the_daily_limit_is_listed_on_the_next_day(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let second = fill_day_except_one(&fixture).await;
    save(&fixture, 2).await;
    assert_eq!(fixture.after(1_000).await, 0, "the message fits for one of two channels only");
    fixture.after(DAY).await;
    assert_eq!(received(&fixture), [["Item 2"], ["Item 2"]]);
    set_saved_items(&fixture, second, false).await;
    save(&fixture, 3).await;
    fixture.after(1_000).await;
    assert_eq!(received(&fixture), [["Item 3"]]);
}

async fn channel_that_is_deselected_gets_no_further_items(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let second = fill_day_except_one(&fixture).await;
    save(&fixture, 2).await;
    set_saved_items(&fixture, second, false).await;
    save(&fixture, 3).await;
    fixture.after(DAY).await;
    assert_eq!(received(&fixture), [vec!["Item 2"], vec!["Item 2", "Item 3"]]);
}

async fn unsubscribe_link_stops_messages_about_saved_items(backend: Backend) {
    let fixture = Fixture::new(backend).await;
    let mail = fixture.mail("me@example.org").await;
    select(&fixture, mail.id).await;
    save(&fixture, 1).await;
    fixture.after(1_000).await;
    let letter = fixture.smtp.letter().await;
    assert!(letter.text.contains("Saved: Item 1") && letter.text.contains("boats"), "{}", letter.text);
    let link = link_of(&letter, "/notices/stop?link=");
    assert_eq!(unsubscribe(&fixture.domain, &link).await.unwrap().scope, StoppedMessages::SavedItems);
    let channel = fixture.channel(mail.id).await;
    assert!(!channel.saved_items && channel.account_news);
}

on_both! {
    channels_that_selected_saved_items_get_one_message_per_item,
    items_beyond_the_daily_limit_are_listed_in_one_message,
    item_whose_messages_exceed_the_daily_limit_is_listed_on_the_next_day,
    channel_that_is_deselected_gets_no_further_items,
    unsubscribe_link_stops_messages_about_saved_items,
}
