//! Reads plain text. Paragraphs are separated by blank lines; the first line is the title if it looks like
//! one.

use crate::{
    charset, clean,
    document::{Block, BlockKind, ExtractionSource, Input},
    draft::{Draft, ReadResult},
};

/// Maximum characters of a first line that is a title.
const MAX_TITLE_CHARS: usize = 120;

#[expect(clippy::unnecessary_wraps, reason = "all readers in the format table have one type")]
pub(crate) fn read(input: &Input) -> ReadResult {
    let (title, blocks) = read_text(&charset::decode(&input.bytes, input.content_type.as_deref()));
    // Other formats fall back to this reader.
    let (media_type, source) = (Some("text/plain".to_owned()), Some(ExtractionSource::PlainText));
    Ok(Draft { title, media_type, source, blocks, ..Draft::default() })
}

/// Reads draft blocks, and the title if the text begins with a line like one.
fn read_text(text: &str) -> (Option<String>, Vec<Block>) {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut blocks = Vec::new();
    for paragraph in paragraphs(&text) {
        blocks.push(block(paragraph));
    }
    (title(&text), blocks)
}

/// Splits the text at blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches('\n');
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            end += line.len();
        }
        let (paragraph, after) = rest.split_at(end);
        rest = after
            .split_once('\n')
            .map_or("", |(blank, tail)| if blank.trim().is_empty() { tail } else { after });
        Some(paragraph)
    })
    .filter(|paragraph| !paragraph.trim().is_empty())
}

/// Creates a block. Lines that are all indented become code; other lines are joined if they were wrapped.
fn block(paragraph: &str) -> Block {
    let lines: Vec<&str> = paragraph.lines().collect();
    let indented =
        lines.len() > 1 && lines.iter().all(|line| line.starts_with("    ") || line.starts_with('\t'));
    if indented {
        return Block {
            kind: BlockKind::Code,
            text: paragraph.trim_end().trim_matches('\n').to_owned(),
            ..Block::default()
        };
    }
    let flows = lines.iter().rev().skip(1).any(|line| line.chars().count() > 60);
    let folded: Vec<String> = lines.iter().map(|line| clean::fold(line)).collect();
    let text = if flows { folded.join(" ") } else { folded.join("\n") };
    Block { text, ..Block::default() }
}

fn title(text: &str) -> Option<String> {
    let first = text.lines().map(clean::fold).find(|line| !line.is_empty())?;
    let short = first.chars().count() <= MAX_TITLE_CHARS;
    (short && first.chars().any(char::is_alphanumeric) && !first.ends_with([',', ';'])).then_some(first)
}

#[cfg(test)]
mod tests;
