//! Interactive API reference: Swagger UI with our OpenAPI documents, on separate pages. Its script is served
//! by this host and may contact only this host.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use std::sync::Arc;

use maud::{DOCTYPE, Markup, html};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{IntoResponse, Response, handler};

use super::assets::Asset;
use http_kit::app::App;

/// Content security policy of the reference: only this host. The library sets inline styles, and its
/// stylesheet contains the icons as `data:` URLs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Renders the interactive reference of the reader API.
#[handler]
pub(super) fn reader_reference(app: Data<&Arc<App>>) -> Response {
    let docs = format!("{}/docs", app.settings.origins.reader);
    page("The public reader API", "/api/v1/openapi.json", &docs)
}

/// Renders the interactive reference of the Developer API, in which people can use their own keys.
#[handler]
pub(super) fn developer_reference(app: Data<&Arc<App>>) -> Response {
    let docs = format!("{}/docs/developer", app.settings.origins.base);
    page("The Developer API", "/v1/openapi.json", &docs)
}

fn page(title: &str, document: &str, docs: &str) -> Response {
    let page: Markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="same-origin";
                title { (title) " · Carrel" }
                link rel="stylesheet" href=(Asset::ReferenceStyle.path());
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
            }
            body {
                p { a href=(docs) { "The same as plain pages" } }
                noscript { p { "The interactive reference needs scripts. The plain pages work without them." } }
                div #reference data-document=(document) {}
                script src=(Asset::ReferenceLibrary.path()) {}
                script src=(Asset::ReferenceStart.path()) {}
            }
        }
    };
    page.into_string()
        .with_content_type("text/html; charset=utf-8")
        .with_header(header::CONTENT_SECURITY_POLICY, POLICY)
        .with_header(header::CACHE_CONTROL, "private, no-cache")
        .with_status(StatusCode::OK)
        .into_response()
}
