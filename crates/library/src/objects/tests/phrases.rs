//! Tests of phrase searches among more objects than one step checks.

use entities::ids::{AccountId, NoteId, ObjectId};
use entities::library_note;
use sea_orm::{EntityTrait, IntoActiveModel};

use crate::search::index::{self, IndexedObject, IndexedText};
use crate::{LibraryTransaction, NewNote, ObjectKind, create_note, list_objects};
use kernel::search::words;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain};

on_both! {
    phrase_search_finds_few_matches_among_many_objects_with_the_same_words,
    phrase_search_returns_the_same_objects_as_a_scan_of_all_texts,
    phrase_search_covers_a_text_with_several_index_rows,
}

/// Writes `count` notes with the same text.
pub(super) async fn notes(domain: &Domain, account_id: AccountId, count: usize, text: &str) {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
    let (mut rows, mut searched) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let id: NoteId = domain.new_id();
        let object = ObjectId::from(id.as_uuid());
        let stamp = transaction.stamp(ObjectKind::Note, object);
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
        library_note::Entity::insert_many(rows).exec_without_returning(transaction.db()).await.unwrap();
    }
    index::write(&transaction, searched).await.unwrap();
    transaction.commit().await.unwrap();
}

/// Reads all pages. Returns the number of objects of each page, the total of the last page, and true if more
/// objects match than the total counts.
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

async fn phrase_search_finds_few_matches_among_many_objects_with_the_same_words(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    notes(domain, who, 3, "Two desks stand here.").await;
    notes(domain, who, 700, "Desks for two.").await;
    let query = "\"two desks\"";
    assert_eq!(pages(domain, who, query, 20).await, (vec![3], 3, false));
    notes(domain, who, 4_100, "Two chairs and desks.").await;
    notes(domain, who, 19, "Of two desks one is mine.").await;
    // Objects that one page does not check are checked by the next page.
    let (counts, total, partial) = pages(domain, who, query, 20).await;
    assert_eq!((counts.iter().sum::<usize>(), total, partial), (22, 19, true), "{counts:?}");
    assert!(counts.len() <= 3, "{counts:?}");
    let first = list_objects(domain, who, ObjectKind::ALL, Some(query), None, 20).await.unwrap();
    assert!(first.objects.iter().all(|object| object.score > 0.0) && !first.approximate);
    let without = list_objects(domain, who, ObjectKind::ALL, Some("-\"two desks\""), None, 20).await.unwrap();
    assert_eq!(without.total, 4_800);
    let many = format!("-\"for two\" {}", "-\"two desks\" ".repeat(15));
    let without = list_objects(domain, who, ObjectKind::ALL, Some(&many), None, 20).await.unwrap();
    assert_eq!(without.total, 4_100);
    let two = "-\"for two\" -\"two desks\"";
    let without = list_objects(domain, who, ObjectKind::ALL, Some(two), None, 20).await.unwrap();
    assert_eq!(without.total, 4_100);
    let both = format!("chairs -{query}");
    assert_eq!(
        list_objects(domain, who, ObjectKind::ALL, Some(&both), None, 20).await.unwrap().objects.len(),
        20
    );
}

/// Generator of short texts with pseudo-random words (linear congruential generator).
struct RandomTexts(u64);

impl RandomTexts {
    fn below(&mut self, limit: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % limit).unwrap()
    }

    fn text(&mut self, words: usize) -> String {
        const WORDS: [&str; 8] = ["a", "be", "Łódź", "don't", "日本", "책을", "e-mail", "本"];
        const GAPS: [&str; 4] = [" ", " ", ", ", " - "];
        let mut text = String::new();
        for _ in 0..words {
            text.push_str(WORDS[self.below(8)]);
            text.push_str(GAPS[self.below(4)]);
        }
        text
    }
}

async fn titles(domain: &Domain, account_id: AccountId, query: &str) -> Vec<String> {
    let page = list_objects(domain, account_id, ObjectKind::ALL, Some(query), None, 500).await.unwrap();
    assert_eq!((page.total as usize, page.partial), (page.objects.len(), false), "{query}");
    let mut titles: Vec<String> = page.objects.into_iter().map(|object| object.title).collect();
    titles.sort_unstable();
    titles
}

async fn phrase_search_returns_the_same_objects_as_a_scan_of_all_texts(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let mut random = RandomTexts(7);
    let mut lines: Vec<(String, String)> = Vec::new();
    for index in 0..150 {
        let length = 1 + random.below(10);
        let (title, text) = (format!("n{index:03}"), random.text(length));
        lines.push((title.clone(), words::line(&text)));
        let new = NewNote { title: Some(title), text, ..NewNote::default() };
        create_note(domain, who, new).await.unwrap();
    }
    let scan = |test: &dyn Fn(&str) -> bool| -> Vec<String> {
        lines.iter().filter(|(_, line)| test(line)).map(|(title, _)| title.clone()).collect()
    };
    for _ in 0..60 {
        let length = 2 + random.below(3);
        let phrase = random.text(length);
        let line = words::line(&phrase);
        let expected = scan(&|text: &str| text.contains(&line));
        assert_eq!(titles(domain, who, &format!("\"{phrase}\"")).await, expected, "{phrase}");
        let expected = scan(&|text: &str| !text.contains(&line));
        assert_eq!(titles(domain, who, &format!("-\"{phrase}\"")).await, expected, "without {phrase}");
        let expected = scan(&|text: &str| text.contains(" be ") && !text.contains(&line));
        assert_eq!(titles(domain, who, &format!("be -\"{phrase}\"")).await, expected, "be without {phrase}");
    }
}

async fn phrase_search_covers_a_text_with_several_index_rows(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let many = (0..12_000).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    let new = NewNote { title: Some("long".into()), text: many, ..NewNote::default() };
    create_note(domain, who, new).await.unwrap();
    for (query, is_match) in [
        ("\"w7 w8 w9\"", true),
        ("\"w8 w7\"", false),
        ("\"w11998 w11999\" w1", true),
        ("\"long w0\"", false),
        ("w7 -\"w11998 w11999\"", false),
        ("w7 -\"w11999 w11998\"", true),
        ("-\"w100 w101\"", false),
        ("-\"w101 w100\"", true),
    ] {
        assert_eq!(titles(domain, who, query).await.len(), usize::from(is_match), "{query}");
    }
}
