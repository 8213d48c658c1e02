//! Marks in texts for information that only the markup of a page expresses: struck-out parts, raised
//! decimals, and states of controls.

use super::line_text::PART_SEPARATOR;
use crate::{
    clean,
    page::{Id, Page},
};

/// Mark before and after a struck-out text.
pub(super) const STRUCK: &str = "~~";
/// Mark after the text of a disabled control.
pub(super) const DISABLED: &str = " [disabled]";

/// Raised digits in ascending order.
pub(super) const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
/// Maximum number of nodes in a raised number.
const MAX_RAISED_NODES: usize = 4;
/// Maximum number of bytes of a number.
const MAX_NUMBER_BYTES: usize = 40;
/// Maximum number of options in a list of choices.
const MAX_OPTIONS: usize = 200;
/// Maximum number of nodes in a struck-out part.
const MAX_STRUCK_NODES: usize = 200;

/// True for an element whose content is struck out.
pub(super) fn is_struck(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "s" | "del" | "strike")
        || page.attribute(id, "style").is_some_and(|style| style.contains("line-through"))
}

/// True for a struck-out inline element, which is part of a line.
pub(super) fn is_struck_line(page: &Page, id: Id) -> bool {
    let is_part = |inner: Id| page.text(inner).is_some() || page.is_inline(inner) && !page.is(inner, "img");
    page.is_inline(id)
        && is_struck(page, id)
        && page.subtree(id).len() <= MAX_STRUCK_NODES
        && page.descendants(id).all(is_part)
}

/// True for a disabled control.
pub(super) fn is_disabled(page: &Page, id: Id) -> bool {
    page.attribute(id, "disabled").is_some() || page.attribute(id, "aria-disabled") == Some("true")
}

/// Returns the digits of a `sup` element as raised digits, if they are decimals of the number at the end of
/// `before`.
pub(super) fn raised(page: &Page, id: Id, before: &str) -> Option<String> {
    if !page.is(id, "sup") || page.subtree(id).len() > MAX_RAISED_NODES {
        return None;
    }
    let text = page.folded_text(id);
    let digits = text.trim();
    let number = number_at_end(before);
    let has_decimals = number.contains(['.', ',']);
    // A single raised digit after an integer is a footnote reference.
    let is_decimals = digits.len() == 2 || digits.len() == 1 && has_decimals;
    if number.is_empty() || !is_decimals {
        return None;
    }
    digits.chars().map(|c| RAISED.get(usize::try_from(c.to_digit(10)?).ok()?).copied()).collect()
}

/// Text of a control with the mark of its state. Empty for a control without text, and `None` if the element
/// is not a control.
pub(super) fn control(page: &Page, id: Id) -> Option<String> {
    let mut words = match page.tag(id) {
        "button" => {
            let label = || page.value(id, "aria-label").unwrap_or_default().to_owned();
            Some(text(page, id)).filter(|words| !words.is_empty()).unwrap_or_else(label)
        }
        "select" => options(page, id),
        "input" => match page.attribute(id, "type").unwrap_or("text").to_ascii_lowercase().as_str() {
            "hidden" | "password" | "checkbox" | "radio" | "file" => String::new(),
            // Numbers and dates that a visitor can enter are not content.
            "number" | "range" | "date" | "datetime-local" | "month" | "week" | "time" | "color" => {
                String::new()
            }
            "image" => page.value(id, "alt").unwrap_or_default().to_owned(),
            _ => page.value(id, "value").unwrap_or_default().to_owned(),
        },
        _ => return None,
    };
    if !words.is_empty() && is_disabled(page, id) {
        words.push_str(DISABLED);
    }
    Some(words)
}

pub(super) fn is_control(tag: &str) -> bool {
    matches!(tag, "button" | "select" | "input")
}

fn options(page: &Page, id: Id) -> String {
    let options = page.descendants(id).filter(|&inner| page.is(inner, "option")).take(MAX_OPTIONS);
    let words = options.map(|option| {
        let state = if is_disabled(page, option) { DISABLED } else { "" };
        format!("{}{state}", text(page, option))
    });
    words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(PART_SEPARATOR)
}

/// Digits and separators at the end of a text.
pub(super) fn number_at_end(text: &str) -> &str {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    &text[text.len() - text.bytes().rev().take(MAX_NUMBER_BYTES).take_while(is_part).count()..]
}

/// Text of an element with its marks.
pub(super) fn text(page: &Page, id: Id) -> String {
    let mut text = String::new();
    let end = page.subtree(id).end;
    let mut struck_until: Option<Id> = None;
    let mut at = id;
    while at < end {
        if struck_until.is_some_and(|until| at >= until) {
            close(&mut text);
            struck_until = None;
        }
        if let Some(piece) = page.text(at) {
            clean::push_folded(&mut text, piece);
        } else if at != id && matches!(page.tag(at), "script" | "style" | "template" | "noscript") {
            at = page.subtree(at).end;
            continue;
        } else if let Some(digits) = raised(page, at, &text) {
            text.push_str(&digits);
            at = page.subtree(at).end;
            continue;
        } else {
            if !page.is_inline(at) {
                clean::push_folded(&mut text, " ");
            }
            if struck_until.is_none() && is_struck(page, at) {
                text.push_str(STRUCK);
                struck_until = Some(page.subtree(at).end);
            }
        }
        at += 1;
    }
    if struck_until.is_some() {
        close(&mut text);
    }
    text.truncate(text.trim_end().len());
    text
}

/// Adds the closing mark of a struck-out part. If the part is empty, its opening mark is removed instead.
pub(super) fn close(text: &mut String) {
    let has_space = text.ends_with(' ');
    text.truncate(text.trim_end().len());
    match text.strip_suffix(STRUCK).map(str::len) {
        Some(length) => text.truncate(length),
        None => text.push_str(STRUCK),
    }
    if has_space {
        text.push(' ');
    }
}

/// Removes struck-out parts from a text.
pub(super) fn without_struck(text: &str) -> String {
    let mut pieces = text.split(STRUCK);
    let mut valid = pieces.next().unwrap_or_default().to_owned();
    while let Some(piece) = pieces.next() {
        match pieces.next() {
            // A mark without a closing mark is part of the text.
            None => {
                valid.push_str(STRUCK);
                valid.push_str(piece);
            }
            Some(rest) => {
                valid.push(' ');
                valid.push_str(rest);
            }
        }
    }
    valid
}

/// Removes the marks of struck-out parts from a text, but not the parts themselves.
pub(super) fn unmarked(text: &str) -> String {
    text.replace(STRUCK, "")
}
