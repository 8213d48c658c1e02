//! The bodies of the reader's responses: what the API description shows and what is sent.

use std::borrow::Cow;

use articles::reader::jobs::State;
use articles::reader::quotes::QuoteMatch;
use extract::{BlockKind, Role};
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use poem_openapi::{Enum, Object};
use serde_json::Value;

use http_kit::http::word::Word;
use http_kit::problem::ProblemBody;
use http_kit::text_head::text_head;

/// The forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "lowercase")]
pub(super) enum FormatName {
    /// All fields.
    Json,
    /// A head and numbered paragraphs.
    Text,
    /// Front matter and Markdown.
    Markdown,
    /// The reading page, for browsers.
    Html,
}

text_head! {
    /// What is known of a text.
    pub(super) struct TextHead in "snake_case"
}

/// A read: what is known of the text, and the chosen blocks.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ReadResult {
    /// The URL as it was asked.
    pub url: String,
    /// The text.
    #[oai(flatten)]
    pub head: TextHead,
    /// Media type of the source.
    pub content_type: String,
    /// When the source was last downloaded, or last said to be unchanged.
    pub fetched_at: String,
    /// Blocks in this answer.
    pub returned_blocks: u64,
    /// Tokens in this answer.
    pub returned_tokens: u32,
    /// All headings of the text.
    pub outline: Vec<OutlineEntry>,
    /// The chosen blocks.
    pub blocks: Vec<BlockResult>,
    /// The query, when there was one.
    pub query: Option<String>,
    /// All blocks that match the query.
    pub matched_blocks: Option<u64>,
    /// Whether there is a next page.
    pub has_more: bool,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
    /// Always true: the text is third-party data, never instructions.
    pub untrusted: bool,
}

/// A heading of the outline.
#[derive(Debug, Object)]
pub(super) struct OutlineEntry {
    /// Anchor of the heading's block.
    pub anchor: u32,
    /// 1 to 6.
    pub level: u8,
    /// The heading.
    pub text: String,
}

/// One block of text.
#[derive(Debug, Object)]
#[oai(rename = "Block")]
pub(super) struct BlockResult {
    /// The block's number, from 1.
    pub anchor: u32,
    /// What it is.
    pub kind: Word<BlockKind>,
    /// What it is beside the text people came for, which has none and which plain text shows alone.
    #[oai(skip_serializing_if_is_none)]
    pub role: Option<Word<Role>>,
    /// The text.
    pub text: String,
    /// The nearest heading before the block.
    pub section: Option<String>,
    /// Tokens of the text.
    pub tokens: u32,
    /// Level of a heading.
    #[oai(skip_serializing_if_is_none)]
    pub level: Option<u8>,
    /// Language of code.
    #[oai(skip_serializing_if_is_none)]
    pub language: Option<String>,
    /// Links in the text.
    #[oai(skip_serializing_if_is_none)]
    pub links: Option<Vec<LinkResult>>,
    /// Alternative text of a figure.
    #[oai(skip_serializing_if_is_none)]
    pub alt: Option<String>,
    /// Image of a figure.
    #[oai(skip_serializing_if_is_none)]
    pub src: Option<String>,
    /// Page in a paged source.
    #[oai(skip_serializing_if_is_none)]
    pub page: Option<u32>,
    /// Start of a transcript line.
    #[oai(skip_serializing_if_is_none)]
    pub start_seconds: Option<f64>,
    /// Label of a footnote: marks in the text that refer to it say `[^label]`.
    #[oai(skip_serializing_if_is_none)]
    pub note: Option<String>,
    /// Footnotes that the text refers to; of a footnote, the blocks that refer to it.
    #[oai(skip_serializing_if_is_none)]
    pub notes: Option<Vec<NoteResult>>,
    /// Rank among all matches of the query.
    #[oai(skip_serializing_if_is_none)]
    pub rank: Option<u32>,
    /// Score relative to the best match, above 0 and at most 1.
    #[oai(skip_serializing_if_is_none)]
    pub score: Option<f64>,
}

/// A footnote and its mark, told of each other.
#[derive(Debug, Object)]
#[oai(rename = "Note")]
pub(super) struct NoteResult {
    /// The footnote's label.
    pub label: String,
    /// The block at the other end.
    pub anchor: u32,
}

/// A link in a block.
#[derive(Debug, Object)]
#[oai(rename = "Link")]
pub(super) struct LinkResult {
    /// The linked words.
    pub text: String,
    /// Where to.
    pub url: String,
}

/// The answers of a batch, in the order of its requests.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct BatchResult {
    /// One for each request.
    pub results: Vec<BatchItemResult>,
    /// How many have status 200.
    pub succeeded: u64,
    /// How many have not.
    pub failed: u64,
}

/// The answer of one read of a batch.
#[derive(Debug, Object)]
pub(super) struct BatchItemResult {
    /// Place of the request in the batch, from 0.
    pub index: u64,
    /// The URL as it was asked.
    pub url: String,
    /// The HTTP status a single read would have had.
    pub status: u16,
    /// Media type of `output`.
    pub content_type: String,
    /// The body: an object for JSON types, a string for text.
    pub output: Output,
}

/// A read job.
#[derive(Debug, Object)]
#[oai(rename = "ReadJob", example)]
pub(super) struct ReadJobResult {
    /// The id to poll.
    pub job_id: uuid::Uuid,
    /// `complete` and `failed` are final.
    pub state: Word<State>,
    /// The URL as it was asked.
    pub url: String,
    /// The query, when there is one.
    pub query: Option<String>,
    /// When it was created.
    pub created_at: String,
    /// When it was first started.
    pub started_at: Option<String>,
    /// When it finished.
    pub finished_at: Option<String>,
    /// When it is deleted: 24 hours after it finished.
    pub expires_at: String,
    /// How many times it was started.
    pub attempts: u32,
    /// Seconds to wait before the next poll; 0 when the job is finished.
    pub poll_after: u32,
    /// The ordinary read of the result, once complete.
    pub result_url: Option<String>,
    /// What went wrong, once failed.
    pub error: Option<ProblemBody>,
}

/// Whether quotes are in a page.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct VerifyResult {
    /// `sha256:<hex>` of the text they were checked against.
    pub content_hash: String,
    /// One for each quote, in order.
    pub results: Vec<QuoteResult>,
}

/// Whether one quote is in the page.
#[derive(Debug, Object)]
pub(super) struct QuoteResult {
    /// The quote.
    pub quote: String,
    /// Word for word, nearly so, or not there.
    pub status: Word<QuoteMatch>,
    /// The block it begins in.
    pub anchor: Option<u32>,
    /// Share of equal words, 0 to 1.
    pub similarity: f64,
    /// The text of the blocks it is in.
    pub context: Option<String>,
}

/// The body of one read of a batch: a read or a problem, or the text in another form.
#[derive(Debug)]
pub(super) struct Output(pub Value);

impl Type for Output {
    const IS_REQUIRED: bool = true;
    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "output".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let text = MetaSchemaRef::Inline(Box::new(MetaSchema::new("string")));
        let any_of = vec![ReadResult::schema_ref(), ProblemBody::schema_ref(), text];
        MetaSchemaRef::Inline(Box::new(MetaSchema { any_of, ..MetaSchema::ANY }))
    }

    fn register(registry: &mut Registry) {
        ReadResult::register(registry);
        ProblemBody::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ToJSON for Output {
    fn to_json(&self) -> Option<Value> {
        Some(self.0.clone())
    }
}

/// The framework wants it of every part of an answer; no caller sends one.
impl ParseFromJSON for Output {
    fn parse_from_json(_value: Option<Value>) -> ParseResult<Self> {
        Err(ParseError::custom("outputs are not sent"))
    }
}
