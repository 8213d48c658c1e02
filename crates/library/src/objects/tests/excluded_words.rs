//! Tests of excluded words in queries, on both databases. The index excludes objects with one row. In lists,
//! each object is checked.

use crate::{ItemFilter, NewNote, ObjectKind, create_note, list, list_objects};
use kernel::Backend;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;

async fn objects_with_an_excluded_word_are_not_listed(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let other = person(domain, Tier::Free).await;
    // A text with so many words that it has several index rows.
    let many = (0..12_000).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    let long = format!("Quiet and long. {many} zebra");
    for (title, text) in
        [("one", "Quiet desks"), ("two", "Quiet bread"), ("three", "日本語 quiet"), ("four", &long)]
    {
        let new = NewNote {
            title: Some(title.to_owned()),
            text: text.to_owned(),
            item_id: None,
            tags: Vec::new(),
            external_id: None,
        };
        create_note(domain, who, new.clone()).await.unwrap();
        create_note(domain, other, NewNote { text: "Quiet desks, bread, zebra".into(), ..new })
            .await
            .unwrap();
    }
    for (query, titles) in [
        ("quiet", vec!["four", "one", "three", "two"]),
        ("quiet -bread", vec!["four", "one", "three"]),
        ("quiet -bread -desks", vec!["four", "three"]),
        ("quiet -zebra", vec!["one", "three", "two"]),
        ("quiet -zeb* -bre*", vec!["one", "three"]),
        ("quiet -日本", vec!["four", "one", "two"]),
        ("quiet -日語", vec!["four", "one", "three", "two"]),
        ("quiet -one", vec!["four", "three", "two"]),
        ("qui* w7 -w11999", vec![]),
        ("qui* w7 -w12000", vec!["four"]),
        ("-quiet", vec![]),
        ("-bread", vec!["four", "one", "three"]),
        ("-bread -zebra", vec!["one", "three"]),
        ("-日本語 -zebra", vec!["one", "two"]),
    ] {
        let page = list_objects(domain, who, ObjectKind::ALL, Some(query), None, 50).await.unwrap();
        let mut actual: Vec<&str> = page.objects.iter().map(|object| object.title.as_str()).collect();
        actual.sort_unstable();
        assert_eq!((actual, page.total as usize), (titles.clone(), titles.len()), "{query}");
    }
    let filter = ItemFilter { query: Some("-quiet".into()), ..ItemFilter::default() };
    assert!(
        list(domain, who, &filter, None, 50).await.unwrap().items.is_empty(),
        "notes are not listed as items"
    );
}

on_both! {
    objects_with_an_excluded_word_are_not_listed,
}
