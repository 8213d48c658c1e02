//! Following a library, and its tags.

use std::sync::Arc;

use kernel::rfc3339;
use library::sync::{self, Contents, Mark, Object};
use library::{ObjectKind, TagChanged};
use poem::web::Data;
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};

use super::annotations_schema::{
    LibraryChange, LibraryChangeOp, LibraryChanges, LibraryHighlight, LibraryNote, LibraryTag,
    LibraryTagChanged, LibraryTagList, free,
};
use super::kinds::Kinds;
use super::show::{self, Metadata};
use super::tag_key::TagKey;
use crate::answers::Errors;
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::cursor::{Cursor, CursorScope, Limit};
use crate::tag::Tag;
use http_kit::app::App;
use http_kit::http::params::{Flag, Integer, Text};
use http_kit::http::request::request;
use http_kit::http::word::Word;

/// Changes on a page when no number is asked for.
const CHANGES: u32 = 200;
/// Tags on a page when no number is asked for.
const TAGS: u32 = 200;
/// Characters of a text when none are asked for.
const CHARACTERS: i64 = 12_000;
/// A page ends early when its objects are larger than this together.
const PAGE_BYTES: usize = 4 * 1024 * 1024;

request! {
    /// A tag to spell otherwise, or to make another one of.
    pub(super) struct LibraryTagRename in camelCase {
        /// The tag.
        from: Text<1, 32> = "desk",
        /// What it becomes. A tag that is there is joined.
        to: Text<1, 32> = "desks",
    }
}

request! {
    /// A tag to take off everything.
    pub(super) struct LibraryTagDelete in camelCase {
        /// The tag.
        name: Text<1, 32> = "desk",
    }
}

/// Changes and tags.
pub struct SyncApi;

#[OpenApi(tag = "Tag::Library")]
impl SyncApi {
    /// Follow the library
    ///
    /// Every change in its order. Without a cursor first everything that is there: what that walk, up to the first
    /// `hasMore: false`, did not name is gone. Keep `nextCursor` and ask again with it. 410 `cursor_expired`: begin anew.
    #[oai(path = "/v1/library/sync", method = "get", operation_id = "syncLibrary")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn sync(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the answer before.
        cursor: Cursor,
        /// The most changes on a page. Default 200.
        limit: Limit<500>,
        /// Any of `item`, `note` and `highlight`, separated by commas. Default all.
        types: Query<Option<Kinds>>,
        /// With the texts of items. Default false.
        #[oai(name = "includeContent")]
        include_content: Query<Option<Flag>>,
        /// The most characters of each text. Default 12000.
        #[oai(name = "contentMaxCharacters")]
        most: Query<Option<Integer<500, 2_000_000>>>,
    ) -> Result<Json<LibraryChanges>, Errors<410, 422>> {
        let account_id = caller.0.account_id;
        let kinds = types.0.unwrap_or_default().0;
        let bound = CursorScope::from(sync::cursor_scope(account_id, &kinds));
        let mark: Option<Mark> = bound.open(&app.domain, cursor.0.as_ref()).await?;
        let limit = limit.0.map_or(CHANGES, Integer::get);
        let with_text = include_content.0.is_some_and(|flag| flag.0);
        let contents = if with_text { Contents::Included } else { Contents::Left };
        let found = sync::changes(&app.domain, account_id, &kinds, mark, limit, contents).await?;
        let most = usize::try_from(most.0.map_or(CHARACTERS, |most| most.0)).unwrap_or(usize::MAX);
        let (mut changes, mut mark, mut has_more) = (Vec::new(), found.mark, found.has_more);
        let mut bytes = 0;
        for changed in found.changes {
            let sequence = changed.sequence;
            let change = shown(&app, changed, most);
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
        let next_cursor = bound.seal(&app.domain, Some(mark)).await?.unwrap_or_default();
        let changes = changes.into_iter().map(|(_, change)| change).collect();
        Ok(Json(LibraryChanges { changes, next_cursor, has_more }))
    }

    /// List tags
    ///
    /// Those of items, by their letters, with how many items have each.
    #[oai(path = "/v1/library/tags", method = "get", operation_id = "listTags")]
    async fn tags(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the page before.
        cursor: Cursor,
        /// The most tags on a page. Default 200.
        limit: Limit<1000>,
        /// Only those that begin so.
        prefix: Query<Option<Text<0, 32>>>,
    ) -> Result<Json<LibraryTagList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let prefix = prefix.0.map(|text| text.0);
        let bound = CursorScope { account_id, operation: "listTags", filters: format!("{prefix:?}") };
        let after: Option<TagKey> = bound.open(&app.domain, cursor.0.as_ref()).await?;
        let limit = limit.0.map_or(TAGS, Integer::get);
        let after = after.as_ref().map(|key| key.0.as_str());
        let mut tags =
            library::list_tags(&app.domain, account_id, prefix.as_deref(), after, limit + 1).await?;
        let has_more = tags.len() > limit as usize;
        tags.truncate(limit as usize);
        let next = tags.last().filter(|_| has_more).map(|tag| TagKey(tag.key.clone()));
        let next_cursor = bound.seal(&app.domain, next).await?;
        let tags = tags.into_iter().map(|tag| LibraryTag { name: tag.name, count: tag.count }).collect();
        Ok(Json(LibraryTagList { tags, next_cursor }))
    }

    /// Rename a tag
    ///
    /// On items, notes and highlights alike; where there is the new one already, both become one. What stands on more
    /// than 1,000 of them is answered 202 and renamed one after the other; until then no other tag can be renamed or
    /// deleted.
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
    /// From items, notes and highlights alike; they stay. A tag of more than 1,000 of them is answered 202 and taken off
    /// one after the other.
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

/// A tag was changed everywhere.
#[derive(ApiResponse)]
pub(super) enum TagAnswer {
    /// It is changed.
    #[oai(status = 200)]
    Done(Json<LibraryTagChanged>),
    /// It is being changed.
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

fn shown(app: &App, changed: sync::Changed, most: usize) -> LibraryChange {
    let object = changed.object.map(|object| match object {
        Object::Item(item, text) => {
            free(&show::with_text(app, *item, text.as_deref(), most, Metadata::Shown))
        }
        Object::Note(note) => free(&LibraryNote::of(*note, usize::MAX)),
        Object::Highlight(highlight) => free(&LibraryHighlight::from(*highlight)),
    });
    LibraryChange {
        op: if object.is_some() { LibraryChangeOp::Upsert } else { LibraryChangeOp::Delete },
        reference: format!("{}:{}", changed.kind, changed.id),
        kind: Word::<ObjectKind>(changed.kind),
        updated_at: rfc3339(changed.updated_at),
        object,
    }
}
