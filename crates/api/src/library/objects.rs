//! Operations on library objects of all types: items, notes and highlights.

use std::sync::Arc;

use kernel::cursor_scope::CursorScope;
use kernel::{Code, rfc3339};
use library::{ObjectKind, ObjectSummary};
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;

use super::annotations_schema::{LibraryHighlight, LibraryNote};
use super::examples::item_ref;
use super::item_view::{self, ItemParts, MetadataInclusion};
use super::items::{MaxCharacters, SINGLE_CHARACTERS, characters};
use super::object_types::ObjectTypes;
use super::schema::{LibraryObjectList, LibraryObjectOne, LibraryObjectSummary};
use crate::answers::{Errors, Single};
use crate::authorize::{Authorized, Read};
use crate::cursor::{Limit, open_cursor, page_size, seal_cursor};
use crate::error::ApiError;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::free_object::FreeObject;
use http_kit::http::params::Text;

pub(crate) struct ObjectsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl ObjectsApi {
    /// Search the library
    ///
    /// Returns items, notes and highlights in one list: best match first; without a query, most recently
    /// changed first.
    #[oai(path = "/v1/library/objects", method = "get", operation_id = "listLibraryObjects")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Words, `"phrases"`, `-excluded`, `prefix*`, `tag:`, `status:`, `kind:`, `domain:`, `title:`, `author:`, `is:`,
        /// `has:`, `minutes:<5`, `after:2026-02`, `saved:7d`, `published:`, `OR`, `( )`, or a URL.
        query: Query<Option<Text<0, 500>>>,
        /// Any of `item`, `note` and `highlight`, separated by commas. Default: all.
        types: Query<Option<ObjectTypes>>,
        /// `nextCursor` of the previous page.
        cursor: Query<Option<Text<0, 1000>>>,
        /// Maximum number of objects per page. Default: 50.
        limit: Limit,
    ) -> Result<Json<LibraryObjectList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let kinds = types.0.unwrap_or_default().0;
        let query = query.0.map(|text| text.0).filter(|text| !text.trim().is_empty());
        let filters = format!("{kinds:?} {query:?}");
        let cursor_scope = CursorScope { account_id, operation: "listLibraryObjects", filters };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let (text, limit) = (query.as_deref(), page_size(&limit));
        let page = library::list_objects(&app.domain, account_id, &kinds, text, after, limit).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next).await?;
        Ok(Json(LibraryObjectList {
            objects: page.objects.into_iter().map(summary).collect(),
            next_cursor,
            total: page.total,
            partial: page.partial,
            approximate: page.approximate.then_some(true),
        }))
    }

    /// Get an object
    ///
    /// Returns the object with this reference. An item includes its text and metadata.
    #[oai(path = "/v1/library/objects/:ref", method = "get", operation_id = "getLibraryObject")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Reference: `item:<uuid>`, `note:<uuid>` or `highlight:<uuid>`.
        #[oai(name = "ref", example = "item_ref")]
        reference: Path<String>,
        /// Maximum characters of the text. Default: 12000.
        #[oai(name = "contentMaxCharacters")]
        most: MaxCharacters,
    ) -> Result<Single<LibraryObjectOne>, Errors<404, 422>> {
        let reference = reference.0;
        if !(3..=1000).contains(&reference.chars().count()) {
            let details = "/ref: must have 3 to 1000 characters";
            return Err(
                ApiError::malformed(Code::InvalidRequest, "The reference is invalid.", details).into()
            );
        }
        let unknown = || ApiError::new(Code::NotFound, "There is no such object.");
        let (kind, id) = reference.split_once(':').ok_or_else(unknown)?;
        let kind = ObjectKind::parse(kind).ok_or_else(unknown)?;
        let account_id = caller.0.account_id;
        let most = characters(&most, SINGLE_CHARACTERS);
        let (object, sequence) = match kind {
            ObjectKind::Item => {
                let id = id.parse().map_err(|_| unknown())?;
                let item = library::open(&app.domain, account_id, id).await.map_err(ApiError::from)?;
                let sequence = item.sequence;
                let parts = ItemParts { content: Some(most), metadata: MetadataInclusion::Included };
                (FreeObject::of(&item_view::item(&app, item, parts).await?), sequence)
            }
            ObjectKind::Note => {
                let id = id.parse().map_err(|_| unknown())?;
                let note = library::get_note(&app.domain, account_id, id).await.map_err(ApiError::from)?;
                let sequence = note.row.sequence;
                (FreeObject::of(&LibraryNote::of(note, most)), sequence)
            }
            ObjectKind::Highlight => {
                let id = id.parse().map_err(|_| unknown())?;
                let highlight =
                    library::get_highlight(&app.domain, account_id, id).await.map_err(ApiError::from)?;
                let sequence = highlight.row.sequence;
                (FreeObject::of(&LibraryHighlight::from(highlight)), sequence)
            }
        };
        Ok(Single::versioned(LibraryObjectOne { reference, kind: EnumParam(kind), object }, sequence))
    }
}

fn summary(summary: ObjectSummary) -> LibraryObjectSummary {
    let matches = summary.snippet.matches.into_iter().map(|(from, to)| vec![from, to]).collect::<Vec<_>>();
    LibraryObjectSummary {
        reference: format!("{}:{}", summary.kind, summary.id),
        kind: EnumParam(summary.kind),
        title: summary.title,
        snippet: summary.snippet.text,
        matches: (!matches.is_empty()).then_some(matches),
        source_url: summary.source_url,
        updated_at: rfc3339(summary.updated_at),
        mime_type: summary.mime_type,
        has_asset: summary.has_asset,
        score: summary.score,
    }
}
