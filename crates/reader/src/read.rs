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
use super::schema::{FormatName, ReadResult, RenderName};
use super::service::ReaderTag;
use http_kit::http::conditional::if_none_match;
use http_kit::http::params::{Integer, Text};
use http_kit::http::request::request;

describe!(
    /// Single read, with parameters or in the prefix form.
    ReadResponse,
    (200, "The text in the requested format."),
    [400, 404, 409, 422, 429, 502, 503, 504],
    read_forms(),
    READ_HEADERS,
    [ReadResult]
);
describe!(
    /// Single read requested in JSON.
    ReadByPost,
    (200, "The text in the requested format."),
    [400, 409, 413, 415, 422, 429, 502, 503, 504],
    read_forms(),
    READ_HEADERS,
    [ReadResult]
);

request! {
    /// URL to read, with options.
    pub(super) struct ReadRequest in snake_case {
        /// Public http(s) URL to read.
        url: SourceUrl = "https://example.com/article",
        /// Search query: returns the best matching blocks, ranked.
        query: OrNull<Text<0, 500>> = "carrel desks",
        /// Maximum number of blocks returned for a query. Default: 5.
        passages: OrNull<Integer<1, 20>>,
        /// Block or range of blocks: `N` or `A-B`, at most 500 blocks.
        lines: OrNull<LineRange>,
        /// Format of the response. Default: `json`.
        format: OrNull<FormatName>,
        /// Maximum number of tokens; only whole blocks are returned.
        max_tokens: OrNull<Integer<100, 25_000>>,
        /// Maximum age of a cached copy, in seconds; 0 forces a fetch. Default: 3600.
        max_age: OrNull<Integer<0, 86_400>>,
        /// Rendering of the page in a browser, charged to the limit `render`. Default: `auto`.
        render: OrNull<RenderName>,
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
            render: request.render.0.map(Into::into).unwrap_or_default(),
            ..Self::default()
        }
    }
}

impl Payload for ReadRequest {
    fn cost(&self) -> Cost {
        Cost::Reads(1)
    }
}

pub(super) struct ReadApi;

#[OpenApi(tag = "ReaderTag::Reader")]
#[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
impl ReadApi {
    /// Read one public URL
    ///
    /// Fetches the URL, or uses a sufficiently fresh cached copy, and returns its clean text. A query, a range of
    /// lines, or paging selects the blocks; `format` or `Accept` selects the format.
    #[oai(path = "/api/v1/read", method = "get", operation_id = "readPublicUrl")]
    async fn read(
        &self,
        reader: Charged<OneRead>,
        request: &Request,
        /// Public http(s) URL to read.
        url: Query<SourceUrl>,
        /// Search query: returns the best matching blocks, ranked.
        query: Query<Option<Text<0, 500>>>,
        /// Maximum number of blocks returned for a query. Default: 5.
        passages: Query<Option<Integer<1, 20>>>,
        /// Block or range of blocks: `N` or `A-B`, at most 500 blocks.
        lines: Query<Option<LineRange>>,
        /// Number of blocks per page; 20 is a good size. Default: no paging.
        limit: Query<Option<Integer<1, 200>>>,
        /// `next_cursor` of the previous page.
        cursor: Query<Option<Text<0, 500>>>,
        /// Format of the response; takes precedence over `Accept`.
        format: Query<Option<FormatName>>,
        /// Maximum number of tokens; only whole blocks are returned. Continue with `next_cursor`.
        max_tokens: Query<Option<Integer<100, 25_000>>>,
        /// Maximum age of a cached copy, in seconds; 0 forces a fetch. Default: 3600.
        max_age: Query<Option<Integer<0, 86_400>>>,
        /// Rendering of the page in a browser, charged to the limit `render`. Default: `auto`.
        render: Query<Option<RenderName>>,
        /// Id of a read job (UUID): reads the text of this job.
        job_id: Query<Option<Uuid>>,
        /// Same as the parameter `query`, which takes precedence. UTF-8, raw or percent-encoded.
        #[oai(name = "X-Svc-Query")]
        query_header: Header<Option<HeaderText<0, 500>>>,
        /// Same as the parameter `passages`, which takes precedence.
        #[oai(name = "X-Svc-Passages")]
        passages_header: Header<Option<Integer<1, 20>>>,
        /// Same as the parameter `lines`, which takes precedence.
        #[oai(name = "X-Svc-Lines")]
        lines_header: Header<Option<LineRange>>,
    ) -> Answered<ReadResponse> {
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
            render: render.0.map(Into::into).unwrap_or_default(),
            job_id: job_id.0.map(kernel::ReadJobId::from),
        };
        let format = read.format.unwrap_or_else(|| accepted(request));
        let query = ReadQuery { request: read, format };
        let page = answer::read(&reader, query, reader.app.settings.deadlines.read).await?;
        Ok(page.respond(if_none_match(request).as_deref()).into())
    }

    /// Read one public URL with a JSON body
    ///
    /// With an `Idempotency-Key`, the first final response is stored for 24 hours and replayed for every
    /// repetition, without a new extraction or charge. A response over 8 MiB, or over 1 MiB compressed, is not
    /// stored: a repetition is a new request.
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
        let response = body.run(format, move |reader, read| async move {
            let query = ReadQuery { request: read.into(), format };
            let page = answer::read(&reader, query, reader.app.settings.deadlines.read).await?;
            Ok(page.respond(None))
        });
        Ok(response.await?.into())
    }
}
