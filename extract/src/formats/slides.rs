//! Reads slides (PPTX, ODP). Each slide is a page: its title is a heading, its outline becomes list items,
//! and its notes follow.

use std::collections::HashMap;

use super::{
    archive::ArchiveFiles,
    office::properties,
    relations::{self, Relation},
    table::{self, MAX_COLUMNS},
    xml::{self, XmlEvent, value},
};
use crate::{
    clean,
    document::{Block, BlockKind, Input, ListItemPosition, Quality, Warning},
    draft::{Draft, DraftResult, ReadError},
};

/// Maximum number of slides read from a file.
const MAX_SLIDES: usize = 2_000;
const DECK: &str = "ppt/presentation.xml";

pub(super) fn read_pptx(input: &Input) -> DraftResult {
    pptx(&input.bytes).ok_or(ReadError::Broken)
}

pub(super) fn read_odp(input: &Input) -> DraftResult {
    odp(&input.bytes).ok_or(ReadError::Broken)
}

fn pptx(bytes: &[u8]) -> Option<Draft> {
    let mut files = ArchiveFiles::open(bytes)?;
    let deck = files.text(DECK)?;
    let parts = relations::of(&mut files, DECK);
    let mut order = Vec::new();
    xml::walk(&deck, |step| {
        if let XmlEvent::Open("sldId", attributes) = step {
            // Both the number of a slide and its relationship id are in an attribute `id`. The relationship
            // id comes last.
            order.extend(
                attributes.iter().filter_map(|(_, id)| parts.get(id)).map(|slide| slide.part.clone()),
            );
        }
    });
    let mut writer = SlideWriter { cut: order.len() > MAX_SLIDES, ..SlideWriter::default() };
    for (number, part) in (1..).zip(order.iter().take(MAX_SLIDES)) {
        let Some(text) = files.text(part) else {
            writer.cut = true;
            continue;
        };
        writer.page = number;
        if !writer.read_pptx(&text) {
            continue;
        }
        let slide_relations: HashMap<String, Relation> = relations::of(&mut files, part);
        if let Some(notes) = slide_relations.values().find(|relation| relation.kind == "notesSlide")
            && let Some(text) = files.text(&notes.part)
        {
            writer.read_pptx(&text);
        }
    }
    Some(writer.finish(&files.text("docProps/core.xml").unwrap_or_default()))
}

fn odp(bytes: &[u8]) -> Option<Draft> {
    let mut files = ArchiveFiles::open(bytes)?;
    let text = files.text("content.xml")?;
    let mut writer = SlideWriter::default();
    writer.read_odp(&text);
    Some(writer.finish(&files.text("meta.xml").unwrap_or_default()))
}

/// Role of a shape on a slide.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum ShapeRole {
    Title,
    Outline,
    /// Number, date, header or footer that repeats on each slide.
    Repeated,
    #[default]
    Text,
}

impl ShapeRole {
    /// Parses the role of a shape, as PPTX or ODP writes it.
    fn of(word: &str) -> Self {
        match word {
            "title" | "ctrTitle" => Self::Title,
            "body" | "outline" => Self::Outline,
            "sldNum" | "dt" | "ftr" | "hdr" | "page-number" | "date-time" | "footer" | "header" => {
                Self::Repeated
            }
            _ => Self::Text,
        }
    }
}

#[derive(Default)]
struct SlideWriter {
    out: Vec<Block>,
    page: u32,
    role: ShapeRole,
    depth: u8,
    lists: u8,
    line: String,
    in_text: bool,
    tables: usize,
    rows: Vec<Vec<String>>,
    cut: bool,
    hidden: bool,
}

impl SlideWriter {
    /// Reads one slide. Returns false if the slide is hidden.
    fn read_pptx(&mut self, text: &str) -> bool {
        let mut is_visible = true;
        xml::walk(text, |step| match step {
            XmlEvent::Open("sld", attributes) => {
                is_visible = !matches!(value(attributes, "show"), Some("0" | "false"));
                self.hidden |= !is_visible;
            }
            _ if !is_visible => {}
            XmlEvent::Open("sp", _) => self.role = ShapeRole::Text,
            XmlEvent::Open("ph", attributes) => {
                self.role = ShapeRole::of(value(attributes, "type").unwrap_or("body"));
            }
            XmlEvent::Open("pPr", attributes) => {
                self.depth = value(attributes, "lvl").and_then(|level| level.parse().ok()).unwrap_or(0);
            }
            XmlEvent::Open("t", _) => self.in_text = true,
            XmlEvent::Close("t") => self.in_text = false,
            XmlEvent::Open("br" | "tab", _) => self.line.push(' '),
            XmlEvent::Text(text) if self.in_text => self.line.push_str(text),
            XmlEvent::Open("tbl", _) => self.tables += 1,
            XmlEvent::Open("tr", _) if self.tables == 1 => self.rows.push(Vec::new()),
            XmlEvent::Close("tc") => self.end_cell(),
            XmlEvent::Close("tbl") => self.end_table(),
            XmlEvent::Close("p") => self.end_paragraph(),
            XmlEvent::Open(..) | XmlEvent::Close(_) | XmlEvent::Text(_) => {}
        });
        self.end_paragraph();
        is_visible
    }

    fn read_odp(&mut self, text: &str) {
        xml::walk(text, |step| match step {
            XmlEvent::Open("page", _) => self.page += 1,
            XmlEvent::Open("frame" | "custom-shape", attributes) => {
                self.role = ShapeRole::of(value(attributes, "class").unwrap_or_default());
            }
            XmlEvent::Open("list", _) => self.lists = self.lists.saturating_add(1),
            XmlEvent::Close("list") => self.lists = self.lists.saturating_sub(1),
            XmlEvent::Open("p" | "h", _) => {
                self.in_text = true;
                self.depth = self.lists.saturating_sub(1);
            }
            XmlEvent::Close("p" | "h") => {
                self.in_text = false;
                self.end_paragraph();
            }
            XmlEvent::Open("s" | "tab" | "line-break", _) if self.in_text => self.line.push(' '),
            XmlEvent::Text(text) if self.in_text => self.line.push_str(text),
            XmlEvent::Open("table", _) => self.tables += 1,
            XmlEvent::Open("table-row", _) if self.tables == 1 => self.rows.push(Vec::new()),
            XmlEvent::Close("table-cell" | "covered-table-cell") => self.end_cell(),
            XmlEvent::Close("table") => self.end_table(),
            XmlEvent::Open(..) | XmlEvent::Close(_) | XmlEvent::Text(_) => {}
        });
        self.end_paragraph();
    }

    fn end_paragraph(&mut self) {
        let depth = std::mem::take(&mut self.depth);
        if self.tables > 0 {
            self.line.push(' ');
            return;
        }
        let text = clean::fold(&std::mem::take(&mut self.line));
        if text.is_empty() || self.role == ShapeRole::Repeated {
            return;
        }
        let (kind, level, list) = match self.role {
            ShapeRole::Title => (BlockKind::Heading, Some(2), None),
            ShapeRole::Outline => (BlockKind::ListItem, None, Some(ListItemPosition { depth, number: None })),
            ShapeRole::Text if self.lists > 0 => {
                (BlockKind::ListItem, None, Some(ListItemPosition { depth, number: None }))
            }
            ShapeRole::Text | ShapeRole::Repeated => (BlockKind::Paragraph, None, None),
        };
        self.out.push(Block { kind, text, level, list, page: self.page(), ..Block::default() });
    }

    fn end_cell(&mut self) {
        let text = clean::fold(&std::mem::take(&mut self.line));
        if self.tables != 1 {
            return;
        }
        match self.rows.last_mut() {
            Some(row) if row.len() < MAX_COLUMNS => row.push(table::cell(&text)),
            _ => self.cut |= !text.is_empty(),
        }
    }

    fn end_table(&mut self) {
        self.tables = self.tables.saturating_sub(1);
        if self.tables > 0 {
            return;
        }
        if let Some(text) = table::markdown(&std::mem::take(&mut self.rows)) {
            self.out.push(Block { kind: BlockKind::Table, text, page: self.page(), ..Block::default() });
        }
    }

    fn page(&self) -> Option<u32> {
        (self.page > 0).then_some(self.page)
    }

    fn finish(self, about: &str) -> Draft {
        let mut draft = properties::draft(self.out, about);
        if self.cut {
            draft.quality = Some(Quality::Partial);
            draft.warnings.push(Warning::TruncatedSource);
        }
        if self.hidden {
            draft.warnings.push(Warning::HiddenTextRemoved);
        }
        draft
    }
}

#[cfg(test)]
mod tests;
