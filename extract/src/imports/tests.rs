//! Files of each service, written after the documentation of their columns, in pieces of any size.

use serde_json::json;

use super::*;

fn read(format: Format, text: &str) -> Vec<RowResult> {
    let whole = in_pieces(format, text, text.len().max(1));
    for step in [1, 7, 64] {
        assert_eq!(in_pieces(format, text, step), whole, "in pieces of {step}");
    }
    whole
}

fn in_pieces(format: Format, text: &str, step: usize) -> Vec<RowResult> {
    let mut rows = Rows::new(format).unwrap();
    let mut results = Vec::new();
    for piece in text.as_bytes().chunks(step) {
        rows.push(piece, &mut |row| results.push(row));
    }
    rows.finish(&mut |row| results.push(row));
    results
}

fn only(format: Format, text: &str) -> ImportRow {
    assert_eq!(guess(text.as_bytes()), (Container::Plain, Some(format)));
    let mut rows = read(format, text);
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows.remove(0).unwrap()
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what may be missing")]
fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

const DAY: i64 = 1_704_067_200_000;

#[test]
fn bookmarks_have_folders_dates_tags_and_descriptions() {
    let text = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>\n<DL><p>\n\
        <DT><H3 ADD_DATE=\"1\">Read &amp; think</H3>\n<DL><p>\n\
        <DT><A HREF=\"https://a.example/?x=1&amp;y=>\" ADD_DATE=\"1704067200\" TAGS=\"one,two\" ICON=\"data:image/png;base64,AA==\" PRIVATE=\"1\">A &lt;b&gt; title</A>\n\
        <DD>What it is\nabout\n<DT><A HREF='https://b.example/'>https://b.example/</A>\n</DL><p>\n\
        <DT><A HREF=https://c.example/ TOREAD=1>C</A><DT><A>nothing</A></DL>";
    let rows = read(Format::Netscape, text);
    assert_eq!(guess(text.as_bytes()).1, Some(Format::Netscape));
    let first = rows[0].clone().unwrap();
    assert_eq!(first.url, some("https://a.example/?x=1&y=>"));
    assert_eq!((first.title, first.note), (some("A <b> title"), some("What it is about")));
    assert_eq!((first.folder, first.saved_at), (some("Bookmarks/Read & think"), Some(DAY)));
    assert_eq!(first.tags, ["one", "two"]);
    assert_eq!(first.extra["private"], "1");
    let second = rows[1].clone().unwrap();
    assert_eq!((second.title, second.note, second.folder), (None, None, some("Bookmarks/Read & think")));
    let third = rows[2].clone().unwrap();
    assert_eq!((third.folder, third.status), (some("Bookmarks"), Some(ImportStatus::Later)));
    assert_eq!(rows[3..], [Err(InvalidRow::Empty)]);
}

#[test]
fn link_lists_set_the_status_of_their_links() {
    let text = "<html><h1>Unread</h1><ul><li><a href=\"https://a.example/\" time_added=\"1704067200\" tags=\"x\">A</a></li></ul>\
        <h1>Read Archive</h1><ul><li><a href=\"https://b.example/\">B</a></li></ul></html>";
    let rows = read(Format::Netscape, text);
    let shelves: Vec<_> = rows.iter().map(|row| row.as_ref().unwrap().status).collect();
    assert_eq!(shelves, [Some(ImportStatus::Inbox), Some(ImportStatus::Archive)]);
    assert_eq!(rows[0].as_ref().unwrap().saved_at, Some(DAY));
}

#[test]
fn pocket_csv_is_read() {
    let row = only(
        Format::PocketCsv,
        "title,url,time_added,tags,status\nhttps://a.example/,https://a.example/,1704067200,one|two words,archive\n",
    );
    assert_eq!((row.title, row.url), (None, some("https://a.example/")));
    assert_eq!((row.saved_at, row.status), (Some(DAY), Some(ImportStatus::Archive)));
    assert_eq!(row.tags, ["one", "two words"]);
    assert!(row.extra.is_empty());
}

#[test]
fn readwise_csv_is_read() {
    let row = only(
        Format::ReadwiseCsv,
        "\u{feff}Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags\n\
         \"Words, marked\",The Book,Ada,B00X,a note,yellow,\"t1, t2\",page,12,2024-01-01 00:00:00+00:00,books\n",
    );
    assert_eq!((row.source_id, row.title, row.author), (some("B00X"), some("The Book"), some("Ada")));
    let highlight = ImportedHighlight {
        quote: "Words, marked".into(),
        note: some("a note"),
        color: some("yellow"),
        tags: vec!["t1".into(), "t2".into()],
        created_at: Some(DAY),
        source_id: None,
    };
    assert_eq!(row.highlights, [highlight]);
    assert_eq!(json!(row.extra), json!({"location type": "page", "location": "12"}));
    assert_eq!(row.tags, ["books"]);
}

#[test]
fn readwise_reader_csv_is_read() {
    let row = only(
        Format::ReadwiseReaderCsv,
        "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\n\
         T,https://a.example/,01abc,\"['one', 'two']\",2024-01-01 00:00:00+00:00,0.25,later,True\n",
    );
    assert_eq!(
        (row.source_id, row.progress, row.status),
        (some("01abc"), Some(25), Some(ImportStatus::Later))
    );
    assert_eq!((row.tags.len(), row.saved_at), (2, Some(DAY)));
    assert_eq!(json!(row.extra), json!({"seen": "True"}));
}

#[test]
fn instapaper_csv_is_read() {
    let text = "URL,Title,Selection,Folder,Timestamp,Tags\n\
        https://a.example/,A,,Starred,1704067200,\"[\"\"x\"\"]\"\nhttps://b.example/,B,some words,Cooking,1704067200,[]\n";
    assert_eq!(guess(text.as_bytes()).1, Some(Format::InstapaperCsv));
    let rows: Vec<ImportRow> = read(Format::InstapaperCsv, text).into_iter().map(Result::unwrap).collect();
    assert!(rows[0].is_starred && rows[0].folder.is_none());
    assert_eq!((rows[0].tags.clone(), rows[0].status), (vec!["x".to_owned()], Some(ImportStatus::Inbox)));
    assert_eq!(
        (rows[1].folder.clone(), rows[1].highlights[0].quote.as_str()),
        (some("Cooking"), "some words")
    );
}

#[test]
fn raindrop_csv_is_read() {
    let row = only(
        Format::RaindropCsv,
        "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n\
         7,T,mine,theirs,https://a.example/,Work,\"a, b\",2024-01-01T00:00:00.000Z,,\"Highlight:one\ntwo\nNote:n\n\nHighlight:three\",true\n",
    );
    assert_eq!((row.source_id, row.note, row.folder), (some("7"), some("mine"), some("Work")));
    assert!(row.is_starred);
    assert_eq!((row.saved_at, row.tags.len()), (Some(DAY), 2));
    assert_eq!(json!(row.extra), json!({"excerpt": "theirs"}));
    let quotes_with_notes: Vec<_> =
        row.highlights.iter().map(|h| (h.quote.as_str(), h.note.as_deref())).collect();
    assert_eq!(quotes_with_notes, [("one\ntwo", Some("n")), ("three", None)]);
}

#[test]
fn omnivore_json_is_read() {
    let row = only(
        Format::OmnivoreJson,
        r#"[{"id":"u1","slug":"s","title":"T","description":null,"author":"Ada","url":"https://a.example/","state":"Archived",
            "readingProgress":1,"thumbnail":"https://i.example/","labels":["one",{"name":"two"}],"savedAt":"2024-01-01T00:00:00.000Z",
            "publishedAt":"2023-05-06"}]"#,
    );
    assert_eq!((row.source_id, row.progress, row.status), (some("u1"), Some(1), Some(ImportStatus::Archive)));
    assert_eq!((row.tags.len(), row.published_at, row.saved_at), (2, some("2023-05-06"), Some(DAY)));
    assert_eq!(json!(row.extra), json!({"slug": "s", "thumbnail": "https://i.example/"}));
}

#[test]
fn wallabag_json_is_read() {
    let row = only(
        Format::WallabagJson,
        r#"[{"is_archived":1,"is_starred":0,"tags":["t"],"id":12,"title":"T","url":"https://a.example/","content":"<p>Text.</p>",
            "created_at":"2024-01-01T00:00:00+00:00","published_by":["Ada","Bob"],"annotations":[{"quote":"Text","text":"why","id":3}],
            "reading_time":2}]"#,
    );
    assert_eq!(
        (row.source_id, row.author, row.status),
        (some("12"), some("Ada, Bob"), Some(ImportStatus::Archive))
    );
    assert_eq!(row.content, Some(RowContent { text: "<p>Text.</p>".into(), media_type: "text/html".into() }));
    assert_eq!((row.highlights[0].quote.as_str(), row.highlights[0].note.as_deref()), ("Text", Some("why")));
    assert_eq!(json!(row.extra), json!({"reading_time": 2}));
}

#[test]
fn karakeep_json_is_read() {
    let text = r#"{"lists":[{"name":"x","url":"no"}],"bookmarks":[{"createdAt":1704067200,"title":"T","tags":["a","b"],
        "content":{"type":"link","url":"https://a.example/[1]"},"note":"n","archived":true},
        {"createdAt":1704067200,"title":null,"tags":[],"content":{"type":"text","text":"a \"quoted\" ] text"},"note":""}]}"#;
    assert_eq!(guess(text.as_bytes()).1, Some(Format::KarakeepJson));
    let rows: Vec<ImportRow> = read(Format::KarakeepJson, text).into_iter().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0].url.clone(), rows[0].note.clone()), (some("https://a.example/[1]"), some("n")));
    assert_eq!((rows[0].status, rows[0].saved_at), (Some(ImportStatus::Archive), Some(DAY)));
    assert_eq!(rows[1].content.as_ref().unwrap().text, "a \"quoted\" ] text");
}

#[test]
fn invalid_row_does_not_affect_other_rows() {
    let rows = read(
        Format::WallabagJson,
        r#"[{"id":1,"url":"https://a.example/"},[],{"id":2},"x",{"id":3,"url":"u"}"#,
    );
    assert_eq!(rows[1..4], [Err(InvalidRow::Malformed), Err(InvalidRow::Empty), Err(InvalidRow::Malformed)]);
    assert_eq!(rows[4], Err(InvalidRow::Truncated));
    let deep = format!("[{}{},{{\"id\":3,\"url\":\"u\"}}]", "[".repeat(5000), "]".repeat(5000));
    let rows = read(Format::WallabagJson, &deep);
    assert_eq!(rows[0], Err(InvalidRow::Malformed));
    assert!(rows[1].is_ok());
    let rows = read(Format::PocketCsv, "title,url,time_added,tags,status\n,,,,\nT,u\n");
    assert_eq!(rows[0], Err(InvalidRow::Empty));
    assert_eq!(rows[1].as_ref().unwrap().url, some("u"));
}

#[test]
fn oversized_row_is_reported_and_next_is_read() {
    let long = "x".repeat(MAX_ROW_BYTES);
    let text = format!("[{{\"id\":1,\"title\":\"{long}\"}},{{\"id\":2,\"url\":\"u\"}}]");
    let rows = in_pieces(Format::OmnivoreJson, &text, 64 * 1024);
    assert_eq!(rows[0], Err(InvalidRow::TooLong));
    assert!(rows[1].is_ok());
    let text = format!("<DL><DT><A HREF=\"u\" ICON=\"{long}\">x</A><DT><A HREF=\"v\">y</A>");
    let rows = in_pieces(Format::Netscape, &text, 64 * 1024);
    assert_eq!(rows[0], Err(InvalidRow::TooLong));
    assert_eq!(rows[1].as_ref().unwrap().url, some("v"));
}

#[test]
fn files_of_unknown_services_have_no_format() {
    for text in ["", "just words", "{\"a\":1}", "a,b\n1,2", "<html><p>x"] {
        assert_eq!(guess(text.as_bytes()), (Container::Plain, None), "{text}");
    }
    assert_eq!(guess(b"PK\x03\x04"), (Container::Zip, None));
}
