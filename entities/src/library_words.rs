//! Enums of library rows. Their string values are the same in tables, logs, and the API.

use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

/// Declares string enums: the enum, its string values, and the parser.
macro_rules! words {
    ($($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $note:literal])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[doc = $about])+
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum,
        )]
        #[sea_orm(rs_type = "String", db_type = "Text")]
        pub enum $name {
            $(
                $(#[doc = $note])*
                #[serde(rename = $word)]
                #[sea_orm(string_value = $word)]
                $variant,
            )+
        }

        impl $name {
            /// All values, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the string value.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// Parses a string value.
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
    /// Subject of an import.
    ImportKind {
        /// Contents of a library.
        Library = "library",
        /// Feed subscriptions from a list.
        Subscriptions = "subscriptions",
        /// Contents of a library, read from a server.
        Server = "server",
    }
    /// State of the latest run of an import server.
    ImportServerState {
        /// The run is waiting for a worker.
        Queued = "queued",
        /// Pages are being read.
        Running = "running",
        /// The run is paused, for example because the server requested a delay.
        Waiting = "waiting",
        /// Everything was read.
        Complete = "complete",
        /// The run stopped. If possible, the next run continues at the same position.
        Failed = "failed",
    }
    /// Part of an account export in addition to the library.
    AccountExportPart {
        /// Feed subscriptions.
        Subscriptions = "subscriptions",
        /// Monitor definitions.
        Monitors = "monitors",
        /// Settings of subscriptions, and rules.
        Settings = "settings",
        /// Positions in documents of e-readers, and in recordings.
        Positions = "positions",
    }
    /// Kind of the objects in a part of an account export.
    ImportedPartKind {
        /// Followed feeds.
        Feeds = "feeds",
        Monitors = "monitors",
        /// Settings of followed feeds.
        FeedSettings = "feed_settings",
        /// Rules for entries.
        Rules = "rules",
        /// Saved searches.
        Searches = "searches",
        /// Templates of messages.
        Templates = "templates",
        /// Settings of reviews and choices for the language model.
        AccountSettings = "account_settings",
        /// Positions in documents of e-readers, and in recordings.
        Positions = "positions",
    }
}

words! {
    /// Kind of content of an item.
    ContentKind {
        Article = "article",
        /// Web page that is not an article.
        Website = "website",
        Book = "book",
        /// E-mail.
        Email = "email",
        Pdf = "pdf",
        /// Post in a social network.
        SocialPost = "social_post",
        Video = "video",
        PodcastEpisode = "podcast_episode",
        /// Office document.
        Document = "document",
        Unknown = "unknown",
    }
    /// Method by which the kind of an item was determined.
    ClassificationMethod {
        /// Set by the person.
        User = "user",
        /// Determined by a rule for the site.
        SourceAdapter = "source_adapter",
        /// Determined by the media type.
        Mime = "mime",
        /// Determined by the file extension.
        Extension = "extension",
        /// Determined by the URL.
        Url = "url",
        /// Determined by metadata of the source.
        Metadata = "metadata",
        /// Set by an import.
        Legacy = "legacy",
        /// Not determined.
        Fallback = "fallback",
    }
    /// Method by which an item was added to the library.
    CaptureMethod {
        /// Saved in the reader.
        Reader = "reader",
        /// Saved by a browser extension.
        Extension = "extension",
        /// Uploaded as a file.
        Upload = "upload",
        /// Saved from a feed.
        Rss = "rss",
        /// Received by e-mail.
        EmailInbox = "email_inbox",
        /// Saved through the API.
        Api = "api",
        Import = "import",
    }
    /// Format of the copy of a page.
    PageCopyFormat {
        /// Self-contained HTML file without scripts.
        Html = "html",
        /// PNG picture of the whole page.
        Screenshot = "screenshot",
        /// PDF file.
        Pdf = "pdf",
    }
    /// State of the request for the copy of a page.
    PageCopyState {
        /// A worker will create the copy.
        Waiting = "waiting",
        /// The copy is stored.
        Ready = "ready",
        /// The copy could not be created. An earlier copy is retained.
        Failed = "failed",
    }
    /// Format of an item's content.
    ItemFormat {
        Html = "html",
        Pdf = "pdf",
        Epub = "epub",
        Markdown = "markdown",
        PlainText = "plain_text",
        /// Word processor document.
        Document = "document",
        Spreadsheet = "spreadsheet",
        /// Presentation slides.
        Presentation = "presentation",
        Audio = "audio",
        Video = "video",
        Unknown = "unknown",
    }
    /// Position of an item in the person's workflow.
    ItemStatus {
        /// New.
        Inbox = "inbox",
        /// To be read another time.
        Later = "later",
        Archive = "archive",
    }
    /// State of an item's text.
    ArticleStatus {
        /// The file has not been uploaded yet.
        AwaitingUpload = "awaiting_upload",
        /// Waits to be fetched or extracted.
        Queued = "queued",
        /// Being extracted.
        Extracting = "extracting",
        /// Available.
        Ready = "ready",
        /// Failed; the error code is stored.
        Failed = "failed",
        /// Items of this kind have no text.
        NotApplicable = "not_applicable",
    }
    /// Method by which a text was extracted.
    TextSource {
        /// HTML of a page.
        Html = "html",
        /// Structured data in a page.
        StructuredData = "structured_data",
        Markdown = "markdown",
        PlainText = "plain_text",
        /// Feed entry.
        Feed = "feed",
        /// PDF file.
        Pdf = "pdf",
        /// EPUB book.
        Epub = "epub",
        /// Office document.
        Office = "office",
        /// Transcript with timestamps.
        Transcript = "transcript",
        /// Page rendered by a browser.
        Rendered = "rendered",
        /// Supplied with the save.
        Supplied = "supplied",
    }
    /// Origin of an item's text.
    TextOrigin {
        /// Fetched from the item's URL.
        Fetched = "fetched",
        /// Supplied with the save.
        Supplied = "supplied",
        /// Extracted from the item's file.
        File = "file",
    }
    /// Priority of the text job of an item.
    Lane {
        /// A person waits for the text.
        Person = "person",
        /// Imported; no person waits for the text.
        Import = "import",
    }
    /// Origin of a tag that was attached automatically.
    TagSource {
        /// The language model.
        Model = "model",
        /// A rule of the account.
        Rule = "rule",
    }
    /// Frequency with which the highlights of an item are reviewed.
    ReviewFrequency {
        /// Half the usual intervals.
        More = "more",
        /// Usual intervals.
        Normal = "normal",
        /// Double the usual intervals.
        Less = "less",
        /// Excluded from reviews.
        Never = "never",
    }
    /// Type of a library object.
    ObjectKind {
        Item = "item",
        Note = "note",
        Highlight = "highlight",
    }
    /// Kind of key by which saves are matched.
    KeyKind {
        /// Id assigned by a client.
        External = "external",
        Url = "url",
        /// Id of an imported row.
        Import = "import",
        /// Content hash.
        Content = "content",
    }
    /// Colour of a highlight.
    HighlightColor {
        Yellow = "yellow",
        Green = "green",
        Blue = "blue",
        Red = "red",
        Purple = "purple",
    }
    /// State of an import or export.
    TransferState {
        /// Waits to be started.
        Queued = "queued",
        Running = "running",
        Complete = "complete",
        Failed = "failed",
    }
    /// Result of a row of an import.
    RowOutcome {
        /// The row created an item, or would create one in a dry run.
        Created = "created",
        /// The item existed already.
        Existing = "existing",
        /// The row is a note or highlight of another row's item.
        Annotation = "annotation",
        /// The row was intentionally not imported.
        Skipped = "skipped",
        /// The row could not be imported.
        Failed = "failed",
    }
    /// Format of a library export.
    ExportFormat {
        /// All data of the library, in the native format.
        SvcJsonl = "svc_jsonl",
        /// Browser bookmarks.
        Netscape = "netscape",
        /// CSV table.
        Csv = "csv",
        /// Cards of highlights as tab-separated text, which Anki imports.
        Anki = "anki",
        /// Markdown files of items with notes or highlights.
        Markdown = "markdown",
        /// Markdown files of all items.
        MarkdownItems = "markdown_items",
        /// Markdown files of all items, with their texts.
        MarkdownTexts = "markdown_texts",
    }
    /// State of a highlight's anchor in the text.
    AnchorStatus {
        /// The text contains the highlighted words unchanged.
        Exact = "exact",
        /// The text contains similar words, or the words at another position.
        Moved = "moved",
        /// The text does not contain the words.
        Orphaned = "orphaned",
    }
}
