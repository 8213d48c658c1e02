//! The whole way from bytes to a document, for every format.

use crate::{
    assemble::{self, Assembled},
    charset, clean,
    document::{Block, Category, Document, ExtractionSource, Found, Input, Leads, Quality, Warning},
    formats::{self, Archive, epub, feed_page, office},
    html, markdown, pdf, plain,
};

/// What a format's reader found, before it is finished the same way for all of them.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) title: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) publisher: Option<String>,
    pub(crate) published_at: Option<String>,
    pub(crate) modified_at: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) canonical_url: Option<String>,
    pub(crate) source: Option<ExtractionSource>,
    pub(crate) quality: Option<Quality>,
    pub(crate) category: Option<Category>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) leads: Leads,
}

/// Reads a source, whatever its format. The same input gives the same answer.
pub fn extract(input: &Input) -> Found {
    let mut found = extract_declared(input);
    if let Found::Document(document) = &mut found
        && document.language.is_none()
    {
        document.language = language_of(&document.blocks);
    }
    found
}

/// As `extract`, but with the language only where the source declares one.
pub(crate) fn extract_declared(input: &Input) -> Found {
    let mime = input.content_type.as_deref().map(charset::essence).unwrap_or_default();
    match kind(&mime, input) {
        Kind::Html => page(input, if mime.contains("html") { &mime } else { "text/html" }),
        Kind::Pdf => match pdf::read(&input.bytes) {
            Some(reading) => finish(reading, "application/pdf", input),
            None => Found::NoText { warnings: Vec::new(), leads: Leads::default() },
        },
        Kind::Archive => archive(input, mime),
        Kind::Feed => {
            let (body, content_type) = (input.bytes.clone(), input.content_type.clone());
            match feed_page::read(body, content_type, input.url.clone()) {
                Some(reading) => finish(reading, &mime, input),
                None if mime.contains("json") => plain(input),
                None => Found::Unsupported { mime },
            }
        }
        Kind::Markdown => {
            let mut reading = markdown::read(&text(input), input.url.as_deref());
            reading.source = Some(ExtractionSource::Markdown);
            finish(reading, "text/markdown", input)
        }
        Kind::Plain => plain(input),
        Kind::Unknown => Found::Unsupported { mime },
    }
}

fn plain(input: &Input) -> Found {
    let (title, blocks) = plain::read(&text(input));
    let source = Some(ExtractionSource::PlainText);
    finish(Reading { title, source, blocks, ..Reading::default() }, "text/plain", input)
}

fn archive(input: &Input, mime: String) -> Found {
    let (reading, kind) = match formats::archive_kind(&input.bytes) {
        Archive::Epub => (epub::read(&input.bytes), EPUB),
        Archive::Docx => (office::read_docx(&input.bytes), DOCX),
        Archive::Odt => (office::read_odt(&input.bytes), ODT),
        Archive::Other => return Found::Unsupported { mime },
    };
    match reading {
        Some(reading) => finish(reading, kind, input),
        None => Found::NoText { warnings: Vec::new(), leads: Leads::default() },
    }
}

const EPUB: &str = "application/epub+zip";
const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const ODT: &str = "application/vnd.oasis.opendocument.text";

enum Kind {
    Html,
    Pdf,
    Archive,
    Feed,
    Markdown,
    Plain,
    Unknown,
}

/// The format, by what the server says; by the first bytes where it says nothing.
fn kind(mime: &str, input: &Input) -> Kind {
    let silent = matches!(mime, "" | "application/octet-stream" | "binary/octet-stream");
    match mime {
        "text/html" | "application/xhtml+xml" => Kind::Html,
        "application/pdf" | "application/x-pdf" => Kind::Pdf,
        _ if silent && input.bytes.starts_with(b"%PDF-") => Kind::Pdf,
        EPUB | DOCX | ODT | "application/zip" => Kind::Archive,
        _ if silent && input.bytes.starts_with(b"PK\x03\x04") => Kind::Archive,
        "application/rss+xml"
        | "application/atom+xml"
        | "application/rdf+xml"
        | "application/feed+json"
        | "application/xml"
        | "text/xml" => Kind::Feed,
        "application/json" if is_json_feed(&input.bytes) => Kind::Feed,
        _ if silent && looks_like_html(&input.bytes) => Kind::Html,
        "text/markdown" | "text/x-markdown" => Kind::Markdown,
        "text/plain" | "" | "application/octet-stream" if has_markdown_name(input.url.as_deref()) => {
            Kind::Markdown
        }
        "text/plain" | "" => Kind::Plain,
        _ if mime.starts_with("text/x-") || is_plain_data(mime) => Kind::Plain,
        _ if silent && looks_like_text(&input.bytes) => Kind::Plain,
        _ => Kind::Unknown,
    }
}

fn is_plain_data(mime: &str) -> bool {
    matches!(
        mime,
        "text/csv"
            | "text/tab-separated-values"
            | "application/json"
            | "application/yaml"
            | "text/yaml"
            | "text/rst"
    )
}

fn is_json_feed(bytes: &[u8]) -> bool {
    memchr::memmem::find(&bytes[..bytes.len().min(4096)], b"jsonfeed.org/version").is_some()
}

fn has_markdown_name(url: Option<&str>) -> bool {
    let path =
        url.map(|url| url.split(['?', '#']).next().unwrap_or(url).to_ascii_lowercase()).unwrap_or_default();
    matches!(path.rsplit_once('.'), Some((_, "md" | "markdown")))
}

/// Bytes without NUL that are mostly no controls.
fn looks_like_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    !head.contains(&0)
        && head.iter().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count() * 50
            <= head.len()
}

fn text(input: &Input) -> String {
    charset::decode(&input.bytes, input.content_type.as_deref())
}

fn page(input: &Input, mime: &str) -> Found {
    match html::read(&text(input), input.url.as_deref()) {
        Ok(reading) => finish(reading, mime, input),
        Err(reason) => Found::TooComplex { reason },
    }
}

/// Whether a body is a page by its type, or by its look where the server does not say.
pub(crate) fn is_html(mime: &str, bytes: &[u8]) -> bool {
    match mime {
        "text/html" | "application/xhtml+xml" => true,
        "" | "application/octet-stream" | "binary/octet-stream" => looks_like_html(bytes),
        _ => false,
    }
}

/// A body that begins as a page does, from a server that does not say what it sends.
fn looks_like_html(bytes: &[u8]) -> bool {
    let head: Vec<u8> = bytes.iter().take(1024).map(u8::to_ascii_lowercase).collect();
    let start = head.trim_ascii_start();
    start.starts_with(b"<")
        && ["<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<p>", "<div"]
            .iter()
            .any(|mark| memchr::memmem::find(start, mark.as_bytes()).is_some())
}

/// Anchors, counts and hash, then the fields that every format fills alike.
fn finish(mut reading: Reading, mime: &str, input: &Input) -> Found {
    let Assembled { blocks, controls_removed, truncated, total_tokens, content_hash } =
        assemble::assemble(std::mem::take(&mut reading.blocks));
    let mut warnings = std::mem::take(&mut reading.warnings);
    if controls_removed | strip_fields(&mut reading) {
        warnings.push(Warning::ControlCharactersRemoved);
    }
    if truncated {
        warnings.push(Warning::TruncatedSource);
    }
    warnings.sort_unstable();
    warnings.dedup();
    if blocks.is_empty() {
        return Found::NoText { warnings, leads: reading.leads };
    }
    let title =
        reading.title.filter(|title| !title.is_empty()).unwrap_or_else(|| fallback_title(&blocks, input));
    Found::Document(Box::new(Document {
        title,
        author: reading.author,
        publisher: reading.publisher,
        published_at: reading.published_at,
        modified_at: reading.modified_at,
        language: reading.language,
        canonical_url: reading.canonical_url,
        content_type: mime.to_owned(),
        source: reading.source.unwrap_or(ExtractionSource::PlainText),
        quality: reading.quality,
        category: reading.category,
        warnings,
        blocks,
        content_hash,
        total_tokens,
        leads: reading.leads,
    }))
}

/// Fields are folded to one line; true when one held control characters.
fn strip_fields(reading: &mut Reading) -> bool {
    let mut found = false;
    for field in [&mut reading.title, &mut reading.author, &mut reading.publisher].into_iter().flatten() {
        found |= clean::strip_controls(field);
        *field = clean::fold(field);
    }
    found
}

/// The beginning of the text, for sources that name nothing as their title.
fn fallback_title(blocks: &[Block], input: &Input) -> String {
    let first =
        blocks.iter().find(|block| block.kind == crate::BlockKind::Heading).or_else(|| blocks.first());
    let words = first.map(|block| clean::fold(&block.text)).unwrap_or_default();
    if words.is_empty() {
        return input.url.clone().unwrap_or_else(|| "Untitled".to_owned());
    }
    if words.chars().count() <= 100 {
        return words;
    }
    let short: String = words.chars().take(100).collect();
    let end = short.rfind(' ').filter(|&at| at > 40).unwrap_or(short.len());
    format!("{}…", &short[..end])
}

/// The language of the text by its look; nothing when there is too little to tell.
fn language_of(blocks: &[Block]) -> Option<String> {
    let mut sample = String::new();
    for block in blocks.iter().filter(|block| block.kind != crate::BlockKind::Code) {
        sample.push_str(&block.text);
        sample.push('\n');
        if sample.len() > 4000 {
            break;
        }
    }
    let found = whatlang::detect(&sample)?;
    found.is_reliable().then(|| two_letters(found.lang().code()))
}

/// Codes of three letters and of two.
const CODES: &[(&str, &str)] = &[
    ("eng", "en"),
    ("deu", "de"),
    ("fra", "fr"),
    ("spa", "es"),
    ("por", "pt"),
    ("ita", "it"),
    ("nld", "nl"),
    ("rus", "ru"),
    ("ukr", "uk"),
    ("bel", "be"),
    ("pol", "pl"),
    ("ces", "cs"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("hrv", "hr"),
    ("srp", "sr"),
    ("bul", "bg"),
    ("mkd", "mk"),
    ("ron", "ro"),
    ("hun", "hu"),
    ("fin", "fi"),
    ("est", "et"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("swe", "sv"),
    ("dan", "da"),
    ("nob", "nb"),
    ("tur", "tr"),
    ("aze", "az"),
    ("kaz", "kk"),
    ("uzb", "uz"),
    ("tuk", "tk"),
    ("ell", "el"),
    ("heb", "he"),
    ("yid", "yi"),
    ("ara", "ar"),
    ("pes", "fa"),
    ("urd", "ur"),
    ("hin", "hi"),
    ("ben", "bn"),
    ("guj", "gu"),
    ("pan", "pa"),
    ("mar", "mr"),
    ("tam", "ta"),
    ("tel", "te"),
    ("kan", "kn"),
    ("mal", "ml"),
    ("sin", "si"),
    ("ori", "or"),
    ("nep", "ne"),
    ("tha", "th"),
    ("khm", "km"),
    ("mya", "my"),
    ("vie", "vi"),
    ("ind", "id"),
    ("tgl", "tl"),
    ("jav", "jv"),
    ("cmn", "zh"),
    ("jpn", "ja"),
    ("kor", "ko"),
    ("kat", "ka"),
    ("hye", "hy"),
    ("amh", "am"),
    ("cat", "ca"),
    ("afr", "af"),
    ("zul", "zu"),
    ("sna", "sn"),
    ("lat", "la"),
    ("epo", "eo"),
    ("cym", "cy"),
];

/// BCP 47 prefers the two-letter code where there is one.
fn two_letters(code: &str) -> String {
    CODES.iter().find(|(long, _)| *long == code).map_or(code, |(_, short)| short).to_owned()
}
