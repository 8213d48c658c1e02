//! Documentation of the Developer API, rendered from its OpenAPI document: a page with the rules that apply to
//! every operation and a list of all operations, a page for each area, and a collection for API clients.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use std::sync::Arc;

use kernel::Code;
use maud::{Markup, html};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};
use serde_json::Value;

use super::api_fields::{parameters, string_member};
use super::docs::spelling;
use super::layout::{READING_POLICY, Shell, Width, page_response, page_under, shell};
use super::operations::{Reference, anchored, area_slug};
use super::postman_collection::postman_collection;
use super::problems::problem_page;
use super::samples::OperationRef;
use super::scripts::reading_script;
use super::text_format::prose;
use http_kit::app::App;
use http_kit::http::query;
use http_kit::problem::{ErrorGroup, Problem};
use reader::ReadFailure;

/// Path of the first page.
const PATH: &str = "/docs/developer";
/// Maximum length of a search, in characters.
const MAX_QUERY_CHARS: usize = 200;

/// Returns the OpenAPI document of the Developer API; null if it cannot be built, which would be a bug.
fn api_document(app: &App) -> Value {
    let parsed = api::document::text(app).and_then(serde_json::from_str);
    parsed.unwrap_or_else(|error| {
        tracing::error!(%error, "failed to generate the OpenAPI document");
        Value::Null
    })
}

/// Renders the rules and the list of all operations, or the operations that match a search.
#[handler]
pub(super) fn developer_docs(app: Data<&Arc<App>>, request: &Request) -> Response {
    let document = api_document(&app);
    let reference = Reference::of(&document);
    let base = app.settings.origins.base.as_str();
    let words = query::value_in(request.uri(), "q").unwrap_or_default();
    let words: String = words.trim().chars().take(MAX_QUERY_CHARS).collect();
    let content = html! {
        h1 { "The Developer API" }
        (filter(base, &words))
        @if words.is_empty() { (rules(&app, &reference)) } @else { (matches(base, &reference, &words)) }
    };
    let page_shell = Shell { title: "Developer API", current: "/docs", width: Width::Wide };
    page_response(StatusCode::OK, shell(&app, page_shell, &content))
}

/// Renders the operations and objects of an area.
#[handler]
pub(super) fn developer_area(app: Data<&Arc<App>>, request: &Request) -> Response {
    let document = api_document(&app);
    let base = app.settings.origins.base.as_str();
    let slug = request.raw_path_param("area").unwrap_or_default();
    let Some(reference) = Reference::of_area(&document, slug, format!("{base}{PATH}#errors")) else {
        let problem = Problem::new(Code::NotFound, "The Developer API has no such area.");
        return problem_page(&app, &ReadFailure { problem: &problem, url: None, request_id: "" });
    };
    let name = reference.all().next().map_or("", |(group, _)| group);
    let content = html! {
        p.soft { a href={ (base) (PATH) } { "The Developer API" } }
        h1 { (name) }
        (filter(base, ""))
        (reference.contents(&[]))
        div.with-copies { (reference.operations()) }
        (reading_script())
    };
    let title = format!("{name} · Developer API");
    let page_shell = Shell { title: &title, current: "/docs", width: Width::Wide };
    page_under(READING_POLICY, StatusCode::OK, shell(&app, page_shell, &content))
}

/// Serves all operations as a collection that API clients import.
#[handler]
pub(super) fn developer_collection(app: Data<&Arc<App>>) -> Response {
    let document = api_document(&app);
    postman_collection(&document)
        .to_string()
        .with_content_type("application/json")
        .with_header(header::CONTENT_DISPOSITION, "attachment; filename=\"carrel.postman_collection.json\"")
        .into_response()
}

/// Renders the field that searches in all operations.
fn filter(base: &str, words: &str) -> Markup {
    html! {
        form.ask.compact action={ (base) (PATH) } method="get" role="search" aria-label="Operations" {
            div {
                label for="q" { "Find an operation" }
                input #q type="search" name="q" value=(words) maxlength=(MAX_QUERY_CHARS);
            }
            button type="submit" { "Find" }
        }
    }
}

/// Renders the operations that contain all words of a search.
fn matches(base: &str, reference: &Reference<'_>, words: &str) -> Markup {
    let query_words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let hits: Vec<(&str, OperationRef<'_>)> = reference
        .all()
        .filter(|(group, op)| {
            let texts = searchable(group, *op);
            query_words.iter().all(|word| texts.contains(word.as_str()))
        })
        .collect();
    html! {
        p { a href={ (base) (PATH) } { "All operations" } }
        @if hits.is_empty() { p { "No operation has all words of " bdi { (words) } ". Use fewer or other words." } }
        ul.areas { @for (group, op) in &hits { li {
            a href={ (base) (PATH) "/" (area_slug(group)) "#" (string_member(op.operation, "operationId")) } {
                (group) ": " (string_member(op.operation, "summary"))
            }
            " " span.soft.small { (op.method.to_uppercase()) " " code { (op.path) } }
        } } }
    }
}

/// Returns the texts of an operation in lower case: method, path, names, descriptions, and parameters.
fn searchable(group: &str, op: OperationRef<'_>) -> String {
    let mut texts = vec![group, op.method, op.path];
    texts.extend(["operationId", "summary", "description"].map(|name| string_member(op.operation, name)));
    let parameters = parameters(op.operation);
    texts.extend(parameters.iter().flat_map(|parameter| [parameter.name, parameter.meaning]));
    texts.join(" ").to_lowercase()
}

/// Renders the rules that apply to every operation, and the list of all operations.
fn rules(app: &App, reference: &Reference<'_>) -> Markup {
    let base = app.settings.origins.base.as_str();
    html! {
        p { "Reading within a token budget, feeds, monitors and a library, with an account. Programs can use the same description as "
            a href={ (base) "/v1/openapi.json" } { "OpenAPI 3.1" } ", and API clients, such as Postman and Bruno, import it as "
            a href={ (base) (PATH) "/postman.json" } { "a collection" } ". You can try operations with your own key in the "
            a href={ (base) (PATH) "/reference" } { "interactive reference" } "." }
        nav.contents aria-label="Contents" {
            h2 { "Contents" }
            ul {
                @for (id, title) in [("start", "Your first request"), ("limits", "Keys and limits"), ("areas", "Operations"), ("errors", "Errors"), ("codes", "Codes"), ("spelling", "Why the two APIs spell fields differently")] {
                    li { a href={ "#" (id) } { (title) } }
                }
            }
        }
        (start(app))
        section id="areas" {
            h2 { (anchored("areas", "Operations")) }
            (reference.areas(&format!("{base}{PATH}")))
        }
        section id="errors" {
            h2 { (anchored("errors", "Errors")) }
            p { "Errors are " code { "{error, code, retryAfter?, details?}" } ", or problem details (RFC 9457) when " code { "Accept" } " asks for "
                code { "application/problem+json" } ". Every operation can return:" }
            (reference.errors())
        }
        (codes())
        (spelling())
    }
}

/// Renders the sections about the first request, keys, and limits.
fn start(app: &App) -> Markup {
    let base = app.settings.origins.base.as_str();
    html! {
        section id="start" {
            h2 { (anchored("start", "Your first request")) }
            p { "Create a key under " a href={ (app.settings.origins.auth.as_str()) "/settings/keys" } { "Keys" }
                " and send it as " code { "Authorization: Bearer …" } " or " code { "X-API-Key: …" } "." }
            pre tabindex="0" { code {
                "# what the account may do\ncurl -H \"Authorization: Bearer $KEY\" " (base) "/v1/me\n\n"
                "# a window of a page, at most 4000 tokens\ncurl -H \"Authorization: Bearer $KEY\" -H 'Content-Type: application/json' \\\n  "
                "-d '{\"url\":\"https://example.com/\",\"maxTokens\":4000}' " (base) "/v1/articles/read"
            } }
            p { "Bodies are JSON, a form or a multipart form. In a form, a list repeats its name, an object is sent as JSON text, a number as digits, "
                "and an empty value of a field that allows " code { "null" } " means " code { "null" } "." }
        }
        section id="limits" {
            h2 { (anchored("limits", "Keys and limits")) }
            p { "A key has the scope " code { "svc:read" } ", " code { "svc:write" } " or both. Every call with a valid key costs one operation, even if it is rejected. In every response, "
                code { "RateLimit-Policy" } " names the limits that apply, and " code { "RateLimit" } " what is left of them. Operations that download a source are also counted under "
                code { "fresh-minute" } " and " code { "fresh-day" } " if they did download it." }
        }
    }
}

/// Renders the table of the Developer API's error codes. The `type` of its problems links to these rows.
fn codes() -> Markup {
    html! {
        section id="codes" {
            h2 { (anchored("codes", "Codes")) }
            table.cards.codes {
                thead { tr { th scope="col" { "Code" } th scope="col" { "Status" } th scope="col" { "Meaning" } th scope="col" { "What to do" } } }
                tbody { @for (entry, status) in ErrorGroup::Developer.codes() {
                    @let of_articles = ErrorGroup::Articles.entry(entry.code).1;
                    tr id=(entry.code) {
                        th scope="row" { code { (entry.code) } }
                        td data-label="Status" { (status) @if of_articles != status { ", for articles " (of_articles) } }
                        td data-label="Meaning" { (prose(entry.title)) ". " (prose(entry.meaning)) }
                        td data-label="What to do" { (prose(entry.resolution)) }
                    }
                } }
            }
        }
    }
}
