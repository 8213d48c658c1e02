//! Constant text that the sandbox returns. The examples of the API description are also rendered from it.

use std::sync::{Arc, LazyLock};

use articles::Article;
use articles::reader::{SelectedBlock, TextSelection};
use extract::{Block, BlockKind, Document, ExtractionSource, Quality};
use kernel::SnapshotId;
use poem_openapi::types::Example;
use sha2::{Digest, Sha256};

use super::render::ReadView;
use super::schema::ReadResult;

/// URL under which the fixture is returned.
pub(super) const URL: &str = "https://example.com/sandbox";
/// 2026-01-01T00:00:00.000Z, the only time in the fixture.
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

/// Returns the fixture as an article of the source with this key.
pub(super) fn article(source_key: &str) -> Article {
    Article {
        snapshot_id: SnapshotId::from_u128(0),
        source_key: source_key.to_owned(),
        final_url: URL.to_owned(),
        fetched_at: TIME,
        document: Arc::clone(&FIXTURE),
    }
}

/// Renders an example: calls `part` with a read of the fixture's first two blocks.
pub(super) fn example<T>(part: impl FnOnce(&ReadView<'_>) -> T) -> T {
    let article = article(URL);
    let picks: Vec<SelectedBlock> =
        (0..2).map(|index| SelectedBlock { index, rank_and_score: None }).collect();
    let tokens = picks.iter().map(|pick| FIXTURE.blocks[pick.index].tokens).sum::<u32>() + 1;
    part(&ReadView {
        url: URL,
        reader_url: "https://read.example.org",
        article: &article,
        selection: &TextSelection { picks, tokens, matched: None, next: None },
        query: None,
        next_cursor: None,
        cache_hit: true,
        responded_at: TIME,
    })
}

impl Example for ReadResult {
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "a method path is not general enough over lifetimes"
    )]
    fn example() -> Self {
        example(|reading| reading.result())
    }
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
