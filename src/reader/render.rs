//! The forms in which a read goes out. All of them show the same selection of the same text.

use std::fmt::Write as _;

use domain::articles::Article;
use domain::reader::{Pick, Selection};
use domain::{rfc3339, source_time};
use extract::{Block, Document};
use serde_json::{Map, Value, json};

/// Everything an answer is made of.
pub struct Reading<'a> {
    /// The URL as it was asked.
    pub url: &'a str,
    /// The reader's own address.
    pub reader_url: &'a str,
    /// The text.
    pub article: &'a Article,
    /// The blocks to show.
    pub selection: &'a Selection,
    /// The query they answer.
    pub query: Option<&'a str>,
    /// The cursor of the next page.
    pub next_cursor: Option<String>,
    /// Whether no download was made for this answer.
    pub cache_hit: bool,
    /// The present, in milliseconds.
    pub responded_at: i64,
}

impl<'a> Reading<'a> {
    /// The document the blocks are cut from.
    pub fn document(&self) -> &'a Document {
        &self.article.document
    }

    /// The chosen blocks, in the order of the answer.
    pub fn blocks(&self) -> impl Iterator<Item = (&'a Block, &Pick)> {
        let blocks = &self.article.document.blocks;
        self.selection.picks.iter().filter_map(move |pick| Some((blocks.get(pick.index)?, pick)))
    }

    /// The whole answer as JSON.
    pub fn json(&self) -> Value {
        let document = self.document();
        let returned = self.selection.picks.len();
        json!({
            "url": self.url,
            "source_url": self.article.final_url,
            "reader_url": prefix_form(self.reader_url, &self.article.final_url),
            "title": document.title,
            "author": document.author,
            "publisher": document.publisher,
            "published_at": document.published_at.as_deref().map(source_time),
            "language": document.language,
            "content_type": document.content_type,
            "extraction_source": document.source.as_str(),
            "content_quality": document.quality.map(extract::Quality::as_str),
            "cache_hit": self.cache_hit,
            "fetched_at": rfc3339(self.article.fetched_at),
            "responded_at": rfc3339(self.responded_at),
            "content_hash": document.content_hash,
            "total_blocks": document.blocks.len(),
            "total_tokens": document.total_tokens,
            "returned_blocks": returned,
            "returned_tokens": self.selection.tokens,
            "outline": outline(document),
            "blocks": self.blocks().map(|(block, pick)| block_json(block, pick)).collect::<Vec<_>>(),
            "query": self.query,
            "matched_blocks": self.selection.matched,
            "has_more": self.next_cursor.is_some(),
            "next_cursor": self.next_cursor,
            "warnings": document.warnings.iter().map(|warning| warning.as_str()).collect::<Vec<_>>(),
            "untrusted": true,
        })
    }

    /// A head of labelled lines, and paragraphs marked with their anchors.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (label, value) in self.head() {
            let _ = writeln!(text, "{label}: {value}");
        }
        for (block, _) in self.blocks() {
            let _ = write!(text, "\n[p{}] {}\n", block.anchor, extract::render::text_line(block));
        }
        text
    }

    /// Front matter with the same head, and Markdown without markers.
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

    /// Labels and values of the head; what is absent is left out.
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

/// The reader's address of a source: the prefix form.
pub fn prefix_form(reader_url: &str, source_url: &str) -> String {
    format!("{reader_url}/{source_url}")
}

/// All headings of a text.
pub fn outline(document: &Document) -> Vec<Value> {
    let headings = document.blocks.iter().filter(|block| block.kind == extract::BlockKind::Heading);
    headings
        .map(
            |block| json!({"anchor": block.anchor, "level": block.level.unwrap_or(1), "text": block.title()}),
        )
        .collect()
}

fn block_json(block: &Block, pick: &Pick) -> Value {
    let mut fields = Map::new();
    fields.insert("anchor".into(), block.anchor.into());
    fields.insert("kind".into(), block.kind.as_str().into());
    fields.insert("text".into(), block.text.as_str().into());
    fields.insert("section".into(), block.section.as_deref().into());
    fields.insert("tokens".into(), block.tokens.into());
    let mut optional = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.into(), value);
        }
    };
    optional("level", block.level.map(Value::from));
    optional("language", block.language.as_deref().map(Value::from));
    let links = block.links.iter().map(|link| json!({"text": link.text, "url": link.url}));
    optional("links", (!block.links.is_empty()).then(|| links.collect()));
    optional("alt", block.alt.as_deref().map(Value::from));
    optional("src", block.src.as_deref().map(Value::from));
    optional("page", block.page.map(Value::from));
    optional("start_seconds", block.start_seconds.map(Value::from));
    optional("note", block.note.as_deref().map(Value::from));
    let notes = block.notes.iter().map(|note| json!({"label": note.label, "anchor": note.anchor}));
    optional("notes", (!block.notes.is_empty()).then(|| notes.collect()));
    if let Some((rank, score)) = pick.found {
        optional("rank", Some(rank.into()));
        optional("score", Some(((score * 10_000.0).round() / 10_000.0).into()));
    }
    Value::Object(fields)
}

/// A value for one line: a title with a line break must not become a line of its own.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
