//! Classifies items by content kind and format, before and after their text is extracted.

use entities::library_item;
use entities::library_words::{CaptureMethod, ClassificationMethod, ContentKind, ItemFormat};
use extract::Category;
use url::Url;

use kernel::Millis;

/// Content kind and the method by which it was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classified {
    pub kind: ContentKind,
    pub method: ClassificationMethod,
}

impl Classified {
    /// Returns the confidence in the kind, from 0 to 100.
    pub fn confidence(self) -> i16 {
        match self.method {
            ClassificationMethod::User => 100,
            ClassificationMethod::SourceAdapter => 95,
            ClassificationMethod::Mime => 90,
            ClassificationMethod::Extension => 80,
            ClassificationMethod::Url => 60,
            ClassificationMethod::Metadata | ClassificationMethod::Legacy => 50,
            ClassificationMethod::Fallback => 0,
        }
    }

    pub fn write(self, row: &mut library_item::Model, now: Millis) {
        row.content_kind = self.kind;
        row.kind_method = self.method;
        row.kind_confidence = self.confidence();
        row.kind_at = now;
    }
}

/// Facts by which an item is classified.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ItemFacts<'a> {
    pub url: Option<&'a Url>,
    pub mime: Option<&'a str>,
    pub file_name: Option<&'a str>,
    pub capture: Option<CaptureMethod>,
    pub category: Option<Category>,
}

/// Classifies an item whose kind was not set by a person. The first source that implies a kind wins: URL of a known
/// site, media type, file extension, extension in the URL, category.
pub(crate) fn classify(known: ItemFacts<'_>) -> Classified {
    let by = |method| move |kind| Classified { kind, method };
    by_site(known)
        .map(by(ClassificationMethod::SourceAdapter))
        .or_else(|| known.mime.and_then(by_mime).map(by(ClassificationMethod::Mime)))
        .or_else(|| {
            let kind = known.file_name.and_then(extension).and_then(|ending| by_extension(&ending));
            kind.map(by(ClassificationMethod::Extension))
        })
        .or_else(|| {
            let kind =
                known.url.and_then(|url| extension(url.path())).and_then(|ending| by_extension(&ending));
            kind.map(by(ClassificationMethod::Url))
        })
        .or_else(|| known.category.and_then(by_category).map(by(ClassificationMethod::Metadata)))
        .unwrap_or(Classified { kind: ContentKind::Unknown, method: ClassificationMethod::Fallback })
}

/// Returns the kind of an item from the e-mail inbox, or from a site whose URLs reveal the kind.
fn by_site(known: ItemFacts<'_>) -> Option<ContentKind> {
    if known.capture == Some(CaptureMethod::EmailInbox) {
        return Some(ContentKind::Email);
    }
    let url = known.url?;
    let host = url.host_str()?;
    let host = ["www.", "m.", "mobile."].iter().find_map(|front| host.strip_prefix(front)).unwrap_or(host);
    let path = url.path();
    let is_post = |part: &str| path.contains(part);
    match host {
        "youtube.com" if path == "/watch" || is_post("/shorts/") => Some(ContentKind::Video),
        "youtu.be" | "vimeo.com" if path.len() > 1 => Some(ContentKind::Video),
        "x.com" | "twitter.com" | "nitter.net" if is_post("/status/") => Some(ContentKind::SocialPost),
        "bsky.app" | "threads.net" | "threads.com" if is_post("/post/") => Some(ContentKind::SocialPost),
        "podcasts.apple.com" if url.query().is_some_and(|query| query.contains("i=")) => {
            Some(ContentKind::PodcastEpisode)
        }
        "open.spotify.com" if is_post("/episode/") => Some(ContentKind::PodcastEpisode),
        _ => None,
    }
}

fn by_mime(mime: &str) -> Option<ContentKind> {
    if mime.starts_with("message/") {
        return Some(ContentKind::Email);
    }
    kind_of(format_of_mime(mime)?)
}

fn by_extension(ending: &str) -> Option<ContentKind> {
    if ending == "eml" {
        return Some(ContentKind::Email);
    }
    kind_of(format_of_extension(ending)?)
}

/// Returns the content kind that a format implies. `None` if the format can contain several kinds.
fn kind_of(format: ItemFormat) -> Option<ContentKind> {
    match format {
        ItemFormat::Pdf => Some(ContentKind::Pdf),
        ItemFormat::Epub => Some(ContentKind::Book),
        ItemFormat::Document | ItemFormat::Spreadsheet | ItemFormat::Presentation => {
            Some(ContentKind::Document)
        }
        ItemFormat::Video => Some(ContentKind::Video),
        ItemFormat::Html
        | ItemFormat::Markdown
        | ItemFormat::PlainText
        | ItemFormat::Audio
        | ItemFormat::Unknown => None,
    }
}

fn by_category(category: Category) -> Option<ContentKind> {
    match category.as_str() {
        "article" | "blog" | "paper" => Some(ContentKind::Article),
        "social" => Some(ContentKind::SocialPost),
        "video" => Some(ContentKind::Video),
        "podcast" => Some(ContentKind::PodcastEpisode),
        "document" => Some(ContentKind::Document),
        "other" => None,
        _ => Some(ContentKind::Website),
    }
}

/// Returns the extension of a file name or path, in lower case.
pub(crate) fn extension(name: &str) -> Option<String> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let (stem, ending) = name.rsplit_once('.')?;
    let is_ending = !stem.is_empty() && (1..=8).contains(&ending.len()) && ending.is_ascii();
    is_ending.then(|| ending.to_ascii_lowercase())
}

pub(crate) fn format_of_mime(mime: &str) -> Option<ItemFormat> {
    let mime = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    Some(match mime.as_str() {
        "text/html" | "application/xhtml+xml" => ItemFormat::Html,
        "text/markdown" | "text/x-markdown" => ItemFormat::Markdown,
        "text/plain" => ItemFormat::PlainText,
        "application/pdf" => ItemFormat::Pdf,
        "application/epub+zip" => ItemFormat::Epub,
        "application/msword"
        | "application/rtf"
        | "text/rtf"
        | "application/vnd.oasis.opendocument.text"
        | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => ItemFormat::Document,
        "text/csv"
        | "application/vnd.ms-excel"
        | "application/vnd.oasis.opendocument.spreadsheet"
        | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" => ItemFormat::Spreadsheet,
        "application/vnd.ms-powerpoint"
        | "application/vnd.oasis.opendocument.presentation"
        | "application/vnd.openxmlformats-officedocument.presentationml.presentation" => {
            ItemFormat::Presentation
        }
        mime if mime.starts_with("audio/") => ItemFormat::Audio,
        mime if mime.starts_with("video/") => ItemFormat::Video,
        _ => return None,
    })
}

pub(crate) fn format_of_extension(ending: &str) -> Option<ItemFormat> {
    Some(match ending {
        "html" | "htm" | "xhtml" => ItemFormat::Html,
        "md" | "markdown" => ItemFormat::Markdown,
        "txt" | "text" | "srt" | "vtt" => ItemFormat::PlainText,
        "pdf" => ItemFormat::Pdf,
        "epub" => ItemFormat::Epub,
        "doc" | "docx" | "odt" | "rtf" => ItemFormat::Document,
        "csv" | "xls" | "xlsx" | "ods" => ItemFormat::Spreadsheet,
        "ppt" | "pptx" | "odp" => ItemFormat::Presentation,
        "mp3" | "m4a" | "ogg" | "opus" | "flac" | "wav" => ItemFormat::Audio,
        "mp4" | "mkv" | "webm" | "mov" | "avi" => ItemFormat::Video,
        _ => return None,
    })
}

/// Returns the format of content that was supplied as text: the declared text format, or a format guessed
/// from the content if none was declared.
pub(crate) fn format_of_content(
    mime: Option<&str>,
    file_name: Option<&str>,
    format: Option<ItemFormat>,
    content: &str,
) -> ItemFormat {
    let is_text = |format: &ItemFormat| {
        matches!(format, ItemFormat::Html | ItemFormat::Markdown | ItemFormat::PlainText)
    };
    mime.and_then(format_of_mime)
        .filter(is_text)
        .or_else(|| {
            file_name.and_then(extension).and_then(|ending| format_of_extension(&ending)).filter(is_text)
        })
        .or_else(|| format.filter(is_text))
        .unwrap_or_else(|| if looks_like_html(content) { ItemFormat::Html } else { ItemFormat::PlainText })
}

/// Returns the media type with which supplied content of a format is extracted.
pub(crate) fn mime_of(format: ItemFormat) -> &'static str {
    match format {
        ItemFormat::Html => "text/html",
        ItemFormat::Markdown => "text/markdown",
        ItemFormat::PlainText
        | ItemFormat::Pdf
        | ItemFormat::Epub
        | ItemFormat::Document
        | ItemFormat::Spreadsheet
        | ItemFormat::Presentation
        | ItemFormat::Audio
        | ItemFormat::Video
        | ItemFormat::Unknown => "text/plain",
    }
}

/// Returns true if the content starts like an HTML page or contains a closed block element.
fn looks_like_html(content: &str) -> bool {
    let small: String = content.chars().take(100_000).collect::<String>().to_ascii_lowercase();
    let start = small.trim_start();
    let closed = |name: &&str| {
        let opening = small.find(&format!("<{name}"));
        opening.is_some_and(|at| small[at..].contains(&format!("</{name}>")))
    };
    start.starts_with("<!doctype")
        || start.starts_with("<html")
        || ["p", "div", "article", "section", "ul", "ol", "table", "blockquote", "h1", "h2", "h3", "pre"]
            .iter()
            .any(closed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_url(text: &str) -> (ContentKind, ClassificationMethod, i16) {
        let url = Url::parse(text).unwrap();
        let classified = classify(ItemFacts { url: Some(&url), ..ItemFacts::default() });
        (classified.kind, classified.method, classified.confidence())
    }

    #[test]
    fn kind_comes_from_the_method_with_the_highest_confidence() {
        let (kind, method) = (ContentKind::Video, ClassificationMethod::SourceAdapter);
        assert_eq!(of_url("https://www.youtube.com/watch?v=1"), (kind, method, 95));
        assert_eq!(of_url("https://example.org/a.pdf"), (ContentKind::Pdf, ClassificationMethod::Url, 60));
        assert_eq!(
            of_url("https://example.org/a"),
            (ContentKind::Unknown, ClassificationMethod::Fallback, 0)
        );
        let known = ItemFacts {
            mime: Some("application/epub+zip; x=1"),
            file_name: Some("a.pdf"),
            category: Some(Category::Article),
            ..ItemFacts::default()
        };
        let classified = classify(known);
        assert_eq!((classified.kind, classified.confidence()), (ContentKind::Book, 90));
        let classified = classify(ItemFacts { mime: None, ..known });
        assert_eq!((classified.kind, classified.confidence()), (ContentKind::Pdf, 80));
        let classified = classify(ItemFacts { mime: None, file_name: None, ..known });
        assert_eq!((classified.kind, classified.confidence()), (ContentKind::Article, 50));
    }

    #[test]
    fn content_format_is_guessed_unless_a_text_format_is_declared() {
        let of = |mime, name, format, content| format_of_content(mime, name, format, content);
        assert_eq!(of(Some("text/markdown"), Some("a.html"), None, "<p>x</p>"), ItemFormat::Markdown);
        assert_eq!(of(None, Some("a.md"), Some(ItemFormat::Html), "x"), ItemFormat::Markdown);
        assert_eq!(of(None, None, Some(ItemFormat::Html), "x"), ItemFormat::Html);
        assert_eq!(of(None, None, Some(ItemFormat::Pdf), "x <p>y</p>"), ItemFormat::Html);
        assert_eq!(of(None, None, None, "1 < 2 and <b>bold</b>"), ItemFormat::PlainText);
        assert_eq!(of(None, None, None, " <!DOCTYPE html>"), ItemFormat::Html);
    }
}
