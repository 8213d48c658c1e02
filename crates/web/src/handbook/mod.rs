//! Handbook at `/docs/handbook`: the Markdown pages of `docs/handbook`, pages that are generated from the code,
//! and a search over all of them. Its files also are the source of an mdBook.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

mod addresses;
mod book;
mod markdown;
mod search;
mod tables;

use std::sync::{Arc, OnceLock};

use kernel::Code;
use maud::{Markup, PreEscaped, html};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{IntoResponse, Request, Response, handler};

use super::layout::{READING_POLICY, Shell, Width, page_under, shell};
use super::problems::problem_page;
use super::scripts::reading_script;
use book::{HandbookContents, INDEX, PATH, page_path, picture};
use http_kit::app::App;
use http_kit::http::query;
use http_kit::problem::Problem;
use markdown::RenderedHandbookPage;
use reader::ReadFailure;
use search::{MAX_HITS, MAX_QUERY_CHARS, MAX_WORDS, SectionHit, has_unread_words, search};

pub use book::{CodeTables, handbook_files};
pub use tables::escape_markdown;

/// Cache policy of the pictures.
const PICTURE_CACHE_POLICY: &str = "public, max-age=86400";

/// Handbook of this process. It is rendered at its first request.
pub(super) struct Handbook {
    tables: CodeTables,
    rendered: OnceLock<RenderedBook>,
}

struct RenderedBook {
    book: HandbookContents,
    /// Rendered pages, in the order of the book.
    pages: Vec<RenderedHandbookPage>,
}

impl Handbook {
    pub(super) fn new(tables: CodeTables) -> Self {
        Self { tables, rendered: OnceLock::new() }
    }

    fn rendered(&self, app: &App) -> &RenderedBook {
        self.rendered.get_or_init(|| {
            let book = HandbookContents::new(self.tables, &app.settings.accounts.tiers);
            let origins = &app.settings.origins;
            let pages =
                book.pages.iter().map(|page| RenderedHandbookPage::of(&page.markdown, origins)).collect();
            RenderedBook { book, pages }
        })
    }
}

/// Renders the first page, or the result of a search.
#[handler]
pub(super) fn open_first(
    app: Data<&Arc<App>>,
    handbook: Data<&Arc<Handbook>>,
    request: &Request,
) -> Response {
    let words = query::value_in(request.uri(), "q").unwrap_or_default();
    let words: String = words.trim().chars().take(MAX_QUERY_CHARS).collect();
    if words.is_empty() {
        return show_page(&app, &handbook, INDEX);
    }
    let rendered = handbook.rendered(&app);
    let content = results(rendered, &words);
    respond(
        &app,
        &HandbookView { rendered, current: None, words: &words, title: "Search · Handbook" },
        &content,
    )
}

/// Renders a page.
#[handler]
pub(super) fn open_page(app: Data<&Arc<App>>, handbook: Data<&Arc<Handbook>>, request: &Request) -> Response {
    show_page(&app, &handbook, request.raw_path_param("page").unwrap_or_default())
}

/// Serves a picture. Its name has no hash, so browsers request it again after a day.
#[handler]
pub(super) fn open_picture(app: Data<&Arc<App>>, request: &Request) -> Response {
    let name = request.raw_path_param("name").unwrap_or_default();
    let Some(content) = picture(&format!("pictures/{name}")) else {
        return missing(&app);
    };
    content
        .with_content_type("image/webp")
        .with_header(header::CACHE_CONTROL, PICTURE_CACHE_POLICY)
        .into_response()
}

/// Renders the page for an unknown address.
fn missing(app: &App) -> Response {
    let problem = Problem::new(Code::NotFound, "The handbook has no page at this address.");
    problem_page(app, &ReadFailure { problem: &problem, url: None, request_id: "" })
}

fn show_page(app: &App, handbook: &Handbook, slug: &str) -> Response {
    let rendered = handbook.rendered(app);
    let position = rendered.book.pages.iter().position(|page| page.slug == slug);
    let parts = position.and_then(|at| Some((at, rendered.book.pages.get(at)?, rendered.pages.get(at)?)));
    let Some((position, page, text)) = parts else {
        return missing(app);
    };
    let content = html! { (PreEscaped(&text.html)) (neighbours(&rendered.book, position)) };
    let title = if slug == INDEX { "Handbook".to_owned() } else { format!("{} · Handbook", page.title) };
    respond(app, &HandbookView { rendered, current: Some(position), words: "", title: &title }, &content)
}

/// Page to display.
struct HandbookView<'a> {
    rendered: &'a RenderedBook,
    /// Position of the displayed page. `None` for results of a search.
    current: Option<usize>,
    /// Query of the search.
    words: &'a str,
    title: &'a str,
}

fn respond(app: &App, view: &HandbookView<'_>, content: &Markup) -> Response {
    let body = html! {
        form.ask.compact action=(PATH) method="get" role="search" aria-label="Handbook" {
            div {
                label for="q" { "Search the handbook" }
                input #q type="search" name="q" value=(view.words) maxlength=(MAX_QUERY_CHARS);
            }
            button type="submit" { "Search" }
        }
        p.to-contents { a href="#contents" { "Contents" } }
        div.handbook {
            div.manual.with-copies { (content) }
            nav #contents aria-label="Handbook" { (contents(view)) }
        }
        (reading_script())
    };
    let page_shell = Shell { title: view.title, current: "/docs", width: Width::Wide };
    page_under(READING_POLICY, StatusCode::OK, shell(app, page_shell, &body))
}

/// Renders the table of contents, with the sections of the displayed page.
fn contents(view: &HandbookView<'_>) -> Markup {
    html! { @for part in view.rendered.book.parts() {
        @if let Some(title) = part.title { h2 { (title) } }
        ul { @for (position, page) in &part.pages {
            @let is_current = view.current == Some(*position);
            li {
                a href=(page_path(&page.slug)) aria-current=[is_current.then_some("page")] { (page.title) }
                @if is_current { @if let Some(text) = view.rendered.pages.get(*position) {
                    (sections(text))
                } }
            }
        } }
    } }
}

fn sections(text: &RenderedHandbookPage) -> Markup {
    let mut headings = text.headings().peekable();
    html! { @if headings.peek().is_some() {
        ul { @for (id, title) in headings { li { a href={ "#" (id) } { (title) } } } }
    } }
}

/// Renders links to the previous and the next page.
fn neighbours(book: &HandbookContents, position: usize) -> Markup {
    let previous = position.checked_sub(1).and_then(|at| book.pages.get(at));
    let next = book.pages.get(position + 1);
    html! {
        nav.row.neighbours aria-label="Pages" {
            @if let Some(page) = previous { a rel="prev" href=(page_path(&page.slug)) { "Previous: " (page.title) } }
            @if let Some(page) = next { a rel="next" href=(page_path(&page.slug)) { "Next: " (page.title) } }
        }
    }
}

fn results(rendered: &RenderedBook, words: &str) -> Markup {
    let hits = search(&rendered.pages, words);
    let count = hits.len();
    html! {
        h1 { "Search" }
        @if hits.is_empty() {
            p { "No section has all words of " bdi { (words) } ". Use fewer or other words." }
        } @else {
            p { (count) @if count == 1 { " section has" } @else { " sections have" } " all words of " bdi { (words) } "."
                @if count > MAX_HITS { " The first " (MAX_HITS) " are listed." } }
            ol.hits { @for hit in hits.iter().take(MAX_HITS) { (result(&rendered.book, hit)) } }
        }
        @if has_unread_words(words) { p.soft { "Only the first " (MAX_WORDS) " words were searched." } }
    }
}

fn result(book: &HandbookContents, hit: &SectionHit<'_>) -> Markup {
    let Some(page) = book.pages.get(hit.page) else { return html! {} };
    let (path, section) = (page_path(&page.slug), hit.section);
    html! { li {
        @if section.id.is_empty() { a href=(path) { (page.title) } }
        @else { a href={ (path) "#" (section.id) } { (page.title) " › " (section.title) } }
        p.soft.small { (hit.excerpt()) }
    } }
}
