//! Selectors of users: CSS with `dom_query`, JSONPath with `serde_json_path`, both with cost limits. `XPath`
//! is translated to CSS.

use std::borrow::Cow;

use dom_query::{Document, Matcher, NodeId};
use serde_json_path::JsonPath;

use super::{
    invalid::{InvalidReason, MAX_TEXT_CHARS, text},
    xpath,
};

/// Maximum compound selectors in a selector list.
const MAX_COMPOUNDS: usize = 20;
/// Maximum `..` in a JSONPath. Each multiplies the visited nodes.
const MAX_DESCENTS: usize = 2;
/// Maximum filters in a JSONPath.
const MAX_FILTERS: usize = 3;
/// Maximum elements that a selector matches.
pub(super) const MAX_MATCHES: usize = 20_000;

/// True if the selector is JSONPath.
pub(super) fn is_json_path(selector: &str) -> bool {
    selector.trim_start().starts_with('$')
}

/// Checks a CSS or JSONPath selector.
pub(super) fn check(selector: &str) -> Result<(), InvalidReason> {
    if is_json_path(selector) { json_path(selector).map(drop) } else { check_css(selector) }
}

/// Checks the selector of a field, which may be empty or end in `@attribute`.
pub(super) fn check_field(selector: &str) -> Result<(), InvalidReason> {
    if selector.chars().count() > MAX_TEXT_CHARS {
        return Err(InvalidReason::TooLong(MAX_TEXT_CHARS));
    }
    if is_json_path(selector) {
        return json_path(selector).map(drop);
    }
    let (css, _) = attribute_of(selector);
    if css.is_empty() { Ok(()) } else { check_css(css) }
}

pub(super) fn check_css(selector: &str) -> Result<(), InvalidReason> {
    css(selector).map(drop)
}

/// Splits the selector of a field into the selector and the attribute name.
pub(super) fn attribute_of(selector: &str) -> (&str, Option<&str>) {
    match selector.rsplit_once('@') {
        Some((css, name)) if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-') => {
            (css.trim(), Some(name))
        }
        _ => (selector.trim(), None),
    }
}

pub(super) fn css(selector: &str) -> Result<Matcher, InvalidReason> {
    text(selector)?;
    let translated = if selector.trim_start().starts_with('/') {
        let problem = || InvalidReason::Selector("this XPath has no counterpart in CSS".to_owned());
        Cow::Owned(xpath::to_css(selector).ok_or_else(problem)?)
    } else {
        Cow::Borrowed(selector)
    };
    let selector = translated.as_ref();
    let plain = without_strings(selector);
    if let Some(problem) = costly(&plain) {
        return Err(InvalidReason::Selector(problem.to_owned()));
    }
    if compounds(&plain) > MAX_COMPOUNDS {
        return Err(InvalidReason::Selector(format!("it has more than {MAX_COMPOUNDS} parts")));
    }
    Matcher::new(selector).map_err(|_| InvalidReason::Selector("it does not parse".to_owned()))
}

/// Selector in which all quoted strings are empty.
fn without_strings(selector: &str) -> String {
    let (mut plain, mut quote, mut is_escaped) = (String::with_capacity(selector.len()), None, false);
    for c in selector.chars() {
        let is_end = quote == Some(c) && !is_escaped;
        let is_start = quote.is_none() && matches!(c, '"' | '\'') && !is_escaped;
        if quote.is_none() || is_end {
            plain.push(c);
        }
        if is_end || is_start {
            quote = if is_start { Some(c) } else { None };
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    plain
}

/// Reason why a selector would cost too much. `:has` and `:contains` visit the descendants of each element
/// that they are tested on. This is bounded by the nesting of the page only if they are tested once for each
/// element: in the last part of a selector, and not within each other.
fn costly(plain: &str) -> Option<&'static str> {
    let lower = plain.to_ascii_lowercase();
    if lower.contains("/*") {
        return Some("comments are not supported");
    }
    let (mut depth, mut count, mut has_combinator) = (0_usize, 0, false);
    for (at, c) in lower.char_indices() {
        if depth == 0 && c == ',' {
            (count, has_combinator) = (0, false);
        } else if depth == 0 && is_combinator(c) {
            has_combinator = true;
        } else if has_combinator && count > 0 {
            return Some(":has and :contains are only supported in the last part");
        } else {
            has_combinator = false;
        }
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let escapes = lower[..at].chars().rev().take_while(|c| *c == '\\').count();
        if c != ':' || escapes % 2 == 1 {
            continue;
        }
        let name = &lower[at + 1..];
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '\\');
        let (name, argument) = name.split_at(name.find(|c| !is_of_name(c)).unwrap_or(name.len()));
        match name {
            "has" | "contains" if depth > 0 || count > 0 => {
                return Some(":has and :contains are supported once, and not within other parts");
            }
            "has" if !is_simple(argument.trim_start_matches('(')) => {
                return Some(":has is only supported with a single element, as in :has(> img)");
            }
            "has" | "contains" => count += 1,
            "has-text" => return Some(":has-text is not supported, :contains is"),
            _ if name.contains('\\') => return Some("it does not parse"),
            _ => {}
        }
    }
    None
}

fn is_combinator(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '>' | '+' | '~')
}

/// True if the argument that begins a text selects by the properties of a single element.
fn is_simple(text: &str) -> bool {
    let mut depth = 1_usize;
    let end = text.find(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let argument = text[..end.unwrap_or(text.len())].trim();
    compounds(argument.trim_start_matches(['>', '+', '~']).trim_start()) == 1
}

/// Number of parts between combinators and commas, not counting attribute values and arguments.
fn compounds(selector: &str) -> usize {
    let (mut count, mut inside, mut parted) = (1, 0_usize, false);
    for c in selector.trim().chars() {
        match c {
            '[' | '(' => inside += 1,
            ']' | ')' => inside = inside.saturating_sub(1),
            c if inside == 0 && (c == ',' || is_combinator(c)) => {
                parted = true;
                continue;
            }
            _ => {}
        }
        count += usize::from(parted);
        parted = false;
    }
    count
}

pub(super) fn json_path(path: &str) -> Result<JsonPath, InvalidReason> {
    text(path)?;
    if path.matches("..").count() > MAX_DESCENTS || path.matches('?').count() > MAX_FILTERS {
        return Err(InvalidReason::JsonPath("it has too many .. or filters".to_owned()));
    }
    if ["match(", "search("].iter().any(|costly| path.contains(costly)) {
        return Err(InvalidReason::JsonPath("match and search are not supported".to_owned()));
    }
    JsonPath::parse(path.trim()).map_err(|error| InvalidReason::JsonPath(error.to_string()))
}

/// Nodes that match, in document order.
pub(super) fn find(document: &Document, matcher: &Matcher) -> Vec<NodeId> {
    document.select_matcher(matcher).nodes().iter().take(MAX_MATCHES).map(|node| node.id).collect()
}
