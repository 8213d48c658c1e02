//! The sandbox: the same fixture on every call, through the same selection and the same forms as a real
//! read, so that a client can be tested without a source.

#![expect(clippy::unused_async, reason = "operations are asynchronous, also those that wait for nothing")]

use std::sync::{Arc, LazyLock};

use domain::Code;
use domain::SnapshotId;
use domain::articles::{Address, Answer, Article};
use domain::cursor::CursorKey;
use domain::reader::{Bookmark, Selector};
use extract::{Block, BlockKind, Document, ExtractionSource, Quality};
use poem::Request;
use poem_openapi::OpenApi;
use poem_openapi::param::Query;
use sha2::{Digest, Sha256};

use super::answer::{self, Page, ReadQuery};
use super::described::{Answered, describe, read_forms};
use super::limits::{Charged, Nothing};
use super::negotiate::accepted;
use super::parameters::{LineRange, present};
use super::params::ReadParams;
use super::schema::{FormatName, ReadResult};
use super::{Reader, Tag};
use crate::http::params::{Integer, Text};
use crate::problem::{ErrorGroup, Problem};

/// The URL that the fixture seems to come from.
pub(super) const URL: &str = "https://example.com/sandbox";
/// 2026-01-01T00:00:00.000Z, the time of everything here.
pub(super) const TIME: i64 = 1_767_225_600_000;

const TITLE: &str = "A page for testing";
const PARAGRAPHS: [&str; 3] = [
    "This page never changes. It is here so that programs can be tested against the reader without a source, \
     without a limit and without a surprise.",
    "Every read of it returns one heading and three paragraphs, with the same anchors, the same outline and the \
     same hash. Paging, ranges of lines and queries work on it as they do on any page.",
    "A scenario can be asked for: the answer is then the problem of that code, with its status and its headers, \
     as a client would meet it in earnest.",
];

static FIXTURE: LazyLock<Arc<Document>> = LazyLock::new(|| Arc::new(fixture()));

describe!(
    /// The sandbox's fixture.
    Sandbox,
    (200, "The fixture, in the form asked for."),
    [400, 404, 405, 409, 413, 415, 422, 429, 502, 503, 504],
    read_forms(),
    [("X-Svc-Sandbox", "Always `true`."), ("ETag", "Constant for each form and selection.")],
    [ReadResult]
);

/// The sandbox.
pub(super) struct SandboxApi;

#[OpenApi(tag = "Tag::Reader")]
#[expect(clippy::too_many_arguments, reason = "one argument for each parameter")]
impl SandboxApi {
    /// Read a fixture
    ///
    /// Always the same heading, paragraphs and outline: nothing is fetched, charged or changed. `scenario`
    /// answers with the problem of that code.
    #[oai(path = "/api/v1/sandbox/read", method = "get", operation_id = "sandboxRead")]
    async fn sandbox(
        &self,
        reader: Charged<Nothing>,
        request: &Request,
        /// Words to find in the fixture.
        query: Query<Option<Text<0, 500>>>,
        /// The most blocks returned for a query. Default 5.
        passages: Query<Option<Integer<1, 20>>>,
        /// A block or a range of blocks: `N` or `A-B`.
        lines: Query<Option<LineRange>>,
        /// Blocks a page.
        limit: Query<Option<Integer<1, 200>>>,
        /// `next_cursor` of the page before.
        cursor: Query<Option<Text<0, 500>>>,
        /// The form of the answer; wins over `Accept`.
        format: Query<Option<FormatName>>,
        /// Whole blocks up to so many tokens.
        max_tokens: Query<Option<Integer<100, 25_000>>>,
        /// Answer with the problem of this code.
        scenario: Query<Option<Text<0, 64>>>,
    ) -> Answered<Sandbox> {
        if let Some(code) = present(scenario.0.map(|text| text.0)) {
            return Err(staged(&code));
        }
        let read = ReadParams {
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
        let format = read.format.unwrap_or_else(|| accepted(request));
        let page = read_fixture(&reader, ReadQuery { request: read, format })?;
        Ok(page.respond(request.header("if-none-match")).into())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the query ends here")]
fn read_fixture(reader: &Reader, query: ReadQuery) -> Result<Page, Problem> {
    let address = Address::parse(&reader.app.domain, URL)?;
    let key = CursorKey::new([0; 32]);
    let selector = query.request.selector();
    selector.check(query.request.cursor.is_some())?;
    let bookmark = match &query.request.cursor {
        Some(cursor) => Some(Bookmark::open(&key, &address, cursor)?),
        None => None,
    };
    let article = Article {
        snapshot_id: SnapshotId::from_u128(0),
        source_key: address.key.clone(),
        final_url: URL.to_owned(),
        fetched_at: TIME,
        document: Arc::clone(&FIXTURE),
    };
    let selection = domain::reader::select(&article, &Selector { bookmark, ..selector })?;
    let next_cursor = selection.next.map(|mark| mark.seal(&key, &address));
    let answer = Answer { article, cache_hit: true };
    let context = answer::Context { path: "/api/v1/sandbox/read", responded_at: TIME };
    Ok(answer::build_page(reader, &query, &answer, &selection, next_cursor, &context))
}

/// The problem of a scenario as a client would meet it.
fn staged(scenario: &str) -> Problem {
    let codes = ErrorGroup::Reader.codes();
    let Some((entry, _)) = codes.iter().find(|(entry, _)| entry.code.as_str() == scenario) else {
        let known: Vec<&str> = codes.iter().map(|(entry, _)| entry.code.as_str()).collect();
        return Problem::parameter("scenario", format!("must be one of {}", known.join(", ")));
    };
    let mut problem = Problem::new(entry.code, "This problem was asked for by `scenario`.");
    if entry.code == Code::RateLimited {
        problem.violated = vec!["burst"];
    }
    if entry.code == Code::MethodNotAllowed {
        problem.allow = Some("GET, HEAD, OPTIONS");
    }
    problem
}

fn fixture() -> Document {
    let mut blocks = vec![Block {
        anchor: 1,
        kind: BlockKind::Heading,
        text: TITLE.to_owned(),
        section: Some(TITLE.to_owned()),
        level: Some(1),
        tokens: extract::tokens::count(TITLE),
        ..Block::default()
    }];
    for (anchor, text) in (2..).zip(PARAGRAPHS) {
        blocks.push(Block {
            anchor,
            kind: BlockKind::Paragraph,
            text: text.to_owned(),
            section: Some(TITLE.to_owned()),
            tokens: extract::tokens::count(text),
            ..Block::default()
        });
    }
    let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(texts.join("\n\n").as_bytes()));
    let joints = u32::try_from(blocks.len() - 1).unwrap_or(0);
    Document {
        title: TITLE.to_owned(),
        author: Some("Carrel".to_owned()),
        publisher: Some("Carrel".to_owned()),
        published_at: Some("2026-01-01T00:00:00.000Z".to_owned()),
        modified_at: None,
        language: Some("en".to_owned()),
        canonical_url: Some(URL.to_owned()),
        content_type: "text/html".to_owned(),
        source: ExtractionSource::Html,
        quality: Some(Quality::Complete),
        category: None,
        warnings: Vec::new(),
        next_links: extract::NextLinks::default(),
        total_tokens: blocks.iter().map(|block| block.tokens).sum::<u32>() + joints,
        content_hash: format!("sha256:{hash}"),
        blocks,
    }
}
