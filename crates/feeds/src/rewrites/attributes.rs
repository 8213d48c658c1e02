//! Preparation of the body of a feed, so that attributes which sanitising removes reach the sanitised markup: classes
//! and ids as marks in `lang`, titles of pictures in `align`, and addresses of pictures for deferred loading in `src`.
//!
//! The body is not parsed: tags are recognised in markup, in escaped markup, and in JSON, in linear time. Everything
//! else is copied. Texts and identities of entries are never read from a prepared body.

/// Attribute with the marks of an element.
pub(super) const MARKS: &str = "lang";
/// Attribute with the title of a picture.
pub(super) const CAPTION: &str = "align";
/// Mark of a picture whose address was in an attribute for deferred loading.
pub(super) const IS_DEFERRED: &str = "!deferred";

/// Maximum length of a tag in bytes. Longer tags are copied.
const MAX_TAG_BYTES: usize = 8 * 1024;
/// Encodings of `<`.
const OPENINGS: [&[u8]; 7] = [b"<", b"&lt;", b"&#60;", b"&#x3c;", b"&#x3C;", b"\\u003c", b"\\u003C"];
/// Encodings of `>`.
const CLOSINGS: [&[u8]; 7] = [b">", b"&gt;", b"&#62;", b"&#x3e;", b"&#x3E;", b"\\u003e", b"\\u003E"];
/// Encodings of quotation marks.
const QUOTES: [&[u8]; 11] = [
    b"\"", b"'", b"&quot;", b"&#34;", b"&#x22;", b"&apos;", b"&#39;", b"&#x27;", b"\\\"", b"\\u0022",
    b"\\u0027",
];
/// Encodings of white space in a tag.
const SPACES: [&[u8]; 7] = [b" ", b"\t", b"\n", b"\r", b"\\n", b"\\t", b"\\r"];
/// Attributes with the address of a picture for deferred loading.
const DEFERRED: [&[u8]; 3] = [b"data-src", b"data-lazy-src", b"data-original"];
/// Attributes with addresses of a picture in several sizes.
const SIZES: [&[u8]; 2] = [b"srcset", b"data-srcset"];

/// Start tag as it is written in a body, after its opening bracket.
struct RawTag<'a> {
    name: &'a [u8],
    attributes: Vec<RawAttribute<'a>>,
    /// End of the tag: the `/>` of a self-closing tag, or else the `>`, as encoded in the body.
    end: &'a [u8],
    length: usize,
}

struct RawAttribute<'a> {
    name: &'a [u8],
    value: &'a [u8],
    /// Value with its quotation marks.
    quoted: &'a [u8],
    /// Whole attribute.
    raw: &'a [u8],
}

/// Returns a body whose tags have the attributes that rules need.
pub(super) fn prepared(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + body.len() / 8);
    let mut rest = body;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'<' | b'&' | b'\\')) {
        let (before, from) = rest.split_at(at);
        out.extend_from_slice(before);
        let Some(opening) = prefix(from, &OPENINGS) else {
            out.extend_from_slice(&from[..1]);
            rest = &from[1..];
            continue;
        };
        out.extend_from_slice(opening);
        let inside = &from[opening.len()..];
        rest = match RawTag::parse(inside) {
            ParsedTag::Tag(tag) => {
                tag.write(&mut out);
                &inside[tag.length..]
            }
            ParsedTag::Unclosed(length) => {
                out.extend_from_slice(&inside[..length]);
                &inside[length..]
            }
            ParsedTag::None => inside,
        };
    }
    out.extend_from_slice(rest);
    out
}

/// Result of parsing the text after an opening bracket.
enum ParsedTag<'a> {
    Tag(RawTag<'a>),
    /// The tag has no end within its first bytes, which are not parsed again. Contains their number.
    Unclosed(usize),
    /// The text is not a start tag.
    None,
}

impl<'a> RawTag<'a> {
    fn parse(text: &'a [u8]) -> ParsedTag<'a> {
        let text = &text[..text.len().min(MAX_TAG_BYTES)];
        let name_length = text.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(text.len());
        let (name, after) = text.split_at(name_length);
        let is_start = name.first().is_some_and(u8::is_ascii_alphabetic)
            && (after.starts_with(b"/")
                || prefix(after, &SPACES).is_some()
                || prefix(after, &CLOSINGS).is_some());
        if !is_start {
            return ParsedTag::None;
        }
        let (mut attributes, mut rest) = (Vec::new(), after);
        loop {
            rest = without_spaces(rest);
            if let Some(length) = end_length(rest) {
                let length_before = text.len() - rest.len();
                let (end, length) = (&rest[..length], length_before + length);
                return ParsedTag::Tag(Self { name, attributes, end, length });
            }
            if let Some(after) = rest.strip_prefix(b"/") {
                rest = after;
                continue;
            }
            let Some((attribute, after)) = RawAttribute::parse(rest) else {
                return ParsedTag::Unclosed(text.len() - rest.len());
            };
            attributes.push(attribute);
            rest = after;
        }
    }

    /// Returns the value of an attribute. Empty if the tag does not have it.
    fn value(&self, name: &[u8]) -> &'a [u8] {
        self.attribute(name).map(|attribute| attribute.value).unwrap_or_default()
    }

    fn attribute(&self, name: &[u8]) -> Option<&RawAttribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name))
    }

    /// Writes the tag with the attributes that rules need.
    fn write(&self, out: &mut Vec<u8>) {
        let is_picture = self.name.eq_ignore_ascii_case(b"img");
        let source = self.value(b"src");
        let has_source = !source.is_empty() && !source.starts_with(b"data:");
        let deferred = if is_picture && !has_source { self.deferred_address() } else { None };
        let mut marks = self.marks();
        if deferred.is_some() {
            marks.push(IS_DEFERRED.to_owned());
        }
        out.extend_from_slice(self.name);
        if !marks.is_empty() {
            out.extend_from_slice(format!(" {MARKS}='{}'", marks.join(" ")).as_bytes());
        }
        if let Some(title) = self.attribute(b"title").filter(|title| is_picture && !title.quoted.is_empty()) {
            out.extend_from_slice(format!(" {CAPTION}=").as_bytes());
            out.extend_from_slice(title.quoted);
        }
        if let Some(address) = deferred {
            out.extend_from_slice(b" src='");
            out.extend_from_slice(address);
            out.push(b'\'');
        }
        for attribute in &self.attributes {
            let is = |name: &[u8]| attribute.name.eq_ignore_ascii_case(name);
            let is_replaced = (is(MARKS.as_bytes()) && !marks.is_empty())
                || (is_picture && is(CAPTION.as_bytes()))
                || (deferred.is_some() && is(b"src"));
            if !is_replaced {
                out.push(b' ');
                out.extend_from_slice(attribute.raw);
            }
        }
        if self.end.starts_with(b"/") {
            out.push(b' ');
        }
        out.extend_from_slice(self.end);
    }

    /// Returns the classes, prefixed with a dot, and the ids, prefixed with a number sign.
    fn marks(&self) -> Vec<String> {
        let mut marks = Vec::new();
        for (name, sign) in [(b"class".as_slice(), '.'), (b"id".as_slice(), '#')] {
            let Ok(names) = std::str::from_utf8(self.value(name)) else { continue };
            let names = names.split_whitespace().filter(|name| name.chars().all(is_name_character));
            marks.extend(names.map(|name| format!("{sign}{name}")));
        }
        marks
    }

    /// Returns the first valid address of a picture in the attributes for deferred loading or for several sizes.
    fn deferred_address(&self) -> Option<&'a [u8]> {
        let addresses = DEFERRED.iter().map(|name| self.value(name));
        let sizes = SIZES.iter().map(|name| largest(self.value(name)));
        addresses.chain(sizes).find(|address| is_address(address))
    }
}

impl<'a> RawAttribute<'a> {
    /// Parses the attribute at the start of a text, and returns the remaining text. `None` if there is none, or if the
    /// quotation mark of its value is not closed.
    fn parse(text: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let is_name =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.' | b'@');
        let length = text.iter().position(|byte| !is_name(*byte)).unwrap_or(text.len());
        let (name, after) = text.split_at(length);
        if name.is_empty() {
            return None;
        }
        let Some(value) = without_spaces(after).strip_prefix(b"=") else {
            return Some((Self { name, value: &[], quoted: &[], raw: name }, after));
        };
        let value = without_spaces(value);
        let (inside, quoted) = if let Some(quote) = prefix(value, &QUOTES) {
            let inside = &value[quote.len()..];
            let end = inside.windows(quote.len()).position(|window| window == quote)?;
            (&inside[..end], &value[..end + 2 * quote.len()])
        } else {
            // An unterminated value contains no closing bracket, so its bytes need not be parsed twice.
            let end = (0..value.len()).find(|at| is_end_of_value(&value[*at..])).unwrap_or(value.len());
            (&value[..end], &value[..end])
        };
        let after = &value[quoted.len()..];
        let raw = &text[..text.len() - after.len()];
        Some((Self { name, value: inside, quoted, raw }, after))
    }
}

/// Returns true if a value without quotation marks stops before this text.
fn is_end_of_value(text: &[u8]) -> bool {
    prefix(text, &SPACES).is_some() || prefix(text, &CLOSINGS).is_some()
}

/// Returns the length of the end of a tag, including the slash of an empty element. `None` if the text begins
/// otherwise.
fn end_length(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"/").unwrap_or(text);
    prefix(inside, &CLOSINGS).map(|closing| text.len() - inside.len() + closing.len())
}

/// Returns the encoding with which a text begins.
fn prefix<'a>(text: &[u8], forms: &[&'a [u8]]) -> Option<&'a [u8]> {
    forms.iter().find(|form| text.starts_with(form)).copied()
}

fn without_spaces(mut text: &[u8]) -> &[u8] {
    while let Some(space) = prefix(text, &SPACES) {
        text = &text[space.len()..];
    }
    text
}

/// Returns the address of the largest picture of a `srcset`. Empty if there is none.
fn largest(srcset: &[u8]) -> &[u8] {
    let candidate = |part: &[u8]| -> Option<(usize, usize, u64)> {
        let start = part.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let address = &part[start..];
        let length = address.iter().position(u8::is_ascii_whitespace).unwrap_or(address.len());
        let digits = address[length..].iter().filter(|byte| byte.is_ascii_digit());
        let size = digits.take(6).fold(0, |size: u64, digit| size * 10 + u64::from(digit - b'0'));
        Some((start, length, size))
    };
    let mut best: (&[u8], u64) = (&[], 0);
    // An address may contain a comma, so candidates are separated by a comma with a space.
    let mut rest = srcset;
    loop {
        let end = rest.windows(2).position(|pair| pair[0] == b',' && pair[1].is_ascii_whitespace());
        let part = end.map_or(rest, |end| &rest[..end]);
        if let Some((start, length, size)) = candidate(part)
            && (best.0.is_empty() || size > best.1)
        {
            best = (&part[start..start + length], size);
        }
        match end {
            Some(end) => rest = &rest[end + 1..],
            None => return best.0,
        }
    }
}

/// Returns true if an address can be written between single quotation marks.
fn is_address(address: &[u8]) -> bool {
    let is_excluded = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>');
    !address.is_empty() && !address.starts_with(b"data:") && !address.iter().any(is_excluded)
}

/// Returns true if the name of a class or an id may contain this character. Names with other characters
/// cannot be selected.
pub(super) fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &str) -> String {
        String::from_utf8(prepared(body.as_bytes())).unwrap()
    }

    #[test]
    fn attributes_are_retained_in_every_encoding_of_markup() {
        for (body, expected) in [
            (
                "<img src=\"a.png\" title=\"Two > one\" class=\"wide\" />",
                "<img lang='.wide' align=\"Two > one\" src=\"a.png\" title=\"Two > one\" class=\"wide\" />",
            ),
            (
                "&lt;img title=&quot;It&amp;#39;s&quot; align=&quot;left&quot;&gt;",
                "&lt;img align=&quot;It&amp;#39;s&quot; title=&quot;It&amp;#39;s&quot;&gt;",
            ),
            (
                r#"{"a":"\u003cp class=\"ad md:flex\" id=\"x\"\u003eOne"}"#,
                r#"{"a":"\u003cp lang='.ad #x' class=\"ad md:flex\" id=\"x\"\u003eOne"}"#,
            ),
            ("<p lang='fr' class='ad'>", "<p lang='.ad' class='ad'>"),
            ("<p lang='fr'>a &amp; b</p>", "<p lang='fr'>a &amp; b</p>"),
        ] {
            assert_eq!(of(body), expected);
        }
    }

    #[test]
    fn pictures_without_a_source_get_their_largest_deferred_address() {
        for (body, address) in [
            ("<img srcset=\"https://e.org/a,1.png 320w, https://e.org/b.png 640w\">", "https://e.org/b.png"),
            ("<img src=\"data:image/gif;base64,R0\" data-src=\"/c.png\">", "/c.png"),
            ("<img srcset=\"/d.png\">", "/d.png"),
        ] {
            let prepared = of(body);
            assert!(prepared.starts_with(&format!("<img lang='!deferred' src='{address}' ")), "{prepared}");
            assert!(!prepared.contains("data:"), "{prepared}");
        }
        for body in ["<img src=\"a.png\" srcset=\"b.png 2x\">", "<img srcset=\"\">", "<img>"] {
            assert!(!of(body).contains(IS_DEFERRED), "{body}");
        }
    }

    #[test]
    fn bytes_of_an_unclosed_tag_are_not_parsed_again() {
        for text in ["a/x=<a/x=<a/x=", "a x=1 y", "a x="] {
            let parsed = RawTag::parse(text.as_bytes());
            assert!(matches!(parsed, ParsedTag::Unclosed(length) if length == text.len()), "{text}");
            assert_eq!(of(&format!("<{text}")), format!("<{text}"));
        }
    }

    #[test]
    fn bodies_without_recognised_tags_are_copied_unchanged() {
        let long = format!("<p class=\"{}\">", "a ".repeat(8_000));
        for body in [
            "<media:content url=\"a\" id=\"b\"/>",
            "a < b & c \\ d",
            "<p class=\"open",
            "<",
            "&lt;",
            "</p>",
            "<!-- <x -->",
            "<p =>",
            long.as_str(),
        ] {
            assert_eq!(of(body), body);
        }
        let bytes = b"<p>\xff\xfe</p>";
        assert_eq!(prepared(bytes), bytes);
    }
}
