//! The sandbox: the same fixture on every call, through the same selection and the same forms as a real
//! read, so that a client can be tested without a source.

use std::sync::{Arc, LazyLock};

use domain::articles::{Address, Answer, Article};
use domain::cursor::CursorKey;
use domain::reader::{self, Bookmark, Wish};
use extract::{Block, BlockKind, Document, ExtractionSource, Quality};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::answer::{self, Asking, Page};
use super::asked::Asked;
use super::negotiate::Format;
use crate::app::App;
use crate::problem::{CATALOGUE, Problem};

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

/// Answers from the fixture, or with the problem that `scenario` names.
///
/// # Errors
/// The problems of a selection, and the one asked for.
pub(super) fn read(
    app: &App,
    asked: Asked,
    format: Format,
    scenario: Option<String>,
) -> Result<Page, Problem> {
    if let Some(code) = scenario {
        return Err(staged(&code));
    }
    let address = Address::parse(URL, &app.guard)?;
    let key = CursorKey::new([0; 32]);
    let wish = asked.wish();
    wish.check(asked.cursor.is_some())?;
    let bookmark = match &asked.cursor {
        Some(cursor) => Some(Bookmark::open(&key, &address, cursor)?),
        None => None,
    };
    let article = Article {
        snapshot_id: Uuid::nil(),
        source_key: address.key.clone(),
        final_url: URL.to_owned(),
        fetched_at: TIME,
        document: Arc::clone(&FIXTURE),
    };
    let selection = reader::select(&article, &Wish { bookmark, ..wish })?;
    let next_cursor = selection.next.map(|mark| mark.seal(&key, &address));
    let answer = Answer { article, cache_hit: true };
    let sandbox = answer::Place { path: "/api/v1/sandbox/read", responded_at: TIME };
    Ok(answer::dress_at(app, &Asking { asked, format }, &answer, &selection, next_cursor, &sandbox))
}

/// The problem of a scenario as a client would meet it.
fn staged(code: &str) -> Problem {
    if !CATALOGUE.iter().any(|entry| entry.code == code) {
        let known: Vec<&str> = CATALOGUE.iter().map(|entry| entry.code).collect();
        return Problem::parameter("scenario", format!("must be one of {}", known.join(", ")));
    }
    let mut problem = Problem::new(code, "This problem was asked for by `scenario`.");
    if code == "rate_limited" {
        problem.violated = vec!["burst"];
    }
    if code == "method_not_allowed" {
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
        leads: extract::Leads::default(),
        total_tokens: blocks.iter().map(|block| block.tokens).sum::<u32>() + joints,
        content_hash: format!("sha256:{hash}"),
        blocks,
    }
}
