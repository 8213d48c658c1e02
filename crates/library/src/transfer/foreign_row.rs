//! Converts rows of other services into import records.

use std::collections::HashSet;

use entities::ids::AccountId;
use entities::library_item;
use entities::library_words::{
    ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, HighlightColor, ItemFormat, ItemStatus,
    Lane, TextOrigin,
};
use extract::imports::{self, Format, ImportRow, ImportStatus, ImportedHighlight};
use extract::sandbox::Pool;
use extract::sniff;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use super::folder_tags::FolderTags;
use super::import_record::{
    AnnotationContent, Completeness, HighlightContent, ImportRecord, ImportedAnnotation, NewItem, RowError,
    SourceKey, accepted_tags,
};
use super::import_report::RowLabel;
use crate::classify::{self, ItemFacts};
use crate::content_extraction::{self, ContentInput, SAVE_TIMEOUT};
use crate::draft::{self, METADATA_MEMBERS, TITLE_CHARS, cut};
use crate::keys::ItemKey;
use crate::tags::{FAVORITE, MAX_TAGS, Tag};
use crate::text::Original;
use crate::text_request::{self, TextOutcome, UNTITLED};
use crate::{files, item, precedence};
use articles::Address;
use kernel::bounds::TAG_CHARS;
use kernel::{Code, Domain, Millis, address};

/// Maximum length of a row's id, in code points. A longer id is hashed.
const ID_CHARS: usize = 255;
/// Maximum size of an item's metadata, in bytes.
const METADATA_BYTES: usize = 60 * 1024;
/// Maximum lengths of a quote, a note, and an author, in code points.
const QUOTE_CHARS: usize = 10_000;
const NOTE_CHARS: usize = 100_000;
const AUTHOR_CHARS: usize = 500;
/// Maximum length of the text before and after a quote, in code points.
const CONTEXT_CHARS: usize = 64;
/// Maximum length of the list of row parts that are not imported, in code points.
const LEFT_OUT_CHARS: usize = 1_000;
/// Number of code points of a quote that serve as the key of its location.
const LOCATED_CHARS: usize = 60;

/// Origin of a row.
#[derive(Clone, Copy)]
pub(super) struct RowSource<'a> {
    pub(super) domain: &'a Domain,
    /// Sandbox in which the texts of rows are extracted. `None` in a dry run.
    pub(super) sandbox: Option<&'a Pool>,
    pub(super) folders: FolderTags,
    pub(super) format: Format,
    pub(super) number: u64,
}

impl RowSource<'_> {
    /// Converts a row into an import record.
    ///
    /// # Errors
    /// Returns an error if the row cannot be imported.
    pub(super) async fn prepare(self, mut row: ImportRow) -> Result<ImportRecord, RowError> {
        let id = self.id_of(&row);
        let mut warnings = Vec::new();
        let url = checked_url(&mut row, &mut warnings)?;
        remove_user_info(&mut row);
        let guarded = url.as_ref().map(|url| Address::parse(self.domain, url.as_str()));
        let is_refused = matches!(guarded, Some(Err(_)));
        if is_refused {
            warnings.push(RowError::of(Code::UrlNotAllowed.as_str(), "the URL cannot be fetched"));
        }
        let mut keys: Vec<ItemKey> = Vec::new();
        let named = row.source_id.is_some().then(|| ItemKey::external(&id));
        keys.extend(named.clone().or_else(|| url.is_none().then(|| ItemKey::import(&id))));
        keys.extend(url.as_ref().map(ItemKey::url));
        let url_key = url.as_ref().filter(|_| named.is_some()).map(ItemKey::url);
        let now = self.domain.now();
        let mut item = self.item(&row, url.as_ref(), now);
        let (metadata, dropped) = self.metadata(&row);
        item.metadata = metadata;
        warnings.extend(limit_warning("values that are too large were left out", &dropped));
        warnings.extend(cut_warning(&row));
        if let Some(ItemKey { value, .. }) = named {
            item.external_id = Some(value);
        }
        if url.is_some() {
            request_text(&mut item, is_refused, now);
        }
        warnings.extend(encoding_warning(&row));
        warnings.extend(left_out_warning(&row));
        warnings.extend(ambiguity_warning(&row));
        let annotations = Self::annotations(&row, &id);
        let (tags, left_out) = self.tags(&row);
        warnings.extend(left_out);
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
            url_key,
            item: Some(new),
            tags,
            annotations,
            page_copy: None,
            warnings,
            refers_to: None,
        })
    }

    /// Returns the id of a row: its own id, or a hash of its URL, title, author, note, and content.
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
        let title = draft::title(row.title.clone());
        let title = title.filter(|title| url.is_none_or(|url| !names_url(title, url)));
        let (title, title_rank) = match title {
            Some(title) => (cut(&title, TITLE_CHARS), precedence::GIVEN),
            None => (fallback_title(url), precedence::FALLBACK),
        };
        let author = draft::line(row.author.clone()).map(|author| cut(&author, AUTHOR_CHARS));
        let published_at = row.published_at.as_deref().and_then(draft::published_at);
        let given = |is: bool| if is { precedence::GIVEN } else { precedence::NONE };
        let classified = classify::classify(ItemFacts { url, ..ItemFacts::default() });
        let is_book = url.is_none() && is_of_books(self.format);
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

    /// Returns the values that have no field in an item, as metadata under the name of the format. Also
    /// returns the names of the values that were dropped because the metadata is too large.
    fn metadata(self, row: &ImportRow) -> (Option<String>, Vec<String>) {
        let mut own: Map<String, Value> = Map::new();
        let folders: Vec<Value> = row.folders.iter().map(|names| names.join("/").into()).collect();
        match folders.as_slice() {
            [] => {}
            [folder] => drop(own.insert("folder".to_owned(), folder.clone())),
            _ => drop(own.insert("folder".to_owned(), Value::Array(folders))),
        }
        if let Some(time) = row.published_at.as_ref().filter(|time| draft::published_at(time).is_none()) {
            own.insert("published".to_owned(), time.as_str().into());
        }
        let located = row.highlights.iter().filter_map(|highlight| {
            let words = if highlight.quote.is_empty() { highlight.note.as_ref()? } else { &highlight.quote };
            Some((cut(words.trim(), LOCATED_CHARS), Value::from(highlight.location.as_deref()?)))
        });
        let located: Map<String, Value> = located.collect();
        if !located.is_empty() {
            own.insert("locations".to_owned(), located.into());
        }
        let described = row.highlights.iter().filter(|highlight| !highlight.extra.is_empty());
        let described = described.map(|highlight| {
            let words = if highlight.quote.is_empty() { highlight.note.as_deref() } else { None };
            let words = words.unwrap_or(&highlight.quote);
            (cut(words.trim(), LOCATED_CHARS), Value::Object(highlight.extra.clone()))
        });
        let described: Map<String, Value> = described.collect();
        if !described.is_empty() {
            own.insert("highlight_values".to_owned(), described.into());
        }
        // An item cannot have a save time in the future. The metadata contain the time from the file.
        if let Some(time) = row.saved_at.filter(|at| *at > self.domain.now()) {
            own.insert("saved_at".to_owned(), time.into());
        }
        if row.is_starred {
            own.insert("starred".to_owned(), true.into());
        }
        let is_cut = row.tags.len() > MAX_TAGS || row.tags.iter().any(|tag| tag.chars().count() > TAG_CHARS);
        if is_cut {
            own.insert("tags".to_owned(), row.tags.clone().into());
        }
        for (name, value) in &row.extra {
            own.entry(name.as_str()).or_insert_with(|| value.clone());
        }
        fitting(self.format, own)
    }

    /// Returns the tags of a row, and a problem if the row has too many tags. In this case, the metadata
    /// contains all tags of the row.
    fn tags(self, row: &ImportRow) -> (Vec<Tag>, Option<RowError>) {
        let star = row.is_starred.then_some(FAVORITE.to_owned());
        let folders = self.folders.names(&row.folders);
        let (mut tags, mut left_out): (Vec<Tag>, Vec<String>) = (Vec::new(), Vec::new());
        for name in star.iter().chain(&row.tags).chain(&folders) {
            let name = cut(extract::clean::fold(name).trim(), TAG_CHARS);
            let Some(tag) = Tag::of(&name) else { continue };
            if tags.iter().any(|known| known.key == tag.key) {
                continue;
            }
            if tags.len() < MAX_TAGS {
                tags.push(tag);
            } else {
                left_out.push(name);
            }
        }
        let reason = format!("an item has at most {MAX_TAGS} tags; left out");
        (tags, limit_warning(&reason, &left_out))
    }

    fn annotations(row: &ImportRow, id: &str) -> Vec<ImportedAnnotation> {
        let created_at = row.saved_at.filter(|at| *at > 0);
        let noted = draft::line(row.note.clone()).map(|text| {
            let text = cut(&text, NOTE_CHARS);
            // Each version of an edited note has its own name, so that the next import adds it.
            let name = format!("{id}#note:{}", hash_of(&text));
            ImportedAnnotation {
                external_id: Some(fit(&name)),
                source_key: SourceKey { name, own: None },
                created_at,
                tags: Vec::new(),
                content: AnnotationContent::Note { title: None, text },
                detached_from: None,
            }
        });
        let marked = row.highlights.iter().filter_map(|highlight| {
            let quote = cut(draft::plain(&highlight.quote).trim(), QUOTE_CHARS);
            let note = draft::line(highlight.note.clone());
            // A note at a position without a quote becomes a note of the item.
            let (of, content) = if quote.is_empty() {
                let text = cut(&note?, NOTE_CHARS);
                (format!("note:{}", hash_of(&text)), AnnotationContent::Note { title: None, text })
            } else {
                let of = hash_of(&quote);
                let content = HighlightContent {
                    quote,
                    note: note.map(|note| cut(&note, QUOTE_CHARS)),
                    color: highlight.color.as_deref().map(color),
                    prefix: last_chars(&draft::plain(&highlight.prefix), CONTEXT_CHARS),
                    suffix: cut(&draft::plain(&highlight.suffix), CONTEXT_CHARS),
                    page: highlight.page.filter(|page| *page > 0),
                    ..HighlightContent::default()
                };
                (of, AnnotationContent::Highlight(Box::new(content)))
            };
            let of = highlight.source_id.clone().unwrap_or(of);
            Some(ImportedAnnotation {
                external_id: Some(fit(&format!("{id}#{of}"))),
                source_key: SourceKey { name: format!("{id}#{of}"), own: None },
                created_at: highlight.created_at.filter(|at| *at > 0).or(created_at),
                tags: accepted_tags(&highlight.tags),
                content,
                detached_from: None,
            })
        });
        noted.into_iter().chain(marked).collect()
    }

    /// Extracts the text of a row's content in the same way as the content of a save.
    async fn add_content(self, new: &mut NewItem, content: imports::RowContent, now: Millis) {
        new.row.format = match content.media_type.as_str() {
            "text/html" => ItemFormat::Html,
            "text/markdown" => ItemFormat::Markdown,
            _ => ItemFormat::PlainText,
        };
        let text = draft::plain(&content.text);
        let packed = match self.sandbox {
            Some(_) => Original::pack(text.into_bytes(), &content.media_type).await,
            None => Ok(Original::unpacked(text.into_bytes(), &content.media_type)),
        };
        let Ok(original) = packed else { return };
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

/// Adds the file of a row to its item. If the row has no text, requests the text of the file. The file is
/// deleted after a day unless the item is written.
pub(super) async fn attach_file(
    domain: &Domain,
    account_id: AccountId,
    record: &mut ImportRecord,
    file: std::fs::File,
) -> kernel::Result<()> {
    let Some(new) = &mut record.item else { return Ok(()) };
    let (blob, stored) = files::store_unassigned(domain, account_id, file).await?;
    let name = files::clean_file_name(&format!("{}.pdf", new.row.title));
    let detected = sniff::sniff(&stored.head, &stored.tail, "", &name);
    let media_type = match detected {
        Ok(detected) => detected.media_type,
        Err(mismatch) => mismatch.detected,
    };
    new.row.asset_blob = Some(blob.clone());
    new.row.asset_name = Some(name);
    new.row.asset_mime = Some(media_type);
    new.row.asset_size = Some(i64::try_from(stored.size).unwrap_or(i64::MAX));
    new.row.asset_checksum = Some(stored.checksum());
    new.row.asset_at = Some(domain.now());
    new.row.format = ItemFormat::Pdf;
    if new.text.is_none() {
        text_request::request_text(&mut new.row, TextOrigin::File, domain.now());
        (new.row.article_error, new.row.failed_at) = (None, None);
    }
    new.blob = Some(blob);
    Ok(())
}

/// Warning that names the values to which a limit applies. `None` if there are no such values.
fn limit_warning(reason: &str, values: &[String]) -> Option<RowError> {
    let named = cut(&values.join(", "), LEFT_OUT_CHARS);
    (!values.is_empty()).then(|| RowError::of(Code::LimitReached.as_str(), &format!("{reason}: {named}")))
}

/// Warning that names the values of a row that exceed the maximum length for an item or an annotation.
fn cut_warning(row: &ImportRow) -> Option<RowError> {
    let is_longer = |text: &str, most: usize| text.len() > most && text.chars().nth(most).is_some();
    let is_cut =
        |text: &Option<String>, most: usize| text.as_deref().is_some_and(|text| is_longer(text.trim(), most));
    let of_highlights = |is_cut: &dyn Fn(&ImportedHighlight) -> bool| row.highlights.iter().any(is_cut);
    let has_cut_tags = |one: &ImportedHighlight| {
        one.tags.len() > MAX_TAGS || one.tags.iter().any(|tag| is_longer(tag.trim(), TAG_CHARS))
    };
    let named = [
        ("title", is_cut(&row.title, TITLE_CHARS)),
        ("author", is_cut(&row.author, AUTHOR_CHARS)),
        ("note", is_cut(&row.note, NOTE_CHARS)),
        ("highlight", of_highlights(&|one| is_longer(one.quote.trim(), QUOTE_CHARS))),
        ("note of a highlight", of_highlights(&|one| is_cut(&one.note, QUOTE_CHARS))),
        ("tags of a highlight", of_highlights(&has_cut_tags)),
    ];
    let cut: Vec<&str> = named.into_iter().filter(|(_, is_cut)| *is_cut).map(|(name, _)| name).collect();
    let reason = format!("cut to the maximum length: {}", cut.join(", "));
    (!cut.is_empty()).then(|| RowError::of("left_out", &reason))
}

/// Returns the metadata of a row, and the names of the values that do not fit. If there are too many values,
/// the last values are omitted, and then the largest.
fn fitting(format: Format, mut own: Map<String, Value>) -> (Option<String>, Vec<String>) {
    let text_of = |values: &Map<String, Value>| json!({ format.as_str(): values }).to_string();
    let frame = text_of(&Map::new()).len();
    let mut sizes: Vec<(usize, &str)> = Vec::new();
    let mut left_out: HashSet<String> = HashSet::new();
    let mut members = 1;
    for (name, value) in &own {
        let size = Value::from(name.as_str()).to_string().len() + value.to_string().len() + 2;
        let is_valid = || match value {
            Value::Array(_) | Value::Object(_) => {
                draft::metadata(&text_of(&Map::from_iter([(name.clone(), value.clone())]))).is_ok()
            }
            Value::String(text) => !text.contains('\0'),
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
        };
        let is_allowed = frame + size <= METADATA_BYTES && !name.contains('\0') && is_valid();
        members += if is_allowed { members_of(value) + 1 } else { 0 };
        if is_allowed && members <= METADATA_MEMBERS {
            sizes.push((size, name.as_str()));
        } else {
            left_out.insert(name.clone());
        }
    }
    sizes.sort_unstable();
    let mut bytes = frame;
    for (size, name) in sizes {
        bytes += size;
        if bytes > METADATA_BYTES {
            left_out.insert(name.to_owned());
        }
    }
    let names: Vec<String> = own.keys().filter(|name| left_out.contains(*name)).cloned().collect();
    own.retain(|name, _| !left_out.contains(name));
    ((!own.is_empty()).then(|| text_of(&own)), names)
}

/// Returns the number of members of a value and of the values in it.
fn members_of(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.len() + members.values().map(members_of).sum::<usize>(),
        Value::Array(values) => values.iter().map(members_of).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Warning that names the parts of a row that are not imported.
fn left_out_warning(row: &ImportRow) -> Option<RowError> {
    let named = cut(&row.left_out.join(", "), LEFT_OUT_CHARS);
    (!named.is_empty()).then(|| RowError::of("left_out", &format!("not imported: {named}")))
}

/// Warning about texts of a row that could not be decoded, or whose encoding is uncertain.
fn encoding_warning(row: &ImportRow) -> Option<RowError> {
    if row.has_text(|text| text.contains('\u{fffd}')) {
        let reason = "some characters could not be decoded; they are shown as \u{fffd}";
        return Some(RowError::of("undecodable_text", reason));
    }
    let reason = "the encoding of the file was detected, and some letters may be wrong";
    row.is_encoding_uncertain.then(|| RowError::of("uncertain_text", reason))
}

/// Warning that names the ambiguous dates of a row.
fn ambiguity_warning(row: &ImportRow) -> Option<RowError> {
    let named = cut(&row.ambiguities.join("; "), LEFT_OUT_CHARS);
    (!named.is_empty()).then(|| RowError::of("ambiguous_date", &named))
}

/// Returns true if the rows of a format are books or parts of books.
fn is_of_books(format: Format) -> bool {
    matches!(
        format,
        Format::ReadwiseCsv
            | Format::ReadwiseJson
            | Format::KindleClippings
            | Format::KoreaderJson
            | Format::KoreaderMarkdown
            | Format::GoodreadsCsv
            | Format::AdobeAnnotations
            | Format::KoboSqlite
            | Format::AppleBooks
            | Format::AppleBooksCsv
    )
}

/// Returns true if a title is only the URL of its item.
fn names_url(title: &str, url: &Url) -> bool {
    Url::parse(title).is_ok_and(|named| named.has_host() && address::key(&named) == address::key(url))
}

/// Returns the last `most` code points of a text.
fn last_chars(text: &str, most: usize) -> String {
    let skipped = text.chars().count().saturating_sub(most);
    text.chars().skip(skipped).collect()
}

/// Returns true if an id can be stored unchanged.
fn is_plain_id(id: &str) -> bool {
    !id.chars().any(char::is_control) && !address::has_user_info(id)
}

/// Creates the label of a row for the report of its import.
pub(super) fn label_of(row: &ImportRow) -> RowLabel {
    let mut url = Value::from(row.url.as_deref().unwrap_or_default());
    remove_user_info_from(&mut url);
    let title = row.title.as_deref().map(address::without_user_info);
    RowLabel::of(title.as_deref(), url.as_str())
}

/// Removes user names and passwords from the URLs in the title and the extra values of a row.
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
                // A URL parser recognises user names and passwords in more spellings than a text search.
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

/// Returns the URL of a row. Removes user name and password, and adds a warning about it.
fn checked_url(row: &mut ImportRow, warnings: &mut Vec<RowError>) -> Result<Option<Url>, RowError> {
    let Some((url, had_user)) = row.url.as_deref().map(parse_url).transpose()? else { return Ok(None) };
    if had_user {
        warnings.push(RowError::of("invalid_url", "user name and password were removed from the URL"));
        row.url = Some(url.to_string());
    }
    Ok(Some(url))
}

/// Requests the text of an item with a URL, or records that the guard refuses the URL.
fn request_text(item: &mut library_item::Model, is_refused: bool, now: Millis) {
    if is_refused {
        item.article_status = ArticleStatus::Failed;
        item.article_error = Some(Code::UrlNotAllowed.as_str().to_owned());
        item.failed_at = Some(now);
    } else {
        text_request::request_text(item, TextOrigin::Fetched, now);
    }
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

fn hash_of(text: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes())[..12])
}

fn fit(id: &str) -> String {
    if id.chars().count() <= ID_CHARS { id.to_owned() } else { hash_of(id) }
}

/// Returns the highlight color that is closest to a color name.
fn color(word: &str) -> HighlightColor {
    HighlightColor::parse(&word.trim().to_lowercase()).unwrap_or(match word.trim().to_lowercase().as_str() {
        "pink" => HighlightColor::Red,
        _ => HighlightColor::Yellow,
    })
}
