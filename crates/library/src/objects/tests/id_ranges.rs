//! Tests of libraries with large gaps between row numbers, because other libraries wrote rows in between.

use sea_orm::ConnectionTrait;

use super::phrases::{notes, pages};
use crate::{ObjectKind, list_objects};
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain};

on_both! {
    search_matches_rows_despite_gaps_between_row_numbers,
    unranked_matches_are_listed_and_counted_in_all_id_ranges,
}

/// Advances the row numbers, as if other libraries had written `rows` rows.
async fn others_write(domain: &Domain, rows: i64) {
    let sql = match domain.db().backend() {
        Backend::Postgres => {
            format!("SELECT setval('library_search_id_seq', nextval('library_search_id_seq') + {rows})")
        }
        Backend::Sqlite => {
            format!("UPDATE sqlite_sequence SET seq = seq + {rows} WHERE name = 'library_search'")
        }
    };
    domain.db().write().execute_unprepared(&sql).await.unwrap();
}

async fn search_matches_rows_despite_gaps_between_row_numbers(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
    for (gap, text) in [
        (0, "Quiet desks and one chair"),
        (9_000, "Quiet desks alone"),
        (40_000, "Quiet bread"),
        (270_000, "Quiet desks of two"),
        (20_000_000, "Loud desks"),
        (16_384, "Quiet desks"),
    ] {
        others_write(domain, gap).await;
        notes(domain, who, 1, text).await;
        notes(domain, other, 1, "Quiet desks, bread, chair").await;
    }
    for (query, expected) in [
        ("quiet", 5),
        ("desks", 5),
        ("quiet desks", 4),
        ("quiet -desks", 1),
        ("chair", 1),
        ("loud", 1),
        ("qui*", 5),
        ("bread chair", 0),
        ("\"quiet desks\" -two", 3),
    ] {
        let page = list_objects(domain, who, ObjectKind::ALL, Some(query), None, 50).await.unwrap();
        let total = u32::try_from(expected).unwrap();
        assert_eq!((page.objects.len(), page.total, page.partial), (expected, total, false), "{query}");
        let newest = |page: &crate::ObjectPage| page.objects.iter().map(|one| one.id).max();
        assert!(expected < 2 || page.objects.iter().any(|one| Some(one.id) == newest(&page)), "{query}");
    }
}

async fn unranked_matches_are_listed_and_counted_in_all_id_ranges(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    for (count, gap) in [(300, 0), (700, 300_000), (900, 50_000), (600, 20_000), (40, 9_000)] {
        others_write(domain, gap).await;
        notes(domain, who, count, "Two desks stand here.").await;
        notes(domain, who, 20, "Nothing here.").await;
    }
    let (counts, total, partial) = pages(domain, who, "desks", 400).await;
    assert_eq!((counts.iter().sum::<usize>(), total, partial), (2_540, 2_540, false), "{counts:?}");
    let in_all_notes = list_objects(domain, who, ObjectKind::ALL, Some("here"), None, 500).await.unwrap();
    assert_eq!((in_all_notes.total, in_all_notes.partial, in_all_notes.objects.len()), (2_640, false, 500));
    let newest = list_objects(domain, who, ObjectKind::ALL, Some("here -two"), None, 500).await.unwrap();
    assert_eq!((newest.total, newest.objects.len()), (100, 100));
}
