//! Sandbox: returns the same fixture on every call, with the selection and formats of a real read, so that
//! clients can be tested without a source.

#![expect(clippy::unused_async, reason = "operations are async even if they do not wait")]

use articles::reader::{Bookmark, TextSelector};
use articles::{Address, ServedArticle};
use kernel::Code;
use kernel::cursor::CursorKey;
use poem::Request;
use poem_openapi::OpenApi;
use poem_openapi::param::Query;

use super::answer;
use super::described::{Answered, describe, read_forms};
use super::fixture::{self, TIME, URL};
use super::limits::{Charged, Free};
use super::negotiate::accepted;
use super::page::{ReadQuery, RenderedPage};
use super::parameters::{LineRange, Scenario, present};
use super::params::ReadParams;
use super::schema::{FormatName, ReadResult};
use super::service::{ReaderService, ReaderTag};
use http_kit::http::conditional::if_none_match;
use http_kit::http::params::{Integer, Text};
use http_kit::problem::{Problem, ProblemEntry};

describe!(
    /// Fixture of the sandbox.
    Sandbox,
    (200, "The fixture in the requested format."),
    [400, 404, 405, 409, 413, 415, 422, 429, 502, 503, 504],
    read_forms(),
    [("X-Svc-Sandbox", "Always `true`."), ("ETag", "Constant for each form and selection.")],
    [ReadResult]
);

pub(super) struct SandboxApi;

#[OpenApi(tag = "ReaderTag::Reader")]
#[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
impl SandboxApi {
    /// Read a fixture
    ///
    /// Returns the same heading, paragraphs and outline on every call; nothing is fetched, charged or
    /// changed. `scenario` returns the problem with that code.
    #[oai(path = "/api/v1/sandbox/read", method = "get", operation_id = "sandboxRead")]
    async fn sandbox(
        &self,
        reader: Charged<Free>,
        request: &Request,
        /// Search query within the fixture.
        query: Query<Option<Text<0, 500>>>,
        /// Maximum number of blocks returned for a query. Default: 5.
        passages: Query<Option<Integer<1, 20>>>,
        /// Block or range of blocks: `N` or `A-B`.
        lines: Query<Option<LineRange>>,
        /// Number of blocks per page. Default: no paging.
        limit: Query<Option<Integer<1, 200>>>,
        /// `next_cursor` of the previous page.
        cursor: Query<Option<Text<0, 500>>>,
        /// Format of the response; takes precedence over `Accept`.
        format: Query<Option<FormatName>>,
        /// Maximum number of tokens; only whole blocks are returned.
        max_tokens: Query<Option<Integer<100, 25_000>>>,
        /// Code of the problem to return.
        scenario: Query<Option<Scenario>>,
    ) -> Answered<Sandbox> {
        if let Some(entry) = scenario.0.and_then(|scenario| scenario.0) {
            return Err(scenario_problem(entry));
        }
        let params = ReadParams {
            url: URL.to_owned(),
            query: present(query.0.map(|text| text.0)),
            passages: passages.0.map(Integer::get),
            lines: lines.0.and_then(|lines| lines.0),
            limit: limit.0.map(Integer::get),
            cursor: present(cursor.0.map(|text| text.0)),
            format: format.0.map(Into::into),
            max_tokens: max_tokens.0.map(Integer::get),
            ..ReadParams::default()
        };
        let format = params.format.unwrap_or_else(|| accepted(request));
        let page = read_fixture(&reader, ReadQuery { request: params, format })?;
        Ok(page.respond(if_none_match(request).as_deref()).into())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the query is consumed here")]
fn read_fixture(reader: &ReaderService, query: ReadQuery) -> Result<RenderedPage, Problem> {
    let address = Address::parse(&reader.app.domain, URL)?;
    let key = CursorKey::new([0; 32]);
    let selector = query.request.selector();
    selector.check(query.request.cursor.is_some())?;
    let bookmark = match &query.request.cursor {
        Some(cursor) => Some(Bookmark::open(&key, &address, cursor)?),
        None => None,
    };
    let article = fixture::article(&address.key);
    let selection = articles::reader::select(&article, &TextSelector { bookmark, ..selector })?;
    let next_cursor = selection.next.map(|mark| mark.seal(&key, &address));
    let answer = ServedArticle { article, cache_hit: true };
    let context = answer::ResponseContext { path: "/api/v1/sandbox/read", responded_at: TIME };
    Ok(answer::build_page(reader, &query, &answer, &selection, next_cursor, &context))
}

/// Builds the problem of a scenario as a client would receive it.
fn scenario_problem(entry: ProblemEntry) -> Problem {
    let mut problem = Problem::new(entry.code, "This problem was requested by `scenario`.");
    if entry.code == Code::RateLimited {
        problem.violated = vec!["burst"];
    }
    if entry.code == Code::MethodNotAllowed {
        problem.allow = Some("GET, HEAD, OPTIONS");
    }
    problem
}
