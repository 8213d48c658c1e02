//! Cell of a data table, whose lines are joined and escaped.

use crate::{
    clean,
    document::{Block, BlockKind, Link, Mark, NoteLink, Picture, Style, bound},
    html::hidden::{is_hidden_part, is_screen_reader_only},
    page::{Id, Page},
};

/// Maximum number of words in an icon's name.
const MAX_NAME_WORDS: usize = 6;

/// Text of a cell on one line. Vertical bars are escaped.
#[derive(Debug, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
    pub(super) links: Vec<Link>,
    pub(super) notes: Vec<NoteLink>,
    /// Footnotes inside the cell.
    pub(super) footnotes: Vec<Block>,
    pub(super) pictures: Vec<Picture>,
}

impl Cell {
    /// Joins the lines of a cell. An image is text only if the cell has no other text.
    pub(super) fn of(lines: Vec<Block>) -> Self {
        let has_text = lines.iter().any(|line| !is_image(line) && line.note.is_none());
        let mut cell = Self::default();
        for line in lines {
            if line.note.is_some() {
                cell.footnotes.push(line);
            } else if is_image(&line) && has_text {
                let Block { src, alt, image_link: link, .. } = line;
                cell.pictures.extend(src.map(|src| Picture { src, alt, link, after: true }));
            } else {
                cell.append(line);
            }
        }
        cell
    }

    pub(super) fn append(&mut self, mut line: Block) {
        mark_whole(&mut line);
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        // Offset in the cell for each byte of the line.
        let mut offsets = Vec::with_capacity(line.text.len() + 1);
        for c in line.text.chars() {
            if c == '|' {
                offsets.push(self.text.len());
                self.text.push_str("\\|");
                continue;
            }
            offsets.extend(std::iter::repeat_n(self.text.len(), c.len_utf8()));
            self.text.push(if c == '\n' { ' ' } else { c });
        }
        offsets.push(self.text.len());
        let at = |byte: u32| {
            let byte = usize::try_from(byte).unwrap_or(usize::MAX);
            bound(offsets.get(byte).copied().unwrap_or(self.text.len()))
        };
        let links = bound(self.links.len());
        self.marks.extend(line.marks.into_iter().map(|mark| {
            let style = mark.style.with_link_offset(links);
            Mark { start: at(mark.start), end: at(mark.end), style }
        }));
        self.links.extend(line.links);
        self.notes.extend(line.notes);
    }
}

/// Names of the icons in a cell without text. Hidden elements and buttons are skipped.
pub(super) fn icon_names(page: &Page, cell: Id) -> Option<String> {
    let is_skipped = |id: Id| {
        page.is(id, "button")
            || page.attribute(id, "role") == Some("button")
            || page.is_element(id) && is_hidden_part(page, id)
    };
    if is_skipped(cell) {
        return None;
    }
    let mut names = Vec::new();
    let (mut at, end) = (cell + 1, page.subtree(cell).end);
    while at < end {
        let name = if is_skipped(at) { Some(String::new()) } else { icon_name(page, at) };
        // Elements inside a named icon repeat its name.
        at = if name.is_some() { page.subtree(at).end } else { at + 1 };
        names.extend(name.filter(|name| !name.is_empty() && clean::words(name) <= MAX_NAME_WORDS));
    }
    (!names.is_empty()).then(|| names.join(" "))
}

/// Name of an icon: the label of a drawing or an icon font, or a text for screen readers.
fn icon_name(page: &Page, id: Id) -> Option<String> {
    let name = match page.tag(id) {
        "svg" | "i" | "span" if page.class_names(id).any(is_screen_reader_only) => page.folded_text(id),
        "svg" | "i" | "span" => {
            clean::fold(page.value(id, "aria-label").or_else(|| page.value(id, "title"))?)
        }
        "title" => page.folded_text(id),
        _ => return None,
    };
    (!name.is_empty()).then_some(name)
}

/// Adds a mark to the whole line: the style of code or of a formula, or the link of an embedded video.
fn mark_whole(line: &mut Block) {
    let style = match (line.kind, &line.src) {
        (BlockKind::Code, _) => Style::Code,
        (BlockKind::Math, _) => Style::Math,
        (_, Some(src)) if line.embedded => {
            line.links = vec![Link { text: line.text.clone(), url: src.clone() }];
            Style::Link(0)
        }
        _ => return,
    };
    line.marks = vec![Mark { start: 0, end: bound(line.text.len()), style }];
}

/// True for an image without a caption.
fn is_image(block: &Block) -> bool {
    block.kind == BlockKind::Figure && !block.embedded && block.alt.as_deref() == Some(block.text.as_str())
}
