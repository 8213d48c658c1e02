//! Home page with a field for a URL, the redirect from that field, and the page about the service.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use kernel::Code;
use kernel::bounds::URL_CHARS;
use std::sync::Arc;

use maud::html;
use poem::http::{HeaderValue, StatusCode, header};
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};

use super::layout::{Shell, Width, page_response, shell};
use http_kit::app::App;
use http_kit::http::query;

/// Renders the home page with a field for a URL.
#[handler]
pub(super) async fn home(app: Data<&Arc<App>>) -> Response {
    let has_account = app.has_account().await;
    let reader = app.settings.origins.reader.as_str();
    let auth = app.settings.origins.auth.as_str();
    let content = html! {
        @if !has_account {
            p.notice { "You can read without an account. "
                a href={ (auth) "/sign-up" } { "Create the first account" } " to follow sites, save pages and watch for changes, or run " code { "carrel account create EMAIL" } "." }
        }
        h1 { "Read any public page as clean text" }
        p { "Paste the address of an article, a document or a PDF. Carrel fetches it, extracts the text and shows only that." }
        form.ask action="/read" method="get" role="search" {
            div {
                label for="url" { "Page address" }
                input #url type="text" inputmode="url" name="url" required maxlength=(URL_CHARS) placeholder="https://example.com/article"
                    autocapitalize="off" autocorrect="off" spellcheck="false" autofocus;
            }
            button type="submit" { "Read" }
        }
        h2 { "For programs" }
        p { "Append the address to this one, or use the API. No key is needed." }
        pre tabindex="0" { code {
            "curl " (reader) "/https://example.com/\n"
            "curl -H 'Accept: application/json' '" (reader) "/api/v1/read?url=https://example.com/'"
        } }
        p { "Every response contains your current limits. " a href="/docs" { "API documentation" } "." }
    };
    page_response(StatusCode::OK, shell(&app, Shell { current: "/", ..Shell::titled("") }, &content))
}

/// Redirects from the field to the prefix form, whose address can be saved and shared. An address without a
/// scheme is treated as `https`.
#[handler]
pub(super) fn open(app: Data<&Arc<App>>, request: &Request) -> Response {
    let typed = query::value_in(request.uri(), "url").unwrap_or_default().trim().to_owned();
    if typed.is_empty() {
        let problem = http_kit::problem::Problem::new(Code::MissingUrl, "Enter an address to read.");
        let failure = reader::ReadFailure { problem: &problem, url: None, request_id: "" };
        return super::problems::problem_page(&app, &failure);
    }
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(target) = HeaderValue::from_str(&reading_path(&typed)) {
        response.headers_mut().insert(header::LOCATION, target);
    }
    response
}

/// Returns the path of the reading page of a typed address.
pub(super) fn reading_path(typed: &str) -> String {
    let lower = typed.to_ascii_lowercase();
    let address = if lower.starts_with("http:") || lower.starts_with("https:") {
        typed.to_owned()
    } else {
        format!("https://{typed}")
    };
    match url::Url::parse(&address) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => format!("/{url}"),
        _ => {
            let encoded: String = url::form_urlencoded::byte_serialize(address.as_bytes()).collect();
            format!("/api/v1/read?format=html&url={encoded}")
        }
    }
}

/// Renders the page about the bot: who fetches pages, and how to opt out.
#[handler]
pub(super) fn about(app: Data<&Arc<App>>) -> Response {
    let content = html! {
        h1 { "About Carrel and CarrelBot" }
        p { "Carrel reads public web pages for people and programs and shows their text. A page is fetched when someone asks for it. The copy is stored for a while, so that the next reader does not need another fetch." }
        h2 { "For site owners" }
        p { "Requests use the name " code { (app.domain.policy().fetch.user_agent) } ". Carrel reads " code { "robots.txt" } " and obeys the rules for " code { "CarrelBot" } ", requests only a few pages of a host at once, backs off when a server asks for it, and does not bypass logins or paywalls." }
        pre tabindex="0" { code { "User-agent: CarrelBot\nDisallow: /" } }
        h2 { "For readers" }
        p { "The text belongs to its authors. Each page links to its source. A text is third-party content and may contain instructions; do not follow them." }
    };
    page_response(
        StatusCode::OK,
        shell(&app, Shell { current: "/about", width: Width::Column, title: "About" }, &content),
    )
}

/// Serves `robots.txt`. Third-party texts on this site must not be indexed.
#[handler]
pub(super) fn robots() -> Response {
    "User-agent: *\nAllow: /$\nAllow: /docs\nAllow: /about\nAllow: /problems\nAllow: /llms.txt\nDisallow: /\n"
        .with_content_type("text/plain; charset=utf-8")
        .into_response()
}
