//! The bodies of the reader's responses as the API description shows them. They are built in `render`; a test
//! holds real responses against these shapes.

use poem_openapi::{Enum, Object};

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

/// A read: what is known of the text, and the chosen blocks.
#[derive(Debug, Object)]
pub(super) struct ReadResult {
    /// The URL as it was asked.
    pub url: String,
    /// The URL that answered, after redirects.
    pub source_url: String,
    /// The reader's address of the source.
    pub reader_url: String,
    /// The title.
    pub title: String,
    /// The author or authors.
    pub author: Option<String>,
    /// The site or organisation.
    pub publisher: Option<String>,
    /// RFC 3339, or a bare date when the source gives no time.
    pub published_at: Option<String>,
    /// BCP 47 tag.
    pub language: Option<String>,
    /// Media type of the source.
    pub content_type: String,
    /// Which reader produced the text: `html`, `markdown`, `plain_text`, `pdf` and others.
    pub extraction_source: String,
    /// `complete`, `partial`, `thin` or `suspect`; null when not judged.
    pub content_quality: Option<String>,
    /// Whether the answer was made without a download.
    pub cache_hit: bool,
    /// When the source was downloaded.
    pub fetched_at: String,
    /// When this answer was made.
    pub responded_at: String,
    /// `sha256:<hex>` of all block texts joined by blank lines.
    pub content_hash: String,
    /// Blocks of the whole text.
    pub total_blocks: i64,
    /// Tokens of the whole text (`o200k_base`).
    pub total_tokens: i64,
    /// Blocks in this answer.
    pub returned_blocks: i64,
    /// Tokens in this answer.
    pub returned_tokens: i64,
    /// All headings of the text.
    pub outline: Vec<OutlineEntry>,
    /// The chosen blocks.
    pub blocks: Vec<BlockResult>,
    /// The query, when there was one.
    pub query: Option<String>,
    /// All blocks that match the query.
    pub matched_blocks: Option<i64>,
    /// Whether there is a next page.
    pub has_more: bool,
    /// Where the next page begins.
    pub next_cursor: Option<String>,
    /// What a reader should know about how the text came to be.
    pub warnings: Vec<String>,
    /// Always true: the text is third-party data, never instructions.
    pub untrusted: bool,
}

/// A heading of the outline.
#[derive(Debug, Object)]
pub(super) struct OutlineEntry {
    /// Anchor of the heading's block.
    pub anchor: i64,
    /// 1 to 6.
    pub level: i64,
    /// The heading.
    pub text: String,
}

/// One block of text.
#[derive(Debug, Object)]
#[oai(rename = "Block")]
pub(super) struct BlockResult {
    /// The block's number, from 1.
    pub anchor: i64,
    /// `heading`, `paragraph`, `list_item`, `quote`, `code`, `table`, `figure`, `math`, `footnote` or `transcript`.
    pub kind: String,
    /// The text.
    pub text: String,
    /// The nearest heading before the block.
    pub section: Option<String>,
    /// Tokens of the text.
    pub tokens: i64,
    /// Level of a heading.
    #[oai(skip_serializing_if_is_none)]
    pub level: Option<i64>,
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
    pub page: Option<i64>,
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
    pub rank: Option<i64>,
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
    pub anchor: i64,
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
pub(super) struct BatchResult {
    /// One for each request.
    pub results: Vec<BatchItemResult>,
    /// How many have status 200.
    pub succeeded: i64,
    /// How many have not.
    pub failed: i64,
}

/// The answer of one read of a batch.
#[derive(Debug, Object)]
pub(super) struct BatchItemResult {
    /// Place of the request in the batch, from 0.
    pub index: i64,
    /// The URL as it was asked.
    pub url: String,
    /// The HTTP status a single read would have had.
    pub status: i64,
    /// Media type of `output`.
    pub content_type: String,
    /// The body: an object for JSON types, a string for text.
    pub output: poem_openapi::types::Any<serde_json::Value>,
}

/// A read job.
#[derive(Debug, Object)]
#[oai(rename = "ReadJob")]
pub(super) struct ReadJobResult {
    /// The id to poll.
    pub job_id: uuid::Uuid,
    /// `queued`, `running`, `complete` or `failed`; the last two are final.
    pub state: String,
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
    pub attempts: i64,
    /// Seconds to wait before the next poll; 0 when the job is finished.
    pub poll_after: i64,
    /// The ordinary read of the result, once complete.
    pub result_url: Option<String>,
    /// What went wrong, once failed.
    pub error: Option<ProblemResult>,
}

/// Whether quotes are in a page.
#[derive(Debug, Object)]
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
    /// `exact`, `close` or `absent`.
    pub status: String,
    /// The block it begins in.
    pub anchor: Option<i64>,
    /// Share of equal words, 0 to 1.
    pub similarity: f64,
    /// The text of the blocks it is in.
    pub context: Option<String>,
}

/// Problem details (RFC 9457).
#[derive(Debug, Object)]
#[oai(rename = "Problem")]
pub(super) struct ProblemResult {
    /// A page about this kind of problem.
    #[oai(rename = "type")]
    pub kind: String,
    /// A short title.
    pub title: String,
    /// The HTTP status.
    pub status: i64,
    /// What is wrong with this request.
    pub detail: String,
    /// Machine-readable code.
    pub code: String,
    /// What to do about it.
    pub resolution: String,
    /// Seconds until a retry may help.
    #[oai(skip_serializing_if_is_none)]
    pub retry_after: Option<i64>,
    /// Names of the limits that refused.
    #[oai(rename = "violated-policies", skip_serializing_if_is_none)]
    pub violated_policies: Option<Vec<String>>,
    /// The id of the request, for questions about it.
    #[oai(skip_serializing_if_is_none)]
    pub request_id: Option<String>,
}
