//! Parts of a DOCX file whose visible text depends on other parts: fields, pronunciations, and alternatives
//! for older programs.

use crate::{formats::xml::value, page::links};

/// Maximum number of bytes of an instruction that are stored.
const MAX_INSTRUCTION_BYTES: usize = 8192;

/// Field, such as a link, whose instruction precedes its displayed text.
#[derive(Debug, Default)]
struct OpenField {
    instruction: String,
    is_link: bool,
}

/// Fields that are open.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<OpenField>);

impl Fields {
    pub(super) fn begin(&mut self) {
        self.0.push(OpenField::default());
    }

    /// Appends text to the instruction of the current field.
    pub(super) fn instruct(&mut self, text: &str) {
        if let Some(field) = self.0.last_mut()
            && field.instruction.len() + text.len() <= MAX_INSTRUCTION_BYTES
        {
            field.instruction.push_str(text);
        }
    }

    /// Completes the instruction of the current field. Returns the URL if the field is a link.
    pub(super) fn separate(&mut self) -> Option<String> {
        let field = self.0.last_mut().filter(|field| !field.is_link)?;
        let url = link_url(&field.instruction)?;
        field.is_link = true;
        Some(url)
    }

    /// Closes the current field, and returns true if the field is a link.
    pub(super) fn end(&mut self) -> bool {
        self.0.pop().is_some_and(|field| field.is_link)
    }
}

/// URL of an instruction such as `HYPERLINK "https://a.example/"`.
pub(super) fn link_url(instruction: &str) -> Option<String> {
    let target = instruction.trim_start().strip_prefix("HYPERLINK")?.trim_start().strip_prefix('"')?;
    let (target, _) = target.split_once('"')?;
    links::resolve(None, target)
}

/// Unicode character for a symbol. `None` if its font uses the private use area and the symbol is unknown.
pub(super) fn symbol(attributes: &[(String, String)]) -> Option<char> {
    let code = u32::from_str_radix(value(attributes, "char")?, 16).ok()?;
    let is_wingdings = value(attributes, "font") == Some("Wingdings");
    // Symbol fonts use the private use area of Unicode.
    let of_font = code.checked_sub(0xf000).unwrap_or(code);
    match of_font {
        0xfc if is_wingdings => Some('✓'),
        0xfb if is_wingdings => Some('✗'),
        0xfe if is_wingdings => Some('☑'),
        0xfd if is_wingdings => Some('☒'),
        0x6f | 0xa8 if is_wingdings => Some('☐'),
        0xe0 if is_wingdings => Some('→'),
        _ if is_wingdings || code >= 0xe000 => None,
        _ => char::from_u32(code),
    }
}

/// Alternatives of which the first is for current programs, and the second repeats its content for older
/// programs. The second is skipped if the first contains text.
#[derive(Debug, Default)]
pub(super) struct Alternatives {
    /// For each open group of alternatives, true if it contains text.
    groups: Vec<bool>,
    /// Number of open elements in the alternative that is skipped.
    skipped: usize,
}

impl Alternatives {
    /// Returns true if the opened element is skipped.
    pub(super) fn open(&mut self, name: &str) -> bool {
        match name {
            _ if self.skipped > 0 => self.skipped += 1,
            "Fallback" if self.groups.last() == Some(&true) => self.skipped = 1,
            "AlternateContent" => self.groups.push(false),
            "t" => {
                if let Some(group) = self.groups.last_mut() {
                    *group = true;
                }
            }
            _ => {}
        }
        self.skipped > 0
    }

    pub(super) fn is_skipping(&self) -> bool {
        self.skipped > 0
    }

    /// Returns true if the closed element was skipped.
    pub(super) fn close(&mut self, name: &str) -> bool {
        if self.skipped > 0 {
            self.skipped -= 1;
            return true;
        }
        if name == "AlternateContent"
            && let Some(has_text) = self.groups.pop()
            && let Some(outer) = self.groups.last_mut()
        {
            *outer |= has_text;
        }
        false
    }
}
