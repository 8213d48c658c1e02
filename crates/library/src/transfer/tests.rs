//! Tests of exports and imports on both databases. Tests through HTTP cover the content of exports.

mod import_child;
mod import_order;
mod known_rows;

use super::import_rows::ImportEntry;
use super::*;
use kernel::clock::{DAY, HOUR};
use kernel::{AccountId, Backend, Code, Domain, ExportId};

use crate::{ExportFormat, TransferState};
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;

async fn account_can_run_one_export_at_a_time_and_four_per_day(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    for number in 1..=4 {
        let (export, job) = create_export(domain, who, ExportFormat::Csv).await.unwrap();
        assert_eq!(export.state, TransferState::Queued, "{number}");
        let (same, none) = create_export(domain, who, ExportFormat::Netscape).await.unwrap();
        assert_eq!((same.id, none), (export.id, None));
        assert_eq!(open_export(domain, who, export.id, 1).await.unwrap_err().code, Code::NotReady);
        let claimed = jobs::claim(domain, job.unwrap().id, "worker", 30_000).await.unwrap().unwrap();
        Box::pin(run_export(domain, &claimed)).await.unwrap();
        let done = get_export(domain, who, export.id).await.unwrap();
        assert_eq!(
            (done.state, done.parts.len(), done.expires_at),
            (TransferState::Complete, 1, domain.now() + DAY)
        );
        assert_eq!(open_export(domain, who, export.id, 2).await.unwrap_err().code, Code::NotFound);
        database.clock.advance(HOUR);
    }
    let refused = create_export(domain, who, ExportFormat::Csv).await.unwrap_err();
    assert_eq!((refused.code, refused.retry_after), (Code::DailyLimitReached, Some(8 * 3600 + 1)));
    let other = person(domain, Tier::Free).await;
    database.clock.advance(8 * HOUR);
    let (export, job) = create_export(domain, who, ExportFormat::Csv).await.unwrap();
    assert_eq!(get_export(domain, other, export.id).await.unwrap_err().code, Code::NotFound);
    // The job of a deleted export completes without creating the export.
    delete_export(domain, who, export.id).await.unwrap();
    assert_eq!(get_export(domain, who, export.id).await.unwrap_err().code, Code::NotFound);
    let claimed = jobs::claim(domain, job.unwrap().id, "worker", 30_000).await.unwrap().unwrap();
    Box::pin(run_export(domain, &claimed)).await.unwrap();
    for _ in 1..=4 {
        let id = create_complete_export(domain, who).await;
        delete_export(domain, who, id).await.unwrap();
    }
    let refused = create_export(domain, who, ExportFormat::Csv).await.unwrap_err();
    assert_eq!(refused.code, Code::DailyLimitReached, "deleted exports count");
    database.clock.advance(2 * DAY);
    assert_eq!(delete_old_exports(domain).await.unwrap(), 9);
    assert_eq!(crate::files::delete_released(domain).await.unwrap(), 8);
}

async fn create_complete_export(domain: &Domain, who: AccountId) -> ExportId {
    let (export, job) = create_export(domain, who, ExportFormat::Csv).await.unwrap();
    let claimed = jobs::claim(domain, job.unwrap().id, "worker", 30_000).await.unwrap().unwrap();
    Box::pin(run_export(domain, &claimed)).await.unwrap();
    export.id
}

async fn export_that_did_not_complete_does_not_count_towards_the_daily_limit(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    for _ in 0..5 {
        let (failed, _) = create_export(domain, who, ExportFormat::Csv).await.unwrap();
        give_up_export(domain, &failed.id.to_string()).await.unwrap();
        let (stopped, _) = create_export(domain, who, ExportFormat::Csv).await.unwrap();
        delete_export(domain, who, stopped.id).await.unwrap();
        let undelivered = create_complete_export(domain, who).await;
        withdraw_export(domain, who, undelivered).await.unwrap();
    }
    for _ in 0..4 {
        create_complete_export(domain, who).await;
    }
    let refused = create_export(domain, who, ExportFormat::Csv).await.unwrap_err();
    assert_eq!(refused.code, Code::DailyLimitReached);
    assert!(refused.message.contains("four times a day. Try again after midnight UTC."), "{refused:?}");
    let other = person(domain, Tier::Free).await;
    for _ in 0..20 {
        let (stopped, _) = create_export(domain, other, ExportFormat::Csv).await.unwrap();
        delete_export(domain, other, stopped.id).await.unwrap();
    }
    let refused = create_export(domain, other, ExportFormat::Csv).await.unwrap_err();
    assert!(refused.message.contains("Too many exports were started today."), "{refused:?}");
}

async fn import_files_of_an_account_share_a_size_limit(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let new = NewImport { is_dry: true, ..NewImport::default() };
    let mut first = begin_import(domain, who).await.unwrap();
    let second = begin_import(domain, who).await.map(drop).unwrap_err();
    assert_eq!(second.code, Code::RateLimited, "an account may upload one import at a time");
    assert!(
        begin_import(domain, person(domain, Tier::Free).await).await.is_ok(),
        "the limit applies per account"
    );
    first
        .push(b"title,url,time_added,tags,status\nOne,https://example.org/one,1704067200,,\n")
        .await
        .unwrap();
    let (import, _) = first.finish(new.clone()).await.unwrap();
    let enlarged = entities::library_import::ActiveModel {
        id: sea_orm::ActiveValue::Set(import.id),
        bytes: sea_orm::ActiveValue::Set(2 * 262_144_000 - 10),
        ..Default::default()
    };
    sea_orm::ActiveModelTrait::update(enlarged, domain.db().write()).await.unwrap();
    let mut next = begin_import(domain, who).await.unwrap();
    next.push(&[b'a'; 10]).await.unwrap();
    assert_eq!(next.push(b"a").await.unwrap_err().code, Code::PayloadTooLarge);
    drop(next);
    database.clock.advance(DAY);
    let mut next = begin_import(domain, who).await.unwrap();
    next.push(&[b'a'; 11]).await.unwrap();
    // A file of an unknown format is refused and deleted.
    assert_eq!(next.finish(new).await.unwrap_err().code, Code::InvalidRequest);
}

on_both! {
    import_files_of_an_account_share_a_size_limit,
    account_can_run_one_export_at_a_time_and_four_per_day,
    export_that_did_not_complete_does_not_count_towards_the_daily_limit,
}

#[tokio::test]
async fn import_upload_is_limited_to_the_upload_rate() {
    let database = TestDatabase::create(Backend::Sqlite).await;
    let who = person(&database.domain, Tier::Free).await;
    let mut upload = begin_import(&database.domain, who).await.unwrap();
    let (piece, start) = (vec![b'a'; 1 << 20], tokio::time::Instant::now());
    for _ in 0..40 {
        upload.push(&piece).await.unwrap();
    }
    // 32 MiB are received without delay, and then 32 MiB per second.
    assert!(start.elapsed().as_millis() >= 240, "{:?}", start.elapsed());
}

#[tokio::test]
async fn file_of_two_items_is_unpacked_for_the_first_item_only() {
    use std::io::Write;
    let line = |id| import_child::item_line(id, "files/1/a.txt");
    let mut archive = zip::ZipWriter::new(tempfile::tempfile().unwrap());
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("manifest.json", options).unwrap();
    archive.write_all(b"{}").unwrap();
    archive.start_file("items/000001.jsonl", options).unwrap();
    archive.write_all((line(1) + &line(2)).as_bytes()).unwrap();
    archive.start_file("files/1/a.txt", options).unwrap();
    archive.write_all(&[b'a'; 1000]).unwrap();
    let file = archive.finish().unwrap();
    let (mut rows, mut sizes) = (import_child::rows_of(&file).await, Vec::new());
    while let Some(row) = rows.next().await.unwrap() {
        if let ImportEntry::Line(Ok(own)) = row.parse() {
            sizes.push(own.file.map(|file| file.bytes));
        }
    }
    assert_eq!(sizes, [Some(1000), None]);
}

#[test]
fn archive_with_an_oversized_directory_is_refused() {
    let archive_of = |entries: usize, name_bytes: usize| {
        let mut archive = zip::ZipWriter::new(tempfile::tempfile().unwrap());
        for index in 0..entries {
            let name = format!("{index:0>name_bytes$}.jsonl");
            archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        }
        super::shared_file::open_archive(archive.finish().unwrap()).map(|archive| archive.len())
    };
    assert_eq!(archive_of(20_000, 60).unwrap(), 20_000);
    assert_eq!(archive_of(600, 60_000).unwrap_err(), super::shared_file::FileError::TooLarge);
}

#[tokio::test]
async fn omnivore_text_of_two_rows_is_unpacked_for_the_first_row_only() {
    use std::io::Write;
    let row = |id: &str| {
        serde_json::json!({"id": id, "slug": "desks", "title": "On desks", "url": "https://example.org/",
            "savedAt": "2024-01-01T00:00:00.000Z", "state": "Active", "labels": ["work"]})
    };
    let rows = serde_json::json!([row("one"), row("two")]).to_string();
    let mut archive = zip::ZipWriter::new(tempfile::tempfile().unwrap());
    let files = [
        ("metadata_0_to_2.json", &*rows),
        ("content/desks.html", "<p>A"),
        ("highlights/desks.md", "> A\n\n"),
    ];
    for (name, text) in files {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    let file = archive.finish().unwrap();
    let (mut rows, mut given) = (import_child::rows_of(&file).await, Vec::new());
    while let Some(row) = rows.next().await.unwrap() {
        if let ImportEntry::Row(Ok(row)) = row.parse() {
            given.push((row.row.content.is_some(), row.row.highlights.len()));
        }
    }
    assert_eq!(given, [(true, 1), (false, 0)]);
}

#[tokio::test]
async fn truncated_archive_is_read_up_to_its_end() {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["part_000000.csv", "part_000001.csv"] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        let text = format!("title,url,time_added,tags,status\n{name},https://example.org/{name},1,,\n");
        archive.write_all(text.as_bytes()).unwrap();
    }
    let mut bytes = archive.finish().unwrap().into_inner();
    // The directory of the archive is incomplete.
    bytes.truncate(bytes.len() - 60);
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let (mut rows, mut read) = (import_child::rows_of(&file).await, Vec::new());
    while let Some(row) = rows.next().await.unwrap() {
        read.push(match row.parse() {
            ImportEntry::Row(row) => row.map(|row| row.row.url.unwrap_or_default()),
            ImportEntry::Line(_) => panic!("the file has no native lines"),
        });
    }
    let url = |name: &str| Ok(format!("https://example.org/{name}"));
    let expected =
        [url("part_000000.csv"), url("part_000001.csv"), Err(extract::imports::InvalidRow::Truncated)];
    assert_eq!(read, expected);
}
