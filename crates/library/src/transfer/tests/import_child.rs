//! Tests of child processes that read the files of imports. The program of the children is this test program.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom, Write};
use std::time::Duration;

use extract::imports::{Format, InvalidRow};
use extract::sandbox::{Pool, PoolSettings};
use kernel::testing::{TestDatabase, on_both, person};
use kernel::tiers::Tier;
use kernel::{Backend, Domain};
use tokio::sync::mpsc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::TransferState;
use crate::transfer::batch_size::BatchSize;
use crate::transfer::file_reader::MAX_DATABASES;
use crate::transfer::import_protocol::ImportPassOptions;
use crate::transfer::import_rows::{ImportEntry, ImportRows, RowCount};
use crate::transfer::row_batches::{BatchBounds, MemoryBound, RowRange, send_batches};
use crate::transfer::shared_file::{FileError, ItemFileMode};
use crate::transfer::{
    Import, NewImport, begin_import, cancel_import, get_import, import_child_main, import_job, run_imports,
};

/// Name of the test that is the program of a child.
const CHILD: &str = "transfer::tests::import_child::child_program";
/// Memory limit of a child, as in production.
const MEMORY_BYTES: u64 = 512 * 1024 * 1024;
/// Maximum time until an effect on another process is visible.
const DEADLINE: Duration = Duration::from_mins(1);

/// Creates a sandbox whose children for files run [`CHILD`]. The output of the test harness is discarded, and
/// descriptor 3 is the pipe to the worker.
pub(super) fn sandbox() -> Pool {
    let script = "exec \"$0\" \"$@\" 3>&1 >/dev/null";
    let program = std::env::current_exe().unwrap().into_os_string().into_string().unwrap();
    let words = ["-c", script, &program, "--exact", "--nocapture", "--test-threads=1", CHILD];
    shell(&words)
}

fn shell(words: &[&str]) -> Pool {
    let file_args = words.iter().map(|word| (*word).to_owned()).collect();
    let settings = PoolSettings::new("/bin/sh".into(), Vec::new());
    Pool::new(PoolSettings { file_args, memory_bytes: MEMORY_BYTES, ..settings })
}

#[test]
#[expect(clippy::exit, reason = "the child writes nothing after its last frame")]
fn child_program() {
    let words: Vec<String> = std::env::args().collect();
    let [.., name, memory_bytes, request] = words.as_slice() else { return };
    if name != CHILD {
        return;
    }
    // The next opened file gets descriptor 1, which is standard output.
    nix::unistd::close(1).unwrap();
    std::mem::forget(File::options().write(true).open("/proc/self/fd/3").unwrap());
    import_child_main(memory_bytes.parse().unwrap(), request);
    std::process::exit(0);
}

/// Starts reading the rows of `file`, with the files of its items.
pub(super) async fn rows_of(file: &File) -> ImportRows {
    rows_after(file, 0).await
}

async fn rows_after(file: &File, skip: u64) -> ImportRows {
    let options =
        ImportPassOptions { format: None, files: ItemFileMode::Unpacked, skip, columns: String::new() };
    ImportRows::start(&sandbox(), file, options).await.unwrap()
}

/// Returns the line of an item that has a file.
pub(super) fn item_line(id: u128, path: &str) -> String {
    let item = serde_json::json!({
        "type": "item", "id": uuid::Uuid::from_u128(id), "url": "https://example.org/", "title": "One",
        "titleRank": 0, "contentKind": "unknown", "kindMethod": "legacy", "kindConfidence": 0, "kindAt": 0,
        "captureMethod": "import", "format": "html", "status": "inbox", "savedAt": 0,
        "articleStatus": "not_applicable",
        "file": {"path": path, "name": "a.txt", "mime": "text/plain", "mimeType": "text/plain",
            "size": 1000, "checksum": "sha256:0", "at": 0},
    });
    format!("{item}\n")
}

/// Creates a file in the native format: a manifest, and notes with texts of these lengths in bytes.
fn notes(lengths: &[usize]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    let manifest = r#"{"type":"manifest","format":"svc_jsonl","version":1,"exportedAt":0,"part":1}"#;
    writeln!(file, "{manifest}").unwrap();
    for (number, length) in (1..).zip(lengths) {
        let id = uuid::Uuid::from_u128(number);
        write!(file, r#"{{"type":"note","id":"{id}","createdAt":1,"text":""#).unwrap();
        std::io::copy(&mut std::io::repeat(b'a').take(*length as u64), &mut file).unwrap();
        writeln!(file, r#""}}"#).unwrap();
    }
    file
}

#[tokio::test]
async fn item_files_are_received_unchanged_except_corrupt_files() {
    let large: Vec<u8> = (0..3_000_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let files: [(&str, &[u8], CompressionMethod); 4] = [
        ("files/1/a.bin", &large, CompressionMethod::Deflated),
        ("files/2/a.bin", &large, CompressionMethod::Stored),
        ("files/3/a.bin", b"", CompressionMethod::Stored),
        ("files/4/a.bin", b"corrupt", CompressionMethod::Deflated),
    ];
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("manifest.json", SimpleFileOptions::default()).unwrap();
    archive.write_all(b"{}").unwrap();
    archive.start_file("items/000001.jsonl", SimpleFileOptions::default()).unwrap();
    for (number, (path, ..)) in (1..).zip(files) {
        archive.write_all(item_line(number, path).as_bytes()).unwrap();
    }
    for (path, bytes, method) in files {
        archive.start_file(path, SimpleFileOptions::default().compression_method(method)).unwrap();
        archive.write_all(bytes).unwrap();
    }
    let mut bytes = archive.finish().unwrap().into_inner();
    // Corrupts the data of the entry: the name follows the length of the extra field, and the data follow the
    // extra field.
    let name = bytes.windows(13).position(|window| window == b"files/4/a.bin").unwrap();
    let extra = usize::from(u16::from_le_bytes([bytes[name - 2], bytes[name - 1]]));
    bytes[name + 13 + extra] = 0xff;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let (mut rows, mut received) = (rows_of(&file).await, Vec::new());
    while let Some(row) = rows.next().await.unwrap() {
        let ImportEntry::Line(Ok(line)) = row.parse() else { panic!("the line is valid") };
        received.push(line.file.map(|mut item_file| {
            let mut bytes = Vec::new();
            item_file.file.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len() as u64, item_file.bytes);
            bytes
        }));
    }
    assert!(received == [Some(large.clone()), Some(large), Some(Vec::new()), None]);
}

/// Returns the database of a Kobo with three annotations and a marked page.
fn kobo_database() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../extract/src/imports/examples/kobo.sqlite");
    std::fs::read(path).unwrap()
}

/// Returns the quotes of the rows of a file, or the reasons why they are invalid.
async fn quotes_of(bytes: &[u8]) -> Vec<Result<String, InvalidRow>> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let (mut rows, mut quotes) = (rows_of(&file).await, Vec::new());
    while let Some(row) = rows.next().await.unwrap() {
        let ImportEntry::Row(row) = row.parse() else { panic!("the row is not a line") };
        quotes.push(row.map(|parsed| parsed.row.highlights[0].quote.clone()));
    }
    quotes
}

#[tokio::test]
async fn database_is_read_by_a_restricted_child() {
    let quotes = quotes_of(&kobo_database()).await;
    assert_eq!(quotes[0], Ok("The boats came back before the storm.".to_owned()));
    assert_eq!((quotes.len(), &quotes[2]), (4, &Err(InvalidRow::PageMark)));
}

#[tokio::test]
async fn databases_beyond_the_limit_of_an_archive_are_reported() {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 1..=MAX_DATABASES + 1 {
        archive.start_file(format!("{number}.sqlite"), SimpleFileOptions::default()).unwrap();
        archive.write_all(&kobo_database()).unwrap();
    }
    let quotes = quotes_of(&archive.finish().unwrap().into_inner()).await;
    assert_eq!(quotes.len(), 4 * MAX_DATABASES + 1);
    let entry = u32::try_from(MAX_DATABASES + 1).unwrap();
    assert_eq!(quotes.last(), Some(&Err(InvalidRow::Entry(entry))));
}

#[tokio::test]
async fn skipped_rows_are_counted_but_not_sent() {
    let file = notes(&[1, 2, 3, 4]);
    let counted = rows_after(&file, u64::MAX).await.count().await;
    assert_eq!(counted, Ok(RowCount { format: Some(Format::SvcJsonl), rows: 4 }));
    let (mut rows, mut received) = (rows_after(&file, 2).await, 0);
    while let Some(row) = rows.next().await.unwrap() {
        assert!(matches!(row.parse(), ImportEntry::Line(Ok(_))));
        received += 1;
    }
    assert_eq!(received, 2);
}

#[tokio::test]
async fn line_of_almost_the_maximum_length_is_received() {
    let mut rows = rows_of(&notes(&[60 * 1024 * 1024])).await;
    let row = rows.next().await.unwrap().unwrap();
    assert!(matches!(row.parse(), ImportEntry::Line(Ok(_))));
    assert!(rows.next().await.unwrap().is_none());
}

#[tokio::test]
async fn rows_wait_for_the_memory_of_earlier_rows() {
    let file = notes(&[600_000, 600_000, 2_000_000, 1, 1]);
    let (sender, mut batches) = mpsc::channel(1);
    let sending = tokio::spawn(send_batches(
        rows_of(&file).await,
        RowRange { first: 1, only: None },
        BatchBounds { memory: MemoryBound::of(1_000_000), size: BatchSize::of(Backend::Sqlite) },
        sender,
    ));
    let mut numbers = Vec::new();
    while let Some(batch) = batches.recv().await {
        if numbers.len() < 3 {
            assert!(batches.try_recv().is_err(), "the next rows wait for the memory of this batch");
        }
        numbers.push(batch.rows.iter().map(|(number, ..)| *number).collect::<Vec<u64>>());
        drop(batch);
    }
    assert_eq!(numbers, [vec![1], vec![2], vec![3], vec![4, 5]]);
    assert_eq!(sending.await.unwrap(), Ok(()));
}

#[tokio::test]
async fn reading_rows_fails_if_the_child_is_killed() {
    let mut rows = rows_of(&notes(&[100_000; 200])).await;
    rows.next().await.unwrap().unwrap();
    let kill = format!("kill -9 {}", rows.process_id().unwrap());
    assert!(std::process::Command::new("/bin/sh").args(["-c", &kill]).status().unwrap().success());
    let error = loop {
        match rows.next().await {
            Ok(row) => assert!(row.is_some(), "the pipe holds only a part of the file"),
            Err(error) => break error,
        }
    };
    assert_eq!(error, FileError::Killed);
}

#[tokio::test]
async fn child_is_killed_when_its_rows_are_dropped() {
    let mut rows = rows_of(&notes(&[100_000; 200])).await;
    rows.next().await.unwrap().unwrap();
    let path = format!("/proc/{}/stat", rows.process_id().unwrap());
    assert!(std::path::Path::new(&path).exists());
    drop(rows);
    let is_running = || std::fs::read_to_string(&path).is_ok_and(|stat| !stat.contains(") Z "));
    let stopped = async {
        while is_running() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(DEADLINE, stopped).await.unwrap();
}

/// Imports a file for a new account and returns the ended import.
async fn import(domain: &Domain, sandbox: &Pool, file: &[u8]) -> Import {
    let who = person(domain, Tier::Pro).await;
    let mut upload = begin_import(domain, who).await.unwrap();
    upload.push(file).await.unwrap();
    let (import, job) = upload.finish(NewImport::default()).await.unwrap();
    let claimed = jobs::claim(domain, job.id, "worker", 30_000).await.unwrap().unwrap();
    run_imports(domain, sandbox, &claimed).await.unwrap();
    assert_eq!(import_job(domain, who).await.unwrap(), None, "the job is complete");
    get_import(domain, who, import.id).await.unwrap()
}

/// Returns the maximum memory that this process has used so far, in KiB.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

async fn import_fails_if_a_row_needs_too_much_memory(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    // The parsed tree of these values needs more than 1 GiB.
    let values = "[0],".repeat(4_000_000);
    let file = format!(r#"[{{"is_archived":0,"url":"https://example.org/","values":[{values}0]}}]"#);
    let failed = import(&database.domain, &sandbox(), file.as_bytes()).await;
    assert_eq!(
        (failed.state, failed.error_code.as_deref()),
        (TransferState::Failed, Some("content_too_large"))
    );
    assert!(peak_kib() < 1024 * 1024, "the worker does not parse the row: {} KiB", peak_kib());
}

/// Returns the bytes of a file with one note.
fn file_with_a_note() -> Vec<u8> {
    let (mut file, mut bytes) = (notes(&[1]), Vec::new());
    file.seek(SeekFrom::Start(0)).unwrap();
    file.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Creates a sandbox whose child reports that it is ready, and then runs `script`.
fn ready_and_then(script: &str) -> Pool {
    shell(&["-c", &format!("printf 'F\\002\\000\\000\\000[]'; {script}")])
}

async fn import_fails_if_its_child_crashes(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let failed = import(&database.domain, &ready_and_then("exit 1"), &file_with_a_note()).await;
    assert_eq!(
        (failed.state, failed.error_code.as_deref()),
        (TransferState::Failed, Some("unreadable_file"))
    );
}

async fn import_is_retried_if_its_child_is_killed(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let mut upload = begin_import(domain, who).await.unwrap();
    upload.push(&file_with_a_note()).await.unwrap();
    let (import, job) = upload.finish(NewImport::default()).await.unwrap();
    let claimed = jobs::claim(domain, job.id, "worker", 30_000).await.unwrap().unwrap();
    let error = run_imports(domain, &ready_and_then("kill -9 $$"), &claimed).await.unwrap_err();
    assert!(error.is_transient(), "{error:?}");
    assert_eq!(get_import(domain, who, import.id).await.unwrap().state, TransferState::Queued);
    run_imports(domain, &sandbox(), &claimed).await.unwrap();
    assert_eq!(get_import(domain, who, import.id).await.unwrap().state, TransferState::Complete);
}

async fn each_job_runs_only_one_import_of_its_account(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let mut upload = begin_import(domain, who).await.unwrap();
        upload.push(&file_with_a_note()).await.unwrap();
        ids.push(upload.finish(NewImport::default()).await.unwrap().0.id);
    }
    for run in 1..=3 {
        // Each import has its own job, so jobs of other accounts can start in between.
        let job = import_job(domain, who).await.unwrap().unwrap();
        let claimed = jobs::claim(domain, job.id, "worker", 30_000).await.unwrap().unwrap();
        run_imports(domain, &sandbox(), &claimed).await.unwrap();
        let mut complete = 0;
        for id in &ids {
            let state = get_import(domain, who, *id).await.unwrap().state;
            complete += usize::from(state == TransferState::Complete);
        }
        assert_eq!(complete, run);
    }
    assert_eq!(import_job(domain, who).await.unwrap(), None, "no import is left");
}

async fn cancelled_import_stops_counting_its_rows(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let mut upload = begin_import(domain, who).await.unwrap();
    upload.push(&file_with_a_note()).await.unwrap();
    let (import, job) = upload.finish(NewImport::default()).await.unwrap();
    let claimed = jobs::claim(domain, job.id, "worker", 30_000).await.unwrap().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    // The child never finishes reading.
    let sandbox = ready_and_then(&format!(": > {}; exec tail -f /dev/null", started.display()));
    let cancelling = async {
        while !started.exists() {
            tokio::task::yield_now().await;
        }
        cancel_import(domain, who, import.id).await.unwrap();
    };
    let both = async { tokio::join!(run_imports(domain, &sandbox, &claimed), cancelling).0 };
    tokio::time::timeout(DEADLINE, both).await.unwrap().unwrap();
    let cancelled = get_import(domain, who, import.id).await.unwrap();
    assert_eq!(
        (cancelled.state, cancelled.error_code.as_deref()),
        (TransferState::Failed, Some("cancelled"))
    );
}

on_both! {
    import_fails_if_a_row_needs_too_much_memory,
    import_fails_if_its_child_crashes,
    import_is_retried_if_its_child_is_killed,
    each_job_runs_only_one_import_of_its_account,
    cancelled_import_stops_counting_its_rows,
}
