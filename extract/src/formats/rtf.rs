//! Reads RTF: paragraphs, headings, lists, tables, links and footnotes.

mod tokens;
mod writer;

use std::collections::HashMap;

use chrono::NaiveDate;
use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_874, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};

use self::{
    tokens::{RtfToken, RtfTokens},
    writer::RtfWriter,
};
use super::office::heading_level_of_name;
use crate::{
    clean,
    document::{Category, Input, Quality},
    draft::{Draft, DraftResult, ReadError},
};

/// Leading bytes of an RTF file.
pub(super) const MAGIC: &[u8] = b"{\\rtf";
/// Maximum nesting depth of groups.
const MAX_DEPTH: usize = 1000;
/// Maximum number of fonts and styles that are stored.
const MAX_ENTRIES: usize = 5000;

/// Destination to which the text of the current group belongs.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum RtfDestination {
    #[default]
    Text,
    /// Destination whose text is ignored.
    Other,
    Fonts,
    Styles,
    /// Property of the document.
    Property(Property),
    /// Field instruction, which contains the URL of a link.
    Instruction,
    /// Bullet or number of a list item, as text.
    ItemMark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Property {
    Title,
    Author,
    Created,
}

/// State that a group inherits from the enclosing group, and that is restored at the end of the group.
#[derive(Debug, Default, Clone)]
struct RtfGroup {
    destination: RtfDestination,
    /// Number of characters in the code page that follow a Unicode character and repeat it.
    fallback_chars: usize,
    font: i32,
    is_hidden: bool,
    style: writer::CharacterStyle,
    /// Element that is complete at the end of this group.
    end: GroupEnd,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum GroupEnd {
    #[default]
    Nothing,
    Instruction,
    Link,
    Footnote,
    Entry,
}

pub(super) fn read(input: &Input) -> DraftResult {
    let mut reader = RtfReader::new();
    for token in RtfTokens::new(&input.bytes) {
        reader.token(token)?;
    }
    reader.flush_bytes();
    let mut draft = reader.draft;
    draft.category = Some(Category::Document);
    draft.quality = Some(Quality::Complete);
    reader.writer.finish(&mut draft);
    if draft.blocks.is_empty() && !input.bytes.starts_with(MAGIC) {
        return Err(ReadError::WrongFormat);
    }
    if let Some((year, month, day)) = reader.created
        && let Some(date) = NaiveDate::from_ymd_opt(year, month, day)
    {
        draft.published_at = Some(date.to_string());
    }
    Ok(draft)
}

struct RtfReader {
    draft: Draft,
    writer: RtfWriter,
    groups: Vec<RtfGroup>,
    group: RtfGroup,
    /// Bytes of text that have not been decoded yet.
    bytes: Vec<u8>,
    /// First code unit of a surrogate pair.
    high_surrogate: Option<u16>,
    /// Number of characters to ignore after a Unicode character.
    ignored: usize,
    /// True after `\*`. If the next group is unknown, it is ignored.
    is_optional: bool,
    encoding: &'static Encoding,
    encodings_by_font: HashMap<i32, &'static Encoding>,
    headings_by_style: HashMap<i32, u8>,
    /// Number of the style whose name is being read.
    entry: i32,
    /// Text of a group that is not part of the document's text.
    buffer: String,
    created: Option<(i32, u32, u32)>,
}

impl RtfReader {
    fn new() -> Self {
        Self {
            draft: Draft::default(),
            writer: RtfWriter::default(),
            groups: Vec::new(),
            group: RtfGroup { fallback_chars: 1, ..RtfGroup::default() },
            bytes: Vec::new(),
            high_surrogate: None,
            ignored: 0,
            is_optional: false,
            encoding: WINDOWS_1252,
            encodings_by_font: HashMap::new(),
            headings_by_style: HashMap::new(),
            entry: 0,
            buffer: String::new(),
            created: None,
        }
    }

    fn token(&mut self, token: RtfToken<'_>) -> Result<(), ReadError> {
        match token {
            RtfToken::Open => {
                self.flush_bytes();
                self.ignored = 0;
                if self.groups.len() == MAX_DEPTH {
                    return Err(ReadError::TooComplex(format!("it has more than {MAX_DEPTH} nested groups")));
                }
                self.groups.push(self.group.clone());
                self.group.end = GroupEnd::Nothing;
                if matches!(self.group.destination, RtfDestination::Styles) {
                    self.group.end = GroupEnd::Entry;
                    self.entry = 0;
                    self.buffer.clear();
                }
            }
            RtfToken::Close => self.close(),
            RtfToken::Byte(byte) => {
                if self.ignored > 0 {
                    self.ignored -= 1;
                } else {
                    self.bytes.push(byte);
                }
            }
            RtfToken::Symbol(symbol) => {
                self.flush_bytes();
                match symbol {
                    b'*' => self.is_optional = true,
                    b'~' => self.text("\u{a0}"),
                    b'_' => self.text("\u{2011}"),
                    b'\n' | b'\r' => self.paragraph(),
                    _ => {}
                }
                return Ok(());
            }
            RtfToken::Word { name, number } => {
                self.flush_bytes();
                self.word(name, number);
            }
        }
        self.is_optional = false;
        Ok(())
    }

    fn close(&mut self) {
        self.flush_bytes();
        self.ignored = 0;
        match self.group.end {
            GroupEnd::Nothing => {}
            GroupEnd::Instruction => {
                let instruction = std::mem::take(&mut self.buffer);
                self.writer.next_link = link_url(&instruction);
            }
            GroupEnd::Link => self.writer.close_link(),
            GroupEnd::Footnote => self.writer.close_footnote(),
            GroupEnd::Entry => self.end_entry(),
        }
        if let Some(group) = self.groups.pop() {
            self.group = group;
        }
    }

    /// Stores the style or property whose text is in the buffer.
    fn end_entry(&mut self) {
        let text = clean::fold(std::mem::take(&mut self.buffer).trim_end_matches(';'));
        match self.group.destination {
            RtfDestination::Styles if self.headings_by_style.len() < MAX_ENTRIES => {
                if let Some(level) = heading_level_of_name(&text) {
                    self.headings_by_style.insert(self.entry, level);
                }
            }
            RtfDestination::Property(Property::Title) => self.draft.title = Some(text),
            RtfDestination::Property(Property::Author) => {
                self.draft.author = Some(text).filter(|name| !name.is_empty());
            }
            _ => {}
        }
    }

    /// Decodes the buffered bytes with the encoding of the current font.
    fn flush_bytes(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let encoding = self.encodings_by_font.get(&self.group.font).copied().unwrap_or(self.encoding);
        let text = encoding.decode_without_bom_handling(&bytes).0;
        self.text(&text);
    }

    fn text(&mut self, text: &str) {
        match self.group.destination {
            RtfDestination::Text if !self.group.is_hidden => self.writer.words(text, self.group.style),
            RtfDestination::ItemMark => self.writer.mark_item(text),
            RtfDestination::Styles | RtfDestination::Property(_) | RtfDestination::Instruction => {
                self.buffer.push_str(text);
            }
            RtfDestination::Text | RtfDestination::Fonts | RtfDestination::Other => {}
        }
    }

    fn paragraph(&mut self) {
        if self.group.destination == RtfDestination::Text {
            self.writer.end_paragraph();
        }
    }

    fn word(&mut self, name: &str, number: Option<i32>) {
        if self.destination(name) || self.character(name, number) || self.table_entry(name, number) {
            return;
        }
        if self.is_optional {
            self.group.destination = RtfDestination::Other;
        }
        if self.group.destination != RtfDestination::Text {
            return;
        }
        match name {
            "par" | "sect" | "page" => self.writer.end_paragraph(),
            "line" => self.writer.line_break(),
            "pard" => self.writer.reset_paragraph(),
            "intbl" | "trowd" => self.writer.is_in_table = true,
            "cell" | "nestcell" => self.writer.end_cell(name == "nestcell"),
            "row" => self.writer.end_row(),
            "ilvl" => self.writer.depth = number.and_then(|depth| u8::try_from(depth).ok()).unwrap_or(0),
            "outlinelevel" => {
                let level = number.and_then(|level| u8::try_from(level).ok()).filter(|level| *level < 9);
                self.writer.heading = level.map(|level| (level + 1).min(6)).or(self.writer.heading);
            }
            "s" => self.writer.heading = self.headings_by_style.get(&number.unwrap_or(0)).copied(),
            "b" => self.group.style.strong = number != Some(0),
            "i" => self.group.style.italic = number != Some(0),
            "strike" | "striked" => self.group.style.deleted = number != Some(0),
            "super" => self.group.style.raise = i8::from(number != Some(0)),
            "sub" => self.group.style.raise = -i8::from(number != Some(0)),
            "nosupersub" => self.group.style.raise = 0,
            "v" | "deleted" => self.group.is_hidden = number != Some(0),
            "plain" => {
                self.group.style = writer::CharacterStyle::default();
                self.group.is_hidden = false;
            }
            _ => {}
        }
    }

    /// Begins the group of a control word. Returns false if the word does not begin a group.
    fn destination(&mut self, name: &str) -> bool {
        let (destination, end) = match name {
            "fonttbl" => (RtfDestination::Fonts, GroupEnd::Nothing),
            "stylesheet" => (RtfDestination::Styles, GroupEnd::Nothing),
            "title" => (RtfDestination::Property(Property::Title), GroupEnd::Entry),
            "author" => (RtfDestination::Property(Property::Author), GroupEnd::Entry),
            "creatim" => (RtfDestination::Property(Property::Created), GroupEnd::Nothing),
            "fldinst" => (RtfDestination::Instruction, GroupEnd::Instruction),
            "listtext" | "pntext" => (RtfDestination::ItemMark, GroupEnd::Nothing),
            "shptxt" | "result" => (RtfDestination::Text, GroupEnd::Nothing),
            "fldrslt" => {
                self.group.end = GroupEnd::Link;
                self.writer.open_link();
                return true;
            }
            "footnote" if self.group.destination == RtfDestination::Text => {
                self.group.end = GroupEnd::Footnote;
                self.writer.open_footnote();
                return true;
            }
            "colortbl" | "info" | "pict" | "object" | "header" | "headerl" | "headerr" | "headerf"
            | "footer" | "footerl" | "footerr" | "footerf" | "nonesttables" | "annotation" | "atnid"
            | "atnauthor" | "xe" | "tc" | "rxe" | "ftnsep" | "ftnsepc" | "aftnsep" | "aftnsepc"
            | "filetbl" | "listtable" | "listoverridetable" | "revtbl" | "rsidtbl" | "generator"
            | "shppict" | "nonshppict" | "pntxta" | "pntxtb" | "pnseclvl" => {
                (RtfDestination::Other, GroupEnd::Nothing)
            }
            _ => return false,
        };
        if end == GroupEnd::Entry || end == GroupEnd::Instruction {
            self.buffer.clear();
        }
        self.group.destination = destination;
        self.group.end = end;
        true
    }

    /// Appends the character of a control word. Returns false if the word is not a character.
    fn character(&mut self, name: &str, number: Option<i32>) -> bool {
        let text = match name {
            "u" => {
                self.unicode(number.unwrap_or(0));
                return true;
            }
            "uc" => {
                self.group.fallback_chars = number.and_then(|count| usize::try_from(count).ok()).unwrap_or(1);
                return true;
            }
            "tab" => "\t",
            "emdash" => "—",
            "endash" => "–",
            "lquote" => "‘",
            "rquote" => "’",
            "ldblquote" => "“",
            "rdblquote" => "”",
            "bullet" => "•",
            "emspace" | "enspace" | "qmspace" => " ",
            _ => return false,
        };
        self.text(text);
        true
    }

    fn unicode(&mut self, number: i32) {
        self.ignored = self.group.fallback_chars;
        let [low, high, ..] = number.to_le_bytes();
        let unit = u16::from_le_bytes([low, high]);
        let pair = match self.high_surrogate.take() {
            Some(first) => vec![first, unit],
            None => vec![unit],
        };
        if pair.len() == 1 && (0xd800..0xdc00).contains(&unit) {
            self.high_surrogate = Some(unit);
            return;
        }
        self.text(&String::from_utf16_lossy(&pair));
    }

    /// Reads a code page, a font, a style or a date. Returns false for other words.
    fn table_entry(&mut self, name: &str, number: Option<i32>) -> bool {
        let number = number.unwrap_or(0);
        match (self.group.destination, name) {
            (_, "ansicpg") => self.encoding = encoding_of_code_page(number),
            (_, "mac") => self.encoding = MACINTOSH,
            (_, "f") => self.group.font = number,
            (RtfDestination::Fonts, "fcharset") if self.encodings_by_font.len() < MAX_ENTRIES => {
                if let Some(encoding) = encoding_of_font(number) {
                    self.encodings_by_font.insert(self.group.font, encoding);
                }
            }
            (RtfDestination::Styles, "s" | "cs" | "ds" | "ts") => {
                self.entry = if name == "s" { number } else { -1 };
            }
            (RtfDestination::Property(Property::Created), "yr") => self.created = Some((number, 1, 1)),
            (RtfDestination::Property(Property::Created), "mo" | "dy") => {
                let number = u32::try_from(number).unwrap_or(0);
                if let Some((_, month, day)) = &mut self.created {
                    *(if name == "mo" { month } else { day }) = number;
                }
            }
            _ => return false,
        }
        true
    }
}

/// URL in a field instruction such as `HYPERLINK "https://a.example/"`.
fn link_url(instruction: &str) -> Option<String> {
    let rest = instruction.trim_start().strip_prefix("HYPERLINK")?.trim_start();
    let address = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    };
    crate::page::links::resolve(None, address?)
}

fn encoding_of_code_page(number: i32) -> &'static Encoding {
    match number {
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10000 => MACINTOSH,
        65001 => UTF_8,
        _ => WINDOWS_1252,
    }
}

/// Encoding of a font's character set, or `None` for the encoding of the document.
fn encoding_of_font(number: i32) -> Option<&'static Encoding> {
    Some(match number {
        77 => MACINTOSH,
        128 => SHIFT_JIS,
        129 => EUC_KR,
        134 => GBK,
        136 => BIG5,
        161 => WINDOWS_1253,
        162 => WINDOWS_1254,
        163 => WINDOWS_1258,
        177 => WINDOWS_1255,
        178 => WINDOWS_1256,
        186 => WINDOWS_1257,
        204 => WINDOWS_1251,
        222 => WINDOWS_874,
        238 => WINDOWS_1250,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
