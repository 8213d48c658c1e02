//! Operations on the texts of items.

use std::sync::Arc;

use articles::{Payer, search, window};
use library::RefreshFrom;
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Enum, OpenApi};

use super::content::{TextForm, TextResponse};
use super::examples::item_id;
use super::item_view::{self, MetadataInclusion};
use super::request::{LibraryRefreshRequest, id_of};
use super::schema::LibraryItemOne;
use super::texts_schema::{LibraryReadResponse, LibrarySearchResponse, LibraryTextHead};
use crate::answers::Errors;
use crate::articles::TokenBudget;
use crate::authorize::{Authorized, Fresh, Read, Write};
use crate::body::Body;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Integer, Text};
use http_kit::http::request::request;

request! {
    /// Window of an item's text to return.
    pub(super) struct LibraryReadRequest in camelCase {
        /// Maximum `o200k_base` tokens in the window. Default: 4000.
        max_tokens: TokenBudget = 4000 => window::DEFAULT_TOKENS,
        /// `nextCursor` of the previous window.
        cursor: Option<Integer<1, { i64::MAX }>>,
    }
}

request! {
    /// Query within an item's text.
    pub(super) struct LibrarySearchRequest in camelCase {
        /// Search query. Words in double quotes match as a phrase.
        query: Text<1, { search::MAX_QUERY }> = "quiet desks",
        /// Maximum `o200k_base` tokens in all passages. Default: 4000.
        max_tokens: TokenBudget => window::DEFAULT_TOKENS,
        /// Maximum number of passages. Default: 8.
        max_passages: Integer<1, { search::MAX_PASSAGES as i64 }> = 3 => search::DEFAULT_PASSAGES,
        /// Ranked passages to skip: `nextCursor` of the previous response. Default: 0.
        cursor: Integer<0, { i64::MAX }> => 0_u32,
    }
}

/// Format of a text.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename = "Form", rename_all = "snake_case")]
pub(super) enum TextFormat {
    /// Plain text.
    Text,
    /// Markdown.
    Markdown,
    /// Sanitised HTML.
    Html,
}

#[derive(ApiResponse)]
pub(super) enum RefreshAccepted {
    /// The item. It retains its current text until the new text is extracted.
    #[oai(status = 202)]
    Accepted(Json<LibraryItemOne>),
}

pub(crate) struct TextsApi;

#[OpenApi(tag = "ApiTag::Library")]
impl TextsApi {
    /// Read a window of an item
    ///
    /// Returns whole blocks within a token budget, each with its anchor, and the cursor of the next window.
    /// This does not change the reading state.
    #[oai(path = "/v1/library/items/:id/read", method = "post", operation_id = "readLibraryItem")]
    async fn read(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        body: Body<LibraryReadRequest>,
    ) -> Result<Json<LibraryReadResponse>, Errors<404, 409, 422>> {
        let LibraryReadRequest { max_tokens, cursor } = body.0;
        let request = window::WindowRequest {
            max_tokens: max_tokens.get(),
            cursor: cursor.map(|cursor| cursor.0.unsigned_abs()),
        };
        let (item, text) = library::text_of(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let (window, total) = app.reading.window(&text.article(&item), request).await?;
        let head = LibraryTextHead::of(&app, &item, &text, total);
        Ok(Json(LibraryReadResponse::of(head, &text.document, window)))
    }

    /// Search an item for passages
    ///
    /// Returns the blocks that match the query, best match first, within a token budget.
    #[oai(path = "/v1/library/items/:id/search", method = "post", operation_id = "searchLibraryItem")]
    async fn search(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        body: Body<LibrarySearchRequest>,
    ) -> Result<Json<LibrarySearchResponse>, Errors<404, 409, 422>> {
        let LibrarySearchRequest { query, max_tokens, max_passages, cursor } = body.0;
        let request = search::SearchRequest {
            query: query.0.clone(),
            max_tokens: max_tokens.get(),
            max_passages: max_passages.get(),
            cursor: cursor.0.unsigned_abs(),
        };
        let (item, text) = library::text_of(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let (passages, total) = app.reading.passages(&text.article(&item), request).await?;
        let head = LibraryTextHead::of(&app, &item, &text, total);
        Ok(Json(LibrarySearchResponse::of(head, passages, query.0)))
    }

    /// Get the complete text of an item
    ///
    /// Returns the text, of any length, as plain text, Markdown or sanitised HTML.
    #[oai(path = "/v1/library/items/:id/content", method = "get", operation_id = "getLibraryItemContent")]
    async fn content(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        /// Format of the text. Default: `text`.
        format: Query<Option<TextFormat>>,
    ) -> Result<TextResponse, Errors<404, 409, 422>> {
        let (_, text) = library::text_of(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        let form = match format.0 {
            Some(TextFormat::Markdown) => TextForm::Markdown,
            Some(TextFormat::Html) => TextForm::Html,
            Some(TextFormat::Text) | None => TextForm::Plain,
        };
        Ok(TextResponse::of(&text.document, form).await?)
    }

    /// Refresh the text of an item
    ///
    /// Extracts the text again from the supplied content or the uploaded file, otherwise from the URL. If the
    /// extraction fails or yields a worse text, the current text is retained.
    #[oai(path = "/v1/library/items/:id/refresh", method = "post", operation_id = "refreshLibraryItem")]
    async fn refresh(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        /// Id of the item.
        #[oai(example = "item_id")]
        id: Path<String>,
        body: Body<LibraryRefreshRequest>,
    ) -> Result<RefreshAccepted, Errors<404, 422>> {
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let LibraryRefreshRequest { from_url, render } = body.0;
        let from = if from_url.0 { RefreshFrom::Url } else { RefreshFrom::Own };
        let render = render.map(Into::into);
        let (item, job) = library::refresh(&app.domain, payer, id_of(&id.0)?, from, render).await?;
        let item = match job {
            Some(job) => app.engine.dispatch((item, job)).await,
            None => item,
        };
        let item = item_view::of(&app, item, MetadataInclusion::Included);
        Ok(RefreshAccepted::Accepted(Json(LibraryItemOne { item })))
    }
}
