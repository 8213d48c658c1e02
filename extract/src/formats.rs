//! Table of the formats that can be read, one row per format. Format detection, the `Accept` header, file
//! types and tests use this table.

mod archive;
mod content;
mod epub;
mod feed_page;
mod label;
mod mail;
mod notebook;
mod office;
mod podcast;
mod relations;
mod rtf;
mod slides;
mod spreadsheet;
mod table;
mod transcript;
pub(crate) mod xml;

use std::fmt::Write as _;

pub(crate) use self::mail::{ArchivedPage, archived_page, is_web_archive, read_file, read_received};
pub use self::mail::{MAIL_PICTURES, MailFields, MailFile};
use self::{content::ContentClass, label::Label};
use crate::{
    charset,
    document::{ExtractionSource, Input},
    draft::DraftResult,
    html, markdown, pdf, plain,
};

/// Number of leading bytes that format detection reads.
const HEAD_BYTES: usize = 4096;

/// A readable format.
#[derive(Debug)]
pub struct SourceFormat {
    pub name: &'static str,
    /// Media types of the format, the usual one first.
    pub media_types: &'static [&'static str],
    /// Other media types that servers use for the format.
    aliases: &'static [&'static str],
    /// File extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// Method by which the format is recognised from its bytes.
    magic: Magic,
    /// Labels of media types that do not identify this format. If a body has such a label, the format is
    /// detected by its bytes, or by the file name if the bytes do not identify it.
    vague: &'static [Label],
    /// Preference in the `Accept` header, in tenths. Formats with 0 are not listed.
    weight: u8,
    /// Source that is reported for documents extracted from this format.
    pub source: ExtractionSource,
    read: fn(&Input) -> DraftResult,
}

/// Method by which the bytes of a format are recognised.
#[derive(Debug, Clone, Copy)]
enum Magic {
    /// Leading bytes.
    Prefix(&'static [u8]),
    /// ZIP archive with an entry of this name that contains these words. Media types of archives are not
    /// trusted.
    Zip { entry: &'static str, words: &'static str },
    /// Function that recognises the format from its bytes.
    Predicate(fn(&[u8]) -> bool),
    /// Function that recognises the format from its bytes. If it returns false, the file name may identify
    /// the format.
    PredicateOrName(fn(&[u8]) -> bool),
    /// The file name identifies the format, because its bytes cannot.
    Name,
}

/// All formats. The first match is used.
pub static FORMATS: [SourceFormat; 20] = [
    SourceFormat {
        name: "pdf",
        media_types: &["application/pdf"],
        aliases: &["application/x-pdf"],
        extensions: &["pdf"],
        magic: Magic::Prefix(b"%PDF-"),
        vague: &Label::ALL,
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
        vague: &Label::ALL,
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
        vague: &Label::ALL,
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
        vague: &Label::ALL,
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
        vague: &Label::ALL,
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
        vague: &Label::ALL,
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
        vague: &Label::ALL,
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
        vague: &Label::ALL,
        weight: 0,
        source: ExtractionSource::Office,
        read: slides::read_odp,
    },
    SourceFormat {
        name: "rtf",
        media_types: &["application/rtf", "text/rtf"],
        aliases: &["text/richtext", "application/x-rtf"],
        extensions: &["rtf"],
        magic: Magic::Prefix(rtf::MAGIC),
        vague: &Label::ALL,
        weight: 0,
        source: ExtractionSource::Office,
        read: rtf::read,
    },
    SourceFormat {
        name: "notebook",
        media_types: &["application/x-ipynb+json"],
        aliases: &[],
        extensions: &["ipynb"],
        magic: Magic::PredicateOrName(notebook::is_notebook),
        vague: &[Label::Generic, Label::Plain, Label::Json],
        weight: 0,
        source: ExtractionSource::Markdown,
        read: notebook::read,
    },
    SourceFormat {
        name: "mhtml",
        media_types: &["multipart/related"],
        aliases: &["application/x-mimearchive"],
        extensions: &["mhtml", "mht"],
        magic: Magic::PredicateOrName(mail::is_web_archive),
        vague: &[Label::Generic, Label::Plain, Label::Other],
        weight: 0,
        source: ExtractionSource::Html,
        read: mail::read,
    },
    SourceFormat {
        name: "mail",
        media_types: &["message/rfc822"],
        aliases: &["message/global", "application/mbox"],
        extensions: &["eml"],
        magic: Magic::PredicateOrName(mail::is_mail),
        vague: &[Label::Generic, Label::Plain, Label::Other],
        weight: 0,
        source: ExtractionSource::PlainText,
        read: mail::read,
    },
    SourceFormat {
        name: "vtt",
        media_types: &["text/vtt"],
        aliases: &[],
        extensions: &["vtt"],
        magic: Magic::Predicate(transcript::looks_like_vtt),
        vague: &[Label::Generic, Label::Plain],
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
        vague: &[Label::Generic, Label::Plain],
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
        vague: &[Label::Generic, Label::Plain],
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
        magic: Magic::Predicate(feed_page::is_feed),
        vague: &[Label::Generic, Label::Plain, Label::Html, Label::Xml, Label::Json, Label::Other],
        weight: 0,
        source: ExtractionSource::Feed,
        read: feed_page::read,
    },
    SourceFormat {
        name: "podcast",
        media_types: &["application/json+chapters"],
        aliases: &[],
        extensions: &[],
        magic: Magic::Predicate(podcast::is_podcast_file),
        vague: &[Label::Generic, Label::Plain, Label::Json],
        weight: 0,
        source: ExtractionSource::Transcript,
        read: podcast::read,
    },
    SourceFormat {
        name: "html",
        media_types: &["text/html", "application/xhtml+xml"],
        aliases: &[],
        extensions: &["html", "htm", "xhtml"],
        magic: Magic::Predicate(looks_like_html),
        vague: &[Label::Generic, Label::Xml, Label::Other],
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
        vague: &[Label::Generic, Label::Plain],
        weight: 10,
        source: ExtractionSource::Markdown,
        read: markdown::read,
    },
    SourceFormat {
        name: "text",
        media_types: &["text/plain"],
        aliases: &[],
        extensions: &["txt"],
        magic: Magic::Predicate(is_any_text),
        vague: &[Label::Generic],
        weight: 8,
        source: ExtractionSource::PlainText,
        read: plain::read,
    },
];

impl SourceFormat {
    /// Most common media type of the format.
    pub fn media_type(&self) -> &'static str {
        self.media_types.first().copied().unwrap_or_default()
    }

    /// Finds the format of a file extension. Case is ignored.
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

    /// True if the bytes alone identify the format. Other formats are identified by their file name or media
    /// type.
    pub fn is_binary(&self) -> bool {
        matches!(self.magic, Magic::Prefix(_) | Magic::Zip { .. })
    }

    pub(crate) fn read(&self, input: &Input) -> DraftResult {
        (self.read)(input)
    }

    fn is_archive(&self) -> bool {
        matches!(self.magic, Magic::Zip { .. })
    }

    fn has_type(&self, mime: &str) -> bool {
        self.media_types.contains(&mime)
            || self.aliases.contains(&mime)
            || self.name == "text" && plain::is_text_type(mime)
    }

    /// True if the bytes or the file name identify this format, although `label` does not.
    fn is_detected(&self, label: Label, bytes: &[u8], url: Option<&str>) -> bool {
        self.vague.contains(&label)
            && match self.magic {
                Magic::Prefix(prefix) => bytes.starts_with(prefix),
                Magic::Predicate(predicate) => predicate(bytes),
                Magic::PredicateOrName(predicate) => predicate(bytes) || self.has_name(url),
                Magic::Name => self.has_name(url),
                Magic::Zip { .. } => false,
            }
    }

    /// True if the archive contains the entry that identifies this format.
    fn is_archive_of(&self, files: &mut archive::ArchiveFiles<'_>) -> bool {
        let Magic::Zip { entry, words } = self.magic else { return false };
        files.has(entry) && (words.is_empty() || files.text(entry).is_some_and(|text| text.contains(words)))
    }

    fn has_name(&self, url: Option<&str>) -> bool {
        let path = url.map(|url| url.split(['?', '#']).next().unwrap_or(url)).unwrap_or_default();
        path.rsplit_once('.')
            .is_some_and(|(_, end)| self.extensions.iter().any(|known| known.eq_ignore_ascii_case(end)))
    }
}

/// Value of the `Accept` header for requests for readable pages.
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

/// Detects the format of a body. A binary signature decides. For text, the media type decides, or the bytes
/// or the file name if the media type does not identify a format. If the format cannot be read, the error is
/// the media type of the body.
pub(crate) fn detect(
    content_type: Option<&str>,
    bytes: &[u8],
    url: Option<&str>,
) -> Result<&'static SourceFormat, String> {
    let mime = content_type.map(charset::essence).unwrap_or_default();
    let label = Label::of(&mime);
    let named = |detected: &str| if label == Label::Other { mime.clone() } else { detected.to_owned() };
    match content::of(bytes, content_type) {
        ContentClass::Pdf => SourceFormat::named("pdf").ok_or(mime),
        ContentClass::Archive => archive::ArchiveFiles::open(bytes)
            .and_then(|mut files| FORMATS.iter().find(|format| format.is_archive_of(&mut files)))
            .ok_or_else(|| named("application/zip")),
        ContentClass::Binary(detected) => Err(named(detected)),
        // A PDF file may have other bytes before its signature.
        ContentClass::Unknown => FORMATS
            .iter()
            .find(|format| format.name == "pdf" && format.has_type(&mime))
            .ok_or_else(|| named("application/octet-stream")),
        ContentClass::Text => text_format(&mime, label, bytes, url).ok_or_else(|| named("text/plain")),
    }
}

/// Format of a body that is text.
fn text_format(mime: &str, label: Label, bytes: &[u8], url: Option<&str>) -> Option<&'static SourceFormat> {
    let is_data = || match label {
        // Some servers declare the JSON responses of their APIs as HTML.
        Label::Html => plain::is_json(bytes),
        Label::Xml => is_other_xml(bytes),
        _ => false,
    };
    FORMATS
        .iter()
        .find(|format| format.is_detected(label, bytes, url))
        .or_else(|| SourceFormat::named("text").filter(|_| is_data()))
        .or_else(|| FORMATS.iter().find(|format| format.has_type(mime) && !format.is_archive()))
}

/// True if a body is HTML. The media type decides, or the bytes if the media type is not meaningful.
pub(crate) fn is_html(content_type: Option<&str>, bytes: &[u8]) -> bool {
    detect(content_type, bytes, None).is_ok_and(|format| format.name == "html")
}

/// True if a body is plain text, source code or data.
pub(crate) fn is_plain(content_type: Option<&str>, bytes: &[u8], url: Option<&str>) -> bool {
    detect(content_type, bytes, url).is_ok_and(|format| format.name == "text")
}

/// Media type of files with this extension, if the extension belongs to a readable format or a programming
/// language.
pub fn media_type_of_extension(extension: &str) -> Option<&'static str> {
    match extension.to_ascii_lowercase().as_str() {
        "xhtml" | "xht" => Some("application/xhtml+xml"),
        "tsv" => Some("text/tab-separated-values"),
        "xml" => Some("application/xml"),
        other => SourceFormat::of_extension(other)
            .map(SourceFormat::media_type)
            .or_else(|| plain::media_type_of_extension(other)),
    }
}

/// Name of the text format that the beginning of a text indicates.
pub(crate) fn format_of_head(head: &[u8]) -> Option<&'static str> {
    let is_so = |format: &&SourceFormat| match format.magic {
        Magic::Predicate(predicate) | Magic::PredicateOrName(predicate) => {
            format.name != "text" && predicate(head)
        }
        Magic::Prefix(prefix) => head.starts_with(prefix),
        Magic::Zip { .. } | Magic::Name => false,
    };
    FORMATS.iter().find(is_so).map(|format| format.name)
}

/// Always true. The function is called only for bodies that are already known to be text.
fn is_any_text(_: &[u8]) -> bool {
    true
}

/// True for bytes without NUL and with few control characters.
pub(crate) fn looks_like_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    !head.contains(&0)
        && head.iter().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count() * 50
            <= head.len()
}

/// True for XML whose root element is not the root element of a feed.
fn is_other_xml(bytes: &[u8]) -> bool {
    xml::root(&charset::head_of(bytes, HEAD_BYTES)).is_some_and(|(name, _)| {
        !matches!(name, "rss" | "rdf" | "RDF" | "feed" | "channel" | "item" | "entry")
    })
}

/// True if a body begins like an HTML page.
fn looks_like_html(bytes: &[u8]) -> bool {
    let head = charset::head_of(bytes, HEAD_BYTES).to_ascii_lowercase();
    let start = head.trim_start();
    if start.starts_with("<?xml") {
        return xml::root(start).is_some_and(|(name, _)| name == "html");
    }
    let start = &start[..start.floor_char_boundary(1024)];
    start.starts_with('<')
        && !start.starts_with("<svg")
        && ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<p>", "<div"]
            .iter()
            .any(|mark| start.contains(mark))
}

#[cfg(test)]
mod tests;
