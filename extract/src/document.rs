//! Result of extraction: a document of typed blocks with stable anchors, and the enumerations of its fields.
//!
//! All types are plain data and can be serialized to JSON and back without loss. Other modules extract the
//! data; the surfaces format it for callers.

mod next_links;
mod picture;

use serde::{Deserialize, Serialize};

pub use self::next_links::NextLinks;
pub use self::picture::Picture;

/// Maximum number of enclosing quotes and list items of a block that are rendered. Further containers are
/// ignored.
pub(crate) const MAX_CONTAINERS: usize = 16;

/// Fetched or submitted source from which text is extracted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Body after content decoding.
    pub bytes: Vec<u8>,
    /// Value of the `Content-Type` header, with parameters.
    pub content_type: Option<String>,
    /// Final URL after redirects. Relative links are resolved against it.
    pub url: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionOutcome {
    Document(Box<Document>),
    /// The source was read, but contains no text.
    NoText {
        /// Warnings, for instance that the page requires scripts.
        warnings: Vec<Warning>,
        /// Links that may lead to the text.
        #[serde(default, skip_serializing_if = "NextLinks::is_empty")]
        next_links: NextLinks,
    },
    /// The content type is not supported.
    Unsupported {
        /// Media type, without parameters.
        mime: String,
    },
    /// Reading the source would exceed a limit.
    TooComplex {
        /// The exceeded limit, described for users.
        reason: String,
    },
}

/// Source that was converted to clean text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Title. Not empty if the document has blocks.
    pub title: String,
    /// Names of the authors, joined by `, `.
    pub author: Option<String>,
    /// Site or organisation.
    pub publisher: Option<String>,
    /// Time of publication in RFC 3339 format, or a date (`2026-01-31`) if the source does not contain a
    /// time.
    pub published_at: Option<String>,
    /// Time of the last change, in the format of `published_at`.
    pub modified_at: Option<String>,
    /// BCP 47 tag, declared by the page or detected.
    pub language: Option<String>,
    /// Absolute http(s) URL that the page declares as canonical.
    pub canonical_url: Option<String>,
    /// Media type of the source, without parameters.
    pub content_type: String,
    /// Reader that produced the blocks.
    pub source: ExtractionSource,
    /// Completeness of the text. `None` if it was not assessed.
    pub quality: Option<Quality>,
    /// Type of the page. `None` if it was not assessed.
    pub category: Option<Category>,
    /// Warnings in the order of the enum, without duplicates.
    pub warnings: Vec<Warning>,
    /// Blocks in reading order. Their anchors count from 1 without gaps.
    pub blocks: Vec<Block>,
    /// `sha256:<hex>` of all block texts joined by a blank line.
    pub content_hash: String,
    /// Tokens of all blocks, plus one for each separator between two blocks.
    pub total_tokens: u32,
    /// URLs of further parts or other versions of the text, which the caller may fetch.
    #[serde(rename = "leads", default, skip_serializing_if = "NextLinks::is_empty")]
    pub next_links: NextLinks,
}

impl Document {
    /// Reading time in whole minutes.
    pub fn reading_minutes(&self) -> u32 {
        self.total_tokens / 300
    }
}

/// Unit of text that can be cited by its anchor.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Number of the block in the document, counted from 1.
    pub anchor: u32,
    pub kind: BlockKind,
    /// Clean text. A table is GitHub-flavoured Markdown. Code retains its line breaks.
    pub text: String,
    /// Text of the nearest heading before this block.
    pub section: Option<String>,
    /// Number of `o200k_base` tokens in `text`.
    pub tokens: u32,
    /// Heading level, 1 to 6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// Programming language of a code block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Absolute http, https and mailto links in the text, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Alternative text of a figure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt: Option<String>,
    /// Absolute URL of a figure's image or of an embedded resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// True for an embedded video or page, whose `src` is not an image. Used only for rendering.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub embedded: bool,
    /// Page number of a paged source, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Start of a transcript line, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_seconds: Option<f64>,
    /// Label of a footnote. The text contains it in each mark that refers to the footnote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Footnotes to which the text refers. For a footnote, the blocks that refer to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteLink>,
    /// Position of a list item. Used only for rendering; not part of any response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<ListItemPosition>,
    /// Inline emphasis, code and links as byte ranges of `text`. Used only for rendering.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// True if this block continues the previous block, because the text was too long for a single block.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continued: bool,
    /// True for the caption of the table after this block. Used only for rendering.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub caption: bool,
    /// Pictures with too little text to be blocks. Used only for rendering; not part of any response.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// URL to which the image of a figure links. Used only for rendering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_link: Option<String>,
    /// Enclosing quotes and list items, the outermost first. Empty if `kind` and `list` imply them. Used only
    /// for rendering.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Container>,
    /// Role of a block that is not running text. `None` for running text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

impl Block {
    /// Enclosing quotes and list items, the outermost first. If the block begins a list item, that item is
    /// not included.
    pub(crate) fn containers(&self) -> Vec<Container> {
        let depth = self.list.map_or(0, |position| usize::from(position.depth));
        match self.kind {
            _ if !self.within.is_empty() => self.within.iter().copied().take(MAX_CONTAINERS).collect(),
            BlockKind::Quote => vec![Container::Quote],
            BlockKind::ListItem => vec![Container::Item; depth.min(MAX_CONTAINERS)],
            _ => Vec::new(),
        }
    }

    /// True if the block belongs to the main text. Plain text contains only such blocks.
    pub fn is_main_text(&self) -> bool {
        match self.role {
            None | Some(Role::Standfirst) => true,
            Some(Role::Caption | Role::Credit | Role::Note | Role::Comment | Role::Teaser) => false,
        }
    }

    /// Text without footnote marks, for use as a title.
    pub fn title(&self) -> String {
        self.notes
            .iter()
            .fold(self.text.clone(), |text, note| text.replace(&format!("[^{}]", note.label), ""))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Text of the link.
    pub text: String,
    /// Absolute http, https or mailto URL.
    pub url: String,
}

/// Link between a footnote and a mark that refers to it. In the text, the mark is `[^label]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteLink {
    pub label: String,
    /// Anchor of the linked block: the footnote, or a block that refers to it.
    pub anchor: u32,
}

/// Element that encloses a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Container {
    Quote,
    /// List item that began in an earlier block.
    Item,
}

/// Highest list item number in `CommonMark`.
pub(crate) const MAX_ITEM_NUMBER: u32 = 999_999_999;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListItemPosition {
    /// Nesting depth. 0 for an outermost list.
    pub depth: u8,
    /// Number of the item in an ordered list. `None` in an unordered list.
    pub number: Option<u32>,
}

/// Formatted range of a block's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Offset of the first byte in the block's text.
    pub start: u32,
    /// Offset after the last byte in the block's text.
    pub end: u32,
    pub style: Style,
}

/// Converts an offset in a text, or the index of a link, to the type that [`Mark`] uses.
pub(crate) fn bound(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Inline formatting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Strong text, which is bold in most sources.
    Strong,
    /// Emphasised text, which is italic in most sources.
    Emphasis,
    /// Monospaced text within a sentence.
    Code,
    /// Link. The value is its index in the block's `links`.
    Link(u32),
    /// Raised text, written with Unicode superscript characters or `^`.
    Superscript,
    /// Lowered text, written with Unicode subscript characters or `_`.
    Subscript,
    /// Reference to a footnote, written as `[^label]`.
    Note,
    /// Formula, as TeX.
    Math,
    /// Struck-out text.
    Deleted,
}

impl Style {
    /// Increases the index of a link by `offset`. Other styles are unchanged.
    pub(crate) fn with_link_offset(self, offset: u32) -> Self {
        match self {
            Self::Link(index) => Self::Link(index + offset),
            other => other,
        }
    }
}

/// Defines an enum with a fixed snake-case name for each value, and a parser of these names.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$note])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// All values, in the order of the enum.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Name in responses and in the database.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Parses a name from a request or the database.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

pub(crate) use words;

words! {
    /// Kind of a block.
    #[derive(Default)]
    BlockKind {
        /// A heading with a level.
        Heading = "heading",
        /// Paragraph of the running text.
        #[default]
        Paragraph = "paragraph",
        ListItem = "list_item",
        Quote = "quote",
        /// Preformatted code.
        Code = "code",
        /// A table, as GitHub-flavoured Markdown.
        Table = "table",
        /// Image, video or other embed, represented by its caption or alternative text.
        Figure = "figure",
        /// Displayed formula, as TeX if the source has it.
        Math = "math",
        Footnote = "footnote",
        /// Part of a transcript, with its start time.
        Transcript = "transcript",
    }
}

words! {
    /// Role of a block that is not running text.
    Role {
        /// Summary between the headline and the text. It belongs to the main text.
        Standfirst = "standfirst",
        /// Description of a picture.
        Caption = "caption",
        /// Creator or agency of a picture.
        Credit = "credit",
        /// Editorial note: contributors, corrections, first publication.
        Note = "note",
        /// Comment of a reader below the text.
        Comment = "comment",
        /// Link to another text.
        Teaser = "teaser",
    }
}

words! {
    /// Reader that produced the text.
    #[derive(Default)]
    ExtractionSource {
        /// HTML of the page.
        #[default]
        Html = "html",
        /// Data embedded in the page, such as JSON-LD, which is used if the markup contains no text.
        StructuredData = "structured_data",
        /// Markdown as served.
        Markdown = "markdown",
        /// Plain text as served.
        PlainText = "plain_text",
        /// RSS, Atom or JSON feed.
        Feed = "feed",
        Pdf = "pdf",
        Epub = "epub",
        /// Word processor document, spreadsheet or slides.
        Office = "office",
        /// Spoken text of a video or recording, with times.
        Transcript = "transcript",
        /// HTML of the page after its scripts ran in a browser.
        Rendered = "rendered",
    }
}

words! {
    /// Completeness of the extracted text.
    Quality {
        /// No missing part was detected.
        Complete = "complete",
        /// Truncated by a limit or a paywall, or with missing pages or parts.
        Partial = "partial",
        /// Fewer than 50 words, or mostly links.
        Thin = "thin",
        /// Resembles a consent page, an error page or a robot check.
        Suspect = "suspect",
    }
}

words! {
    /// Type of the page.
    Category {
        /// A news or magazine article.
        Article = "article",
        /// A post of a blog.
        Blog = "blog",
        /// Documentation of software or of a product.
        Documentation = "documentation",
        /// An encyclopedia or dictionary.
        Reference = "reference",
        /// A scholarly paper.
        Paper = "paper",
        /// A discussion.
        Forum = "forum",
        /// A post on a social network.
        Social = "social",
        /// A page about a single video.
        Video = "video",
        /// A page about a single podcast episode.
        Podcast = "podcast",
        /// A repository or a file of source code.
        Code = "code",
        /// An offer of a product.
        Product = "product",
        /// The front page of a site.
        Homepage = "homepage",
        /// A file, such as a PDF, a book or an office document.
        Document = "document",
        /// None of the other types.
        Other = "other",
    }
}

words! {
    /// Warning about content that was cut, removed or is missing.
    Warning {
        /// Text that the page hides from readers was removed.
        HiddenTextRemoved = "hidden_text_removed",
        /// Control characters or bidirectional overrides were removed.
        ControlCharactersRemoved = "control_characters_removed",
        /// Part of the source is missing: it exceeds a limit, or cannot be converted.
        TruncatedSource = "truncated_source",
        /// The page shows non-subscribers only the beginning of the text.
        PaywallPreview = "paywall_preview",
        /// The page displays its text only in browsers that run scripts.
        JavascriptRequired = "javascript_required",
    }
}
