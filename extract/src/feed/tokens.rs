//! Tokeniser for markup that strict parsers reject: bare ampersands, unquoted attributes, character data
//! without an end, truncated tags. It returns tags and text in order, and never fails.
//! [`reader`](super::reader) interprets them.
//!
//! Runs in linear time: no step reads past the next `<` or the end of its own token.

use memchr::{memchr, memmem};

/// Maximum number of attributes of a tag. Further attributes are ignored.
const MAX_ATTRIBUTES: usize = 64;

/// Token of markup. All slices are as written; references are not resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkupToken<'a> {
    /// `<name …>` or `<name …/>`.
    Start { name: &'a str, attributes: &'a str, empty: bool, raw: &'a str },
    /// `</name>`.
    End { name: &'a str, raw: &'a str },
    /// Text between tags, with references.
    Text(&'a str),
    /// Content of a CDATA section: literal text.
    Cdata(&'a str),
}

/// Iterates over the [`MarkupToken`]s of a text.
pub(super) struct MarkupTokens<'a> {
    text: &'a str,
    at: usize,
    /// End markers that do not occur in the remaining text, so that they are not searched again.
    missing: Missing,
}

#[derive(Default)]
struct Missing {
    section_end: bool,
    comment_end: bool,
    subset_end: bool,
}

impl<'a> MarkupTokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, missing: Missing::default() }
    }

    /// Returns the next token. `field` is the name of the element that is being read, if any: an unclosed
    /// CDATA section extends to the end of that element.
    pub(super) fn next(&mut self, field: Option<&str>) -> Option<MarkupToken<'a>> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            if !rest.starts_with('<') {
                let end = memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
                self.at += end;
                return Some(MarkupToken::Text(&rest[..end]));
            }
            if let Some(inside) = rest.strip_prefix("<![CDATA[") {
                let (data, consumed) = cdata(inside, field, &mut self.missing);
                self.at += "<![CDATA[".len() + consumed;
                return Some(MarkupToken::Cdata(data));
            }
            if let Some(length) = skipped(rest, &mut self.missing) {
                self.at += length;
                continue;
            }
            return Some(self.tag(rest));
        }
    }

    fn tag(&mut self, rest: &'a str) -> MarkupToken<'a> {
        let closing = rest.starts_with("</");
        let inside = &rest[if closing { 2 } else { 1 }..];
        if !inside.starts_with(|first: char| first.is_alphabetic() || first == '_') {
            // A bare `<` is text up to the next `<`.
            let end = memchr(b'<', &rest.as_bytes()[1..]).map_or(rest.len(), |end| end + 1);
            self.at += end;
            return MarkupToken::Text(&rest[..end]);
        }
        let end = tag_end(rest);
        let raw = &rest[..end];
        self.at += end;
        let body = raw[if closing { 2 } else { 1 }..].trim_end_matches('>');
        let empty = !closing && body.ends_with('/');
        let body = if empty { &body[..body.len() - 1] } else { body };
        let name_end = body.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(body.len());
        let (name, attributes) = body.split_at(name_end);
        if closing {
            MarkupToken::End { name, raw }
        } else {
            MarkupToken::Start { name, attributes, empty, raw }
        }
    }
}

/// Length of the comment, declaration or processing instruction at the start of `rest`.
fn skipped(rest: &str, missing: &mut Missing) -> Option<usize> {
    let first_close = || memchr(b'>', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
    if rest.starts_with("<!--") {
        return Some(end_of(rest, "-->", &mut missing.comment_end).unwrap_or_else(first_close));
    }
    if rest.starts_with("<?") {
        return Some(first_close());
    }
    if !rest.starts_with("<!") {
        return None;
    }
    let close = first_close();
    match memchr(b'[', &rest.as_bytes()[..close]) {
        // Document type with an internal subset. Its declarations are not expanded.
        Some(_) => Some(end_of(rest, "]>", &mut missing.subset_end).unwrap_or(close)),
        None => Some(close),
    }
}

/// Position after the next `mark`. `None` if `mark` is missing. `missing` stores this result for further
/// calls.
fn end_of(rest: &str, mark: &str, missing: &mut bool) -> Option<usize> {
    if *missing {
        return None;
    }
    let position = memmem::find(rest.as_bytes(), mark.as_bytes());
    *missing = position.is_none();
    position.map(|at| at + mark.len())
}

/// Content of a CDATA section, and the number of bytes to advance.
fn cdata<'a>(inside: &'a str, field: Option<&str>, missing: &mut Missing) -> (&'a str, usize) {
    let bytes = inside.as_bytes();
    let close = end_of(inside, "]]>", &mut missing.section_end).map(|end| end - 3);
    let next_open = memmem::find(&bytes[..close.unwrap_or(bytes.len())], b"<![CDATA[");
    if let (Some(close), None) = (close, next_open) {
        return (&inside[..close], close + 3);
    }
    // An unclosed section extends to the end tag of the element, or else to the next section or the end of
    // the text.
    let limit = next_open.unwrap_or(bytes.len());
    let end = field
        .and_then(|field| memmem::find(&bytes[..limit], format!("</{field}").as_bytes()))
        .unwrap_or(limit);
    (&inside[..end], end)
}

/// Position after the `>` of the tag at the start of `rest`. A quoted value that would extend past the next
/// `<` is treated as unclosed, and its quote is ignored.
fn tag_end(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut quote = None;
    let mut first_close = None;
    for (at, &byte) in bytes.iter().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') if bytes[at - 1] == b'=' || bytes[at - 1].is_ascii_whitespace() => {
                quote = Some(byte);
            }
            (Some(open), _) if open == byte => quote = None,
            (Some(_), b'>') if first_close.is_none() => first_close = Some(at + 1),
            (_, b'<') => return first_close.unwrap_or(at),
            _ => {}
        }
    }
    first_close.unwrap_or(rest.len())
}

/// Attributes of a tag as pairs of name and raw value, at most [`MAX_ATTRIBUTES`].
pub(super) fn attributes(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
    while !rest.is_empty() && pairs.len() < MAX_ATTRIBUTES {
        let name_end = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
        let name = &rest[..name_end];
        let after = rest[name_end..].trim_start();
        let Some(value) = after.strip_prefix('=') else {
            if name.is_empty() {
                break;
            }
            pairs.push((name, ""));
            rest = after;
            continue;
        };
        let value = value.trim_start();
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let inside = &value[1..];
                inside.find(quote).map_or((inside, ""), |end| (&inside[..end], &inside[end + 1..]))
            }
            _ => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        if !name.is_empty() {
            pairs.push((name, value));
        }
        rest = after.trim_start();
    }
    pairs
}
