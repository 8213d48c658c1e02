//! Rendering of a read in each format. All formats show the same selection of the same text.

use std::fmt::Write as _;

use articles::Article;
use articles::reader::{SelectedBlock, TextSelection};
use extract::{Block, Document};
use kernel::{rfc3339, source_time};
use serde_json::Value;

use super::schema::{BlockResult, LinkResult, NoteResult, OutlineHeading, ReadResult, TextHead};
use http_kit::http::enum_param::EnumParam;
use http_kit::text_head::AnswerFacts;

/// All data from which a response is rendered.
pub struct ReadView<'a> {
    /// URL as requested.
    pub url: &'a str,
    /// Base URL of the reader.
    pub reader_url: &'a str,
    pub article: &'a Article,
    /// Blocks to render.
    pub selection: &'a TextSelection,
    /// Query that the blocks match.
    pub query: Option<&'a str>,
    /// Cursor of the next page.
    pub next_cursor: Option<String>,
    /// True if nothing was downloaded for this response.
    pub cache_hit: bool,
    /// Current time, in milliseconds.
    pub responded_at: i64,
}

impl<'a> ReadView<'a> {
    /// Returns the document that contains the blocks.
    pub fn document(&self) -> &'a Document {
        &self.article.document
    }

    /// Returns the selected blocks, in the order of the response.
    pub fn blocks(&self) -> impl Iterator<Item = (&'a Block, &SelectedBlock)> {
        let blocks = &self.article.document.blocks;
        self.selection.picks.iter().filter_map(move |pick| Some((blocks.get(pick.index)?, pick)))
    }

    /// Builds the JSON result with all fields.
    pub(super) fn result(&self) -> ReadResult {
        let document = self.document();
        let at = AnswerFacts {
            cache_hit: self.cache_hit,
            time: self.responded_at,
            total_tokens: document.total_tokens,
        };
        ReadResult {
            url: self.url.to_owned(),
            head: TextHead::of(self.article, self.reader_url, at),
            content_type: document.content_type.clone(),
            fetched_at: rfc3339(self.article.fetched_at),
            returned_blocks: self.selection.picks.len() as u64,
            returned_tokens: self.selection.tokens,
            outline: outline(document),
            blocks: self.blocks().map(|(block, pick)| block_result(block, pick)).collect(),
            query: self.query.map(str::to_owned),
            matched_blocks: self.selection.matched.map(|matched| matched as u64),
            has_more: self.next_cursor.is_some(),
            next_cursor: self.next_cursor.clone(),
            untrusted: true,
        }
    }

    /// Renders plain text: labelled header lines, then paragraphs with their anchors.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (label, value) in self.head() {
            let _ = writeln!(text, "{label}: {value}");
        }
        // Blocks outside the article's text are included only if they match a query.
        let visible =
            self.blocks().filter(|(block, pick)| block.is_main_text() || pick.rank_and_score.is_some());
        for (block, _) in visible {
            let _ = write!(text, "\n[p{}] {}\n", block.anchor, extract::render::text_line(block));
        }
        text
    }

    /// Renders Markdown, with the same header as front matter and without anchors.
    pub fn markdown(&self) -> String {
        let mut text = String::from("---\n");
        for (label, value) in self.head() {
            let quoted = Value::from(value).to_string();
            let _ = writeln!(text, "{}: {quoted}", label.to_lowercase());
        }
        text.push_str("---\n\n");
        let blocks: Vec<Block> = self.blocks().map(|(block, _)| block.clone()).collect();
        text.push_str(&extract::render::markdown(&blocks));
        text
    }

    /// Returns the labels and values of the header. Fields without a value are omitted.
    fn head(&self) -> Vec<(&'static str, String)> {
        let document = self.document();
        let counts = |returned: usize, total: usize| {
            if returned == total { total.to_string() } else { format!("{returned} of {total}") }
        };
        let mut head = vec![("Title", one_line(&document.title))];
        head.extend(document.author.as_deref().map(|author| ("Author", one_line(author))));
        head.extend(document.published_at.as_deref().map(|at| ("Published", source_time(at))));
        head.push(("Source", self.article.final_url.clone()));
        head.push(("Retrieved", rfc3339(self.article.fetched_at)));
        head.push(("Blocks", counts(self.selection.picks.len(), document.blocks.len())));
        head.push(("Tokens", counts(self.selection.tokens as usize, document.total_tokens as usize)));
        head
    }
}

/// Returns all headings of a text.
fn outline(document: &Document) -> Vec<OutlineHeading> {
    let headings = document.blocks.iter().filter(|block| block.kind == extract::BlockKind::Heading);
    let entry = |block: &Block| OutlineHeading {
        anchor: block.anchor,
        level: block.level.unwrap_or(1),
        text: block.title(),
    };
    headings.map(entry).collect()
}

fn block_result(block: &Block, pick: &SelectedBlock) -> BlockResult {
    let links = block.links.iter().map(|link| LinkResult { text: link.text.clone(), url: link.url.clone() });
    let notes = block.notes.iter().map(|note| NoteResult { label: note.label.clone(), anchor: note.anchor });
    BlockResult {
        anchor: block.anchor,
        kind: EnumParam(block.kind),
        role: block.role.map(EnumParam),
        text: block.text.clone(),
        section: block.section.clone(),
        tokens: block.tokens,
        level: block.level,
        language: block.language.clone(),
        links: (!block.links.is_empty()).then(|| links.collect()),
        alt: block.alt.clone(),
        src: block.src.clone(),
        page: block.page,
        start_seconds: block.start_seconds,
        note: block.note.clone(),
        notes: (!block.notes.is_empty()).then(|| notes.collect()),
        rank: pick.rank_and_score.map(|(rank, _)| rank),
        score: pick.rank_and_score.map(|(_, score)| (score * 10_000.0).round() / 10_000.0),
    }
}

/// Replaces each run of white space with one space, because a line break in a title must not start a new
/// header line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
