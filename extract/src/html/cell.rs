//! Inline spans in the table cells of Markdown and office documents. Until the rows of a table are joined,
//! the spans are delimited in the text of the cells by noncharacters, which Unicode reserves for use within a
//! program.

use super::inline::InlineLine;
use crate::{
    document::{Block, BlockKind, Link, Mark, NoteLink, Style, bound},
    render::spans::{SpanStep, steps},
};

/// Maximum number of links of a table.
const MAX_LINKS: usize = 200;

/// First of the delimiters. Each style has two consecutive delimiters, for its start and its end. For links,
/// the digits of the link number follow the delimiter.
const FIRST_DELIMITER: u32 = 0xfdd0;
const FIRST_DIGIT: u32 = 0xfde8;
const DIGITS: u32 = 8;

/// Styles in the order of their delimiters. All links have one pair of delimiters.
const STYLES: [Style; 9] = [
    Style::Strong,
    Style::Emphasis,
    Style::Code,
    Style::Superscript,
    Style::Subscript,
    Style::Note,
    Style::Math,
    Style::Deleted,
    Style::Link(0),
];

/// Links and footnote references in the cells of a table, until its rows are joined.
#[derive(Default)]
pub(crate) struct CellSpans {
    links: Vec<Link>,
    notes: Vec<NoteLink>,
}

impl CellSpans {
    /// Adds the line of a cell. Returns its text with delimited spans and escaped vertical bars.
    pub(crate) fn add(&mut self, mut line: InlineLine) -> String {
        self.notes.append(&mut line.notes);
        delimited(line, &mut self.links)
    }

    /// Creates the table block from the text of the joined rows.
    pub(crate) fn table_block(self, mut text: String) -> Block {
        let marks = take_marks(&mut text);
        Block {
            kind: BlockKind::Table,
            text,
            links: self.links,
            marks,
            notes: self.notes,
            ..Block::default()
        }
    }
}

/// Text of a cell with delimited spans and escaped vertical bars. The links of the line are appended to
/// `links`.
fn delimited(line: InlineLine, links: &mut Vec<Link>) -> String {
    let InlineLine { mut text, mut marks, links: line_links, .. } = line;
    if text.contains(is_delimiter) {
        text.retain(|c| !is_delimiter(c));
        marks.clear();
    }
    let mut out = String::with_capacity(text.len());
    let mut open_links = Vec::new();
    for step in steps(&text, &marks) {
        match step {
            SpanStep::Text(text) => out.push_str(&text.replace('\n', " ").replace('|', "\\|")),
            SpanStep::Start(Style::Link(index)) => {
                let link = usize::try_from(index).ok().and_then(|index| line_links.get(index));
                let link = link.filter(|_| links.len() < MAX_LINKS);
                open_links.push(link.is_some());
                if let Some(link) = link {
                    out.extend(delimiter(Style::Link(0), 0));
                    push_number(&mut out, links.len());
                    links.push(link.clone());
                }
            }
            SpanStep::End(Style::Link(_)) => {
                if open_links.pop() == Some(true) {
                    out.extend(delimiter(Style::Link(0), 1));
                }
            }
            SpanStep::Start(style) => out.extend(delimiter(style, 0)),
            SpanStep::End(style) => out.extend(delimiter(style, 1)),
        }
    }
    out
}

/// Removes the delimiters from the text of a table. Returns the marks of the delimited spans.
fn take_marks(text: &mut String) -> Vec<Mark> {
    let mut marks = Vec::new();
    if !text.contains(is_delimiter) {
        return marks;
    }
    let mut plain = String::with_capacity(text.len());
    let mut open: Vec<(Style, u32)> = Vec::new();
    for c in text.chars() {
        if let Some(digit) = u32::from(c).checked_sub(FIRST_DIGIT).filter(|digit| *digit < DIGITS) {
            if let Some((Style::Link(number), _)) = open.last_mut() {
                *number = number.saturating_mul(DIGITS).saturating_add(digit);
            }
        } else if !is_delimiter(c) {
            plain.push(c);
        } else if (u32::from(c) - FIRST_DELIMITER).is_multiple_of(2) {
            open.extend(style_of(c).map(|style| (style, bound(plain.len()))));
        } else if let Some((style, start)) = open.pop() {
            marks.push(Mark { start, end: bound(plain.len()), style });
        }
    }
    marks.retain(|mark| mark.start < mark.end);
    // Outer marks are closed after inner marks, but must precede them in the list.
    marks.reverse();
    marks.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
    *text = plain;
    marks
}

fn is_delimiter(c: char) -> bool {
    (FIRST_DELIMITER..FIRST_DIGIT + DIGITS).contains(&u32::from(c))
}

fn delimiter(style: Style, side: u32) -> Option<char> {
    let is_same =
        |known: &Style| *known == style || matches!((known, style), (Style::Link(_), Style::Link(_)));
    let index = u32::try_from(STYLES.iter().position(is_same)?).ok()?;
    char::from_u32(FIRST_DELIMITER + 2 * index + side)
}

fn style_of(delimiter: char) -> Option<Style> {
    let index = (u32::from(delimiter) - FIRST_DELIMITER) / 2;
    STYLES.get(usize::try_from(index).ok()?).copied()
}

fn push_number(out: &mut String, number: usize) {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let digits = std::iter::successors(Some(number), |rest| (*rest >= DIGITS).then_some(rest / DIGITS));
    let digits: Vec<u32> = digits.map(|rest| rest % DIGITS).collect();
    out.extend(digits.into_iter().rev().filter_map(|digit| char::from_u32(FIRST_DIGIT + digit)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_spans_of_a_cell_are_retained_in_its_table() {
        let mark = |start, end, style| Mark { start, end, style };
        let url = |number: usize| format!("https://a.example/{number}");
        let mut links: Vec<Link> =
            (0..70).map(|number| Link { text: String::new(), url: url(number) }).collect();
        let line = InlineLine {
            text: "a|b see c".to_owned(),
            marks: vec![mark(0, 3, Style::Link(0)), mark(0, 3, Style::Code), mark(8, 9, Style::Strong)],
            links: vec![Link { text: "a|b".to_owned(), url: url(70) }],
            notes: Vec::new(),
        };
        let mut table = format!("| x | {} |", delimited(line, &mut links));
        let marks = take_marks(&mut table);
        assert_eq!(table, "| x | a\\|b see c |");
        let expected = [mark(6, 10, Style::Link(70)), mark(6, 10, Style::Code), mark(15, 16, Style::Strong)];
        assert_eq!((marks.as_slice(), links[70].url.clone()), (expected.as_slice(), url(70)));
        let noise = InlineLine {
            text: "a\u{fdd0}b".to_owned(),
            marks: Vec::new(),
            links: Vec::new(),
            notes: Vec::new(),
        };
        assert_eq!(delimited(noise, &mut links), "ab");
    }
}
