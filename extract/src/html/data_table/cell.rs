//! Cell of a data table: its lines, joined and escaped.

use crate::{
    clean,
    document::{Block, BlockKind, Link, Mark, NoteLink, Picture, Style, bound},
    page::{Id, Page},
};

/// Maximum words of the name of an icon.
const MAX_NAME_WORDS: usize = 6;
/// Classes of text for screen readers.
const SPOKEN: [&str; 4] = ["sr-only", "visually-hidden", "screen-reader-text", "visuallyhidden"];

/// Text of a cell on one line, in which bars are escaped.
#[derive(Debug, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
    pub(super) links: Vec<Link>,
    pub(super) notes: Vec<NoteLink>,
    /// Footnotes inside of the cell.
    pub(super) footnotes: Vec<Block>,
    pub(super) pictures: Vec<Picture>,
}

impl Cell {
    /// Joins the lines of a cell. An image counts as text only in a cell without other text.
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
        // Offset in the cell of each byte of the line.
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

/// Name of the icon in a cell without text: stated by a drawing, an icon font or a text for screen readers.
pub(super) fn icon_name(page: &Page, cell: Id) -> Option<String> {
    let name_of = |id: Id| match page.tag(id) {
        "svg" | "i" | "span" if SPOKEN.iter().any(|class| page.has_class(id, class)) => {
            Some(page.folded_text(id))
        }
        "svg" | "i" | "span" => {
            page.value(id, "aria-label").or_else(|| page.value(id, "title")).map(clean::fold)
        }
        "title" => Some(page.folded_text(id)),
        _ => None,
    };
    let name = page.descendants(cell).find_map(|id| name_of(id).filter(|name| !name.is_empty()))?;
    (clean::words(&name) <= MAX_NAME_WORDS).then_some(name)
}

/// Marks the whole text of code, of a formula, and of an embedded film, which links to it.
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
