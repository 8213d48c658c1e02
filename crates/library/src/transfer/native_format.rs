//! Converts lines of the native format into import records. The sender may have edited the file, so texts are
//! reassembled, and all values are checked against their limits.

use std::fs::File;

use data_encoding::HEXLOWER;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_words::{
    AnchorStatus, ArticleStatus, KeyKind, Lane, PageCopyFormat, ReviewFrequency, TextOrigin,
};
use extract::sniff::{self, DetectedType};
use extract::{Block, Document, Mark as Stretch, Style, assemble};

use super::import_record::{
    AnnotationContent, Completeness, DetachedItem, HighlightContent, ImportRecord, ImportedAnnotation,
    NewItem, RowError, SourceKey, StoredPosition, accepted_tags,
};
use super::import_report::RowLabel;
use super::line::{
    DetachedLine, FileLine, HighlightLine, ItemLine, NativeLine, NoteLine, OriginalLine, PageCopyLine,
    PictureLine, RetiredKeyLine, TextLine,
};
use crate::draft::{self, TITLE_CHARS, cut};
use crate::highlight_cards::HighlightCard;
use crate::highlight_picture::HighlightPicture;
use crate::keys::{ItemKey, RetiredKey};
use crate::page_copies::ImportedCopy;
use crate::review_schedule::ReviewState;
use crate::text::{NewText, Original, PackedText};
use crate::text_request::UNTITLED;
use crate::{files, item, precedence, text_request};
use kernel::bounds::{NOTE_CHARS, URL_CHARS};
use kernel::clock::DAY;
use kernel::{Code, Domain, Error, Millis, Result, address};

/// Maximum time that an item waits for its file.
const PENDING: Millis = 7 * DAY;
/// Maximum number of keys of one item.
const MAX_KEYS: usize = 100;
/// Maximum number of keys of the deleted item of one note or highlight.
const MAX_RETIRED_KEYS: usize = 20;
/// Maximum length of a key's value, in code points.
const KEY_CHARS: usize = 4096;
const ID_CHARS: usize = 255;
const WORD_CHARS: usize = 500;
/// Maximum length of the alternative text of a picture, in code points.
const ALT_CHARS: usize = 1000;
/// Code of the warning about a file that the archive does not contain.
pub(super) const MISSING_FILE: &str = "missing_file";

/// Converts a line into an import record, or into a row error if it cannot be imported.
pub(super) async fn prepare(
    domain: &Domain,
    account_id: AccountId,
    number: u64,
    line: NativeLine,
    file: Option<File>,
) -> Result<Result<ImportRecord, RowError>> {
    let malformed = || RowError::of("malformed", "the line contains nothing that can be imported");
    Ok(match line {
        NativeLine::Item(line) => item(domain, account_id, number, *line, file).await?,
        NativeLine::Note(line) => Ok(note(number, line)),
        NativeLine::Highlight(line) => highlight(number, *line, domain.now()).ok_or_else(malformed),
        NativeLine::PageCopy(line) => page_copy(domain, account_id, number, *line, file).await?,
        NativeLine::Manifest(_) => Err(malformed()),
    })
}

/// Returns the key under which this library stores an item that was exported with the id `id`.
pub(super) fn import_key(id: impl std::fmt::Display) -> ItemKey {
    ItemKey::import(&format!("{}:{id}", super::line::FORMAT))
}

/// Returns the id of an item in its source library. `None` if `key` was not created by [`import_key`].
pub(super) fn source_item_id(key: &ItemKey) -> Option<ItemId> {
    let id = key.value.strip_prefix(super::line::FORMAT)?.strip_prefix(':')?;
    if key.kind == KeyKind::Import { id.parse().ok() } else { None }
}

/// Creates the label of a line for the report of its import.
pub(super) fn label_of(line: &NativeLine) -> RowLabel {
    match line {
        NativeLine::Item(item) => RowLabel::of(Some(&item.title), web_url(Some(&item.url)).as_deref()),
        NativeLine::Note(note) => RowLabel::of(note.title.as_deref().or(Some(&note.text)), None),
        NativeLine::Highlight(highlight) => RowLabel::of(Some(&highlight.quote), None),
        NativeLine::PageCopy(_) | NativeLine::Manifest(_) => RowLabel::default(),
    }
}

/// Compresses the supplied content of an item. `None` if its media type is not supported.
async fn pack_original(line: Option<OriginalLine>) -> Result<Option<Original>> {
    Ok(match line {
        Some(line) if matches!(line.mime_type.as_str(), "text/html" | "text/markdown" | "text/plain") => {
            Some(Original::pack(line.body.into_bytes(), &line.mime_type).await?)
        }
        Some(_) | None => None,
    })
}

/// Returns the key of the import, and the keys that the line lists.
fn keys_of(line: &ItemLine) -> Vec<ItemKey> {
    let listed = line.keys.iter().take(MAX_KEYS).filter(|key| key.value.chars().count() <= KEY_CHARS);
    let listed = listed.map(|key| ItemKey { kind: key.kind, value: key.value.clone() });
    std::iter::once(import_key(line.id)).chain(listed).collect()
}

async fn item(
    domain: &Domain,
    account_id: AccountId,
    number: u64,
    line: ItemLine,
    file: Option<File>,
) -> Result<Result<ImportRecord, RowError>> {
    let url = if line.url.starts_with("urn:") { None } else { Some(address::parse(&line.url)) };
    let Ok(url) = url.transpose() else {
        return Ok(Err(RowError::skipped(Code::InvalidUrl.as_str(), "the address cannot be used")));
    };
    let mut keys = keys_of(&line);
    if keys.iter().all(|key| key.kind != KeyKind::Url) {
        keys.extend(url.as_ref().map(ItemKey::url));
    }
    let now = domain.now();
    let mut row = row(domain, &line, url.as_ref(), now);
    let (metadata, metadata_warning) = metadata(line.metadata.as_deref());
    row.metadata = metadata;
    let mut warnings = Vec::from_iter(metadata_warning);
    let text = match line.text {
        Some(text) => packed(text, now).await?,
        None => None,
    };
    let original = pack_original(line.original).await?;
    let given = SuppliedParts { text: text.is_some(), file: file.is_some(), original: original.is_some() };
    state(&mut row, given, now);
    if let Some(packed) = &text {
        row.content_hash = Some(packed.text.document.content_hash.clone());
        let source = || text_request::source_of(packed.text.origin, &packed.text.document);
        row.extraction_source = Some(row.extraction_source.unwrap_or_else(source));
    }
    let blob = match (line.file, file) {
        (Some(file_line), Some(bytes)) => {
            match store_file(domain, account_id, file_line, bytes, &mut row).await? {
                Ok(blob) => Some(blob),
                Err(wrong) => {
                    warnings.push(wrong);
                    None
                }
            }
        }
        (Some(_), None) => {
            warnings.push(RowError::of(MISSING_FILE, "the file of the item is not in the archive"));
            None
        }
        (None, _) => None,
    };
    let tags = accepted_tags(&line.tags);
    let duplicate_of = line.duplicate_of.map(import_key);
    let new = NewItem { row, text, original, blob, completeness: Completeness::Complete, duplicate_of };
    Ok(Ok(ImportRecord {
        number,
        keys,
        url_key: None,
        item: Some(new),
        tags,
        annotations: Vec::new(),
        page_copy: None,
        warnings,
        refers_to: None,
    }))
}

/// Reassembles a text and compresses it. `None` if the text is empty.
async fn packed(text: TextLine, now: Millis) -> Result<Option<PackedText>> {
    let document = tokio::task::spawn_blocking(move || reassemble(*text.document));
    let document = document.await.map_err(Error::internal)?;
    let new = NewText {
        document: std::sync::Arc::new(document),
        origin: text.origin,
        final_url: web_url(text.final_url.as_ref()),
        made_at: text.made_at.min(now),
    };
    if new.document.blocks.is_empty() { Ok(None) } else { Ok(Some(new.pack().await?)) }
}

fn row(domain: &Domain, line: &ItemLine, url: Option<&url::Url>, now: Millis) -> library_item::Model {
    let id = domain.new_id();
    let title = exact(Some(&line.title), TITLE_CHARS).unwrap_or_else(|| UNTITLED.to_owned());
    let own_rank = |of: i16| of.clamp(precedence::NONE, precedence::PERSON);
    library_item::Model {
        url: url.map_or_else(|| format!("urn:uuid:{id}"), ToString::to_string),
        original_url: web_url(line.original_url.as_ref()),
        domain: url.map_or_else(|| "upload".to_owned(), address::domain),
        title,
        title_rank: own_rank(line.title_rank),
        author: exact(line.author.as_ref(), WORD_CHARS),
        author_rank: own_rank(line.author_rank),
        published_at: exact(line.published_at.as_ref(), 40),
        published_rank: own_rank(line.published_rank),
        content_kind: line.content_kind,
        kind_method: line.kind_method,
        kind_confidence: line.kind_confidence.clamp(0, 100),
        kind_at: line.kind_at.clamp(0, now + DAY),
        capture_method: line.capture_method,
        format: line.format,
        mime_type: exact(line.mime_type.as_ref(), ID_CHARS),
        file_name: exact(line.file_name.as_ref(), ID_CHARS).map(|name| files::clean_file_name(&name)),
        external_id: external_id(line.external_id.clone()),
        status: line.status,
        saved_at: line.saved_at.clamp(1, now),
        last_read_at: line.last_read_at.map(|at| at.min(now)),
        finished_at: line.finished_at.map(|at| at.min(now)),
        read_progress: line.read_progress.filter(|percent| (1..=99).contains(percent)),
        article_status: line.article_status,
        article_error: exact(line.article_error.as_ref(), 64),
        quality_status: line.quality_status.clone().filter(|word| extract::Quality::parse(word).is_some()),
        extraction_source: line.extraction_source,
        render: line.render,
        review_frequency: line.review_frequency.unwrap_or(ReviewFrequency::Normal),
        lane: Lane::Import,
        ..item::blank(id, AccountId::MAX, now)
    }
}

/// Returns the metadata of an item, and a warning if it differs from the metadata in the file. Exports that an earlier
/// version wrote may contain passwords in the URLs of bookmarks.
fn metadata(text: Option<&str>) -> (Option<String>, Option<RowError>) {
    let Some(text) = text else { return (None, None) };
    let clean = address::without_user_info(text);
    if draft::metadata(&clean).is_err() {
        return (None, Some(RowError::of("left_out", "the metadata of the item is not valid")));
    }
    let reason = "user names and passwords were removed from the URLs in the metadata";
    let warning = (clean != text).then(|| RowError::of("left_out", reason));
    (Some(clean.into_owned()), warning)
}

/// Checks an id that a client assigned, without trimming it. `None` if the id is not valid.
fn external_id(id: Option<String>) -> Option<String> {
    draft::external_id(id).ok().flatten().map(|id| cut(&id, ID_CHARS))
}

/// Returns `text` if it is a URL that an item may have.
fn web_url(text: Option<&String>) -> Option<String> {
    // A longer URL is refused, because a part of it is another URL.
    exact(text, URL_CHARS + 1).filter(|url| address::parse(url).is_ok())
}

/// Truncates a text to `most` code points, without trimming it. `None` if the text is blank.
fn exact(text: Option<&String>, most: usize) -> Option<String> {
    let text = text.map(|text| draft::plain(text)).filter(|text| !text.trim().is_empty());
    text.map(|text| cut(&text, most))
}

/// Parts of an item that the file contains.
#[derive(Clone, Copy)]
struct SuppliedParts {
    text: bool,
    file: bool,
    original: bool,
}

/// Sets the state of the item's text according to the parts that the file contains.
fn state(row: &mut library_item::Model, given: SuppliedParts, now: Millis) {
    let has_web_url = row.url.starts_with("http");
    let source = match given {
        SuppliedParts { file: true, .. } => Some(TextOrigin::File),
        SuppliedParts { original: true, .. } => Some(TextOrigin::Supplied),
        SuppliedParts { .. } => has_web_url.then_some(TextOrigin::Fetched),
    };
    row.article_status = match row.article_status {
        _ if given.text => ArticleStatus::Ready,
        ArticleStatus::Ready | ArticleStatus::Queued | ArticleStatus::Extracting if source.is_some() => {
            ArticleStatus::Queued
        }
        ArticleStatus::Ready | ArticleStatus::Queued | ArticleStatus::Extracting => {
            ArticleStatus::NotApplicable
        }
        other => other,
    };
    match row.article_status {
        ArticleStatus::Queued => (row.ask, row.ask_from, row.next_try_at) = (1, source, Some(now)),
        ArticleStatus::AwaitingUpload => row.next_try_at = Some(now + PENDING),
        ArticleStatus::Failed => row.failed_at = Some(now),
        ArticleStatus::Extracting | ArticleStatus::Ready | ArticleStatus::NotApplicable => {}
    }
}

/// Stores the file that `file_line` describes and sets the file columns of `row`. Returns the name of the
/// blob, or a row error if the checksum differs. The stored file is deleted after a day unless its item is
/// written.
async fn store_file(
    domain: &Domain,
    account_id: AccountId,
    file_line: FileLine,
    bytes: File,
    row: &mut library_item::Model,
) -> Result<Result<String, RowError>> {
    let (blob, stored) = files::store_unassigned(domain, account_id, bytes).await?;
    if stored.checksum() != file_line.checksum {
        return Ok(Err(RowError::of(
            Code::ChecksumMismatch.as_str(),
            "the file does not match its checksum",
        )));
    }
    let name = files::clean_file_name(&file_line.name);
    let DetectedType { media_type, .. } =
        sniff::sniff(&stored.head, &stored.tail, &file_line.mime_type, &name)
            .or_else(|_| sniff::sniff(&stored.head, &stored.tail, "", &name))
            .unwrap_or_else(|mismatch| DetectedType { media_type: mismatch.detected, format: None });
    row.asset_blob = Some(blob.clone());
    row.asset_name = Some(name);
    row.asset_mime = Some(media_type);
    row.asset_size = Some(i64::try_from(stored.size).unwrap_or(i64::MAX));
    row.asset_checksum = Some(stored.checksum());
    row.asset_at = Some(file_line.at.map_or(domain.now(), |at| at.clamp(0, domain.now())));
    Ok(Ok(blob))
}

/// Reassembles a text with new anchors, token counts, and content hash. Removes links with unsafe schemes.
fn reassemble(mut document: Document) -> Document {
    for block in &mut document.blocks {
        clean(block);
    }
    let assembled = assemble::assemble(std::mem::take(&mut document.blocks));
    document.blocks = assembled.blocks;
    document.total_tokens = assembled.total_tokens;
    document.content_hash = assembled.content_hash;
    document.next_links = extract::NextLinks::default();
    document.canonical_url = web_url(document.canonical_url.as_ref());
    document
}

fn clean(block: &mut Block) {
    let is_link = |url: &str| ["https://", "http://", "mailto:"].iter().any(|front| url.starts_with(front));
    if block.links.iter().any(|link| !is_link(&link.url)) {
        block.links.clear();
        block.marks.clear();
    }
    block.src = block.src.take().filter(|url| is_link(url));
    block.image_link = block.image_link.take().filter(|url| is_link(url));
    block
        .pictures
        .retain(|picture| is_link(&picture.src) && picture.link.as_ref().is_none_or(|link| is_link(link)));
    block.level = block.level.filter(|level| (1..=6).contains(level));
    let (text, links) = (&block.text, block.links.len());
    let at = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
    block.marks.retain(|content: &Stretch| {
        let is_known = match content.style {
            Style::Link(index) => at(index) < links,
            Style::Strong
            | Style::Emphasis
            | Style::Code
            | Style::Superscript
            | Style::Subscript
            | Style::Note
            | Style::Math
            | Style::Deleted => true,
        };
        is_known && content.start < content.end && text.get(at(content.start)..at(content.end)).is_some()
    });
    block.marks.sort_by_key(|mark| (mark.start, std::cmp::Reverse(mark.end)));
}

/// Converts the deleted item of a note or highlight. Also returns a warning if some of its keys are left out.
fn detached_item(line: Option<DetachedLine>) -> (Option<DetachedItem>, Option<RowError>) {
    let Some(DetachedLine { item_id: id, keys: mut lines }) = line else { return (None, None) };
    let own = RetiredKey::of(&import_key(id));
    let retired = |line: &RetiredKeyLine| {
        let hash = HEXLOWER.decode(line.hash.as_bytes()).ok().filter(|hash| hash.len() == own.hash.len());
        hash.map(|hash| RetiredKey { kind: line.kind, hash })
    };
    // Pages are matched by URL, so other keys are left out first.
    lines.sort_by_key(|line| line.kind != KeyKind::Url);
    let listed: Vec<RetiredKey> = lines.iter().filter_map(retired).take(MAX_RETIRED_KEYS).collect();
    let reason = "some addresses or ids of the deleted item were left out";
    let warning = (listed.len() < lines.len()).then(|| RowError::of("left_out", reason));
    let keys = std::iter::once(own).chain(listed).collect();
    (Some(DetachedItem { id, keys }), warning)
}

fn note(number: u64, line: NoteLine) -> ImportRecord {
    let text = cut(&draft::plain(&line.text), NOTE_CHARS);
    let title = exact(line.title.as_ref(), WORD_CHARS);
    let content = AnnotationContent::Note { title, text };
    let (detached_from, warning) = detached_item(line.detached_from.filter(|_| line.item_id.is_none()));
    let annotation = ImportedAnnotation {
        external_id: external_id(line.external_id),
        source_key: annotation_key("note", line.id.as_uuid()),
        created_at: Some(line.created_at),
        tags: accepted_tags(&line.tags),
        content,
        detached_from,
    };
    let mut record = annotation_record(number, line.item_id.map(import_key), annotation);
    record.warnings.extend(warning);
    record
}

fn highlight(number: u64, line: HighlightLine, now: Millis) -> Option<ImportRecord> {
    let quote = cut(&draft::plain(&line.quote), 10_000);
    if quote.trim().is_empty() {
        return None;
    }
    let position = StoredPosition {
        status: line.anchor_status,
        anchor: line.anchor,
        end_anchor: line.end_anchor,
        start_offset: line.start_offset,
        end_offset: line.end_offset,
        page: line.page,
    };
    let had_card = line.card.is_some();
    let card = line.card.and_then(HighlightCard::of_import);
    let is_card_left_out = had_card && card.is_none();
    let had_picture = line.picture.is_some();
    let picture = line.picture.as_ref().and_then(picture);
    let is_picture_left_out = had_picture && picture.is_none();
    let content = HighlightContent {
        quote,
        picture,
        prefix: cut(&draft::plain(&line.prefix), 64),
        suffix: cut(&draft::plain(&line.suffix), 64),
        note: exact(line.note.as_ref(), NOTE_CHARS),
        color: Some(line.color),
        hint: line.hint,
        item_title: exact(line.item_title.as_ref(), TITLE_CHARS),
        source_url: web_url(line.source_url.as_ref()),
        page: line.page,
        position: is_ordered(position).then_some(position),
        text_hash: line.text_hash,
        review: line.review.map(|review| ReviewState::of_import(review.due_day, review.step, now)),
        card,
    };
    let (detached_from, warning) = detached_item(line.detached_from.filter(|_| line.item_id.is_none()));
    let annotation = ImportedAnnotation {
        external_id: external_id(line.external_id),
        source_key: annotation_key("highlight", line.id.as_uuid()),
        created_at: Some(line.created_at),
        tags: accepted_tags(&line.tags),
        content: AnnotationContent::Highlight(Box::new(content)),
        detached_from,
    };
    let mut record = annotation_record(number, line.item_id.map(import_key), annotation);
    record.warnings.extend(warning);
    if is_card_left_out {
        record.warnings.push(RowError::of("left_out", "the card of the highlight is not valid"));
    }
    if is_picture_left_out {
        record.warnings.push(RowError::of("left_out", "the picture of the highlight is not valid"));
    }
    Some(record)
}

/// Checks the picture of a highlight. `None` if its URL is not valid.
fn picture(line: &PictureLine) -> Option<HighlightPicture> {
    let url = web_url(Some(&line.url)).filter(|url| *url == line.url)?;
    Some(HighlightPicture { url, alt: exact(line.alt.as_ref(), ALT_CHARS) })
}

/// Returns the source key of a note or highlight from another library.
fn annotation_key(kind: &str, id: uuid::Uuid) -> SourceKey {
    SourceKey { name: format!("{}:{kind}:{id}", super::line::FORMAT), own: Some(id) }
}

/// Returns true if the start of a position is not after its end.
fn is_ordered(position: StoredPosition) -> bool {
    let before = |one: Option<i32>, other: Option<i32>| match (one, other) {
        (Some(one), Some(other)) => (0..=other).contains(&one),
        (None, None) => position.status == AnchorStatus::Orphaned,
        _ => false,
    };
    before(position.anchor, position.end_anchor) && before(position.start_offset, position.end_offset)
}

fn annotation_record(number: u64, item: Option<ItemKey>, annotation: ImportedAnnotation) -> ImportRecord {
    ImportRecord {
        number,
        keys: Vec::new(),
        url_key: None,
        item: None,
        tags: Vec::new(),
        annotations: vec![annotation],
        page_copy: None,
        warnings: Vec::new(),
        refers_to: item,
    }
}

/// Stores the file of a page copy. The file is deleted after a day unless it is assigned to its item.
async fn page_copy(
    domain: &Domain,
    account_id: AccountId,
    number: u64,
    line: PageCopyLine,
    file: Option<File>,
) -> Result<Result<ImportRecord, RowError>> {
    let mut record = ImportRecord {
        number,
        keys: Vec::new(),
        url_key: None,
        item: None,
        tags: Vec::new(),
        annotations: Vec::new(),
        page_copy: None,
        warnings: Vec::new(),
        refers_to: Some(import_key(line.item_id)),
    };
    let Some(file) = file else {
        record.warnings.push(RowError::of(MISSING_FILE, "the copy of the page is not in the archive"));
        return Ok(Ok(record));
    };
    let (blob, stored) = files::store_unassigned(domain, account_id, file).await?;
    let is_of_format = match line.format {
        PageCopyFormat::Html => true,
        PageCopyFormat::Screenshot => stored.head.starts_with(b"\x89PNG"),
        PageCopyFormat::Pdf => stored.head.starts_with(b"%PDF-"),
    };
    if stored.checksum() != line.file.checksum || !is_of_format {
        let reason = "the copy of the page does not match its checksum or its format";
        return Ok(Err(RowError::of(Code::ChecksumMismatch.as_str(), reason)));
    }
    record.page_copy = Some(ImportedCopy {
        format: line.format,
        blob,
        size: i64::try_from(stored.size).unwrap_or(i64::MAX),
        checksum: stored.checksum(),
        statement: exact(line.statement.as_ref(), WORD_CHARS),
        created_at: line.file.at.map_or(domain.now(), |at| at.clamp(0, domain.now())),
    });
    Ok(Ok(record))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_with_an_invalid_address_is_left_out() {
        let of = |url: &str| picture(&PictureLine { url: url.to_owned(), alt: Some(" ".to_owned()) });
        let url = "https://a.example/b.png";
        assert_eq!(of(url), Some(HighlightPicture { url: url.to_owned(), alt: None }));
        let long = format!("{url}?{}", "x".repeat(URL_CHARS));
        for invalid in [
            "",
            "javascript:steal()",
            "http",
            "https://",
            "httpx://a.example/b.png",
            "https://user:word@a.example/b.png",
            long.as_str(),
        ] {
            assert_eq!(of(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn url_keys_of_a_deleted_item_are_left_out_last() {
        let length = RetiredKey::of(&import_key(ItemId::from_u128(1))).hash.len();
        let key = |kind, byte: u8| RetiredKeyLine { kind, hash: HEXLOWER.encode(&vec![byte; length]) };
        let count = u8::try_from(MAX_RETIRED_KEYS).unwrap();
        let mut keys: Vec<RetiredKeyLine> = (0..count).map(|byte| key(KeyKind::Import, byte)).collect();
        keys.push(key(KeyKind::Url, count));
        let (item, warning) = detached_item(Some(DetachedLine { item_id: ItemId::from_u128(1), keys }));
        let keys = item.unwrap().keys;
        assert_eq!(keys.len(), 1 + MAX_RETIRED_KEYS);
        assert_eq!(keys[1], RetiredKey { kind: KeyKind::Url, hash: vec![count; length] });
        assert!(warning.is_some(), "one of the other keys is left out");
    }

    #[test]
    fn metadata_that_differs_from_the_file_has_a_warning() {
        let of = |text| {
            let (metadata, warning) = metadata(text);
            (metadata, warning.is_some())
        };
        let plain = r#"{"a": "https://a.example/@b", "m": "x@y"}"#;
        assert_eq!(of(None), (None, false));
        assert_eq!(of(Some(plain)), (Some(plain.to_owned()), false));
        let clean = r#"{"a":"https://a.example/"}"#.to_owned();
        assert_eq!(of(Some(r#"{"a":"https://user:word@a.example/"}"#)), (Some(clean), true));
        assert_eq!(of(Some("[1]")), (None, true));
    }

    #[test]
    fn url_that_is_invalid_for_items_is_omitted() {
        let of = |url: &str| web_url(Some(&url.to_owned()));
        assert_eq!(
            of("https://a.example/b?utm_source=c").as_deref(),
            Some("https://a.example/b?utm_source=c")
        );
        let long = format!("https://a.example/{}", "x".repeat(URL_CHARS));
        for invalid in [
            "http",
            "httpx://a.example/",
            "javascript:steal()",
            "urn:uuid:1",
            "https://user:word@a.example/",
            long.as_str(),
        ] {
            assert_eq!(of(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn marks_of_a_block_are_sorted_and_invalid_ranges_are_removed() {
        let mark = |start, end, style| Stretch { start, end, style };
        let marks = vec![
            mark(4, 6, Style::Strong),
            mark(0, 1, Style::Emphasis),
            mark(0, 3, Style::Strong),
            mark(2, 9, Style::Code),
        ];
        let mut block = Block { text: "abcdef".to_owned(), marks, ..Block::default() };
        clean(&mut block);
        let ranges: Vec<(u32, u32)> = block.marks.iter().map(|mark| (mark.start, mark.end)).collect();
        assert_eq!(ranges, [(0, 3), (0, 1), (4, 6)]);
    }
}
