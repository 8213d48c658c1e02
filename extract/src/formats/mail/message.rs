//! Structure of a message: header fields, parts and their encodings (RFC 5322, 2045 to 2047 and 2231).

use std::borrow::Cow;

use data_encoding::BASE64_MIME_PERMISSIVE;
use encoding_rs::{Encoding, UTF_8};

use crate::{charset, clean};

/// Maximum number of fields in a header.
const MAX_FIELDS: usize = 1000;
/// Maximum nesting depth of parts.
const MAX_DEPTH: usize = 8;
/// Maximum number of parts of a message.
const MAX_PARTS: usize = 1000;
/// Maximum number of bytes of an encoded word. Some senders exceed the 75 characters of the standard.
const MAX_WORD_BYTES: usize = 4096;

/// Header fields, each joined to one line.
#[derive(Debug, Default)]
pub(super) struct MailHeader {
    fields: Vec<(String, String)>,
}

/// Message, or part of a message.
pub(super) struct MailPart<'b> {
    pub(super) header: MailHeader,
    body: &'b [u8],
    pub(super) parts: Vec<MailPart<'b>>,
    is_cut: bool,
}

impl MailHeader {
    /// Reads the fields before the first blank line. Returns the fields and the body after that line. A line
    /// without a field name also begins the body.
    pub(super) fn read(bytes: &[u8]) -> (Self, &[u8]) {
        let mut header = Self::default();
        let mut rest = bytes;
        while !rest.is_empty() && header.fields.len() < MAX_FIELDS {
            let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            let (line, after) = rest.split_at(length);
            let text = line.trim_ascii_end();
            if text.is_empty() {
                return (header, after);
            }
            let text = decode_raw(text);
            let is_mailbox_line = header.fields.is_empty() && text.starts_with("From ");
            if text.starts_with([' ', '\t'])
                && let Some((_, value)) = header.fields.last_mut()
            {
                value.push(' ');
                value.push_str(text.trim());
            } else if let Some((name, value)) = text.split_once(':').filter(|(name, _)| is_name(name)) {
                header.fields.push((name.to_owned(), value.trim().to_owned()));
            } else if !is_mailbox_line {
                return (header, rest);
            }
            rest = after;
        }
        (header, rest)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Value of the first field with this name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Values of all fields with this name, in order.
    pub(super) fn all<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h str> {
        let fields = self.fields.iter().filter(move |(key, _)| key.eq_ignore_ascii_case(name));
        fields.map(|(_, value)| value.as_str())
    }

    /// Decoded text of a field, or `None` if the text is blank.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text = clean::fold(&decode_words(self.get(name)?));
        (!text.is_empty()).then_some(text)
    }

    /// Media type of the part, in lower case. Without a declared type, it is `text/plain`.
    pub(super) fn media_type(&self) -> String {
        let declared = self.get("Content-Type").map(charset::essence).filter(|kind| kind.contains('/'));
        declared.unwrap_or_else(|| "text/plain".to_owned())
    }

    /// Parameter of a field. Its value may be continued in several parameters, or be percent-encoded.
    pub(super) fn parameter(&self, field: &str, name: &str) -> Option<String> {
        let parameters = parameters(self.get(field)?);
        let exact = parameters.iter().find(|(key, _)| key == name);
        if let Some((_, value)) = exact {
            return Some(decode_words(value));
        }
        let mut pieces: Vec<(u32, String)> = parameters
            .iter()
            .filter_map(|(key, value)| {
                let rest = key.strip_prefix(name)?.strip_prefix('*')?;
                let is_encoded = rest.is_empty() || rest.ends_with('*');
                let number = rest.trim_end_matches('*').parse().unwrap_or(0);
                Some((number, if is_encoded { decode_extended(value, number == 0) } else { value.clone() }))
            })
            .collect();
        pieces.sort_by_key(|(number, _)| *number);
        let value: String = pieces.into_iter().map(|(_, value)| value).collect();
        (!value.is_empty()).then_some(value)
    }
}

impl<'b> MailPart<'b> {
    pub(super) fn read(bytes: &'b [u8]) -> Self {
        Self::read_nested(bytes, 0, &mut 0)
    }

    fn read_nested(bytes: &'b [u8], depth: usize, count: &mut usize) -> Self {
        let (header, body) = MailHeader::read(bytes);
        *count += 1;
        let mut part = Self { header, body, parts: Vec::new(), is_cut: false };
        if !part.header.media_type().starts_with("multipart/") {
            return part;
        }
        let Some(boundary) = part.header.parameter("Content-Type", "boundary") else { return part };
        for piece in pieces(body, boundary.trim_end()) {
            if depth >= MAX_DEPTH || *count >= MAX_PARTS {
                part.is_cut = true;
                break;
            }
            part.parts.push(Self::read_nested(piece, depth + 1, count));
        }
        part
    }

    /// True if parts were omitted because of a limit.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut || self.parts.iter().any(MailPart::is_cut)
    }

    /// Parts that contain no further parts, in order.
    pub(super) fn leaves(&self) -> Vec<&Self> {
        if self.parts.is_empty() {
            vec![self]
        } else {
            self.parts.iter().flat_map(MailPart::leaves).collect()
        }
    }

    /// True if the part is a file of the message and not part of its text: an attachment, or a picture. A
    /// multipart without boundaries is read as text.
    pub(super) fn is_attachment(&self) -> bool {
        let media_type = self.header.media_type();
        let disposition = self.header.get("Content-Disposition").unwrap_or_default();
        let is_declared = disposition.trim_start().to_ascii_lowercase().starts_with("attachment");
        is_declared || !(media_type.starts_with("text/") || media_type.starts_with("multipart/"))
    }

    /// Body after transfer decoding. If the encoding is invalid, the body is decoded as far as possible.
    pub(super) fn content(&self) -> Vec<u8> {
        let encoding = self.header.get("Content-Transfer-Encoding").unwrap_or_default();
        match encoding.trim().to_ascii_lowercase().as_str() {
            "base64" => decode_base64(self.body),
            "quoted-printable" => decode_quoted(self.body),
            _ => self.body.to_vec(),
        }
    }

    /// File name of the part.
    pub(super) fn name(&self) -> Option<String> {
        self.header
            .parameter("Content-Disposition", "filename")
            .or_else(|| self.header.parameter("Content-Type", "name"))
            .or_else(|| self.header.get("Content-Location").map(str::to_owned))
            .map(|name| clean::fold(&name))
            .filter(|name| !name.is_empty())
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Decodes the raw bytes of a header. The standard requires ASCII, but other encodings occur.
fn decode_raw(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| charset::decode(bytes, None).into(), Cow::Borrowed)
}

/// Splits a multipart body at its boundary lines.
fn pieces<'b>(body: &'b [u8], boundary: &str) -> Vec<&'b [u8]> {
    let mark = format!("--{boundary}");
    let mut pieces = Vec::new();
    let mut start = None;
    for at in memchr::memmem::find_iter(body, mark.as_bytes()) {
        if at > 0 && body[at - 1] != b'\n' {
            continue;
        }
        let after = &body[at + mark.len()..];
        let line = memchr::memchr(b'\n', after).unwrap_or(after.len());
        let tail = after[..line].trim_ascii();
        if !(tail.is_empty() || tail == b"--") {
            continue;
        }
        if let Some(start) = start {
            pieces.push(without_last_line_feed(&body[start..at]));
        }
        start = tail.is_empty().then(|| (at + mark.len() + line + 1).min(body.len()));
    }
    // A truncated message lacks the last boundary.
    pieces.extend(start.filter(|start| *start < body.len()).map(|start| &body[start..]));
    pieces
}

fn without_last_line_feed(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

fn decode_base64(body: &[u8]) -> Vec<u8> {
    let mut digits: Vec<u8> = body
        .iter()
        .copied()
        .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
        .collect();
    digits.truncate(digits.len() - usize::from(digits.len() % 4 == 1));
    while !digits.len().is_multiple_of(4) {
        digits.push(b'=');
    }
    BASE64_MIME_PERMISSIVE.decode(&digits).unwrap_or_default()
}

fn decode_quoted(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len());
    for line in body.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end();
        let is_soft = text.last() == Some(&b'=');
        decode_escapes(text.strip_suffix(b"=").unwrap_or(text), b'=', &mut out);
        if !is_soft && line.ends_with(b"\n") {
            out.push(b'\n');
        }
    }
    out
}

/// Decodes escapes such as `=E9` or `%E9`, where `escape` is the character before the digits. Other bytes are
/// copied.
fn decode_escapes(text: &[u8], escape: u8, out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let code = text.get(at + 1..at + 3).filter(|_| byte == escape);
        let value = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        out.push(value.unwrap_or(byte));
        at += if value.is_some() { 3 } else { 1 };
    }
}

/// Decodes the encoded words in a field, such as `=?utf-8?q?caf=C3=A9?=`.
fn decode_words(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    let mut is_after_word = false;
    while let Some(at) = rest.find("=?") {
        let (before, word) = rest.split_at(at);
        // Spaces between encoded words are not part of the text.
        if !(is_after_word && before.trim().is_empty()) {
            out.push_str(before);
        }
        if let Some((text, after)) = decode_word(&word[2..]) {
            out.push_str(&text);
            rest = after;
            is_after_word = true;
        } else {
            out.push_str("=?");
            rest = &word[2..];
            is_after_word = false;
        }
    }
    out.push_str(rest);
    out
}

/// Text of an encoded word, and the part of the value after it.
fn decode_word(word: &str) -> Option<(String, &str)> {
    let (label, rest) = word.split_once('?')?;
    let (form, rest) = rest.split_once('?')?;
    let encoding = Encoding::for_label(label.split('*').next().unwrap_or(label).as_bytes())?;
    let window = rest.as_bytes().get(..MAX_WORD_BYTES).unwrap_or(rest.as_bytes());
    let end = memchr::memmem::find(window, b"?=")?;
    let (text, after) = (rest.get(..end)?, rest.get(end + 2..)?);
    let bytes = match form {
        "b" | "B" => decode_base64(text.as_bytes()),
        "q" | "Q" => {
            let mut bytes = Vec::new();
            decode_escapes(text.replace('_', " ").as_bytes(), b'=', &mut bytes);
            bytes
        }
        _ => return None,
    };
    Some((encoding.decode_without_bom_handling(&bytes).0.into_owned(), after))
}

/// Decodes `utf-8'en'caf%C3%A9`. The first section names the charset.
fn decode_extended(value: &str, is_first: bool) -> String {
    let mut pieces = value.splitn(3, '\'');
    let (label, text) = match (pieces.next(), pieces.next(), pieces.next()) {
        (Some(label), Some(_), Some(text)) if is_first => (label, text),
        _ => ("utf-8", value),
    };
    let mut bytes = Vec::new();
    decode_escapes(text.as_bytes(), b'%', &mut bytes);
    let encoding = Encoding::for_label(label.as_bytes()).unwrap_or(UTF_8);
    encoding.decode_without_bom_handling(&bytes).0.into_owned()
}

/// Parameters after the first `;`, with names in lower case. Values may be quoted.
fn parameters(value: &str) -> Vec<(String, String)> {
    let mut parameters = Vec::new();
    let mut rest = value.split_once(';').map_or("", |(_, rest)| rest);
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (text, next) = if let Some(quoted) = after.strip_prefix('"') {
            let end = quoted.char_indices().find(|&(at, c)| c == '"' && !quoted[..at].ends_with('\\'));
            let (text, next) = quoted.split_at(end.map_or(quoted.len(), |(at, _)| at));
            (
                text.replace("\\\"", "\"").replace("\\\\", "\\"),
                next.split_once(';').map_or("", |(_, next)| next),
            )
        } else {
            let (text, next) = after.split_once(';').unwrap_or((after, ""));
            (text.trim().to_owned(), next)
        };
        parameters.push((name.trim().trim_start_matches(';').trim().to_ascii_lowercase(), text));
        rest = next;
    }
    parameters
}
