//! Reads mail (EML) and web archives (MHTML): the header and text of a message, or the page of an archive.

mod fields;
mod files;
mod message;

use url::Url;

pub use self::fields::MailFields;
use self::files::MailPictures;
pub use self::files::{MAIL_PICTURES, MailFile};
use self::message::{MailHeader, MailPart};
use crate::{
    charset,
    document::{Block, BlockKind, Category, ExtractionSource, Input, Quality},
    draft::{Draft, DraftResult, ReadError},
    html::{self, Converted},
    plain,
};

/// Number of leading bytes that are searched for a header.
const HEAD_BYTES: usize = 16 * 1024;
/// Maximum nesting depth of messages within messages.
const MAX_DEPTH: usize = 4;
/// Header fields that are part of the text of a message.
const HEADER_FIELDS: [&str; 4] = ["From", "To", "Cc", "Date"];

/// Treatment of the header of the outermost message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeaderLines {
    /// The header is the first block of the text.
    Included,
    /// The text begins with the body.
    Omitted,
}

/// True if the bytes begin like a message: with a sender and a field that occurs only in mail.
pub(super) fn is_mail(bytes: &[u8]) -> bool {
    head(bytes).is_some_and(|header| {
        header.get("From").is_some()
            && ["MIME-Version", "Message-ID", "Received", "Return-Path"]
                .iter()
                .any(|name| header.get(name).is_some())
    })
}

/// True if the bytes begin like a web archive, which contains a page and its resources.
pub(crate) fn is_web_archive(bytes: &[u8]) -> bool {
    head(bytes).is_some_and(|header| {
        header.get("MIME-Version").is_some()
            && header.media_type() == "multipart/related"
            && (header.get("Snapshot-Content-Location").is_some() || header.get("To").is_none())
    })
}

/// Header at the beginning of a body. `None` if the first line is not a header field.
fn head(bytes: &[u8]) -> Option<MailHeader> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let first = head.iter().position(|byte| *byte == b':')?;
    let is_name = head[..first].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    (is_name && first > 0 || head.starts_with(b"From ")).then(|| MailHeader::read(head).0)
}

pub(super) fn read(input: &Input) -> DraftResult {
    let whole = MailPart::read(&input.bytes);
    if is_web_archive(&input.bytes) {
        return read_archive(&whole, input);
    }
    read_mail(&whole, input, HeaderLines::Included, &mut MailPictures::of(&whole))
}

/// Reads a received message: the fields that an inbox stores, and its text without the header.
pub(crate) fn read_received(input: &Input) -> (MailFields, DraftResult) {
    let whole = MailPart::read(&input.bytes);
    let mut pictures = MailPictures::of(&whole);
    let draft = read_mail(&whole, input, HeaderLines::Omitted, &mut pictures);
    (MailFields { tracking_pixels: pictures.tracking_pixels, ..MailFields::of(&whole) }, draft)
}

/// Reads a file of a message. `None` if the message has no file with this number.
pub(crate) fn read_file(message: &[u8], number: u32) -> Option<(MailFile, Vec<u8>)> {
    files::read(&MailPart::read(message), number)
}

fn read_mail(
    whole: &MailPart<'_>,
    input: &Input,
    lines: HeaderLines,
    pictures: &mut MailPictures,
) -> DraftResult {
    if whole.header.is_empty() {
        return plain::read(input);
    }
    let mut draft = Draft {
        title: whole.header.text("Subject"),
        author: whole.header.text("From").map(|from| fields::name_of(&from)).filter(|name| !name.is_empty()),
        published_at: whole.header.get("Date").and_then(fields::date),
        category: Some(Category::Document),
        quality: Some(Quality::Complete),
        ..Draft::default()
    };
    push_message(&mut draft, whole, 0, lines, pictures);
    if whole.is_cut() {
        draft.report_missing_part();
    }
    Ok(draft)
}

/// Page of a web archive, for imports.
pub(crate) struct ArchivedPage {
    pub(crate) url: Option<String>,
    pub(crate) title: Option<String>,
    /// Date of the archive, as written in its header.
    pub(crate) date: Option<String>,
    pub(crate) html: String,
    /// Number of other parts of the archive.
    pub(crate) resources: usize,
}

/// Page of a web archive. `None` if the archive has no page.
pub(crate) fn archived_page(bytes: &[u8]) -> Option<ArchivedPage> {
    let whole = MailPart::read(bytes);
    let page = page_of(&whole)?;
    Some(ArchivedPage {
        url: address_of(&whole, page).map(str::to_owned),
        title: whole.header.text("Subject"),
        date: whole.header.text("Date"),
        html: charset::decode(&page.content(), page.header.get("Content-Type")),
        resources: whole.leaves().len().saturating_sub(1),
    })
}

/// First page of an archive, or the page that the header of the archive identifies.
fn page_of<'w, 'b>(whole: &'w MailPart<'b>) -> Option<&'w MailPart<'b>> {
    let pages: Vec<&'w MailPart<'b>> =
        whole.leaves().into_iter().filter(|part| part.header.media_type().contains("html")).collect();
    let start = whole.header.parameter("Content-Type", "start");
    let is_start = |part: &&&MailPart<'_>| {
        start.is_some() && part.header.get("Content-ID").map(str::trim) == start.as_deref().map(str::trim)
    };
    pages.iter().find(is_start).or_else(|| pages.first()).copied()
}

/// Original URL of the page of an archive.
fn address_of<'p>(whole: &'p MailPart<'_>, page: &'p MailPart<'_>) -> Option<&'p str> {
    whole
        .header
        .get("Snapshot-Content-Location")
        .or_else(|| page.header.get("Content-Location"))
        .map(str::trim)
        .filter(|address| address.starts_with("http"))
}

/// Reads the page of an archive as if it had been fetched from its original URL.
fn read_archive(whole: &MailPart<'_>, input: &Input) -> DraftResult {
    let page = page_of(whole).ok_or(ReadError::Broken)?;
    let address = address_of(whole, page).or(input.url.as_deref());
    let page = Input {
        bytes: page.content(),
        content_type: page.header.get("Content-Type").map(str::to_owned),
        url: address.map(str::to_owned),
    };
    let draft = html::read_input(&page)?;
    Ok(Draft {
        title: draft.title.or_else(|| whole.header.text("Subject")),
        media_type: Some("multipart/related".to_owned()),
        ..draft
    })
}

/// Appends a message: its header, its text, the messages in it, and the names of its attachments.
fn push_message(
    draft: &mut Draft,
    message: &MailPart<'_>,
    depth: usize,
    lines: HeaderLines,
    pictures: &mut MailPictures,
) {
    if depth > 0
        && let Some(subject) = message.header.text("Subject")
    {
        let kind = BlockKind::Heading;
        draft.blocks.push(Block { kind, text: subject, level: Some(2), ..Block::default() });
    }
    let fields: Vec<String> = HEADER_FIELDS
        .iter()
        .filter(|_| lines == HeaderLines::Included)
        .filter_map(|name| Some(format!("{name}: {}", message.header.text(name)?)))
        .collect();
    if !fields.is_empty() {
        draft.blocks.push(Block { text: fields.join("\n"), ..Block::default() });
    }
    let mut attachments = Vec::new();
    push_part(draft, message, &mut attachments, depth, pictures);
    if !attachments.is_empty() {
        let text = format!("Attachments: {}", attachments.join(", "));
        draft.blocks.push(Block { text, ..Block::default() });
    }
}

fn push_part(
    draft: &mut Draft,
    part: &MailPart<'_>,
    attachments: &mut Vec<String>,
    depth: usize,
    pictures: &mut MailPictures,
) {
    let media_type = part.header.media_type();
    // A multipart without boundaries is text. A nested multipart whose parts exceed the limit is omitted.
    let is_multipart = media_type.starts_with("multipart/") && (!part.parts.is_empty() || part.is_cut());
    if is_multipart && media_type == "multipart/alternative" {
        let mut forms: Vec<&MailPart<'_>> = part.parts.iter().rev().collect();
        forms.sort_by_key(|form| rank(&form.header.media_type()));
        let opened = draft.blocks.len();
        for form in forms {
            if draft.blocks.len() == opened {
                push_part(draft, form, attachments, depth, pictures);
            }
        }
    } else if is_multipart {
        for inner in &part.parts {
            push_part(draft, inner, attachments, depth, pictures);
        }
    } else if media_type == "message/rfc822" && depth < MAX_DEPTH {
        let content = part.content();
        push_message(draft, &MailPart::read(&content), depth + 1, HeaderLines::Included, pictures);
    } else if part.is_attachment() {
        if !pictures.is_displayed(part) {
            attachments.push(part.name().unwrap_or(media_type));
        }
    } else if media_type == "text/html" {
        let markup = pictures.link(charset::decode(&part.content(), part.header.get("Content-Type")));
        let base = part.header.get("Content-Location").and_then(|address| Url::parse(address.trim()).ok());
        draft.source = Some(ExtractionSource::Html);
        match html::read_mail(&markup, base.as_ref()) {
            Ok((Converted { blocks, is_partial }, tracking_pixels)) => {
                pictures.tracking_pixels = pictures.tracking_pixels.saturating_add(tracking_pixels);
                draft.blocks.extend(blocks);
                if is_partial {
                    draft.report_missing_part();
                }
            }
            Err(_) => draft.quality = Some(Quality::Partial),
        }
    } else {
        let text = charset::decode(&part.content(), part.header.get("Content-Type"));
        draft.blocks.extend(plain::blocks(&text.replace("\r\n", "\n"), &media_type));
    }
}

/// Order in which alternative forms of a message are tried. If two ranks are equal, the last form is the
/// richest.
fn rank(media_type: &str) -> u8 {
    match media_type {
        "text/html" => 0,
        _ if media_type.starts_with("multipart/") => 0,
        "text/plain" => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests;
