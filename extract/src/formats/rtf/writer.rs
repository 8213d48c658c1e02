//! Builds the blocks of an RTF document.

use crate::{
    document::{Block, BlockKind, ListItemPosition},
    draft::Draft,
    formats::table::{self, MAX_COLUMNS},
    html::{
        cell::CellSpans,
        inline::{Inline, OpenStyle},
    },
};

/// Formatting of the current characters.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct CharacterStyle {
    pub(super) strong: bool,
    pub(super) italic: bool,
    pub(super) deleted: bool,
    /// Positive for superscript, negative for subscript.
    pub(super) raise: i8,
}

#[derive(Default)]
pub(super) struct RtfWriter {
    out: Vec<Block>,
    inline: Inline,
    /// Style of the open styled range, and its handle.
    open_range: Option<(CharacterStyle, usize)>,
    /// URL of the link whose text is the next field result.
    pub(super) next_link: Option<String>,
    links: Vec<Option<usize>>,
    pub(super) heading: Option<u8>,
    pub(super) depth: u8,
    /// Bullet or number of the current paragraph, if it is a list item.
    item_mark: Option<String>,
    pub(super) is_in_table: bool,
    row: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Links and footnote marks in the current table.
    table_spans: CellSpans,
    /// True if cells beyond the maximum number of columns were omitted.
    is_cut: bool,
    notes: Vec<Block>,
    note_count: usize,
    /// Lines that continue after the open footnotes.
    suspended: Vec<SuspendedLine>,
}

/// Line that is interrupted by a footnote, with the state of its paragraph.
struct SuspendedLine {
    inline: Inline,
    heading: Option<u8>,
    depth: u8,
    is_in_table: bool,
}

impl RtfWriter {
    /// Appends text in a style. Consecutive texts of the same style form one range.
    pub(super) fn words(&mut self, text: &str, style: CharacterStyle) {
        let style = if self.heading.is_some() {
            CharacterStyle { raise: style.raise, ..CharacterStyle::default() }
        } else {
            style
        };
        if self.open_range.is_some_and(|(open, _)| open != style) {
            self.end_range();
        }
        if self.open_range.is_none() && style != CharacterStyle::default() {
            let strong = style.strong.then(|| self.inline.open(OpenStyle::Strong));
            let italic = style.italic.then(|| self.inline.open(OpenStyle::Emphasis));
            let deleted = style.deleted.then(|| self.inline.open(OpenStyle::Deleted));
            let script = match style.raise {
                0 => None,
                1.. => Some(self.inline.open(OpenStyle::Superscript)),
                _ => Some(self.inline.open(OpenStyle::Subscript)),
            };
            self.open_range = strong.or(italic).or(deleted).or(script).map(|opened| (style, opened));
        }
        self.inline.push(text);
    }

    fn end_range(&mut self) {
        if let Some((_, opened)) = self.open_range.take() {
            self.inline.close(opened);
        }
    }

    pub(super) fn open_link(&mut self) {
        self.end_range();
        let url = self.next_link.take();
        let opened = url.map(|url| self.inline.open(OpenStyle::Link(url)));
        self.links.push(opened);
    }

    pub(super) fn close_link(&mut self) {
        self.end_range();
        if let Some(opened) = self.links.pop().flatten() {
            self.inline.close(opened);
        }
    }

    /// Inserts a footnote reference and begins the text of the footnote.
    pub(super) fn open_footnote(&mut self) {
        self.end_range();
        self.note_count += 1;
        self.inline.push_note(&self.note_count.to_string());
        self.suspended.push(SuspendedLine {
            inline: std::mem::take(&mut self.inline),
            heading: self.heading.take(),
            depth: self.depth,
            is_in_table: self.is_in_table,
        });
    }

    pub(super) fn close_footnote(&mut self) {
        let Some(SuspendedLine { inline, heading, depth, is_in_table }) = self.suspended.pop() else {
            return;
        };
        self.push_note();
        (self.inline, self.heading, self.depth, self.is_in_table) = (inline, heading, depth, is_in_table);
    }

    fn push_note(&mut self) {
        self.end_range();
        let Some(line) = self.inline.take() else { return };
        let label = self.note_count.to_string();
        let is_begun = self.notes.iter().any(|block| block.note.as_ref() == Some(&label));
        self.notes.push(Block {
            kind: BlockKind::Footnote,
            text: line.text,
            links: line.links,
            marks: line.marks,
            note: (!is_begun).then_some(label),
            ..Block::default()
        });
    }

    /// Appends text to the bullet or number that makes the current paragraph a list item.
    pub(super) fn mark_item(&mut self, mark: &str) {
        self.item_mark.get_or_insert_default().push_str(mark);
    }

    pub(super) fn line_break(&mut self) {
        self.inline.push_break();
    }

    pub(super) fn reset_paragraph(&mut self) {
        self.heading = None;
        self.depth = 0;
        self.is_in_table = false;
    }

    pub(super) fn end_paragraph(&mut self) {
        if !self.suspended.is_empty() {
            self.push_note();
        } else if self.is_in_table || !self.row.is_empty() {
            self.inline.push(" ");
        } else {
            self.flush();
        }
    }

    /// Completes a paragraph. A text after a row is a paragraph only if no mark of a cell follows it, because the
    /// properties of a row also apply to the next row.
    fn flush(&mut self) {
        self.end_range();
        let mark = self.item_mark.take();
        let Some(line) = self.inline.take() else { return };
        self.end_table();
        let list = mark.filter(|_| self.heading.is_none()).map(|mark| {
            let number = mark.trim().trim_end_matches(['.', ')']).parse().ok();
            ListItemPosition { depth: self.depth, number }
        });
        let kind = match (self.heading, list) {
            (Some(_), _) => BlockKind::Heading,
            (None, Some(_)) => BlockKind::ListItem,
            (None, None) => BlockKind::Paragraph,
        };
        self.out.push(Block { level: self.heading, list, ..line.into_block(kind) });
    }

    /// Completes a cell. Cells of a nested table become text of the outer cell.
    pub(super) fn end_cell(&mut self, is_nested: bool) {
        if is_nested {
            return self.inline.push(" ");
        }
        self.end_range();
        self.item_mark = None;
        let text = self.inline.take().map_or(String::new(), |line| self.table_spans.add(line));
        if self.row.len() < MAX_COLUMNS {
            self.row.push(text);
        } else {
            self.is_cut |= !text.is_empty();
        }
    }

    pub(super) fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
        self.is_in_table = false;
    }

    fn end_table(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        let spans = std::mem::take(&mut self.table_spans);
        if let Some(text) = table::markdown(&std::mem::take(&mut self.rows)) {
            self.out.push(spans.table_block(text));
        }
    }

    /// Completes the document and adds its blocks to a draft.
    pub(super) fn finish(mut self, draft: &mut Draft) {
        while !self.suspended.is_empty() {
            self.close_footnote();
        }
        if !self.row.is_empty() {
            self.end_cell(false);
            self.end_row();
        }
        self.end_table();
        self.flush();
        self.out.append(&mut self.notes);
        draft.blocks = self.out;
        if self.is_cut {
            draft.report_missing_part();
        }
    }
}
