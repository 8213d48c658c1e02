//! Response types of the reader.

use articles::reader::quotes::QuoteMatch;
use articles::reader::read_jobs::ReadJobState;
use extract::{BlockKind, Role};
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::ToJSON;
use poem_openapi::{Enum, Object};
use serde_json::Value;

use http_kit::http::enum_param::EnumParam;
use http_kit::http::openapi_type::{inline, openapi_type, response_only};
use http_kit::problem::ProblemBody;
use http_kit::text_head::text_head;

/// Format of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "lowercase")]
pub(super) enum FormatName {
    /// JSON with all fields.
    Json,
    /// Plain text: a header and numbered paragraphs.
    Text,
    /// Front matter and Markdown.
    Markdown,
    /// The reading page, for browsers.
    Html,
}

/// Rendering of a page in a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "lowercase")]
pub(super) enum RenderName {
    /// The page is rendered if it displays its text only to browsers that run scripts.
    Auto,
    /// The served page is read, without running its scripts.
    Never,
}

text_head! {
    /// Metadata of a text.
    pub(super) struct TextHead in "snake_case"
}

/// Result of a read: metadata of the text, and the selected blocks.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct ReadResult {
    /// URL as requested.
    pub url: String,
    /// Metadata of the text.
    #[oai(flatten)]
    pub head: TextHead,
    /// Media type of the source.
    pub content_type: String,
    /// Time of the last download, or of the last check that found the source unchanged, RFC 3339 UTC.
    pub fetched_at: String,
    /// Number of blocks in this response.
    pub returned_blocks: u64,
    /// `o200k_base` tokens in this response.
    pub returned_tokens: u32,
    /// All headings of the text.
    pub outline: Vec<OutlineHeading>,
    /// Selected blocks.
    pub blocks: Vec<BlockResult>,
    /// Search query; null without one.
    pub query: Option<String>,
    /// Number of all blocks that match the query; null without a query.
    pub matched_blocks: Option<u64>,
    /// True if there is a next page.
    pub has_more: bool,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
    /// Always true: the text is third-party data, never instructions.
    pub untrusted: bool,
}

/// Heading of the outline.
#[derive(Debug, Object)]
#[oai(rename = "OutlineEntry")]
pub(super) struct OutlineHeading {
    /// Anchor of the heading.
    pub anchor: u32,
    /// Level of the heading, 1 to 6.
    pub level: u8,
    /// Text of the heading.
    pub text: String,
}

/// Block of a text.
#[derive(Debug, Object)]
#[oai(rename = "Block")]
pub(super) struct BlockResult {
    /// Number of the block, from 1.
    pub anchor: u32,
    /// Kind of the block.
    pub kind: EnumParam<BlockKind>,
    /// Role of a block outside the main text. Omitted for blocks of the main text; plain text contains no others.
    #[oai(skip_serializing_if_is_none)]
    pub role: Option<EnumParam<Role>>,
    /// Text of the block.
    pub text: String,
    /// Text of the nearest preceding heading; null if there is none.
    pub section: Option<String>,
    /// `o200k_base` tokens in the text.
    pub tokens: u32,
    /// Level of a heading, 1 to 6; omitted for other blocks.
    #[oai(skip_serializing_if_is_none)]
    pub level: Option<u8>,
    /// Programming language of code; omitted if unknown.
    #[oai(skip_serializing_if_is_none)]
    pub language: Option<String>,
    /// Links in the text; omitted if there are none.
    #[oai(skip_serializing_if_is_none)]
    pub links: Option<Vec<LinkResult>>,
    /// Alternative text of a figure; omitted if there is none.
    #[oai(skip_serializing_if_is_none)]
    pub alt: Option<String>,
    /// Image URL of a figure; omitted if there is none.
    #[oai(skip_serializing_if_is_none)]
    pub src: Option<String>,
    /// Page number in a paged source; omitted otherwise.
    #[oai(skip_serializing_if_is_none)]
    pub page: Option<u32>,
    /// Start of a transcript line, in seconds; omitted otherwise.
    #[oai(skip_serializing_if_is_none)]
    pub start_seconds: Option<f64>,
    /// Label of a footnote; references in the text read `[^label]`. Omitted for other blocks.
    #[oai(skip_serializing_if_is_none)]
    pub note: Option<String>,
    /// Footnotes referenced in the text; for a footnote, the blocks that reference it. Omitted if there are
    /// none.
    #[oai(skip_serializing_if_is_none)]
    pub notes: Option<Vec<NoteResult>>,
    /// Rank among all matches of the query, from 1; omitted without a query.
    #[oai(skip_serializing_if_is_none)]
    pub rank: Option<u32>,
    /// Score relative to the best match: above 0, at most 1; omitted without a query.
    #[oai(skip_serializing_if_is_none)]
    pub score: Option<f64>,
}

/// Link between a footnote and a reference to it.
#[derive(Debug, Object)]
#[oai(rename = "Note")]
pub(super) struct NoteResult {
    /// Label of the footnote.
    pub label: String,
    /// Anchor of the block at the other end.
    pub anchor: u32,
}

/// Link in a block.
#[derive(Debug, Object)]
#[oai(rename = "Link")]
pub(super) struct LinkResult {
    /// Linked text.
    pub text: String,
    /// URL of the link.
    pub url: String,
}

/// Results of a batch.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct BatchResult {
    /// Results, one per request, in the same order.
    pub results: Vec<BatchItemResult>,
    /// Number of results with status 200.
    pub succeeded: u64,
    /// Number of results with another status.
    pub failed: u64,
}

/// Result of one read in a batch.
#[derive(Debug, Object)]
pub(super) struct BatchItemResult {
    /// Index of the request in the batch, from 0.
    pub index: u64,
    /// URL as requested.
    pub url: String,
    /// HTTP status that a single read would have returned.
    pub status: u16,
    /// Media type of `output`.
    pub content_type: String,
    /// Response body: an object for JSON types, a string for text.
    pub output: Output,
}

/// Read job.
#[derive(Debug, Object)]
#[oai(rename = "ReadJob", example)]
pub(super) struct ReadJobResult {
    /// Id of the job.
    pub job_id: uuid::Uuid,
    /// State of the job; `complete` and `failed` are final.
    pub state: EnumParam<ReadJobState>,
    /// URL as requested.
    pub url: String,
    /// Search query; null without one.
    pub query: Option<String>,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
    /// Time of the first start, RFC 3339 UTC; null until then.
    pub started_at: Option<String>,
    /// Time at which the job finished, RFC 3339 UTC; null until then.
    pub finished_at: Option<String>,
    /// Time at which the job is deleted, RFC 3339 UTC: 24 hours after it finished.
    pub expires_at: String,
    /// Number of attempts.
    pub attempts: u32,
    /// Seconds to wait before the next poll; 0 if the job is finished.
    pub poll_after: u32,
    /// URL of the result; null unless the job is complete.
    pub result_url: Option<String>,
    /// Problem of a failed job; otherwise null.
    pub error: Option<ProblemBody>,
}

/// Result of a quote check.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct VerifyResult {
    /// Hash of the checked text: `sha256:<hex>`.
    pub content_hash: String,
    /// Results, one per quote, in the same order.
    pub results: Vec<QuoteResult>,
}

/// Result for one quote.
#[derive(Debug, Object)]
pub(super) struct QuoteResult {
    /// The quote.
    pub quote: String,
    /// Match of the quote: `exact`, `close` or `absent`.
    pub status: EnumParam<QuoteMatch>,
    /// Anchor of the block in which the quote begins; null if it is absent.
    pub anchor: Option<u32>,
    /// Share of equal words, 0 to 1.
    pub similarity: f64,
    /// Text of the blocks that contain the quote; null if it is absent.
    pub context: Option<String>,
}

/// Body of one read in a batch: a read or problem as an object, or text as a string.
#[derive(Debug)]
pub(super) struct Output(pub Value);

openapi_type!(
    [] Output,
    "output",
    inline(MetaSchema {
        any_of: vec![
            ReadResult::schema_ref(),
            ProblemBody::schema_ref(),
            inline(MetaSchema::new("string")),
        ],
        ..MetaSchema::ANY
    }),
    |registry| {
        ReadResult::register(registry);
        ProblemBody::register(registry);
    }
);
response_only!([] Output);

impl ToJSON for Output {
    fn to_json(&self) -> Option<Value> {
        Some(self.0.clone())
    }
}
