//! Selectors that users write: CSS with `dom_query`, XPath with `xpath`, JSONPath with `serde_json_path`, and
//! `jq` programs. Their cost is limited.

use dom_query::{Document, Matcher, NodeId};
use serde_json_path::JsonPath;

use super::{
    invalid::{InvalidReason, MAX_TEXT_CHARS, text},
    observation_warning::ObservationWarning,
};
use crate::{jq::Program, xpath::XPath};

/// Maximum number of compound selectors in a selector list.
const MAX_COMPOUNDS: usize = 20;
/// Maximum number of `..` segments in a JSONPath. Each segment multiplies the number of visited nodes.
const MAX_DESCENTS: usize = 2;
/// Maximum number of filters in a JSONPath.
const MAX_FILTERS: usize = 3;
/// Maximum number of elements that a selector may match.
pub(super) const MAX_MATCHES: usize = 20_000;

/// Maximum number of selectors of a page.
const MAX_SELECTORS: usize = 10;
/// Maximum total number of characters in the selectors of a page.
pub const MAX_SELECTOR_CHARS: usize = 2_000;

/// Selector of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SelectorLine<'t> {
    /// Number of the first line of the selector, counted from 1.
    line: usize,
    pub(super) text: &'t str,
}

/// Selectors of a page, one per line. A line that begins with white space continues the previous line.
/// Repeated selectors are skipped.
pub(super) fn of_page(selectors: &str) -> Vec<SelectorLine<'_>> {
    let (mut starts, mut at) = (Vec::new(), 0);
    for (number, line) in (1_usize..).zip(selectors.split_inclusive('\n')) {
        let continues = !starts.is_empty() && line.starts_with(char::is_whitespace);
        if !continues && !line.trim().is_empty() {
            starts.push((number, at));
        }
        at += line.len();
    }
    let following = starts.iter().skip(1).map(|&(_, start)| start).chain([selectors.len()]);
    let mut lines: Vec<SelectorLine<'_>> = Vec::new();
    for (&(line, start), end) in starts.iter().zip(following) {
        let text = selectors[start..end].trim();
        if !lines.iter().any(|known| known.text == text) {
            lines.push(SelectorLine { line, text });
        }
    }
    lines
}

/// Expression of a selector, by its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selector<'t> {
    Css(&'t str),
    XPath(&'t str),
    JsonPath(&'t str),
    Jq(&'t str),
}

impl<'t> Selector<'t> {
    /// Detects the language of a selector. Paths are detected by their first characters. Other XPath and jq
    /// selectors have a prefix with the name of the language.
    pub(super) fn of(selector: &'t str) -> Self {
        let selector = selector.trim();
        if selector.starts_with('$') {
            return Self::JsonPath(selector);
        }
        if let Some(path) = selector.strip_prefix("xpath:") {
            return Self::XPath(path.trim_start());
        }
        if let Some(program) = selector.strip_prefix("jq:") {
            return Self::Jq(program.trim_start());
        }
        let start = selector.trim_start_matches('(');
        let is_path =
            matches!(start, "." | "..") || ["/", "./", "../"].into_iter().any(|path| start.starts_with(path));
        if is_path { Self::XPath(selector) } else { Self::Css(selector) }
    }

    /// True if the selector reads JSON.
    pub(super) fn is_json(self) -> bool {
        matches!(self, Self::JsonPath(_) | Self::Jq(_))
    }
}

pub(super) fn check_page(selectors: &str) -> Result<(), InvalidReason> {
    let lines = of_page(selectors);
    let [first, _, ..] = lines.as_slice() else { return check(selectors) };
    if lines.len() > MAX_SELECTORS {
        return Err(InvalidReason::TooMany(MAX_SELECTORS));
    }
    if selectors.chars().count() > MAX_SELECTOR_CHARS {
        return Err(InvalidReason::TooLong(MAX_SELECTOR_CHARS));
    }
    let is_json = |line: &SelectorLine<'_>| Selector::of(line.text).is_json();
    if lines.iter().any(|line| is_json(line) != is_json(first)) {
        return Err(InvalidReason::Mixed);
    }
    lines.iter().try_for_each(|line| {
        check(line.text).map_err(|problem| InvalidReason::Line(line.line, Box::new(problem)))
    })
}

/// Checks a single selector.
pub(super) fn check(selector: &str) -> Result<(), InvalidReason> {
    match Selector::of(selector) {
        Selector::Css(css) => check_css(css),
        Selector::XPath(_) => xpath(selector).map(drop),
        Selector::JsonPath(path) => json_path(path).map(drop),
        Selector::Jq(_) => program(selector).map(drop),
    }
}

pub(super) fn check_items(selector: &str) -> Result<(), InvalidReason> {
    match Selector::of(selector) {
        Selector::XPath(_) => xpath_of_nodes(selector).map(drop),
        Selector::Css(_) | Selector::JsonPath(_) | Selector::Jq(_) => check(selector),
    }
}

/// Checks the selector of content to ignore.
pub(super) fn check_ignored(selector: &str) -> Result<(), InvalidReason> {
    match Selector::of(selector) {
        Selector::XPath(_) => xpath_of_nodes(selector).map(drop),
        Selector::Css(_) | Selector::JsonPath(_) | Selector::Jq(_) => check_css(selector),
    }
}

/// Checks the selector of a field. It may be empty, or CSS followed by `@attribute`.
pub(super) fn check_field(selector: &str) -> Result<(), InvalidReason> {
    if selector.chars().count() > MAX_TEXT_CHARS {
        return Err(InvalidReason::TooLong(MAX_TEXT_CHARS));
    }
    match Selector::of(selector) {
        Selector::Css(css) => match attribute_of(css) {
            ("", _) => Ok(()),
            (css, _) => check_css(css),
        },
        Selector::XPath(_) | Selector::JsonPath(_) | Selector::Jq(_) => check(selector),
    }
}

/// Checks the selector of a field of a repeated element.
pub(super) fn check_field_of_item(selector: &str) -> Result<(), InvalidReason> {
    check_field(selector)?;
    if matches!(Selector::of(selector), Selector::XPath(_)) && xpath(selector)?.is_absolute() {
        let reason = "it selects the same value for each item; begin it with a dot, as in .//a";
        return Err(InvalidReason::XPath(reason.to_owned()));
    }
    Ok(())
}

/// Parses an XPath. The position in an error counts from the start of the selector, including its prefix.
pub(super) fn xpath(selector: &str) -> Result<XPath, InvalidReason> {
    text(selector)?;
    let Selector::XPath(path) = Selector::of(selector) else {
        return Err(InvalidReason::XPath("it is written in another language".to_owned()));
    };
    XPath::parse(path).map_err(|error| {
        let character = position(selector, path, error.character);
        InvalidReason::XPath(format!("{}, at character {character}", error.reason))
    })
}

/// Compiles a jq program. The position in an error counts from the start of the selector, including its
/// prefix.
pub(super) fn program(selector: &str) -> Result<Program, InvalidReason> {
    text(selector)?;
    let Selector::Jq(program) = Selector::of(selector) else {
        return Err(InvalidReason::Jq("it is written in another language".to_owned()));
    };
    Program::parse(program).map_err(|error| {
        let character = position(selector, program, error.character);
        InvalidReason::Jq(format!("{}, at character {character}", error.reason))
    })
}

/// Converts the position of a character in `expression` to its position in `selector`.
fn position(selector: &str, expression: &str, character: usize) -> usize {
    let prefix = &selector[..selector.trim_end().len() - expression.len()];
    prefix.chars().count() + character
}

fn xpath_of_nodes(selector: &str) -> Result<XPath, InvalidReason> {
    let path = xpath(selector)?;
    if path.selects_nodes() {
        Ok(path)
    } else {
        Err(InvalidReason::XPath("it must select elements, not attributes or a value".to_owned()))
    }
}

pub(super) fn check_css(selector: &str) -> Result<(), InvalidReason> {
    css(selector).map(drop)
}

/// Splits the CSS selector of a field into the selector and the attribute name.
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
    let plain = without_strings(selector);
    if let Some(problem) = costly(&plain) {
        return Err(InvalidReason::Selector(problem.to_owned()));
    }
    if compounds(&plain) > MAX_COMPOUNDS {
        return Err(InvalidReason::Selector(format!("it has more than {MAX_COMPOUNDS} parts")));
    }
    Matcher::new(selector).map_err(|_| InvalidReason::Selector("it does not parse".to_owned()))
}

/// Replaces all quoted strings in a selector by empty strings.
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

/// Reason why a selector would be too expensive. `:has` and `:contains` visit all descendants of each element
/// to which they are applied. The cost is bounded by the depth of the page only if they are applied once to
/// each element: in the last part of a selector, and not nested.
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

/// True if the argument at the start of `text` only tests properties of a single element.
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

/// Number of compound selectors, not counting attribute values and arguments.
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

/// Matching nodes in document order.
pub(super) fn find(
    document: &Document,
    matcher: &Matcher,
    warnings: &mut Vec<ObservationWarning>,
) -> Vec<NodeId> {
    let selection = document.select_matcher(matcher);
    let nodes = selection.nodes();
    if nodes.len() > MAX_MATCHES {
        ObservationWarning::TruncatedSource.add_to(warnings);
    }
    nodes.iter().take(MAX_MATCHES).map(|node| node.id).collect()
}
