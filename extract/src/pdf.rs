//! PDF: glyphs with their places from `pdf-extract`, put together to lines, paragraphs and headings per page.
//!
//! Files are as hostile as pages: everything runs under limits, and a panic of a page's reader costs that page.

mod circles;
mod layout;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{
    Dictionary, Document, MediaBox, Object, OutputDev, OutputError, Transform, output_doc_page,
};

use self::layout::{Glyph, PageText};
use crate::{
    clean,
    document::{Category, Input, Quality},
    draft::{Draft, Reading, Unread},
};

/// Pages that are read.
const MAX_PAGES: usize = 1000;
/// Glyphs kept of one page, and of all pages.
const MAX_PAGE_GLYPHS: usize = 60_000;
const MAX_GLYPHS: usize = 4_000_000;

/// Reads a file.
pub(crate) fn read(input: &Input) -> Reading {
    read_bytes(&input.bytes).ok_or(Unread::Broken)
}

/// Nothing when it is no PDF or cannot be opened.
fn read_bytes(bytes: &[u8]) -> Option<Draft> {
    let document = catch_unwind(AssertUnwindSafe(|| open(bytes))).ok().flatten()?;
    let numbers: Vec<u32> =
        catch_unwind(AssertUnwindSafe(|| document.get_pages().into_keys().collect())).ok()?;
    let mut pages = Vec::new();
    let mut left = MAX_GLYPHS;
    let mut broken = numbers.len() > MAX_PAGES;
    for &number in numbers.iter().take(MAX_PAGES) {
        let mut collector = Collector { limit: left.min(MAX_PAGE_GLYPHS), ..Collector::default() };
        let whole = catch_unwind(AssertUnwindSafe(|| output_doc_page(&document, &mut collector, number)));
        broken |= !matches!(whole, Ok(Ok(()))) || collector.full;
        left -= collector.glyphs.len().min(left);
        pages.push(PageText { number, height: collector.height, glyphs: collector.glyphs });
    }
    let layout = layout::blocks(pages);
    let info = information(&document);
    Some(Draft {
        title: info.text(b"Title").filter(|title| is_title(title)).or(layout.title),
        author: info.text(b"Author").filter(|author| author.chars().any(char::is_alphabetic)),
        // When a file was made says nothing of when its text came out: a page printed today is not of today.
        modified_at: info.text(b"ModDate").and_then(|date| day(&date)),
        quality: Some(if broken { Quality::Partial } else { Quality::Complete }),
        category: Some(Category::Document),
        blocks: layout.blocks,
        ..Draft::default()
    })
}

fn open(bytes: &[u8]) -> Option<Document> {
    let mut document = Document::load_mem(bytes).ok()?;
    if document.is_encrypted() {
        document.decrypt("").ok()?;
    }
    circles::tame(&mut document);
    Some(document)
}

/// Takes glyphs and their places as they are drawn.
#[derive(Default)]
struct Collector {
    glyphs: Vec<Glyph>,
    height: f64,
    limit: usize,
    full: bool,
}

impl OutputDev for Collector {
    fn begin_page(
        &mut self,
        _: u32,
        media_box: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.height = media_box.ury - media_box.lly;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(
        &mut self,
        matrix: &Transform,
        width: f64,
        _spacing: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        let scale = (matrix.m11 * matrix.m22 - matrix.m12 * matrix.m21).abs().sqrt();
        let size = font_size.abs() * scale;
        // Text that runs up or down is a watermark or the label of a figure.
        let upright = matrix.m12.abs() < matrix.m11.abs() * 0.2;
        if upright && size.is_finite() && matrix.m31.is_finite() && matrix.m32.is_finite() && size > 0.5 {
            if self.glyphs.len() >= self.limit {
                self.full = true;
                return Ok(());
            }
            let y = self.height - matrix.m32;
            let text = text.chars().take(8).collect();
            self.glyphs.push(Glyph { x: matrix.m31, y, width: width.clamp(0.0, 4.0) * size, size, text });
        }
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
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
        let text = match bytes {
            [0xfe, 0xff, rest @ ..] => encoding_rs::UTF_16BE.decode_without_bom_handling(rest).0.into_owned(),
            [0xff, 0xfe, rest @ ..] => encoding_rs::UTF_16LE.decode_without_bom_handling(rest).0.into_owned(),
            [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
            _ => match std::str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
            },
        };
        let text = clean::fold(&text);
        (!text.is_empty()).then_some(text)
    }
}

/// File names and program names are what many files carry as their title.
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

/// `D:20260131120000+01'00'` as a date.
fn day(date: &str) -> Option<String> {
    let digits = date.trim().trim_start_matches("D:");
    let day = chrono::NaiveDate::parse_from_str(digits.get(..8)?, "%Y%m%d").ok()?;
    Some(day.format("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests;
