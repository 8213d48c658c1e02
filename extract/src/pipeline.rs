//! Extraction of a document from bytes, in the same steps for all formats.

use crate::{
    assemble::{self, Assembled},
    charset, clean,
    document::{Block, BlockKind, Document, ExtractionOutcome, Input, NextLinks, Warning},
    draft::{Draft, DraftResult, ReadError},
    formats::{self, SourceFormat},
    language, plain,
};

/// Maximum number of characters in a title that is derived from the text. A longer title is cut after a word.
const MAX_TITLE_CHARS: usize = 100;

/// Title of a source that has no title, no words and no URL.
pub const UNTITLED: &str = "Untitled";

/// Extracts a document from a source of any format. The result depends only on the input.
pub fn extract(input: &Input) -> ExtractionOutcome {
    extract_read(input, |format| format.read(input))
}

/// Extracts a document as `extract` does, with a function that reads a source of the detected format.
pub(crate) fn extract_read(
    input: &Input,
    read: impl FnOnce(&SourceFormat) -> DraftResult,
) -> ExtractionOutcome {
    let mut outcome = extract_by(input, read);
    if let ExtractionOutcome::Document(document) = &mut outcome
        && document.language.is_none()
    {
        document.language = language::detect(&document.blocks);
    }
    outcome
}

/// Extracts a document as `extract` does, but without language detection. The language is set only if the
/// source declares it.
pub(crate) fn extract_declared(input: &Input) -> ExtractionOutcome {
    extract_by(input, |format| format.read(input))
}

/// Extracts a document as `extract_declared` does, with a function that reads a source of the detected
/// format.
pub(crate) fn extract_by(
    input: &Input,
    read: impl FnOnce(&SourceFormat) -> DraftResult,
) -> ExtractionOutcome {
    let format = match formats::detect(input.content_type.as_deref(), &input.bytes, input.url.as_deref()) {
        Ok(format) => format,
        Err(mime) => return ExtractionOutcome::Unsupported { mime },
    };
    match read(format) {
        Ok(draft) => finalize(draft, format, input),
        Err(ReadError::Broken) => {
            ExtractionOutcome::NoText { warnings: Vec::new(), next_links: NextLinks::default() }
        }
        Err(ReadError::WrongFormat) => {
            let mime = input.content_type.as_deref().map(charset::essence).unwrap_or_default();
            ExtractionOutcome::Unsupported { mime }
        }
        Err(ReadError::TooComplex(reason)) => ExtractionOutcome::TooComplex { reason },
    }
}

/// Adds anchors, counts and the hash. Fills the fields that do not depend on the format.
fn finalize(mut draft: Draft, format: &SourceFormat, input: &Input) -> ExtractionOutcome {
    let Assembled { blocks, controls_removed, truncated, total_tokens, content_hash } =
        assemble::assemble(std::mem::take(&mut draft.blocks));
    let mut warnings = std::mem::take(&mut draft.warnings);
    if controls_removed | strip_fields(&mut draft) {
        warnings.push(Warning::ControlCharactersRemoved);
    }
    if truncated {
        warnings.push(Warning::TruncatedSource);
    }
    warnings.sort_unstable();
    warnings.dedup();
    if blocks.is_empty() {
        return ExtractionOutcome::NoText { warnings, next_links: draft.next_links };
    }
    let title =
        draft.title.filter(|title| !title.is_empty()).unwrap_or_else(|| fallback_title(&blocks, input));
    ExtractionOutcome::Document(Box::new(Document {
        title,
        author: draft.author,
        publisher: draft.publisher,
        published_at: draft.published_at,
        modified_at: draft.modified_at,
        language: draft.language,
        canonical_url: draft.canonical_url,
        content_type: draft.media_type.unwrap_or_else(|| format.media_type().to_owned()),
        source: draft.source.unwrap_or(format.source),
        quality: draft.quality,
        category: draft.category,
        warnings,
        blocks,
        content_hash,
        total_tokens,
        next_links: draft.next_links,
    }))
}

/// Folds the fields of a draft to one line each. Returns true if a field contained control characters.
fn strip_fields(draft: &mut Draft) -> bool {
    let mut removed = false;
    for field in [&mut draft.title, &mut draft.author, &mut draft.publisher].into_iter().flatten() {
        removed |= clean::strip_controls(field);
        *field = clean::fold(field);
    }
    removed
}

/// Title for a source without a title, from the beginning of its text. Code, tables and formulas are not
/// used. If there is no other text, the file name is the title.
fn fallback_title(blocks: &[Block], input: &Input) -> String {
    let is_words =
        |block: &&Block| !matches!(block.kind, BlockKind::Code | BlockKind::Table | BlockKind::Math);
    let heading = blocks.iter().find(|block| block.kind == BlockKind::Heading);
    let first = heading.or_else(|| blocks.iter().find(is_words));
    let words = first.map(|block| clean::fold(&block.title())).unwrap_or_default();
    if words.is_empty() {
        let address = input.url.as_deref();
        let name = address.and_then(plain::file_name).or_else(|| address.map(str::to_owned));
        return name.unwrap_or_else(|| UNTITLED.to_owned());
    }
    if words.chars().count() <= MAX_TITLE_CHARS {
        return words;
    }
    let short: String = words.chars().take(MAX_TITLE_CHARS).collect();
    let end = short.rfind(' ').filter(|&at| at > 40).unwrap_or(short.len());
    format!("{}…", &short[..end])
}
