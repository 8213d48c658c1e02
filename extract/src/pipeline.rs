//! The whole way from bytes to a document, for every format.

use crate::{
    assemble::{self, Assembled},
    charset, clean,
    document::{Block, Category, Document, ExtractionSource, Found, Input, Quality, Warning},
    plain,
};

/// What a format's reader found, before it is finished the same way for all of them.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) publisher: Option<String>,
    pub(crate) published_at: Option<String>,
    pub(crate) modified_at: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) canonical_url: Option<String>,
    pub(crate) source: Option<ExtractionSource>,
    pub(crate) quality: Option<Quality>,
    pub(crate) category: Option<Category>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) blocks: Vec<Block>,
}

/// Reads a source, whatever its format. The same input gives the same answer.
pub fn extract(input: &Input) -> Found {
    let mime = input.content_type.as_deref().map(charset::essence).unwrap_or_default();
    match mime.as_str() {
        "" | "text/plain" => {
            let (title, blocks) = plain::read(&charset::decode(&input.bytes, input.content_type.as_deref()));
            let source = Some(ExtractionSource::PlainText);
            finish(Reading { title, blocks, source, ..Reading::default() }, "text/plain", input)
        }
        _ => Found::Unsupported { mime },
    }
}

/// Anchors, counts and hash, then the fields that every format fills alike.
fn finish(mut reading: Reading, mime: &str, input: &Input) -> Found {
    let Assembled { blocks, controls_removed, truncated, total_tokens, content_hash } =
        assemble::assemble(std::mem::take(&mut reading.blocks));
    let mut warnings = std::mem::take(&mut reading.warnings);
    if controls_removed | strip_fields(&mut reading) {
        warnings.push(Warning::ControlCharactersRemoved);
    }
    if truncated {
        warnings.push(Warning::TruncatedSource);
    }
    warnings.sort_unstable();
    warnings.dedup();
    if blocks.is_empty() {
        return Found::NoText { warnings };
    }
    let title =
        reading.title.filter(|title| !title.is_empty()).unwrap_or_else(|| fallback_title(&blocks, input));
    Found::Document(Box::new(Document {
        title,
        author: reading.author,
        publisher: reading.publisher,
        published_at: reading.published_at,
        modified_at: reading.modified_at,
        language: reading.language,
        canonical_url: reading.canonical_url,
        content_type: mime.to_owned(),
        source: reading.source.unwrap_or(ExtractionSource::PlainText),
        quality: reading.quality,
        category: reading.category,
        warnings,
        blocks,
        content_hash,
        total_tokens,
    }))
}

/// Fields are folded to one line; true when one held control characters.
fn strip_fields(reading: &mut Reading) -> bool {
    let mut found = false;
    for field in [&mut reading.title, &mut reading.author, &mut reading.publisher].into_iter().flatten() {
        found |= clean::strip_controls(field);
        *field = clean::fold(field);
    }
    found
}

/// The beginning of the text, for sources that name nothing as their title.
fn fallback_title(blocks: &[Block], input: &Input) -> String {
    let first =
        blocks.iter().find(|block| block.kind == crate::BlockKind::Heading).or_else(|| blocks.first());
    let words = first.map(|block| clean::fold(&block.text)).unwrap_or_default();
    if words.is_empty() {
        return input.url.clone().unwrap_or_else(|| "Untitled".to_owned());
    }
    if words.chars().count() <= 100 {
        return words;
    }
    let short: String = words.chars().take(100).collect();
    let end = short.rfind(' ').filter(|&at| at > 40).unwrap_or(short.len());
    format!("{}…", &short[..end])
}
