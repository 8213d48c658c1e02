//! Reads word processor documents (DOCX, ODT): paragraphs, headings, lists, tables and footnotes.

mod chunks;
mod fields;
mod formula;
mod numbering;
mod pictures;
pub(super) mod properties;
mod run_style;
mod styles;

use std::collections::HashMap;

pub(super) use self::properties::heading_level_of_name;
use self::{
    fields::{Alternatives, Fields},
    formula::FormulaReader,
    numbering::Numbering,
    pictures::Pictures,
    properties::link_urls,
    run_style::{RunState, RunStyle, Script, is_on},
    styles::Styles,
};
use super::{
    archive::ArchiveFiles,
    table::{self, MAX_COLUMNS},
    xml::{self, XmlEvent, value},
};
use crate::{
    document::{Block, BlockKind, Input, ListItemPosition},
    draft::{Draft, DraftResult, ReadError},
    html::{
        cell::CellSpans,
        inline::{Inline, OpenStyle},
    },
    page::links,
};

/// Maximum number of styles of an ODT file that are stored.
const MAX_STYLES: usize = 10_000;

pub(super) fn read_docx(input: &Input) -> DraftResult {
    docx(&input.bytes).ok_or(ReadError::Broken)
}

pub(super) fn read_odt(input: &Input) -> DraftResult {
    odt(&input.bytes).ok_or(ReadError::Broken)
}

fn docx(bytes: &[u8]) -> Option<Draft> {
    let mut files = ArchiveFiles::open(bytes)?;
    let body = files.text("word/document.xml")?;
    let relations = files.text("word/_rels/document.xml.rels").unwrap_or_default();
    let styles = Styles::read(&files.text("word/styles.xml").unwrap_or_default());
    let numbering = Numbering::read(&files.text("word/numbering.xml").unwrap_or_default());
    let links = link_urls(&relations);
    let chunks = if body.contains("altChunk") { chunks::read(&mut files) } else { HashMap::new() };
    let mut writer = DocumentWriter { links, styles, numbering, chunks, ..DocumentWriter::default() };
    writer.read_docx(&body);
    writer.in_notes = true;
    for part in ["word/footnotes.xml", "word/endnotes.xml"] {
        if let Some(notes) = files.text(part) {
            writer.read_docx(&notes);
        }
    }
    let properties = files.text("docProps/core.xml").unwrap_or_default();
    Some(finalize(writer, &properties))
}

fn odt(bytes: &[u8]) -> Option<Draft> {
    let mut files = ArchiveFiles::open(bytes)?;
    let body = files.text("content.xml")?;
    let mut writer = DocumentWriter::default();
    writer.read_odt(&body);
    let properties = files.text("meta.xml").unwrap_or_default();
    Some(finalize(writer, &properties))
}

/// Key for an endnote in the map of footnotes. Endnotes and footnotes use the same numbers.
fn endnote_id(id: &str) -> String {
    format!("endnote {id}")
}

/// Number of columns in an attribute. 1 by default.
fn columns(attributes: &[(String, String)], name: &str) -> usize {
    value(attributes, name).and_then(|columns| columns.trim().parse().ok()).unwrap_or(1)
}

fn finalize(mut writer: DocumentWriter, properties: &str) -> Draft {
    writer.flush();
    let mut draft = properties::draft(writer.out, properties);
    if writer.is_cut {
        draft.report_missing_part();
    }
    draft
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of three formats")]
struct DocumentWriter {
    out: Vec<Block>,
    inline: Inline,
    links: HashMap<String, String>,
    opened: Vec<usize>,
    heading: Option<u8>,
    item: Option<u8>,
    /// DOCX: true if the paragraph has the style of a quotation.
    is_quote: bool,
    /// DOCX: true if the paragraph has a style for code.
    is_code: bool,
    /// DOCX: true if the previous paragraph has a style for code.
    is_after_code: bool,
    /// DOCX: id of the list to which the paragraph belongs.
    list: Option<String>,
    /// DOCX: styles and lists of the document.
    styles: Styles,
    numbering: Numbering,
    in_notes: bool,
    /// Footnote labels by id, numbered in the order of the references.
    labels: HashMap<String, String>,
    /// Label of the footnote that begins next.
    note: Option<String>,
    /// True inside elements whose text is content.
    in_text: bool,
    run: RunState,
    /// Number of open tables. Only the outermost one becomes a block.
    tables: usize,
    rows: Vec<Vec<String>>,
    /// Number of further columns that the current cell spans.
    covered: usize,
    /// True if content was omitted: cells beyond the maximum number of columns, or content of other formats.
    is_cut: bool,
    /// Links and footnote marks in the current table.
    table_spans: CellSpans,
    lists: usize,
    /// Style of the following text.
    run_style: RunStyle,
    open_range: Option<(RunStyle, usize)>,
    /// ODT: formatting of each style of the document, and of the enclosing spans.
    styles_by_name: HashMap<String, RunStyle>,
    spans: Vec<RunStyle>,
    style: String,
    /// DOCX: open fields. `in_instruction` is true inside the instruction of a field.
    fields: Fields,
    in_instruction: bool,
    alternatives: Alternatives,
    /// DOCX: pronunciation of the following text. `in_pronunciation` is true inside a pronunciation.
    pronunciation: String,
    in_pronunciation: bool,
    /// DOCX: content of other formats that the document includes, by relationship id.
    chunks: HashMap<String, Vec<Block>>,
    /// ODT: name or description of a picture, while it is read.
    picture: Option<String>,
    /// Pictures of the current paragraph.
    pictures: Pictures,
    /// DOCX: reader of the current formula.
    formula: Option<FormulaReader>,
    is_displayed: bool,
}

impl DocumentWriter {
    fn read_docx(&mut self, text: &str) {
        xml::walk(text, |step| match step {
            step if self.formula.is_some() => self.formula_step(&step),
            XmlEvent::Open(name, attributes) => {
                if !self.alternatives.open(name) {
                    self.open_docx(name, attributes);
                }
            }
            XmlEvent::Text(_) if self.alternatives.is_skipping() => {}
            XmlEvent::Text(text) if self.in_instruction => self.fields.instruct(text),
            XmlEvent::Text(text) if self.in_text && self.in_pronunciation => {
                self.pronunciation.push_str(text);
            }
            XmlEvent::Text(text) if self.in_text => self.words(text),
            XmlEvent::Text(_) => {}
            XmlEvent::Close(name) => {
                if !self.alternatives.close(name) {
                    self.close_docx(name);
                }
            }
        });
    }

    fn close_docx(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "instrText" => self.in_instruction = false,
            "r" => self.run = RunState::Outside,
            "p" => self.end_paragraph(),
            "hyperlink" | "fldSimple" => self.close_link(),
            "tc" => self.end_cell(),
            "tbl" => self.end_table(),
            "oMathPara" => self.is_displayed = false,
            "rt" => self.in_pronunciation = false,
            "rubyBase" => {
                let pronunciation = std::mem::take(&mut self.pronunciation);
                if !pronunciation.trim().is_empty() {
                    self.words(&format!("({pronunciation})"));
                }
            }
            _ => {}
        }
    }

    /// Passes an event to the formula reader. A complete formula becomes a block if it is displayed on a
    /// separate line.
    fn formula_step(&mut self, step: &XmlEvent<'_>) {
        let Some(tex) = self.formula.as_mut().and_then(|reader| reader.read(step)) else { return };
        self.formula = None;
        self.end_range();
        if tex.is_empty() || self.run == RunState::Hidden {
            return;
        }
        if self.is_displayed && self.tables == 0 && self.heading.is_none() && !self.in_notes {
            self.flush();
            self.out.push(Block { kind: BlockKind::Math, text: tex, ..Block::default() });
        } else {
            self.inline.push_formula(&tex);
        }
    }

    fn open_docx(&mut self, name: &str, attributes: &[(String, String)]) {
        match name {
            "p" => {
                self.heading = None;
                self.item = None;
                self.is_quote = false;
                self.is_code = false;
                self.list = None;
            }
            "pStyle" => {
                let id = value(attributes, "val").unwrap_or_default();
                self.list = self.styles.list(id).map(str::to_owned);
                let style = self.styles.paragraph(id);
                self.heading = style.heading;
                self.item = style.item_depth;
                self.is_quote = style.is_quote;
                self.is_code = style.is_code;
            }
            "outlineLvl" => {
                let level = value(attributes, "val").and_then(styles::outline_level);
                self.heading = self.heading.or(level);
            }
            // The number 0 removes a paragraph from the list that its style implies.
            "numId" if value(attributes, "val") == Some("0") => self.item = None,
            "numId" => self.list = value(attributes, "val").map(str::to_owned),
            "numPr" => self.item = Some(0),
            "ilvl" => self.item = value(attributes, "val").and_then(|level| level.parse().ok()).or(self.item),
            "r" => {
                self.run = RunState::Visible;
                self.run_style = RunStyle::default();
            }
            "rStyle" if self.run != RunState::Outside => {
                let id = value(attributes, "val").unwrap_or_default();
                self.run_style = self.styles.character(id, self.run_style);
            }
            "footnoteReference" => self.note_mark(value(attributes, "id").map(str::to_owned)),
            "endnoteReference" => self.note_mark(value(attributes, "id").map(endnote_id)),
            "footnote" => {
                self.note = value(attributes, "id").and_then(|id| self.labels.get(id).cloned());
            }
            "endnote" => {
                self.note = value(attributes, "id").and_then(|id| self.labels.get(&endnote_id(id)).cloned());
            }
            "vanish" if self.run != RunState::Outside && is_on(attributes) => self.run = RunState::Hidden,
            "t" => self.in_text = self.run != RunState::Hidden,
            "tab" if self.is_code_line() => self.inline.push_verbatim("\t"),
            "tab" => self.inline.push(" "),
            "br" | "cr" => self.inline.push_break(),
            "hyperlink" => self.open_link(value(attributes, "id").and_then(|id| self.links.get(id).cloned())),
            "tbl" => self.start_table(),
            "tr" | "gridSpan" | "gridBefore" if self.tables == 1 => self.open_docx_row(name, attributes),
            "oMathPara" => self.is_displayed = true,
            "oMath" => {
                let mut reader = FormulaReader::default();
                reader.read(&XmlEvent::Open(name, attributes));
                self.formula = Some(reader);
            }
            _ => self.open_docx_run_part(name, attributes),
        }
    }

    /// Sets the formatting of a run, begins a field or a part of a run whose text is not ordinary text, or
    /// includes other content.
    fn open_docx_run_part(&mut self, name: &str, attributes: &[(String, String)]) {
        match name {
            "b" if self.run != RunState::Outside => self.run_style.strong = is_on(attributes),
            "i" if self.run != RunState::Outside => self.run_style.italic = is_on(attributes),
            "vertAlign" if self.run != RunState::Outside => {
                self.run_style.script = Script::of(value(attributes, "val").unwrap_or_default());
            }
            "strike" | "dstrike" if self.run != RunState::Outside => {
                self.run_style.deleted |= is_on(attributes);
            }
            "noBreakHyphen" if self.run == RunState::Visible => self.words("\u{2011}"),
            "sym" if self.run == RunState::Visible => {
                if let Some(symbol) = fields::symbol(attributes) {
                    self.words(symbol.encode_utf8(&mut [0; 4]));
                }
            }
            "docPr" | "shape" if self.run != RunState::Hidden => self.pictures.add_of_docx(name, attributes),
            "altChunk" => self.include(value(attributes, "id")),
            "rt" => self.in_pronunciation = true,
            "instrText" => self.in_instruction = true,
            "fldSimple" => self.open_link(value(attributes, "instr").and_then(fields::link_url)),
            "fldChar" => match value(attributes, "fldCharType") {
                Some("begin") => self.fields.begin(),
                Some("separate") => {
                    if let Some(url) = self.fields.separate() {
                        self.open_link(Some(url));
                    }
                }
                Some("end") if self.fields.end() => self.close_link(),
                _ => {}
            },
            _ => {}
        }
    }

    /// Begins a row, or sets the number of columns that a cell spans. A cell that continues the cell above is
    /// empty.
    fn open_docx_row(&mut self, name: &str, attributes: &[(String, String)]) {
        let columns = columns(attributes, "val");
        match name {
            "tr" => self.rows.push(Vec::new()),
            "gridSpan" => self.covered = columns.saturating_sub(1),
            // Empty columns before the first cell.
            _ => (0..columns.min(MAX_COLUMNS)).for_each(|_| self.push_cells(String::new(), 0)),
        }
    }

    fn note_mark(&mut self, id: Option<String>) {
        let Some(id) = id else { return };
        self.end_range();
        let next = self.labels.len() + 1;
        let label = self.labels.entry(id).or_insert_with(|| next.to_string());
        self.inline.push_note(label);
    }

    fn read_odt(&mut self, text: &str) {
        let mut depth_of_notes = 0_usize;
        xml::walk(text, |step| match step {
            XmlEvent::Open(name, attributes) => {
                depth_of_notes += usize::from(matches!(name, "annotation" | "tracked-changes"));
                self.open_odt(name, attributes);
            }
            XmlEvent::Text(text) if self.in_text && depth_of_notes == 0 => match &mut self.picture {
                Some(picture) => picture.push_str(text),
                None => self.words(text),
            },
            XmlEvent::Text(_) => {}
            XmlEvent::Close(name) => match name {
                "title" | "desc" => {
                    let picture = self.picture.take();
                    if let Some(picture) = picture {
                        self.pictures.add(&picture);
                    }
                }
                "p" | "h" => {
                    self.end_paragraph();
                    self.in_text = false;
                }
                "span" => self.run_style = self.spans.pop().unwrap_or_default(),
                "a" => self.close_link(),
                "list" => self.lists = self.lists.saturating_sub(1),
                "list-item" => self.item = None,
                "table-cell" | "covered-table-cell" => self.end_cell(),
                "table" => self.end_table(),
                "annotation" | "tracked-changes" => depth_of_notes = depth_of_notes.saturating_sub(1),
                _ => {}
            },
        });
    }

    fn open_odt(&mut self, name: &str, attributes: &[(String, String)]) {
        match name {
            "p" => {
                self.heading = None;
                self.in_text = true;
            }
            "h" => {
                let level = value(attributes, "outline-level").and_then(|level| level.parse::<u8>().ok());
                self.heading = Some(level.unwrap_or(1).clamp(1, 6));
                self.in_text = true;
            }
            "span" => {
                self.spans.push(self.run_style);
                let style = value(attributes, "style-name").unwrap_or_default();
                let set = self.styles_by_name.get(style).copied().unwrap_or_default().named(style);
                self.run_style.strong |= set.strong;
                self.run_style.italic |= set.italic;
                self.run_style.deleted |= set.deleted;
                if set.script != Script::Baseline {
                    self.run_style.script = set.script;
                }
            }
            "style" => {
                value(attributes, "name").unwrap_or_default().clone_into(&mut self.style);
            }
            "text-properties" if self.styles_by_name.len() < MAX_STYLES => {
                let is = |name, expected: &str| value(attributes, name) == Some(expected);
                let run_style = RunStyle {
                    strong: is("font-weight", "bold"),
                    italic: is("font-style", "italic"),
                    deleted: value(attributes, "text-line-through-style").is_some_and(|line| line != "none"),
                    script: Script::of(value(attributes, "text-position").unwrap_or_default()),
                };
                self.styles_by_name.insert(self.style.clone(), run_style);
            }
            "title" | "desc" if self.in_text => self.picture = Some(String::new()),
            "list" => self.lists += 1,
            "list-item" => self.item = Some(u8::try_from(self.lists.saturating_sub(1)).unwrap_or(u8::MAX)),
            "s" | "tab" => self.inline.push(" "),
            "line-break" => self.inline.push_break(),
            "a" => {
                self.open_link(value(attributes, "href").and_then(|address| links::resolve(None, address)));
            }
            "table" => self.start_table(),
            "table-row" if self.tables == 1 => self.rows.push(Vec::new()),
            "table-cell" | "covered-table-cell" if self.tables == 1 => {
                self.covered = columns(attributes, "number-columns-repeated").saturating_sub(1);
            }
            _ => {}
        }
    }

    /// Appends text in the current style. Consecutive texts of the same style form one range.
    fn words(&mut self, text: &str) {
        if self.is_code_line() {
            return self.inline.push_verbatim(text);
        }
        let run_style = if self.heading.is_some() {
            RunStyle { script: self.run_style.script, ..RunStyle::default() }
        } else {
            self.run_style
        };
        if self.open_range.is_some_and(|(open, _)| open != run_style) {
            self.end_range();
        }
        if self.open_range.is_none() && run_style != RunStyle::default() {
            let strong = run_style.strong.then(|| self.inline.open(OpenStyle::Strong));
            let slanted = run_style.italic.then(|| self.inline.open(OpenStyle::Emphasis));
            let deleted = run_style.deleted.then(|| self.inline.open(OpenStyle::Deleted));
            let script = match run_style.script {
                Script::Baseline => None,
                Script::Superscript => Some(self.inline.open(OpenStyle::Superscript)),
                Script::Subscript => Some(self.inline.open(OpenStyle::Subscript)),
            };
            self.open_range = strong.or(slanted).or(deleted).or(script).map(|opened| (run_style, opened));
        }
        self.inline.push(text);
    }

    fn end_range(&mut self) {
        if let Some((_, opened)) = self.open_range.take() {
            self.inline.close(opened);
        }
    }

    fn open_link(&mut self, url: Option<String>) {
        self.end_range();
        let opened = url.map_or(usize::MAX, |url| self.inline.open(OpenStyle::Link(url)));
        self.opened.push(opened);
    }

    fn close_link(&mut self) {
        self.end_range();
        if let Some(opened) = self.opened.pop().filter(|opened| *opened != usize::MAX) {
            self.inline.close(opened);
        }
    }

    fn end_paragraph(&mut self) {
        if self.tables > 0 {
            self.end_range();
            self.inline.push(" ");
        } else if self.is_code_line() {
            self.end_code_line();
        } else {
            self.flush();
        }
        self.is_after_code = self.is_code;
        let pictures = self.pictures.take();
        if self.tables > 0 {
            pictures.for_each(|name| self.inline.push(&format!("{name} ")));
        } else {
            self.out.extend(pictures.map(pictures::block));
        }
    }

    /// Appends included content of another format.
    fn include(&mut self, id: Option<&str>) {
        let Some(blocks) = id.and_then(|id| self.chunks.remove(id)) else {
            self.is_cut = true;
            return;
        };
        if self.tables > 0 {
            return blocks.iter().for_each(|block| self.inline.push(&format!("{} ", block.text)));
        }
        self.flush();
        self.out.extend(blocks);
    }

    /// True in a paragraph of code outside tables, lists and notes.
    fn is_code_line(&self) -> bool {
        self.is_code && self.tables == 0 && !self.in_notes && self.heading.is_none() && self.item.is_none()
    }

    /// Appends a line of code. Adjacent lines form one block.
    fn end_code_line(&mut self) {
        self.end_range();
        let text = self.inline.take().map(|line| line.text).unwrap_or_default();
        match self.out.last_mut().filter(|last| self.is_after_code && last.kind == BlockKind::Code) {
            Some(code) => {
                code.text.push('\n');
                code.text.push_str(&text);
            }
            None if text.is_empty() => {}
            None => self.out.push(Block { kind: BlockKind::Code, text, ..Block::default() }),
        }
    }

    fn flush(&mut self) {
        self.end_range();
        let Some(line) = self.inline.take() else { return };
        let list_id = self.list.take();
        let list = self.item.take().map(|depth| {
            // A heading or a footnote does not count as an item.
            let is_item = self.heading.is_none() && !self.in_notes;
            let id = list_id.as_deref().filter(|_| is_item);
            ListItemPosition { depth, number: id.and_then(|id| self.numbering.next(id, depth)) }
        });
        let kind = match (self.heading, list) {
            _ if self.in_notes => BlockKind::Footnote,
            (Some(_), _) => BlockKind::Heading,
            (None, Some(_)) => BlockKind::ListItem,
            (None, None) if self.is_quote => BlockKind::Quote,
            (None, None) => BlockKind::Paragraph,
        };
        let level = self.heading.filter(|_| kind == BlockKind::Heading);
        let list = list.filter(|_| kind == BlockKind::ListItem);
        self.out.push(Block {
            level,
            note: self.note.take_if(|_| kind == BlockKind::Footnote),
            list,
            ..line.into_block(kind)
        });
    }

    fn start_table(&mut self) {
        if self.tables == 0 {
            self.flush();
        }
        self.tables += 1;
    }

    fn end_cell(&mut self) {
        if self.tables != 1 {
            return;
        }
        self.end_range();
        let text = self.inline.take().map_or(String::new(), |line| self.table_spans.add(line));
        let covered = std::mem::take(&mut self.covered);
        self.push_cells(text, covered);
    }

    /// Appends a cell to the current row, and empty cells for the further columns that it spans.
    fn push_cells(&mut self, text: String, covered: usize) {
        let Some(row) = self.rows.last_mut() else { return };
        let free = MAX_COLUMNS.saturating_sub(row.len());
        if free == 0 {
            self.is_cut |= !text.is_empty();
            return;
        }
        row.push(text);
        row.extend(std::iter::repeat_n(String::new(), covered.min(free - 1)));
    }

    fn end_table(&mut self) {
        self.tables = self.tables.saturating_sub(1);
        if self.tables > 0 {
            return;
        }
        if let Some(text) = table::markdown(&std::mem::take(&mut self.rows)) {
            self.out.push(std::mem::take(&mut self.table_spans).table_block(text));
        }
    }
}
