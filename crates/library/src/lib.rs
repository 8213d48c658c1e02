//! Private library of an account: items, notes, and highlights, with search, sync, import, and export.
//!
//! Every change goes through [`LibraryTransaction`]. It locks the account, assigns a time to the change and a
//! sequence number to each changed object, records both in the log, and updates the storage counter.

mod account_concurrency;
mod account_rows;
mod adjacent_items;
mod annotation_lists;
mod annotations;
mod automatic_copies;
mod bulk_copies;
mod change;
mod classify;
mod computed_anchors;
mod content_extraction;
mod copy_choice;
mod copy_queue;
mod copy_statement;
pub mod draft;
mod due_accounts;
mod feed_stars;
mod file_items;
pub mod files;
mod folded_text;
mod highlight_anchor;
mod highlight_cards;
mod highlight_picture;
mod highlight_review;
mod highlights;
mod imported_copies;
mod index_page;
mod index_rebuild;
mod item;
mod item_access;
mod item_numbers;
mod item_pages;
mod item_preview;
mod item_rules;
pub mod job_kinds;
mod keys;
mod list;
mod list_position;
mod message_files;
mod messages;
mod model_choices;
mod model_tags;
mod notes;
mod objects;
mod page_copies;
mod page_copy_charges;
mod page_copy_creation;
mod page_copy_upload;
mod pending_deletions;
mod precedence;
mod public_highlights;
mod public_tags;
mod public_url;
mod purge;
mod quote_match;
mod reading_positions;
mod rediscovery;
mod remove;
mod reversion;
mod review_schedule;
mod rule_queue;
mod rule_run;
mod rule_saves;
mod save_item;
mod saved_entries;
mod saved_searches;
mod search;
mod search_feeds;
mod shared_tags;
pub mod stars;
mod status_counts;
pub mod store;
pub mod sync;
mod tag_changes;
mod tag_items;
mod tag_lists;
mod tag_marks;
mod tags;
mod text;
mod text_hook;
pub mod text_queue;
mod text_request;
mod themed_reviews;
mod transaction;
pub mod transfer;
mod usage;
mod visible_tags;

pub use account_rows::LibraryRows;
pub use adjacent_items::{AdjacentItems, adjacent};
pub use annotation_lists::{AnnotationFilter, AnnotationPage, list_highlights, list_notes};
pub use annotations::Annotations;
pub use automatic_copies::{automatic_copies, update_automatic_copies};
pub use bulk_copies::{BulkCopies, BulkCopy, request_page_copies, withdraw_page_copies};
pub use change::{
    BulkChangeResult, IfMatch, ItemChanges, ItemUpdate, ReadMark, ReadProgress, apply_reading_state,
    change_all, update,
};
pub use content_extraction::SAVE_TIMEOUT;
pub use copy_choice::{CopyChoice, CopyChoiceUpdate};
pub use copy_statement::{NOTICE_HIDDEN, NOTICE_REJECTED};
pub use draft::{ExistingText, Save};
pub use entities::library_words::{
    AccountExportPart, AnchorStatus, ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind,
    ExportFormat, HighlightColor, ImportServerState, ImportedPartKind, ItemFormat, ItemStatus, KeyKind, Lane,
    ObjectKind, PageCopyFormat, PageCopyState, ReviewFrequency, RowOutcome, TextOrigin, TextSource,
    TransferState,
};
pub use feed_stars::{star, unstar};
pub use file_items::{FileItemUpload, NewFileItem};
pub use highlight_cards::{
    CardFace, CardGap, CardPiece, HIDDEN_WORDS, HighlightCard, NewCard, NewGap, QuotePart, quote_parts,
};
pub use highlight_picture::HighlightPicture;
pub use highlight_review::{
    GivenAnswer, NextReview, ReviewSource, ReviewSources, answer_review, count_due_by_theme,
    count_due_highlights, due_highlights, due_highlights_by_theme, next_review, resume_review,
    review_sources, reviews_per_day, set_review_frequency, set_reviews_per_day,
};
pub use highlights::{
    Highlight, HighlightTarget, HighlightUpdate, NewHighlight, create_highlight, delete_highlight,
    get_highlight, update_highlight,
};
pub use imported_copies::imported_copies_per_day;
pub use index_page::{IndexPage, PostgresIndexRow, index_page};
#[cfg(feature = "testing")]
pub use item::index_rows;
pub use item::{IS_IMPORTED, Item};
pub use item_access::{RefreshFrom, find, get, open, refresh, stored_text, text_of, visit_texts};
pub use item_numbers::{item_of_number, numbers_of};
pub use item_pages::{
    ItemPageFilter, OffsetPage, PageBounds, PageOrder, ReadingStage, find_by_url, list_by_offset,
};
pub use item_preview::{ItemPreview, previews};
pub use item_rules::{
    ItemRule, ItemRuleUpdate, NewItemRule, create_item_rule, delete_item_rule, list_item_rules,
    update_item_rule,
};
pub use keys::ItemKey;
pub use list::{ItemFilter, ItemPage, ListView, list};
pub use list_position::{ListPosition, POSITION_BYTES};
pub use message_files::{MessageFileContent, MessageFiles, message_files, read_message_file};
pub use messages::{MESSAGE_TYPE, MessageFile, MessageItem, WrittenMessage, prepare_message, write_message};
pub use model_choices::{InstalledModelChoices, ModelChoices};
pub use model_tags::{
    ModelTagCounts, TaggedByModel, attach_model_tags, count_model_tags, list_tagged_by_model, model_tags_of,
    remove_all_model_tags, remove_model_tags, request_removal_of_model_tags,
};
pub use notes::{NewNote, Note, NoteUpdate, create_note, delete_note, get_note, update_note};
pub use objects::{ObjectPage, ObjectSummary, list_objects, opening};
pub use page_copies::{
    PageCopy, RequestedCopy, StoredCopy, delete_page_copy, list_page_copies, open_page_copy,
    request_page_copy,
};
pub use page_copy_upload::{MAX_SENT_PAGE_BYTES, PageCopyUpload, PutPageCopy, SentPage, begin_page_copy};
pub use pending_deletions::{
    PendingDeletions, cancel_deletion, delete_due, pending_deletions, schedule_deletion,
};
pub use public_highlights::{
    PublicHighlight, PublicNote, PublicQuote, Publication, highlight_publication, list_public_highlights,
    publish_highlight, unpublish_highlight, view_public_highlight,
};
pub use public_tags::{
    PublicTag, PublicTagPage, find_tag_feed, list_public_tags, publish_tag, unpublish_tag, view_public_tag,
};
pub use purge::purge;
pub use reading_positions::{
    LISTENED, ReadingPosition, delete_reading_position, get_reading_position, put_listened_position,
    put_reading_position,
};
pub use rediscovery::{Rediscovery, rediscover};
pub use remove::{ItemDeletion, delete, delete_all};
pub use reversion::{ItemReversion, item_reversions, revert_items};
pub use review_schedule::ReviewAnswer;
pub use save_item::save_entry_deferred;
pub use save_item::{PendingSave, SavedItem, TextProvenance, save, save_entry};
pub use saved_entries::LibraryEntries;
pub use saved_searches::{
    NewSearch, SavedSearch, SearchTarget, delete_search, list_saved_searches, rename_search, save_search,
};
#[cfg(feature = "testing")]
pub use search::index::IndexRow;
pub use search::snippet::Snippet;
pub use search_feeds::{create_search_feed, delete_search_feed, find_search_feed};
pub use shared_tags::{
    NewSharedItem, SharedTag, SharedTagPage, TeamTag, add_shared_item, list_shared_items, list_shared_tags,
    list_team_tags, remove_shared_item, share_tag, unshare_tag,
};
pub use status_counts::{BoundedCount, StatusCounts, count_by_status};
pub use tag_changes::{TagChanged, change_tag, delete_tag, rename_tag};
pub use tag_items::{PageStart, TagItem, TagItemPage};
pub use tag_lists::{TagCount, list_tags};
pub use tags::{FAVORITE, Tag};
pub use text::{NewText, StoredText};
pub use text_hook::{InstalledTextHook, StoredTextHook, TextedItem};
pub use themed_reviews::{
    HighlightedItems, NewThemedReview, ReviewTheme, ThemedReview, create_themed_review, delete_themed_review,
    get_themed_review, highlighted_items, list_themed_reviews, replace_themed_review,
};
pub use transaction::{LibraryTransaction, OBJECT_BYTES, Stamp};
pub use usage::stored_bytes;
pub use visible_tags::{VisibleTags, visible_tags};
