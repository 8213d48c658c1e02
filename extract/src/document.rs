//! Result of extraction: a document of typed blocks with stable anchors, and the enumerations of its fields.
//!
//! All types are plain data that survives a round trip through JSON. Other modules extract the data; the
//! surfaces format it for callers.

mod next_links;
mod picture;

use serde::{Deserialize, Serialize};

pub use self::next_links::NextLinks;
pub use self::picture::Picture;

/// Maximum enclosing quotes and list items of a block that are rendered.
pub(crate) const MAX_CONTAINERS: usize = 16;

/// One source, fetched or submitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Body after content decoding.
    pub bytes: Vec<u8>,
    /// Value of the `Content-Type` header, with parameters.
    pub content_type: Option<String>,
    /// Final URL after redirects; links are resolved against it.
    pub url: Option<String>,
}

/// Outcome of an extraction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractionOutcome {
    Document(Box<Document>),
    /// The source was read and contains no text.
    NoText {
        /// Warnings, for instance that the page requires scripts.
        warnings: Vec<Warning>,
        /// Links that may lead to the text.
        #[serde(default, skip_serializing_if = "NextLinks::is_empty")]
        next_links: NextLinks,
    },
    /// No reader supports this content type.
    Unsupported {
        /// Media type, without parameters.
        mime: String,
    },
    /// Reading the source would cost too much.
    TooComplex {
        /// The exceeded limit, in words for people.
        reason: String,
    },
}

/// A source turned into clean text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Not empty if the document has blocks.
    pub title: String,
    /// Names joined by `, `.
    pub author: Option<String>,
    /// Site or organisation.
    pub publisher: Option<String>,
    /// RFC 3339, or a bare date (`2026-01-31`) if the source gives no time.
    pub published_at: Option<String>,
    /// Format as in `published_at`.
    pub modified_at: Option<String>,
    /// BCP 47 tag, declared by the page or detected.
    pub language: Option<String>,
    /// Absolute http(s) URL that the page declares as its own.
    pub canonical_url: Option<String>,
    /// Media type of the source, without parameters.
    pub content_type: String,
    /// Reader that produced the blocks.
    pub source: ExtractionSource,
    /// `None` if not assessed.
    pub quality: Option<Quality>,
    /// `None` if not assessed.
    pub category: Option<Category>,
    /// In the order of the enum, without duplicates.
    pub warnings: Vec<Warning>,
    /// In reading order; anchors run from 1 without gaps.
    pub blocks: Vec<Block>,
    /// `sha256:<hex>` of all block texts joined by a blank line.
    pub content_hash: String,
    /// Tokens of all blocks, plus one for each joint between two blocks.
    pub total_tokens: u32,
    /// Links for the caller to fetch; not part of the text.
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
    /// Counts from 1.
    pub anchor: u32,
    pub kind: BlockKind,
    /// Clean text; a table is GitHub-flavoured Markdown, code keeps its lines.
    pub text: String,
    /// Text of the nearest heading before this block.
    pub section: Option<String>,
    /// `o200k_base` tokens of `text`.
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
    /// True for an embedded film or page, whose `src` is not an image; used for rendering only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub embedded: bool,
    /// Page number of a paged source, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Start of a transcript line, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_seconds: Option<f64>,
    /// Label of a footnote, as repeated by the marks that refer to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Footnotes that the text refers to; in a footnote, the blocks that refer to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteLink>,
    /// Position of a list item; used for rendering only, not part of any response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<ListItemPosition>,
    /// Inline emphasis, code and links as byte ranges of `text`; used for rendering only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// True if this block continues the one before it, which was too long for one block.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continued: bool,
    /// True for the caption of the table after this block; used for rendering only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub caption: bool,
    /// Pictures that are not blocks; used for rendering only, not part of any response.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// URL to which the image of a figure links; used for rendering only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_link: Option<String>,
    /// Enclosing quotes and list items, outermost first, if `kind` and `list` do not imply them; used for
    /// rendering only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Container>,
    /// Role of a block other than running text; `None` for running text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

impl Block {
    /// Enclosing quotes and list items, outermost first, without the item that the block itself begins.
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
    /// Linked words.
    pub text: String,
    /// Absolute http, https or mailto URL.
    pub url: String,
}

/// Link between a footnote and a mark that refers to it. In the text, the mark is `[^label]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteLink {
    pub label: String,
    /// Anchor of the other end: the footnote, or a block that refers to it.
    pub anchor: u32,
}

/// Element that encloses a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Container {
    Quote,
    /// List item that began with an earlier block.
    Item,
}

/// Maximum number of a list item in `CommonMark`.
pub(crate) const MAX_ITEM_NUMBER: u32 = 999_999_999;

/// Position of a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListItemPosition {
    /// Nesting depth; 0 for an outermost list.
    pub depth: u8,
    /// Number of the item in an ordered list; `None` in an unordered one.
    pub number: Option<u32>,
}

/// Formatted range of a block's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// First byte of the range in the block's text.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    pub style: Style,
}

/// Offset in a text, or index of a link, for a mark.
pub(crate) fn bound(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Inline formatting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Bold in most sources.
    Strong,
    /// Italic in most sources.
    Emphasis,
    /// Monospaced words inside a sentence.
    Code,
    /// Link with this index in the block's `links`.
    Link(u32),
    /// Raised; the text has Unicode characters or `^`.
    Superscript,
    /// Lowered; the text has Unicode characters or `_`.
    Subscript,
    /// Footnote mark, as `[^label]`.
    Note,
    /// Formula, as TeX.
    Math,
    /// Struck out.
    Deleted,
}

impl Style {
    /// The style, with a link index that is higher by `offset`.
    pub(crate) fn with_link_offset(self, offset: u32) -> Self {
        match self {
            Self::Link(index) => Self::Link(index + offset),
            other => other,
        }
    }
}

/// Defines an enum with a fixed snake case word for each value, and a parser of these words.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$note])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// All values, in the order of the enum.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Word on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Parses a word from the wire.
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
        /// Running text.
        #[default]
        Paragraph = "paragraph",
        ListItem = "list_item",
        Quote = "quote",
        /// Preformatted code.
        Code = "code",
        /// A table, as GitHub-flavoured Markdown.
        Table = "table",
        /// Image, film or other embed, represented by its caption or alternative text.
        Figure = "figure",
        /// Displayed formula, as TeX if the source has it.
        Math = "math",
        Footnote = "footnote",
        /// Line of a transcript.
        Transcript = "transcript",
    }
}

words! {
    /// Role of a block other than running text.
    Role {
        /// Summary between headline and text. Belongs to the main text.
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
    ExtractionSource {
        /// Markup of the page.
        Html = "html",
        /// Data embedded in the page (JSON-LD and the like), used if the markup contains no text.
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
        /// Speech of a film or recording, with times.
        Transcript = "transcript",
    }
}

words! {
    /// Completeness of the extracted text.
    Quality {
        /// Nothing seems to be missing.
        Complete = "complete",
        /// Cut by a limit, a preview, or with missing pages or parts.
        Partial = "partial",
        /// Under 50 words, or mostly links.
        Thin = "thin",
        /// Resembles a consent wall, an error or a robot check.
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
        /// A post of a social network.
        Social = "social",
        /// Page about one film.
        Video = "video",
        /// Page about one audio episode.
        Podcast = "podcast",
        /// A repository or a source file.
        Code = "code",
        /// Something for sale.
        Product = "product",
        /// The front page of a site.
        Homepage = "homepage",
        /// A file: PDF, book, office document.
        Document = "document",
        /// None of these.
        Other = "other",
    }
}

words! {
    /// Statement about what was cut, removed or missing.
    Warning {
        /// Text that the page hides from readers was removed.
        HiddenTextRemoved = "hidden_text_removed",
        /// Control characters or bidirectional overrides were removed.
        ControlCharactersRemoved = "control_characters_removed",
        /// Part of the source is missing: it exceeds a limit, or cannot be converted.
        TruncatedSource = "truncated_source",
        /// The page shows only the beginning to readers who do not pay.
        PaywallPreview = "paywall_preview",
        /// The page shows its text only to browsers that run scripts.
        JavascriptRequired = "javascript_required",
    }
}
