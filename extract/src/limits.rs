//! Limits on markup that are checked before a tree is built from it.
//!
//! The parser takes quadratic time for nesting, for the attributes of one tag, and for short character
//! references in one text. Such pages are refused by a linear scan of the bytes, except for nesting, which is
//! checked while the tree is built (`page::parse`). The limits are far above the size of any page written for
//! people. For pages within the limits, the time and memory limits of the child process also apply.

use memchr::{memchr, memmem};

/// Maximum number of bytes of markup.
pub(crate) const MAX_BYTES: usize = 20 * 1024 * 1024;
/// Maximum number of attributes of one tag.
const MAX_ATTRIBUTES: usize = 1000;
/// Maximum number of start tags of a page.
const MAX_TAGS: usize = 200_000;
/// Maximum number of `<` characters that do not begin a tag.
const MAX_STRAY: usize = 20_000;
/// Maximum number of character references between two tags.
const MAX_REFERENCES: usize = 20_000;
/// Maximum nesting depth of elements.
pub(crate) const MAX_DEPTH: usize = 512;

#[derive(Default)]
struct LimitScan<'a> {
    bytes: &'a [u8],
    tags: usize,
    stray: usize,
    /// Number of open `<svg>` and `<math>` elements. Inside them, the content of a `style` element is not raw
    /// text.
    foreign: usize,
}

/// Scans the markup in one pass. The error names the exceeded limit, as a text for users.
pub(crate) fn check(markup: &str) -> Result<(), String> {
    if markup.len() > MAX_BYTES {
        return Err(format!("the page is longer than {} MiB", MAX_BYTES / 1024 / 1024));
    }
    let mut scan = LimitScan { bytes: markup.as_bytes(), ..LimitScan::default() };
    let mut at = 0;
    let mut text_from = 0;
    while let Some(offset) = memchr(b'<', &scan.bytes[at..]) {
        let open = at + offset;
        let next = scan.bytes.get(open + 1).copied().unwrap_or(0);
        if !(next.is_ascii_alphabetic() || matches!(next, b'/' | b'!' | b'?')) {
            scan.stray += 1;
            if scan.stray > MAX_STRAY {
                return Err(format!("the page has more than {MAX_STRAY} stray '<'"));
            }
            at = open + 1;
            continue;
        }
        references(&scan.bytes[text_from..open])?;
        at = scan.markup_end(open)?;
        text_from = at;
    }
    references(&scan.bytes[text_from..])
}

fn references(text: &[u8]) -> Result<(), String> {
    if text.len() > MAX_REFERENCES && memchr::memchr_iter(b'&', text).count() > MAX_REFERENCES {
        return Err(format!("a text of the page has more than {MAX_REFERENCES} character references"));
    }
    Ok(())
}

impl LimitScan<'_> {
    /// Offset after the comment, declaration or tag at `open`. A tag with raw text includes that text.
    fn markup_end(&mut self, open: usize) -> Result<usize, String> {
        let rest = &self.bytes[open..];
        if rest.starts_with(b"<!--") {
            if rest[4..].starts_with(b">") || rest[4..].starts_with(b"->") {
                return Ok(open + 5);
            }
            return Ok(memmem::find(&rest[4..], b"-->").map_or(self.bytes.len(), |end| open + 4 + end + 3));
        }
        if matches!(rest[1], b'!' | b'?')
            || (rest[1] == b'/' && !rest.get(2).is_some_and(u8::is_ascii_alphabetic))
        {
            return Ok(memchr(b'>', rest).map_or(self.bytes.len(), |end| open + end + 1));
        }
        let closing = rest[1] == b'/';
        let name_from = open + 1 + usize::from(closing);
        let name_len = self.bytes[name_from..]
            .iter()
            .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
            .unwrap_or(self.bytes.len() - name_from);
        let name = &self.bytes[name_from..name_from + name_len];
        let end = self.attributes_end(name_from + name_len)?;
        if name.eq_ignore_ascii_case(b"svg") || name.eq_ignore_ascii_case(b"math") {
            self.foreign = if closing { self.foreign.saturating_sub(1) } else { self.foreign + 1 };
        }
        if closing {
            return Ok(end);
        }
        self.tags += 1;
        if self.tags > MAX_TAGS {
            return Err(format!("the page has more than {MAX_TAGS} tags"));
        }
        Ok(if self.foreign == 0 && holds_raw_text(name) { self.raw_text_end(name, end) } else { end })
    }

    /// Offset after the attributes of a tag. They are skipped as in the tokeniser, so that a `>` in quotes
    /// does not close the tag.
    fn attributes_end(&self, mut at: usize) -> Result<usize, String> {
        let bytes = self.bytes;
        let mut count = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'>' {
                return Ok(at + 1);
            }
            if byte.is_ascii_whitespace() || byte == b'/' {
                at += 1;
                continue;
            }
            count += 1;
            if count > MAX_ATTRIBUTES {
                return Err(format!("a tag of the page has more than {MAX_ATTRIBUTES} attributes"));
            }
            at += 1;
            while bytes
                .get(at)
                .is_some_and(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>' | b'='))
            {
                at += 1;
            }
            at = self.value_end(at);
        }
        Ok(at)
    }

    fn value_end(&self, name_end: usize) -> usize {
        let blank = |from: usize| {
            from + self.bytes[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
        };
        let equals = blank(name_end);
        if self.bytes.get(equals) != Some(&b'=') {
            return equals.max(name_end);
        }
        let start = blank(equals + 1);
        if let Some(&quote @ (b'"' | b'\'')) = self.bytes.get(start) {
            memchr(quote, &self.bytes[start + 1..]).map_or(self.bytes.len(), |end| start + 1 + end + 1)
        } else {
            let length =
                self.bytes[start..].iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>');
            length.map_or(self.bytes.len(), |length| start + length)
        }
    }

    /// Offset of the closing tag of a raw text element.
    fn raw_text_end(&self, name: &[u8], from: usize) -> usize {
        memmem::find_iter(&self.bytes[from..], b"</")
            .map(|at| from + at)
            .find(|at| {
                self.bytes.get(at + 2..at + 2 + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name))
            })
            .unwrap_or(self.bytes.len())
    }
}

fn holds_raw_text(name: &[u8]) -> bool {
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]
        .iter()
        .any(|raw| name.eq_ignore_ascii_case(raw.as_bytes()))
}

#[cfg(test)]
mod tests;
