//! Imports of the example of every format through HTTP: each field of a row is in the library afterwards, and
//! omitted values are named in the report.

use std::io::{Cursor, Write};

use extract::imports::{Format, ImportFileReader, ImportRow, ImportStatus, RowResult, guess};
use kernel::rfc3339;
use kernel::tiers::Tier;
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::library_imports::{send, state};
use crate::support::person::Person;
use crate::support::{TestApp, on_each_world};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/extract/src/imports/examples");
/// Examples whose format is recognised only by the name of an archive entry.
const ENTRIES: [(&str, &str, Format); 3] = [
    ("note.md", "Vault/On desks.md", Format::Markdown),
    ("notion_page.md", "Export/On desks 0123456789abcdef0123456789abcdef.md", Format::NotionMarkdown),
    ("pocket_collection.json", "collections/desks.json", Format::PocketCollectionJson),
];

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

async fn import(app: &TestApp, who: &Person, file: Vec<u8>) -> Value {
    let made = send(app, who, file, &[("dryRun", "false")]).await.expect(202).json();
    state(app, who, made["import"]["id"].as_str().unwrap()).await
}

fn counts(import: &Value) -> [i64; 4] {
    ["created", "existing", "skipped", "failed"].map(|name| import[name].as_i64().unwrap())
}

fn codes(import: &Value) -> Vec<&str> {
    let problems = import["problems"].as_array().unwrap();
    problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect()
}

/// Returns the number of rows that only add a note or highlight to the book of another row.
async fn annotation_rows(app: &TestApp, who: &Person, import: &Value) -> usize {
    let path = format!("/v1/library/imports/{}/rows", import["id"].as_str().unwrap());
    let rows = who.get(app, &path).await.expect(200).json();
    let rows = rows["rows"].as_array().unwrap();
    rows.iter().filter(|row| row["outcome"] == "annotation").count()
}

/// Rows of an example, as its format reads them.
fn rows_of(format: Format, bytes: &[u8]) -> Option<Vec<RowResult>> {
    let (mut reader, mut rows) = (ImportFileReader::new(format)?, Vec::new());
    reader.first_pass(bytes);
    reader.push(bytes, &mut |row| rows.push(row));
    reader.finish(&mut |row| rows.push(row));
    Some(rows)
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Objects of an account after an import.
struct Imported {
    items: Vec<Value>,
    notes: Vec<Value>,
    highlights: Vec<Value>,
}

impl Imported {
    async fn of(app: &TestApp, who: &Person) -> Self {
        let list = async |path: &str, name: &str| {
            who.get(app, path).await.expect(200).json()[name].as_array().unwrap().clone()
        };
        Self {
            items: list("/v1/library/items?includeMetadata=true&includeContent=true", "items").await,
            notes: list("/v1/library/notes", "notes").await,
            highlights: list("/v1/library/highlights", "highlights").await,
        }
    }

    fn has_note(&self, text: &str) -> bool {
        self.notes.iter().any(|note| folded(note["text"].as_str().unwrap()) == folded(text))
    }

    /// Asserts that all fields of a row are in the library.
    fn assert_has(&self, row: &ImportRow, format: Format) {
        let is_it = |item: &&Value| match (&row.url, &row.title) {
            (Some(url), _) => item["url"] == url.as_str(),
            (None, Some(title)) => item["title"] == title.as_str(),
            (None, None) => item["url"].as_str().unwrap().starts_with("urn:"),
        };
        let item = self.items.iter().find(is_it).unwrap_or_else(|| panic!("{format}: {row:?}"));
        for (name, value) in [("title", &row.title), ("author", &row.author)] {
            if let Some(value) = value {
                assert_eq!(item[name], value.as_str(), "{format}: {name}");
            }
        }
        if let Some(saved_at) = row.saved_at {
            assert_eq!(item["savedAt"], rfc3339(saved_at), "{format}");
        }
        let status = match row.status {
            Some(ImportStatus::Later) => "later",
            Some(ImportStatus::Archive) => "archive",
            Some(ImportStatus::Inbox) | None => "inbox",
        };
        assert_eq!(item["status"], status, "{format}");
        match row.progress {
            Some(100) => assert!(item["finishedAt"].is_string(), "{format}: {item}"),
            Some(percent) => assert_eq!(item["readProgress"], percent, "{format}"),
            None => {}
        }
        // A year or a month without a day is metadata.
        let published = [&item["publishedAt"], &item["metadata"][format.as_str()]["published"]];
        assert!(row.published_at.is_none() || published.iter().any(|at| at.is_string()), "{format}: {item}");
        let tags = item["tags"].as_array().unwrap();
        let star = row.is_starred.then(|| "favorite".to_owned());
        for tag in row.tags.iter().chain(&star) {
            assert!(tags.contains(&json!(tag)), "{format}: {tag} is not in {tags:?}");
        }
        if let [folder] = row.folders.as_slice() {
            assert_eq!(item["metadata"][format.as_str()]["folder"], folder.join("/"), "{format}");
            assert!(tags.len() > row.tags.len(), "{format}: the folder is a tag: {tags:?}");
        }
        assert!(row.content.is_none() || item["articleStatus"] == "ready", "{format}: {item}");
        assert!(row.note.as_ref().is_none_or(|note| self.has_note(note)), "{format}: {:?}", row.note);
        for marked in &row.highlights {
            if marked.quote.is_empty() {
                assert!(self.has_note(marked.note.as_deref().unwrap()), "{format}: {marked:?}");
                continue;
            }
            let is_it = |one: &&Value| folded(one["quote"].as_str().unwrap()) == folded(&marked.quote);
            let highlight =
                self.highlights.iter().find(is_it).unwrap_or_else(|| panic!("{format}: {marked:?}"));
            assert_eq!(highlight["itemId"], item["id"], "{format}");
            assert_eq!(highlight["note"], json!(marked.note), "{format}");
        }
    }
}

#[test]
fn example_of_every_format_is_imported_with_all_fields() {
    on_each_world(async |app| {
        let mut formats = Vec::new();
        for entry in std::fs::read_dir(EXAMPLES).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let entry = ENTRIES.iter().find(|(example, ..)| *example == name);
            let (format, file) = match entry {
                Some((_, entry, format)) => (*format, zipped(&[(*entry, bytes.as_slice())])),
                None => (guess(&bytes).1.unwrap(), bytes.clone()),
            };
            formats.push(format);
            // The library reads the lines of its own format.
            let Some(rows) = rows_of(format, &bytes) else { continue };
            let who = Person::on(&app, Tier::Pro).await;
            let done = import(&app, &who, file).await;
            assert_eq!(
                (&done["state"], &done["format"]),
                (&json!("complete"), &json!(format.as_str())),
                "{done}"
            );
            let [created, existing, skipped, failed] = counts(&done);
            let invalid = rows.iter().filter(|row| row.is_err()).count();
            assert_eq!(skipped + failed, i64::try_from(invalid).unwrap(), "{name}: {done}");
            let annotations = annotation_rows(&app, &who, &done).await;
            let valid = rows.len() - invalid;
            assert_eq!(created + existing, i64::try_from(valid - annotations).unwrap(), "{name}: {done}");
            let imported = Imported::of(&app, &who).await;
            for row in rows.iter().flatten() {
                imported.assert_has(row, format);
                assert!(row.left_out.is_empty() || codes(&done).contains(&"left_out"), "{name}: {done}");
            }
        }
        assert!(Format::ALL.iter().all(|format| formats.contains(format)), "every format has an example");
    });
}

#[test]
fn nested_archive_is_read_and_other_entries_are_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let page = std::fs::read(format!("{EXAMPLES}/notion_page.md")).unwrap();
        let id = "0123456789abcdef0123456789abcdef";
        let view = "Name,URL\nOne,https://desks.example/a\n";
        let table = "Name,URL\nOne,https://desks.example/a\nTwo,https://desks.example/b\n";
        let picture: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\0";
        let (text, links, all) =
            (format!("On desks {id}.md"), format!("Links {id}.csv"), format!("Links {id}_all.csv"));
        let part = zipped(&[
            (text.as_str(), page.as_slice()),
            (links.as_str(), view.as_bytes()),
            (all.as_str(), table.as_bytes()),
            ("photo.png", picture),
        ]);
        let done = import(&app, &who, zipped(&[("Export-Part-1.zip", part.as_slice())])).await;
        assert_eq!(counts(&done), [3, 0, 1, 0], "{done}");
        assert_eq!(codes(&done), ["unread_entry"]);
        let items = Imported::of(&app, &who).await.items;
        let titles: Vec<&Value> = items.iter().map(|item| &item["title"]).collect();
        for title in ["On desks", "One", "Two"] {
            assert!(titles.contains(&&json!(title)), "{titles:?}");
        }

        // An archive in it that cannot be read is an entry without rows.
        let sealed = zipped(&[("../links.csv", view.as_bytes())]);
        let third = Person::on(&app, Tier::Pro).await;
        let entries = [("sealed.zip", sealed.as_slice()), ("links.csv", view.as_bytes())];
        let done = import(&app, &third, zipped(&entries)).await;
        assert_eq!((counts(&done), codes(&done)), ([1, 0, 1, 0], vec!["unread_entry"]), "{done}");

        // Beyond a maximum, entries without rows are only counted.
        let other = Person::on(&app, Tier::Pro).await;
        let names: Vec<String> = (0..30).map(|number| format!("{number}.png")).collect();
        let mut entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), picture)).collect();
        entries.push(("links.csv", view.as_bytes()));
        let done = import(&app, &other, zipped(&entries)).await;
        assert_eq!(counts(&done), [1, 0, 21, 0], "{done}");
        let last = done["problems"].as_array().unwrap().last().unwrap();
        assert!(last["reason"].as_str().unwrap().starts_with("10 more entries"), "{done}");
    });
}

#[test]
fn pages_of_a_web_archive_are_read_from_its_page_list() {
    on_each_world(async |app| {
        let warc = std::fs::read(format!("{EXAMPLES}/archive.warc")).unwrap();
        let archive = |page: &str, found: &str| {
            let list = |page: &str| {
                format!("{{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}}\n{{\"url\":\"{page}\"}}\n")
            };
            zipped(&[
                (
                    "datapackage.json",
                    br#"{"profile":"data-package","url":"https://desks.example/3"}"#.as_slice(),
                ),
                ("pages/pages.jsonl", list(page).as_bytes()),
                ("pages/extraPages.jsonl", list(found).as_bytes()),
                ("archive/data.warc", warc.as_slice()),
            ])
        };
        let who = Person::on(&app, Tier::Pro).await;
        let done =
            import(&app, &who, archive("https://desks.example/2", "https://desks.example/1#top")).await;
        assert_eq!((&done["format"], counts(&done)), (&json!("warc"), [1, 0, 1, 0]), "{done}");
        assert_eq!(codes(&done), ["left_out"]);
        let items = Imported::of(&app, &who).await.items;
        assert_eq!((&items[0]["title"], &items[0]["articleStatus"]), (&json!("On desks"), &json!("ready")));
        let other = Person::on(&app, Tier::Pro).await;
        let done = import(&app, &other, archive("https://desks.example/2", "https://desks.example/4")).await;
        assert_eq!(counts(&done), [0, 0, 1, 0], "{done}");
    });
}

#[test]
fn minor_variants_of_exports_are_read_or_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let semicolons =
            "title;url;time_added;tags;status\nOne;https://desks.example/s;1704067200;a|b;archive\n";
        let done = import(&app, &who, semicolons.into()).await;
        assert_eq!((&done["format"], counts(&done)), (&json!("pocket_csv"), [1, 0, 0, 0]), "{done}");
        let cut = r#"[{"href":"https://desks.example/c","description":"Cut","extended":"","tags":"a"},{"href":"https://de"#;
        let done = import(&app, &who, cut.into()).await;
        assert_eq!((counts(&done), codes(&done)), ([1, 0, 0, 1], vec!["malformed"]), "{done}");
        let no_rows = import(&app, &who, "title,url,time_added,tags,status\n".into()).await;
        assert_eq!((&no_rows["state"], counts(&no_rows)), (&json!("complete"), [0; 4]), "{no_rows}");
        let empty = import(&app, &who, "[]".into()).await;
        assert_eq!((&empty["state"], counts(&empty)), (&json!("complete"), [0; 4]), "{empty}");
        let dated = "url,title,added\nhttps://desks.example/d,Dated,03/04/2024\n";
        let done = import(&app, &who, dated.into()).await;
        assert_eq!((counts(&done), codes(&done)), ([1, 0, 0, 0], vec!["ambiguous_date"]), "{done}");
        let loose = "<TITLE>Bookmarks</TITLE><DL><DT><A HREF=https://desks.example/l ADD_DATE=1704067200>Loose</A></DL>";
        let done = import(&app, &who, loose.into()).await;
        assert_eq!(counts(&done), [1, 0, 0, 0], "{done}");
        let cyrillic = b"<!DOCTYPE NETSCAPE-Bookmark-file-1><META HTTP-EQUIV=\"Content-Type\" \
            CONTENT=\"text/html; charset=windows-1251\"><DL><DT><A HREF=\"https://desks.example/r\">\xd1\xf2\xee\xeb</A></DL>";
        let done = import(&app, &who, cyrillic.to_vec()).await;
        assert_eq!((counts(&done), codes(&done).len()), ([1, 0, 0, 0], 0), "{done}");
        let items = Imported::of(&app, &who).await.items;
        let titles: Vec<&str> = items.iter().map(|item| item["title"].as_str().unwrap()).collect();
        assert!(titles.contains(&"\u{421}\u{442}\u{43e}\u{43b}") && titles.contains(&"Loose"), "{titles:?}");
        send(&app, &who, Vec::new(), &[]).await.expect(422);
    });
}

/// Bookmarks without a declaration of their encoding.
fn undeclared(name: &str, titles: &[&[u8]]) -> Vec<u8> {
    let mut file = b"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n".to_vec();
    for (number, title) in titles.iter().enumerate() {
        file.extend(format!("<DT><A HREF=\"https://desks.example/{name}/{number}\">").into_bytes());
        file.extend(*title);
        file.extend(b"</A>\n");
    }
    file.extend(b"</DL><p>\n");
    file
}

/// Names, titles in the encoding of the file, and the same titles as text.
type UndeclaredFile = (&'static str, [&'static [u8]; 2], [&'static str; 2]);

/// Titles in windows-1252, windows-1250, windows-1251, and `Shift_JIS`.
const UNDECLARED: [UndeclaredFile; 5] = [
    (
        "german",
        [b"Gr\xf6\xdfe und \xdcbung f\xfcr Anf\xe4nger", b"K\xe4se aus der Schweiz"],
        ["Größe und Übung für Anfänger", "Käse aus der Schweiz"],
    ),
    (
        "french",
        [b"L\x92\xe9t\xe9 \xe0 la campagne", b"O\xf9 d\xeener pr\xe8s de l'h\xf4tel"],
        ["L’été à la campagne", "Où dîner près de l'hôtel"],
    ),
    (
        "polish",
        [b"\xa3\xf3d\x9f \x96 przewodnik po mie\x9ccie", b"Ksi\xb9\xbfki dla dzieci i m\xb3odzie\xbfy"],
        ["Łódź – przewodnik po mieście", "Książki dla dzieci i młodzieży"],
    ),
    (
        "russian",
        [
            b"\xcd\xee\xe2\xee\xf1\xf2\xe8 \xe8 \xea\xed\xe8\xe3\xe8",
            b"\xcf\xee\xe3\xee\xe4\xe0 \xe2 \xcc\xee\xf1\xea\xe2\xe5",
        ],
        ["Новости и книги", "Погода в Москве"],
    ),
    (
        "japanese",
        [b"\x93\xfa\x96{\x8c\xea\x82\xcc\x96{", b"\x95\\\x8e\xa6\x82\xcc\x90\xdd\x92\xe8"],
        ["日本語の本", "表示の設定"],
    ),
];

#[test]
fn bookmarks_without_declared_charset_are_decoded_by_detection() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        for (name, titles, _) in &UNDECLARED {
            let done = import(&app, &who, undeclared(name, titles)).await;
            assert_eq!((counts(&done), codes(&done).len()), ([2, 0, 0, 0], 0), "{name}: {done}");
        }
        let items = Imported::of(&app, &who).await.items;
        for (name, _, titles) in UNDECLARED {
            for (number, title) in titles.iter().enumerate() {
                let url = format!("https://desks.example/{name}/{number}");
                let item = items.iter().find(|item| item["url"] == url.as_str()).unwrap();
                assert_eq!(item["title"], *title, "{name}");
            }
        }
    });
}

#[test]
fn row_with_an_uncertain_charset_is_reported() {
    on_each_world(async |app| {
        let who = Person::on(&app, Tier::Pro).await;
        let [_, french, _, russian, _] = UNDECLARED;
        // German letters between Russian titles, and Russian letters between French titles.
        let german: &[u8] = UNDECLARED[0].1[0];
        let mixed = undeclared("mixed", &[russian.1[0], russian.1[1], german, b"Plain"]);
        let done = import(&app, &who, mixed).await;
        assert_eq!(problem_rows(&done), [(3, "uncertain_text")], "{done}");
        let mixed = undeclared("other", &[french.1[0], french.1[1], french.1[1], russian.1[0]]);
        let done = import(&app, &who, mixed).await;
        assert_eq!(problem_rows(&done), [(4, "uncertain_text")], "{done}");
        // Two letters are too few for a detection.
        let done = import(&app, &who, undeclared("few", &[b"Gr\xf6\xdfe", b"Plain"])).await;
        assert_eq!(problem_rows(&done), [(1, "uncertain_text")], "{done}");
        let file = undeclared("sure", &[b"Gr\xf6\xdfe"]);
        let (doctype, rest) = file.split_at(file.iter().position(|byte| *byte == b'\n').unwrap());
        let declared = [doctype, b"<META CHARSET=windows-1252>", rest].concat();
        let done = import(&app, &who, declared).await;
        assert_eq!((counts(&done), codes(&done).len()), ([1, 0, 0, 0], 0), "{done}");
    });
}

fn problem_rows(import: &Value) -> Vec<(i64, &str)> {
    let problems = import["problems"].as_array().unwrap();
    problems.iter().map(|one| (one["row"].as_i64().unwrap(), one["code"].as_str().unwrap())).collect()
}
