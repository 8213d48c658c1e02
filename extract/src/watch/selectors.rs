//! Selectors of users: CSS with `dom_query`, JSONPath with `serde_json_path`, both with cost limits.

use dom_query::{Document, Matcher, NodeId};
use serde_json_path::JsonPath;

use super::invalid::{InvalidReason, MAX_TEXT_CHARS, text};

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
    let lower = selector.to_ascii_lowercase();
    if [":has(", ":has-text(", ":contains("].iter().any(|costly| lower.contains(costly)) {
        return Err(InvalidReason::Selector(":has, :has-text and :contains are not supported".to_owned()));
    }
    if compounds(selector) > MAX_COMPOUNDS {
        return Err(InvalidReason::Selector(format!("it has more than {MAX_COMPOUNDS} parts")));
    }
    Matcher::new(selector).map_err(|_| InvalidReason::Selector("it does not parse".to_owned()))
}

/// Number of parts between combinators and commas, not counting attribute values and arguments.
fn compounds(selector: &str) -> usize {
    let (mut count, mut inside, mut parted) = (1, 0_usize, false);
    for c in selector.trim().chars() {
        match c {
            '[' | '(' => inside += 1,
            ']' | ')' => inside = inside.saturating_sub(1),
            ' ' | '\t' | '\n' | '>' | '+' | '~' | ',' if inside == 0 => {
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
