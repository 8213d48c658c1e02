//! Tests that a repeated import reads and writes known items in batches.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain, RandomIds};

use super::import_order::import;

const ROWS: u32 = 300;

fn bookmarks() -> String {
    let row = |number: u32| {
        format!("<DT><A HREF=\"https://desks.example/{number}\" TAGS=\"a\">Desk {number}</A>\n")
    };
    format!(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n{}</DL><p>\n",
        (0..ROWS).map(row).collect::<String>()
    )
}

async fn known_rows_need_less_than_two_statements_each(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let (connection, count) = database.domain.db().clone().counted();
    let domain = Domain::with(connection, database.clock.clone(), Arc::new(RandomIds));
    let who = person(&domain, Tier::Pro).await;
    import(&domain, who, &bookmarks()).await;
    assert!(count.swap(0, Ordering::Relaxed) > 0, "no statement is counted");
    import(&domain, who, &bookmarks()).await;
    let again = count.load(Ordering::Relaxed);
    assert!(again < u64::from(ROWS) * 2, "{again} statements for {ROWS} known rows");
}

on_both! {
    known_rows_need_less_than_two_statements_each,
}
