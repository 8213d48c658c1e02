//! What is sent to be saved, checked and brought into the form in which items are compared.

use entities::ids::ItemId;
use entities::library_words::{CaptureMethod, ContentKind, ItemFormat, ItemStatus};
use url::Url;

use super::classify::{self, Classified, Known};
use super::files::clean_file_name;
use super::keys::Key;
use super::tags::Tag;
use super::text::Original;
use articles::Address;
use feeds::Entry;
use kernel::address;
use kernel::clock::{Millis, rfc3339, source_time};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

/// Bytes of an item's metadata.
const METADATA_BYTES: usize = 64 * 1024;
/// How deep it may be nested.
const METADATA_DEPTH: usize = 8;
/// Members of all its objects together.
const METADATA_MEMBERS: usize = 512;
/// Code points of a title.
pub const TITLE_CHARS: usize = kernel::bounds::ITEM_TITLE_CHARS;

/// Something to save.
#[derive(Clone, Debug, Default)]
pub struct Save {
    /// Where it is; a label, where there is content or a file.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its content.
    pub content: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// When, in any usual form.
    pub published_at: Option<String>,
    /// Where to keep it.
    pub status: Option<ItemStatus>,
    /// Tags.
    pub tags: Vec<String>,
    /// What it is.
    pub content_kind: Option<ContentKind>,
    /// How it comes.
    pub capture_method: Option<CaptureMethod>,
    /// The format of the content, or a label.
    pub format: Option<ItemFormat>,
    /// The media type of the content.
    pub mime_type: Option<String>,
    /// The name of its file.
    pub file_name: Option<String>,
    /// The client's own id.
    pub external_id: Option<String>,
    /// JSON text of an object.
    pub metadata: Option<String>,
    /// When it was saved first; now, where it is not said.
    pub saved_at: Option<Millis>,
    /// Whether content takes the place of a text that is there.
    pub existing_text: ExistingText,
}

impl Save {
    /// An entry of a feed, by its address. An item that is there only takes what it lacks.
    pub fn of_entry(entry: Entry) -> Self {
        Self {
            url: Some(entry.url),
            title: Some(entry.title).filter(|title| !title.trim().is_empty()),
            author: entry.author,
            published_at: entry.published_at.map(rfc3339),
            capture_method: Some(CaptureMethod::Rss),
            existing_text: ExistingText::Keep,
            ..Self::default()
        }
    }
}

/// What content does to an item that has a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExistingText {
    /// It takes its place.
    #[default]
    Replace,
    /// Nothing.
    Keep,
}

/// What was sent, ready to be compared with what is there.
#[derive(Clone, Debug)]
pub struct Draft {
    pub url: Option<Url>,
    pub sent_url: Option<String>,
    /// The item that a `urn:uuid:` names.
    pub own_id: Option<ItemId>,
    /// What is fetched, where the URL is all there is.
    pub address: Option<Address>,
    pub title: Option<String>,
    pub author: Option<String>,
    pub published_at: Option<String>,
    pub status: ItemStatus,
    pub tags: Vec<Tag>,
    pub person_kind: Option<ContentKind>,
    pub classified: Classified,
    pub capture_method: CaptureMethod,
    pub format: ItemFormat,
    pub mime_type: Option<String>,
    pub file_name: Option<String>,
    pub external_id: Option<String>,
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
    pub original: Option<Original>,
    pub content_key: Option<Key>,
    pub saved_at: Option<Millis>,
    pub existing_text: ExistingText,
}

impl Draft {
    /// Checks what was sent.
    ///
    /// # Errors
    /// `missing_source`, `invalid_url`, `url_not_allowed`, `invalid_request`.
    pub async fn of(domain: &Domain, save: Save) -> Result<Self> {
        let content = save.content.map(|text| plain(&text)).filter(|text| !text.trim().is_empty());
        let file_name = line(save.file_name).map(|name| clean_file_name(&name));
        if save.url.is_none() && content.is_none() && file_name.is_none() {
            let message = "Send at least one of url, content and fileName.";
            return Err(Error::new(Code::MissingSource, message));
        }
        let own_id = save.url.as_deref().and_then(own_id);
        let sent_url = save.url.filter(|_| own_id.is_none());
        let url = sent_url.as_deref().map(address::parse).transpose()?;
        let is_fetched = content.is_none() && file_name.is_none();
        let fetched = sent_url.as_deref().filter(|_| is_fetched);
        let address = fetched.map(|sent| fetched_address(domain, sent)).transpose()?;
        let (mime_type, title) = (line(save.mime_type), line(save.title));
        let format = match &content {
            Some(content) => {
                let (mime, name) = (mime_type.as_deref(), file_name.as_deref());
                classify::format_of_content(mime, name, save.format, content)
            }
            None => format_of(save.format, mime_type.as_deref(), file_name.as_deref(), url.as_ref()),
        };
        let external_id = external_id(save.external_id)?;
        let needs_content_key = url.is_none() && own_id.is_none() && external_id.is_none();
        let key_of = |content: &str| Key::content(title.as_deref().unwrap_or_default(), content.as_bytes());
        let content_key = content.as_deref().filter(|_| needs_content_key).map(key_of);
        let classified = classify::classify(Known {
            url: url.as_ref(),
            mime: mime_type.as_deref(),
            file_name: file_name.as_deref(),
            capture: save.capture_method,
            category: None,
        });
        let original = match content {
            Some(content) => Some(Original::pack(content.into_bytes(), classify::mime_of(format)).await?),
            None => None,
        };
        Ok(Self {
            url,
            sent_url,
            own_id,
            address,
            title: title.map(|title| cut(&title, TITLE_CHARS)),
            author: line(save.author),
            published_at: save.published_at.as_deref().and_then(published_at),
            status: save.status.unwrap_or(ItemStatus::Inbox),
            tags: Tag::list(&save.tags)?,
            person_kind: save.content_kind,
            classified,
            capture_method: save.capture_method.unwrap_or(CaptureMethod::Api),
            format,
            mime_type,
            file_name,
            external_id,
            metadata: save.metadata.as_deref().map(metadata).transpose()?,
            original,
            content_key,
            saved_at: save.saved_at,
            existing_text: save.existing_text,
        })
    }
}

/// What is fetched, as far as the guard lets it.
fn fetched_address(domain: &Domain, sent: &str) -> Result<Address> {
    Address::parse(domain, sent).map_err(|error| {
        let reason = error.message.clone();
        error.at("url", reason)
    })
}

/// A text without what no text may hold: U+0000 and other control characters but tab and newline.
pub fn plain(text: &str) -> String {
    let kept = |character: &char| !character.is_control() || matches!(character, '\t' | '\n' | '\r');
    text.chars().filter(|character| kept(character) || ('\u{80}'..='\u{9f}').contains(character)).collect()
}

/// One line of a field that may be left out; a blank one is.
pub fn line(text: Option<String>) -> Option<String> {
    let text = plain(&text?);
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The first `most` code points.
pub fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// A time in any usual form, as items show it; none for what cannot be read.
pub fn published_at(text: &str) -> Option<String> {
    extract::written_date(text).map(|time| source_time(&time))
}

fn own_id(url: &str) -> Option<ItemId> {
    let url = url.trim();
    let is_urn = url.get(..9).is_some_and(|front| front.eq_ignore_ascii_case("urn:uuid:"));
    is_urn.then(|| url.get(9..).and_then(|id| id.parse().ok())).flatten()
}

fn format_of(
    said: Option<ItemFormat>,
    mime: Option<&str>,
    file_name: Option<&str>,
    url: Option<&Url>,
) -> ItemFormat {
    let of_name =
        |name: &str| classify::extension(name).and_then(|ending| classify::format_of_extension(&ending));
    said.or_else(|| mime.and_then(classify::format_of_mime))
        .or_else(|| file_name.and_then(of_name))
        .or_else(|| url.and_then(|url| of_name(url.path())))
        .unwrap_or(if file_name.is_some() { ItemFormat::Unknown } else { ItemFormat::Html })
}

/// An id that a client gives; a blank one is none.
///
/// # Errors
/// `invalid_request` for control characters.
pub fn external_id(id: Option<String>) -> Result<Option<String>> {
    let Some(id) = id.filter(|id| !id.trim().is_empty()) else { return Ok(None) };
    if id.chars().any(char::is_control) {
        return Err(Error::invalid_field("external_id", "must not hold control characters"));
    }
    Ok(Some(id))
}

/// The object that metadata are.
///
/// # Errors
/// `invalid_request` for what is too large, too deep or no object.
pub fn metadata(text: &str) -> Result<serde_json::Map<String, serde_json::Value>> {
    let wrong = |reason: &str| Error::invalid_field("metadata", reason);
    if text.len() > METADATA_BYTES {
        return Err(wrong("is longer than 65536 bytes"));
    }
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(text) else {
        return Err(wrong("must be an object"));
    };
    let mut members = 0;
    let value = serde_json::Value::Object(object);
    check(&value, 0, &mut members).map_err(wrong)?;
    match value {
        serde_json::Value::Object(object) => Ok(object),
        _ => Err(wrong("must be an object")),
    }
}

fn check(value: &serde_json::Value, depth: usize, members: &mut usize) -> Result<(), &'static str> {
    use serde_json::Value;
    match value {
        Value::String(text) if text.contains('\0') => Err("must not hold U+0000"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        Value::Array(_) | Value::Object(_) if depth >= METADATA_DEPTH => Err("is nested deeper than 8"),
        Value::Array(values) => values.iter().try_for_each(|value| check(value, depth + 1, members)),
        Value::Object(object) => {
            *members += object.len();
            if *members > METADATA_MEMBERS {
                return Err("has more than 512 members");
            }
            if object.keys().any(|key| key.contains('\0')) {
                return Err("must not hold U+0000");
            }
            object.values().try_for_each(|value| check(value, depth + 1, members))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_have_bounds() {
        assert!(metadata(r#"{"a": {"b": [1, "x"]}}"#).is_ok());
        let deep = format!("{}1{}", "{\"a\":".repeat(9), "}".repeat(9));
        assert!(
            metadata(&deep).is_err() && metadata("[]").is_err() && metadata(r#"{"a":"\u0000"}"#).is_err()
        );
        assert!(metadata(&format!("{}1{}", "{\"a\":".repeat(8), "}".repeat(8))).is_ok());
        let many: Vec<String> = (0..513).map(|n| format!("\"k{n}\": 1")).collect();
        assert!(metadata(&format!("{{{}}}", many.join(","))).is_err());
    }

    #[test]
    fn an_unreadable_time_is_none() {
        assert_eq!(published_at("Mar 3, 2021").as_deref(), Some("2021-03-03"));
        assert_eq!(published_at("2021-03-03T10:00:00+02:00").as_deref(), Some("2021-03-03T08:00:00.000Z"));
        assert_eq!(published_at("soon"), None);
    }
}
