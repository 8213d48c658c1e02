//! Loads from files: uploads that replace each other, and imports.

use std::io::{Cursor, Write};
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use fastrand::Rng;
use reqwest::{Method, Request};
use serde_json::json;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::faults::fairness::greedy::{Greedy, Traffic, expect_success, status};
use crate::support::form::{Field, with_form};

/// Number of items whose files are replaced, and number of different files.
const ITEMS: usize = 8;
const FILES: u64 = 3;
/// Size of a file, in bytes.
pub(super) const FILE_BYTES: usize = 26_000_000;
/// Length of a line in the native format, in bytes. It exceeds the limit of a plain file, and is within the
/// limit of an archive.
const PLAIN_LINE_BYTES: usize = 90_000_000;
const PACKED_LINE_BYTES: usize = 60_000_000;
/// Number of entries in an archive that consists almost only of its directory.
const DIRECTORY_ENTRIES: u32 = 200;
/// Number of repeated parts in each entry of an archive with tables, and number of entries.
const TABLE_PARTS: usize = 10;
const TABLE_ENTRIES: usize = 16;
const MANIFEST: &str = "{\"type\":\"manifest\",\"format\":\"svc_jsonl\",\"version\":1,\"exportedAt\":0,\"cursor\":\"\",\"part\":1}\n";

/// Creates different files of random bytes.
pub(super) fn random_files() -> Vec<Bytes> {
    let file = |seed| {
        let mut bytes = vec![0; FILE_BYTES];
        Rng::with_seed(seed).fill(&mut bytes);
        bytes.into()
    };
    (0..FILES).map(file).collect()
}

/// Creates an item and returns the path of its file.
pub(super) async fn new_file_path(greedy: &Greedy) -> String {
    let saved = expect_success(greedy.post("/v1/library/items", &json!({"fileName": "large.bin"}))).await;
    let id = saved.json()["item"]["id"].as_str().expect("the item has an id").to_owned();
    format!("/v1/library/items/{id}/file")
}

/// Uploads files that replace each other. One in five requests deletes the file.
pub(super) async fn uploads(greedy: Arc<Greedy>) -> Traffic {
    let mut paths = Vec::new();
    for _ in 0..ITEMS {
        paths.push(new_file_path(&greedy).await);
    }
    let files = random_files();
    Traffic::new(ITEMS, move |number| {
        let path = &paths[number % ITEMS];
        let request = if number % 5 == 4 {
            greedy.request(Method::DELETE, path)
        } else {
            let file = files[number / ITEMS % files.len()].clone();
            greedy.request(Method::PUT, path).header("content-type", "application/octet-stream").body(file)
        };
        status(request)
    })
}

/// Files for imports with their formats, created on first use.
static IMPORTS: LazyLock<[(Vec<u8>, Option<&'static str>); 5]> = LazyLock::new(|| {
    [
        (long_line(), Some("svc_jsonl")),
        (packed_line(), None),
        (archive_directory(), None),
        (packed_table(), None),
        (table(), None),
    ]
});

/// Sends imports that used much memory or time before their limits were introduced, and an import of many
/// rows. An account can upload only one import at a time; the others are refused.
pub(super) fn imports(greedy: Arc<Greedy>) -> Traffic {
    let request = |(file, format): &(Vec<u8>, Option<&str>)| {
        let mut fields = vec![Field { name: "dryRun", file: None, body: b"false" }];
        let format = format.map(|format| Field { name: "format", file: None, body: format.as_bytes() });
        fields.extend(format);
        fields.push(Field { name: "file", file: Some(("file", "application/octet-stream")), body: file });
        let request = greedy.request(Method::POST, "/v1/library/imports");
        with_form(request, &fields).build().expect("the request is valid")
    };
    let requests: Vec<Request> = IMPORTS.iter().map(request).collect();
    Traffic::new(2, move |number| {
        let request = requests[number % requests.len()].try_clone().expect("the body is in memory");
        status(greedy.built(request))
    })
}

/// Returns an item's line with an unknown member that contains very many values.
fn line_of_values(values: &str) -> String {
    format!("{{\"type\":\"item\",\"junk\":[{values}0],\"id\":\"0193a0b2-7c00-7000-8000-6d1a2b3c4d5e\"}}\n")
}

fn long_line() -> Vec<u8> {
    format!("{MANIFEST}{}", line_of_values(&"0,".repeat(PLAIN_LINE_BYTES / 2))).into_bytes()
}

/// Creates an archive of less than a megabyte with one long line. Its compression ratio is just below the
/// limit.
fn packed_line() -> Vec<u8> {
    let (mut rng, mut values) = (Rng::with_seed(1), String::with_capacity(PACKED_LINE_BYTES + 200_000));
    while values.len() < PACKED_LINE_BYTES {
        values += &"0,".repeat(50_000);
        for _ in 0..900 {
            values += &format!("{},", rng.u8(1..10));
        }
    }
    let line = line_of_values(&values);
    zipped(&[("manifest.json", MANIFEST.as_bytes()), ("items/1.jsonl", line.as_bytes())])
}

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).expect("start an entry");
        zip.write_all(bytes).expect("write an entry");
    }
    zip.finish().expect("complete the archive").into_inner()
}

/// Creates an archive of 39 MB that consists almost only of its directory: entries with names, extra fields,
/// and comments of 64 KB.
fn archive_directory() -> Vec<u8> {
    let (mut files, mut directory) = (Vec::new(), Vec::new());
    for (name, crc, body) in [("manifest.json", 0xa3a6_bf43_u32, "{}"), ("x", 0, "")] {
        let offset = u32_of(files.len());
        files.extend(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0");
        files.extend(sizes(crc, body.len(), name.len()));
        files.extend([0, 0]);
        files.extend(name.as_bytes());
        files.extend(body.as_bytes());
        if !body.is_empty() {
            directory.extend(directory_entry(name.as_bytes(), (crc, body.len()), &[], &[], offset));
        }
    }
    let offset = u32_of(files.len()) - 31;
    let extra = [&b"\x99\x99"[..], &64_000_u16.to_le_bytes(), "e".repeat(64_000).as_bytes()].concat();
    let comment = "c".repeat(65_000);
    for number in 0..DIRECTORY_ENTRIES {
        let name = format!("{number:07}{}", "n".repeat(65_000));
        directory.extend(directory_entry(name.as_bytes(), (0, 0), &extra, comment.as_bytes(), offset));
    }
    let (start, length) = (u32_of(files.len()), u32_of(directory.len()));
    let entries = u16::try_from(DIRECTORY_ENTRIES + 1).expect("the number fits").to_le_bytes();
    files.extend(directory);
    files.extend(b"PK\x05\x06\0\0\0\0");
    files.extend([entries, entries].concat());
    files.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    files.extend([0, 0]);
    files
}

/// Creates the entry of a stored file in an archive's directory.
fn directory_entry(
    name: &[u8],
    (crc, size): (u32, usize),
    extra: &[u8],
    comment: &[u8],
    offset: u32,
) -> Vec<u8> {
    let length = |bytes: &[u8]| u16::try_from(bytes.len()).expect("the length fits").to_le_bytes();
    [
        &b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0"[..],
        &sizes(crc, size, name.len()),
        &length(extra),
        &length(comment),
        &[0; 8],
        &offset.to_le_bytes(),
        name,
        extra,
        comment,
    ]
    .concat()
}

/// Encodes the checksum, the packed and the unpacked size of a stored file, and the length of its name.
fn sizes(crc: u32, size: usize, name: usize) -> Vec<u8> {
    let (size, name) = (u32_of(size).to_le_bytes(), u16::try_from(name).expect("the length fits"));
    [&crc.to_le_bytes()[..], &size, &size, &name.to_le_bytes()].concat()
}

fn u32_of(number: usize) -> u32 {
    u32::try_from(number).expect("the number fits")
}

/// Creates an archive of about 13 MB with tables of 2 GB. Each table is a single cell.
fn packed_table() -> Vec<u8> {
    let mut rng = Rng::with_seed(1);
    let mut part = Vec::new();
    for _ in 0..200 {
        part.extend("x".repeat(60_000).as_bytes());
        part.extend((0..500).map(|_| rng.u8(b'a'..=b'z')));
    }
    let entry = [&b"title,url,time_added,tags,status\n\""[..], &part.repeat(TABLE_PARTS)].concat();
    let packed = zipped(&[("p0.csv", &entry)]);
    let mut source = ZipArchive::new(Cursor::new(packed)).expect("the archive is valid");
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..TABLE_ENTRIES {
        let entry = source.by_index_raw(0).expect("the archive has an entry");
        zip.raw_copy_file_rename(entry, format!("p{number}.csv")).expect("copy an entry");
    }
    zip.finish().expect("complete the archive").into_inner()
}

/// Creates a table of 20,000 bookmarks.
fn table() -> Vec<u8> {
    let row = |number| format!("Title {number},https://example.org/{number},1704067200,a|b,archive\n");
    let rows: String = (0..20_000).map(row).collect();
    format!("title,url,time_added,tags,status\n{rows}").into_bytes()
}
