//! Current line of inline text, with white space collapsed, and the spans of the line that are linked or
//! styled.

use crate::{
    clean,
    document::{Block, BlockKind, Link, Mark, NoteLink, Style, bound},
    scripts,
};

/// Maximum number of links per block.
const MAX_LINKS: usize = 200;
/// Maximum number of previous marks that are checked for overlap with a mark.
const MAX_NESTED: usize = 16;

#[derive(Default)]
pub(crate) struct Inline {
    text: String,
    marks: Vec<Mark>,
    links: Vec<Link>,
    notes: Vec<NoteLink>,
    open: Vec<OpenSpan>,
}

struct OpenSpan {
    style: OpenStyle,
    start: usize,
}

#[derive(Clone)]
pub(crate) enum OpenStyle {
    Strong,
    Emphasis,
    Code,
    Link(String),
    Superscript,
    Subscript,
    Math,
    Deleted,
}

impl OpenStyle {
    /// Style of the text in an element with this tag.
    pub(crate) fn of_tag(tag: &str) -> Option<Self> {
        match tag {
            "b" | "strong" => Some(Self::Strong),
            "i" | "em" | "cite" | "dfn" | "var" => Some(Self::Emphasis),
            "code" | "kbd" | "samp" | "tt" => Some(Self::Code),
            "sup" => Some(Self::Superscript),
            "sub" => Some(Self::Subscript),
            "del" | "s" | "strike" => Some(Self::Deleted),
            _ => None,
        }
    }
}

/// Completed line, trimmed and not empty.
#[derive(Default)]
pub(crate) struct InlineLine {
    pub(crate) text: String,
    pub(crate) marks: Vec<Mark>,
    pub(crate) links: Vec<Link>,
    pub(crate) notes: Vec<NoteLink>,
}

impl InlineLine {
    pub(crate) fn into_block(self, kind: BlockKind) -> Block {
        let Self { text, marks, links, notes } = self;
        Block { kind, text, links, notes, marks, ..Block::default() }
    }
}

impl Inline {
    pub(crate) fn push(&mut self, text: &str) {
        clean::push_folded(&mut self.text, text);
    }

    /// Appends a footnote reference.
    pub(crate) fn push_note(&mut self, label: &str) {
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end);
        self.text.push_str(&note_mark(label));
        self.marks.push(Mark { start: bound(end), end: bound(self.text.len()), style: Style::Note });
        self.notes.push(NoteLink { label: label.to_owned(), anchor: 0 });
    }

    /// Appends a line break, except at the start of a line.
    pub(crate) fn push_break(&mut self) {
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end);
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Appends a formula.
    pub(crate) fn push_formula(&mut self, tex: &str) {
        let opened = self.open(OpenStyle::Math);
        self.push(tex);
        self.close(opened);
    }

    /// Appends code and retains its white space.
    pub(crate) fn push_verbatim(&mut self, code: &str) {
        let start = bound(self.text.len());
        self.text.push_str(code);
        self.marks.push(Mark { start, end: bound(self.text.len()), style: Style::Code });
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// True if a letter or digit precedes the next text.
    pub(crate) fn is_after_word(&self) -> bool {
        self.text.ends_with(char::is_alphanumeric)
    }

    /// True if the line consists of the checkbox of a task only.
    pub(crate) fn is_check_box(&self) -> bool {
        matches!(self.text.trim(), "[x]" | "[ ]")
    }

    /// URL of the innermost open link.
    pub(crate) fn open_link(&self) -> Option<&str> {
        self.open.iter().rev().find_map(|open| match &open.style {
            OpenStyle::Link(url) => Some(url.as_str()),
            _ => None,
        })
    }

    pub(crate) fn has_trailing_break(&self) -> bool {
        self.text.trim_end_matches(' ').ends_with('\n')
    }

    /// Opens a span. Pass the returned index to `close`.
    pub(crate) fn open(&mut self, style: OpenStyle) -> usize {
        self.open.push(OpenSpan { style, start: self.text.len() });
        self.open.len() - 1
    }

    pub(crate) fn close(&mut self, opened: usize) {
        while self.open.len() > opened {
            if let Some(open) = self.open.pop() {
                self.mark(open);
            }
        }
    }

    /// Completes the current line and returns it. Open spans continue in the next line.
    pub(crate) fn take(&mut self) -> Option<InlineLine> {
        let still_open: Vec<OpenStyle> = self.open.iter().map(|open| open.style.clone()).collect();
        self.close(0);
        for style in still_open {
            self.open.push(OpenSpan { style, start: 0 });
        }
        let mut text = std::mem::take(&mut self.text);
        let mut marks = std::mem::take(&mut self.marks);
        let links = std::mem::take(&mut self.links);
        let notes = std::mem::take(&mut self.notes);
        text.truncate(text.trim_end().len());
        if text.is_empty() {
            return None;
        }
        let end = bound(text.len());
        marks.retain_mut(|mark| {
            mark.end = mark.end.min(end);
            mark.start < mark.end
        });
        nest(&mut marks, &links);
        Some(InlineLine { text, marks, links, notes })
    }

    /// Adds the mark of a completed span, without leading and trailing white space.
    fn mark(&mut self, open: OpenSpan) {
        let Some(stretch) = self.text.get(open.start..) else { return };
        let words = stretch.trim().to_owned();
        if words.is_empty() {
            return;
        }
        let start = open.start + (stretch.len() - stretch.trim_start().len());
        let mut end = start + words.len();
        if let OpenStyle::Superscript | OpenStyle::Subscript = open.style {
            // Text that contains other spans is not changed. The last marks are those of the inner spans.
            if self.marks.iter().rev().take(MAX_NESTED).any(|mark| mark.end > bound(start)) {
                return;
            }
            let before = &self.text[..start];
            let rendered = match open.style {
                OpenStyle::Subscript => scripts::subscript(before, &words),
                _ => scripts::superscript(before, &words),
            };
            if rendered == words {
                return;
            }
            self.text.replace_range(start..end, &rendered);
            end = start + rendered.len();
        }
        let style = match open.style {
            OpenStyle::Strong => Style::Strong,
            OpenStyle::Emphasis => Style::Emphasis,
            OpenStyle::Code => Style::Code,
            OpenStyle::Superscript => Style::Superscript,
            OpenStyle::Subscript => Style::Subscript,
            OpenStyle::Math => Style::Math,
            OpenStyle::Deleted => Style::Deleted,
            OpenStyle::Link(url) => {
                if self.links.len() == MAX_LINKS {
                    return;
                }
                self.links.push(Link { text: clean::fold(&words), url });
                Style::Link(bound(self.links.len() - 1))
            }
        };
        self.marks.push(Mark { start: bound(start), end: bound(end), style });
    }
}

/// Sorts marks so that an outer mark precedes the marks in it. Drops marks within a mark of the same style,
/// and joins adjacent marks of the same style. If two marks have the same range, the mark that was closed
/// last is the outer one.
fn nest(marks: &mut Vec<Mark>, links: &[Link]) {
    marks.reverse();
    marks.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
    let mut nested: Vec<Mark> = Vec::with_capacity(marks.len());
    for mark in marks.drain(..) {
        let is_same = |other: &Mark| is_same_style(other.style, mark.style, links);
        if nested.iter().rev().take(MAX_NESTED).any(|outer| is_same(outer) && outer.end >= mark.end) {
            continue;
        }
        let before =
            nested.iter().rev().take(MAX_NESTED).position(|other| is_same(other) && other.end == mark.start);
        let Some(before) = before.map(|offset| nested.len() - 1 - offset) else {
            nested.push(mark);
            continue;
        };
        // The joined mark must not cross a mark that encloses only one of the two marks.
        let (start, end) = (nested[before].start, mark.end);
        let crosses = |other: &Mark| {
            other.start < start && (start + 1..end).contains(&other.end)
                || (start + 1..end).contains(&other.start) && other.end > end
        };
        if !is_joinable(mark.style) || nested.iter().rev().take(MAX_NESTED).any(crosses) {
            nested.push(mark);
        } else {
            nested[before].end = end;
        }
    }
    nested.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
    *marks = nested;
}

fn is_joinable(style: Style) -> bool {
    !matches!(style, Style::Note | Style::Math | Style::Superscript | Style::Subscript)
}

fn is_same_style(one: Style, other: Style, links: &[Link]) -> bool {
    let url =
        |index: u32| usize::try_from(index).ok().and_then(|index| links.get(index)).map(|link| &link.url);
    match (one, other) {
        (Style::Link(one), Style::Link(other)) => url(one).is_some() && url(one) == url(other),
        _ => one == other,
    }
}

/// Text of a footnote reference.
pub(crate) fn note_mark(label: &str) -> String {
    format!("[^{label}]")
}
