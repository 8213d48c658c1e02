//! Documents that let browsers install Carrel, search in it, and share pages with it.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use std::sync::Arc;

use maud::{PreEscaped, html};
use poem::http::{HeaderValue, header};
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};
use serde_json::json;

use crate::assets::icon_path;
use crate::language::choice;
use crate::language::text::ShellText;
use crate::site_color::{icon_ground, text_of_color};
use crate::site_icon::{GROUND, IconFormat};
use http_kit::app::App;
use http_kit::page_language::{self, PageLanguages};

/// Cache policy of the documents, which change only with a deployment.
const CACHE_POLICY: &str = "public, max-age=86400";

/// Maximum length of a short name in `OpenSearch`, in characters.
const SHORT_NAME_CHARS: usize = 16;

/// Background colour of pages in light themes, which is displayed while the installed app starts.
const PAGE_GROUND: &str = "#fdfbf7";

/// Runs `work`, which creates a document in the language that the browser prefers.
fn in_browser_language(request: &Request, work: impl FnOnce() -> Response) -> Response {
    let language = choice::of_browser(request);
    let mut response = page_language::with_sync(PageLanguages { shell: language, content: language }, work);
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Language"));
    response
}

/// Serves the web app manifest: the name, the colour, the icons, the start page, and the target for shared
/// pages.
#[handler]
pub(crate) fn manifest(app: Data<&Arc<App>>, request: &Request) -> Response {
    in_browser_language(request, || manifest_of(&app))
}

fn manifest_of(app: &App) -> Response {
    let auth = app.settings.origins.auth.as_str();
    let site = &app.settings.site;
    let color = site.color.map_or(GROUND, icon_ground);
    let icon = |format: IconFormat, sizes: &str, purpose: &str| json!({ "src": icon_path(app, format), "sizes": sizes, "type": format.media_type(), "purpose": purpose });
    let document = json!({
        "id": format!("{auth}/today"),
        "name": site.name,
        "short_name": site.name,
        "description": ShellText("manifest-description").get(),
        "start_url": format!("{auth}/today"),
        "scope": format!("{auth}/"),
        "display": "minimal-ui",
        "theme_color": text_of_color(color),
        "background_color": PAGE_GROUND,
        "icons": [
            icon(IconFormat::Svg, "any", "any"),
            icon(IconFormat::Small, "192x192", "any"),
            icon(IconFormat::Large, "512x512", "any"),
            icon(IconFormat::Large, "512x512", "maskable"),
        ],
        "share_target": {
            "action": format!("{auth}/save"),
            "method": "GET",
            "params": { "title": "title", "text": "text", "url": "url" },
        },
        "shortcuts": [
            { "name": ShellText("nav-feeds").get(), "url": format!("{auth}/entries") },
            { "name": ShellText("nav-library").get(), "url": format!("{auth}/library") },
        ],
    });
    document
        .to_string()
        .with_content_type("application/manifest+json")
        .with_header(header::CACHE_CONTROL, CACHE_POLICY)
        .into_response()
}

/// Serves the `OpenSearch` description.
#[handler]
pub(crate) fn open_search(app: Data<&Arc<App>>, request: &Request) -> Response {
    in_browser_language(request, || open_search_of(&app))
}

fn open_search_of(app: &App) -> Response {
    let origins = &app.settings.origins;
    let (reader, auth) = (origins.reader.as_str(), origins.auth.as_str());
    let description = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/" {
            ShortName { (app.settings.site.name.chars().take(SHORT_NAME_CHARS).collect::<String>()) }
            Description { (ShellText("search-description")) }
            InputEncoding { "UTF-8" }
            Image width="16" height="16" type="image/svg+xml" { (reader) "/assets/icon.svg" }
            Url type="text/html" template={ (auth) "/search?q={searchTerms}" } {}
        }
    };
    description
        .into_string()
        .with_content_type("application/opensearchdescription+xml")
        .with_header(header::CACHE_CONTROL, CACHE_POLICY)
        .into_response()
}
