//! Operations for library sync and tags.

use std::sync::Arc;

use kernel::cursor_scope::CursorScope;
use kernel::rfc3339;
use library::sync::{self, LibraryObject, SyncMark, TextInclusion};
use library::{ObjectKind, TagChanged};
use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};

use super::annotations_schema::{
    LibraryChange, LibraryChangeOp, LibraryChanges, LibraryHighlight, LibraryNote, LibraryTag,
    LibraryTagChanged, LibraryTagList,
};
use super::item_view::{self, MetadataInclusion};
use super::object_types::ObjectTypes;
use super::tag_key::TagKey;
use crate::answers::Errors;
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::cursor::{Cursor, Limit, open_cursor, seal_cursor};
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::free_object::FreeObject;
use http_kit::http::params::{Flag, Integer, Text};
use http_kit::http::request::request;

/// Default number of changes per page.
const CHANGES: u32 = 200;
/// Default number of tags per page.
const TAGS: u32 = 200;
/// Default maximum length of a text, in characters.
const CHARACTERS: i64 = 12_000;
/// Total size of the objects of a page after which no more are added, in bytes.
const PAGE_BYTES: usize = 4 * 1024 * 1024;

request! {
    /// Tag to rename or to merge into another tag.
    pub(super) struct LibraryTagRename in camelCase {
        /// Current name of the tag.
        from: Text<1, 32> = "desk",
        /// New name of the tag.
        to: Text<1, 32> = "desks",
    }
}

request! {
    /// Tag to remove from all objects.
    pub(super) struct LibraryTagDelete in camelCase {
        /// Name of the tag.
        name: Text<1, 32> = "desk",
    }
}

pub(crate) struct SyncApi;

#[OpenApi(tag = "ApiTag::Library")]
impl SyncApi {
    /// Sync the library
    ///
    /// Returns all changes in order. Without a cursor, all existing objects are listed first; objects of your copy
    /// that are not listed up to the first `hasMore: false` were deleted. Send `nextCursor` with the next request.
    /// After 410 `cursor_expired`, start again without a cursor.
    #[oai(path = "/v1/library/sync", method = "get", operation_id = "syncLibrary")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn sync(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous response.
        cursor: Cursor,
        /// Maximum number of changes per page. Default: 200.
        limit: Limit<500>,
        /// Any of `item`, `note` and `highlight`, separated by commas. Default: all.
        types: Query<Option<ObjectTypes>>,
        /// Include the texts of items. Default: false.
        #[oai(name = "includeContent")]
        include_content: Query<Option<Flag>>,
        /// Maximum characters of each text. Default: 12000.
        #[oai(name = "contentMaxCharacters")]
        most: Query<Option<Integer<500, 2_000_000>>>,
    ) -> Result<Json<LibraryChanges>, Errors<410, 422>> {
        let account_id = caller.0.account_id;
        let kinds = types.0.unwrap_or_default().0;
        let cursor_scope = sync::cursor_scope(account_id, &kinds);
        let mark: Option<SyncMark> = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let limit = limit.0.map_or(CHANGES, Integer::get);
        let with_text = include_content.0.is_some_and(|flag| flag.0);
        let contents = if with_text { TextInclusion::Included } else { TextInclusion::Omitted };
        let page = sync::changes(&app.domain, account_id, &kinds, mark, limit, contents).await?;
        let most = usize::try_from(most.0.map_or(CHARACTERS, |most| most.0)).unwrap_or(usize::MAX);
        let (mut changes, mut mark, mut has_more) = (Vec::new(), page.mark, page.has_more);
        let mut bytes = 0;
        for changed in page.changes {
            let sequence = changed.sequence;
            let change = change_response(&app, changed, most);
            bytes += change.object.as_ref().map_or(0, |object| object.to_text().len());
            if bytes > PAGE_BYTES && !changes.is_empty() {
                has_more = true;
                break;
            }
            changes.push((sequence, change));
        }
        if let Some((last, _)) = changes.last().filter(|_| has_more) {
            mark.sequence = *last;
        }
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, Some(mark)).await?.unwrap_or_default();
        let changes = changes.into_iter().map(|(_, change)| change).collect();
        Ok(Json(LibraryChanges { changes, next_cursor, has_more }))
    }

    /// List tags
    ///
    /// Returns the tags of items in alphabetical order, each with its number of items.
    #[oai(path = "/v1/library/tags", method = "get", operation_id = "listTags")]
    async fn tags(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of tags per page. Default: 200.
        limit: Limit<1000>,
        /// Only tags that begin with this text.
        prefix: Query<Option<Text<0, 32>>>,
    ) -> Result<Json<LibraryTagList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let prefix = prefix.0.map(|text| text.0);
        let cursor_scope = CursorScope { account_id, operation: "listTags", filters: format!("{prefix:?}") };
        let after: Option<TagKey> = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let limit = limit.0.map_or(TAGS, Integer::get);
        let after = after.as_ref().map(|key| key.0.as_str());
        let mut tags =
            library::list_tags(&app.domain, account_id, prefix.as_deref(), after, limit + 1).await?;
        let has_more = tags.len() > limit as usize;
        tags.truncate(limit as usize);
        let next = tags.last().filter(|_| has_more).map(|tag| TagKey(tag.key.clone()));
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, next).await?;
        let tags = tags.into_iter().map(|tag| LibraryTag { name: tag.name, count: tag.count }).collect();
        Ok(Json(LibraryTagList { tags, next_cursor }))
    }

    /// Rename a tag
    ///
    /// Renames the tag on items, notes and highlights. If the new name exists, the two tags are merged. If
    /// more than 1,000 objects have the tag, or their texts have more than 4 MiB, the response is 202 and the
    /// tag is renamed in the background; until then no other tag can be renamed or deleted.
    #[oai(path = "/v1/library/tags/rename", method = "post", operation_id = "renameTag")]
    async fn rename(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryTagRename>,
    ) -> Result<TagAnswer, Errors<409, 422>> {
        let LibraryTagRename { from, to } = body.0;
        let changed = library::rename_tag(&app.domain, caller.0.account_id, &from.0, &to.0).await?;
        Ok(TagAnswer::of(&app, changed).await)
    }

    /// Delete a tag
    ///
    /// Removes the tag from items, notes and highlights, which are retained. If more than 1,000 objects have
    /// it, or their texts have more than 4 MiB, the response is 202 and it is removed in the background.
    #[oai(path = "/v1/library/tags/delete", method = "post", operation_id = "deleteTag")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<LibraryTagDelete>,
    ) -> Result<TagAnswer, Errors<409, 422>> {
        let changed = library::delete_tag(&app.domain, caller.0.account_id, &body.0.name.0).await?;
        Ok(TagAnswer::of(&app, changed).await)
    }
}

#[derive(ApiResponse)]
pub(super) enum TagAnswer {
    /// The change is complete.
    #[oai(status = 200)]
    Done(Json<LibraryTagChanged>),
    /// The change is in progress.
    #[oai(status = 202)]
    Begun(Json<LibraryTagChanged>),
}

impl TagAnswer {
    async fn of(app: &App, changed: TagChanged) -> Self {
        match changed {
            TagChanged::Done(updated) => Self::Done(Json(LibraryTagChanged { updated })),
            TagChanged::Begun(updated, job) => {
                Self::Begun(Json(app.engine.dispatch((LibraryTagChanged { updated }, job)).await))
            }
        }
    }
}

fn change_response(app: &App, changed: sync::ChangedObject, most: usize) -> LibraryChange {
    let object = changed.object.map(|object| match object {
        LibraryObject::Item(item, text) => FreeObject::of(&item_view::with_text(
            app,
            *item,
            text.as_deref(),
            most,
            MetadataInclusion::Included,
        )),
        LibraryObject::Note(note) => FreeObject::of(&LibraryNote::of(*note, usize::MAX)),
        LibraryObject::Highlight(highlight) => FreeObject::of(&LibraryHighlight::from(*highlight)),
    });
    LibraryChange {
        op: if object.is_some() { LibraryChangeOp::Upsert } else { LibraryChangeOp::Delete },
        reference: format!("{}:{}", changed.kind, changed.id),
        kind: EnumParam::<ObjectKind>(changed.kind),
        updated_at: rfc3339(changed.updated_at),
        object,
    }
}
