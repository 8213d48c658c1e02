//! Class of a body, determined from its bytes as in the MIME Sniffing standard: signatures of binary types,
//! and text.

use encoding_rs::{UTF_16BE, UTF_16LE};

use crate::{charset, signature};

/// Number of leading bytes that are inspected.
const HEAD_BYTES: usize = 4096;

/// Class of a body, determined from its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentClass {
    Pdf,
    /// ZIP archive.
    Archive,
    /// Media type of an image, an audio or video file, a program, or another type that does not contain text.
    Binary(&'static str),
    Text,
    /// Bytes without a known signature that are not text.
    Unknown,
}

/// Signatures of types that do not contain text, with their media types. Signatures of images, audio and
/// video are in `signature`.
const SIGNATURES: [(&[u8], &str); 30] = [
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"BZh91AY&SY", "application/x-bzip2"),
    (b"\x04\x22\x4d\x18", "application/x-lz4"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"!<arch>\n", "application/x-archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x7fELF", "application/x-elf"),
    (b"\0asm", "application/wasm"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"\x89HDF\r\n\x1a\n", "application/x-hdf5"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"ITOLITLS", "application/x-ms-reader"),
    (b"ITSF", "application/vnd.ms-htmlhelp"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\0\x01\0\0\0", "font/ttf"),
    (b"OTTO\0", "font/otf"),
    (b"ttcf\0", "font/collection"),
    (b"8BPS\0", "image/vnd.adobe.photoshop"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"\0\0\0\x0cJXL ", "image/jxl"),
    (b"\0\0\0\x0cjP  ", "image/jp2"),
    (b"MThd\0\0\0\x06", "audio/midi"),
];

/// Classifies a body. `content_type` is the value of the header. Only its charset is used.
pub(super) fn of(bytes: &[u8], content_type: Option<&str>) -> ContentClass {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if start.starts_with(b"%PDF-") {
        return ContentClass::Pdf;
    }
    if [&b"PK\x03\x04"[..], b"PK\x05\x06"].iter().any(|prefix| bytes.starts_with(prefix)) {
        return ContentClass::Archive;
    }
    match binary_type(bytes) {
        Some(media_type) => ContentClass::Binary(media_type),
        None if is_text(bytes, content_type) => ContentClass::Text,
        None => ContentClass::Unknown,
    }
}

fn binary_type(bytes: &[u8]) -> Option<&'static str> {
    // A text may begin with the letters `ID3`. In audio files, a version number follows them.
    let is_word = bytes.starts_with(b"ID3") && bytes.get(3).is_none_or(|version| *version > 9);
    if let Some(media_type) = signature::media(bytes).filter(|_| !is_word) {
        return Some(media_type);
    }
    if let Some((_, media_type)) = SIGNATURES.iter().find(|(prefix, _)| bytes.starts_with(prefix)) {
        return Some(media_type);
    }
    match bytes {
        // Bitmaps have reserved zero bytes after the size. Without these bytes, the letters `BM` may be the
        // beginning of a text.
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Some("image/bmp"),
        // Frames of MPEG audio and AAC without an ID3 tag. `ff fe` is not listed, because UTF-16 begins with
        // it.
        [0xff, 0xf1 | 0xf2 | 0xf9 | 0xfa, ..] => Some("audio/mpeg"),
        [b'F', b'O', b'R', b'M', _, _, _, _, b'A', b'I', b'F', ..] => Some("audio/aiff"),
        _ if bytes.get(257..262) == Some(&b"ustar"[..]) => Some("application/x-tar"),
        _ if bytes.get(60..68) == Some(&b"BOOKMOBI"[..]) => Some("application/x-mobipocket-ebook"),
        _ => None,
    }
}

/// True for text: bytes with few values that occur only in binary data, or text in an encoding with several
/// bytes per character.
fn is_text(bytes: &[u8], content_type: Option<&str>) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let is_declared_wide = || {
        let charset = content_type.and_then(charset::header_charset);
        charset.is_some_and(|charset| charset == UTF_16BE || charset == UTF_16LE)
    };
    let has_mark = [&b"\xff\xfe"[..], b"\xfe\xff", b"\0\0\xfe\xff"].iter().any(|mark| head.starts_with(mark));
    let binary = head.iter().filter(|byte| is_binary_data(**byte)).count();
    let is_rare = binary * 50 <= head.len() || binary <= 2 && binary * 3 < head.len() && !head.contains(&0);
    has_mark
        || is_rare
        || is_declared_wide()
        || charset::utf16_without_mark(head).is_some()
        || begins_like_markup(head)
}

/// True for a byte that does not occur in text.
fn is_binary_data(byte: u8) -> bool {
    matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

/// True if the bytes begin like an HTML page. The page may contain some invalid bytes.
fn begins_like_markup(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    [&b"<!doctype"[..], b"<html", b"<?xml", b"<!--", b"<head", b"<body", b"<p>", b"<div"]
        .iter()
        .any(|mark| start.get(..mark.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(mark)))
}
