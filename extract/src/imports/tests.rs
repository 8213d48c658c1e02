//! Files of each service, written according to the documentation of their columns, in pieces of any size.

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
    let mut rows = ImportFileReader::new(format).unwrap();
    let mut results = Vec::new();
    for piece in text.as_bytes().chunks(step) {
        rows.push(piece, &mut |row| results.push(row));
    }
    rows.finish(&mut |row| results.push(row));
    results
}

fn only(format: Format, text: &str) -> ImportRow {
    assert_eq!(guess(text.as_bytes()), (ImportContainer::Plain, Some(format)));
    let mut rows = read(format, text);
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows.remove(0).unwrap()
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with what may be missing")]
fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn folder(names: &[&str]) -> Vec<Vec<String>> {
    vec![names.iter().map(|name| (*name).to_owned()).collect()]
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
    assert_eq!((first.title, first.note), (some("A <b> title"), some("What it is\nabout")));
    assert_eq!((first.folders, first.saved_at), (folder(&["Read & think"]), Some(DAY)));
    assert_eq!(first.tags, ["one", "two"]);
    assert_eq!(first.extra["private"], "1");
    let second = rows[1].clone().unwrap();
    assert_eq!((second.title, second.note, second.folders), (None, None, folder(&["Read & think"])));
    let third = rows[2].clone().unwrap();
    assert_eq!((third.folders, third.status), (Vec::new(), Some(ImportStatus::Later)));
    assert_eq!(rows[3..], [Err(InvalidRow::Empty)]);
}

#[test]
fn export_of_shiori_has_unescaped_values() {
    let text = "<!DOCTYPE NETSCAPE-Bookmark-file-1><META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\
        <TITLE>Bookmarks</TITLE><H1>Bookmarks</H1><DL>\n\
        <DT><A HREF=\"https://a.example/?x=1&y=2\" ADD_DATE=\"1704067200\" LAST_MODIFIED=\"1704067200\" TAGS=\"deep work,one\">Tides & boats</A>\n\
        <DT><A HREF=\"https://b.example/\" ADD_DATE=\"1704067200\" LAST_MODIFIED=\"1704067200\" TAGS=\"\">b < c</A>\n</DL>\n";
    assert_eq!(guess(text.as_bytes()).1, Some(Format::Netscape));
    let rows: Vec<ImportRow> = read(Format::Netscape, text).into_iter().map(Result::unwrap).collect();
    let [first, second] = rows.as_slice() else { panic!("two bookmarks") };
    assert_eq!(
        (first.url.clone(), first.title.clone()),
        (some("https://a.example/?x=1&y=2"), some("Tides & boats"))
    );
    assert_eq!((first.tags.join("|"), first.saved_at), ("deep work|one".to_owned(), Some(DAY)));
    assert_eq!((second.title.clone(), second.tags.len(), second.folders.len()), (some("b < c"), 0, 0));
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
        page: Some(12),
        location: some("page 12"),
        ..ImportedHighlight::default()
    };
    assert_eq!(row.highlights, [highlight]);
    assert!(row.extra.is_empty());
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
    let rows = read(
        Format::ReadwiseReaderCsv,
        "Title,URL,ID,Location\nFollowed,https://a.example/1,1, feed \nSaved,https://a.example/2,2,new\n",
    );
    assert_eq!(rows[0], Err(InvalidRow::FeedEntry));
    assert_eq!(rows[1].as_ref().unwrap().status, Some(ImportStatus::Inbox));
}

#[test]
fn instapaper_csv_is_read() {
    let text = "URL,Title,Selection,Folder,Timestamp,Tags\n\
        https://a.example/,A,,Starred,1704067200,\"[\"\"x\"\"]\"\nhttps://b.example/,B,some words,Cooking,1704067200,[]\n";
    assert_eq!(guess(text.as_bytes()).1, Some(Format::InstapaperCsv));
    let rows: Vec<ImportRow> = read(Format::InstapaperCsv, text).into_iter().map(Result::unwrap).collect();
    assert!(rows[0].is_starred && rows[0].folders.is_empty());
    assert_eq!((rows[0].tags.clone(), rows[0].status), (vec!["x".to_owned()], Some(ImportStatus::Inbox)));
    assert_eq!(
        (rows[1].folders.clone(), rows[1].highlights[0].quote.as_str()),
        (folder(&["Cooking"]), "some words")
    );
}

#[test]
fn raindrop_csv_is_read() {
    let row = only(
        Format::RaindropCsv,
        "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n\
         7,T,mine,theirs,https://a.example/,Work,\"a, b\",2024-01-01T00:00:00.000Z,,\"Highlight:one\ntwo\nNote:n\n\nHighlight:three\",true\n",
    );
    assert_eq!((row.source_id, row.note, row.folders), (some("7"), some("mine"), folder(&["Work"])));
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
    assert!(rows[4].is_ok(), "the last row is whole");
    assert_eq!(rows[5..], [Err(InvalidRow::Truncated)]);
    let cut = read(Format::WallabagJson, r#"[{"id":1,"url":"https://a.example/"},{"id":2,"url":"https://"#);
    assert_eq!((cut.len(), cut[0].is_ok(), &cut[1]), (2, true, &Err(InvalidRow::Truncated)));
    let deep = format!("[{}{},{{\"id\":3,\"url\":\"u\"}}]", "[".repeat(5000), "]".repeat(5000));
    let rows = read(Format::WallabagJson, &deep);
    assert_eq!(rows[0], Err(InvalidRow::Malformed));
    assert!(rows[1].is_ok());
    let rows = read(Format::PocketCsv, "title,url,time_added,tags,status\n,,,,\nT,u\n");
    assert_eq!(rows[0], Err(InvalidRow::Empty));
    assert_eq!(rows[1].as_ref().unwrap().url, some("u"));
}

#[test]
fn oversized_row_is_reported_and_next_row_is_read() {
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
        assert_eq!(guess(text.as_bytes()), (ImportContainer::Plain, None), "{text}");
    }
    assert_eq!(guess(b"PK\x03\x04"), (ImportContainer::Zip, None));
}

/// Valid rows of a file, whose format is detected as `format`.
fn detected(format: Format, text: &str) -> Vec<ImportRow> {
    assert_eq!(guess(text.as_bytes()), (ImportContainer::Plain, Some(format)), "{text}");
    let rows = read(format, text);
    rows.into_iter().filter_map(Result::ok).collect()
}

#[test]
fn bookmark_description_retains_lines_and_links() {
    let text = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n\
        <DT><A HREF=\"https://a.example/1\" TAGS=\"two,linkding:bookmarks.archived\">a < b and c > d</A>\n\
        <DD>About it[linkding-notes]# Notes\n\n\n* in **Markdown**\n  * nested[/linkding-notes]\n\
        <DT><A HREF=\"https://a.example/2\" DATA-IMPORTANT=\"true\">Two</A>\n\
        <DD>text with <b>bold</b>, a <a href=\"https://a.example/in\">link</a> and<br>a break, 1 <2\n</DL>";
    let rows = detected(Format::Netscape, text);
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (rows[0].title.as_deref(), rows[0].status),
        (Some("a < b and c > d"), Some(ImportStatus::Archive))
    );
    assert_eq!(rows[0].note.as_deref(), Some("About it\n\n# Notes\n\n* in **Markdown**\n  * nested"));
    assert_eq!(rows[0].tags, ["two"]);
    assert_eq!(
        rows[1].note.as_deref(),
        Some("text with bold, a link (https://a.example/in) and\na break, 1 <2")
    );
    assert!(rows[1].is_starred);
}

#[test]
fn reading_lists_and_roots_of_browsers_do_not_become_folders() {
    let text = "<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Bookmarks</H1>\
        <DT><H3 FOLDED id=\"com.apple.ReadingList\">Reading List</H3><DL><p>\
        <DT><A HREF=\"https://a.example/1\">One</A></DL><p>\
        <DL><p><DT><H3 PERSONAL_TOOLBAR_FOLDER=\"true\">Bar</H3><DL><p><DT><H3>Rezepte / K\u{fc}che</H3><DL><p>\
        <DT><A HREF=\"https://a.example/2\">Two</A></DL></DL></DL>";
    let rows = detected(Format::Netscape, text);
    assert_eq!((rows[0].status, rows[0].folders.len()), (Some(ImportStatus::Later), 0));
    assert_eq!(
        (rows[1].folders.clone(), json!(rows[1].extra)),
        (folder(&["Rezepte / K\u{fc}che"]), json!({"root": "Bar"}))
    );
    let named = "<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Bookmarks</H1><DL><p><DT><H3>Work</H3><DL><p>\
        <DT><H3>Archive</H3><DL><p><DT><A HREF=\"https://a.example/3\">Three</A></DL><p>\
        <DT><H3>Unread</H3><DL><p><DT><A HREF=\"https://a.example/4\">Four</A></DL></DL></DL>";
    let rows = detected(Format::Netscape, named);
    assert_eq!((rows[0].status, rows[0].folders.clone()), (None, folder(&["Work", "Archive"])));
    assert_eq!((rows[1].status, rows[1].folders.clone()), (None, folder(&["Work", "Unread"])));
    let instapaper = "<html><head><title>Instapaper: Export</title></head><h1>Unread</h1><ol><li><a href=\"https://a.example/1\">\
        One</a></ol><h1>Archive</h1><ol><li><a href=\"https://a.example/2\">Two</a></ol>";
    let statuses: Vec<_> = detected(Format::Netscape, instapaper).iter().map(|row| row.status).collect();
    assert_eq!(statuses, [Some(ImportStatus::Inbox), Some(ImportStatus::Archive)]);
    let pocket = "<title>Pocket Export</title><h1>Unread</h1><ul><li><a href=\"https://a.example/1\" time_added=\"1\">One</a></ul>";
    assert_eq!(detected(Format::Netscape, pocket)[0].status, Some(ImportStatus::Later));
    let page = "<html><ul><li><a href=\"https://a.example/\">A page, and no bookmarks</a></ul>";
    assert_eq!(guess(page.as_bytes()).1, None);
    assert_eq!(describe_unknown(page.as_bytes()), UnknownFile::Page);
    assert_eq!(describe_unknown(b"<?xml version='1.0'?><opml version='2.0'>"), UnknownFile::Opml);
    assert_eq!(describe_unknown(b"\x89PNG\r\n\x1a\n\0\0\0\0"), UnknownFile::Binary);
    assert_eq!(describe_unknown(b"<?xml version='1.0'?><rss version='2.0'><channel>"), UnknownFile::Feed);
    let epub = [&b"PK\x03\x04"[..], &[0; 26], b"mimetypeapplication/epub+zip"].concat();
    for document in [epub.as_slice(), b"%PDF-1.7\n1 0 obj"] {
        assert_eq!(guess(document), (ImportContainer::Plain, None));
        assert_eq!(describe_unknown(document), UnknownFile::Document);
    }
}

#[test]
fn bookmark_trees_of_browsers_are_read() {
    let firefox = r#"{"guid":"root________","type":"text/x-moz-place-container","root":"placesRoot","children":[
        {"guid":"toolbar_____","title":"toolbar","type":"text/x-moz-place-container","root":"toolbarFolder","children":[
        {"guid":"f","title":"Cooking","type":"text/x-moz-place-container","children":[
        {"guid":"a","title":"Bread","dateAdded":1704067200000000,"type":"text/x-moz-place","uri":"https://a.example/1","tags":"x,y",
        "annos":[{"name":"bookmarkProperties/description","value":"mine"}]}]}]}]}"#;
    let row = &detected(Format::FirefoxJson, firefox)[0];
    assert_eq!(
        (row.title.as_deref(), row.saved_at, row.note.as_deref()),
        (Some("Bread"), Some(DAY), Some("mine"))
    );
    assert_eq!((row.tags.len(), row.folders.clone()), (2, folder(&["Cooking"])));
    let cut = read(Format::FirefoxJson, &firefox[..firefox.len() - 6]);
    assert_eq!((cut.len(), cut[0].is_ok(), &cut[1]), (2, true, &Err(InvalidRow::Truncated)));
    let chrome = r#"{"checksum":"0","roots":{"bookmark_bar":{"children":[{"children":[{"date_added":"13348540800000000",
        "guid":"b","name":"One","type":"url","url":"https://a.example/1"}],"guid":"c","name":"Work","type":"folder"}],"name":"bar",
        "type":"folder"}},"version":1}"#;
    let row = &detected(Format::ChromeJson, chrome)[0];
    assert_eq!(
        (row.title.as_deref(), row.saved_at, row.folders.clone()),
        (Some("One"), Some(DAY), folder(&["Work"]))
    );
}

#[test]
fn tags_of_older_firefox_backups_and_descriptions_of_vivaldi_are_read() {
    let firefox = r#"{"guid":"root________","root":"placesRoot","type":"text/x-moz-place-container","children":[
        {"guid":"tags________","root":"tagsFolder","type":"text/x-moz-place-container","children":[{"title":"old tag","children":[
        {"type":"text/x-moz-place","uri":"https://a.example/1","title":"One"}]}]},
        {"guid":"menu________","root":"bookmarksMenuFolder","children":[{"title":"Mine","annos":[{"name":
        "bookmarkProperties/description","value":"folder words"}],"children":[{"type":"text/x-moz-place","uri":"https://a.example/1",
        "title":"One","postData":"q=%s"}]}]}]}"#;
    let rows = detected(Format::FirefoxJson, firefox);
    assert_eq!((rows[0].tags.clone(), rows[0].folders.len()), (vec!["old tag".to_owned()], 0));
    assert_eq!(rows[1].folders, folder(&["Mine"]));
    assert_eq!(json!(rows[1].extra), json!({"postData": "q=%s", "folder_description": "folder words"}));
    let vivaldi = r#"{"roots":{"bookmark_bar":{"children":[{"date_added":"0","date_last_used":"0","meta_info":{"Description":"words",
        "Nickname":"n","Thumbnail":"x"},"name":"V","type":"url","url":"https://a.example/2"}],"name":"bar"}}}"#;
    let row = &detected(Format::ChromeJson, vivaldi)[0];
    assert_eq!(
        (row.note.as_deref(), json!(row.extra)),
        (Some("words"), json!({"Nickname": "n", "root": "bar"}))
    );
}

#[test]
fn each_line_with_a_json_object_is_a_row() {
    let lines = "{\"url\":\"https://a.example/1\",\"title\":\"One\",\"tags\":[\"x\"]}\n{\"url\":\"https://a.example/2\"}\n{\"a\":1}\n";
    let rows = detected(Format::Json, lines);
    let urls: Vec<_> = rows.iter().map(|row| row.url.as_deref()).collect();
    assert_eq!(urls, [Some("https://a.example/1"), Some("https://a.example/2")]);
    assert_eq!(rows[0].tags, ["x"]);
    let list = r#"{"url":"https://a.example/api","items":[{"url":"https://a.example/1"}]}"#;
    assert_eq!(read(Format::Json, list).len(), 1, "the object has a list of rows");
    let cut = read(Format::Json, &lines[..lines.len() - 20]);
    assert_eq!((cut.len(), cut.last()), (2, Some(&Err(InvalidRow::Truncated))));
}

#[test]
fn values_of_newer_exports_are_read() {
    let reader = "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Document note,Published date\n\
        T,https://a.example/1,01a,[],2024-01-01 00:00:00+00:00,0,new,mine,2023-12-01\n";
    let row = &detected(Format::ReadwiseReaderCsv, reader)[0];
    assert_eq!((row.note.as_deref(), row.published_at.as_deref()), (Some("mine"), Some("2023-12-01")));
    let api = r#"{"results":[{"id":"d","source_url":"https://a.example/1","reading_progress":0,"published_date":1704067200000},
        {"id":"h","category":"highlight","parent_id":"d","content":"marked","tags":{"t":{"name":"t"}},"source_url":null,"reading_progress":0}]}"#;
    let rows = detected(Format::ReadwiseReaderJson, api);
    assert_eq!(rows[0].published_at.as_deref(), Some("2024-01-01T00:00:00+00:00"));
    assert_eq!(rows[1].highlights[0].tags, ["t"]);
    let asset = r#"{"bookmarks":[{"createdAt":1704067200,"title":"T","tags":[],"note":"n","content":{"type":"asset","assetType":"image",
        "assetId":"a1","fileName":"p.png","sourceUrl":"https://a.example/p.png"}}]}"#;
    let row = &detected(Format::KarakeepJson, asset)[0];
    assert_eq!(row.left_out, ["file p.png"]);
    let content = json!({"assetType": "image", "assetId": "a1", "sourceUrl": "https://a.example/p.png"});
    assert_eq!(json!(row.extra), json!({"content": content}));
    let koreader = r#"{"title":"Desk","authors":"M. Ellison","entries":[{"page":"3","text":"marked","drawer":"underscore","pos0":"/x"}]}"#;
    let row = &detected(Format::KoreaderJson, koreader)[0];
    assert_eq!((row.author.as_deref(), row.highlights[0].page), (Some("M. Ellison"), Some(3)));
    assert_eq!(json!(row.highlights[0].extra), json!({"drawer": "underscore"}));
    let goodlinks = r#"[{"addedAt":1704067200.5,"url":"https://a.example/1","readAt":1704067200.5,"highlights":[{"content":"marked",
        "note":"n","time":1704067200}]}]"#;
    let row = &detected(Format::GoodlinksJson, goodlinks)[0];
    assert_eq!((row.highlights[0].quote.as_str(), row.highlights[0].created_at), ("marked", Some(DAY)));
    assert_eq!(json!(row.extra), json!({"readAt": 1_704_067_200.5}));
    let page_note = r#"[{"id":"r1","created":"2024-01-01T00:00:00+00:00","uri":"https://a.example/1","text":"on the page","tags":[],
        "document":{"title":["H"]},"target":[{"source":"https://a.example/1"}]}]"#;
    let row = &detected(Format::HypothesisJson, page_note)[0];
    assert_eq!(row.highlights[0].note.as_deref(), Some("on the page"));
    let german = "Titel;Adresse;Schlagw\u{f6}rter;Ordner;Notiz;Erstellt\nEins;https://a.example/1;rot,blau;Büro;Wort;01.01.2024\n";
    let row = &detected(Format::Csv, german)[0];
    assert_eq!(
        (row.title.as_deref(), row.note.as_deref(), row.saved_at),
        (Some("Eins"), Some("Wort"), Some(DAY))
    );
    assert_eq!((row.tags.len(), row.folders.clone()), (2, folder(&["B\u{fc}ro"])));
    let diigo = "title,url,tags,description,comments,annotations,created_at\n\
        D,https://a.example/1,\"\"\"two words\"\" one\",,,\"Highlight: marked\nNote: why\",2024-01-01 00:00:00 UTC\n";
    let row = &detected(Format::Csv, diigo)[0];
    assert_eq!((row.tags.clone(), row.saved_at), (vec!["two words".to_owned(), "one".to_owned()], Some(DAY)));
    assert_eq!(
        (row.highlights[0].quote.as_str(), row.highlights[0].note.as_deref()),
        ("marked", Some("why"))
    );
}

#[test]
fn clippings_in_japanese_and_chinese_have_notes_and_times() {
    let text = "\u{9759}\u{304b}\u{306a}\u{673a} (\u{30a8})\r\n- 12\u{30da}\u{30fc}\u{30b8}|\u{4f4d}\u{7f6e}No. 180-182\u{306e}\u{30cf}\u{30a4}\u{30e9}\u{30a4}\u{30c8} \
        |\u{4f5c}\u{6210}\u{65e5}: 2024\u{5e74}1\u{6708}1\u{65e5}\u{6708}\u{66dc}\u{65e5} 00:00:00\r\n\r\nFirst\r\n==========\r\n\
        \u{9759}\u{304b}\u{306a}\u{673a} (\u{30a8})\r\n- 12\u{30da}\u{30fc}\u{30b8}|\u{4f4d}\u{7f6e}No. 182\u{306e}\u{30e1}\u{30e2} |\u{4f5c}\u{6210}\u{65e5}: \
        2024\u{5e74}1\u{6708}1\u{65e5}\u{6708}\u{66dc}\u{65e5} 00:01:00\r\n\r\nthought\r\n==========\r\n\
        \u{5b89}\u{9759} (\u{57c3})\r\n- \u{60a8}\u{5728}\u{4f4d}\u{7f6e} #182\u{7684}\u{7b14}\u{8bb0} | \u{6dfb}\u{52a0}\u{4e8e} 2024\u{5e74}1\u{6708}1\u{65e5}\u{661f}\u{671f}\u{4e00} \
        \u{4e0b}\u{5348}10:16:00\r\n\r\nalone\r\n==========\r\n";
    let rows = detected(Format::KindleClippings, text);
    assert_eq!(rows.len(), 2, "{rows:#?}");
    let highlight = &rows[0].highlights[0];
    assert_eq!((highlight.note.as_deref(), highlight.created_at), (Some("thought"), Some(DAY)));
    let note = &rows[1].highlights[0];
    assert_eq!((note.quote.as_str(), note.note.as_deref()), ("", Some("alone")));
    assert_eq!(note.created_at, Some(DAY + (22 * 60 + 16) * 60_000));
}

#[test]
fn lists_and_collections_become_folders() {
    let karakeep = r#"{"bookmarks":[{"createdAt":1704067200,"title":"T","tags":[],"lists":["l2"],"content":{"type":"link",
        "url":"https://a.example/1"}}],"lists":[{"id":"l1","name":"Recipes","parentId":null},{"id":"l2","name":"Bread","parentId":"l1"}]}"#;
    let mut rows = ImportFileReader::new(Format::KarakeepJson).unwrap();
    assert!(rows.needs_first_pass());
    rows.first_pass(karakeep.as_bytes());
    let mut results = Vec::new();
    rows.push(karakeep.as_bytes(), &mut |row| results.push(row.unwrap()));
    assert_eq!(results[0].folders, folder(&["Recipes", "Bread"]));
    let linkwarden = r#"{"name":"me","collections":[{"id":1,"name":"Tech","parentId":null,"links":[{"id":5,"name":"A link","type":"url",
        "description":"about it","url":"https://a.example/1","createdAt":"2024-01-01T00:00:00.000Z","tags":[{"id":1,"name":"dev"}]}]},
        {"id":2,"name":"Front","parentId":1,"links":[{"id":6,"name":"B","url":"https://a.example/2","tags":[]}]}],"pinnedLinks":[]}"#;
    let rows = detected(Format::LinkwardenJson, linkwarden);
    assert_eq!(
        (rows[0].title.as_deref(), rows[0].note.as_deref(), rows[0].saved_at),
        (Some("A link"), Some("about it"), Some(DAY))
    );
    assert_eq!(
        (rows[0].tags.clone(), rows[1].folders.clone()),
        (vec!["dev".to_owned()], folder(&["Tech", "Front"]))
    );
}

#[test]
fn bookmark_exports_of_other_services_are_read() {
    let pinboard = r#"[{"href":"https://a.example/1","description":"Title","extended":"Notes","time":"2024-01-01T00:00:00Z",
        "shared":"no","toread":"yes","tags":"one two"}]"#;
    let row = &detected(Format::PinboardJson, pinboard)[0];
    assert_eq!(
        (row.title.as_deref(), row.note.as_deref(), row.status),
        (Some("Title"), Some("Notes"), Some(ImportStatus::Later))
    );
    assert_eq!((row.tags.len(), row.saved_at, json!(row.extra)), (2, Some(DAY), json!({"shared": "no"})));
    let delicious = r#"[{"title":"D","tags":["a",""],"url":"https://a.example/1","description":"desc","created":"1704067200","private":"0"}]"#;
    let row = &detected(Format::DeliciousJson, delicious)[0];
    assert_eq!((row.saved_at, row.note.as_deref(), row.tags.len()), (Some(DAY), Some("desc"), 1));
    let goodlinks = r#"[{"addedAt":1704067200.5,"url":"https://a.example/1","title":"GL","tags":["a"],"starred":true,"readAt":1704067200.5}]"#;
    let row = &detected(Format::GoodlinksJson, goodlinks)[0];
    assert_eq!((row.is_starred, row.status, row.progress), (true, Some(ImportStatus::Archive), Some(100)));
    let matter = "Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight_Count,Last Interaction Date,File Id\n\
        M,A. Writer,Paper,https://a.example/1,a;b,900,False,True,True,0,2024-01-01 00:00:00,\n";
    let row = &detected(Format::MatterCsv, matter)[0];
    assert_eq!((row.is_starred, row.status, row.saved_at), (true, Some(ImportStatus::Archive), Some(DAY)));
    assert_eq!((row.author.as_deref(), row.tags.len()), (Some("A. Writer"), 2));
    let mymind = "id,type,title,url,content,note,tags,created\n2,Note,,,Just words,,z,2024-01-01T00:00:00Z\n";
    let row = &detected(Format::MymindCsv, mymind)[0];
    assert_eq!(row.content.as_ref().map(|content| content.text.as_str()), Some("Just words"));
    let wallabag = "\"Title\";\"URL\";\"Content\";\"Tags\";\"MIME Type\";\"Language\";\"Creation date\"\n\
        \"Un article\";\"https://a.example/1\";\"<p>Texte</p>\";\"lecture, \u{e9}t\u{e9}\";\"text/html\";\"fr\";\"2024-01-01\"\n";
    let row = &detected(Format::WallabagCsv, wallabag)[0];
    assert_eq!((row.tags.len(), row.content.is_some()), (2, true));
    let wallabag1 = r#"[{"id":"1","title":"T","url":"https://a.example/1","is_read":"1","is_fav":"1","content":
        "<p>wallabag can't retrieve contents for this article.</p>","tags":"a,b"}]"#;
    let row = &detected(Format::WallabagJson, wallabag1)[0];
    assert_eq!((row.is_starred, row.status, row.tags.len()), (true, Some(ImportStatus::Archive), 2));
    assert_eq!(row.content, None, "the placeholder is no text");
}

#[test]
fn annotations_are_read() {
    let readwise = r#"{"count":1,"results":[{"user_book_id":123,"title":"The Quiet Desk","author":"M. Ellison","asin":"B00X",
        "book_tags":[{"id":1,"name":"essays"}],"document_note":"About it","highlights":[{"id":456,"text":"First passage","location":120,
        "note":"A thought","color":"yellow","highlighted_at":"2024-01-01T00:00:00Z","tags":[{"id":2,"name":"idea"}]}]}]}"#;
    let row = &detected(Format::ReadwiseJson, readwise)[0];
    assert_eq!(
        (row.source_id.as_deref(), row.note.as_deref(), row.tags.len()),
        (Some("B00X"), Some("About it"), 1)
    );
    let highlight = &row.highlights[0];
    assert_eq!(
        (highlight.quote.as_str(), highlight.location.as_deref(), highlight.created_at),
        ("First passage", Some("120"), Some(DAY))
    );
    let without_passage = "Highlight,Book Title,Book Author,Note,Location Type,Location\n,Desk,M. Ellison,A note without passage,page,14\n";
    let row = &detected(Format::ReadwiseCsv, without_passage)[0];
    assert_eq!(
        (row.highlights[0].note.as_deref(), row.highlights[0].page),
        (Some("A note without passage"), Some(14))
    );
    let reader = r#"{"results":[{"id":"01g","url":"https://read.example/01g","source_url":"https://a.example/1","title":"T","location":"later",
        "tags":{"deep":{"name":"deep"}},"saved_at":"2024-01-01T00:00:00+00:00","notes":"mine","reading_progress":0.15},
        {"id":"02g","url":"https://read.example/02g","source_url":"https://a.example/2","location":"feed","reading_progress":0}]}"#;
    let rows = read(Format::ReadwiseReaderJson, reader);
    let row = rows[0].as_ref().unwrap();
    assert_eq!(
        (row.url.as_deref(), row.progress, row.status),
        (Some("https://a.example/1"), Some(15), Some(ImportStatus::Later))
    );
    assert_eq!((row.tags.clone(), &rows[1]), (vec!["deep".to_owned()], &Err(InvalidRow::FeedEntry)));
    let pocket = r#"[{"url":"https://a.example/1","title":"A","highlights":[{"quote":"marked words","created_at":1704067200}]}]"#;
    assert_eq!(detected(Format::PocketAnnotationsJson, pocket)[0].highlights[0].created_at, Some(DAY));
    let hypothesis = r#"{"total":1,"rows":[{"id":"abc","created":"2024-01-01T00:00:00+00:00","uri":"https://a.example/1","text":"comment",
        "tags":["t"],"document":{"title":["Page"]},"target":[{"source":"https://a.example/1","selector":[{"type":"TextQuoteSelector",
        "exact":"marked words","prefix":"before ","suffix":" after"}]}]}]}"#;
    let row = &detected(Format::HypothesisJson, hypothesis)[0];
    let highlight = &row.highlights[0];
    assert_eq!(
        (row.title.as_deref(), highlight.quote.as_str(), highlight.prefix.as_str()),
        (Some("Page"), "marked words", "before ")
    );
    let koreader = r#"{"created_on":1,"documents":[{"title":"Desk","author":"M. Ellison","entries":[{"chapter":"One","page":12,
        "time":1704067200,"drawer":"lighten","text":"First passage","note":"my thought"}]}]}"#;
    let highlight = &detected(Format::KoreaderJson, koreader)[0].highlights[0];
    assert_eq!(
        (highlight.page, highlight.note.as_deref(), highlight.created_at),
        (Some(12), Some("my thought"), Some(DAY))
    );
    let kobo = "<?xml version=\"1.0\"?><annotationSet xmlns:dc=\"x\"><publication><dc:identifier>urn:1</dc:identifier><dc:title>Desk\
        </dc:title></publication><annotation><dc:date>2024-01-01T00:00:00Z</dc:date><target><fragment start=\"a\"><text>First &amp; only\
        </text></fragment></target><content><text>my thought</text></content></annotation></annotationSet>";
    let highlight = &detected(Format::AdobeAnnotations, kobo)[0].highlights[0];
    assert_eq!((highlight.quote.as_str(), highlight.note.as_deref()), ("First & only", Some("my thought")));
    let cut = kobo.replace("</annotationSet>", "<annotation><target>");
    let rows = read(Format::AdobeAnnotations, &cut);
    assert_eq!((rows[0].is_ok(), rows[1].clone()), (true, Err(InvalidRow::Truncated)));
}

#[test]
fn clippings_of_a_kindle_are_read_in_its_languages() {
    let text = "\u{feff}The Quiet Desk (M. Ellison)\r\n- Your Highlight on page 12 | Location 180-182 | Added on Monday, January 1, 2024 \
        12:00:00 AM\r\n\r\nFirst passage\r\n==========\r\nThe Quiet Desk (M. Ellison)\r\n- Your Note on page 12 | Location 182 | Added on \
        Monday, January 1, 2024 12:01:00 AM\r\n\r\nmy thought\r\n==========\r\nDas Buch (Autor)\r\n- Ihre Markierung auf Seite 3 | Position \
        30-31 | Hinzugef\u{fc}gt am Montag, 1. Januar 2024 00:00:00\r\n\r\nZweite Stelle\r\n==========\r\n";
    let rows = detected(Format::KindleClippings, text);
    assert_eq!(rows.len(), 2, "{rows:#?}");
    let highlight = &rows[0].highlights[0];
    assert_eq!(
        (rows[0].title.as_deref(), rows[0].author.as_deref()),
        (Some("The Quiet Desk"), Some("M. Ellison"))
    );
    assert_eq!((highlight.quote.as_str(), highlight.note.as_deref()), ("First passage", Some("my thought")));
    assert_eq!(highlight.created_at, Some(DAY));
    assert_eq!(rows[1].highlights[0].quote, "Zweite Stelle");
}

#[test]
fn note_of_a_clipping_belongs_to_the_passage_with_its_last_position() {
    let clipping = |about: &str, words: &str| {
        format!(
            "Das Buch (Autor)\r\n- {about} | Hinzugef\u{fc}gt am Montag, 1. Januar 2024 00:00:00\r\n\r\n{words}\r\n==========\r\n"
        )
    };
    let text = [
        clipping("Ihre Markierung auf Seite 3 | bei Position 1230-38", "One"),
        clipping("Ihre Markierung auf Seite 4 | bei Position 1250-1252", "Two"),
        clipping("Ihre Markierung auf Seite 4 | bei Position 1251-1252", "Three"),
        clipping("Ihr Lesezeichen auf Seite 4 | bei Position 1252", ""),
        clipping("Ihre Notiz auf Seite 3 | bei Position 1238", "of one"),
        clipping("Ihre Notiz auf Seite 4 | bei Position 1252", "of two or three"),
    ];
    let rows = read(Format::KindleClippings, &text.concat());
    let parts = |row: &ImportRow| (row.highlights[0].quote.clone(), row.highlights[0].note.clone());
    let imported: Vec<_> = rows.iter().flatten().map(parts).collect();
    let expected = [("One", some("of one")), ("Two", None), ("Three", None), ("", some("of two or three"))];
    assert_eq!(imported, expected.map(|(quote, note)| (quote.to_owned(), note)));
    assert_eq!((rows.len(), rows[3].clone()), (5, Err(InvalidRow::PageMark)));
}

#[test]
fn files_of_reference_managers_are_read() {
    let csl = r#"[{"id":"e2020","type":"article-journal","title":"On Desks","DOI":"10.5555/1","author":[{"family":"Ellison","given":"M."}],
        "issued":{"date-parts":[[2020,5,1]]},"note":"mine"}]"#;
    let row = &detected(Format::CslJson, csl)[0];
    assert_eq!(
        (row.url.as_deref(), row.author.as_deref()),
        (Some("https://doi.org/10.5555/1"), Some("M. Ellison"))
    );
    assert_eq!((row.published_at.as_deref(), row.note.as_deref()), (Some("2020-05-01"), Some("mine")));
    let bibtex = "@article{e2020,\n\ttitle = {On {Desks} and {\\\"U}bung},\n\tauthor = {Ellison, M. and {\\'E}tienne, B.},\n\t\
        url = {https://a.example/1},\n\tyear = {2020},\n\tkeywords = {desk, craft},\n}\n@book{x, title=\"Y\", year=2020";
    let rows = read(Format::Bibtex, bibtex);
    assert_eq!(guess(bibtex.as_bytes()).1, Some(Format::Bibtex));
    let row = rows[0].as_ref().unwrap();
    assert_eq!((row.title.as_deref(), row.tags.len()), (Some("On Desks and \u{dc}bung"), 2));
    assert_eq!(row.author.as_deref(), Some("Ellison, M.; \u{c9}tienne, B."));
    assert_eq!(rows[1], Err(InvalidRow::Truncated));
    let ris = "TY  - JOUR\nTI  - On Desks\nAU  - Ellison, M.\nAU  - Two, B.\nPY  - 2020\nUR  - https://a.example/1\nKW  - desk\n\
        KW  - craft\nN1  - my note\nER  - \n";
    let row = &detected(Format::Ris, ris)[0];
    assert_eq!(
        (row.author.as_deref(), row.tags.len(), row.note.as_deref()),
        (Some("Ellison, M.; Two, B."), 2, Some("my note"))
    );
    let long = format!("{}ER  - \n{ris}", "ZZ  - x\n".repeat(2_000));
    let rows = read(Format::Ris, &long);
    assert_eq!((rows.len(), rows[0].clone()), (2, Err(InvalidRow::TooLong)));
    assert_eq!(rows[1].as_ref(), Ok(row));
    let zotero = "\"Key\",\"Item Type\",\"Author\",\"Title\",\"Url\",\"DOI\",\"Date\",\"Date Added\",\"Manual Tags\"\n\
        \"ABCD\",\"journalArticle\",\"Ellison, M.\",\"On Desks\",\"\",\"10.5555/1\",\"2020-05-01\",\"2024-01-01 00:00:00\",\"desk; craft\"\n";
    let row = &detected(Format::ZoteroCsv, zotero)[0];
    assert_eq!(
        (row.url.as_deref(), row.saved_at, row.tags.len()),
        (Some("https://doi.org/10.5555/1"), Some(DAY), 2)
    );
}

#[test]
fn plain_lists_and_tables_of_urls_are_read() {
    let list = "https://a.example/1 | First tab\n\n- https://a.example/2\n* [Third](https://a.example/3)\n";
    let rows = detected(Format::UrlList, list);
    let titles: Vec<_> = rows.iter().map(|row| row.title.as_deref()).collect();
    assert_eq!(titles, [Some("First tab"), None, Some("Third")]);
    let list = "# Reading\n\n- [One](https://a.example/1) - first\n- [Two [x]](https://a.example/2_(a))\n## Later\n* https://a.example/3\n";
    let rows = detected(Format::UrlList, list);
    assert_eq!((rows[0].note.as_deref(), rows[0].folders.clone()), (Some("first"), folder(&["Reading"])));
    assert_eq!(rows[1].url.as_deref(), Some("https://a.example/2_(a)"));
    assert_eq!((rows[1].title.as_deref(), rows[2].folders.clone()), (Some("Two [x]"), folder(&["Later"])));
    let table =
        "url,title,state,created,labels\nhttps://a.example/1,One,archived,2024-01-01T00:00:00Z,\"a,b\"\n";
    let row = &detected(Format::Csv, table)[0];
    assert_eq!((row.status, row.saved_at, row.tags.len()), (Some(ImportStatus::Archive), Some(DAY), 2));
    let own = "id,url,title,author,publishedAt,savedAt,status,tags,contentKind,readProgress,lastReadAt,externalId\n\
        1,https://a.example/1,'=One,,,2024-01-01T00:00:00.000Z,later,\"a, b\",article,40,,\n";
    let row = &detected(Format::Csv, own)[0];
    assert_eq!(
        (row.title.as_deref(), row.status, row.progress),
        (Some("=One"), Some(ImportStatus::Later), Some(40))
    );
    let json = r#"{"bookmarks":[{"article__url":"https://a.example/1","article__title":"T","date_added":"2024-01-01","favorite":true}]}"#;
    let row = &detected(Format::Json, json)[0];
    assert_eq!((row.title.as_deref(), row.is_starred, row.saved_at), (Some("T"), true, Some(DAY)));
    let semicolons = "title;url;time_added;tags;status\nSemi;https://a.example/1;1704067200;a|b;unread\n";
    let row = &detected(Format::PocketCsv, semicolons)[0];
    assert_eq!((row.tags.len(), row.status), (2, Some(ImportStatus::Later)));
    let archived = "URL,Title,Selection,Folder\nhttps://a.example/1,One,,Archive\n";
    assert_eq!(detected(Format::InstapaperCsv, archived)[0].status, Some(ImportStatus::Archive));
    let collection = "id,title,note,excerpt,url,tags,created,cover,highlights,favorite\n103,One,,,https://a.example/3,\"x, y\",2024-01-01T00:00:00.000Z,,,true\n";
    assert!(detected(Format::RaindropCsv, collection)[0].is_starred);
}

#[test]
fn notes_in_markdown_have_front_matter() {
    let text = "---\ntitle: A page\nsource: https://a.example/1\nauthor: A. Writer\ntags: [clip, \"two words\"]\ncreated: 2024-01-01\n---\n\n# A page\n\nWords.\n";
    let row = read(Format::Markdown, text).remove(0).unwrap();
    assert_eq!(
        (row.url.as_deref(), row.title.as_deref(), row.saved_at),
        (Some("https://a.example/1"), Some("A page"), Some(DAY))
    );
    assert_eq!(row.tags, ["clip", "two words"]);
    assert_eq!(row.content.unwrap().media_type, "text/markdown");
    let plain = read(Format::Markdown, "# Plain note\n\nMy own words.\n").remove(0).unwrap();
    assert_eq!((plain.url, plain.title.as_deref()), (None, Some("Plain note")));
}

#[test]
fn values_that_cannot_be_read_are_stored_under_their_names() {
    let pocket = "title,url,time_added,tags,status\nA,https://a.example/1,notadate,,unread\n";
    let row = &detected(Format::PocketCsv, pocket)[0];
    assert_eq!((row.saved_at, json!(row.extra)), (None, json!({"time_added": "notadate"})));
    let bookmarks = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>Work</H3><DD>My own words<DL><p>\
        <DT><A HREF=\"https://a.example/1\" ADD_DATE=\"some day\">A</A></DL></DL>";
    let row = &detected(Format::Netscape, bookmarks)[0];
    assert_eq!(json!(row.extra), json!({"add_date": "some day", "folder_description": "My own words"}));
    assert_eq!(row.folders, folder(&["Work"]));
}

#[test]
fn queue_states_pins_pages_and_dates_of_services_are_read() {
    let matter = "Title,URL,Publisher,In Queue,Favorited,Read\nM,https://a.example/1,,True,False,False\n\
        N,https://a.example/2,,True,False,True\n";
    let statuses: Vec<_> = detected(Format::MatterCsv, matter).iter().map(|row| row.status).collect();
    assert_eq!(statuses, [Some(ImportStatus::Later), Some(ImportStatus::Archive)]);
    let linkwarden = r#"{"collections":[{"id":1,"name":"Tech","links":[{"id":5,"url":"https://a.example/1"},
        {"id":6,"url":"https://a.example/2"}],"rssSubscriptions":[{"url":"https://a.example/feed"}]}],"pinnedLinks":[{"id":6}]}"#;
    let rows = read(Format::LinkwardenJson, linkwarden);
    let stars: Vec<_> = rows.iter().filter_map(|row| row.as_ref().ok()).map(|row| row.is_starred).collect();
    assert_eq!((stars, rows.last()), (vec![false, true], Some(&Err(InvalidRow::Subscription))));
    let wallabag = r#"{"page":1,"_links":{"self":{"href":"x"}},"_embedded":{"items":[{"id":1,"is_archived":1,"url":"https://a.example/1"},
        {"id":2,"is_archived":0,"url":"https://a.example/2"}]}}"#;
    assert_eq!(detected(Format::WallabagJson, wallabag).len(), 2);
    let dated = "Title;URL;Content;Tags;MIME Type;Language;Creation date\nT;https://a.example/1;;;;;03/02/2021 04:05:06\n";
    assert_eq!(detected(Format::WallabagCsv, dated)[0].saved_at, Some(1_612_325_106_000));
    let readwise = r#"{"results":[{"user_book_id":1,"title":"Desk","highlights":[{"text":"A","location":12,"location_type":"page"}]}]}"#;
    let highlight = &detected(Format::ReadwiseJson, readwise)[0].highlights[0];
    assert_eq!((highlight.page, highlight.location.as_deref()), (Some(12), Some("page 12")));
}

#[test]
fn example_of_every_format_is_detected_and_has_the_fields_of_the_format() {
    for row in formats::FORMATS {
        let example = row.example;
        let path = format!("{}/src/imports/examples/{example}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(&path).unwrap();
        if !matches!(row.detection, formats::Detection::Never) {
            assert_eq!(guess(&bytes), (ImportContainer::Plain, Some(row.format)), "{example}");
        }
        // The crate `library` reads the lines of Carrel's own format.
        let Some(mut rows) = ImportFileReader::new(row.format) else { continue };
        let mut imported = Vec::new();
        rows.first_pass(&bytes);
        rows.push(&bytes, &mut |row| imported.extend(row.ok()));
        rows.finish(&mut |row| imported.extend(row.ok()));
        let has = |field: &RowField| imported.iter().any(|row| field.is_in(row));
        let fields: Vec<RowField> = RowField::ALL.iter().copied().filter(has).collect();
        assert_eq!(fields, row.fields, "{example}");
    }
}

#[test]
fn handbook_lists_every_format() {
    let path = format!("{}/../docs/imports.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (_, rest) = text.split_once("<!-- formats -->\n").unwrap();
    let (table, _) = rest.split_once("<!-- /formats -->").unwrap();
    let expected = format_table();
    assert_eq!(table, expected, "replace the table of docs/imports.md by:\n{expected}");
}

#[test]
fn every_format_has_a_label_and_every_foreign_format_has_a_reader() {
    for format in Format::ALL {
        assert!(!format.label().contains('_'), "{format}");
        assert_eq!(ImportFileReader::new(*format).is_none(), *format == Format::SvcJsonl);
    }
}

/// Reads a page after the documents with the names of lists.
fn page(request: &ServerPageRequest, documents: &[serde_json::Value]) -> ServerPage {
    let text: String = documents.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    read_page(text.as_bytes(), request).unwrap()
}

fn first_page(service: ImportService, part: ServerPart) -> ServerPageRequest {
    ServerPageRequest { service, part, cursor: None, since: None, list: None }
}

#[test]
fn api_responses_are_read_like_files() {
    let linkding = r#"{"count":1,"next":null,"previous":null,"results":[{"id":1,"url":"https://a.example/1","title":"","description":"About",
        "notes":"Mine","website_title":"T","is_archived":false,"unread":true,"shared":false,"tag_names":["a","b"],
        "date_added":"2024-01-01T00:00:00Z","date_modified":"2024-01-02T00:00:00Z"}]}"#;
    let row = &detected(Format::LinkdingJson, linkding)[0];
    assert_eq!(
        (row.title.clone(), row.note.clone(), row.saved_at),
        (some("T"), some("About\n\nMine"), Some(DAY))
    );
    assert_eq!((row.status, row.tags.len()), (Some(ImportStatus::Later), 2));
    let readeck = r#"[{"id":"x1","href":"https://r.example/api/bookmarks/x1","url":"https://a.example/1","title":"T","authors":["Ada"],
        "created":"2024-01-01T00:00:00Z","is_deleted":false,"is_marked":true,"is_archived":true,"labels":["a"],"read_progress":40}]"#;
    let row = &detected(Format::ReadeckJson, readeck)[0];
    assert_eq!((row.is_starred, row.status, row.progress), (true, Some(ImportStatus::Archive), Some(40)));
    assert_eq!((row.source_id.clone(), row.author.clone()), (some("x1"), some("Ada")));
    let shiori = r#"{"bookmarks":[{"id":825,"url":"https://a.example/1","title":"https://a.example/1","excerpt":"E","author":"",
        "public":0,"modified":"2024-01-01 00:00:00","imageURL":"","hasContent":true,"hasArchive":true,
        "tags":[{"id":7,"name":"deep work"}],"createArchive":false}],"maxPage":19,"page":1}"#;
    let row = &detected(Format::ShioriJson, shiori)[0];
    assert_eq!((row.title.clone(), row.author.clone(), row.saved_at), (None, None, Some(DAY)));
    assert_eq!((row.source_id.clone(), row.tags.clone()), (some("825"), vec!["deep work".to_owned()]));
    assert_eq!(row.extra["excerpt"], "E");
    let miniflux = r#"{"total":1,"entries":[{"id":7,"feed_id":2,"status":"read","title":"T","url":"https://a.example/1","starred":true,
        "created_at":"2024-01-01T00:00:00Z","content":"<p>short</p>","tags":["a"],
        "feed":{"title":"Feed","username":"ada","password":"s3cret"}}]}"#;
    let row = &detected(Format::MinifluxJson, miniflux)[0];
    assert_eq!(
        (row.is_starred, row.status, row.content.is_none()),
        (true, Some(ImportStatus::Archive), true)
    );
    assert!(row.extra["feed"] == "Feed" && !format!("{row:?}").contains("s3cret"), "{row:?}");
    let reader = format!(
        r#"{{"id":"user/-/state/com.google/starred","items":[{{"id":"tag:google.com,2005:reader/item/1","crawlTimeMsec":"1704067200000",
        "published":1704067200,"title":"T","canonical":[{{"href":"https://a.example/1"}}],"alternate":[{{"href":"https://b.example/1"}}],
        "categories":["user/-/state/com.google/starred","user/-/label/Tech"],"origin":{{"streamId":"feed/5","title":"Feed"}},
        "summary":{{"content":"{}"}}}}]}}"#,
        "Words ".repeat(500)
    );
    let row = &detected(Format::GoogleReaderJson, &reader)[0];
    assert_eq!((row.url.clone(), row.saved_at), (some("https://a.example/1"), Some(DAY)));
    assert_eq!(
        (row.tags.clone(), row.is_starred, row.content.is_some()),
        (vec!["Tech".to_owned()], true, true)
    );
    let raindrop = r#"{"result":true,"items":[{"_id":5,"link":"https://a.example/1","title":"T","excerpt":"E","note":"N","tags":["a"],
        "important":true,"created":"2024-01-01T00:00:00.000Z","lastUpdate":"2024-01-02T00:00:00.000Z","collection":{"$id":-1},
        "highlights":[{"_id":"h1","text":"marked","note":"mine","color":"red","created":"2024-01-01T00:00:00.000Z"}]}]}"#;
    let row = &detected(Format::RaindropJson, raindrop)[0];
    assert_eq!((row.source_id.clone(), row.note.clone(), row.is_starred), (some("5"), some("N"), true));
    let highlight = &row.highlights[0];
    assert_eq!((highlight.source_id.clone(), highlight.created_at), (some("h1"), Some(DAY)));
}

#[test]
fn position_of_the_next_server_page_is_read() {
    let next = |service, cursor: Option<&str>, document: serde_json::Value| {
        let cursor = cursor.map(str::to_owned);
        let request = ServerPageRequest { cursor, ..first_page(service, ServerPart::Items) };
        page(&request, &[document]).end.next
    };
    assert_eq!(next(ImportService::Karakeep, None, json!({"bookmarks": [], "nextCursor": "c2"})), some("c2"));
    assert_eq!(next(ImportService::Karakeep, Some("c2"), json!({"bookmarks": [], "nextCursor": null})), None);
    let wallabag = |page: u64| json!({"page": page, "pages": 2, "_embedded": {"items": []}});
    assert_eq!(next(ImportService::Wallabag, None, wallabag(1)), some("2"));
    assert_eq!(next(ImportService::Wallabag, Some("2"), wallabag(2)), None);
    let linkding =
        json!({"next": "https://l.example/?offset=101", "results": [{"url": "https://a.example/"}]});
    assert_eq!(next(ImportService::Linkding, Some("100"), linkding), some("101"));
    let entries: Vec<_> = (1..=50).map(|id| json!({"id": id, "url": "https://a.example/"})).collect();
    assert_eq!(next(ImportService::Miniflux, None, json!({"entries": entries})), some("50"));
    assert_eq!(next(ImportService::Miniflux, None, json!({"entries": null})), None);
    assert_eq!(next(ImportService::Raindrop, Some("3"), json!({"items": entries})), some("4"));
    assert_eq!(next(ImportService::Readeck, None, json!([])), None);
    let repeated =
        ServerPageRequest { cursor: some("c2"), ..first_page(ImportService::Karakeep, ServerPart::Items) };
    let loop_of_pages = json!({"bookmarks": [], "nextCursor": "c2"}).to_string();
    assert_eq!(read_page(loop_of_pages.as_bytes(), &repeated), None);
    for other in ["", "<html>", "{}", r#"{"bookmarks": 1}"#] {
        assert_eq!(read_page(other.as_bytes(), &repeated), None, "{other}");
    }
}

#[test]
fn page_of_a_server_contains_changed_items_with_their_folders() {
    let lists = json!({"lists": [{"id": "l2", "name": "Design", "parentId": "l1"}, {"id": "l1", "name": "Work", "parentId": null}]});
    let bookmark = |id: &str, modified_at: &str| {
        json!({"id": id, "createdAt": "2024-01-01T00:00:00.000Z", "modifiedAt": modified_at, "tags": [{"id": "t", "name": "a"}],
            "content": {"type": "link", "url": format!("https://a.example/{id}"), "title": "Inner"}})
    };
    let bookmarks = json!({"bookmarks": [bookmark("1", "2024-01-01T00:00:00.000Z"), bookmark("2", "2024-03-01T00:00:00.000Z")]});
    let request = ServerPageRequest {
        since: Some(DAY + 24 * 3_600_000),
        ..first_page(ImportService::Karakeep, ServerPart::Items)
    };
    let changed = page(&request, &[lists.clone(), bookmarks.clone()]);
    assert_eq!(changed.end, PageEnd { next: None, lists: vec!["l1".to_owned(), "l2".to_owned()] });
    let rows: Vec<ImportRow> = changed.rows.into_iter().map(Result::unwrap).collect();
    assert_eq!((rows.len(), rows[0].title.clone(), rows[0].tags.len()), (1, some("Inner"), 1));
    assert!(!rows[0].extra.contains_key("modifiedAt"));
    let request = ServerPageRequest { part: ServerPart::Lists, list: some("l2"), ..request };
    let listed = page(&request, &[lists, bookmarks]).rows;
    assert_eq!(listed.len(), 2, "the time of a change does not say when an item was added to a list");
    assert_eq!(listed[0].as_ref().unwrap().folders, folder(&["Work", "Design"]));
    let collections = json!({"items": [{"_id": 1, "title": "Reading"}]});
    let children = json!({"items": [{"_id": 2, "title": "Later", "parent": {"$id": 1}}]});
    let drops = json!({"items": [{"_id": 5, "link": "https://a.example/", "collection": {"$id": 2}}]});
    let request = first_page(ImportService::Raindrop, ServerPart::Items);
    let rows = page(&request, &[collections, children, drops]).rows;
    assert_eq!(rows[0].as_ref().unwrap().folders, folder(&["Reading", "Later"]));
}

#[test]
fn highlights_of_servers_belong_to_their_items() {
    let karakeep = json!({"highlights": [{"id": "h", "bookmarkId": "b", "text": "marked", "note": null, "createdAt": "2024-01-01T00:00:00.000Z"},
        {"id": "i", "bookmarkId": "b", "text": "", "note": ""}]});
    let rows = page(&first_page(ImportService::Karakeep, ServerPart::Highlights), &[karakeep]).rows;
    let row = rows[0].as_ref().unwrap();
    assert_eq!((row.source_id.clone(), row.highlights[0].quote.as_str()), (some("b"), "marked"));
    assert_eq!(rows[1], Err(InvalidRow::Empty));
    let readeck = json!([{"id": "h", "bookmark_id": "b", "bookmark_url": "https://a.example/", "text": "marked", "created": "2024-01-01T00:00:00Z"}]);
    let rows = page(&first_page(ImportService::Readeck, ServerPart::Highlights), &[readeck]).rows;
    assert_eq!(rows[0].as_ref().unwrap().url, some("https://a.example/"));
    let reader = json!({"results": [{"id": "h", "parent_id": "b", "category": "highlight", "content": "marked", "source_url": null},
        {"id": "n", "parent_id": "h", "category": "note"}]});
    let rows = page(&first_page(ImportService::ReadwiseReader, ServerPart::Items), &[reader]).rows;
    assert_eq!(rows[0].as_ref().unwrap().source_id, some("b"));
    assert_eq!(rows[1], Err(InvalidRow::Annotation));
}

#[test]
fn token_is_read_from_a_login_response() {
    let freshrss = b"SID=ada/1\nLSID=null\nAuth=ada/8e6845e089457af25303abc6f53356eb60bdb5f8\n";
    assert_eq!(
        read_login(freshrss, ImportService::FreshRss),
        some("ada/8e6845e089457af25303abc6f53356eb60bdb5f8")
    );
    let wallabag = br#"{"access_token":"N2Zj","expires_in":3600,"token_type":"bearer"}"#;
    assert_eq!(read_login(wallabag, ImportService::Wallabag), some("N2Zj"));
    for other in ["", "{}", r#"{"access_token":"a\nb"}"#, "Auth=\n"] {
        assert_eq!(read_login(other.as_bytes(), ImportService::Wallabag), None, "{other}");
        assert_eq!(read_login(other.as_bytes(), ImportService::FreshRss), None, "{other}");
    }
}

fn example(name: &str) -> String {
    let path = format!("{}/src/imports/examples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn notes_of_evernote_are_read_without_the_data_of_their_files() {
    let text = example("evernote.enex");
    let row = only(Format::Evernote, &text);
    assert_eq!((row.title, row.url), (some("On desks & chairs"), some("https://desks.example/1")));
    assert_eq!((row.tags, row.saved_at), (vec!["desks".to_owned(), "deep work".to_owned()], Some(DAY)));
    assert_eq!(row.left_out, ["file desk.png"]);
    assert_eq!(row.extra["updated"], "20240102T120000Z");
    let html = row.content.unwrap().text;
    assert!(html.contains("\u{2611} Measure the oak desk") && html.contains("[image/png]"), "{html}");
    let secret = "<en-export><note><title>A</title><content><![CDATA[<en-note>open<en-crypt>QUJD</en-crypt></en-note>]]></content>\
        <task><title>Call</title></task></note><note><title>Cut";
    let rows = read(Format::Evernote, secret);
    let row = rows[0].as_ref().unwrap();
    assert_eq!((row.left_out.join(", "), row.title.clone()), ("task Call, encrypted text".into(), some("A")));
    assert_eq!(row.content.as_ref().unwrap().text, "open");
    assert_eq!(rows[1..], [Err(InvalidRow::Truncated)]);
    let long = format!(
        "<en-export><note><content>{}</content></note><note><title>B</title><content>text</content></note>",
        "x".repeat(MAX_ROW_BYTES + 1)
    );
    let rows = in_pieces(Format::Evernote, &long, 64 * 1024);
    assert_eq!((rows.len(), &rows[0], rows[1].is_ok()), (2, &Err(InvalidRow::TooLong), true));
    let about = b"url,title\nhttps://a.example/1,Convert <en-export> files\n";
    assert_eq!(guess(about), (ImportContainer::Plain, Some(Format::Csv)));
}

#[test]
fn notion_pages_are_read_with_their_properties() {
    let markdown = read(Format::NotionMarkdown, &example("notion_page.md")).remove(0).unwrap();
    assert_eq!((markdown.title, markdown.url), (some("On desks"), some("https://desks.example/1")));
    assert_eq!((markdown.tags.len(), markdown.saved_at), (2, Some(DAY)));
    let text = markdown.content.unwrap().text;
    assert!(text.starts_with("Two desks stand here."), "{text}");
    let html = only(Format::NotionHtml, &example("notion_page.html"));
    assert_eq!((html.tags.join(", "), html.saved_at), ("desks, deep work".into(), Some(DAY)));
    let plain =
        read(Format::NotionMarkdown, "# A\n\nJust words: with a colon, and no property\nsecond line\n");
    let text = plain[0].as_ref().unwrap().content.as_ref().unwrap().text.clone();
    assert_eq!(text, "Just words: with a colon, and no property\nsecond line");
}

#[test]
fn notes_are_read_with_the_properties_and_tags_in_their_text() {
    let logseq = "tags:: [[deep work]], #desks\nurl:: https://a.example/1\n- Words #oak/light, #12 and #oak/light\n\
        ```\n#include\n```\n# Heading\n";
    let row = read(Format::Markdown, logseq).remove(0).unwrap();
    assert_eq!(
        (row.tags.join(","), row.url),
        ("deep work,desks,oak/light".into(), some("https://a.example/1"))
    );
    assert_eq!(row.title, some("Heading"));
}

#[test]
fn saved_pages_are_read_with_urls_and_without_embedded_data() {
    let row = only(Format::SingleFile, &example("single_file.html"));
    assert_eq!(
        (row.url, row.title, row.saved_at),
        (some("https://desks.example/1"), some("On desks"), Some(DAY))
    );
    assert_eq!(row.left_out, ["1 embedded pictures and other files"]);
    let html = row.content.unwrap().text;
    assert!(html.contains("data:image/gif;base64,\" alt"), "{html}");
    let row = only(Format::Mhtml, &example("page.mhtml"));
    assert_eq!(
        (row.url, row.title, row.saved_at),
        (some("https://desks.example/1"), some("On desks"), Some(DAY))
    );
    assert_eq!(row.left_out, ["1 pictures, styles, and inner pages"]);
    assert!(row.content.unwrap().text.contains("charset=utf-8"));
}

#[test]
fn pages_of_web_archives_are_read_among_other_responses() {
    use std::io::Write;

    let text = example("archive.warc");
    let rows = read(Format::Warc, &text);
    let page = rows[0].as_ref().unwrap();
    assert_eq!((page.url.clone(), page.saved_at), (some("https://desks.example/1"), Some(DAY)));
    assert!(page.content.as_ref().unwrap().text.contains("Two desks"));
    assert_eq!(rows[1..], [Err(InvalidRow::Responses(1))]);
    // Each record is a separate gzip member.
    let mut packed = Vec::new();
    for record in text.split("WARC/1.0").skip(1) {
        let mut member = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        member.write_all(b"WARC/1.0").unwrap();
        member.write_all(record.as_bytes()).unwrap();
        packed.extend(member.finish().unwrap());
    }
    assert_eq!(guess(&packed), (ImportContainer::Plain, Some(Format::Warc)));
    let in_steps = |bytes: &[u8], step: usize| {
        let (mut reader, mut results) = (ImportFileReader::new(Format::Warc).unwrap(), Vec::new());
        for piece in bytes.chunks(step) {
            reader.push(piece, &mut |row| results.push(row));
        }
        reader.finish(&mut |row| results.push(row));
        results
    };
    for step in [1, 100, packed.len()] {
        assert_eq!(in_steps(&packed, step), rows, "in pieces of {step}");
    }
    let cut = in_steps(&packed[..packed.len() - 5], 1000);
    assert!(cut.contains(&Err(InvalidRow::Truncated)) && cut[0].is_ok(), "{cut:?}");
    let mut listed = ImportFileReader::new(Format::Warc).unwrap();
    listed.set_pages(std::sync::Arc::new(["https://desks.example/2".to_owned()].into()));
    let mut results = Vec::new();
    listed.push(text.as_bytes(), &mut |row| results.push(row));
    listed.finish(&mut |row| results.push(row));
    assert_eq!(results, [Err(InvalidRow::Responses(2))]);
}

#[test]
fn compressed_responses_of_web_archives_are_decompressed() {
    use std::io::Write;

    let html = "<html><p>Two desks stand here.</p></html>";
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(html.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let archive = |fields: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n");
        let length = head.len() + body.len();
        let record = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <https://a.example/>\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{head}"
        );
        [record.as_bytes(), body, b"\r\n\r\n"].concat()
    };
    let chunked = [format!("{:x}\r\n", packed.len()).as_bytes(), &packed, b"\r\n0\r\n\r\n"].concat();
    let gzip = "Content-Encoding: gzip\r\n";
    let both = "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n";
    for bytes in [archive(gzip, &packed), archive(both, &chunked), archive(gzip, html.as_bytes())] {
        let mut reader = ImportFileReader::new(Format::Warc).unwrap();
        let mut texts = Vec::new();
        reader.push(&bytes, &mut |row| texts.push(row.unwrap().content.unwrap().text));
        reader.finish(&mut |row| panic!("{row:?}"));
        assert_eq!(texts, [html]);
    }
    let mut unknown = ImportFileReader::new(Format::Warc).unwrap();
    let mut results = Vec::new();
    unknown.push(&archive("Content-Encoding: br\r\n", &[1, 2, 3]), &mut |row| results.push(row));
    assert_eq!(results, [Err(InvalidRow::Malformed)]);
}

#[test]
fn passages_of_apple_books_are_highlights() {
    let rows = read(Format::AppleBooks, &example("apple_books.txt"));
    let rows: Vec<ImportRow> = rows.into_iter().map(Result::unwrap).collect();
    let quotes: Vec<&str> = rows.iter().map(|row| row.highlights[0].quote.as_str()).collect();
    assert_eq!(quotes, ["Two desks stand here.", "A desk is a promise\nto sit down."]);
    assert_eq!((rows[0].title.clone(), rows[0].author.clone()), (some("The Quiet Desk"), some("M. Ellison")));
    let old = "\u{201c}Words\u{201d}\n\nExcerpt From: M. Ellison. \u{201c}The Quiet Desk.\u{201d} iBooks.\n";
    let row = only(Format::AppleBooks, old);
    assert_eq!((row.title, row.author), (some("The Quiet Desk"), some("M. Ellison")));
    let row = only(Format::AppleBooksCsv, &example("apple_books.csv"));
    let highlight = &row.highlights[0];
    assert_eq!((highlight.note.clone(), highlight.color.clone()), (some("Mine is smaller."), some("yellow")));
    assert_eq!((highlight.created_at, row.source_id), (Some(DAY), some("BOOK1")));
}

#[test]
fn saved_entries_of_feedly_have_tags_times_and_summaries() {
    let feedly = r#"{"id":"user/x/tag/global.saved","items":[{"id":"abc=","title":"T","published":1704000000000,"crawled":1704000001000,
        "actionTimestamp":1704067200000,"alternate":[{"href":"https://a.example/1","type":"text/html"}],"origin":{"streamId":"feed/x",
        "title":"Feed"},"summary":{"content":"<p>A &amp; <b>b</b></p>"},"categories":[{"id":"user/x/category/Tech","label":"Tech"},
        {"id":"user/x/category/global.must","label":"Must"}],"tags":[{"id":"user/x/tag/global.saved","label":"Saved For Later"},
        {"id":"user/x/tag/5d1c","label":"Desks"}]}]}"#;
    let row = &detected(Format::GoogleReaderJson, feedly)[0];
    assert_eq!(
        (row.tags.clone(), row.status),
        (vec!["Tech".to_owned(), "Desks".to_owned()], Some(ImportStatus::Later))
    );
    assert_eq!((row.saved_at, row.url.clone()), (Some(DAY), some("https://a.example/1")));
    assert_eq!(json!(row.extra), json!({"feed": "Feed", "summary": "A & b"}));
}

#[test]
fn highlights_of_instapaper_belong_to_their_bookmarks() {
    let list = r#"[{"type":"user","user_id":1},{"type":"bookmark","bookmark_id":64,"url":"https://a.example/1","title":"T","time":1704067200.0,
        "starred":"1","progress":0.3,"progress_timestamp":1704067200,"hash":"x"},
        {"type":"highlight","highlight_id":5,"bookmark_id":64,"text":"marked","note":"mine","time":1704067200,"position":2},
        {"type":"highlight","highlight_id":6,"bookmark_id":65,"text":"alone"}]"#;
    let rows = detected(Format::InstapaperJson, list);
    assert_eq!(
        (rows.len(), rows[0].source_id.clone(), rows[1].source_id.clone()),
        (2, some("64"), some("65"))
    );
    assert_eq!((rows[0].progress, rows[0].is_starred, rows[0].saved_at), (Some(30), true, Some(DAY)));
    let highlight = &rows[0].highlights[0];
    assert_eq!((highlight.source_id.clone(), highlight.note.clone()), (some("5"), some("mine")));
    assert_eq!(json!(highlight.extra), json!({"position": 2}));
    assert_eq!((rows[1].title.clone(), rows[1].highlights[0].quote.as_str()), (None, "alone"));
}

#[test]
fn browser_reading_list_sets_the_status_and_bookmark_roots_become_extra_values() {
    let bookmark = |name: &str| format!("<DT><A HREF=\"https://a.example/{name}\">{name}</A>");
    let html = format!(
        "<!DOCTYPE NETSCAPE-Bookmark-file-1><H1>Bookmarks</H1><DL><p><DT><H3>Reading list</H3><DL><p>{}<DT><H3>Tea</H3>\
         <DL><p>{}</DL></DL><DT><H3 PERSONAL_TOOLBAR_FOLDER=\"true\">Bar</H3><DL><p><DT><H3>Leseliste</H3><DL><p>{}</DL></DL></DL>",
        bookmark("1"),
        bookmark("2"),
        bookmark("3")
    );
    let rows = detected(Format::Netscape, &html);
    let parts: Vec<_> = rows.iter().map(|row| (row.status, row.folders.clone())).collect();
    let deferred = Some(ImportStatus::Later);
    assert_eq!(parts, [(deferred, Vec::new()), (deferred, folder(&["Tea"])), (None, folder(&["Leseliste"]))]);
    assert_eq!(json!(rows[0].extra), json!({"root": "Reading list"}));

    let chrome = r#"{"roots":{"bookmark_bar":{"name":"Bar","children":[{"name":"Reading list","children":[{"name":"1",
        "url":"https://a.example/1"}]}]},"other":{"name":"Other","children":[{"name":"Reading list","children":[{"name":"2",
        "url":"https://a.example/2"}]},{"name":"3","url":"https://a.example/3"}]},"trash":{"name":"Trash","children":[{"name":"4",
        "url":"https://a.example/4"}]},"sync_transaction_version":"1"}}"#;
    let rows = read(Format::ChromeJson, chrome);
    let parts: Vec<_> = rows.iter().flatten().map(|row| (row.status, row.folders.clone())).collect();
    assert_eq!(parts, [(None, folder(&["Reading list"])), (deferred, Vec::new()), (None, Vec::new())]);
    assert_eq!(json!(rows[2].as_ref().unwrap().extra), json!({"root": "Other"}));
    assert_eq!(rows[3..], [Err(InvalidRow::Deleted)]);

    let firefox = r#"{"guid":"root________","title":"","root":"placesRoot","type":"text/x-moz-place-container","children":[{"guid":
        "unfiled_____","title":"unfiled","root":"unfiledBookmarksFolder","children":[{"type":"text/x-moz-place","title":"1","uri":
        "https://a.example/1"}]}]}"#;
    let row = &detected(Format::FirefoxJson, firefox)[0];
    assert_eq!((row.folders.len(), json!(row.extra)), (0, json!({"root": "unfiled"})));
}

#[test]
fn icons_of_lists_and_offsets_of_highlights_become_extra_values() {
    let karakeep = r#"{"bookmarks":[{"createdAt":1704067200,"title":"T","tags":[],"lists":["l1"],"content":{"type":"link",
        "url":"https://a.example/1"}}],"lists":[{"id":"l1","name":"Tea","icon":"x","parentId":null}]}"#;
    let mut rows = ImportFileReader::new(Format::KarakeepJson).unwrap();
    rows.first_pass(karakeep.as_bytes());
    let mut results = Vec::new();
    rows.push(karakeep.as_bytes(), &mut |row| results.push(row.unwrap()));
    assert_eq!(json!(results[0].extra), json!({"list_icons": {"Tea": "x"}}));
    let linkwarden = r#"{"collections":[{"id":1,"name":"Tech","icon":"Code","links":[{"id":5,"url":"https://a.example/1",
        "highlight":[{"id":3,"text":"marked","startOffset":3,"endOffset":9}]}]}]}"#;
    let row = &detected(Format::LinkwardenJson, linkwarden)[0];
    assert_eq!(json!(row.extra), json!({"list_icons": {"Tech": "Code"}}));
    assert_eq!(json!(row.highlights[0].extra), json!({"startOffset": 3, "endOffset": 9}));
}

#[test]
fn books_of_goodreads_have_shelves_and_reviews() {
    let rows = detected(Format::GoodreadsCsv, &example("goodreads.csv"));
    let first = &rows[0];
    assert_eq!((first.source_id.clone(), first.url.clone()), (some("1"), None));
    assert_eq!(
        (first.status, first.progress, first.saved_at),
        (Some(ImportStatus::Archive), Some(100), Some(DAY))
    );
    assert_eq!(first.note, some("Sit down.\nRead it twice.\n\nLent to Ada."));
    assert_eq!((first.tags.join(","), first.published_at.clone()), ("essays,desks".to_owned(), some("2021")));
    assert_eq!((&first.extra["isbn"], &first.extra["my rating"]), (&json!("0123456789"), &json!("5")));
    assert_eq!((rows[1].status, rows[1].tags.len(), rows[1].extra.len()), (Some(ImportStatus::Later), 0, 1));
    let own = "Book Id,Title,Exclusive Shelf,Bookshelves,My Review\n3,Tea,abandoned,\"abandoned, tea\",\n";
    let row = &detected(Format::GoodreadsCsv, own)[0];
    assert_eq!((row.status, row.tags.join(",")), (None, "abandoned,tea".to_owned()));
}

#[test]
fn outline_of_links_is_read_and_outline_of_feeds_is_refused() {
    let links = "<?xml version=\"1.0\"?><opml version=\"2.0\"><body><outline text=\"Sites\"><outline type=\"link\" text=\"L\" \
        url=\"https://a.example/1\"/><outline text=\"Empty\"/></outline></body></opml>";
    let rows = read(Format::OpmlLinks, links);
    let row = rows[0].as_ref().unwrap();
    assert_eq!((row.title.clone(), row.folders.clone()), (some("L"), folder(&["Sites"])));
    assert_eq!((rows.len(), &rows[1]), (2, &Err(InvalidRow::Empty)));
    assert_eq!(guess(links.as_bytes()).1, Some(Format::OpmlLinks));
    let feeds = links.replace("url=", "xmlUrl=");
    assert_eq!((guess(feeds.as_bytes()).1, describe_unknown(feeds.as_bytes())), (None, UnknownFile::Opml));
    assert_eq!(read(Format::OpmlLinks, &feeds)[0], Err(InvalidRow::Subscription));
}

#[test]
fn empty_list_is_an_import_without_rows() {
    for empty in ["[]", " [ ]\n", "\u{feff}[]", "{\"bookmarks\": [], \"lists\": []}"] {
        assert_eq!(
            (guess(empty.as_bytes()).1, is_empty_list(empty.as_bytes())),
            (Some(Format::Json), true),
            "{empty}"
        );
        assert!(read(Format::Json, empty).is_empty(), "{empty}");
    }
    for other in ["{}", "[1]", "{\"items\": [], \"rest\": [1]}", "{\"a\": []}", ""] {
        assert!(!is_empty_list(other.as_bytes()), "{other}");
    }
}

#[test]
fn names_of_folders_are_bounded_in_total() {
    let name = "x".repeat(400);
    let open = format!("<DT><H3>{name}</H3><DL><p>").repeat(100);
    let text =
        format!("<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>{open}<DT><A HREF=\"https://a.example/1\">A</A>");
    let row = in_pieces(Format::Netscape, &text, 64 * 1024).remove(0).unwrap();
    assert_eq!((row.folders[0].len(), row.folders[0][0].as_str()), (6, "\u{2026}"));
    assert_eq!(row.left_out, ["folders within 64 others"]);
}

#[test]
fn local_dates_of_a_table_have_the_order_of_their_column() {
    let text = "url,title,added\nhttps://a.example/1,One,02/01/2024\nhttps://a.example/2,Two,31/01/2024";
    let maps = [ColumnMap::default(), ColumnMap::parse("saved=added").unwrap()];
    for columns in maps {
        let mut rows = ImportFileReader::with_columns(Format::Csv, &columns).unwrap();
        assert!(rows.needs_first_pass());
        for piece in text.as_bytes().chunks(10) {
            rows.first_pass(piece);
        }
        rows.finish_first_pass();
        assert!(!rows.needs_first_pass());
        let mut results = Vec::new();
        rows.push(text.as_bytes(), &mut |row| results.push(row.unwrap()));
        rows.finish(&mut |row| results.push(row.unwrap()));
        assert_eq!(results[0].saved_at, Some(DAY + 24 * 3_600_000));
        assert!(results.iter().all(|row| row.ambiguities.is_empty()));
    }
    let german = "Titel;Adresse;Datum\nEins;https://a.example/1;01/02/2024\n";
    let mut rows = ImportFileReader::new(Format::Csv).unwrap();
    rows.first_pass(german.as_bytes());
    let mut results = Vec::new();
    rows.push(german.as_bytes(), &mut |row| results.push(row.unwrap()));
    assert_eq!(results[0].saved_at, Some(DAY + 31 * 24 * 3_600_000));
    assert_eq!(results[0].ambiguities.len(), 1);
}

#[test]
fn long_names_of_columns_are_not_repeated_by_each_row() {
    let name = "x".repeat(100_000);
    let text = format!("url,{name},{}\nhttps://a.example/1,a,b\n", "y".repeat(900));
    let row = in_pieces(Format::Csv, &text, 64 * 1024).remove(0).unwrap();
    assert_eq!(row.extra["column 2"], "a");
    assert_eq!(row.extra.keys().map(String::len).max(), Some(900));
}

#[test]
fn hostile_files_are_read_within_their_bounds() {
    let notes = "<note><title>x</title><content>y</content></note>".repeat(20_000);
    let rows = in_pieces(Format::Evernote, &format!("<en-export>{notes}"), 64 * 1024);
    assert_eq!((rows.len(), rows.iter().all(Result::is_ok)), (20_000, true));

    let deep = format!("{{\"roots\":{{\"bookmark_bar\":{}", "{\"children\":[".repeat(10_000));
    assert!(in_pieces(Format::ChromeJson, &deep, 64 * 1024).iter().all(Result::is_err));
    let deep = format!("[{}{}]", "{\"children\":[".repeat(10_000), "]}".repeat(10_000));
    assert_eq!(in_pieces(Format::NestedJson, &deep, 64 * 1024), [Err(InvalidRow::Malformed)]);

    let tags: Vec<String> = (0..100_000).map(|number| format!("t{number}")).collect();
    let html = format!("<DL><DT><A HREF=\"https://a.example/1\" TAGS=\"{}\">x</A>", tags.join(","));
    let list = json!([{"url": "https://a.example/1", "tags": tags}]).to_string();
    let highlights: Vec<_> = (0..100_000).map(|number| json!({"quote": format!("q {number}")})).collect();
    let marked = json!([{"url": "https://a.example/1", "highlights": highlights}]).to_string();
    let files = [(Format::Netscape, html), (Format::Json, list), (Format::PocketAnnotationsJson, marked)];
    for (format, text) in files {
        let mut row = in_pieces(format, &text, 64 * 1024).remove(0).unwrap();
        row.limit_parts();
        assert!(row.tags.len() <= 200 && row.highlights.len() <= 5_000);
        assert_eq!(row.left_out.len(), 1, "{format}: {:?}", row.left_out);
    }
}

#[test]
fn outer_folders_of_nested_lists_are_not_copied_by_objects_without_names() {
    let name = "x".repeat(400);
    let open = format!("{{\"title\":\"{name}\",\"children\":[").repeat(50);
    let objects = "{},".repeat(20_000);
    let text = format!("{open}{objects}{{\"url\":\"https://a.example/1\"}}{}", "]}".repeat(50));
    let row = in_pieces(Format::NestedJson, &text, 64 * 1024).remove(0).unwrap();
    assert_eq!((row.folders[0].len(), row.folders[0][0].as_str()), (6, "\u{2026}"));
}
