//! Library operations: items with their texts, notes, highlights, tags, search and sync.

mod annotations_schema;
mod bulk;
mod content;
mod examples;
mod highlights;
mod item_view;
mod items;
mod markdown;
mod meaning_search;
mod model_tags;
mod notes;
mod object_types;
mod objects;
mod passages;
mod public_tags;
mod questions;
mod request;
mod review_settings;
mod rules;
mod save_response;
mod schema;
mod summaries;
mod sync;
mod tag_key;
mod texts;
mod texts_schema;

pub(super) use bulk::LibraryBulkApi;
pub(super) use highlights::HighlightsApi;
pub(super) use item_view::saved_answer;
pub(super) use items::ItemsApi;
pub(super) use markdown::MarkdownApi;
pub(super) use meaning_search::MeaningSearchApi;
pub(super) use model_tags::ModelTagsApi;
pub(super) use notes::NotesApi;
pub(super) use objects::ObjectsApi;
pub(super) use passages::PassagesApi;
pub(super) use public_tags::PublicTagsApi;
pub(super) use questions::QuestionsApi;
pub(super) use review_settings::ReviewSettingsApi;
pub(super) use rules::RulesApi;
pub(super) use save_response::ItemSaved;
pub(super) use schema::SKIPPED;
pub(super) use summaries::SummariesApi;
pub(super) use sync::SyncApi;
pub(super) use texts::TextsApi;

pub(crate) use examples::item_id;
pub(crate) use request::id_of;
pub(crate) use schema::{LibraryItem, LibraryItemOne};

/// Operations of the group, one type per subject.
pub(super) type LibraryApi =
    (ItemsApi, LibraryBulkApi, TextsApi, ModelApi, ObjectsApi, NotesApi, HighlightApi, CopyApi, TagApi);
/// Operations on public tags, and on rules that add tags.
type TagApi = (PublicTagsApi, RulesApi);
/// Operations on highlights and their reviews.
type HighlightApi = (HighlightsApi, ReviewSettingsApi);
/// Operations for clients that keep a copy of the library.
type CopyApi = (SyncApi, MarkdownApi);
/// Operations that use the language model.
type ModelApi = (SummariesApi, ModelTagsApi, MeaningSearchApi, QuestionsApi, PassagesApi);

pub(super) fn operations() -> LibraryApi {
    let model = (SummariesApi, ModelTagsApi, MeaningSearchApi, QuestionsApi, PassagesApi);
    let highlights = (HighlightsApi, ReviewSettingsApi);
    let copies = (SyncApi, MarkdownApi);
    let tags = (PublicTagsApi, RulesApi);
    (ItemsApi, LibraryBulkApi, TextsApi, model, ObjectsApi, NotesApi, highlights, copies, tags)
}

/// Converts an item with its metadata, without its text.
pub(crate) fn item_with_metadata(app: &http_kit::app::App, item: library::Item) -> LibraryItem {
    item_view::of(app, item, item_view::MetadataInclusion::Included)
}
