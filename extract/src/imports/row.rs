//! Shape of a row, names of the formats, and row errors.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::document::words;

/// Maximum number of bytes of a row in a JSON file.
pub const MAX_ROW_BYTES: usize = 16 * 1024 * 1024;
/// Leading bytes that format detection reads.
pub const HEAD_BYTES: usize = 64 * 1024;
/// Maximum numbers of parts of a row.
const MAX_TAGS: usize = 200;
const MAX_FOLDERS: usize = 20;
const MAX_HIGHLIGHTS: usize = 5_000;
const MAX_HIGHLIGHT_TAGS: usize = 50;
const MAX_VALUES: usize = 1_000;
const MAX_LEFT_OUT: usize = 100;

words! {
    /// Import formats, with the names that callers use.
    Format {
        /// Browser bookmarks, and files that many services call HTML exports.
        Netscape = "netscape",
        PocketCsv = "pocket_csv",
        OmnivoreJson = "omnivore_json",
        /// Highlights of books and articles.
        ReadwiseCsv = "readwise_csv",
        ReadwiseReaderCsv = "readwise_reader_csv",
        InstapaperCsv = "instapaper_csv",
        RaindropCsv = "raindrop_csv",
        WallabagJson = "wallabag_json",
        /// Karakeep, formerly Hoarder.
        KarakeepJson = "karakeep_json",
        FirefoxJson = "firefox_json",
        /// File `Bookmarks` of Chrome and of browsers that are based on it.
        ChromeJson = "chrome_json",
        WallabagCsv = "wallabag_csv",
        LinkwardenJson = "linkwarden_json",
        PinboardJson = "pinboard_json",
        DeliciousJson = "delicious_json",
        MatterCsv = "matter_csv",
        MymindCsv = "mymind_csv",
        /// Highlights in the export of Pocket.
        PocketAnnotationsJson = "pocket_annotations_json",
        /// Collection in the export of Pocket.
        PocketCollectionJson = "pocket_collection_json",
        ReadwiseJson = "readwise_json",
        ReadwiseReaderJson = "readwise_reader_json",
        /// Bookmarks of linkding, in the format of its API.
        LinkdingJson = "linkding_json",
        /// Bookmarks of Readeck, in the format of its API.
        ReadeckJson = "readeck_json",
        /// Bookmarks of Shiori, in the format of its API. Its export is a file of browser bookmarks.
        ShioriJson = "shiori_json",
        /// Entries of Miniflux, in the format of its API.
        MinifluxJson = "miniflux_json",
        /// Entries of FreshRSS and other servers with the Google Reader API.
        GoogleReaderJson = "google_reader_json",
        /// Raindrops, in the format of the API.
        RaindropJson = "raindrop_json",
        /// Bookmarks of Instapaper, in the format of its API.
        InstapaperJson = "instapaper_json",
        GoodlinksJson = "goodlinks_json",
        HypothesisJson = "hypothesis_json",
        KoreaderJson = "koreader_json",
        /// Highlights of `KOReader` as Markdown.
        KoreaderMarkdown = "koreader_markdown",
        /// Books of Goodreads.
        GoodreadsCsv = "goodreads_csv",
        /// `My Clippings.txt` of a Kindle.
        KindleClippings = "kindle_clippings",
        /// Annotations of Adobe Digital Editions and Kobo.
        AdobeAnnotations = "adobe_annotations",
        /// Database of a Kobo, `KoboReader.sqlite`.
        KoboSqlite = "kobo_sqlite",
        ZoteroCsv = "zotero_csv",
        /// References in CSL-JSON.
        CslJson = "csl_json",
        Bibtex = "bibtex",
        Ris = "ris",
        /// Folder of notes of Obsidian, Logseq, and similar programs.
        Markdown = "markdown",
        /// Notes of Evernote (`.enex`).
        Evernote = "evernote",
        /// Page of Notion in Markdown.
        NotionMarkdown = "notion_markdown",
        /// Page of Notion in HTML.
        NotionHtml = "notion_html",
        /// Page that the browser extension `SingleFile` saved.
        SingleFile = "single_file",
        /// Page with its resources in one file.
        Mhtml = "mhtml",
        /// Responses of servers. The file may be in a WACZ archive.
        Warc = "warc",
        /// Passages that Apple Books shares as text.
        AppleBooks = "apple_books",
        /// Annotations of Apple Books as a table.
        AppleBooksCsv = "apple_books_csv",
        /// `Bookmarks.plist` of Safari, in XML or binary.
        SafariPlist = "safari_plist",
        /// Bookmarks in the XML Bookmark Exchange Language.
        Xbel = "xbel",
        WallabagXml = "wallabag_xml",
        /// Bookmarks of Delicious and Pinboard.
        PostsXml = "posts_xml",
        /// Outline of links. An outline of feeds is a list of subscriptions.
        OpmlLinks = "opml_links",
        ZoteroRdf = "zotero_rdf",
        /// Links in nested lists, in the JSON that browser extensions write.
        NestedJson = "nested_json",
        /// One URL per line, with or without a title. `OneTab` writes such lists.
        UrlList = "url_list",
        /// Table with a column of URLs.
        Csv = "csv",
        /// List of objects with a URL.
        Json = "json",
        /// Carrel's own format, which preserves everything. The module that writes its lines also reads them.
        SvcJsonl = "svc_jsonl",
    }
}

words! {
    /// Status of an item at the other service.
    ImportStatus {
        Inbox = "inbox",
        Later = "later",
        Archive = "archive",
    }
}

/// Item exported by another service.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportRow {
    /// Id at the other service.
    pub source_id: Option<String>,
    /// Address of the item; `None` for books, notes and similar items.
    pub url: Option<String>,
    pub title: Option<String>,
    pub author: Option<String>,
    /// Time of publication, as written in the file.
    pub published_at: Option<String>,
    /// Time of saving, in milliseconds since 1970.
    pub saved_at: Option<i64>,
    pub status: Option<ImportStatus>,
    /// Percentage read; `None` if the file does not state it.
    pub progress: Option<u8>,
    /// All tags, as written in the file.
    pub tags: Vec<String>,
    pub is_starred: bool,
    /// Folders and lists of the item, each as the names from the outermost to the innermost.
    pub folders: Vec<Vec<String>>,
    pub content: Option<RowContent>,
    /// Note on the whole item.
    pub note: Option<String>,
    pub highlights: Vec<ImportedHighlight>,
    /// Values that belong to no field, by their names in the file.
    pub extra: Map<String, Value>,
    /// Names of the parts that are not imported, for the report.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// Names of the parts whose meaning may differ from the imported meaning, for the report.
    #[serde(default)]
    pub ambiguities: Vec<String>,
    /// True if the row has a text whose encoding is uncertain.
    #[serde(default)]
    pub is_encoding_uncertain: bool,
}

impl ImportRow {
    /// Returns true if a text of the row satisfies the condition.
    pub fn has_text(&self, condition: impl Fn(&str) -> bool) -> bool {
        let texts = [&self.title, &self.author, &self.note, &self.url].into_iter().flatten();
        let marked = self
            .highlights
            .iter()
            .flat_map(|highlight| std::iter::once(&highlight.quote).chain(&highlight.note));
        let content = self.content.iter().map(|content| &content.text);
        let mut all =
            texts.chain(&self.tags).chain(self.folders.iter().flatten()).chain(marked).chain(content);
        all.any(|text| condition(text)) || self.extra.values().any(|value| condition(&value.to_string()))
    }

    /// Leaves out the parts beyond the maximum numbers, and adds their counts to [`ImportRow::left_out`].
    pub fn limit_parts(&mut self) {
        let more_tags = cut(&mut self.tags, MAX_TAGS);
        let more_folders = cut(&mut self.folders, MAX_FOLDERS);
        let more_highlights = cut(&mut self.highlights, MAX_HIGHLIGHTS);
        let of_highlights = self.highlights.iter_mut().map(|one| cut(&mut one.tags, MAX_HIGHLIGHT_TAGS));
        let more_highlight_tags: usize = of_highlights.sum();
        let more_values = self.extra.len().saturating_sub(MAX_VALUES);
        let mut position = 0;
        self.extra.retain(|_, _| {
            position += 1;
            position <= MAX_VALUES
        });
        let more_parts = cut(&mut self.left_out, MAX_LEFT_OUT);
        let counts = [
            (more_tags, "tags"),
            (more_folders, "folders"),
            (more_highlights, "highlights"),
            (more_highlight_tags, "tags of highlights"),
            (more_values, "values"),
            (more_parts, "other parts"),
        ];
        let named = counts.iter().filter(|(count, _)| *count > 0);
        drop(self.left_out.splice(0..0, named.map(|(count, name)| format!("{name}: {count} more"))));
    }
}

/// Shortens a list. Returns the number of elements that were removed.
fn cut<T>(list: &mut Vec<T>, most: usize) -> usize {
    let more = list.len().saturating_sub(most);
    list.truncate(most);
    more
}

/// Text that a row contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowContent {
    pub text: String,
    /// `text/html`, `text/markdown` or `text/plain`.
    pub media_type: String,
}

/// A highlighted passage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedHighlight {
    /// Id at the other service.
    pub source_id: Option<String>,
    /// Highlighted text. Empty for a note at a position without text.
    pub quote: String,
    /// Text before and after the quote.
    pub prefix: String,
    pub suffix: String,
    /// Page of a book.
    pub page: Option<i32>,
    /// Position in a book, as written in the file.
    pub location: Option<String>,
    /// Note on the highlight.
    pub note: Option<String>,
    /// Colour, as named by the other service.
    pub color: Option<String>,
    pub tags: Vec<String>,
    /// Time of creation, in milliseconds since 1970.
    pub created_at: Option<i64>,
    /// Values that belong to no field, by their names in the file.
    #[serde(default)]
    pub extra: Map<String, Value>,
}

/// Reason why a row cannot be read. Subsequent rows can still be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum InvalidRow {
    /// The row exceeds the size limit.
    #[error("the row is too long")]
    TooLong,
    /// The row does not have the form that the format requires.
    #[error("the row cannot be read")]
    Malformed,
    /// The row has neither an address nor a text, a note or a highlight.
    #[error("the row contains nothing to import")]
    Empty,
    /// The row is an entry of a followed feed and was not saved.
    #[error("the row is an entry of a followed feed and was not saved")]
    FeedEntry,
    /// The row marks a page of a book and has no text.
    #[error("the row is a bookmark of a page in a book; it has no words to import")]
    PageMark,
    /// The row is a followed feed.
    #[error("the row is a followed feed; export the feeds as OPML and import them on the page of feeds")]
    Subscription,
    /// The row is a highlight or a note without its text.
    #[error("the row is a highlight or a note without its text; the export of highlights contains it")]
    Annotation,
    /// The row is in the trash of its service.
    #[error("the row was deleted at the other service")]
    Deleted,
    /// An entry of an archive has no rows. The value is the number of the entry.
    #[error("entry {0} of the archive contains nothing that can be imported")]
    Entry(u32),
    /// Further entries of an archive have no rows. The value is their count.
    #[error("{0} more entries of the archive contain nothing that can be imported")]
    Entries(u32),
    /// Number of responses of a web archive that are not pages.
    #[error(
        "{0} responses of the web archive are not imported: pictures, styles, scripts, errors, and inner pages"
    )]
    Responses(u32),
    /// A quotation mark of the row is not closed.
    #[error("a quotation mark of this line is not closed; reading continues with the next line")]
    UnclosedQuote,
    /// The file is an SQLite database of another program.
    #[error("the file is an SQLite database without the annotations of a Kobo")]
    OtherDatabase,
    /// The database cannot be read to its end.
    #[error("the database is damaged; what follows in it was not read")]
    DamagedDatabase,
    /// The database exceeds the limit on work.
    #[error("the database takes too long to read; what follows in it was not read")]
    SlowDatabase,
    /// The file is truncated within the row.
    #[error("the file ends in the middle of a row")]
    Truncated,
}

/// Result of reading a row.
pub type RowResult = Result<ImportRow, InvalidRow>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_beyond_the_maximum_are_counted_and_omitted() {
        let texts = |count: usize| (0..count).map(|number| number.to_string()).collect::<Vec<_>>();
        let highlight = ImportedHighlight { tags: texts(51), ..ImportedHighlight::default() };
        let mut row = ImportRow {
            tags: texts(100_000),
            folders: texts(21).into_iter().map(|name| vec![name]).collect(),
            highlights: vec![highlight; 5_001],
            extra: texts(1_002).into_iter().map(|name| (name, Value::Null)).collect(),
            left_out: texts(101),
            ..ImportRow::default()
        };
        row.limit_parts();
        assert_eq!((row.tags.len(), row.folders.len(), row.highlights.len()), (200, 20, 5_000));
        assert_eq!((row.extra.len(), row.extra.contains_key("999")), (1_000, true));
        let expected = [
            "tags: 99800 more",
            "folders: 1 more",
            "highlights: 1 more",
            "tags of highlights: 5000 more",
            "values: 2 more",
            "other parts: 1 more",
            "0",
        ];
        assert_eq!(row.left_out[..7], expected);
        assert_eq!(row.left_out.len(), 106);
        let mut small = ImportRow { tags: texts(2), ..ImportRow::default() };
        small.limit_parts();
        assert_eq!((small.tags.len(), small.left_out.len()), (2, 0));
    }
}
