//! Tests that imports result in the same library for every order of files and rows, and when they are
//! repeated.

use entities::ids::AccountId;
use entities::{library_highlight, library_item, library_note};
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain};
use proptest::prelude::{Just, Strategy, any};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use super::import_child::sandbox;
use crate::transfer::{NewImport, begin_import, get_import, run_imports};
use crate::{TransferState, item};

/// Files of different services that contain the same two pages.
const FILES: [&str; 4] = [
    "title,url,time_added,tags,status\n,https://two.example/1?utm_source=pocket,1600000000,a|b,unread\n\
        Other,https://two.example/2,1600000001,,archive\nOther title,https://two.example/2,1600000005,late,unread\n",
    "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n\
        7,The first,mine,theirs,https://two.example/1,Work,\"b, c\",2024-01-01T00:00:00.000Z,,Highlight:marked words,true\n",
    "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\n\
        First,http://two.example/1,01abc,\"['d']\",2022-01-01 00:00:00+00:00,0.5,archive,True\n\
        First,http://two.example/1,01abc,\"['e']\",2022-01-01 00:00:00+00:00,0.75,later,True\n",
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><H3>One</H3><DL><p>\
        <DT><A HREF=\"https://two.example/2\" TAGS=\"x\" ADD_DATE=\"1500000000\">Two</A></DL><p>\
        <DT><H3>Two</H3><DL><p><DT><A HREF=\"https://two.example/2\" TAGS=\"y\">Two</A></DL></DL>",
];

pub(super) async fn import(domain: &Domain, who: AccountId, file: &str) {
    let mut upload = begin_import(domain, who).await.unwrap();
    upload.push(file.as_bytes()).await.unwrap();
    let (import, job) = upload.finish(NewImport::default()).await.unwrap();
    let claimed = jobs::claim(domain, job.id, "worker", 30_000).await.unwrap().unwrap();
    run_imports(domain, &sandbox(), &claimed).await.unwrap();
    assert_eq!(get_import(domain, who, import.id).await.unwrap().state, TransferState::Complete);
}

/// Returns the values that do not depend on the time of the import, for all objects, as sorted lines.
async fn library_of(domain: &Domain, who: AccountId) -> Vec<String> {
    let rows = library_item::Entity::owned_by(who).all(domain.db().read()).await.unwrap();
    let items = item::with_tags(domain.db().read(), who, rows).await.unwrap();
    let mut lines = Vec::new();
    for mut item in items {
        item.tags.sort();
        let mut metadata: Value = serde_json::from_str(item.metadata.as_deref().unwrap_or("{}")).unwrap();
        metadata.sort_all_objects();
        let row = &item.row;
        lines.push(format!(
            "{} {:?} {} {:?} {:?} {} {:?} {:?} {:?} {metadata} {:?}",
            row.url,
            row.original_url,
            row.title,
            row.external_id,
            row.status,
            row.saved_at,
            row.read_progress,
            row.finished_at,
            row.last_read_at,
            item.tags
        ));
    }
    let notes = library_note::Entity::owned_by(who).all(domain.db().read()).await.unwrap();
    lines.extend(notes.iter().map(|note| format!("note {} {}", note.text, note.item_id.is_some())));
    let marked = library_highlight::Entity::owned_by(who).all(domain.db().read()).await.unwrap();
    lines.extend(marked.iter().map(|one| format!("highlight {} {:?}", one.quote, one.note)));
    lines.sort();
    lines
}

/// Number of splits that are tested.
const CASES: usize = 6;

/// Splits all files into files with one row. Each row of a table gets the header of its table.
fn single_rows() -> Vec<String> {
    let rows_of = |file: &&str| -> Vec<String> {
        let (head, rows) = file.split_once('\n').unwrap();
        if head.starts_with('<') {
            return vec![(*file).to_owned()];
        }
        rows.lines().map(|row| format!("{head}\n{row}\n")).collect()
    };
    FILES.iter().flat_map(rows_of).collect()
}

/// Combines rows into files in this order. If `joins` is true for a row, and the previous file has the same
/// header, the row is added to that file.
fn files_of(rows: Vec<String>, joins: &[bool]) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for (row, joins) in rows.into_iter().zip(joins) {
        let (head, line) = row.split_once('\n').unwrap();
        let is_of_table = !head.starts_with('<') && *joins;
        match files.last_mut().filter(|file| is_of_table && file.starts_with(&format!("{head}\n"))) {
            Some(file) => file.push_str(line),
            None => files.push(row.clone()),
        }
    }
    files
}

async fn library_is_the_same_for_every_split_of_rows_into_files(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    for file in FILES {
        import(domain, who, file).await;
    }
    let expected = library_of(domain, who).await;
    assert_eq!(expected.len(), 4, "two items, a note, and a highlight: {expected:#?}");
    let rows = single_rows();
    let joins = proptest::collection::vec(any::<bool>(), rows.len());
    let splits = (Just(rows).prop_shuffle(), joins);
    let mut runner = TestRunner::deterministic();
    let splits: Vec<(Vec<String>, Vec<bool>)> =
        (0..CASES).map(|_| splits.new_tree(&mut runner).unwrap().current()).collect();
    for (rows, joins) in splits {
        let who = person(domain, Tier::Pro).await;
        let files = files_of(rows, &joins);
        for file in files.iter().chain(&files[..1]) {
            import(domain, who, file).await;
        }
        assert_eq!(library_of(domain, who).await, expected, "{files:#?}");
    }
}

/// Returns all rotations of the files, each forwards and backwards.
fn orders() -> Vec<Vec<&'static str>> {
    let mut orders = Vec::new();
    for start in 0..FILES.len() {
        let mut order = FILES.to_vec();
        order.rotate_left(start);
        orders.push(order.clone());
        order.reverse();
        orders.push(order);
    }
    orders
}

async fn library_is_the_same_for_every_order_of_files(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let mut expected = None;
    for order in orders() {
        let who = person(domain, Tier::Pro).await;
        for file in &order {
            import(domain, who, file).await;
        }
        let library = library_of(domain, who).await;
        assert_eq!(library.len(), 4, "{library:#?}");
        assert_eq!(expected.get_or_insert_with(|| library.clone()), &library, "{order:?}");
    }
    let who = person(domain, Tier::Pro).await;
    for file in FILES.iter().chain(&FILES) {
        import(domain, who, file).await;
    }
    assert_eq!(library_of(domain, who).await, expected.unwrap(), "repeated");
}

async fn library_is_the_same_for_rows_in_one_file_and_in_separate_files(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    for file in &FILES[..3] {
        let (whole, single) = (person(domain, Tier::Pro).await, person(domain, Tier::Pro).await);
        import(domain, whole, file).await;
        let (head, rows) = file.split_once('\n').unwrap();
        for row in rows.lines() {
            import(domain, single, &format!("{head}\n{row}\n")).await;
        }
        assert_eq!(library_of(domain, single).await, library_of(domain, whole).await);
    }
}

on_both! {
    library_is_the_same_for_every_order_of_files,
    library_is_the_same_for_every_split_of_rows_into_files,
    library_is_the_same_for_rows_in_one_file_and_in_separate_files,
}
