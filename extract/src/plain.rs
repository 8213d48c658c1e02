//! Reads plain text. Source code and data become one code block. In prose, blank lines separate paragraphs,
//! and wrapped lines are joined. Text drawings, tables and listings become code blocks.

mod language;
mod layout;
mod source_code;

use self::layout::Layout;
use crate::{
    charset, clean,
    document::{Block, BlockKind, Category, ExtractionSource, Input},
    draft::{Draft, DraftResult},
};

pub(crate) use self::language::file_name;

/// Maximum number of characters in a line that can be a title.
const MAX_TITLE_CHARS: usize = 120;
/// Minimum indentation of a paragraph that is assumed to be centred, such as the title of a memo.
const CENTRED_INDENT: usize = 8;
/// Number of leading paragraphs that are searched for a title.
const MAX_TITLE_PARAGRAPHS: usize = 4;

#[expect(clippy::unnecessary_wraps, reason = "all readers in the format table have one type")]
pub(crate) fn read(input: &Input) -> DraftResult {
    let text = charset::decode(&input.bytes, input.content_type.as_deref());
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let declared = input.content_type.as_deref().map(charset::essence).unwrap_or_default();
    let language = language::of_media_type(&declared)
        .or_else(|| input.url.as_deref().filter(|_| declared != "text/html").and_then(language::of_url))
        .or_else(|| source_code::language(&text));
    // The declared type may be that of another format, whose reader leaves bodies that it cannot parse to this
    // reader. JSON is often declared as HTML by mistake.
    let media_type = match language {
        Some("json") if declared == "text/html" => "application/json".to_owned(),
        _ if is_text_type(&declared) => declared,
        _ => "text/plain".to_owned(),
    };
    let draft =
        Draft { media_type: Some(media_type), source: Some(ExtractionSource::PlainText), ..Draft::default() };
    if let Some(language) = language {
        return Ok(Draft { category: Some(Category::Code), blocks: code(&text, language), ..draft });
    }
    let (title, blocks) = read_text(&text.replace("\u{c}\n", "\n").replace('\u{c}', "\n"));
    let name = || input.url.as_deref().and_then(file_name).filter(|name| name.contains('.'));
    let title = title.or_else(name);
    Ok(Draft { title, blocks, ..draft })
}

/// True for the media types of text, source code and data.
pub(crate) fn is_text_type(mime: &str) -> bool {
    mime.starts_with("text/") || language::of_media_type(mime).is_some()
}

/// Most common media type of source code with this file extension.
pub(crate) fn media_type_of_extension(extension: &str) -> Option<&'static str> {
    language::media_type_of_extension(extension)
}

/// True if a body is a JSON object or array.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes)
        .is_ok_and(|text| source_code::is_json(text.strip_prefix('\u{feff}').unwrap_or(text)))
}

/// Converts a text to a single code block. `language` is empty if it is unknown.
fn code(text: &str, language: &str) -> Vec<Block> {
    vec![code_block(text, Some(language.to_owned()).filter(|name| !name.is_empty()))]
}

/// Creates a code block, without the blank lines before and after the code.
pub(crate) fn code_block(text: &str, language: Option<String>) -> Block {
    let text = text.trim_end().trim_start_matches('\n').to_owned();
    Block { kind: BlockKind::Code, text, language, ..Block::default() }
}

/// Converts a text with this media type to a code block or to paragraphs.
pub(crate) fn blocks(text: &str, media_type: &str) -> Vec<Block> {
    match language::of_media_type(media_type) {
        Some(language) => code(text, language),
        None => read_text(text).1,
    }
}

/// Reads the blocks of a text. Also returns its title, if one of the first lines can be a title. Lines must
/// be separated by line feeds.
fn read_text(text: &str) -> (Option<String>, Vec<Block>) {
    let paragraphs = paragraphs(text);
    let title = title(&paragraphs);
    let mut blocks: Vec<Block> = Vec::new();
    let mut index_after_fixed = None;
    for (index, paragraph) in paragraphs.iter().enumerate() {
        if paragraph.layout != Layout::Fixed {
            blocks.push(paragraph.block());
            continue;
        }
        // Blank lines within a drawing or a listing belong to it.
        if let Some(before) = blocks.last_mut().filter(|_| index_after_fixed == Some(index)) {
            before.text.push_str(&"\n".repeat(paragraph.blank_lines + 1));
            before.text.push_str(&paragraph.lines.join("\n"));
        } else {
            let text = paragraph.lines.join("\n");
            blocks.push(Block { kind: BlockKind::Code, text, ..Block::default() });
        }
        index_after_fixed = Some(index + 1);
    }
    (title, blocks)
}

struct Paragraph<'t> {
    lines: Vec<&'t str>,
    /// Number of blank lines before the paragraph.
    blank_lines: usize,
    layout: Layout,
}

/// Splits a text at its blank lines.
fn paragraphs(text: &str) -> Vec<Paragraph<'_>> {
    let mut paragraphs: Vec<Paragraph<'_>> = Vec::new();
    let mut blank_lines = 0;
    let mut is_in_paragraph = false;
    for line in text.split('\n').map(str::trim_end) {
        if line.is_empty() {
            blank_lines += 1;
            is_in_paragraph = false;
        } else if let Some(last) = paragraphs.last_mut().filter(|_| is_in_paragraph) {
            last.lines.push(line);
        } else {
            paragraphs.push(Paragraph { lines: vec![line], blank_lines, layout: Layout::Lines });
            blank_lines = 0;
            is_in_paragraph = true;
        }
    }
    let base = base_indent(&paragraphs);
    for paragraph in &mut paragraphs {
        paragraph.layout = layout::of(&paragraph.lines, base);
    }
    extend_fixed_layout(&mut paragraphs, base);
    paragraphs
}

/// Indentation of the running text, in spaces: the lower quartile of the indentations of all paragraphs, because
/// most indented paragraphs are lists, quotations or listings. 0 for a text with fewer than four paragraphs.
fn base_indent(paragraphs: &[Paragraph<'_>]) -> usize {
    let mut indents: Vec<usize> = paragraphs.iter().map(Paragraph::indent).collect();
    indents.sort_unstable();
    if indents.len() < 4 { 0 } else { indents[indents.len() / 4] }
}

/// Gives the fixed layout to paragraphs that belong to a fixed paragraph next to them: indented lines between two
/// listings, and lines of a drawing.
fn extend_fixed_layout(paragraphs: &mut [Paragraph<'_>], base: usize) {
    let is_fixed: Vec<bool> = paragraphs.iter().map(|paragraph| paragraph.layout == Layout::Fixed).collect();
    let indents: Vec<usize> = paragraphs.iter().map(Paragraph::indent).collect();
    for (index, paragraph) in paragraphs.iter_mut().enumerate() {
        let before = index > 0 && is_fixed[index - 1];
        let after = is_fixed.get(index + 1).copied().unwrap_or(false);
        let deepest = indents[index.saturating_sub(1)].max(indents.get(index + 1).copied().unwrap_or(0));
        let is_inside = paragraph.indent() > base && paragraph.indent() >= deepest;
        let is_drawing = paragraph.lines.iter().all(|line| layout::is_drawing_line(line));
        if before && after && is_inside || (before || after) && is_drawing {
            paragraph.layout = Layout::Fixed;
        }
    }
}

impl Paragraph<'_> {
    /// Smallest indentation of a line, in spaces.
    fn indent(&self) -> usize {
        self.lines.iter().map(|line| layout::indent(line)).min().unwrap_or(0)
    }

    /// True if the paragraph is assumed to be centred: it is short and deeply indented.
    fn is_centred(&self) -> bool {
        self.lines.len() <= 3 && self.indent() >= CENTRED_INDENT
    }

    /// Heading level, if the paragraph consists of two lines and the second one underlines the first. `None`
    /// otherwise.
    fn underlined_level(&self) -> Option<u8> {
        let [title, underline] = self.lines[..] else { return None };
        let character = underline.chars().next().filter(|c| matches!(c, '=' | '-' | '~'))?;
        let is_underline = underline.len() > 2 && underline.chars().all(|c| c == character);
        let is_title = title.chars().any(char::is_alphanumeric) && title.chars().count() <= MAX_TITLE_CHARS;
        (is_underline && is_title).then_some(if character == '=' { 1 } else { 2 })
    }

    /// Creates the block of a paragraph whose layout is not [`Layout::Fixed`]. Wrapped lines are joined, except
    /// before a list item.
    fn block(&self) -> Block {
        if let Some(level) = self.underlined_level() {
            let text = clean::fold(self.lines[0]);
            return Block { kind: BlockKind::Heading, text, level: Some(level), ..Block::default() };
        }
        let mut text = clean::fold(self.lines[0]);
        for pair in self.lines.windows(2) {
            let joins = self.layout == Layout::Wrapped && layout::continues(pair[0], pair[1]);
            // The line break is within a compound word, after its hyphen.
            let is_compound = text.ends_with(['-', '\u{2010}'])
                && pair[1].trim_start().starts_with(char::is_lowercase)
                && text.chars().rev().nth(1).is_some_and(char::is_alphabetic);
            match joins {
                true if is_compound => {}
                true => text.push(' '),
                false => text.push('\n'),
            }
            text.push_str(&clean::fold(pair[1]));
        }
        Block { text, ..Block::default() }
    }

    fn joined(&self) -> String {
        clean::fold(&self.lines.join(" "))
    }
}

/// Title of a text: its first line if that paragraph is not wrapped, or else a centred line below a header.
fn title(paragraphs: &[Paragraph<'_>]) -> Option<String> {
    let first = paragraphs.first()?;
    let candidate = match first.layout {
        Layout::Fixed => {
            let centred =
                paragraphs.iter().take(MAX_TITLE_PARAGRAPHS).find(|paragraph| paragraph.is_centred());
            centred.map(Paragraph::joined)?
        }
        // The first line of running text is not a title.
        Layout::Wrapped => return None,
        Layout::Lines => clean::fold(first.lines.first()?),
    };
    let is_short = candidate.chars().count() <= MAX_TITLE_CHARS;
    (is_short && candidate.chars().any(char::is_alphanumeric) && !candidate.ends_with([',', ';']))
        .then_some(candidate)
}

#[cfg(test)]
mod tests;
