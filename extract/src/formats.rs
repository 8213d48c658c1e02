//! Table of the formats that can be read, one row per format. Format detection, the `Accept` header, file
//! types and tests use this table.

mod archive;
mod epub;
mod feed_page;
mod office;
mod relations;
mod slides;
mod spreadsheet;
mod table;
mod transcript;
pub(crate) mod xml;

use std::fmt::Write as _;

use crate::{
    document::{ExtractionSource, Input},
    draft::ReadResult,
    html, markdown, pdf, plain,
};

/// Media types that say nothing about the content.
const GENERIC_TYPES: [&str; 3] = ["", "application/octet-stream", "binary/octet-stream"];
/// The same, and the type that servers send for any text.
const GENERIC_TEXT_TYPES: [&str; 4] = ["text/plain", "", "application/octet-stream", "binary/octet-stream"];
/// Leading bytes that detection reads.
const HEAD_BYTES: usize = 4096;

/// A readable format.
#[derive(Debug)]
pub struct SourceFormat {
    pub name: &'static str,
    /// Media types of the format, the usual one first.
    pub media_types: &'static [&'static str],
    /// Other media types in use. A trailing `*` matches any suffix.
    aliases: &'static [&'static str],
    /// File extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// How the bytes are recognised.
    magic: Magic,
    /// Media types that do not identify the format. With these, the bytes decide, or the file name if the
    /// bytes cannot.
    vague: &'static [&'static str],
    /// Preference in the `Accept` header, in tenths; formats with 0 are not listed.
    weight: u8,
    /// Source that documents of this format report.
    pub source: ExtractionSource,
    read: fn(&Input) -> ReadResult,
}

/// How the bytes of a format are recognised.
#[derive(Debug, Clone, Copy)]
enum Magic {
    /// Leading bytes.
    Prefix(&'static [u8]),
    /// ZIP archive with an entry that contains these words. Media types of archives are not trusted.
    Zip { entry: &'static str, words: &'static str },
    /// Predicate on the bytes.
    Predicate(fn(&[u8]) -> bool),
    /// Not recognisable by its bytes; the file name decides.
    Name,
}

/// All formats. The first match is used.
pub static FORMATS: [SourceFormat; 15] = [
    SourceFormat {
        name: "pdf",
        media_types: &["application/pdf"],
        aliases: &["application/x-pdf"],
        extensions: &["pdf"],
        magic: Magic::Prefix(b"%PDF-"),
        vague: &GENERIC_TYPES,
        weight: 7,
        source: ExtractionSource::Pdf,
        read: pdf::read,
    },
    SourceFormat {
        name: "epub",
        media_types: &["application/epub+zip"],
        aliases: &[],
        extensions: &["epub"],
        magic: Magic::Zip { entry: "META-INF/container.xml", words: "" },
        vague: &GENERIC_TYPES,
        weight: 7,
        source: ExtractionSource::Epub,
        read: epub::read,
    },
    SourceFormat {
        name: "docx",
        media_types: &["application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
        aliases: &[],
        extensions: &["docx"],
        magic: Magic::Zip { entry: "word/document.xml", words: "" },
        vague: &GENERIC_TYPES,
        weight: 7,
        source: ExtractionSource::Office,
        read: office::read_docx,
    },
    SourceFormat {
        name: "odt",
        media_types: &["application/vnd.oasis.opendocument.text"],
        aliases: &[],
        extensions: &["odt"],
        magic: Magic::Zip { entry: "mimetype", words: "opendocument.text" },
        vague: &GENERIC_TYPES,
        weight: 7,
        source: ExtractionSource::Office,
        read: office::read_odt,
    },
    SourceFormat {
        name: "xlsx",
        media_types: &["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
        aliases: &[],
        extensions: &["xlsx"],
        magic: Magic::Zip { entry: "xl/workbook.xml", words: "" },
        vague: &GENERIC_TYPES,
        weight: 0,
        source: ExtractionSource::Office,
        read: spreadsheet::read_xlsx,
    },
    SourceFormat {
        name: "ods",
        media_types: &["application/vnd.oasis.opendocument.spreadsheet"],
        aliases: &[],
        extensions: &["ods"],
        magic: Magic::Zip { entry: "mimetype", words: "opendocument.spreadsheet" },
        vague: &GENERIC_TYPES,
        weight: 0,
        source: ExtractionSource::Office,
        read: spreadsheet::read_ods,
    },
    SourceFormat {
        name: "pptx",
        media_types: &["application/vnd.openxmlformats-officedocument.presentationml.presentation"],
        aliases: &[],
        extensions: &["pptx"],
        magic: Magic::Zip { entry: "ppt/presentation.xml", words: "" },
        vague: &GENERIC_TYPES,
        weight: 0,
        source: ExtractionSource::Office,
        read: slides::read_pptx,
    },
    SourceFormat {
        name: "odp",
        media_types: &["application/vnd.oasis.opendocument.presentation"],
        aliases: &[],
        extensions: &["odp"],
        magic: Magic::Zip { entry: "mimetype", words: "opendocument.presentation" },
        vague: &GENERIC_TYPES,
        weight: 0,
        source: ExtractionSource::Office,
        read: slides::read_odp,
    },
    SourceFormat {
        name: "vtt",
        media_types: &["text/vtt"],
        aliases: &[],
        extensions: &["vtt"],
        magic: Magic::Predicate(transcript::looks_like_vtt),
        vague: &GENERIC_TEXT_TYPES,
        weight: 0,
        source: ExtractionSource::Transcript,
        read: transcript::read,
    },
    SourceFormat {
        name: "srt",
        media_types: &["application/x-subrip"],
        aliases: &["text/srt", "application/srt"],
        extensions: &["srt"],
        magic: Magic::Predicate(transcript::looks_like_srt),
        vague: &GENERIC_TEXT_TYPES,
        weight: 0,
        source: ExtractionSource::Transcript,
        read: transcript::read,
    },
    SourceFormat {
        name: "csv",
        media_types: &["text/csv", "text/tab-separated-values"],
        aliases: &["application/csv"],
        extensions: &["csv", "tsv"],
        magic: Magic::Name,
        vague: &GENERIC_TEXT_TYPES,
        weight: 0,
        source: ExtractionSource::PlainText,
        read: spreadsheet::read_delimited,
    },
    SourceFormat {
        name: "feed",
        media_types: &[
            "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
        ],
        aliases: &["application/xml", "text/xml"],
        extensions: &["rss", "atom"],
        magic: Magic::Predicate(is_json_feed),
        vague: &["application/json"],
        weight: 0,
        source: ExtractionSource::Feed,
        read: feed_page::read,
    },
    SourceFormat {
        name: "html",
        media_types: &["text/html", "application/xhtml+xml"],
        aliases: &[],
        extensions: &["html", "htm", "xhtml"],
        magic: Magic::Predicate(looks_like_html),
        vague: &GENERIC_TYPES,
        weight: 9,
        source: ExtractionSource::Html,
        read: html::read_input,
    },
    SourceFormat {
        name: "markdown",
        media_types: &["text/markdown"],
        aliases: &["text/x-markdown"],
        extensions: &["md", "markdown"],
        magic: Magic::Name,
        vague: &GENERIC_TEXT_TYPES,
        weight: 10,
        source: ExtractionSource::Markdown,
        read: markdown::read,
    },
    SourceFormat {
        name: "text",
        media_types: &["text/plain"],
        aliases: &["", "text/x-*", "application/json", "application/yaml", "text/yaml", "text/rst"],
        extensions: &["txt"],
        magic: Magic::Predicate(looks_like_text),
        vague: &GENERIC_TYPES,
        weight: 8,
        source: ExtractionSource::PlainText,
        read: plain::read,
    },
];

impl SourceFormat {
    /// Usual media type.
    pub fn media_type(&self) -> &'static str {
        self.media_types.first().copied().unwrap_or_default()
    }

    /// Finds the format of a file extension, in any case.
    pub fn of_extension(extension: &str) -> Option<&'static Self> {
        FORMATS
            .iter()
            .find(|format| format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
    }

    /// Finds the format with this media type.
    pub fn of_media_type(media_type: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.has_type(media_type))
    }

    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// True if the bytes identify the format. Other formats are identified by file name or media type.
    pub fn is_binary(&self) -> bool {
        matches!(self.magic, Magic::Prefix(_) | Magic::Zip { .. })
    }

    pub(crate) fn read(&self, input: &Input) -> ReadResult {
        (self.read)(input)
    }

    fn is_archive(&self) -> bool {
        matches!(self.magic, Magic::Zip { .. })
    }

    fn has_type(&self, mime: &str) -> bool {
        self.media_types.contains(&mime)
            || self.aliases.iter().any(|alias| match alias.strip_suffix('*') {
                Some(beginning) => mime.starts_with(beginning),
                None => *alias == mime,
            })
    }

    /// True if bytes or file name identify this format under a media type that does not.
    fn is_detected(&self, mime: &str, input: &Input, archive: &mut Option<archive::Files<'_>>) -> bool {
        let is_vague = self.vague.contains(&mime) || self.is_archive() && is_archive(mime);
        is_vague
            && match self.magic {
                Magic::Prefix(prefix) => input.bytes.starts_with(prefix),
                Magic::Predicate(predicate) => predicate(&input.bytes),
                Magic::Name => self.has_name(input.url.as_deref()),
                Magic::Zip { entry, words } => archive.as_mut().is_some_and(|files| {
                    files.has(entry)
                        && (words.is_empty() || files.text(entry).is_some_and(|text| text.contains(words)))
                }),
            }
    }

    fn has_name(&self, url: Option<&str>) -> bool {
        let path = url.map(|url| url.split(['?', '#']).next().unwrap_or(url)).unwrap_or_default();
        path.rsplit_once('.')
            .is_some_and(|(_, end)| self.extensions.iter().any(|known| known.eq_ignore_ascii_case(end)))
    }
}

/// Value of the `Accept` header for fetching a page to read.
pub fn accept() -> String {
    let mut offered: Vec<&SourceFormat> = FORMATS.iter().filter(|format| format.weight > 0).collect();
    offered.sort_by_key(|format| std::cmp::Reverse(format.weight));
    let mut value = String::new();
    for format in offered {
        for media_type in format.media_types {
            match format.weight {
                10 => _ = write!(value, "{media_type}, "),
                weight => _ = write!(value, "{media_type};q=0.{weight}, "),
            }
        }
    }
    value + "*/*;q=0.5"
}

/// Detects the format by bytes or file name if the media type does not identify one, otherwise by the media
/// type.
pub(crate) fn detect(mime: &str, input: &Input) -> Option<&'static SourceFormat> {
    let zipped = is_archive(mime) || GENERIC_TYPES.contains(&mime) && input.bytes.starts_with(b"PK\x03\x04");
    let mut archive = if zipped { archive::Files::open(&input.bytes) } else { None };
    let detected = FORMATS.iter().find(|format| format.is_detected(mime, input, &mut archive));
    match detected {
        Some(format) if !zipped || format.is_archive() => Some(format),
        Some(_) => None,
        None if zipped => None,
        None => FORMATS.iter().find(|format| format.has_type(mime)),
    }
}

/// True if a body is a page by its media type, or by its bytes if the media type says nothing.
pub(crate) fn is_html(mime: &str, bytes: &[u8]) -> bool {
    match mime {
        "text/html" | "application/xhtml+xml" => true,
        _ => GENERIC_TYPES.contains(&mime) && looks_like_html(bytes),
    }
}

/// Format of a text that is recognisable by its beginning.
pub(crate) fn format_of_head(head: &[u8]) -> Option<&'static str> {
    let is_so = |format: &&SourceFormat| match format.magic {
        Magic::Predicate(predicate) => format.name != "text" && predicate(head),
        Magic::Prefix(_) | Magic::Zip { .. } | Magic::Name => false,
    };
    FORMATS.iter().find(is_so).map(|format| format.name)
}

fn is_archive(mime: &str) -> bool {
    mime == "application/zip"
        || FORMATS.iter().any(|format| format.is_archive() && format.media_types.contains(&mime))
}

fn is_json_feed(bytes: &[u8]) -> bool {
    memchr::memmem::find(&bytes[..bytes.len().min(HEAD_BYTES)], b"jsonfeed.org/version").is_some()
}

/// True for bytes without NUL and with few control characters.
pub(crate) fn looks_like_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    !head.contains(&0)
        && head.iter().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count() * 50
            <= head.len()
}

/// True if a body begins like a page.
fn looks_like_html(bytes: &[u8]) -> bool {
    let head: Vec<u8> = bytes.iter().take(1024).map(u8::to_ascii_lowercase).collect();
    let start = head.trim_ascii_start();
    start.starts_with(b"<")
        && ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<p>", "<div"]
            .iter()
            .any(|mark| memchr::memmem::find(start, mark.as_bytes()).is_some())
}

#[cfg(test)]
mod tests;
