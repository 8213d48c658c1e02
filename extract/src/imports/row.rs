//! The shape of a row, the words of its fields, and what can be wrong with one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::document::words;

/// The longest row of a JSON file, in bytes.
pub const MAX_ROW_BYTES: usize = 16 * 1024 * 1024;
/// How much of a file tells its format.
pub const HEAD_BYTES: usize = 64 * 1024;

words! {
    /// Formats that are read, by the words under which callers name them.
    Format {
        /// Bookmarks of browsers, and what many services call HTML.
        Netscape = "netscape",
        /// Pocket.
        PocketCsv = "pocket_csv",
        /// Omnivore.
        OmnivoreJson = "omnivore_json",
        /// Readwise: highlights of books and articles.
        ReadwiseCsv = "readwise_csv",
        /// Readwise Reader.
        ReadwiseReaderCsv = "readwise_reader_csv",
        /// Instapaper.
        InstapaperCsv = "instapaper_csv",
        /// Raindrop.
        RaindropCsv = "raindrop_csv",
        /// wallabag.
        WallabagJson = "wallabag_json",
        /// Karakeep, once Hoarder.
        KarakeepJson = "karakeep_json",
        /// Our own, in which nothing is lost; its lines are read by whoever wrote them.
        SvcJsonl = "svc_jsonl",
    }
}

words! {
    /// Where something that is kept stands.
    Shelf {
        /// New.
        Inbox = "inbox",
        /// For later.
        Later = "later",
        /// Done with.
        Archive = "archive",
    }
}

/// One thing that was kept elsewhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Its id there.
    pub source_id: Option<String>,
    /// Where it was read; none for books, notes and the like.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// When it was published, as the file writes it.
    pub published_at: Option<String>,
    /// When it was kept, in milliseconds since 1970.
    pub saved_at: Option<i64>,
    /// Where it stood.
    pub shelf: Option<Shelf>,
    /// How much of it was read, of 100; none when the file does not say.
    pub progress: Option<u8>,
    /// Its tags, all of them, as they are written there.
    pub tags: Vec<String>,
    /// It had a star.
    pub is_starred: bool,
    /// The folder in which it lay.
    pub folder: Option<String>,
    /// Its text.
    pub content: Option<Content>,
    /// What the person wrote about it.
    pub note: Option<String>,
    /// What the person marked in it.
    pub highlights: Vec<Highlight>,
    /// What has no place in the above, by the names of the file.
    pub extra: Map<String, Value>,
}

impl Row {
    /// About how many bytes it takes in memory.
    pub fn weight(&self) -> usize {
        let of = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let all = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
        let texts = [&self.source_id, &self.url, &self.title, &self.author, &self.published_at, &self.folder];
        let marks = self.highlights.iter().map(|highlight| {
            highlight.quote.len() + of(&highlight.note) + of(&highlight.color) + all(&highlight.tags)
        });
        let content = self.content.as_ref().map_or(0, |content| content.text.len());
        let extra = self.extra.iter().map(|(name, value)| name.len() + value.as_str().map_or(64, str::len));
        texts.into_iter().map(of).sum::<usize>()
            + of(&self.note)
            + all(&self.tags)
            + content
            + marks.sum::<usize>()
            + extra.sum::<usize>()
    }
}

/// A text that a row brings along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The text.
    pub text: String,
    /// `text/html` or `text/plain`.
    pub media_type: String,
}

/// A marked passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Highlight {
    /// Its id there.
    pub source_id: Option<String>,
    /// The words.
    pub quote: String,
    /// What was written beside them.
    pub note: Option<String>,
    /// Its colour, as it is called there.
    pub color: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// When it was made, in milliseconds since 1970.
    pub created_at: Option<i64>,
}

/// Why a row cannot be read; the next one can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It is longer than a row may be.
    #[error("the row is too long")]
    TooLong,
    /// It is not what the format says a row is.
    #[error("the row cannot be read")]
    Malformed,
    /// It names neither an address nor a text nor a marked passage.
    #[error("the row names nothing that could be kept")]
    Empty,
    /// The file ends in the middle of it.
    #[error("the file ends in the middle of a row")]
    BrokenOff,
}

/// What a row came to.
pub type Read = Result<Row, Problem>;
