//! Import records: rows of an import that are ready to be written.

use std::collections::HashMap;

use entities::ids::{AccountId, ImportId, ItemId};
use entities::library_item;
use entities::library_words::{AnchorStatus, HighlightColor};
use extract::imports::InvalidRow;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

use crate::draft::cut;
use crate::highlight_cards::HighlightCard;
use crate::highlight_picture::HighlightPicture;
use crate::keys::{Holder, ItemKey, RetiredKey};
use crate::page_copies::ImportedCopy;
use crate::review_schedule::ReviewState;
use crate::tags::{MAX_TAGS, Tag};
use crate::text::{Original, PackedText};
use kernel::bounds::TAG_CHARS;

/// Import whose rows are written, and its option for deleted objects.
#[derive(Clone, Copy)]
pub(super) struct ImportScope {
    pub(super) import_id: ImportId,
    pub(super) include_deleted: bool,
}

/// Row of an import that is ready to be written.
pub(super) struct ImportRecord {
    /// Row number, starting at 1.
    pub(super) number: u64,
    /// Keys of the row's item.
    pub(super) keys: Vec<ItemKey>,
    /// Key of the row's URL if the row also has an id of another service.
    pub(super) url_key: Option<ItemKey>,
    /// Item that is created if no existing item has one of the keys. `None` if the row consists of
    /// annotations only.
    pub(super) item: Option<NewItem>,
    /// Tags of the item.
    pub(super) tags: Vec<Tag>,
    /// Notes and highlights.
    pub(super) annotations: Vec<ImportedAnnotation>,
    /// Copy of the page of the item.
    pub(super) page_copy: Option<ImportedCopy>,
    /// Problems that do not prevent the import of the row.
    pub(super) warnings: Vec<RowError>,
    /// Key of the item to which the annotations or the copy belong, if the row has no item.
    pub(super) refers_to: Option<ItemKey>,
}

impl ImportRecord {
    /// Returns the existing item to which the first of the keys belongs. If there is none, returns the deleted item to
    /// which the first of the keys belonged.
    pub(super) fn holder(&self, holders: &HashMap<Vec<u8>, Holder>) -> Option<Holder> {
        let hashes = self.keys.iter().chain(&self.refers_to).map(ItemKey::hash);
        let detached = self.detached_items().flat_map(|item| item.keys.iter().map(|key| key.hash.clone()));
        let mut of_keys = hashes.chain(detached).filter_map(|hash| holders.get(&hash).copied());
        let first = of_keys.next()?;
        std::iter::once(first).chain(of_keys).find(|holder| holder.item().is_some()).or(Some(first))
    }

    /// Returns the deleted items to which the annotations belonged in their source.
    pub(super) fn detached_items(&self) -> impl Iterator<Item = &DetachedItem> {
        self.annotations.iter().filter_map(|annotation| annotation.detached_from.as_ref())
    }

    /// Returns true if the row contains notes or highlights of an item without a URL, such as a book.
    pub(super) fn is_of_annotations(&self) -> bool {
        let is_without_url = |new: &NewItem| !new.row.url.starts_with("http");
        !self.annotations.is_empty() && self.item.as_ref().is_some_and(is_without_url)
    }
}

/// Item to be created.
pub(super) struct NewItem {
    pub(super) row: library_item::Model,
    pub(super) text: Option<PackedText>,
    pub(super) original: Option<Original>,
    /// Key of the item's file in the blob store.
    pub(super) blob: Option<String>,
    /// Completeness of the metadata in `row`.
    pub(super) completeness: Completeness,
    /// Key of the item with the same final URL.
    pub(super) duplicate_of: Option<ItemKey>,
}

/// Completeness of the metadata of an imported item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completeness {
    /// The item is from another service. Metadata of its text is added.
    Partial,
    /// The item is from an exported library, which already added the metadata of its text.
    Complete,
}

/// Note or highlight of an import.
pub(super) struct ImportedAnnotation {
    /// Id that a client assigned, or that is derived from the row.
    pub(super) external_id: Option<String>,
    /// Identity of the annotation in its source.
    pub(super) source_key: SourceKey,
    pub(super) created_at: Option<i64>,
    pub(super) tags: Vec<Tag>,
    pub(super) content: AnnotationContent,
    /// Deleted item to which the annotation belonged in an exported library.
    pub(super) detached_from: Option<DetachedItem>,
}

/// Deleted item of an exported library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DetachedItem {
    /// Id in the exported library, or of the deleted item of this library that had one of the keys.
    pub(super) id: ItemId,
    pub(super) keys: Vec<RetiredKey>,
}

/// Identity of a note or highlight in its source. The id in this library is derived from it, so that repeated
/// imports create the object only once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceKey {
    /// Name that is unique among all imported objects.
    pub(super) name: String,
    /// Id in the source library, which may be this library.
    pub(super) own: Option<Uuid>,
}

impl SourceKey {
    /// Derives the id in the library of an account.
    pub(super) fn id_in(&self, account_id: AccountId) -> Uuid {
        let mut hash = Sha256::new();
        hash.update(account_id.as_uuid().as_bytes());
        hash.update(self.name.as_bytes());
        let hash: [u8; 32] = hash.finalize().into();
        let mut random = [0; 10];
        random.copy_from_slice(&hash[..10]);
        Builder::from_unix_timestamp_millis(0, &random).into_uuid()
    }
}

/// Content of a note or highlight.
pub(super) enum AnnotationContent {
    Note { title: Option<String>, text: String },
    Highlight(Box<HighlightContent>),
}

/// Highlighted passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HighlightContent {
    pub(super) quote: String,
    /// Picture in an exported library. `None` for a passage.
    pub(super) picture: Option<HighlightPicture>,
    pub(super) prefix: String,
    pub(super) suffix: String,
    pub(super) note: Option<String>,
    pub(super) color: Option<HighlightColor>,
    /// Anchor of the block in which a client saw the passage.
    pub(super) hint: Option<i32>,
    /// Title of the item, if it was deleted.
    pub(super) item_title: Option<String>,
    /// URL of the item, if it was deleted.
    pub(super) source_url: Option<String>,
    /// Page number in a book, according to the other service.
    pub(super) page: Option<i32>,
    /// Position in the text that has the hash `text_hash`.
    pub(super) position: Option<StoredPosition>,
    pub(super) text_hash: Option<String>,
    /// Review state in an exported library.
    pub(super) review: Option<ReviewState>,
    /// Card in an exported library.
    pub(super) card: Option<HighlightCard>,
}

/// Position of a passage in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoredPosition {
    pub(super) status: AnchorStatus,
    pub(super) anchor: Option<i32>,
    pub(super) end_anchor: Option<i32>,
    pub(super) start_offset: Option<i32>,
    pub(super) end_offset: Option<i32>,
    pub(super) page: Option<i32>,
}

/// Problem of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowError {
    pub(super) code: String,
    pub(super) reason: String,
    /// True if the row counts as skipped, false if it counts as failed.
    pub(super) is_skipped: bool,
}

impl RowError {
    /// Creates a problem that makes a row fail, or a warning about an imported row.
    pub(super) fn of(code: &str, reason: &str) -> Self {
        Self { code: code.to_owned(), reason: reason.to_owned(), is_skipped: false }
    }

    /// Creates the problem of an invalid row.
    pub(super) fn of_invalid(problem: InvalidRow) -> Self {
        let reason = problem.to_string();
        match problem {
            InvalidRow::PageMark => Self::skipped("page_mark", &reason),
            InvalidRow::FeedEntry => Self::skipped("feed_entry", &reason),
            InvalidRow::Subscription => Self::skipped("feed_subscription", &reason),
            InvalidRow::Annotation => Self::skipped("annotation", &reason),
            InvalidRow::Deleted => Self::skipped("deleted", &reason),
            InvalidRow::Entry(_) | InvalidRow::Entries(_) => Self::skipped("unread_entry", &reason),
            InvalidRow::Responses(_) => Self::skipped("left_out", &reason),
            InvalidRow::TooLong
            | InvalidRow::Malformed
            | InvalidRow::Empty
            | InvalidRow::UnclosedQuote
            | InvalidRow::OtherDatabase
            | InvalidRow::DamagedDatabase
            | InvalidRow::SlowDatabase
            | InvalidRow::Truncated => Self::of("malformed", &reason),
        }
    }

    /// Creates a problem that makes a row count as skipped.
    pub(super) fn skipped(code: &str, reason: &str) -> Self {
        Self { is_skipped: true, ..Self::of(code, reason) }
    }
}

/// Parses the tags of an object in a file, up to the maximum number. Long names are cut; blank and repeated tags are
/// dropped.
pub(super) fn accepted_tags(names: &[String]) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    for tag in names.iter().filter_map(|name| Tag::of(&cut(name.trim(), TAG_CHARS))) {
        if tags.len() == MAX_TAGS {
            break;
        }
        if tags.iter().all(|known| known.key != tag.key) {
            tags.push(tag);
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_a_file_are_bounded_and_distinct() {
        let names = |names: &[String]| -> Vec<String> {
            accepted_tags(names).into_iter().map(|tag| tag.name).collect()
        };
        let written = ["  Sea ", "SEA", " ", "Coast"].map(str::to_owned);
        assert_eq!(names(&written), ["Sea", "Coast"]);
        let long = format!("  {}", "x".repeat(TAG_CHARS + 1));
        assert_eq!(names(&[long]), ["x".repeat(TAG_CHARS)]);
        let mut many = vec!["0".to_owned(); MAX_TAGS];
        many.extend((1..=MAX_TAGS).map(|number| number.to_string()));
        assert_eq!(names(&many).len(), MAX_TAGS, "repeated tags do not count");
    }
}
