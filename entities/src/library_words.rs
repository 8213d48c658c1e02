//! Closed sets of words in the rows of a library: the same in the tables, in logs and on the wire.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

/// A closed set of words: the enum, its words, and the way back.
macro_rules! words {
    ($($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $note:literal])+ $variant:ident = $word:literal,)+ })+) => {$(
        $(#[doc = $about])+
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum,
        )]
        #[sea_orm(rs_type = "String", db_type = "Text")]
        pub enum $name {
            $(
                $(#[doc = $note])+
                #[serde(rename = $word)]
                #[sea_orm(string_value = $word)]
                $variant,
            )+
        }

        impl $name {
            /// Every value, in the order of the enum.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// The value of a word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
    )+};
}

words! {
    /// What an import brings in.
    ImportKind {
        /// What a library keeps.
        Library = "library",
        /// Subscriptions to feeds, from a list.
        Subscriptions = "subscriptions",
    }
    /// What an export of ours holds beside the library.
    TakeoutPart {
        /// Subscriptions to feeds.
        Subscriptions = "subscriptions",
        /// Definitions of monitors.
        Monitors = "monitors",
    }
}

words! {
    /// What sort of thing an item is.
    ContentKind {
        /// An article.
        Article = "article",
        /// A page that is no article.
        Website = "website",
        /// A book.
        Book = "book",
        /// A mail.
        Email = "email",
        /// A PDF.
        Pdf = "pdf",
        /// A post of a social network.
        SocialPost = "social_post",
        /// A film.
        Video = "video",
        /// An episode of a podcast.
        PodcastEpisode = "podcast_episode",
        /// A document of an office.
        Document = "document",
        /// Not known.
        Unknown = "unknown",
    }
    /// How the kind of an item was found.
    ClassificationMethod {
        /// The person said so.
        User = "user",
        /// By the place it is from.
        SourceAdapter = "source_adapter",
        /// By the media type.
        Mime = "mime",
        /// By the file's ending.
        Extension = "extension",
        /// By the address.
        Url = "url",
        /// By what the source says of itself.
        Metadata = "metadata",
        /// It came with an import.
        Legacy = "legacy",
        /// Nothing told it.
        Fallback = "fallback",
    }
    /// How an item came into the library.
    CaptureMethod {
        /// From the reader.
        Reader = "reader",
        /// From a browser extension.
        Extension = "extension",
        /// As a file.
        Upload = "upload",
        /// From a feed.
        Rss = "rss",
        /// By mail.
        EmailInbox = "email_inbox",
        /// Through the API.
        Api = "api",
        /// By an import.
        Import = "import",
    }
    /// The format of an item's content.
    ItemFormat {
        /// HTML.
        Html = "html",
        /// PDF.
        Pdf = "pdf",
        /// EPUB.
        Epub = "epub",
        /// Markdown.
        Markdown = "markdown",
        /// Plain text.
        PlainText = "plain_text",
        /// A word processor's document.
        Document = "document",
        /// A spreadsheet.
        Spreadsheet = "spreadsheet",
        /// Slides.
        Presentation = "presentation",
        /// Sound.
        Audio = "audio",
        /// Film.
        Video = "video",
        /// Not known.
        Unknown = "unknown",
    }
    /// Where a person keeps an item.
    ItemStatus {
        /// New.
        Inbox = "inbox",
        /// For later.
        Later = "later",
        /// Done with.
        Archive = "archive",
    }
    /// Where the text of an item stands.
    ArticleStatus {
        /// Its file has not come yet.
        AwaitingUpload = "awaiting_upload",
        /// It waits to be fetched or read.
        Queued = "queued",
        /// It is being read.
        Extracting = "extracting",
        /// It is there.
        Ready = "ready",
        /// There is none, and why is known.
        Failed = "failed",
        /// The item is of a kind without text.
        NotApplicable = "not_applicable",
    }
    /// How a text was found.
    TextSource {
        /// A page's own markup.
        Html = "html",
        /// Data in a page.
        StructuredData = "structured_data",
        /// Markdown.
        Markdown = "markdown",
        /// Plain text.
        PlainText = "plain_text",
        /// A feed.
        Feed = "feed",
        /// A PDF file.
        Pdf = "pdf",
        /// An EPUB book.
        Epub = "epub",
        /// A document of an office.
        Office = "office",
        /// A transcript with times.
        Transcript = "transcript",
        /// A page as a browser draws it.
        Rendered = "rendered",
        /// It was sent with the save.
        Supplied = "supplied",
    }
    /// Where an item's text is from.
    TextOrigin {
        /// Fetched from the item's URL.
        Fetched = "fetched",
        /// Sent with the save.
        Supplied = "supplied",
        /// Read from the item's file.
        File = "file",
    }
    /// Who waits for an item's text.
    Lane {
        /// A person.
        Person = "person",
        /// Nobody: it was imported.
        Import = "import",
    }
    /// The types of a library's objects.
    ObjectKind {
        /// An item.
        Item = "item",
        /// A note.
        Note = "note",
        /// A highlight.
        Highlight = "highlight",
    }
    /// What saves are matched by.
    KeyKind {
        /// An id that a client gave.
        External = "external",
        /// An address.
        Url = "url",
        /// The id of an imported row.
        Import = "import",
        /// The content itself.
        Content = "content",
    }
    /// The colours of highlights.
    HighlightColor {
        /// Yellow.
        Yellow = "yellow",
        /// Green.
        Green = "green",
        /// Blue.
        Blue = "blue",
        /// Red.
        Red = "red",
        /// Purple.
        Purple = "purple",
    }
    /// Where an export stands.
    TransferState {
        /// It waits.
        Queued = "queued",
        /// It is being made.
        Running = "running",
        /// It is done.
        Complete = "complete",
        /// It came to nothing.
        Failed = "failed",
    }
    /// The formats in which libraries are exported.
    ExportFormat {
        /// Everything.
        SvcJsonl = "svc_jsonl",
        /// Bookmarks of browsers.
        Netscape = "netscape",
        /// A table.
        Csv = "csv",
    }
    /// Whether a highlight's words are found in the text.
    AnchorStatus {
        /// Word for word.
        Exact = "exact",
        /// Nearly, or elsewhere.
        Moved = "moved",
        /// Not.
        Orphaned = "orphaned",
    }
}
