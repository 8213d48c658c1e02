//! Requests of the library operations.

use kernel::ItemId;
use kernel::bounds::{
    CHANGED_ITEMS, ITEM_CONTENT_CHARS, ITEM_NAME_CHARS, ITEM_TITLE_CHARS, ITEM_TOKEN_CHARS, OBJECT_TAGS,
    TAG_CHARS, WRITTEN_TIME_CHARS,
};
use library::{
    CaptureMethod, ContentKind, IfMatch, ItemChanges, ItemFormat, ItemStatus, ItemUpdate, ReadMark,
    ReadProgress, Save,
};

use crate::error::ApiError;
use crate::path_id::path_id;
use crate::render_choice::RenderChoice;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::free_object::FreeObject;
use http_kit::http::params::{Flag, Integer, Text, Url, UuidText};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable};

/// Tags of an object.
pub(super) type ObjectTags = List<Text<0, TAG_CHARS>, 0, OBJECT_TAGS>;
/// Reading progress in per cent.
type Percent = Integer<1, 99>;

pub(crate) fn id_of(text: &str) -> Result<ItemId, ApiError> {
    path_id(text, "item")
}

pub(super) fn tags_of(tags: ObjectTags) -> Vec<String> {
    tags.0.into_iter().map(|tag| tag.0).collect()
}

request! {
    /// Item to save: a URL, content, or the name of a file that is uploaded later. At least one of `url`,
    /// `content` and `fileName` is required.
    pub(super) struct LibrarySaveRequest in camelCase {
        /// http(s) URL; fetched if sent alone, only stored with `content` or `fileName`.
        url: Option<Url> = "https://example.com/article",
        /// Title of the item. Default: taken from the text.
        title: Option<Text<1, ITEM_TITLE_CHARS>>,
        /// Content as HTML, Markdown or plain text, used instead of fetching the URL.
        content: Option<Text<1, ITEM_CONTENT_CHARS>>,
        /// Author of the item; null if unknown.
        author: Option<Nullable<Text<0, ITEM_NAME_CHARS>>>,
        /// Publication time in any common format; ignored if unreadable.
        published_at: Option<Nullable<Text<0, WRITTEN_TIME_CHARS>>>,
        /// Status of the item. Default: `inbox`.
        status: Option<EnumParam<ItemStatus>>,
        /// Tags of the item; added to those of an existing item.
        tags: Option<ObjectTags> = ["to read"],
        /// Kind of the content. Default: detected.
        content_kind: Option<EnumParam<ContentKind>>,
        /// Method of capture. Default: `api`.
        capture_method: Option<EnumParam<CaptureMethod>>,
        /// Format of the content. Default: detected.
        format: Option<EnumParam<ItemFormat>>,
        /// Media type of the content; null if unknown.
        mime_type: Option<Nullable<Text<0, ITEM_TOKEN_CHARS>>>,
        /// File name; without `content` the file is uploaded later.
        file_name: Option<Nullable<Text<0, ITEM_NAME_CHARS>>>,
        /// Id in your system. Reusing it returns the existing item.
        external_id: Option<Nullable<Text<0, ITEM_TOKEN_CHARS>>>,
        /// Custom metadata: at most 64 KiB, 512 members, 8 levels deep.
        metadata: Option<FreeObject>,
        /// Rendering of the page in a browser, which costs 4 more fresh extractions. Default: `auto`.
        render: Option<RenderChoice>,
    }
}

/// Returns the text of an optional field. `None` if the field is null or omitted.
pub(super) fn text_of<const MIN: usize, const MAX: usize>(
    value: Option<Nullable<Text<MIN, MAX>>>,
) -> Option<String> {
    value.and_then(|value| value.0).map(|text| text.0)
}

impl From<LibrarySaveRequest> for Save {
    fn from(request: LibrarySaveRequest) -> Self {
        Self {
            url: request.url.map(|url| url.0),
            title: request.title.map(|title| title.0),
            content: request.content.map(|content| content.0),
            author: text_of(request.author),
            published_at: text_of(request.published_at),
            status: request.status.map(|word| word.0),
            tags: request.tags.map(tags_of).unwrap_or_default(),
            content_kind: request.content_kind.map(|word| word.0),
            capture_method: request.capture_method.map(|word| word.0),
            format: request.format.map(|word| word.0),
            mime_type: text_of(request.mime_type),
            file_name: text_of(request.file_name),
            external_id: text_of(request.external_id),
            metadata: request.metadata.map(|object| object.to_text()),
            render: request.render.map(Into::into),
            ..Self::default()
        }
    }
}

request! {
    /// Changes to items; omitted fields stay unchanged.
    pub(super) struct LibraryChangesRequest in camelCase {
        /// Status of the items.
        status: Option<EnumParam<ItemStatus>> = "archive",
        /// Tags of the items; replaces all tags.
        tags: Option<ObjectTags>,
        /// Tags to add to each item.
        add_tags: Option<ObjectTags>,
        /// Tags to remove from each item.
        remove_tags: Option<ObjectTags>,
        /// Reading progress in per cent; null clears it.
        read_progress: Option<Nullable<Percent>>,
        /// True marks as read, false as unread.
        mark_read: Option<Flag>,
        /// Kind of the content; `unknown` restores automatic detection.
        content_kind: Option<EnumParam<ContentKind>>,
    }
    with at least 1 field
}

impl From<LibraryChangesRequest> for ItemChanges {
    fn from(request: LibraryChangesRequest) -> Self {
        Self {
            status: request.status.map(|word| word.0),
            tags: request.tags.map(tags_of),
            add_tags: request.add_tags.map(tags_of).unwrap_or_default(),
            remove_tags: request.remove_tags.map(tags_of).unwrap_or_default(),
            read_progress: request.read_progress.map(progress),
            mark_read: request.mark_read.map(read_mark),
            content_kind: request.content_kind.map(|word| word.0),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is mapped over an option")]
fn progress(value: Nullable<Percent>) -> ReadProgress {
    match value.0 {
        Some(percent) => ReadProgress::At(i16::try_from(percent.0).unwrap_or(99)),
        None => ReadProgress::Cleared,
    }
}

fn read_mark(flag: Flag) -> ReadMark {
    if flag.0 { ReadMark::Read } else { ReadMark::Unread }
}

request! {
    /// Items to change and the changes.
    pub(super) struct LibraryBulkRequest in camelCase {
        /// 1 to 100 item ids; repeated ids count once.
        ids: List<UuidText, 1, CHANGED_ITEMS> = ["0193a0b2-7c00-7000-8000-3f1e2d4c5b6a"],
        /// Changes to apply to each item.
        changes: LibraryChangesRequest = serde_json::json!({"status": "archive"}),
    }
}

request! {
    /// Items to delete.
    pub(super) struct LibraryDeleteRequest in camelCase {
        /// 1 to 100 item ids.
        ids: List<UuidText, 1, CHANGED_ITEMS> = ["0193a0b2-7c00-7000-8000-3f1e2d4c5b6a"],
        /// `keep` or `delete` the notes and highlights of the items. Default: `keep`.
        annotations: Option<EnumParam<AnnotationsChoice>> = "keep",
    }
}

/// Handling of the notes and highlights of a deleted item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnnotationsChoice {
    /// Notes and highlights are retained.
    Keep,
    /// Notes and highlights are deleted.
    Delete,
}

impl http_kit::http::enum_param::WordSet for AnnotationsChoice {
    fn set() -> &'static [Self] {
        &[Self::Keep, Self::Delete]
    }

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

pub(crate) fn items_of(ids: List<UuidText, 1, CHANGED_ITEMS>) -> Vec<ItemId> {
    ids.0.into_iter().map(|id| ItemId::from_u128(id.0)).collect()
}

request! {
    /// Changes to an item; omitted fields stay unchanged.
    pub(super) struct LibraryItemUpdate in camelCase {
        /// Title of the item.
        title: Option<Text<1, ITEM_TITLE_CHARS>> = "A quiet desk",
        /// Author of the item; null clears it.
        author: Option<Nullable<Text<0, ITEM_NAME_CHARS>>>,
        /// Publication time in any common format; null clears it.
        published_at: Option<Nullable<Text<0, WRITTEN_TIME_CHARS>>>,
        /// Members of the custom metadata to set; null removes a member.
        metadata: Option<FreeObject>,
        /// Status of the item.
        status: Option<EnumParam<ItemStatus>>,
        /// Tags of the item; replaces all tags.
        tags: Option<ObjectTags>,
        /// Tags to add.
        add_tags: Option<ObjectTags> = ["desks"],
        /// Tags to remove.
        remove_tags: Option<ObjectTags>,
        /// Reading progress in per cent; null clears it.
        read_progress: Option<Nullable<Percent>>,
        /// True marks as read, false as unread.
        mark_read: Option<Flag>,
        /// Kind of the content; `unknown` restores automatic detection.
        content_kind: Option<EnumParam<ContentKind>>,
    }
}

impl LibraryItemUpdate {
    /// Builds the update, which depends on the `If-Match` header if it was sent.
    pub(super) fn with_if_match(self, if_match: Option<String>) -> ItemUpdate {
        let changes = ItemChanges {
            status: self.status.map(|word| word.0),
            tags: self.tags.map(tags_of),
            add_tags: self.add_tags.map(tags_of).unwrap_or_default(),
            remove_tags: self.remove_tags.map(tags_of).unwrap_or_default(),
            read_progress: self.read_progress.map(progress),
            mark_read: self.mark_read.map(read_mark),
            content_kind: self.content_kind.map(|word| word.0),
        };
        ItemUpdate {
            changes,
            title: self.title.map(|title| title.0),
            author: self.author.map(|author| author.0.map(|text| text.0)),
            published_at: self.published_at.map(|time| time.0.map(|text| text.0)),
            metadata: self.metadata.map(|object| object.to_text()),
            if_match: if_match.map(IfMatch),
        }
    }
}

request! {
    /// Options for a refresh of the text.
    pub(super) struct LibraryRefreshRequest in camelCase {
        /// True to extract the URL even if the item has supplied content or a file. Default: false.
        from_url: Flag = false => false,
        /// Rendering in a browser, as in a save; implies `fromUrl`. Default: the setting of the item.
        render: Option<RenderChoice>,
    }
}
