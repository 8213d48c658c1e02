//! Converts XHTML to the HTML syntax that the parser reads: empty elements get an end tag, CDATA becomes
//! text, and namespace prefixes are dropped.
//!
//! The conversion processes single tags without validating the document. Malformed XHTML is therefore read as
//! leniently as malformed HTML.

use std::borrow::Cow;

use memchr::memmem;

use crate::charset;

/// Namespaces of elements that the HTML parser recognises without a prefix.
const NAMESPACES: [&str; 3] =
    ["http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"];
/// Maximum number of namespace prefixes that are read.
const MAX_PREFIXES: usize = 16;
/// Maximum size of the tag of an empty raw text element, in bytes.
const MAX_TAG_BYTES: usize = 1024;
/// Maximum number of bytes of the bracketed declarations in a document type declaration.
const MAX_SUBSET_BYTES: usize = 64 * 1024;
/// Maximum number of entities that a document can declare.
const MAX_ENTITIES: usize = 32;
/// Maximum number of references to an entity that are replaced.
const MAX_REFERENCES: usize = 10_000;
/// Maximum number of bytes of an entity's text.
const MAX_ENTITY_BYTES: usize = 64;
/// Elements whose content HTML reads as text up to the end tag. Without an end tag, an empty element would
/// contain the rest of the page.
const RAW_TEXT: [&str; 9] =
    ["title", "script", "style", "iframe", "textarea", "noframes", "noembed", "xmp", "plaintext"];

/// Decodes markup and converts it to HTML syntax. Bodies with an XML media type are converted completely. If
/// a body is declared as HTML but has an XML declaration, only its empty raw text elements get end tags.
pub(crate) fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    let markup = charset::decode(bytes, content_type);
    let mime = content_type.map(charset::essence).unwrap_or_default();
    let has_declaration = markup.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with("<?xml");
    if mime.ends_with("xml") || has_declaration && mime != "text/html" {
        return to_html(&markup);
    }
    if has_declaration {
        return with_closed_raw_text(&markup).into_owned();
    }
    markup
}

/// Adds end tags to empty raw text elements, such as `<script src="x.js"/>`. Other markup is unchanged.
pub(crate) fn with_closed_raw_text(markup: &str) -> Cow<'_, str> {
    let mut closed = String::new();
    let (mut done, mut at) = (0, 0);
    while let Some(offset) = memmem::find(&markup.as_bytes()[at..], b"/>") {
        let slash = at + offset;
        at = slash + 2;
        let from = done.max(slash.saturating_sub(MAX_TAG_BYTES));
        let Some(open) = memchr::memrchr(b'<', &markup.as_bytes()[from..slash]) else { continue };
        let tag = &markup[from + open + 1..slash];
        let name = tag.split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
        if RAW_TEXT.iter().any(|raw| raw.eq_ignore_ascii_case(name)) && has_closed_quotes(tag) {
            closed.push_str(&markup[done..slash]);
            closed.push_str("></");
            closed.push_str(name);
            closed.push('>');
            done = at;
        }
    }
    if done == 0 {
        return Cow::Borrowed(markup);
    }
    closed.push_str(&markup[done..]);
    Cow::Owned(closed)
}

/// True if the beginning of a tag has no open quotation mark.
fn has_closed_quotes(tag: &str) -> bool {
    let mut open = None;
    for byte in tag.bytes().filter(|byte| matches!(byte, b'"' | b'\'')) {
        open = match open {
            None => Some(byte),
            Some(quote) if quote == byte => None,
            quote => quote,
        };
    }
    open.is_none()
}

/// Converts a document or a fragment.
pub(crate) fn to_html(markup: &str) -> String {
    let mut converter = Converter {
        rest: markup,
        out: String::with_capacity(markup.len() + markup.len() / 8 + 16),
        prefixes: prefixes(markup),
        last_section: memmem::rfind(markup.as_bytes(), b"]]>").map_or(usize::MAX, |at| markup.len() - at),
        last_instruction: memmem::rfind(markup.as_bytes(), b"?>").map_or(usize::MAX, |at| markup.len() - at),
        is_after_declaration: false,
    };
    converter.out.push_str("<!DOCTYPE html>");
    while let Some(open) = memchr::memchr(b'<', converter.rest.as_bytes()) {
        converter.out.push_str(&converter.rest[..open]);
        converter.rest = &converter.rest[open..];
        converter.markup();
    }
    converter.out.push_str(converter.rest);
    with_entities(converter.out, markup)
}

/// Replaces references to the entities that are declared in the document type declaration of `markup`.
pub(crate) fn with_entities(text: String, markup: &str) -> String {
    entities(markup).into_iter().fold(text, |text, (name, replacement)| {
        let reference = format!("&{name};");
        if text.contains(&reference) { text.replacen(&reference, &replacement, MAX_REFERENCES) } else { text }
    })
}

/// Names and texts of the declared entities. Quotation marks are escaped, because a reference can be in a
/// quoted value. Texts with markup or with references to other entities are omitted, so that no text can grow
/// without limit. Entities that XML defines are not redefined.
fn entities(markup: &str) -> Vec<(&str, String)> {
    let Some(start) = memmem::find(markup.as_bytes(), b"<!DOCTYPE") else { return Vec::new() };
    let declaration = &markup[start..start + declaration_end(&markup[start..]).unwrap_or(0)];
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    memmem::find_iter(declaration.as_bytes(), b"<!ENTITY")
        .take(MAX_ENTITIES)
        .filter_map(|at| {
            let (name, value) = declaration[at + "<!ENTITY".len()..].trim_start().split_once(' ')?;
            let value = value.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let (text, _) = value[1..].split_once(quote)?;
            let text = text.replace('\'', "&#39;").replace('"', "&#34;");
            let is_plain = text.len() <= MAX_ENTITY_BYTES
                && !text.contains('<')
                && text.match_indices('&').all(|(at, _)| text[at + 1..].starts_with('#'));
            let is_predefined = matches!(name, "lt" | "gt" | "amp" | "quot" | "apos");
            (is_name(name) && is_plain && !is_predefined).then_some((name, text))
        })
        .collect()
}

/// Prefixes that the document declares for the known namespaces.
fn prefixes(markup: &str) -> Vec<&str> {
    memmem::find_iter(markup.as_bytes(), b"xmlns:")
        .take(MAX_PREFIXES)
        .filter_map(|at| {
            let (prefix, value) = markup[at + "xmlns:".len()..].split_once('=')?;
            let value = value.trim_start().strip_prefix(['"', '\''])?;
            NAMESPACES.iter().any(|known| value.starts_with(known)).then_some(prefix.trim_end())
        })
        .collect()
}

struct Converter<'x> {
    /// Markup that has not been converted yet.
    rest: &'x str,
    out: String,
    prefixes: Vec<&'x str>,
    /// Number of bytes from the last `]]>` to the end of the markup.
    last_section: usize,
    /// Number of bytes from the last `?>` to the end of the markup.
    last_instruction: usize,
    /// True after the first declaration. Only the document type declaration may contain further declarations.
    is_after_declaration: bool,
}

impl<'x> Converter<'x> {
    /// Converts the markup at the beginning of `rest`, which begins with `<`.
    fn markup(&mut self) {
        let rest = self.rest;
        if let Some(comment) = rest.strip_prefix("<!--") {
            self.rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else if let Some(section) = rest.strip_prefix("<![CDATA[") {
            let (text, after) = section.split_once("]]>").unwrap_or((section, ""));
            self.text(text);
            self.rest = after;
        } else if let Some(instruction) = rest.strip_prefix("<?") {
            let has_end = instruction.len() >= self.last_instruction;
            let end = if has_end { instruction.split_once("?>") } else { instruction.split_once('>') };
            self.rest = end.map_or("", |(_, after)| after);
        } else if rest.starts_with("<!") {
            let is_first = !std::mem::replace(&mut self.is_after_declaration, true);
            let end = if is_first { declaration_end(rest) } else { rest.find('>').map(|end| end + 1) };
            self.rest = end.map_or("", |end| &rest[end..]);
        } else if let Some(tag) = rest.strip_prefix("</") {
            self.end_tag(tag);
        } else if rest[1..].starts_with(|c: char| c.is_alphabetic() || c == '_') {
            self.start_tag(&rest[1..]);
        } else {
            self.out.push_str("&lt;");
            self.rest = &rest[1..];
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(&text.replace('&', "&amp;").replace('<', "&lt;"));
    }

    fn end_tag(&mut self, tag: &'x str) {
        let (written, after) = tag.split_once('>').unwrap_or((tag, ""));
        self.push_end_tag(self.local_name(written.trim()));
        self.rest = after;
    }

    /// Writes an end tag, unless the element is void.
    fn push_end_tag(&mut self, name: &str) {
        if !is_void(name) {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
    }

    fn start_tag(&mut self, tag: &'x str) {
        let Some(end) = tag_end(tag) else {
            self.out.push_str(self.rest);
            self.rest = "";
            return;
        };
        let (inside, after) = (&tag[..end], &tag[end + 1..]);
        let (inside, is_empty) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
        let name_end = inside.find(|c: char| c.is_ascii_whitespace() || c == '/').unwrap_or(inside.len());
        let (written, attributes) = inside.split_at(name_end);
        let name = self.local_name(written);
        // In HTML, the content of a `plaintext` element extends to the end of the page.
        let name = if name.eq_ignore_ascii_case("plaintext") { "pre" } else { name };
        self.out.push('<');
        self.out.push_str(name);
        self.out.push_str(attributes);
        self.out.push('>');
        self.rest = after;
        if is_empty {
            self.push_end_tag(name);
        } else if matches!(name, "script" | "style") {
            self.raw_text(written);
        }
    }

    /// Copies the content of a script or style element. HTML does not decode references in it, so they are
    /// decoded while it is copied.
    fn raw_text(&mut self, name: &str) {
        let end_tag = format!("</{name}");
        let rest = self.rest;
        let find_end = |from: usize| rest[from..].find(&end_tag).map(|at| from + at);
        let Some(mut end) = find_end(0) else {
            self.out.push_str(rest);
            self.rest = "";
            return;
        };
        let section = rest[..end].find("<![CDATA[");
        if let Some(start) = section
            && rest.len() - start > self.last_section
            && let Some(length) = rest[start..].find("]]>")
        {
            end = find_end(start + length).unwrap_or(rest.len());
        }
        let (content, after) = rest.split_at(end);
        let text = match section {
            Some(_) => content.replace("<![CDATA[", "").replace("]]>", ""),
            None => unescape(content),
        };
        self.out.push_str(&text.replace("</", "<\\/"));
        self.rest = after;
    }

    /// Name without its prefix, if the prefix denotes a known namespace.
    fn local_name(&self, name: &'x str) -> &'x str {
        match name.split_once(':') {
            Some((prefix, local)) if self.prefixes.contains(&prefix) => local,
            _ => name,
        }
    }
}

/// Decodes the five references that XML defines.
fn unescape(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (reference, character)| text.replace(reference, character))
}

/// Offset after a document type declaration, which may contain other declarations in brackets.
fn declaration_end(markup: &str) -> Option<usize> {
    let plain = markup.find('>').map(|end| end + 1);
    let end = markup[..plain.unwrap_or(markup.len())].find('[').and_then(|open| {
        let subset = &markup.as_bytes()[open..markup.len().min(open + MAX_SUBSET_BYTES)];
        let close = open + memchr::memchr(b']', subset)?;
        Some(close + markup[close..].find('>')? + 1)
    });
    end.or(plain)
}

/// Offset of the `>` that closes a tag. A `>` in a quoted value does not close it.
fn tag_end(tag: &str) -> Option<usize> {
    let bytes = tag.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr3(b'>', b'"', b'\'', &bytes[at..])?;
        match bytes[at] {
            b'>' => return Some(at),
            quote => at += memchr::memchr(quote, &bytes[at + 1..])? + 2,
        }
    }
}

/// True for elements that have no end tag in HTML.
fn is_void(name: &str) -> bool {
    const VOID: [&str; 15] = [
        "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta",
        "param", "source", "wbr",
    ];
    VOID.iter().any(|void| void.eq_ignore_ascii_case(name)) || name.eq_ignore_ascii_case("track")
}

#[cfg(test)]
mod tests;
