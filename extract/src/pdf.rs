//! Reads PDF files. Glyphs and their positions are read with `pdf-extract`. In a tagged file, the structure
//! of the file determines the blocks. Otherwise, the layout determines them.
//!
//! Files may be hostile: all work is limited, and a panic while a page is read loses only that page.

mod bidi;
mod cycles;
mod glyphs;
mod grid;
mod layout;
mod lines;
mod marked_content;
mod notes;
mod running;
mod tables;
mod tagged;
mod text;
mod tree;
mod widths;
mod words;

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use pdf_extract::{Dictionary, Document, Object, output_doc_page};

use self::{
    glyphs::{GlyphCollector, PageGlyphs},
    words::DocumentWords,
};
use crate::{
    clean,
    document::{Block, BlockKind, Category, Input, Quality},
    draft::{Draft, DraftResult, ReadError},
    language,
};

/// Maximum number of pages that are read.
const MAX_PAGES: usize = 1000;
/// Maximum number of glyphs in one page.
const MAX_PAGE_GLYPHS: usize = 60_000;
/// Maximum number of glyphs in all pages.
const MAX_GLYPHS: usize = 4_000_000;

pub(crate) fn read(input: &Input) -> DraftResult {
    read_bytes(&input.bytes).ok_or(ReadError::Broken)
}

/// Reads a file. `None` if the bytes are not a PDF file or the file cannot be opened.
fn read_bytes(bytes: &[u8]) -> Option<Draft> {
    let mut document = catch_unwind(AssertUnwindSafe(|| open(bytes))).ok().flatten()?;
    let numbers = catch_unwind(AssertUnwindSafe(|| document.get_pages())).ok()?;
    let structure = catch_unwind(AssertUnwindSafe(|| tree::read(&document, &numbers))).ok().flatten();
    let mut pages = BTreeMap::new();
    let mut left = MAX_GLYPHS;
    let mut broken = numbers.len() > MAX_PAGES;
    for (&number, &id) in numbers.iter().take(MAX_PAGES) {
        let states =
            catch_unwind(AssertUnwindSafe(|| marked_content::mark(&mut document, id))).unwrap_or_default();
        let mut collector = GlyphCollector::new(states, left.min(MAX_PAGE_GLYPHS));
        let whole = catch_unwind(AssertUnwindSafe(|| output_doc_page(&document, &mut collector, number)));
        marked_content::drop_content(&mut document, id);
        let page_glyphs = collector.finish();
        broken |= !matches!(whole, Ok(Ok(()))) || page_glyphs.full;
        left -= page_glyphs.glyphs.len().min(left);
        pages.insert(number, page_glyphs);
    }
    let info = information(&document);
    let stated = document.catalog().ok().and_then(|own| text::string(&document, own, b"Lang"));
    let mut blocks = blocks_of(&pages, structure.as_ref(), stated);
    notes::link(&mut blocks);
    Some(Draft {
        title: info.text(b"Title").filter(|title| is_title(title)).or_else(|| title_of(&blocks)),
        author: info.text(b"Author").filter(|author| author.chars().any(char::is_alphabetic)),
        // The creation time of a file is not used as the time of publication, because a page that was printed
        // today was not published today.
        modified_at: info.text(b"ModDate").and_then(|date| day(&date)),
        quality: Some(if broken { Quality::Partial } else { Quality::Complete }),
        category: Some(Category::Document),
        blocks,
        ..Draft::default()
    })
}

/// Blocks from the structure of the file, or else from the layout of the text.
fn blocks_of(
    pages: &BTreeMap<u32, PageGlyphs>,
    structure: Option<&tree::StructureElement>,
    stated: Option<String>,
) -> Vec<Block> {
    let lines = layout::lines_of(pages);
    let language = stated.filter(|tag| !tag.is_empty()).or_else(|| {
        let sample = lines.iter().take(200).map(|line| Block { text: line.text.clone(), ..Block::default() });
        language::detect(&sample.collect::<Vec<_>>())
    });
    let words = DocumentWords::of(lines.iter().map(|line| line.text.as_str()), language);
    structure
        .and_then(|top| tagged::blocks(top, pages, &words))
        .unwrap_or_else(|| layout::blocks(&lines, &words))
}

/// Text of the highest-level heading on the first page.
fn title_of(blocks: &[Block]) -> Option<String> {
    blocks
        .iter()
        .filter(|block| block.page == Some(1) && block.kind == BlockKind::Heading)
        .min_by_key(|block| block.level)
        .map(|block| block.text.clone())
}

fn open(bytes: &[u8]) -> Option<Document> {
    let mut document = Document::load_mem(bytes).ok()?;
    if document.is_encrypted() {
        document.decrypt("").ok()?;
    }
    cycles::break_cycles(&mut document);
    widths::expand_ranges(&mut document);
    Some(document)
}

struct Information<'d> {
    document: &'d Document,
    fields: Option<&'d Dictionary>,
}

fn information(document: &Document) -> Information<'_> {
    let fields = match document.trailer.get(b"Info") {
        Ok(Object::Reference(id)) => document.get_dictionary(*id).ok(),
        Ok(Object::Dictionary(fields)) => Some(fields),
        _ => None,
    };
    Information { document, fields }
}

impl Information<'_> {
    fn text(&self, name: &[u8]) -> Option<String> {
        let value = match self.fields?.get(name).ok()? {
            Object::Reference(id) => self.document.get_object(*id).ok()?,
            value => value,
        };
        let bytes = value.as_str().ok()?;
        let text = clean::fold(&text::decoded(bytes));
        (!text.is_empty()).then_some(text)
    }
}

/// True for a title, as opposed to the name of a file or program, which many files contain instead.
fn is_title(title: &str) -> bool {
    let lower = title.to_lowercase();
    let named = lower.starts_with("microsoft word")
        || lower.starts_with("untitled")
        || lower.starts_with("powerpoint");
    let file = [".doc", ".docx", ".pdf", ".tex", ".dvi", ".indd", ".qxd", ".rtf", ".ppt", ".pptx"]
        .iter()
        .any(|end| lower.ends_with(end));
    !named && !file && title.chars().filter(|c| c.is_alphabetic()).count() >= 3
}

/// Date in a PDF time such as `D:20260131120000+01'00'`.
fn day(date: &str) -> Option<String> {
    let digits = date.trim().trim_start_matches("D:");
    let day = chrono::NaiveDate::parse_from_str(digits.get(..8)?, "%Y%m%d").ok()?;
    Some(day.format("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests;
