//! Decodes the bytes of a feed to clean text. Extends the general decoder with encodings that only XML uses,
//! such as UTF-32 and UTF-16 without a byte order mark, and unpacks feeds that are served as gzip files.

use std::borrow::Cow;
use std::io::Read;

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};

use flate2::read::MultiGzDecoder;

use super::text;
use crate::charset;

/// Maximum number of bytes that are read from a body, regardless of the caller's limit.
pub(super) const MAX_BODY_BYTES: usize = 64 * 1024 * 1024;

/// Text of a feed without control characters, without the XML declaration, and without anything before the
/// first element or object. The limit and the flag have the same meaning as in [`decode_whole`].
pub(super) fn decode(body: &[u8], content_type: Option<&str>, limit: usize) -> (String, bool) {
    let (mut clean, is_cut) = decode_whole(body, content_type, limit);
    let start = clean.find(['<', '{']).unwrap_or(0);
    let remaining_len = without_declaration(&clean[start..]).len();
    clean.drain(..clean.len() - remaining_len);
    (clean, is_cut)
}

/// Text of a body without control characters. At most `limit` bytes are read. For a gzip file, the limit also
/// applies to the unpacked content. The flag is true if the body was cut.
pub(super) fn decode_whole(body: &[u8], content_type: Option<&str>, limit: usize) -> (String, bool) {
    let limit = limit.min(MAX_BODY_BYTES);
    let is_long = body.len() > limit;
    let body = &body[..body.len().min(limit)];
    let unpacked = body.starts_with(&[0x1F, 0x8B]).then(|| unpack(body, limit));
    let body = unpacked.as_deref().unwrap_or(body);
    let is_cut = is_long || body.len() > limit;
    let body = &body[..body.len().min(limit)];
    let decoded = match body {
        [0, 0, 0xFE, 0xFF, rest @ ..] => decode_utf32(rest, u32::from_be_bytes),
        [0xFF, 0xFE, 0, 0, rest @ ..] => decode_utf32(rest, u32::from_le_bytes),
        [0, 0, 0, b'<', ..] => decode_utf32(body, u32::from_be_bytes),
        [b'<', 0, 0, 0, ..] => decode_utf32(body, u32::from_le_bytes),
        [0, b'<', ..] => UTF_16BE.decode_without_bom_handling(body).0.into_owned(),
        [b'<', 0, ..] => UTF_16LE.decode_without_bom_handling(body).0.into_owned(),
        _ => decode_narrow(body, content_type),
    };
    let cleaned = match text::clean(&decoded) {
        Cow::Borrowed(_) => None,
        Cow::Owned(cleaned) => Some(cleaned),
    };
    (cleaned.unwrap_or(decoded), is_cut)
}

/// Unpacks a gzip file up to the first error, because some files have trailing bytes. At most one byte beyond
/// `limit` is unpacked, so that the caller can detect longer content.
fn unpack(body: &[u8], limit: usize) -> Vec<u8> {
    let mut unpacked = Vec::new();
    let mut reader = MultiGzDecoder::new(body).take(limit as u64 + 1);
    if let Err(error) = reader.read_to_end(&mut unpacked) {
        tracing::debug!(%error, "gzip body damaged");
    }
    unpacked
}

/// Decodes text as Windows-1252 if it is declared as UTF-8, has invalid bytes, and has no valid character
/// outside ASCII.
fn decode_narrow(body: &[u8], content_type: Option<&str>) -> String {
    let decoded = charset::decode(body, content_type);
    let is_ascii_but_for_faults = decoded.contains('\u{FFFD}')
        && !decoded.chars().any(|character| !character.is_ascii() && character != '\u{FFFD}');
    if is_ascii_but_for_faults && !body.contains(&0) {
        return WINDOWS_1252.decode_without_bom_handling(body).0.into_owned();
    }
    decoded
}

/// Decodes UTF-32, which browsers no longer support.
fn decode_utf32(body: &[u8], unit: fn([u8; 4]) -> u32) -> String {
    let (units, _) = body.as_chunks::<4>();
    units.iter().map(|bytes| char::from_u32(unit(*bytes)).unwrap_or('\u{FFFD}')).collect()
}

/// Removes the XML declaration. It names an encoding that no longer applies.
fn without_declaration(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("<?xml") else { return text };
    match (rest.find("?>"), rest.find('<')) {
        (Some(end), next) if next.is_none_or(|next| end < next) => rest[end + 2..].trim_start(),
        // The declaration is not closed. Continue at the next tag.
        (_, Some(next)) => &rest[next..],
        _ => "",
    }
}
