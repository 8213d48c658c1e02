//! What extraction hands on: a document of typed blocks with stable anchors, and the closed value sets of its fields.
//!
//! Everything here is plain data that survives a round trip through JSON; how it was found is the matter of the
//! other modules, how it is dressed for a caller that of the surfaces.

mod next_links;
mod picture;

use serde::{Deserialize, Serialize};

pub use self::next_links::NextLinks;
pub use self::picture::Picture;

/// One source as it came from the network or from a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The body, after content decoding.
    pub bytes: Vec<u8>,
    /// The value of the `Content-Type` header, parameters included.
    pub content_type: Option<String>,
    /// The final URL after redirects; links are resolved against it.
    pub url: Option<String>,
}

/// The answer of an extraction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// There was text.
    Document(Box<Document>),
    /// The source was understood and holds no text.
    NoText {
        /// What was noticed on the way, for instance that the page needs scripts.
        warnings: Vec<Warning>,
        /// Where there may be some.
        #[serde(default, skip_serializing_if = "NextLinks::is_empty")]
        next_links: NextLinks,
    },
    /// No reader for this kind of content.
    Unsupported {
        /// The media type, without parameters.
        mime: String,
    },
    /// The source is shaped so that reading it would cost too much.
    TooComplex {
        /// Which gate refused it, in words for a person.
        reason: String,
    },
}

/// A source turned into clean text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Never empty when the document has blocks.
    pub title: String,
    /// Names joined by `, `.
    pub author: Option<String>,
    /// The site or organisation.
    pub publisher: Option<String>,
    /// RFC 3339, or a bare date (`2026-01-31`) where the source gives no time.
    pub published_at: Option<String>,
    /// As `published_at`.
    pub modified_at: Option<String>,
    /// BCP 47 tag, as the page says or as detected.
    pub language: Option<String>,
    /// Absolute http(s) URL the page names as its own.
    pub canonical_url: Option<String>,
    /// Media type of the source, without parameters.
    pub content_type: String,
    /// Which reader produced the blocks.
    pub source: ExtractionSource,
    /// `None` means not judged.
    pub quality: Option<Quality>,
    /// `None` means not judged.
    pub category: Option<Category>,
    /// In the order of the enum, each at most once.
    pub warnings: Vec<Warning>,
    /// In reading order; anchors run from 1 without gaps.
    pub blocks: Vec<Block>,
    /// `sha256:<hex>` of all block texts joined by a blank line.
    pub content_hash: String,
    /// Tokens of all blocks, plus one for each joint between two blocks.
    pub total_tokens: u32,
    /// For the caller who fetches; not a part of the text.
    #[serde(rename = "leads", default, skip_serializing_if = "NextLinks::is_empty")]
    pub next_links: NextLinks,
}

/// One unit of text that can be cited by its anchor.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Counts from 1.
    pub anchor: u32,
    /// What kind of text this is.
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
    /// Absolute URL of a figure's image or of what is embedded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src: Option<String>,
    /// True for a film or a page that is embedded, whose `src` is no image; used for rendering only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub embedded: bool,
    /// Page number of a paged source, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Start of a transcript line, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_seconds: Option<f64>,
    /// The label of a footnote: what the marks in the text that refer to it say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The footnotes that the text refers to; of a footnote, the blocks that refer to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteLink>,
    /// Where a list item stands; used for rendering only, not part of any answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<ListPlace>,
    /// Inline emphasis, code and links as byte ranges of `text`; used for rendering only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// True when this block continues the one before it, which was too long for one block.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continued: bool,
    /// True for the caption of the table after this block; used for rendering only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub caption: bool,
    /// Pictures that are no blocks of their own; used for rendering only, not part of any answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// What it is beside the text that people came for; `None` for that text itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

impl Block {
    /// Whether the block is of the text that people came for: plain text shows no other.
    pub fn is_of_text(&self) -> bool {
        match self.role {
            None | Some(Role::Standfirst) => true,
            Some(Role::Caption | Role::Credit | Role::Note | Role::Comment | Role::Teaser) => false,
        }
    }

    /// The text without the marks of footnotes: a heading as a title.
    pub fn title(&self) -> String {
        self.notes
            .iter()
            .fold(self.text.clone(), |text, note| text.replace(&format!("[^{}]", note.label), ""))
    }
}

/// A link in a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The words that are linked.
    pub text: String,
    /// Absolute, http, https or mailto.
    pub url: String,
}

/// A footnote and its mark, told of each other. In the text the mark is `[^label]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteLink {
    /// The footnote's label.
    pub label: String,
    /// The anchor of the other end: of the footnote, or of a block that refers to it.
    pub anchor: u32,
}

/// Where a list item stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListPlace {
    /// 0 for a list that stands in no other list.
    pub depth: u8,
    /// The item's number in an ordered list; `None` in an unordered one.
    pub number: Option<u32>,
}

/// A stretch of a block's text that is set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// First byte of the stretch in the block's text.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// How it is set apart.
    pub style: Style,
}

/// How a stretch of text is set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Bold in most sources.
    Strong,
    /// Italic in most sources.
    Emphasis,
    /// Monospaced words inside a sentence.
    Code,
    /// The link with this index in the block's `links`.
    Link(u32),
    /// Set above the line; the text has it in Unicode or behind `^`.
    Superscript,
    /// Set below the line; the text has it in Unicode or behind `_`.
    Subscript,
    /// The mark of a footnote, as `[^label]`.
    Note,
}

/// A closed set of words on the wire: the enum, its snake case words, and the way back.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$note])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Every value, in the order of the enum.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The value of a wire word.
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
    /// What a block is.
    #[derive(Default)]
    BlockKind {
        /// A heading with a level.
        Heading = "heading",
        /// Running text.
        #[default]
        Paragraph = "paragraph",
        /// One item of a list.
        ListItem = "list_item",
        /// Quoted text.
        Quote = "quote",
        /// Preformatted code.
        Code = "code",
        /// A table, as GitHub-flavoured Markdown.
        Table = "table",
        /// An image, a film or another embed, by its caption or alternative text.
        Figure = "figure",
        /// A displayed formula, as TeX where the source has it.
        Math = "math",
        /// A footnote's text.
        Footnote = "footnote",
        /// One line of a transcript.
        Transcript = "transcript",
    }
}

words! {
    /// What a block is beside the text that people came for.
    Role {
        /// The lines between the headline and the text that sum it up; they are of the text.
        Standfirst = "standfirst",
        /// What is said of a picture.
        Caption = "caption",
        /// Who made a picture, or which agency it is from.
        Credit = "credit",
        /// What editors say of the text: who helped, what was corrected, where it was published first.
        Note = "note",
        /// What a reader wrote under the text.
        Comment = "comment",
        /// The way to another text.
        Teaser = "teaser",
    }
}

words! {
    /// Which reader produced the text.
    ExtractionSource {
        /// The page's own markup.
        Html = "html",
        /// Data embedded in the page (JSON-LD and the like), because the markup held no text.
        StructuredData = "structured_data",
        /// Markdown as served.
        Markdown = "markdown",
        /// Plain text as served.
        PlainText = "plain_text",
        /// An RSS, Atom or JSON feed.
        Feed = "feed",
        /// A PDF file.
        Pdf = "pdf",
        /// An EPUB book.
        Epub = "epub",
        /// A word processor's document, a spreadsheet or slides.
        Office = "office",
        /// What is said in a film or a recording, with times.
        Transcript = "transcript",
    }
}

words! {
    /// How much of the text was found.
    Quality {
        /// Nothing seems to be missing.
        Complete = "complete",
        /// A cap, a preview or missing pages.
        Partial = "partial",
        /// Under 50 words, or mostly links.
        Thin = "thin",
        /// Looks like a consent wall, an error or a robot check.
        Suspect = "suspect",
    }
}

words! {
    /// What sort of page the source is.
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
        /// A page round a film.
        Video = "video",
        /// A page round an audio episode.
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
    /// Something a reader should know about how the text came to be.
    Warning {
        /// Text that the page hides from people was left out.
        HiddenTextRemoved = "hidden_text_removed",
        /// Control characters or bidirectional overrides were left out.
        ControlCharactersRemoved = "control_characters_removed",
        /// The source was longer than the cap.
        TruncatedSource = "truncated_source",
        /// The page shows only the beginning to people who do not pay.
        PaywallPreview = "paywall_preview",
        /// The page shows its text only to browsers that run scripts.
        JavascriptRequired = "javascript_required",
    }
}
