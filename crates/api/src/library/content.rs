//! Complete text of an item as a response body.

use extract::{Document, render};
use poem::http::header;
use poem::{IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, Registry};

use crate::error::ApiError;
use http_kit::http::openapi_type::inline;

/// Prevents scripts and loading of resources, because the text is third-party material.
const CONTENT_SECURITY_POLICY: &str = "sandbox; default-src 'none'; style-src 'none'";

/// Text format of the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextForm {
    Plain,
    Markdown,
    /// Sanitised HTML.
    Html,
}

impl TextForm {
    const ALL: [Self; 3] = [Self::Plain, Self::Markdown, Self::Html];

    fn content_type(self) -> &'static str {
        match self {
            Self::Plain => "text/plain; charset=utf-8",
            Self::Markdown => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
        }
    }

    fn render(self, document: &Document) -> String {
        match self {
            Self::Plain => render::plain(&document.blocks),
            Self::Markdown => render::markdown(&document.blocks),
            Self::Html => {
                format!("<!doctype html><meta charset=\"utf-8\">{}", render::html(&document.blocks))
            }
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Plain => "A quiet desk\n\nA carrel is a desk for one reader.",
            Self::Markdown => "# A quiet desk\n\nA carrel is a desk for one reader.",
            Self::Html => "<!doctype html><meta charset=\"utf-8\"><h1>A quiet desk</h1>",
        }
    }
}

/// Complete text with an `ETag` derived from its content hash.
pub(super) struct TextResponse {
    body: String,
    form: TextForm,
    etag: String,
}

impl TextResponse {
    /// Renders a document on a blocking thread, because rendering a long text is slow.
    pub(super) async fn of(document: &std::sync::Arc<Document>, form: TextForm) -> Result<Self, ApiError> {
        let etag = format!("\"{}\"", document.content_hash);
        let document = std::sync::Arc::clone(document);
        let body = tokio::task::spawn_blocking(move || form.render(&document)).await;
        let body = body.map_err(|error| ApiError::from(kernel::Error::internal(error)))?;
        Ok(Self { body, form, etag })
    }
}

impl IntoResponse for TextResponse {
    fn into_response(self) -> Response {
        Response::builder()
            .header(header::CONTENT_TYPE, self.form.content_type())
            .header(header::ETAG, self.etag)
            .header(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .body(self.body)
    }
}

impl ApiResponse for TextResponse {
    fn meta() -> MetaResponses {
        let media = |form: TextForm| {
            let schema = MetaSchema { example: Some(form.example().into()), ..MetaSchema::new("string") };
            MetaMediaType { content_type: form.content_type(), schema: inline(schema) }
        };
        let response = MetaResponse {
            description: "Complete text of the item.",
            status: Some(200),
            status_range: None,
            content: TextForm::ALL.into_iter().map(media).collect(),
            headers: Vec::new(),
        };
        MetaResponses { responses: vec![response] }
    }

    fn register(_registry: &mut Registry) {}
}
