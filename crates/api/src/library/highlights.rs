//! Operations on highlights.

use std::sync::Arc;

use kernel::bounds::{
    CARD_ANSWER_CHARS, CARD_GAPS, CARD_QUESTION_CHARS, HIGHLIGHT_CHARS, HIGHLIGHT_CONTEXT_CHARS,
    ITEM_TOKEN_CHARS, NOTE_CHARS,
};
use kernel::cursor_scope::CursorScope;
use kernel::{HighlightId, ItemId};
use library::{
    AnnotationFilter, HighlightColor, HighlightTarget, HighlightUpdate, IfMatch, NewCard, NewGap,
    NewHighlight,
};
use poem::web::Data;
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};

use super::annotations_schema::{LibraryHighlightList, LibraryHighlightOne};
use super::examples::highlight_id;
use super::request::{ObjectTags, tags_of, text_of};
use crate::answers::{Errors, NoContent, Single, version_of};
use crate::authorize::{Authorized, Read, Write};
use crate::body::{Body, NoteBody};
use crate::cursor::{Cursor, Limit, open_cursor, page_size, seal_cursor};
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::enum_param::EnumParam;
use http_kit::http::params::{Integer, Text, Time, Url, UuidText};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable};

request! {
    /// Highlight to create: of a passage, or of a picture.
    pub(super) struct LibraryHighlightRequest in camelCase {
        /// Id of the item (UUID).
        item_id: UuidText = "0193a0b2-7c00-7000-8000-3f1e2d4c5b6a",
        /// Text to highlight, as it appears in the item.
        quote: Option<Text<1, HIGHLIGHT_CHARS>> = "a desk for one reader",
        /// URL of a picture to highlight, as it appears in the item's text (for example, `src` of a block). The quote
        /// is then the caption of the picture, else its alternative text, else the name of its file.
        picture_url: Option<Url>,
        /// Text before the quote; null if unknown.
        prefix: Option<Nullable<Text<0, HIGHLIGHT_CONTEXT_CHARS>>>,
        /// Text after the quote; null if unknown.
        suffix: Option<Nullable<Text<0, HIGHLIGHT_CONTEXT_CHARS>>>,
        /// Anchor of the block with the quote or the picture; null if unknown.
        anchor: Option<Nullable<Integer<1, 1_000_000>>>,
        /// Comment on the highlight; null for none.
        note: Option<Nullable<Text<0, NOTE_CHARS>>>,
        /// Colour of the highlight. Default: `yellow`.
        color: Option<EnumParam<HighlightColor>>,
        /// Tags of the highlight.
        tags: Option<ObjectTags>,
        /// Id in your system. Reusing it returns the existing highlight.
        external_id: Option<Nullable<Text<0, ITEM_TOKEN_CHARS>>>,
    }
    with exactly one of [quote, picture_url]
}

impl LibraryHighlightRequest {
    fn highlight(self) -> NewHighlight {
        let quote = || HighlightTarget::Quote(self.quote.map(|text| text.0).unwrap_or_default());
        NewHighlight {
            item_id: ItemId::from_u128(self.item_id.0),
            target: self.picture_url.map_or_else(quote, |url| HighlightTarget::Picture(url.0)),
            prefix: text_of(self.prefix),
            suffix: text_of(self.suffix),
            anchor: self.anchor.and_then(|anchor| anchor.0).map(Integer::get),
            note: text_of(self.note),
            color: self.color.map(|word| word.0),
            tags: self.tags.map(tags_of).unwrap_or_default(),
            external_id: text_of(self.external_id),
        }
    }
}

request! {
    /// Changes to a highlight; omitted fields stay unchanged.
    pub(super) struct LibraryHighlightUpdate in camelCase {
        /// Comment on the highlight; null removes it.
        note: Option<Nullable<Text<0, NOTE_CHARS>>> = "Like mine.",
        /// Colour of the highlight.
        color: Option<EnumParam<HighlightColor>>,
        /// Tags of the highlight; replaces all tags.
        tags: Option<ObjectTags>,
    }
}

request! {
    /// Words of a quote to hide.
    pub(super) struct LibraryCardGapRequest in camelCase {
        /// Words to hide, exactly as they appear in the quote.
        text: Text<1, HIGHLIGHT_CHARS> = "one reader",
        /// Start in the quote, in code points. Default: the first occurrence that no other gap hides.
        start: Option<Nullable<Integer<0, 10_000>>>,
    }
}

request! {
    /// Card of a highlight: either gaps, or a question with its answer.
    pub(super) struct LibraryCardRequest in camelCase {
        /// Words of the quote that a review hides first. Adjacent gaps are joined.
        gaps: Option<List<LibraryCardGapRequest, 1, CARD_GAPS>>,
        /// Question that a review displays first.
        question: Option<Nullable<Text<1, CARD_QUESTION_CHARS>>> = "For whom is a carrel?",
        /// Answer to the question. Without it, the quote is the answer. Ignored with `gaps`.
        answer: Option<Nullable<Text<0, CARD_ANSWER_CHARS>>> = "For one reader.",
    }
    with exactly one of [gaps, question]
}

impl LibraryCardRequest {
    fn card(self) -> NewCard {
        let Some(gaps) = self.gaps else {
            let question = text_of(self.question).unwrap_or_default();
            return NewCard::Question { question, answer: text_of(self.answer).unwrap_or_default() };
        };
        let gap = |gap: LibraryCardGapRequest| NewGap {
            text: gap.text.0,
            start: gap.start.and_then(|start| start.0).map(Integer::get),
        };
        NewCard::Gaps(gaps.0.into_iter().map(gap).collect())
    }
}

#[derive(ApiResponse)]
pub(super) enum HighlightSaved {
    /// The highlight already existed.
    #[oai(status = 200)]
    Existing(
        Json<LibraryHighlightOne>,
        /// Validator of the highlight; changes whenever the highlight changes.
        #[oai(header = "ETag")]
        String,
    ),
    /// The new highlight.
    #[oai(status = 201)]
    Created(
        Json<LibraryHighlightOne>,
        /// Validator of the highlight; changes whenever the highlight changes.
        #[oai(header = "ETag")]
        String,
    ),
}

fn id_of(text: &str) -> Result<HighlightId, ApiError> {
    path_id(text, "highlight")
}

fn highlight_response(highlight: library::Highlight) -> LibraryHighlightOne {
    LibraryHighlightOne { reference: format!("highlight:{}", highlight.row.id), object: highlight.into() }
}

pub(crate) struct HighlightsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl HighlightsApi {
    /// List highlights
    ///
    /// Returns highlights, newest first; for one item, in text order; with `updatedAfter`, in the order in which they
    /// changed.
    #[oai(path = "/v1/library/highlights", method = "get", operation_id = "listHighlights")]
    #[expect(clippy::too_many_arguments, reason = "each parameter of the operation is one argument")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of highlights per page. Default: 50.
        limit: Limit,
        /// Only highlights of this item (UUID).
        #[oai(name = "itemId")]
        item_id: Query<Option<UuidText>>,
        /// Only highlights with this tag.
        tag: Query<Option<Text<1, 32>>>,
        /// Only highlights that changed after this time, RFC 3339 or a date.
        #[oai(name = "updatedAfter")]
        updated_after: Query<Option<Time>>,
    ) -> Result<Json<LibraryHighlightList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let filter = AnnotationFilter {
            item_id: item_id.0.map(|id| ItemId::from_u128(id.0)),
            tag: tag.0.map(|text| text.0),
            updated_after: updated_after.0.map(|time| time.0),
        };
        let cursor_scope =
            CursorScope { account_id, operation: "listHighlights", filters: format!("{filter:?}") };
        let after = open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?;
        let page =
            library::list_highlights(&app.domain, account_id, &filter, after, page_size(&limit)).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next).await?;
        let highlights = page.annotations.into_iter().map(Into::into).collect();
        Ok(Json(LibraryHighlightList { highlights, next_cursor }))
    }

    /// Create a highlight
    ///
    /// Highlights a passage or a picture of an item's text and locates it again whenever the text changes. A
    /// highlight that cannot be located is stored as `orphaned`.
    #[oai(path = "/v1/library/highlights", method = "post", operation_id = "createHighlight")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: NoteBody<LibraryHighlightRequest>,
    ) -> Result<HighlightSaved, Errors<404, 422>> {
        let (highlight, already_existed) =
            library::create_highlight(&app.domain, caller.0.account_id, body.0.highlight()).await?;
        let version = version_of(highlight.row.sequence);
        let answer = Json(highlight_response(highlight));
        Ok(if already_existed {
            HighlightSaved::Existing(answer, version)
        } else {
            HighlightSaved::Created(answer, version)
        })
    }

    /// Get a highlight
    ///
    /// Returns the highlight with its current position.
    #[oai(path = "/v1/library/highlights/:id", method = "get", operation_id = "getHighlight")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the highlight.
        #[oai(example = "highlight_id")]
        id: Path<String>,
    ) -> Result<Single<LibraryHighlightOne>, Errors<404>> {
        let highlight = library::get_highlight(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let sequence = highlight.row.sequence;
        Ok(Single::versioned(highlight_response(highlight), sequence))
    }

    /// Update a highlight
    ///
    /// Changes the comment, colour and tags. The quote never changes.
    #[oai(path = "/v1/library/highlights/:id", method = "patch", operation_id = "updateHighlight")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the highlight.
        #[oai(example = "highlight_id")]
        id: Path<String>,
        /// Fails with 412 unless it equals the highlight's `ETag`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
        body: NoteBody<LibraryHighlightUpdate>,
    ) -> Result<Single<LibraryHighlightOne>, Errors<404, 412, 422>> {
        let request = body.0;
        let update = HighlightUpdate {
            note: request.note.map(|note| note.0.map(|note| note.0)),
            color: request.color.map(|word| word.0),
            tags: request.tags.map(tags_of),
            card: None,
            if_match: if_match.0.map(IfMatch),
        };
        let account_id = caller.0.account_id;
        let highlight = library::update_highlight(&app.domain, account_id, id_of(&id.0)?, update).await?;
        let sequence = highlight.row.sequence;
        Ok(Single::versioned(highlight_response(highlight), sequence))
    }

    /// Delete a highlight
    ///
    /// The deletion is permanent.
    #[oai(path = "/v1/library/highlights/:id", method = "delete", operation_id = "deleteHighlight")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the highlight.
        #[oai(example = "highlight_id")]
        id: Path<String>,
        /// Fails with 412 unless it equals the highlight's `ETag`.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
    ) -> Result<NoContent, Errors<404, 412>> {
        let if_match = if_match.0.map(IfMatch);
        library::delete_highlight(&app.domain, caller.0.account_id, id_of(&id.0)?, if_match).await?;
        Ok(NoContent::Done)
    }

    /// Set the card of a highlight
    ///
    /// Creates or replaces the card that reviews display before the highlight. A highlight has at most one.
    #[oai(path = "/v1/library/highlights/:id/card", method = "put", operation_id = "setHighlightCard")]
    async fn set_card(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the highlight.
        #[oai(example = "highlight_id")]
        id: Path<String>,
        body: Body<LibraryCardRequest>,
    ) -> Result<Single<LibraryHighlightOne>, Errors<404, 422>> {
        let card = body.0.card();
        let update = HighlightUpdate { card: Some(Some(card)), ..HighlightUpdate::default() };
        let account_id = caller.0.account_id;
        let highlight = library::update_highlight(&app.domain, account_id, id_of(&id.0)?, update).await?;
        let sequence = highlight.row.sequence;
        Ok(Single::versioned(highlight_response(highlight), sequence))
    }

    /// Delete the card of a highlight
    ///
    /// The highlight is retained. Succeeds even if it has no card.
    #[oai(path = "/v1/library/highlights/:id/card", method = "delete", operation_id = "deleteHighlightCard")]
    async fn delete_card(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the highlight.
        #[oai(example = "highlight_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        let update = HighlightUpdate { card: Some(None), ..HighlightUpdate::default() };
        library::update_highlight(&app.domain, caller.0.account_id, id_of(&id.0)?, update).await?;
        Ok(NoContent::Done)
    }
}
