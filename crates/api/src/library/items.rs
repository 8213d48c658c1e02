//! Operations on items: saving, listing, and one at a time.

use std::sync::Arc;

use articles::Payer;
use library::{CaptureMethod, ContentKind, ItemFilter, ItemFormat, ItemStatus, PATIENCE, View as DomainView};
use poem::web::Data;
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Enum, OpenApi};
use tokio::time::Instant;

use super::examples::item_id;
use super::request::{AnnotationsChoice, LibraryItemUpdate, LibrarySaveRequest, id_of};
use super::saved::ItemSaved;
use super::schema::{LibraryItemList, LibraryItemOne};
use super::show::{self, Metadata, Shown};
use crate::answers::{Errors, NoContent, Single};
use crate::authorize::{Authorized, Fresh, Read, Write};
use crate::body::{NoteBody, SaveBody};
use crate::cursor::{Cursor, CursorScope, Limit, page_size};
use crate::tag::Tag;
use http_kit::app::App;
use http_kit::http::params::{Flag, Integer, Text, Time};
use http_kit::http::word::Word;

/// Characters of a text in a list when none are asked for.
const LISTED_CHARACTERS: usize = 4_000;
/// Characters of a single item's text when none are asked for.
pub(super) const SINGLE_CHARACTERS: usize = 12_000;

/// How many characters of a text are wanted.
pub(super) type Characters = Query<Option<Integer<500, 12_000>>>;

/// Which items a list has.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum View {
    /// All, the last saved first.
    All,
    /// Those that were read, the last read first.
    History,
}

/// Items.
pub struct ItemsApi;

#[OpenApi(tag = "Tag::Library")]
impl ItemsApi {
    /// List items
    ///
    /// What is kept, the last saved first; with `view=history` the last read first; with a query the best match first; with
    /// `updatedAfter` what changed since, in the order of the changes.
    #[oai(path = "/v1/library/items", method = "get", operation_id = "listLibraryItems")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the page before.
        cursor: Cursor,
        /// The most items on a page. Default 50.
        limit: Limit,
        /// Words, `"phrases"`, `-without`, `begin*`, `tag:`, `status:`, `kind:`, `domain:`, or an address.
        query: Query<Option<Text<0, 500>>>,
        /// Only those with this tag.
        tag: Query<Option<Text<1, 32>>>,
        /// Only those that are kept here.
        status: Query<Option<Word<ItemStatus>>>,
        /// All, or the reading history. Default `all`.
        view: Query<Option<View>>,
        /// With their texts. Default false.
        #[oai(name = "includeContent")]
        include_content: Query<Option<Flag>>,
        /// The most characters of each text. Default 4000.
        #[oai(name = "contentMaxCharacters")]
        most: Characters,
        /// Only those of this kind.
        #[oai(name = "contentKind")]
        content_kind: Query<Option<Word<ContentKind>>>,
        /// Only those that came in this way.
        #[oai(name = "captureMethod")]
        capture_method: Query<Option<Word<CaptureMethod>>>,
        /// Only those in this format.
        format: Query<Option<Word<ItemFormat>>>,
        /// Only those that changed after this time; `asOf` of an answer is the one to send next.
        #[oai(name = "updatedAfter")]
        updated_after: Query<Option<Time>>,
        /// Only the one with this id of yours.
        #[oai(name = "externalId")]
        external_id: Query<Option<Text<1, 255>>>,
        /// With their metadata. Default false.
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
        let bound = CursorScope { account_id, operation: "listLibraryItems", filters: format!("{filter:?}") };
        let after = bound.open(&app.domain, cursor.0.as_ref()).await?;
        let page = library::list(&app.domain, account_id, &filter, after, page_size(&limit)).await?;
        let next_cursor = bound.seal(&app.domain, page.next).await?;
        let shown = Shown {
            content: include_content.0.filter(|flag| flag.0).map(|_| characters(&most, LISTED_CHARACTERS)),
            metadata: Metadata::when(include_metadata.0.map(|flag| flag.0)),
        };
        let items = show::items(&app, account_id, page.items, shown).await?;
        let as_of = page.as_of.filter(|_| filter.updated_after.is_some()).map(kernel::rfc3339);
        let approximate = page.approximate.then_some(true);
        Ok(Json(LibraryItemList { items, next_cursor, as_of, approximate }))
    }

    /// Save an item
    ///
    /// An address, content, or a file that comes later. Saving the same address or `externalId` again answers 200 with the
    /// item that is there, which takes what it lacks. An address is tried at once for up to 8 seconds; what takes longer
    /// is `queued`. A source that fails never fails the save.
    #[oai(path = "/v1/library/items", method = "post", operation_id = "saveLibraryItem")]
    async fn save(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        body: SaveBody<LibrarySaveRequest>,
    ) -> Result<ItemSaved, Errors<422>> {
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let deadline = Instant::now() + PATIENCE;
        let progress = library::save(&app.domain, &app.sandbox, payer, body.0.into()).await?;
        let saved = app.engine.await_result(progress, deadline).await?;
        Ok(show::saved_answer(&app, saved))
    }

    /// Get an item
    ///
    /// With its metadata and, when asked for, its text.
    #[oai(path = "/v1/library/items/:id", method = "get", operation_id = "getLibraryItem")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// The item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// With its text. Default false.
        #[oai(name = "includeContent")]
        include_content: Query<Option<Flag>>,
        /// The most characters of the text. Default 12000.
        #[oai(name = "contentMaxCharacters")]
        most: Characters,
        /// With its metadata. Default true.
        #[oai(name = "includeMetadata")]
        include_metadata: Query<Option<Flag>>,
    ) -> Result<Single<LibraryItemOne>, Errors<404, 422>> {
        let item = library::open(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let shown = Shown {
            content: include_content.0.filter(|flag| flag.0).map(|_| characters(&most, SINGLE_CHARACTERS)),
            metadata: Metadata::when(Some(include_metadata.0.is_none_or(|flag| flag.0))),
        };
        let sequence = item.sequence;
        let item = show::item(&app, item, shown).await?;
        Ok(Single::at(LibraryItemOne { item }, sequence))
    }

    /// Update an item
    ///
    /// Its values, tags, status and reading state. What a person sets is not overwritten by what is extracted later.
    #[oai(path = "/v1/library/items/:id", method = "patch", operation_id = "updateLibraryItem")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// Only if this is still the item's `ETag`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
        body: NoteBody<LibraryItemUpdate>,
    ) -> Result<Single<LibraryItemOne>, Errors<404, 412, 422>> {
        let update = body.0.under(if_match.0);
        let item = library::update(&app.domain, caller.0.account_id, id_of(&id.0)?, update).await?;
        let sequence = item.sequence;
        let item = show::of(&app, item, Metadata::Shown);
        Ok(Single::at(LibraryItemOne { item }, sequence))
    }

    /// Delete an item
    ///
    /// For good, with its text and its file. Its notes and highlights stay, unless `annotations=delete`.
    #[oai(path = "/v1/library/items/:id", method = "delete", operation_id = "deleteLibraryItem")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// The item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// What becomes of its notes and highlights. Default `keep`.
        annotations: Query<Option<Word<AnnotationsChoice>>>,
    ) -> Result<NoContent, Errors<404, 422>> {
        let annotations = annotations.0.map(|word| word.0.into()).unwrap_or_default();
        library::delete(&app.domain, caller.0.account_id, id_of(&id.0)?, annotations).await?;
        Ok(NoContent::Done)
    }
}

/// How many characters of a text are wanted.
pub(super) fn characters(most: &Characters, usual: usize) -> usize {
    most.0.map_or(usual, |most| usize::try_from(most.0).unwrap_or(usual))
}
