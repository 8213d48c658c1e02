//! First step of a save: validates and normalizes the request.

use async_recursion::async_recursion as boxed;
use entities::ids::ItemId;
use entities::library_words::{CaptureMethod, ContentKind, ItemFormat, ItemStatus};
use url::Url;

use super::classify::{self, Classified, ItemFacts};
use super::files::clean_file_name;
use super::keys::ItemKey;
use super::tags::Tag;
use super::text::Original;
use articles::{Address, Render};
use feeds::Entry;
use kernel::{Code, Domain, Error, Millis, Result, address, rfc3339, source_time};

/// Maximum size of an item's metadata, in bytes.
const METADATA_BYTES: usize = 64 * 1024;
/// Maximum nesting depth of the metadata.
const METADATA_DEPTH: usize = 8;
/// Maximum total number of members in all objects of the metadata.
pub const METADATA_MEMBERS: usize = 512;
/// Maximum length of a title in code points.
pub const TITLE_CHARS: usize = kernel::bounds::ITEM_TITLE_CHARS;

/// Request to save an item.
#[derive(Clone, Debug, Default)]
pub struct Save {
    /// URL of the item. If content or a file is supplied, the URL is not fetched.
    pub url: Option<String>,
    pub title: Option<String>,
    pub content: Option<String>,
    pub author: Option<String>,
    /// Date in any common format.
    pub published_at: Option<String>,
    pub status: Option<ItemStatus>,
    pub tags: Vec<String>,
    pub content_kind: Option<ContentKind>,
    pub capture_method: Option<CaptureMethod>,
    /// Format of the content. Only stored if no content is supplied.
    pub format: Option<ItemFormat>,
    /// Media type of the content.
    pub mime_type: Option<String>,
    pub file_name: Option<String>,
    /// Id that the client assigned to the item.
    pub external_id: Option<String>,
    /// JSON object, as text.
    pub metadata: Option<String>,
    /// Time of the first save. `None` means now.
    pub saved_at: Option<Millis>,
    pub existing_text: ExistingText,
    /// Rendering of the page when its text is fetched. `None` retains the choice of an existing item. A new item gets
    /// the default.
    pub render: Option<Render>,
}

impl Save {
    /// Creates the request that saves a feed entry by its URL. An existing item only receives the values that
    /// it lacks.
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

/// Effect of supplied content on an item that already has a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExistingText {
    #[default]
    Replace,
    Keep,
}

/// Validated request to save an item, ready to be matched with existing items.
#[derive(Clone, Debug)]
pub struct SaveDraft {
    pub url: Option<Url>,
    pub sent_url: Option<String>,
    /// Id of an item, if the URL is a `urn:uuid:` URL.
    pub own_id: Option<ItemId>,
    /// Address to fetch if the save has only a URL.
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
    pub content_key: Option<ItemKey>,
    pub saved_at: Option<Millis>,
    pub existing_text: ExistingText,
    pub render: Option<Render>,
}

impl SaveDraft {
    /// Validates a save.
    ///
    /// # Errors
    /// `missing_source`, `invalid_url`, `url_not_allowed`, `invalid_request`.
    #[boxed]
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
        let (mime_type, title) = (line(save.mime_type), title(save.title));
        let format = match &content {
            Some(content) => {
                let (mime, name) = (mime_type.as_deref(), file_name.as_deref());
                classify::format_of_content(mime, name, save.format, content)
            }
            None => format_of(save.format, mime_type.as_deref(), file_name.as_deref(), url.as_ref()),
        };
        let external_id = external_id(save.external_id)?;
        let needs_content_key = url.is_none() && own_id.is_none() && external_id.is_none();
        let key_of =
            |content: &str| ItemKey::content(title.as_deref().unwrap_or_default(), content.as_bytes());
        let content_key = content.as_deref().filter(|_| needs_content_key).map(key_of);
        let classified = classify::classify(ItemFacts {
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
            render: save.render,
        })
    }
}

/// Parses the address to fetch, which the guard must allow.
fn fetched_address(domain: &Domain, sent: &str) -> Result<Address> {
    Address::parse(domain, sent).map_err(|error| {
        let reason = error.message.clone();
        error.at("url", reason)
    })
}

/// Removes U+0000 and the other ASCII control characters except tab and line breaks.
pub fn plain(text: &str) -> String {
    let is_allowed = |character: &char| !character.is_control() || matches!(character, '\t' | '\n' | '\r');
    text.chars()
        .filter(|character| is_allowed(character) || ('\u{80}'..='\u{9f}').contains(character))
        .collect()
}

/// Trims an optional field. A blank field becomes `None`.
pub fn line(text: Option<String>) -> Option<String> {
    let text = plain(&text?);
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reduces a title to one line. A blank title becomes `None`.
pub fn title(text: Option<String>) -> Option<String> {
    line(text).map(|text| extract::clean::fold(&text)).filter(|text| !text.is_empty())
}

/// Returns the first `most` code points of a text.
pub fn cut(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// Converts a date in any common format into the format that items use. `None` if the date cannot be parsed.
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

/// Checks an id that a client assigned. A blank id becomes `None`.
///
/// # Errors
/// `invalid_request` if the id contains control characters.
pub fn external_id(id: Option<String>) -> Result<Option<String>> {
    let Some(id) = id.filter(|id| !id.trim().is_empty()) else { return Ok(None) };
    if id.chars().any(char::is_control) {
        return Err(Error::invalid_field("external_id", "must not contain control characters"));
    }
    Ok(Some(id))
}

/// Parses metadata.
///
/// # Errors
/// `invalid_request` if the metadata is too large, nested too deeply, or not an object.
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
        Value::String(text) if text.contains('\0') => Err("must not contain U+0000"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        Value::Array(_) | Value::Object(_) if depth >= METADATA_DEPTH => Err("is nested deeper than 8"),
        Value::Array(values) => values.iter().try_for_each(|value| check(value, depth + 1, members)),
        Value::Object(object) => {
            *members += object.len();
            if *members > METADATA_MEMBERS {
                return Err("has more than 512 members");
            }
            if object.keys().any(|key| key.contains('\0')) {
                return Err("must not contain U+0000");
            }
            object.values().try_for_each(|value| check(value, depth + 1, members))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_limited_in_depth_and_members() {
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
    fn date_is_normalized_and_unparsable_date_becomes_none() {
        assert_eq!(published_at("Mar 3, 2021").as_deref(), Some("2021-03-03"));
        assert_eq!(published_at("2021-03-03T10:00:00+02:00").as_deref(), Some("2021-03-03T08:00:00.000Z"));
        assert_eq!(published_at("soon"), None);
    }
}
