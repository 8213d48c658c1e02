//! Error pages: the page of an error that occurred, and one page for each kind of problem.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use kernel::Code;
use kernel::bounds::URL_CHARS;
use std::sync::Arc;

use maud::{Markup, html};
use poem::http::{HeaderValue, StatusCode, header};
use poem::web::Data;
use poem::{Request, Response, handler};

use super::layout::{Shell, Width, page_response, shell};
use super::text_format::prose;
use http_kit::app::App;
use http_kit::problem::{ErrorGroup, Problem};
use reader::ReadFailure;

/// Renders the page of an error that occurred.
pub(super) fn problem_page(app: &App, failure: &ReadFailure<'_>) -> Response {
    let ReadFailure { problem, url, request_id } = *failure;
    let entry = problem.entry;
    let (title, resolution) = page_words(entry.code).unwrap_or((entry.title, entry.resolution));
    let content = html! {
        h1 { (title) }
        @if let (429, Some(seconds)) = (problem.status, problem.retry_after) {
            p { "You have opened many pages in a short time." }
            div.notice { p { strong { "What to do: " } "Wait " (seconds) @if seconds == 1 { " second" } @else { " seconds" } ", then try again." } }
        } @else {
            p { (prose(&problem.detail)) }
            div.notice { p { strong { "What to do: " } (prose(resolution)) } }
        }
        @if let Some(url) = url.filter(|url| is_web(url)) { (retry_links(app, entry.code, url)) }
        form.ask action="/read" method="get" role="search" {
            div {
                label for="url" { "Read another page" }
                input #url type="text" inputmode="url" name="url" value=[url] required maxlength=(URL_CHARS) autocapitalize="off" spellcheck="false";
            }
            button type="submit" { "Read" }
        }
        p.soft.small {
            a href={ "/problems/" (entry.code.as_str()) } { "About " code { (entry.code.as_str()) } }
            @if !request_id.is_empty() { " · Request " code { (request_id) } }
        }
    };
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = page_response(status, shell(app, Shell::titled(title), &content));
    if let Some(seconds) = problem.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(allow) = problem.allow {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allow));
    }
    response
}

/// Returns the title and the next step of a problem for visitors of pages, if the texts of the catalogue
/// address programs.
fn page_words(code: Code) -> Option<(&'static str, &'static str)> {
    match code {
        Code::NotFound => Some((
            "Page not found",
            "Check the address for typing mistakes. To read a page of another site, enter its address below.",
        )),
        Code::SourceNotFound => Some((
            "The site has no such page",
            "Open the original to check the address. The page may have moved or been deleted.",
        )),
        Code::MissingUrl => {
            Some(("Enter an address", "Paste the address of the page that you want to read."))
        }
        Code::InvalidUrl => Some((
            "Enter a full address",
            "A full address begins with https:// or http://, without a user name or a password.",
        )),
        _ => None,
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
            a.button.secondary href=(url) rel="noopener nofollow external" { "Open the original" }
            a.button.secondary href={ (reader) "/" (url) } rel="nofollow" { "Try again" }
            @if let Some(rest) = plain { a.button.secondary href={ (reader) "/http://" (rest) } rel="nofollow" { "Try http://" } }
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
