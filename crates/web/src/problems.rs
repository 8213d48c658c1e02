//! Error pages: the page of an error that occurred, and one page for each kind of problem.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use kernel::Code;
use kernel::bounds::URL_CHARS;
use std::sync::Arc;

use maud::{Markup, Render, html};
use poem::http::{HeaderValue, StatusCode, header};
use poem::web::Data;
use poem::{Request, Response, handler};

use super::language::choice::tag_of_english;
use super::language::text::Text;
use super::layout::{Shell, Width, page_response, shell};
use super::page::error_text::{self, ErrorSentences};
use super::text_format::prose;
use http_kit::app::App;
use http_kit::page_language;
use http_kit::problem::{ErrorGroup, Problem, ProblemEntry};
use reader::ReadFailure;

/// Renders the page of an error that occurred.
pub(super) fn problem_page(app: &App, failure: &ReadFailure<'_>) -> Response {
    let problem = failure.problem;
    let mut response = page_language::with_translated_content(|| page(app, failure));
    if let Some(seconds) = problem.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(allow) = problem.allow {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
    }
    response
}

fn page(app: &App, failure: &ReadFailure<'_>) -> Response {
    let ReadFailure { problem, url, request_id } = *failure;
    let code = problem.entry.code;
    let title = title(&problem.entry);
    let content = html! {
        h1 { (title) }
        @if let (429, Some(seconds)) = (problem.status, problem.retry_after) {
            p { (Text("reader-limited")) }
            div.notice { p { strong { (Text("reader-what-to-do")) } " " (Text("reader-wait").with("count", seconds)) } }
        } @else {
            @if let Some(detail) = detail(&problem.detail) { p { (detail) } }
            div.notice { p { strong { (Text("reader-what-to-do")) } " " (resolution(&problem.entry)) } }
        }
        @if let Some(url) = url.filter(|url| is_web(url)) { (retry_links(app, code, url)) }
        form.ask action="/read" method="get" role="search" {
            div {
                label for="url" { (Text("reader-another")) }
                input #url type="text" inputmode="url" name="url" value=[url] required maxlength=(URL_CHARS) autocapitalize="off" spellcheck="false";
            }
            button type="submit" { (Text("home-read")) }
        }
        p.soft.small {
            a href={ "/problems/" (code.as_str()) } { (Text("reader-about").markup(&[("code", html! { code { (code.as_str()) } })])) }
            @if !request_id.is_empty() { " · " (Text("consent-request").markup(&[("id", html! { code { (request_id) } })])) }
        }
    };
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    page_response(status, shell(app, Shell::titled(&title), &content))
}

/// Returns the title and the next step of a problem for visitors of pages, if those of the problem catalogue address
/// programs.
fn page_words(code: Code) -> Option<(Text, Text)> {
    match code {
        Code::NotFound => Some((Text("reader-no-page"), Text("reader-no-page-step"))),
        Code::SourceNotFound => Some((Text("reader-gone"), Text("reader-gone-step"))),
        Code::MissingUrl => Some((Text("reader-no-address"), Text("reader-no-address-step"))),
        Code::InvalidUrl => Some((Text("reader-address"), Text("reader-address-step"))),
        _ => None,
    }
}

/// Returns the title of a problem. Pages in English use the words of the problem catalogue.
fn title(entry: &ProblemEntry) -> String {
    match page_words(entry.code) {
        Some((title, _)) => title.get(),
        None if tag_of_english().is_none() => entry.title.to_owned(),
        None => error_text::reason_words(entry.code),
    }
}

/// Returns what a person can do about a problem. Pages in English use the words of the problem catalogue.
fn resolution(entry: &ProblemEntry) -> Markup {
    match page_words(entry.code) {
        Some((_, step)) => step.render(),
        None if tag_of_english().is_none() => prose(entry.resolution),
        None => error_text::resolution(entry.code).render(),
    }
}

/// Renders the English detail of a problem. `None` on pages in other languages if the detail has no translation,
/// because the title already describes the problem.
fn detail(detail: &str) -> Option<Markup> {
    match ErrorSentences::of_message(detail) {
        ErrorSentences { words, tag: None } => Some(prose(&words)),
        ErrorSentences { .. } => None,
    }
}

fn is_web(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Renders a link to the original and a link for a retry. If TLS failed, also renders a link for a retry
/// without TLS.
fn retry_links(app: &App, code: Code, url: &str) -> Markup {
    let reader = app.settings.origins.reader.as_str();
    let plain = url.strip_prefix("https://").filter(|_| code == Code::SourceTlsError);
    html! {
        p { bdi { code { (url) } } }
        div.row {
            a.button.secondary href=(url) rel="noopener nofollow external" { (Text("reader-original")) }
            a.button.secondary href={ (reader) "/" (url) } rel="nofollow" { (Text("error-try-again")) }
            @if let Some(rest) = plain { a.button.secondary href={ (reader) "/http://" (rest) } rel="nofollow" { (Text("reader-try-http")) } }
        }
    }
}

/// Renders the list of all kinds of problems.
#[handler]
pub(super) fn list(app: Data<&Arc<App>>) -> Response {
    let content = html! {
        h1 { "Problems" }
        p { "Every error of the public reader is one of these, as " code { "application/problem+json" } "." }
        table.cards {
            thead { tr { th scope="col" { "Code" } th scope="col" { "Status" } th scope="col" { "Meaning" } } }
            tbody { @for (entry, status) in ErrorGroup::Reader.codes() {
                tr {
                    th scope="row" { a href={ "/problems/" (entry.code.as_str()) } { code { (entry.code.as_str()) } } }
                    td data-label="Status" { (status) }
                    td { (entry.title) }
                }
            } }
        }
    };
    let page_shell = Shell { title: "Problems", current: "", width: Width::Wide };
    page_response(StatusCode::OK, shell(&app, page_shell, &content))
}

/// Renders the page of one kind of problem.
#[handler]
pub(super) fn show(app: Data<&Arc<App>>, request: &Request) -> Response {
    let code = request.raw_path_param("code").unwrap_or_default();
    let matched = ErrorGroup::Reader.codes().into_iter().find(|(entry, _)| entry.code.as_str() == code);
    let Some((entry, status)) = matched else {
        let problem = Problem::new(Code::NotFound, "There is no problem with this code.");
        return problem_page(&app, &ReadFailure { problem: &problem, url: None, request_id: "" });
    };
    let content = html! {
        p.soft { a href="/problems" { "Problems" } }
        h1 { (entry.title) }
        dl.facts {
            dt { "Code" } dd { code { (entry.code.as_str()) } }
            dt { "Status" } dd { (status) }
        }
        h2 { "What it means" }
        p { (prose(entry.meaning)) }
        h2 { "What to do" }
        p { (prose(entry.resolution)) }
    };
    let title = format!("{} · Problems", entry.code);
    page_response(StatusCode::OK, shell(&app, Shell::titled(&title), &content))
}
