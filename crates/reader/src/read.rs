//! Single reads: `GET` with parameters and headers, `POST` with a body.

use poem::Request;
use poem_openapi::OpenApi;
use poem_openapi::param::{Header, Query};
use uuid::Uuid;

use super::answer;
use super::body::Payload;
use super::described::{Answered, READ_HEADERS, describe, read_forms};
use super::idempotent::Idempotent;
use super::limits::{Charged, Cost, OneRead};
use super::negotiate::{accepted, accepted_or_json};
use super::page::ReadQuery;
use super::parameters::{HeaderText, IdempotencyKey, LineRange, OrNull, SourceUrl, present, required_url};
use super::params::ReadParams;
use super::schema::{FormatName, ReadResult};
use super::service::Tag;
use http_kit::http::conditional::known_to;
use http_kit::http::params::{Integer, Text};
use http_kit::http::request::request;

describe!(
    /// A single read.
    Read,
    (200, "The text, in the form asked for."),
    [400, 404, 409, 422, 429, 502, 503, 504],
    read_forms(),
    READ_HEADERS,
    [ReadResult]
);
describe!(
    /// A single read requested in JSON.
    ReadByPost,
    (200, "The text, in the form asked for."),
    [400, 409, 413, 415, 422, 429, 502, 503, 504],
    read_forms(),
    READ_HEADERS,
    [ReadResult]
);

request! {
    /// One URL to read.
    pub(super) struct ReadRequest in snake_case {
        /// The public http(s) URL to read.
        url: SourceUrl = "https://example.com/article",
        /// Words to find: the answer holds the best matching blocks, ranked.
        query: OrNull<Text<0, 500>> = "carrel desks",
        /// The most blocks returned for a query. Default 5.
        passages: OrNull<Integer<1, 20>>,
        /// A block or a range of blocks: `N` or `A-B`, at most 500 blocks.
        lines: OrNull<LineRange>,
        /// The form of the answer. Default `json`.
        format: OrNull<FormatName>,
        /// Whole blocks up to so many tokens.
        max_tokens: OrNull<Integer<100, 25_000>>,
        /// Accept a copy of this age, in seconds; 0 fetches anew. Default 3600.
        max_age: OrNull<Integer<0, 86_400>>,
    }
}

impl From<ReadRequest> for ReadParams {
    fn from(request: ReadRequest) -> Self {
        Self {
            url: request.url.into_text(),
            query: present(request.query.0.map(|text| text.0)),
            passages: request.passages.0.map(Integer::get),
            lines: request.lines.0.and_then(|lines| lines.0),
            format: request.format.0.map(Into::into),
            max_tokens: request.max_tokens.0.map(Integer::get),
            max_age: request.max_age.0.map(Integer::get),
            ..Self::default()
        }
    }
}

impl Payload for ReadRequest {
    fn cost(&self) -> Cost {
        Cost::Reads(1)
    }
}

/// Single reads.
pub(super) struct ReadApi;

#[OpenApi(tag = "Tag::Reader")]
#[expect(clippy::too_many_arguments, reason = "one argument for each parameter")]
impl ReadApi {
    /// Read one public URL
    ///
    /// Fetches the URL, or takes a copy that is fresh enough, and answers with its clean text. Choose blocks
    /// by a query, by a range of lines or page by page; choose the form by `format` or `Accept`.
    #[oai(path = "/api/v1/read", method = "get", operation_id = "readPublicUrl")]
    async fn read(
        &self,
        reader: Charged<OneRead>,
        request: &Request,
        /// The public http(s) URL to read.
        url: Query<SourceUrl>,
        /// Words to find: the answer holds the best matching blocks, ranked.
        query: Query<Option<Text<0, 500>>>,
        /// The most blocks returned for a query. Default 5.
        passages: Query<Option<Integer<1, 20>>>,
        /// A block or a range of blocks: `N` or `A-B`, at most 500 blocks.
        lines: Query<Option<LineRange>>,
        /// Blocks a page, for paging; 20 is a good size.
        limit: Query<Option<Integer<1, 200>>>,
        /// `next_cursor` of the page before.
        cursor: Query<Option<Text<0, 500>>>,
        /// The form of the answer; wins over `Accept`.
        format: Query<Option<FormatName>>,
        /// Whole blocks up to so many tokens; the rest by `next_cursor`.
        max_tokens: Query<Option<Integer<100, 25_000>>>,
        /// Accept a copy of this age, in seconds; 0 fetches anew. Default 3600.
        max_age: Query<Option<Integer<0, 86_400>>>,
        /// Answer from the text of this read job.
        job_id: Query<Option<Uuid>>,
        /// The same as the parameter `query`, which wins; UTF-8, also percent-encoded.
        #[oai(name = "X-Svc-Query")]
        query_header: Header<Option<HeaderText<0, 500>>>,
        /// The same as the parameter `passages`, which wins.
        #[oai(name = "X-Svc-Passages")]
        passages_header: Header<Option<Integer<1, 20>>>,
        /// The same as the parameter `lines`, which wins.
        #[oai(name = "X-Svc-Lines")]
        lines_header: Header<Option<LineRange>>,
    ) -> Answered<Read> {
        let read = ReadParams {
            url: required_url(url.0.0)?,
            query: present(query.0.map(|text| text.0)).or(present(query_header.0.map(|text| text.0))),
            passages: passages.0.or(passages_header.0).map(Integer::get),
            lines: lines.0.and_then(|lines| lines.0).or(lines_header.0.and_then(|lines| lines.0)),
            limit: limit.0.map(Integer::get),
            cursor: present(cursor.0.map(|text| text.0)),
            format: format.0.map(Into::into),
            max_tokens: max_tokens.0.map(Integer::get),
            max_age: max_age.0.map(Integer::get),
            job_id: job_id.0.map(kernel::ReadJobId::from),
        };
        let format = read.format.unwrap_or_else(|| accepted(request));
        let query = ReadQuery { request: read, format };
        let page = answer::read(&reader, query, reader.app.settings.deadlines.read).await?;
        Ok(page.respond(known_to(request).as_deref()).into())
    }

    /// Read one public URL, asked for in JSON
    ///
    /// With an `Idempotency-Key` the first final answer is stored for 24 hours and sent again to every
    /// repetition, without a new extraction or charge.
    #[oai(path = "/api/v1/read", method = "post", operation_id = "readPublicUrlJson")]
    async fn read_json(
        &self,
        request: &Request,
        /// 1 to 255 visible ASCII characters, quoted or bare.
        #[oai(name = "Idempotency-Key")]
        _key: Header<Option<IdempotencyKey>>,
        body: Idempotent<ReadRequest>,
    ) -> Answered<ReadByPost> {
        let format = body.format().unwrap_or_else(|| accepted_or_json(request));
        let response = body.run(format, move |reader, read, making| async move {
            let query = ReadQuery { request: making.of(read.into()), format };
            let page = answer::read(&reader, query, reader.app.settings.deadlines.read).await?;
            Ok(page.respond(None))
        });
        Ok(response.await?.into())
    }
}
