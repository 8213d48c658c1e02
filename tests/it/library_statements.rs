//! The number of SQL statements for changing and listing items does not depend on the number of items.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use kernel::tiers::Tier;
use kernel::{Backend, Domain, ItemId, RandomIds};
use library::sync::{self, TextInclusion};
use library::{ItemChanges, ItemFilter, ItemStatus, ObjectKind, ReadMark};
use serde_json::json;

use crate::support::person::Person;
use crate::support::{Setup, World, run};

/// Asserts that 3 items and 100 items need the same number of statements.
async fn assert_constant_statements(backend: Backend) {
    let world = if backend == Backend::Sqlite { World::Small } else { World::Large };
    let app = Setup::on(world).set("CARREL_READER_LIMITS", "off").spawn().await;
    let who = Person::on(&app, Tier::Pro).await;
    let mut ids: Vec<ItemId> = Vec::new();
    for number in 0..110 {
        app.clock.advance(1_000);
        let body =
            json!({"externalId": number.to_string(), "content": "Words of a desk.", "format": "plain_text"});
        let saved = who.post(&app, "/v1/library/items", &body).await.expect(201).json();
        ids.push(saved["item"]["id"].as_str().unwrap().parse().unwrap());
    }
    let (database, count) = app.app.domain.db().clone().counted();
    let domain = Domain::with(database, app.clock.clone(), Arc::new(RandomIds));
    let changes = |tag: &str| ItemChanges {
        status: Some(ItemStatus::Archive),
        tags: Some(vec![tag.to_owned(), "every".to_owned()]),
        mark_read: Some(ReadMark::Read),
        ..ItemChanges::default()
    };
    // Loads data that a process reads a single time, and sets the tags that the counted changes replace.
    library::change_all(&domain, who.id, &ids[..100], &changes("zero")).await.unwrap();
    let counted = async |work: std::pin::Pin<Box<dyn Future<Output = usize> + Send + '_>>| {
        let before = count.load(Ordering::Relaxed);
        let done = work.await;
        (done, count.load(Ordering::Relaxed) - before)
    };
    let change = |ids: Vec<ItemId>, tag: &'static str| {
        let (domain, changes) = (&domain, changes(tag));
        async move { library::change_all(domain, who.id, &ids, &changes).await.unwrap().items.len() }
    };
    let few = counted(Box::pin(change(ids[..3].to_vec(), "one"))).await;
    let many = counted(Box::pin(change(ids[..100].to_vec(), "two"))).await;
    assert_eq!((few.0, many.0), (3, 100));
    assert!(few.1 >= 5, "too few statements are counted: {}", few.1);
    assert_eq!(few.1, many.1, "3 items need as many statements as 100");

    let list = |limit: u32| {
        let domain = &domain;
        async move {
            let page = library::list(domain, who.id, &ItemFilter::default(), None, limit).await.unwrap();
            page.items.len()
        }
    };
    list(1).await;
    let (few, many) = (counted(Box::pin(list(3))).await, counted(Box::pin(list(100))).await);
    assert_eq!((few.0, many.0, few.1), (3, 100, many.1));

    let follow = |limit: u32| {
        let domain = &domain;
        async move {
            let page =
                sync::changes(domain, who.id, &[ObjectKind::Item], None, limit, TextInclusion::Included)
                    .await;
            page.unwrap().changes.len()
        }
    };
    follow(1).await;
    let (few, many) = (counted(Box::pin(follow(3))).await, counted(Box::pin(follow(100))).await);
    assert_eq!((few.0, many.0, few.1), (3, 100, many.1));
}

#[test]
fn statement_count_is_independent_of_item_count_on_sqlite() {
    run(assert_constant_statements(Backend::Sqlite));
}

#[test]
fn statement_count_is_independent_of_item_count_on_postgres() {
    run(assert_constant_statements(Backend::Postgres));
}
