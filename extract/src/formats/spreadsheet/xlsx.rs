//! Reads XLSX files in one pass, cell by cell, so that limits apply while a sheet is read.

use std::collections::HashMap;

use super::{
    cells::{self, Epoch},
    sheets::Sheets,
};
use crate::document::Input;
use crate::draft::{Draft, DraftResult, ReadError};
use crate::formats::{
    archive::ArchiveFiles,
    relations,
    xml::{self, XmlEvent, value},
};

/// Maximum number of shared strings of a file.
const MAX_STRINGS: usize = 500_000;
/// Maximum number of sheets read from a file.
const MAX_SHEETS: usize = 200;
const WORKBOOK: &str = "xl/workbook.xml";

pub(in crate::formats) fn read(input: &Input) -> DraftResult {
    read_book(&input.bytes).ok_or(ReadError::Broken)
}

fn read_book(bytes: &[u8]) -> Option<Draft> {
    let mut files = ArchiveFiles::open(bytes)?;
    let text = files.text(WORKBOOK)?;
    let book = Workbook::read(&text);
    let parts = relations::of(&mut files, WORKBOOK);
    let strings = files.text("xl/sharedStrings.xml").map(|text| strings(&text)).unwrap_or_default();
    let dates = files.text("xl/styles.xml").map(|text| date_styles(&text)).unwrap_or_default();
    let mut sheets = Sheets::default();
    sheets.cut = book.sheets.len() > MAX_SHEETS;
    for sheet in book.sheets.iter().take(MAX_SHEETS) {
        if sheet.is_hidden {
            sheets.hidden = true;
            continue;
        }
        let Some(relation) = parts.get(&sheet.relation) else { continue };
        if relation.kind != "worksheet" {
            continue;
        }
        match files.text(&relation.part) {
            Some(text) => {
                sheets.start(&sheet.name);
                SheetCells { strings: &strings, dates: &dates, epoch: book.epoch, ..SheetCells::new() }
                    .read(&text, &mut sheets);
                sheets.end();
            }
            None => sheets.cut = true,
        }
    }
    Some(sheets.finish(&files.text("docProps/core.xml").unwrap_or_default()))
}

#[derive(Default)]
struct Workbook {
    sheets: Vec<WorkbookSheet>,
    epoch: Epoch,
}

struct WorkbookSheet {
    name: String,
    relation: String,
    is_hidden: bool,
}

impl Workbook {
    fn read(text: &str) -> Self {
        let mut book = Self::default();
        xml::walk(text, |step| match step {
            XmlEvent::Open("workbookPr", attributes) => {
                if matches!(value(attributes, "date1904"), Some("1" | "true")) {
                    book.epoch = Epoch::Y1904;
                }
            }
            XmlEvent::Open("sheet", attributes) => book.sheets.push(WorkbookSheet {
                name: value(attributes, "name").unwrap_or_default().to_owned(),
                relation: value(attributes, "id").unwrap_or_default().to_owned(),
                is_hidden: matches!(value(attributes, "state"), Some("hidden" | "veryHidden")),
            }),
            XmlEvent::Open(..) | XmlEvent::Close(_) | XmlEvent::Text(_) => {}
        });
        book
    }
}

/// Shared strings, without their phonetic readings.
fn strings(text: &str) -> Vec<String> {
    let mut strings = Vec::new();
    let mut buffer = String::new();
    let (mut in_text, mut in_reading) = (false, false);
    xml::walk(text, |step| match step {
        XmlEvent::Open("t", _) => in_text = !in_reading,
        XmlEvent::Open("rPh", _) => in_reading = true,
        XmlEvent::Text(text) if in_text => buffer.push_str(text),
        XmlEvent::Close("t") => in_text = false,
        XmlEvent::Close("rPh") => in_reading = false,
        XmlEvent::Close("si") if strings.len() < MAX_STRINGS => strings.push(std::mem::take(&mut buffer)),
        XmlEvent::Open(..) | XmlEvent::Close(_) | XmlEvent::Text(_) => {}
    });
    strings
}

/// For each cell style, true if it displays numbers as dates.
fn date_styles(text: &str) -> Vec<bool> {
    let mut codes: HashMap<u32, String> = HashMap::new();
    let mut styles = Vec::new();
    let mut in_cells = false;
    let id = |text: Option<&str>| text.and_then(|id| id.parse::<u32>().ok()).unwrap_or(0);
    xml::walk(text, |step| match step {
        XmlEvent::Open("numFmt", attributes) => {
            let code = value(attributes, "formatCode").unwrap_or_default().to_owned();
            codes.insert(id(value(attributes, "numFmtId")), code);
        }
        XmlEvent::Open("cellXfs", _) => in_cells = true,
        XmlEvent::Close("cellXfs") => in_cells = false,
        XmlEvent::Open("xf", attributes) if in_cells => {
            let format = id(value(attributes, "numFmtId"));
            styles.push(cells::is_date(format, codes.get(&format).map(String::as_str)));
        }
        XmlEvent::Open(..) | XmlEvent::Close(_) | XmlEvent::Text(_) => {}
    });
    styles
}

/// Reads the cells of one sheet.
struct SheetCells<'b> {
    strings: &'b [String],
    dates: &'b [bool],
    epoch: Epoch,
    column: usize,
    next: usize,
    kind: String,
    style: usize,
    buffer: String,
    in_value: bool,
}

impl SheetCells<'_> {
    fn new() -> Self {
        Self {
            strings: &[],
            dates: &[],
            epoch: Epoch::Y1900,
            column: 0,
            next: 0,
            kind: String::new(),
            style: 0,
            buffer: String::new(),
            in_value: false,
        }
    }

    fn read(mut self, text: &str, sheets: &mut Sheets) {
        xml::walk(text, |step| match step {
            XmlEvent::Open("row", _) => self.next = 0,
            XmlEvent::Open("c", attributes) => {
                self.column = value(attributes, "r").and_then(cells::column).unwrap_or(self.next);
                self.next = self.column + 1;
                value(attributes, "t").unwrap_or("n").clone_into(&mut self.kind);
                self.style = value(attributes, "s").and_then(|style| style.parse().ok()).unwrap_or(0);
                self.buffer.clear();
            }
            XmlEvent::Open("v" | "t", _) => self.in_value = true,
            XmlEvent::Close("v" | "t") => self.in_value = false,
            XmlEvent::Text(text) if self.in_value => self.buffer.push_str(text),
            XmlEvent::Close("c") => {
                let text = std::mem::take(&mut self.buffer);
                sheets.put(self.column, &self.display_value(&text));
            }
            XmlEvent::Close("row") => sheets.end_row(1),
            XmlEvent::Open(..) | XmlEvent::Close(_) | XmlEvent::Text(_) => {}
        });
    }

    /// Value of the cell as displayed.
    fn display_value(&self, text: &str) -> String {
        match self.kind.as_str() {
            "s" => {
                let index = text.trim().parse::<usize>().ok();
                index.and_then(|index| self.strings.get(index)).cloned().unwrap_or_default()
            }
            "b" => if text.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned(),
            "n" if self.dates.get(self.style).copied().unwrap_or(false) => {
                cells::date(text, self.epoch).unwrap_or_else(|| cells::number(text))
            }
            "n" => cells::number(text),
            _ => text.to_owned(),
        }
    }
}
