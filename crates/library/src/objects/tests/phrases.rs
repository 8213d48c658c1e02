//! Phrase search among more objects than are checked in one step.

use entities::ids::{AccountId, NoteId, ObjectId};
use entities::library_note;
use sea_orm::{EntityTrait, IntoActiveModel};

use crate::search::index::{self, IndexedObject, IndexedText};
use crate::{LibraryTransaction, ObjectKind, list_objects};
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain};

on_both! {
    phrase_matches_among_many_objects_with_its_words,
}

/// Writes `count` notes with the same text.
pub(super) async fn notes(domain: &Domain, account_id: AccountId, count: usize, text: &str) {
    let mut writing = LibraryTransaction::begin(domain, account_id).await.unwrap();
    let (mut rows, mut searched) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let id: NoteId = domain.new_id();
        let object = ObjectId::from(id.as_uuid());
        let stamp = writing.stamp(ObjectKind::Note, object);
        rows.push(library_note::Model {
            id,
            account_id,
            sequence: stamp.sequence,
            item_id: None,
            detached_from: None,
            title: None,
            text: text.into(),
            external_id: None,
            stored_bytes: 1,
            created_at: 0,
            updated_at: stamp.updated_at,
        });
        let (title, names) = (String::new(), String::new());
        searched.push(IndexedObject {
            id: object,
            kind: ObjectKind::Note,
            title,
            tags: vec![],
            names,
            text: IndexedText::Text(text.into()),
        });
    }
    for rows in rows.chunks(200) {
        let rows = rows.iter().map(|row| row.clone().into_active_model());
        library_note::Entity::insert_many(rows).exec_without_returning(writing.db()).await.unwrap();
    }
    index::write(&writing, searched).await.unwrap();
    writing.commit().await.unwrap();
}

/// Number of objects of each page, the total of the last page, and whether there are more.
pub(super) async fn pages(
    domain: &Domain,
    account_id: AccountId,
    query: &str,
    limit: u32,
) -> (Vec<usize>, u32, bool) {
    let (mut counts, mut after) = (Vec::new(), None);
    loop {
        let page =
            list_objects(domain, account_id, ObjectKind::ALL, Some(query), after, limit).await.unwrap();
        counts.push(page.objects.len());
        after = page.next;
        if after.is_none() {
            return (counts, page.total, page.partial);
        }
    }
}

async fn phrase_matches_among_many_objects_with_its_words(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    notes(domain, who, 3, "Two desks stand here.").await;
    notes(domain, who, 700, "Desks for two.").await;
    let query = "\"two desks\"";
    assert_eq!(pages(domain, who, query, 20).await, (vec![3], 3, false));
    notes(domain, who, 4_100, "Two chairs and desks.").await;
    notes(domain, who, 19, "Of two desks one is mine.").await;
    // Objects that one page does not check are checked by the next.
    let (counts, total, partial) = pages(domain, who, query, 20).await;
    assert_eq!((counts.iter().sum::<usize>(), total, partial), (22, 19, true), "{counts:?}");
    assert!(counts.len() <= 3, "{counts:?}");
    let first = list_objects(domain, who, ObjectKind::ALL, Some(query), None, 20).await.unwrap();
    assert!(first.objects.iter().all(|object| object.score > 0.0) && !first.approximate);
    let without = list_objects(domain, who, ObjectKind::ALL, Some("-\"two desks\""), None, 20).await.unwrap();
    assert_eq!(without.total, 4_800);
    // All excluded objects are listed in one statement, so their number is limited for all phrases
    // combined.
    let many = format!("-\"for two\" {}", "-\"two desks\" ".repeat(15));
    let without = list_objects(domain, who, ObjectKind::ALL, Some(&many), None, 20).await.unwrap();
    assert!((4_100..=4_800).contains(&without.total), "{}", without.total);
    let two = "-\"for two\" -\"two desks\"";
    let without = list_objects(domain, who, ObjectKind::ALL, Some(two), None, 20).await.unwrap();
    assert_eq!(without.total, 4_100);
    let both = format!("chairs -{query}");
    assert_eq!(
        list_objects(domain, who, ObjectKind::ALL, Some(&both), None, 20).await.unwrap().objects.len(),
        20
    );
}
