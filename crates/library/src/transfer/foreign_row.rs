//! Converts rows of other services into import records.

use entities::ids::AccountId;
use entities::library_item;
use entities::library_words::{
    ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, HighlightColor, ItemFormat, ItemStatus,
    Lane, TextOrigin,
};
use extract::imports::{self, Format, ImportRow, ImportStatus};
use extract::sandbox::Pool;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use super::import_record::{
    AnnotationContent, Completeness, HighlightContent, ImportRecord, ImportedAnnotation, NewItem, RowError,
    SourceKey,
};
use crate::classify::{self, ItemFacts};
use crate::content_extraction::{self, ContentInput, SAVE_TIMEOUT};
use crate::draft::{self, TITLE_CHARS, cut};
use crate::keys::Key;
use crate::tags::{MAX_TAGS, Tag};
use crate::text::Original;
use crate::text_request::{TextOutcome, UNTITLED};
use crate::{item, precedence};
use articles::Address;
use kernel::bounds::TAG_CHARS;
use kernel::{Code, Domain, Millis, address};

/// Tag of starred rows.
const FAVORITE: &str = "favorite";
/// Maximum length of a row's id. A longer id is hashed.
const ID_CHARS: usize = 255;
/// Maximum size of an item's metadata.
const METADATA_BYTES: usize = 60 * 1024;
/// Maximum lengths of a quote, a note, and an author, in code points.
const QUOTE_CHARS: usize = 10_000;
const NOTE_CHARS: usize = 100_000;
const AUTHOR_CHARS: usize = 500;

/// Origin of a row.
#[derive(Clone, Copy)]
pub(super) struct RowSource<'a> {
    pub(super) domain: &'a Domain,
    /// Sandbox in which the texts of rows are extracted. `None` in a dry run.
    pub(super) sandbox: Option<&'a Pool>,
    pub(super) format: Format,
    pub(super) number: u64,
}

impl RowSource<'_> {
    /// Import record of a row, or the reason why the row is not imported.
    pub(super) async fn prepare(self, mut row: ImportRow) -> Result<ImportRecord, RowError> {
        let id = self.id_of(&row);
        let mut warnings = Vec::new();
        let url = match row.url.as_deref().map(parse_url).transpose() {
            Ok(None) => None,
            Ok(Some((url, had_user))) => {
                if had_user {
                    let reason = "user name and password were removed from the URL";
                    warnings.push(RowError::of("invalid_url", reason));
                    row.url = Some(url.to_string());
                }
                Some(url)
            }
            Err(row_error) => return Err(row_error),
        };
        remove_user_info(&mut row);
        let guarded = url.as_ref().map(|url| Address::parse(self.domain, url.as_str()));
        let refused = matches!(guarded, Some(Err(_)));
        if refused {
            warnings.push(RowError::of(Code::UrlNotAllowed.as_str(), "the URL must not be fetched"));
        }
        let mut keys: Vec<Key> = Vec::new();
        let named = row.source_id.is_some().then(|| Key::external(&id));
        keys.extend(named.clone().or_else(|| url.is_none().then(|| Key::import(&id))));
        keys.extend(url.as_ref().map(Key::url));
        let now = self.domain.now();
        let mut item = self.item(&row, url.as_ref(), now);
        if let Some(Key { value, .. }) = named {
            item.external_id = Some(value);
        }
        if refused {
            item.article_status = ArticleStatus::Failed;
            item.article_error = Some(Code::UrlNotAllowed.as_str().to_owned());
            item.failed_at = Some(now);
        } else if url.is_some() {
            item.article_status = ArticleStatus::Queued;
            item.ask_from = Some(TextOrigin::Fetched);
            (item.ask, item.next_try_at) = (1, Some(now));
        }
        let annotations = Self::annotations(&row, &id);
        let tags = Self::tags(&row);
        let mut new = NewItem {
            row: item,
            text: None,
            original: None,
            blob: None,
            completeness: Completeness::Partial,
            duplicate_of: None,
        };
        if let Some(content) = row.content {
            self.add_content(&mut new, content, now).await;
        }
        Ok(ImportRecord {
            number: self.number,
            keys,
            item: Some(new),
            tags,
            annotations,
            warnings,
            refers_to: None,
        })
    }

    /// Id of a row: its own id, otherwise a hash of its URL, title, author, note, and content.
    fn id_of(self, row: &ImportRow) -> String {
        let format = self.format.as_str();
        let hashed = |parts: &[&str]| {
            let mut hash = Sha256::new();
            for part in parts {
                hash.update((part.len() as u64).to_be_bytes());
                hash.update(part.as_bytes());
            }
            format!("{format}:{}", data_encoding::HEXLOWER.encode(&hash.finalize()[..16]))
        };
        match &row.source_id {
            Some(id) if is_plain_id(id) && id.chars().count() + format.len() < ID_CHARS => {
                format!("{format}:{id}")
            }
            Some(id) => hashed(&[id]),
            None => {
                let content = row.content.as_ref().map_or("", |content| content.text.as_str());
                let part = |text: &Option<String>| text.clone().unwrap_or_default();
                hashed(&[&part(&row.url), &part(&row.title), &part(&row.author), &part(&row.note), content])
            }
        }
    }

    fn item(self, row: &ImportRow, url: Option<&Url>, now: Millis) -> library_item::Model {
        let id = self.domain.new_id();
        let title = draft::line(row.title.clone());
        let (title, title_rank) = match title {
            Some(title) => (cut(&title, TITLE_CHARS), precedence::GIVEN),
            None => (fallback_title(url), precedence::FALLBACK),
        };
        let author = draft::line(row.author.clone()).map(|author| cut(&author, AUTHOR_CHARS));
        let published_at = row.published_at.as_deref().and_then(draft::published_at);
        let given = |is: bool| if is { precedence::GIVEN } else { precedence::NONE };
        let classified = classify::classify(ItemFacts { url, ..ItemFacts::default() });
        let is_book = self.format == Format::ReadwiseCsv && url.is_none();
        let saved_at = row.saved_at.filter(|at| *at > 0).map_or(now, |at| at.min(now));
        let progress = row.progress.filter(|percent| *percent > 0);
        library_item::Model {
            url: url.map_or_else(|| format!("urn:uuid:{id}"), ToString::to_string),
            original_url: row.url.clone().filter(|sent| url.is_some_and(|url| url.as_str() != sent)),
            domain: url.map_or_else(|| "upload".to_owned(), address::domain),
            title,
            title_rank,
            author_rank: given(author.is_some()),
            author,
            published_rank: given(published_at.is_some()),
            published_at,
            content_kind: if is_book { ContentKind::Book } else { classified.kind },
            kind_method: ClassificationMethod::Legacy,
            kind_confidence: 50,
            kind_at: now,
            capture_method: CaptureMethod::Import,
            format: if url.is_some() || row.content.is_some() {
                ItemFormat::Html
            } else {
                ItemFormat::Unknown
            },
            metadata: self.metadata(row),
            status: match row.status {
                Some(ImportStatus::Later) => ItemStatus::Later,
                Some(ImportStatus::Archive) => ItemStatus::Archive,
                Some(ImportStatus::Inbox) | None => ItemStatus::Inbox,
            },
            saved_at,
            last_read_at: progress.map(|_| saved_at),
            finished_at: progress.filter(|percent| *percent >= 100).map(|_| saved_at),
            read_progress: progress.filter(|percent| *percent < 100).map(i16::from),
            lane: Lane::Import,
            ..item::blank(id, AccountId::MAX, now)
        }
    }

    /// Values that have no field in an item, as metadata under the name of the service.
    fn metadata(self, row: &ImportRow) -> Option<String> {
        let mut own: Map<String, Value> = row.extra.clone();
        if let Some(folder) = &row.folder {
            own.insert("folder".to_owned(), folder.as_str().into());
        }
        if row.is_starred {
            own.insert("starred".to_owned(), true.into());
        }
        let is_cut = row.tags.len() > MAX_TAGS || row.tags.iter().any(|tag| tag.chars().count() > TAG_CHARS);
        if is_cut {
            own.insert("tags".to_owned(), row.tags.clone().into());
        }
        while !own.is_empty() {
            let text = json!({ self.format.as_str(): own }).to_string();
            if text.len() <= METADATA_BYTES && draft::metadata(&text).is_ok() {
                return Some(text);
            }
            // If the metadata is too large, the largest value is dropped first.
            let largest = own.iter().max_by_key(|(_, value)| value.to_string().len());
            let largest = largest.map(|(name, _)| name.clone());
            own.shift_remove(&largest?);
        }
        None
    }

    fn tags(row: &ImportRow) -> Vec<Tag> {
        let star = row.is_starred.then_some(FAVORITE.to_owned());
        let mut tags: Vec<Tag> = Vec::new();
        for name in star.iter().chain(&row.tags) {
            let name = cut(name.trim(), TAG_CHARS);
            if let Some(tag) = Tag::of(&name)
                && tags.len() < MAX_TAGS
                && tags.iter().all(|known| known.key != tag.key)
            {
                tags.push(tag);
            }
        }
        tags
    }

    fn annotations(row: &ImportRow, id: &str) -> Vec<ImportedAnnotation> {
        let created_at = row.saved_at.filter(|at| *at > 0);
        let noted = draft::line(row.note.clone()).map(|text| ImportedAnnotation {
            external_id: Some(fit(&format!("{id}#note"))),
            source_key: SourceKey { name: format!("{id}#note"), own: None },
            created_at,
            tags: Vec::new(),
            content: AnnotationContent::Note { title: None, text: cut(&text, NOTE_CHARS) },
        });
        let marked = row.highlights.iter().filter_map(|highlight| {
            let quote = cut(draft::plain(&highlight.quote).trim(), QUOTE_CHARS);
            if quote.is_empty() {
                return None;
            }
            let of = highlight.source_id.clone().unwrap_or_else(|| hash_of(&quote));
            Some(ImportedAnnotation {
                external_id: Some(fit(&format!("{id}#{of}"))),
                source_key: SourceKey { name: format!("{id}#{of}"), own: None },
                created_at: highlight.created_at.filter(|at| *at > 0).or(created_at),
                tags: names(&highlight.tags),
                content: AnnotationContent::Highlight(HighlightContent {
                    quote,
                    note: draft::line(highlight.note.clone()).map(|note| cut(&note, QUOTE_CHARS)),
                    color: highlight.color.as_deref().map(color),
                    ..HighlightContent::default()
                }),
            })
        });
        noted.into_iter().chain(marked).collect()
    }

    /// Extracts the text of a row's content in the same way as the content of a save.
    async fn add_content(self, new: &mut NewItem, content: imports::RowContent, now: Millis) {
        let is_html = content.media_type == "text/html";
        new.row.format = if is_html { ItemFormat::Html } else { ItemFormat::PlainText };
        let text = draft::plain(&content.text);
        let Ok(original) = Original::pack(text.into_bytes(), &content.media_type).await else { return };
        let url = Some(new.row.url.clone()).filter(|url| url.starts_with("http"));
        if let Some(sandbox) = self.sandbox {
            let content = ContentInput {
                bytes: original.body.clone(),
                mime: original.mime.clone(),
                url,
                origin: TextOrigin::Supplied,
            };
            match content_extraction::extract_text(sandbox, content, now, SAVE_TIMEOUT).await {
                TextOutcome::Text(packed) => new.text = Some(*packed),
                // The text can still be fetched if the row has a URL.
                TextOutcome::Failed(_)
                | TextOutcome::Transient(_)
                | TextOutcome::Postponed(_)
                | TextOutcome::NoText => {}
            }
        }
        new.original = Some(original);
    }
}

/// Whether an id can be stored as it is.
fn is_plain_id(id: &str) -> bool {
    !id.chars().any(char::is_control) && !address::has_user_info(id)
}

/// Removes user names and passwords from the URLs in the title and in the values without a field.
fn remove_user_info(row: &mut ImportRow) {
    row.title = row.title.take().map(|title| address::without_user_info(&title).into_owned());
    let mut extra = Value::Object(std::mem::take(&mut row.extra));
    remove_user_info_from(&mut extra);
    if let Value::Object(extra) = extra {
        row.extra = extra;
    }
}

fn remove_user_info_from(value: &mut Value) {
    match value {
        Value::String(text) => {
            if address::has_user_info(text) {
                // Such a URL may be written in a form in which only a parser recognises the password.
                *text =
                    Url::parse(text.trim()).map(without_user).map_or_else(|_| String::new(), String::from);
            } else {
                let clean = address::without_user_info(text).into_owned();
                *text = clean;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(remove_user_info_from),
        Value::Object(members) => members.values_mut().for_each(remove_user_info_from),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn without_user(mut url: Url) -> Url {
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// Parses the URL of a row. The flag is true if a user name or password was removed from it.
fn parse_url(text: &str) -> Result<(Url, bool), RowError> {
    let wrong = |reason: &str| RowError::skipped(Code::InvalidUrl.as_str(), reason);
    let url = Url::parse(text.trim()).map_err(|_| wrong("the address cannot be read"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("the address is neither http nor https"));
    }
    let had_user = !url.username().is_empty() || url.password().is_some();
    let url = address::parse(without_user(url).as_str()).map_err(|_| wrong("the address cannot be used"))?;
    Ok((url, had_user))
}

fn fallback_title(url: Option<&Url>) -> String {
    let short_url = |url: &Url| format!("{}{}", address::domain(url), url.path().trim_end_matches('/'));
    cut(&url.map_or_else(|| UNTITLED.to_owned(), short_url), TITLE_CHARS)
}

fn names(tags: &[String]) -> Vec<Tag> {
    let cut: Vec<String> = tags.iter().take(MAX_TAGS).map(|tag| cut(tag.trim(), TAG_CHARS)).collect();
    cut.iter().filter_map(|name| Tag::of(name)).collect()
}

fn hash_of(text: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes())[..12])
}

fn fit(id: &str) -> String {
    if id.chars().count() <= ID_CHARS { id.to_owned() } else { hash_of(id) }
}

/// Nearest of the available colors.
fn color(word: &str) -> HighlightColor {
    HighlightColor::parse(&word.trim().to_lowercase()).unwrap_or(match word.trim().to_lowercase().as_str() {
        "pink" => HighlightColor::Red,
        _ => HighlightColor::Yellow,
    })
}
