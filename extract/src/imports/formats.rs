//! Table of the formats, with display name, detection, reader, fields, and example. The documentation and the
//! import page are generated from it.

use self::Detection::{Bytes, Columns, Members, Never, Table, Text};
use super::columns::{ColumnNames, TableService};
use super::list_names::ListNames;
use super::row::Format;
use super::row_field::RowField::{
    self, Author, Content, Folders, Highlights, Note, Progress, Published, Saved, Star, Status, Tags, Title,
    Url,
};
use super::row_reader::RowReader;
use super::{
    apple_books, bibtex, database_file, documents, evernote, koreader_markdown, mapping, markdown_notes,
    nested_links, notion_page, plist, saved_pages, server_rows, services, tree, warc, xml_lists,
};

/// Rule that recognises a format by the start of a file.
pub(super) enum Detection {
    /// The first line of a table has these columns.
    Columns(&'static [&'static str]),
    /// The start of a JSON file has members with these names.
    Members(&'static [&'static str]),
    /// The text satisfies the predicate, which the second field describes.
    Text(fn(&str) -> bool, &'static str),
    /// The columns of a table satisfy the predicate, which the second field describes.
    Table(fn(&ColumnNames) -> bool, &'static str),
    /// The bytes satisfy the predicate, which the second field describes.
    Bytes(fn(&[u8]) -> bool, &'static str),
    /// The format is recognised only by the names of the entries of an archive.
    Never,
}

/// Row of the table of formats.
pub(super) struct FormatRow {
    pub(super) format: Format,
    /// Display name.
    pub(super) name: &'static str,
    pub(super) detection: Detection,
    /// Reader of its rows. `None` for the native format.
    pub(super) reader: Option<fn() -> RowReader>,
    /// Fields that its rows can have.
    pub(super) fields: &'static [RowField],
    /// Example in the folder `examples`. It has all of these fields.
    pub(super) example: &'static str,
}

impl FormatRow {
    const fn with(self, fields: &'static [RowField], example: &'static str) -> Self {
        Self { fields, example, ..self }
    }
}

impl Format {
    /// Display name.
    pub fn label(self) -> &'static str {
        row(self).map_or(self.as_str(), |row| row.name)
    }

    /// Fields that items of the format can have.
    pub fn fields(self) -> &'static [RowField] {
        row(self).map_or(&[], |row| row.fields)
    }

    /// True if a person can choose the fields of columns or members.
    pub const fn has_columns(self) -> bool {
        matches!(self, Self::Csv | Self::Json)
    }
}

pub(super) fn row(format: Format) -> Option<&'static FormatRow> {
    FORMATS.iter().find(|row| row.format == format)
}

/// All formats, in the order in which they are tried.
pub(super) const FORMATS: &[FormatRow] = &[
    FormatRow {
        format: Format::SvcJsonl,
        name: "Carrel",
        detection: Text(is_native, "a first line with `svc_jsonl`"),
        reader: None,
        fields: RowField::ALL,
        example: "native.jsonl",
    },
    FormatRow {
        format: Format::Warc,
        name: "Web archive (WARC, WACZ)",
        detection: Bytes(warc::is_archive, "the start `WARC/`, also packed by gzip"),
        reader: Some(|| RowReader::Warc(Box::default())),
        fields: &[Url, Saved, Content],
        example: "archive.warc",
    },
    FormatRow {
        format: Format::Mhtml,
        name: "Saved page (MHTML)",
        detection: Bytes(crate::formats::is_web_archive, "a header with `multipart/related`"),
        reader: Some(|| RowReader::binary(saved_pages::mhtml)),
        fields: &[Url, Title, Saved, Content],
        example: "page.mhtml",
    },
    FormatRow {
        format: Format::SingleFile,
        name: "Saved page (SingleFile)",
        detection: Text(saved_pages::is_single_file, "a comment `Page saved with SingleFile`"),
        reader: Some(|| RowReader::document(saved_pages::single_file)),
        fields: &[Url, Title, Saved, Content],
        example: "single_file.html",
    },
    FormatRow {
        format: Format::Evernote,
        name: "Evernote (ENEX)",
        detection: Text(
            |text| text.starts_with('<') && text.contains("<en-export"),
            "an element `en-export`",
        ),
        reader: Some(|| RowReader::Evernote(evernote::NoteReader::default())),
        fields: &[Url, Title, Author, Saved, Tags, Content],
        example: "evernote.enex",
    },
    FormatRow {
        format: Format::NotionHtml,
        name: "Notion (HTML, ZIP)",
        detection: Text(notion_page::is_notion, "the classes of a page of Notion"),
        reader: Some(|| RowReader::document(notion_page::page)),
        fields: &[Url, Title, Saved, Tags, Content],
        example: "notion_page.html",
    },
    FormatRow {
        format: Format::Netscape,
        name: "Browser bookmarks (HTML)",
        detection: Text(
            is_bookmarks,
            "`<!DOCTYPE NETSCAPE-Bookmark-file-1>`, `<DT><A …>`, `ADD_DATE=`, or the title of an export of Pocket or Instapaper",
        ),
        reader: Some(|| RowReader::Netscape(Box::default())),
        fields: &[Url, Title, Saved, Status, Tags, Star, Folders, Note],
        example: "netscape.html",
    },
    FormatRow {
        format: Format::AdobeAnnotations,
        name: "Adobe Digital Editions and Kobo (annotations)",
        detection: Text(|text| text.contains("<annotationSet"), "an element `annotationSet`"),
        reader: Some(|| RowReader::document(documents::adobe_annotations)),
        fields: &[Title, Author, Highlights],
        example: "adobe_annotations.annot",
    },
    FormatRow {
        format: Format::KoboSqlite,
        name: "Kobo (KoboReader.sqlite)",
        detection: Bytes(database_file::is_database, "the start `SQLite format 3`"),
        reader: Some(|| RowReader::Kobo(Box::default())),
        fields: &[Title, Author, Highlights],
        example: "kobo.sqlite",
    },
    FormatRow {
        format: Format::SafariPlist,
        name: "Safari (Bookmarks.plist)",
        detection: Bytes(plist::is_bookmarks, "a property list with `WebBookmarkType`"),
        reader: Some(|| RowReader::binary(plist::safari)),
        fields: &[Url, Title, Saved, Status, Folders],
        example: "safari.plist",
    },
    FormatRow {
        format: Format::Xbel,
        name: "Bookmarks (XBEL)",
        detection: Text(|text| has_element(text, "<xbel"), "an element `xbel`"),
        reader: Some(|| RowReader::document(xml_lists::xbel)),
        fields: &[Url, Title, Saved, Folders, Note],
        example: "bookmarks.xbel",
    },
    FormatRow {
        format: Format::WallabagXml,
        name: "wallabag (XML)",
        detection: Text(|text| has_element(text, "<is_archived>"), "an element `is_archived`"),
        reader: Some(|| RowReader::document(xml_lists::wallabag)),
        fields: &[Url, Title, Saved, Status, Tags, Star, Content],
        example: "wallabag.xml",
    },
    FormatRow {
        format: Format::PostsXml,
        name: "Delicious, Pinboard (XML)",
        detection: Text(|text| has_element(text, "<posts"), "an element `posts`"),
        reader: Some(|| RowReader::document(xml_lists::posts)),
        fields: &[Url, Title, Saved, Status, Tags, Note],
        example: "posts.xml",
    },
    FormatRow {
        format: Format::OpmlLinks,
        name: "Outline of links (OPML)",
        detection: Text(xml_lists::is_links, "an element `opml` with attributes `url`, and without feeds"),
        reader: Some(|| RowReader::document(xml_lists::outline)),
        fields: &[Url, Title, Saved, Tags, Folders, Note],
        example: "links.opml",
    },
    FormatRow {
        format: Format::ZoteroRdf,
        name: "Zotero (RDF)",
        detection: Text(|text| has_element(text, "<z:itemType>"), "an element `z:itemType`"),
        reader: Some(|| RowReader::document(xml_lists::zotero)),
        fields: &[Url, Title, Author, Published, Saved, Tags, Folders, Note],
        example: "zotero.rdf",
    },
    table("Readwise (CSV)", Format::ReadwiseCsv, &["highlight", "book title"], || {
        RowReader::table(TableService::Readwise)
    })
    .with(&[Title, Author, Tags, Highlights], "readwise.csv"),
    table(
        "Readwise Reader (CSV)",
        Format::ReadwiseReaderCsv,
        &["url", "saved date", "reading progress"],
        || RowReader::table(TableService::ReadwiseReader),
    )
    .with(&[Url, Title, Saved, Status, Progress, Tags], "readwise_reader.csv"),
    table("Apple Books (CSV)", Format::AppleBooksCsv, &["zannotationselectedtext"], || {
        RowReader::table(TableService::AppleBooks)
    })
    .with(&[Title, Author, Highlights], "apple_books.csv"),
    table("Pocket (CSV)", Format::PocketCsv, &["url", "time_added", "status"], || {
        RowReader::table(TableService::Pocket)
    })
    .with(&[Url, Title, Saved, Status, Tags], "pocket.csv"),
    table("Instapaper (CSV)", Format::InstapaperCsv, &["url", "title", "selection", "folder"], || {
        RowReader::table(TableService::Instapaper)
    })
    .with(&[Url, Title, Saved, Status, Tags, Star, Folders, Highlights], "instapaper.csv"),
    table("Raindrop (CSV)", Format::RaindropCsv, &["url", "created", "excerpt", "cover"], || {
        RowReader::table(TableService::Raindrop)
    })
    .with(&[Url, Title, Saved, Tags, Star, Folders, Note, Highlights], "raindrop.csv"),
    table("wallabag (CSV)", Format::WallabagCsv, &["url", "content", "mime type", "creation date"], || {
        RowReader::table(TableService::Mapped(mapping::WALLABAG_CSV))
    })
    .with(&[Url, Title, Saved, Tags, Content], "wallabag.csv"),
    table("Matter (CSV)", Format::MatterCsv, &["url", "publisher", "in queue", "favorited"], || {
        RowReader::table(TableService::Mapped(mapping::MATTER))
    })
    .with(&[Url, Title, Author, Saved, Status, Tags, Star], "matter.csv"),
    table("mymind (CSV)", Format::MymindCsv, &["id", "type", "url", "content", "note", "created"], || {
        RowReader::table(TableService::Mapped(mapping::MYMIND))
    })
    .with(&[Url, Title, Saved, Tags, Content, Note], "mymind.csv"),
    table("Zotero (CSV)", Format::ZoteroCsv, &["key", "item type", "url", "manual tags"], || {
        RowReader::table(TableService::References(mapping::ZOTERO_CSV))
    })
    .with(&[Url, Title, Author, Published, Saved, Tags, Note], "zotero.csv"),
    table("Goodreads (CSV)", Format::GoodreadsCsv, &["book id", "exclusive shelf", "my review"], || {
        RowReader::table(TableService::Goodreads)
    })
    .with(&[Title, Author, Published, Saved, Status, Progress, Tags, Note], "goodreads.csv"),
    FormatRow {
        format: Format::Csv,
        name: "Table with a column of URLs (CSV)",
        detection: Table(
            |columns| mapping::has_url(columns.names()),
            "a column with a usual name of a URL, or with URLs",
        ),
        reader: Some(RowReader::any_table),
        fields: &[
            Url, Title, Author, Published, Saved, Status, Progress, Tags, Star, Folders, Note, Highlights,
        ],
        example: "table.csv",
    },
    FormatRow {
        format: Format::ChromeJson,
        name: "Chrome (Bookmarks)",
        detection: Members(&["roots", "bookmark_bar"]),
        reader: Some(|| RowReader::tree(tree::chrome)),
        fields: &[Url, Title, Saved, Status, Folders],
        example: "chrome.json",
    },
    FormatRow {
        format: Format::FirefoxJson,
        name: "Firefox (JSON)",
        detection: Text(
            |text| text.starts_with('{') && text.contains("\"text/x-moz-place"),
            "the type `text/x-moz-place`",
        ),
        reader: Some(|| RowReader::tree(tree::firefox)),
        fields: &[Url, Title, Saved, Tags, Folders, Note],
        example: "firefox.json",
    },
    FormatRow {
        format: Format::LinkwardenJson,
        name: "Linkwarden (JSON)",
        detection: Members(&["collections", "links"]),
        reader: Some(|| RowReader::tree(tree::linkwarden)),
        fields: &[Url, Title, Saved, Tags, Star, Folders, Content, Note, Highlights],
        example: "linkwarden.json",
    },
    json("linkding (JSON)", Format::LinkdingJson, &["url", "tag_names", "date_added"], || {
        RowReader::json(server_rows::linkding)
    })
    .with(&[Url, Title, Saved, Status, Tags, Note], "linkding.json"),
    json("Readeck (JSON)", Format::ReadeckJson, &["url", "is_marked", "labels"], || {
        RowReader::json(server_rows::readeck)
    })
    .with(&[Url, Title, Author, Published, Saved, Status, Progress, Tags, Star], "readeck.json"),
    json("Shiori (JSON)", Format::ShioriJson, &["url", "excerpt", "imageURL", "hasContent"], || {
        RowReader::json(server_rows::shiori)
    })
    .with(&[Url, Title, Author, Saved, Tags, Content], "shiori.json"),
    json("Miniflux (JSON)", Format::MinifluxJson, &["entries", "feed_id", "starred"], || {
        RowReader::json(server_rows::miniflux)
    })
    .with(&[Url, Title, Author, Published, Saved, Status, Tags, Star], "miniflux.json"),
    json(
        "FreshRSS, Google Reader (JSON)",
        Format::GoogleReaderJson,
        &["items", "categories", "origin", "streamId"],
        || RowReader::json(server_rows::google_reader),
    )
    .with(&[Url, Title, Author, Published, Saved, Status, Tags, Star], "google_reader.json"),
    json("Raindrop (JSON)", Format::RaindropJson, &["link", "important", "lastUpdate"], || {
        RowReader::json(|value| server_rows::raindrop(value, &ListNames::default()))
    })
    .with(&[Url, Title, Saved, Status, Tags, Star, Note, Highlights], "raindrop.json"),
    FormatRow {
        format: Format::InstapaperJson,
        name: "Instapaper (JSON)",
        detection: Members(&["bookmark_id", "url", "progress_timestamp"]),
        reader: Some(|| RowReader::tree(server_rows::instapaper)),
        fields: &[Url, Title, Saved, Progress, Tags, Star, Note, Highlights],
        example: "instapaper.json",
    },
    FormatRow {
        format: Format::WallabagJson,
        name: "wallabag (JSON)",
        detection: Text(
            |text| {
                has_members(text, &["is_archived", "url"]) || has_members(text, &["is_read", "is_fav", "url"])
            },
            "members `is_archived`, `url`, or those of version 1",
        ),
        reader: Some(|| RowReader::json(services::wallabag)),
        fields: &[Url, Title, Author, Published, Saved, Status, Tags, Star, Content, Highlights],
        example: "wallabag.json",
    },
    FormatRow {
        format: Format::KarakeepJson,
        name: "Karakeep (JSON)",
        detection: Members(&["bookmarks", "content", "createdAt"]),
        reader: Some(RowReader::karakeep),
        fields: &[Url, Title, Author, Published, Saved, Status, Tags, Star, Folders, Content, Note],
        example: "karakeep.json",
    },
    FormatRow {
        format: Format::OmnivoreJson,
        name: "Omnivore (JSON)",
        detection: Text(
            |text| {
                has_members(text, &["savedAt", "url", "slug"])
                    || has_members(text, &["readingProgress", "savedAt"])
            },
            "members `savedAt`, `url`, `slug`",
        ),
        reader: Some(|| RowReader::json(services::omnivore)),
        fields: &[Url, Title, Author, Published, Saved, Status, Progress, Tags],
        example: "omnivore.json",
    },
    json("Pinboard (JSON)", Format::PinboardJson, &["href", "description", "extended"], || {
        RowReader::json(|value| services::mapped(mapping::PINBOARD, value))
    })
    .with(&[Url, Title, Saved, Status, Tags, Note], "pinboard.json"),
    json("Readwise (JSON)", Format::ReadwiseJson, &["user_book_id", "highlights"], || {
        RowReader::json(services::readwise)
    })
    .with(&[Url, Title, Author, Tags, Note, Highlights], "readwise.json"),
    json("Readwise Reader (JSON)", Format::ReadwiseReaderJson, &["source_url", "reading_progress"], || {
        RowReader::json(services::readwise_reader)
    })
    .with(
        &[Url, Title, Author, Published, Saved, Status, Progress, Tags, Content, Note],
        "readwise_reader.json",
    ),
    json("GoodLinks (JSON)", Format::GoodlinksJson, &["addedAt", "url"], || {
        RowReader::json(services::goodlinks)
    })
    .with(&[Url, Title, Saved, Status, Progress, Tags, Star], "goodlinks.json"),
    json("Hypothesis (JSON)", Format::HypothesisJson, &["uri", "target", "document"], || {
        RowReader::json(services::hypothesis)
    })
    .with(&[Url, Title, Saved, Tags, Highlights], "hypothesis.json"),
    FormatRow {
        format: Format::KoreaderJson,
        name: "KOReader (JSON)",
        detection: Text(is_koreader, "members `entries`, `page`, and `documents` or `drawer`"),
        reader: Some(|| RowReader::tree(tree::koreader)),
        fields: &[Title, Author, Highlights],
        example: "koreader.json",
    },
    json("Delicious (JSON)", Format::DeliciousJson, &["url", "title", "description", "private"], || {
        RowReader::json(|value| services::mapped(mapping::DELICIOUS, value))
    })
    .with(&[Url, Title, Saved, Tags, Note], "delicious.json"),
    json("Pocket highlights (JSON)", Format::PocketAnnotationsJson, &["url", "highlights", "quote"], || {
        RowReader::json(services::pocket_annotations)
    })
    .with(&[Url, Title, Highlights], "pocket_annotations.json"),
    FormatRow {
        format: Format::PocketCollectionJson,
        name: "Pocket collection (JSON)",
        detection: Never,
        reader: Some(|| RowReader::tree(tree::pocket_collection)),
        fields: &[Url, Title, Folders],
        example: "pocket_collection.json",
    },
    FormatRow {
        format: Format::CslJson,
        name: "References (CSL-JSON)",
        detection: Text(
            |text| {
                has_members(text, &["type", "title"])
                    && ["issued", "container-title", "DOI"].iter().any(|name| has_members(text, &[*name]))
            },
            "members `type`, `title`, and `issued`, `container-title` or `DOI`",
        ),
        reader: Some(|| RowReader::json(services::csl)),
        fields: &[Url, Title, Author, Published, Note],
        example: "references.json",
    },
    FormatRow {
        format: Format::NestedJson,
        name: "Nested lists of links: xBrowserSync, Tab Session Manager, Toby, Arc (JSON)",
        detection: Text(
            is_nested,
            "members `children`, `url`, `title`, or `windows`, `sessionStartTime`, or `lists`, `cards`, or `sidebar`, `savedURL`",
        ),
        reader: Some(|| RowReader::tree(nested_links::nested)),
        fields: &[Url, Title, Tags, Folders, Note],
        example: "nested_links.json",
    },
    FormatRow {
        format: Format::Json,
        name: "List of objects with a URL (JSON)",
        detection: Text(is_list_of_urls, "a member with a usual name of a URL, or with URLs"),
        reader: Some(|| RowReader::json(|value| services::mapped(mapping::ANY, value))),
        fields: &[
            Url, Title, Author, Published, Saved, Status, Progress, Tags, Star, Folders, Note, Highlights,
        ],
        example: "list.json",
    },
    FormatRow {
        format: Format::Bibtex,
        name: "References (BibTeX)",
        detection: Text(is_bibtex, "an entry `@kind{`"),
        reader: Some(|| RowReader::document(bibtex::bibtex)),
        fields: &[Url, Title, Author, Published, Tags, Note],
        example: "references.bib",
    },
    FormatRow {
        format: Format::Ris,
        name: "References (RIS)",
        detection: Text(
            |text| text.lines().next().is_some_and(|line| line.starts_with("TY  -")),
            "a first line `TY  -`",
        ),
        reader: Some(|| RowReader::document(documents::ris)),
        fields: &[Url, Title, Author, Published, Tags, Note],
        example: "references.ris",
    },
    FormatRow {
        format: Format::KindleClippings,
        name: "Kindle (My Clippings.txt)",
        detection: Text(|text| text.lines().any(|line| line.trim() == "=========="), "a line `==========`"),
        reader: Some(|| RowReader::document(documents::clippings)),
        fields: &[Title, Author, Highlights],
        example: "kindle_clippings.txt",
    },
    FormatRow {
        format: Format::AppleBooks,
        name: "Apple Books (shared text)",
        detection: Text(apple_books::is_excerpts, "a quotation, and a line `Excerpt From`"),
        reader: Some(|| RowReader::document(apple_books::excerpts)),
        fields: &[Title, Author, Highlights],
        example: "apple_books.txt",
    },
    FormatRow {
        format: Format::KoreaderMarkdown,
        name: "KOReader (Markdown)",
        detection: Text(
            koreader_markdown::is_highlights,
            "a heading with a title, and headings with `@` and a time",
        ),
        reader: Some(|| RowReader::document(koreader_markdown::highlights)),
        fields: &[Title, Author, Highlights],
        example: "koreader.md",
    },
    FormatRow {
        format: Format::UrlList,
        name: "List of URLs, OneTab (text)",
        detection: Text(is_url_list, "URLs at the start of all lines but headings"),
        reader: Some(|| RowReader::document(documents::url_list)),
        fields: &[Url, Title, Folders, Note],
        example: "url_list.txt",
    },
    FormatRow {
        format: Format::Markdown,
        name: "Folder of Markdown notes, Obsidian, Logseq (ZIP)",
        detection: Never,
        reader: Some(|| RowReader::document(markdown_notes::markdown)),
        fields: &[Url, Title, Author, Saved, Tags, Content],
        example: "note.md",
    },
    FormatRow {
        format: Format::NotionMarkdown,
        name: "Notion (Markdown, ZIP)",
        detection: Never,
        reader: Some(|| RowReader::document(markdown_notes::notion)),
        fields: &[Url, Title, Author, Saved, Tags, Content],
        example: "notion_page.md",
    },
];

const fn table(
    name: &'static str,
    format: Format,
    columns: &'static [&'static str],
    reader: fn() -> RowReader,
) -> FormatRow {
    FormatRow { format, name, detection: Columns(columns), reader: Some(reader), fields: &[], example: "" }
}

const fn json(
    name: &'static str,
    format: Format,
    members: &'static [&'static str],
    reader: fn() -> RowReader,
) -> FormatRow {
    FormatRow { format, name, detection: Members(members), reader: Some(reader), fields: &[], example: "" }
}

fn is_native(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.starts_with('{') && line.contains("\"svc_jsonl\""))
}

/// True for bookmarks and for link lists of services. A saved page may also contain lists of links, but such
/// links have no times.
fn is_bookmarks(text: &str) -> bool {
    if !text.starts_with('<') {
        return false;
    }
    let lowered = text.to_ascii_lowercase();
    let has_items = lowered
        .match_indices("<dt>")
        .any(|(at, mark)| lowered[at + mark.len()..].trim_start().starts_with("<a "));
    has_items
        || [
            "<!doctype netscape-bookmark", "add_date=", "time_added=", "<title>instapaper",
            "<title>pocket export",
        ]
        .iter()
        .any(|mark| lowered.contains(mark))
}

/// True for one document with entries, or for a list of documents.
fn is_koreader(text: &str) -> bool {
    has_members(text, &["entries", "page"]) && (text.contains("\"documents\"") || text.contains("\"drawer\""))
}

/// True for JSON with nested lists of links.
fn is_nested(text: &str) -> bool {
    let kinds: [&[&str]; 4] = [
        &["children", "url", "title"],
        &["windows", "sessionStartTime", "url"],
        &["lists", "cards", "url"],
        &["sidebar", "savedURL"],
    ];
    kinds.iter().any(|names| has_members(text, names))
}

/// True for XML with an element of this name.
fn has_element(text: &str, name: &str) -> bool {
    text.starts_with('<') && text.contains(name)
}

/// True for JSON whose objects have a URL.
fn is_list_of_urls(text: &str) -> bool {
    text.starts_with(['[', '{'])
        && ["url", "href", "link", "uri", "article__url"].iter().any(|name| has_members(text, &[*name]))
}

/// True if JSON has members with all of these names.
pub(super) fn has_members(text: &str, names: &[&str]) -> bool {
    text.starts_with(['[', '{'])
        && names.iter().all(|name| {
            let quoted = format!("\"{name}\"");
            text.match_indices(&quoted)
                .any(|(at, mark)| text[at + mark.len()..].trim_start().starts_with(':'))
        })
}

fn is_bibtex(text: &str) -> bool {
    let Some(entry) = text.lines().map(str::trim_start).find(|line| line.starts_with('@')) else {
        return false;
    };
    let kind = entry[1..].split('{').next().unwrap_or_default().trim();
    entry.contains('{') && !kind.is_empty() && kind.chars().all(char::is_alphanumeric)
}

/// True if every line is a URL, with or without a title, or a heading.
fn is_url_list(text: &str) -> bool {
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).take(50);
    let is_listed = |line: &str| documents::listed(line).is_some();
    lines().any(is_listed) && lines().all(|line| is_listed(line) || documents::list_heading(line).is_some())
}
