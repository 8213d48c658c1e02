//! Operations on notes.

use std::sync::Arc;

use kernel::bounds::{ITEM_TITLE_CHARS, ITEM_TOKEN_CHARS, NOTE_CHARS};
use kernel::cursor_scope::CursorScope;
use kernel::{ItemId, NoteId};
use library::{AnnotationFilter, IfMatch, NewNote, NoteUpdate};
use poem::web::Data;
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};

use super::annotations_schema::{LibraryNote, LibraryNoteList, LibraryNoteOne};
use super::examples::note_id;
use super::request::{ObjectTags, tags_of, text_of};
use crate::answers::{Errors, NoContent, Single, version_of};
use crate::authorize::{Authorized, Read, Write};
use crate::body::NoteBody;
use crate::cursor::{Cursor, Limit, open_cursor, page_size, seal_cursor};
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Text, Time, UuidText};
use http_kit::http::request::request;
use http_kit::http::value::Nullable;

request! {
    /// Note to create.
    pub(super) struct LibraryNoteRequest in camelCase {
        /// Title of the note; null for none.
        title: Option<Nullable<Text<0, ITEM_TITLE_CHARS>>>,
        /// Text of the note.
        text: Text<1, NOTE_CHARS> = "Compare with the second edition.",
        /// Id of the item that the note belongs to; null if none.
        item_id: Option<Nullable<UuidText>>,
        /// Tags of the note.
        tags: Option<ObjectTags> = ["desks"],
        /// Id in your system. Reusing it returns the existing note.
        external_id: Option<Nullable<Text<0, ITEM_TOKEN_CHARS>>>,
    }
}

request! {
    /// Changes to a note; omitted fields stay unchanged.
    pub(super) struct LibraryNoteUpdate in camelCase {
        /// Title of the note; null removes it.
        title: Option<Nullable<Text<0, ITEM_TITLE_CHARS>>>,
        /// Text of the note.
        text: Option<Text<1, NOTE_CHARS>> = "Worth a longer note.",
        /// Id of the item that the note belongs to; null detaches it.
        item_id: Option<Nullable<UuidText>>,
        /// Tags of the note; replaces all tags.
        tags: Option<ObjectTags>,
    }
}

#[derive(ApiResponse)]
pub(super) enum NoteSaved {
    /// A note with this `externalId` already exists.
    #[oai(status = 200)]
    Existing(
        Json<LibraryNoteOne>,
        /// Validator of the note; changes whenever the note changes.
        #[oai(header = "ETag")]
        String,
    ),
    /// The new note.
    #[oai(status = 201)]
    Created(
        Json<LibraryNoteOne>,
        /// Validator of the note; changes whenever the note changes.
        #[oai(header = "ETag")]
        String,
    ),
}

fn id_of(text: &str) -> Result<NoteId, ApiError> {
    path_id(text, "note")
}

#[expect(clippy::needless_pass_by_value, reason = "passed to `Option::map`")]
fn item_of(id: Nullable<UuidText>) -> Option<ItemId> {
    id.0.map(|id| ItemId::from_u128(id.0))
}

fn note_response(note: library::Note) -> LibraryNoteOne {
    LibraryNoteOne { reference: format!("note:{}", note.row.id), object: LibraryNote::of(note, usize::MAX) }
}

pub(crate) struct NotesApi;

#[OpenApi(tag = "ApiTag::Library")]
impl NotesApi {
    /// List notes
    ///
    /// Returns complete notes, newest first; with `updatedAfter` in the order in which they changed.
    #[oai(path = "/v1/library/notes", method = "get", operation_id = "listNotes")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of notes per page. Default: 50.
        limit: Limit,
        /// Only notes of this item (UUID).
        #[oai(name = "itemId")]
        item_id: Query<Option<UuidText>>,
        /// Only notes with this tag.
        tag: Query<Option<Text<1, 32>>>,
        /// Only notes that changed after this time, RFC 3339 or a date.
        #[oai(name = "updatedAfter")]
        updated_after: Query<Option<Time>>,
    ) -> Result<Json<LibraryNoteList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let filter = AnnotationFilter {
            item_id: item_id.0.map(|id| ItemId::from_u128(id.0)),
            tag: tag.0.map(|text| text.0),
            updated_after: updated_after.0.map(|time| time.0),
        };
        let cursor_scope = CursorScope { account_id, operation: "listNotes", filters: format!("{filter:?}") };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let page = library::list_notes(&app.domain, account_id, &filter, after, page_size(&limit)).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next).await?;
        let notes = page.annotations.into_iter().map(|note| LibraryNote::of(note, usize::MAX)).collect();
        Ok(Json(LibraryNoteList { notes, next_cursor }))
    }

    /// Create a note
    ///
    /// The note may belong to an item.
    #[oai(path = "/v1/library/notes", method = "post", operation_id = "createNote")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: NoteBody<LibraryNoteRequest>,
    ) -> Result<NoteSaved, Errors<404, 422>> {
        let request = body.0;
        let new = NewNote {
            title: text_of(request.title),
            text: request.text.0,
            item_id: request.item_id.and_then(item_of),
            tags: request.tags.map(tags_of).unwrap_or_default(),
            external_id: text_of(request.external_id),
        };
        let (note, already_existed) = library::create_note(&app.domain, caller.0.account_id, new).await?;
        let version = version_of(note.row.sequence);
        let answer = Json(note_response(note));
        Ok(if already_existed {
            NoteSaved::Existing(answer, version)
        } else {
            NoteSaved::Created(answer, version)
        })
    }

    /// Get a note
    ///
    /// Returns the complete note.
    #[oai(path = "/v1/library/notes/:id", method = "get", operation_id = "getNote")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the note.
        #[oai(example = "note_id")]
        id: Path<String>,
    ) -> Result<Single<LibraryNoteOne>, Errors<404>> {
        let note = library::get_note(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let sequence = note.row.sequence;
        Ok(Single::versioned(note_response(note), sequence))
    }

    /// Update a note
    ///
    /// Changes the title, text, item and tags.
    #[oai(path = "/v1/library/notes/:id", method = "patch", operation_id = "updateNote")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the note.
        #[oai(example = "note_id")]
        id: Path<String>,
        /// Fails with 412 unless it equals the note's `ETag`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
        body: NoteBody<LibraryNoteUpdate>,
    ) -> Result<Single<LibraryNoteOne>, Errors<404, 412, 422>> {
        let request = body.0;
        let update = NoteUpdate {
            title: request.title.map(|title| title.0.map(|title| title.0)),
            text: request.text.map(|text| text.0),
            item_id: request.item_id.map(item_of),
            tags: request.tags.map(tags_of),
            if_match: if_match.0.map(IfMatch),
        };
        let note = library::update_note(&app.domain, caller.0.account_id, id_of(&id.0)?, update).await?;
        let sequence = note.row.sequence;
        Ok(Single::versioned(note_response(note), sequence))
    }

    /// Delete a note
    ///
    /// The deletion is permanent.
    #[oai(path = "/v1/library/notes/:id", method = "delete", operation_id = "deleteNote")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the note.
        #[oai(example = "note_id")]
        id: Path<String>,
        /// Fails with 412 unless it equals the note's `ETag`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
    ) -> Result<NoContent, Errors<404, 412>> {
        let if_match = if_match.0.map(IfMatch);
        library::delete_note(&app.domain, caller.0.account_id, id_of(&id.0)?, if_match).await?;
        Ok(NoContent::Done)
    }
}
