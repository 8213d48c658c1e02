//! Operations on items: save, list, get, update and delete.

use std::sync::Arc;

use articles::Payer;
use library::{
    CaptureMethod, ContentKind, IfMatch, ItemDeletion, ItemFilter, ItemFormat, ItemStatus,
    ListView as DomainView, SAVE_TIMEOUT,
};
use poem::web::Data;
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Enum, OpenApi};
use tokio::time::Instant;

use super::examples::item_id;
use super::item_view::{self, ItemParts, MetadataInclusion};
use super::request::{AnnotationsChoice, LibraryItemUpdate, LibrarySaveRequest, id_of};
use super::save_response::ItemSaved;
use super::schema::{LibraryItemList, LibraryItemOne};
use crate::answers::{Errors, NoContent, Single};
use crate::authorize::{Authorized, Fresh, Read, Write};
use crate::body::{NoteBody, SaveBody};
use crate::cursor::{Cursor, Limit, open_cursor, page_size, seal_cursor};
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Flag, Integer, Text, Time};
use kernel::cursor_scope::CursorScope;

/// Default length of a text in a list, in characters.
const LISTED_CHARACTERS: usize = 4_000;
/// Default length of the text of a single item, in characters.
pub(super) const SINGLE_CHARACTERS: usize = 12_000;

/// Requested maximum length of a text.
pub(super) type MaxCharacters = Query<Option<Integer<500, 12_000>>>;

/// View of the item list.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum View {
    /// All items, most recently saved first.
    All,
    /// Read items, most recently read first.
    History,
}

pub(crate) struct ItemsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl ItemsApi {
    /// List items
    ///
    /// Returns items, most recently saved first; with `view=history` most recently read first; with `query`
    /// best match first; with `updatedAfter` the items that changed since, in the order in which they
    /// changed.
    #[oai(path = "/v1/library/items", method = "get", operation_id = "listLibraryItems")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of items per page. Default: 50.
        limit: Limit,
        /// Words, `"phrases"`, `-excluded`, `prefix*`, `tag:`, `status:`, `kind:`, `domain:`, `title:`, `author:`, `is:`,
        /// `has:`, `minutes:<5`, `after:2026-02`, `saved:7d`, `published:`, `OR`, `( )`, or a URL.
        query: Query<Option<Text<0, 500>>>,
        /// Only items with this tag.
        tag: Query<Option<Text<1, 32>>>,
        /// Only items with this status.
        status: Query<Option<EnumParam<ItemStatus>>>,
        /// `all`, or `history` for the reading history. Default: `all`.
        view: Query<Option<View>>,
        /// Include the texts. Default: false.
        #[oai(name = "includeContent")]
        include_content: Query<Option<Flag>>,
        /// Maximum characters of each text. Default: 4000.
        #[oai(name = "contentMaxCharacters")]
        most: MaxCharacters,
        /// Only items of this kind.
        #[oai(name = "contentKind")]
        content_kind: Query<Option<EnumParam<ContentKind>>>,
        /// Only items that were captured with this method.
        #[oai(name = "captureMethod")]
        capture_method: Query<Option<EnumParam<CaptureMethod>>>,
        /// Only items in this format.
        format: Query<Option<EnumParam<ItemFormat>>>,
        /// Only items that changed after this time, RFC 3339 or a date. Send the response's `asOf` next time.
        #[oai(name = "updatedAfter")]
        updated_after: Query<Option<Time>>,
        /// Only the item with this `externalId`.
        #[oai(name = "externalId")]
        external_id: Query<Option<Text<1, 255>>>,
        /// Include the metadata. Default: false.
        #[oai(name = "includeMetadata")]
        include_metadata: Query<Option<Flag>>,
    ) -> Result<Json<LibraryItemList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let filter = ItemFilter {
            query: query.0.map(|text| text.0).filter(|text| !text.trim().is_empty()),
            tag: tag.0.map(|text| text.0),
            status: status.0.map(|word| word.0),
            view: match view.0 {
                Some(View::History) => DomainView::History,
                Some(View::All) | None => DomainView::All,
            },
            content_kind: content_kind.0.map(|word| word.0),
            capture_method: capture_method.0.map(|word| word.0),
            format: format.0.map(|word| word.0),
            updated_after: updated_after.0.map(|time| time.0),
            external_id: external_id.0.map(|text| text.0),
        };
        let cursor_scope =
            CursorScope { account_id, operation: "listLibraryItems", filters: format!("{filter:?}") };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let page = library::list(&app.domain, account_id, &filter, after, page_size(&limit)).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next).await?;
        let parts = ItemParts {
            content: include_content.0.filter(|flag| flag.0).map(|_| characters(&most, LISTED_CHARACTERS)),
            metadata: MetadataInclusion::when(include_metadata.0.map(|flag| flag.0)),
        };
        let items = item_view::items(&app, account_id, page.items, parts).await?;
        let as_of = page.as_of.filter(|_| filter.updated_after.is_some()).map(kernel::rfc3339);
        let approximate = page.approximate.then_some(true);
        Ok(Json(LibraryItemList { items, next_cursor, as_of, approximate }))
    }

    /// Save an item
    ///
    /// Saves a URL, content, or a file that is uploaded later. A known URL or `externalId` returns the existing item
    /// (200) with its missing values filled in. Extraction of a URL may take up to 8 seconds; after that, the item is
    /// returned as `queued`. The save succeeds even if the source fails.
    #[oai(path = "/v1/library/items", method = "post", operation_id = "saveLibraryItem")]
    async fn save(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        body: SaveBody<LibrarySaveRequest>,
    ) -> Result<ItemSaved, Errors<422>> {
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let deadline = Instant::now() + SAVE_TIMEOUT;
        let progress = library::save(&app.domain, &app.sandbox, payer, body.0.into()).await?;
        let saved = app.engine.await_result(progress, deadline).await?;
        Ok(item_view::saved_answer(&app, saved))
    }

    /// Get an item
    ///
    /// Returns the item with its metadata and, if requested, its text.
    #[oai(path = "/v1/library/items/:id", method = "get", operation_id = "getLibraryItem")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// Include the text. Default: false.
        #[oai(name = "includeContent")]
        include_content: Query<Option<Flag>>,
        /// Maximum characters of the text. Default: 12000.
        #[oai(name = "contentMaxCharacters")]
        most: MaxCharacters,
        /// Include the metadata. Default: true.
        #[oai(name = "includeMetadata")]
        include_metadata: Query<Option<Flag>>,
    ) -> Result<Single<LibraryItemOne>, Errors<404, 422>> {
        let item = library::open(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let parts = ItemParts {
            content: include_content.0.filter(|flag| flag.0).map(|_| characters(&most, SINGLE_CHARACTERS)),
            metadata: MetadataInclusion::when(Some(include_metadata.0.is_none_or(|flag| flag.0))),
        };
        let sequence = item.sequence;
        let item = item_view::item(&app, item, parts).await?;
        Ok(Single::versioned(LibraryItemOne { item }, sequence))
    }

    /// Update an item
    ///
    /// Changes the values, tags, status and reading state. Values that a person set are not overwritten by
    /// later extractions.
    #[oai(path = "/v1/library/items/:id", method = "patch", operation_id = "updateLibraryItem")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// Fails with 412 unless it equals the item's `ETag`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
        body: NoteBody<LibraryItemUpdate>,
    ) -> Result<Single<LibraryItemOne>, Errors<404, 412, 422>> {
        let update = body.0.with_if_match(if_match.0);
        let item = library::update(&app.domain, caller.0.account_id, id_of(&id.0)?, update).await?;
        let sequence = item.sequence;
        let item = item_view::of(&app, item, MetadataInclusion::Included);
        Ok(Single::versioned(LibraryItemOne { item }, sequence))
    }

    /// Delete an item
    ///
    /// Deletes the item with its text and file permanently. Its notes and highlights are retained, unless
    /// `annotations=delete`.
    #[oai(path = "/v1/library/items/:id", method = "delete", operation_id = "deleteLibraryItem")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// `keep` or `delete` the notes and highlights of the item. Default: `keep`.
        annotations: Query<Option<EnumParam<AnnotationsChoice>>>,
        /// Fails with 412 unless it equals the item's `ETag`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
    ) -> Result<NoContent, Errors<404, 412, 422>> {
        let deletion = ItemDeletion {
            annotations: annotations.0.map(|word| word.0.into()).unwrap_or_default(),
            if_match: if_match.0.map(IfMatch),
        };
        library::delete(&app.domain, caller.0.account_id, id_of(&id.0)?, deletion).await?;
        Ok(NoContent::Done)
    }
}

/// Returns the requested maximum length of a text, or `usual` if none was requested.
pub(super) fn characters(most: &MaxCharacters, usual: usize) -> usize {
    most.0.map_or(usual, |most| usize::try_from(most.0).unwrap_or(usual))
}
