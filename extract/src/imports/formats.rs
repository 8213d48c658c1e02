//! Table of the formats, with display name, detection, and reader.

use self::Detection::{Columns, Members, Never, Table, Text};
use super::columns::{ColumnNames, Service};
use super::list_names::ListNames;
use super::row::Format;
use super::row_reader::RowReader;
use super::{documents, mapping, server_rows, services, tree};

/// Rule that recognises a format by the start of a file.
pub(super) enum Detection {
    /// The first line of a table has these columns.
    Columns(&'static [&'static str]),
    /// The start of a JSON file has these names.
    Members(&'static [&'static str]),
    /// The text fulfils a condition.
    Text(fn(&str) -> bool),
    /// The columns of a table fulfil a condition.
    Table(fn(&ColumnNames) -> bool),
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
}

impl Format {
    /// Display name.
    pub fn label(self) -> &'static str {
        row(self).map_or(self.as_str(), |row| row.name)
    }
}

pub(super) fn row(format: Format) -> Option<&'static FormatRow> {
    FORMATS.iter().find(|row| row.format == format)
}

/// All formats, in the order in which they are tried.
pub(super) const FORMATS: &[FormatRow] = &[
    FormatRow { format: Format::SvcJsonl, name: "Carrel", detection: Text(is_native), reader: None },
    FormatRow {
        format: Format::Netscape,
        name: "Browser bookmarks (HTML)",
        detection: Text(is_bookmarks),
        reader: Some(|| RowReader::Netscape(Box::default())),
    },
    FormatRow {
        format: Format::AdobeAnnotations,
        name: "Adobe Digital Editions and Kobo (annotations)",
        detection: Text(|text| text.contains("<annotationSet")),
        reader: Some(|| RowReader::document(documents::adobe_annotations)),
    },
    table("Readwise (CSV)", Format::ReadwiseCsv, &["highlight", "book title"], || {
        RowReader::table(Service::Readwise)
    }),
    table(
        "Readwise Reader (CSV)",
        Format::ReadwiseReaderCsv,
        &["url", "saved date", "reading progress"],
        || RowReader::table(Service::ReadwiseReader),
    ),
    table("Pocket (CSV)", Format::PocketCsv, &["url", "time_added", "status"], || {
        RowReader::table(Service::Pocket)
    }),
    table("Instapaper (CSV)", Format::InstapaperCsv, &["url", "title", "selection", "folder"], || {
        RowReader::table(Service::Instapaper)
    }),
    table("Raindrop (CSV)", Format::RaindropCsv, &["url", "created", "excerpt", "cover"], || {
        RowReader::table(Service::Raindrop)
    }),
    table("wallabag (CSV)", Format::WallabagCsv, &["url", "content", "mime type", "creation date"], || {
        RowReader::table(Service::Mapped(mapping::WALLABAG_CSV))
    }),
    table("Matter (CSV)", Format::MatterCsv, &["url", "publisher", "in queue", "favorited"], || {
        RowReader::table(Service::Mapped(mapping::MATTER))
    }),
    table("mymind (CSV)", Format::MymindCsv, &["id", "type", "url", "content", "note", "created"], || {
        RowReader::table(Service::Mapped(mapping::MYMIND))
    }),
    table("Zotero (CSV)", Format::ZoteroCsv, &["key", "item type", "url", "manual tags"], || {
        RowReader::table(Service::Mapped(mapping::ZOTERO_CSV))
    }),
    FormatRow {
        format: Format::Csv,
        name: "Table with a column of URLs (CSV)",
        detection: Table(|columns| mapping::has_url(columns.names())),
        reader: Some(|| RowReader::table(Service::Mapped(mapping::ANY))),
    },
    FormatRow {
        format: Format::ChromeJson,
        name: "Chrome (Bookmarks)",
        detection: Members(&["roots", "bookmark_bar"]),
        reader: Some(|| RowReader::tree(tree::chrome)),
    },
    FormatRow {
        format: Format::FirefoxJson,
        name: "Firefox (JSON)",
        detection: Text(|text| text.starts_with('{') && text.contains("\"text/x-moz-place")),
        reader: Some(|| RowReader::tree(tree::firefox)),
    },
    FormatRow {
        format: Format::LinkwardenJson,
        name: "Linkwarden (JSON)",
        detection: Members(&["collections", "links"]),
        reader: Some(|| RowReader::tree(tree::linkwarden)),
    },
    json("linkding (JSON)", Format::LinkdingJson, &["url", "tag_names", "date_added"], || {
        RowReader::json(server_rows::linkding)
    }),
    json("Readeck (JSON)", Format::ReadeckJson, &["url", "is_marked", "labels"], || {
        RowReader::json(server_rows::readeck)
    }),
    json("Miniflux (JSON)", Format::MinifluxJson, &["entries", "feed_id", "starred"], || {
        RowReader::json(server_rows::miniflux)
    }),
    json(
        "FreshRSS, Google Reader (JSON)",
        Format::GoogleReaderJson,
        &["items", "categories", "origin", "streamId"],
        || RowReader::json(server_rows::google_reader),
    ),
    json("Raindrop (JSON)", Format::RaindropJson, &["link", "important", "lastUpdate"], || {
        RowReader::json(|value| server_rows::raindrop(value, &ListNames::default()))
    }),
    FormatRow {
        format: Format::WallabagJson,
        name: "wallabag (JSON)",
        detection: Text(|text| {
            has_members(text, &["is_archived", "url"]) || has_members(text, &["is_read", "is_fav", "url"])
        }),
        reader: Some(|| RowReader::json(services::wallabag)),
    },
    FormatRow {
        format: Format::KarakeepJson,
        name: "Karakeep (JSON)",
        detection: Members(&["bookmarks", "content", "createdAt"]),
        reader: Some(RowReader::karakeep),
    },
    FormatRow {
        format: Format::OmnivoreJson,
        name: "Omnivore (JSON)",
        detection: Text(|text| {
            has_members(text, &["savedAt", "url", "slug"])
                || has_members(text, &["readingProgress", "savedAt"])
        }),
        reader: Some(|| RowReader::json(services::omnivore)),
    },
    json("Pinboard (JSON)", Format::PinboardJson, &["href", "description", "extended"], || {
        RowReader::json(|value| services::mapped(mapping::PINBOARD, value))
    }),
    json("Readwise (JSON)", Format::ReadwiseJson, &["user_book_id", "highlights"], || {
        RowReader::json(services::readwise)
    }),
    json("Readwise Reader (JSON)", Format::ReadwiseReaderJson, &["source_url", "reading_progress"], || {
        RowReader::json(services::readwise_reader)
    }),
    json("GoodLinks (JSON)", Format::GoodlinksJson, &["addedAt", "url"], || {
        RowReader::json(|value| services::mapped(mapping::GOODLINKS, value))
    }),
    json("Hypothesis (JSON)", Format::HypothesisJson, &["uri", "target", "selector"], || {
        RowReader::json(services::hypothesis)
    }),
    FormatRow {
        format: Format::KoreaderJson,
        name: "KOReader (JSON)",
        detection: Text(is_koreader),
        reader: Some(|| RowReader::tree(tree::koreader)),
    },
    json("Delicious (JSON)", Format::DeliciousJson, &["url", "title", "description", "private"], || {
        RowReader::json(|value| services::mapped(mapping::DELICIOUS, value))
    }),
    json("Pocket highlights (JSON)", Format::PocketAnnotationsJson, &["url", "highlights", "quote"], || {
        RowReader::json(services::pocket_annotations)
    }),
    FormatRow {
        format: Format::PocketCollectionJson,
        name: "Pocket collection (JSON)",
        detection: Never,
        reader: Some(|| RowReader::tree(tree::pocket_collection)),
    },
    FormatRow {
        format: Format::CslJson,
        name: "References (CSL-JSON)",
        detection: Text(|text| {
            has_members(text, &["type", "title"])
                && ["issued", "container-title", "DOI"].iter().any(|name| has_members(text, &[*name]))
        }),
        reader: Some(|| RowReader::json(services::csl)),
    },
    FormatRow {
        format: Format::Json,
        name: "List of objects with a URL (JSON)",
        detection: Text(is_list_of_urls),
        reader: Some(|| RowReader::json(|value| services::mapped(mapping::ANY, value))),
    },
    FormatRow {
        format: Format::Bibtex,
        name: "References (BibTeX)",
        detection: Text(is_bibtex),
        reader: Some(|| RowReader::document(documents::bibtex)),
    },
    FormatRow {
        format: Format::Ris,
        name: "References (RIS)",
        detection: Text(|text| text.lines().next().is_some_and(|line| line.starts_with("TY  -"))),
        reader: Some(|| RowReader::document(documents::ris)),
    },
    FormatRow {
        format: Format::KindleClippings,
        name: "Kindle (My Clippings.txt)",
        detection: Text(|text| text.lines().any(|line| line.trim() == "==========")),
        reader: Some(|| RowReader::document(documents::clippings)),
    },
    FormatRow {
        format: Format::UrlList,
        name: "List of URLs, OneTab (text)",
        detection: Text(is_url_list),
        reader: Some(|| RowReader::document(documents::url_list)),
    },
    FormatRow {
        format: Format::Markdown,
        name: "Folder of Markdown notes (ZIP)",
        detection: Never,
        reader: Some(|| RowReader::document(documents::markdown)),
    },
];

const fn table(
    name: &'static str,
    format: Format,
    columns: &'static [&'static str],
    reader: fn() -> RowReader,
) -> FormatRow {
    FormatRow { format, name, detection: Columns(columns), reader: Some(reader) }
}

const fn json(
    name: &'static str,
    format: Format,
    members: &'static [&'static str],
    reader: fn() -> RowReader,
) -> FormatRow {
    FormatRow { format, name, detection: Members(members), reader: Some(reader) }
}

fn is_native(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.starts_with('{') && line.contains("\"svc_jsonl\""))
}

/// True for bookmarks and for link lists of services. A saved page may have lists of links as well, but
/// without their times.
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

/// True if every line is a URL, with or without a title. The last line may be incomplete.
fn is_url_list(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.next().is_some_and(|line| documents::listed(line).is_some())
        && lines.take(50).all(|line| documents::listed(line).is_some())
}
