//! Detects the type of a submitted file. Its first and last bytes are compared with its declared type and its
//! name.

use crate::{charset, formats::SourceFormat, signature};

/// Number of bytes at the beginning and at the end of a file that are inspected.
pub const EDGE_BYTES: usize = 64 * 1024;
/// Media types that do not identify the content.
const GENERIC_TYPES: [&str; 4] =
    ["", "application/octet-stream", "binary/octet-stream", "application/x-www-form-urlencoded"];
const OCTETS: &str = "application/octet-stream";
const PLAIN: &str = "text/plain";

/// Type of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectedType {
    /// Media type, without parameters.
    pub media_type: String,
    /// Name of the format in which the text of the file is read. `None` if the file has no text, or if its
    /// format is unknown.
    pub format: Option<&'static str>,
}

/// Error if the bytes contradict the declared type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeMismatch {
    /// Declared media type.
    pub declared: String,
    /// Media type that the bytes indicate.
    pub detected: String,
}

/// Content of a file, determined from its bytes only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SniffedContent {
    /// A readable format.
    Format(&'static str),
    /// Media type of an image, audio or video file.
    Media(&'static str),
    /// Archive that is not in a readable format.
    Archive,
    Text,
    Unknown,
}

/// Detects the type of a file from its `head` and `tail` (at most [`EDGE_BYTES`] each), its declared type and
/// its name.
///
/// # Errors
/// Returns an error if the bytes contradict the declared type.
pub fn sniff(head: &[u8], tail: &[u8], declared: &str, name: &str) -> Result<DetectedType, TypeMismatch> {
    let declared = charset::essence(declared);
    let content = sniff_content(head, tail);
    if GENERIC_TYPES.contains(&declared.as_str()) {
        return Ok(undeclared(content, name));
    }
    let declared_format = SourceFormat::of_media_type(&declared).filter(|_| !declared.ends_with("/xml"));
    let disagree = || TypeMismatch { declared: declared.clone(), detected: content.media_type().to_owned() };
    let as_declared = |format: Option<&'static str>| DetectedType { media_type: declared.clone(), format };
    let is_media = ["image/", "audio/", "video/"].iter().any(|kind| declared.starts_with(kind));
    match (content, declared_format) {
        (SniffedContent::Format(name), Some(format)) if format.name == name => Ok(as_declared(Some(name))),
        (SniffedContent::Format(name @ ("rtf" | "feed" | "notebook" | "mhtml" | "mail")), None)
            if !is_media =>
        {
            Ok(as_declared(Some(name)))
        }
        (SniffedContent::Format(name @ "rtf"), Some(format)) if !format.is_binary() => {
            Ok(as_declared(Some(name)))
        }
        // A page or a transcript may be submitted as plain text.
        (SniffedContent::Format(name), Some(format)) if is_text(name) && !format.is_binary() => {
            Ok(as_declared(Some(format.name)))
        }
        (SniffedContent::Format(_) | SniffedContent::Archive, _) if declared == "application/zip" => {
            Ok(undeclared(content, name))
        }
        (SniffedContent::Text, Some(format)) if !format.is_binary() => {
            let by_name = (format.name == "text").then(|| text_format(name)).flatten();
            Ok(as_declared(Some(by_name.unwrap_or(format.name))))
        }
        (SniffedContent::Media(media_type), _) if is_media && are_compatible(media_type, &declared) => {
            Ok(DetectedType { media_type: media_type.to_owned(), format: None })
        }
        // If the declared type is unknown, the format is unknown, too.
        (SniffedContent::Unknown | SniffedContent::Archive, None) => Ok(as_declared(None)),
        (SniffedContent::Text, None) if !is_media || declared == "image/svg+xml" => {
            let format = declared.starts_with("text/").then_some("text");
            Ok(as_declared(format))
        }
        _ => Err(disagree()),
    }
}

/// Returns the media type that the bytes of a file with this name must have. `None` if the extension is
/// unknown or if the bytes of its format do not identify it, as for texts.
pub fn type_of_name(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    SourceFormat::of_extension(extension).filter(|format| format.is_binary()).map(SourceFormat::media_type)
}

fn undeclared(content: SniffedContent, name: &str) -> DetectedType {
    let of = |name: &'static str| {
        let media_type = SourceFormat::named(name).map_or(OCTETS, SourceFormat::media_type).to_owned();
        DetectedType { media_type, format: Some(name) }
    };
    match content {
        SniffedContent::Format(name) => of(name),
        SniffedContent::Text => text_format(name).map_or_else(|| of("text"), of),
        SniffedContent::Media(_) | SniffedContent::Archive | SniffedContent::Unknown => {
            DetectedType { media_type: content.media_type().to_owned(), format: None }
        }
    }
}

impl SniffedContent {
    fn media_type(self) -> &'static str {
        match self {
            Self::Format(name) => SourceFormat::named(name).map_or(OCTETS, SourceFormat::media_type),
            Self::Media(media_type) => media_type,
            Self::Archive => "application/zip",
            Self::Text => PLAIN,
            Self::Unknown => OCTETS,
        }
    }
}

/// True if both types are images, or if neither is an image. Audio and video types share their container
/// formats.
fn are_compatible(detected: &str, declared: &str) -> bool {
    let is_picture = |media_type: &str| media_type.starts_with("image/");
    is_picture(detected) == is_picture(declared)
}

fn is_text(name: &str) -> bool {
    SourceFormat::named(name).is_some_and(|format| !format.is_binary())
}

/// Text format of files with this extension.
fn text_format(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    SourceFormat::of_extension(extension).filter(|format| !format.is_binary()).map(|format| format.name)
}

fn sniff_content(head: &[u8], tail: &[u8]) -> SniffedContent {
    if head.starts_with(b"%PDF-") {
        return SniffedContent::Format("pdf");
    }
    if head.starts_with(b"PK\x03\x04") {
        return archive(head, tail);
    }
    if let Some(media_type) = signature::media(head) {
        return SniffedContent::Media(media_type);
    }
    match crate::formats::format_of_head(head) {
        Some(name) => SniffedContent::Format(name),
        None if is_plain(head) => SniffedContent::Text,
        None => SniffedContent::Unknown,
    }
}

/// True for text. Text contains no NUL, except in UTF-16 with a byte order mark.
fn is_plain(head: &[u8]) -> bool {
    head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || crate::formats::looks_like_text(head)
}

/// Content of an archive, derived from the names in its first and last bytes. The archive is not opened.
fn archive(head: &[u8], tail: &[u8]) -> SniffedContent {
    // The first entry of an EPUB or OpenDocument file is named `mimetype` and contains the media type.
    let first = head.get(30..).unwrap_or_default();
    if let Some(kind) = first.strip_prefix(b"mimetype") {
        let kinds = [
            (&b"application/epub+zip"[..], "epub"),
            (b"application/vnd.oasis.opendocument.text", "odt"),
            (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
            (b"application/vnd.oasis.opendocument.presentation", "odp"),
        ];
        let begin = &kind[..kind.len().min(256)];
        if let Some((_, name)) = kinds.iter().find(|(words, _)| memchr::memmem::find(begin, words).is_some())
        {
            return SniffedContent::Format(name);
        }
    }
    let names = [
        (&b"word/document.xml"[..], "docx"),
        (b"xl/workbook.xml", "xlsx"),
        (b"ppt/presentation.xml", "pptx"),
        (b"META-INF/container.xml", "epub"),
    ];
    let contains_name = |bytes: &[u8], name: &[u8]| memchr::memmem::find(bytes, name).is_some();
    names
        .iter()
        .find(|(name, _)| contains_name(tail, name) || contains_name(head, name))
        .map_or(SniffedContent::Archive, |(_, name)| SniffedContent::Format(name))
}

#[cfg(test)]
mod tests;
