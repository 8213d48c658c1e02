//! Requests of the library operations.

use kernel::bounds::{
    CHANGED_ITEMS, ITEM_CONTENT_CHARS, ITEM_NAME_CHARS, ITEM_TITLE_CHARS, ITEM_WORD_CHARS, OBJECT_TAGS,
    TAG_CHARS, WRITTEN_TIME_CHARS,
};
use kernel::{Code, ItemId};
use library::{
    CaptureMethod, Changes, ContentKind, IfMatch, ItemFormat, ItemStatus, Progress, ReadMark, Save, Update,
};

use crate::error::ApiError;
use http_kit::http::free::FreeObject;
use http_kit::http::params::{Flag, Integer, Text, Url, UuidText};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable};
use http_kit::http::word::Word;

/// Tags of an object.
pub(super) type Tags = List<Text<0, TAG_CHARS>, 0, OBJECT_TAGS>;
/// Per cent that are read.
type Percent = Integer<1, 99>;

/// An item's id in a path. What is none belongs to no item.
pub(crate) fn id_of(text: &str) -> Result<ItemId, ApiError> {
    text.parse::<ItemId>().map_err(|_| ApiError::new(Code::NotFound, "There is no such item."))
}

/// The texts of tags.
pub(super) fn tags_of(tags: Tags) -> Vec<String> {
    tags.0.into_iter().map(|tag| tag.0).collect()
}

request! {
    /// Something to save: an address, content, or the name of a file that comes later. At least one of `url`, `content`
    /// and `fileName`.
    pub(super) struct LibrarySaveRequest in camelCase {
        /// The http(s) address. Alone it is fetched; with `content` or `fileName` it is a label.
        url: Option<Url> = "https://example.com/article",
        /// The title; the text's own otherwise.
        title: Option<Text<1, ITEM_TITLE_CHARS>>,
        /// The content as HTML, Markdown or plain text; it takes the place of what was fetched.
        content: Option<Text<1, ITEM_CONTENT_CHARS>>,
        /// Who wrote it.
        author: Option<Nullable<Text<0, ITEM_NAME_CHARS>>>,
        /// When; any usual way to write a time. One that cannot be read is left out.
        published_at: Option<Nullable<Text<0, WRITTEN_TIME_CHARS>>>,
        /// Where to keep it. Default `inbox`.
        status: Option<Word<ItemStatus>>,
        /// Tags; of an item that is there they are added.
        tags: Option<Tags> = ["to read"],
        /// What sort of thing it is; found by itself otherwise.
        content_kind: Option<Word<ContentKind>>,
        /// How it comes. Default `api`.
        capture_method: Option<Word<CaptureMethod>>,
        /// The format of the content.
        format: Option<Word<ItemFormat>>,
        /// The media type of the content.
        mime_type: Option<Nullable<Text<0, ITEM_WORD_CHARS>>>,
        /// The name of the file; without `content` its bytes are uploaded later.
        file_name: Option<Nullable<Text<0, ITEM_NAME_CHARS>>>,
        /// Your own id of it: a save with the same one is the same item.
        external_id: Option<Nullable<Text<0, ITEM_WORD_CHARS>>>,
        /// Members of your own: at most 64 KiB, 512 members, 8 deep.
        metadata: Option<FreeObject>,
    }
}

fn text<const MIN: usize, const MAX: usize>(value: Option<Nullable<Text<MIN, MAX>>>) -> Option<String> {
    value.and_then(|value| value.0).map(|text| text.0)
}

impl From<LibrarySaveRequest> for Save {
    fn from(request: LibrarySaveRequest) -> Self {
        Self {
            url: request.url.map(|url| url.0),
            title: request.title.map(|title| title.0),
            content: request.content.map(|content| content.0),
            author: text(request.author),
            published_at: text(request.published_at),
            status: request.status.map(|word| word.0),
            tags: request.tags.map(tags_of).unwrap_or_default(),
            content_kind: request.content_kind.map(|word| word.0),
            capture_method: request.capture_method.map(|word| word.0),
            format: request.format.map(|word| word.0),
            mime_type: text(request.mime_type),
            file_name: text(request.file_name),
            external_id: text(request.external_id),
            metadata: request.metadata.map(|object| object.to_text()),
            ..Self::default()
        }
    }
}

request! {
    /// What to change of each item; what is left out stays.
    pub(super) struct LibraryChangesRequest in camelCase {
        /// Where to keep it.
        status: Option<Word<ItemStatus>> = "archive",
        /// All its tags.
        tags: Option<Tags>,
        /// How much is read, in per cent; null takes that away.
        read_progress: Option<Nullable<Percent>>,
        /// Whether it is read.
        mark_read: Option<Flag>,
        /// What sort of thing it is; `unknown` leaves it to be found by itself again.
        content_kind: Option<Word<ContentKind>>,
    }
    with at least 1 field
}

impl From<LibraryChangesRequest> for Changes {
    fn from(request: LibraryChangesRequest) -> Self {
        Self {
            status: request.status.map(|word| word.0),
            tags: request.tags.map(tags_of),
            read_progress: request.read_progress.map(progress),
            mark_read: request.mark_read.map(read_mark),
            content_kind: request.content_kind.map(|word| word.0),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over an option")]
fn progress(value: Nullable<Percent>) -> Progress {
    match value.0 {
        Some(percent) => Progress::At(i16::try_from(percent.0).unwrap_or(99)),
        None => Progress::Cleared,
    }
}

fn read_mark(flag: Flag) -> ReadMark {
    if flag.0 { ReadMark::Read } else { ReadMark::Unread }
}

request! {
    /// Items to change alike.
    pub(super) struct LibraryBulkRequest in camelCase {
        /// 1 to 100 item ids; repeated ones count once.
        ids: List<UuidText, 1, CHANGED_ITEMS> = ["0193a0b2-7c00-7000-8000-3f1e2d4c5b6a"],
        /// What to change.
        changes: LibraryChangesRequest = serde_json::json!({"status": "archive"}),
    }
}

request! {
    /// Items to delete.
    pub(super) struct LibraryDeleteRequest in camelCase {
        /// 1 to 100 item ids.
        ids: List<UuidText, 1, CHANGED_ITEMS> = ["0193a0b2-7c00-7000-8000-3f1e2d4c5b6a"],
        /// What becomes of their notes and highlights. Default `keep`.
        annotations: Option<Word<AnnotationsChoice>> = "keep",
    }
}

/// What becomes of the notes and highlights of a deleted item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnnotationsChoice {
    /// They stay.
    Keep,
    /// They go, too.
    Delete,
}

impl http_kit::http::word::WordSet for AnnotationsChoice {
    const SET: &'static [Self] = &[Self::Keep, Self::Delete];

    fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Delete => "delete",
        }
    }
}

impl From<AnnotationsChoice> for library::Annotations {
    fn from(choice: AnnotationsChoice) -> Self {
        match choice {
            AnnotationsChoice::Keep => Self::Keep,
            AnnotationsChoice::Delete => Self::Delete,
        }
    }
}

/// The items that ids name.
pub(super) fn items_of(ids: List<UuidText, 1, CHANGED_ITEMS>) -> Vec<ItemId> {
    ids.0.into_iter().map(|id| ItemId::from_u128(id.0)).collect()
}

request! {
    /// What to change of an item; what is left out stays.
    pub(super) struct LibraryItemUpdate in camelCase {
        /// Its title.
        title: Option<Text<1, ITEM_TITLE_CHARS>> = "A quiet desk",
        /// Who wrote it; null takes that away.
        author: Option<Nullable<Text<0, ITEM_NAME_CHARS>>>,
        /// When it was published; null takes that away.
        published_at: Option<Nullable<Text<0, WRITTEN_TIME_CHARS>>>,
        /// Members to set; a member that is null is taken away.
        metadata: Option<FreeObject>,
        /// Where to keep it.
        status: Option<Word<ItemStatus>>,
        /// All its tags.
        tags: Option<Tags>,
        /// Tags to add.
        add_tags: Option<Tags> = ["desks"],
        /// Tags to take off.
        remove_tags: Option<Tags>,
        /// How much is read, in per cent; null takes that away.
        read_progress: Option<Nullable<Percent>>,
        /// Whether it is read.
        mark_read: Option<Flag>,
        /// What sort of thing it is; `unknown` leaves it to be found by itself again.
        content_kind: Option<Word<ContentKind>>,
    }
}

impl LibraryItemUpdate {
    /// The change, under the condition that a header states.
    pub(super) fn under(self, if_match: Option<String>) -> Update {
        let changes = Changes {
            status: self.status.map(|word| word.0),
            tags: self.tags.map(tags_of),
            read_progress: self.read_progress.map(progress),
            mark_read: self.mark_read.map(read_mark),
            content_kind: self.content_kind.map(|word| word.0),
        };
        Update {
            changes,
            add_tags: self.add_tags.map(tags_of).unwrap_or_default(),
            remove_tags: self.remove_tags.map(tags_of).unwrap_or_default(),
            title: self.title.map(|title| title.0),
            author: self.author.map(|author| author.0.map(|text| text.0)),
            published_at: self.published_at.map(|time| time.0.map(|text| text.0)),
            metadata: self.metadata.map(|object| object.to_text()),
            if_match: if_match.map(IfMatch),
        }
    }
}

request! {
    /// How to make the text anew.
    pub(super) struct LibraryRefreshRequest in camelCase {
        /// From the address, also where content was supplied or a file is there. Default false.
        from_url: Flag = false => false,
    }
}
