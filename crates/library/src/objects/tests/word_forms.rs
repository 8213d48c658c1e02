//! Tests of word forms that match each other, on both databases.

use crate::{NewNote, ObjectKind, create_note, list_objects};
use kernel::Backend;
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;

on_both! {
    forms_of_a_word_match_each_other,
}

async fn forms_of_a_word_match_each_other(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    // A text with so many words that it has several index rows.
    let many = (0..12_000).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ");
    let long = format!("They don't write e-mail. {many}");
    for (title, text) in [
        ("one", "Łódź, cœur, Ærø, Þingvellir, Smørrebrød, żółw"),
        ("two", "도서관에서 책을 읽었다. 한국어문학"),
        ("three", "I don’t e‑mail"),
        ("four", "dont email"),
        ("five", &long),
        ("six", "The male don: T for Mail"),
    ] {
        let new = NewNote { title: Some(title.into()), text: text.into(), ..NewNote::default() };
        create_note(domain, who, new).await.unwrap();
    }
    for (query, titles) in [
        ("lodz coeur AERO thingvellir smorrebrod zolw", vec!["one"]),
        ("Łódź Cœur ærø", vec!["one"]),
        ("smorre*", vec!["one"]),
        ("도서관", vec!["two"]),
        ("책 문학", vec!["two"]),
        ("도서관에서 책을", vec!["two"]),
        ("관서", vec![]),
        ("\"문학 도서관\"", vec![]),
        ("dont", vec!["five", "four", "three"]),
        ("don’t -male", vec!["five", "four", "three"]),
        ("email", vec!["five", "four", "three"]),
        ("e-mail", vec!["five", "four", "three"]),
        ("e-mail -dont", vec![]),
        ("emai*", vec!["five", "four", "three"]),
        ("mail -email", vec!["six"]),
        ("\"don't e-mail\"", vec!["three"]),
    ] {
        let page = list_objects(domain, who, ObjectKind::ALL, Some(query), None, 50).await.unwrap();
        let mut actual: Vec<&str> = page.objects.iter().map(|object| object.title.as_str()).collect();
        actual.sort_unstable();
        assert_eq!((actual, page.approximate), (titles, false), "{query}");
    }
}
