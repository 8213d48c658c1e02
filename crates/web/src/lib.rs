//! Pages for people: rendered on the server, complete without scripts, with one stylesheet and without
//! content from other hosts, except recordings and videos that a person plays.

mod account;
mod admin;
mod agent_clients;
mod agents;
mod api_fields;
mod appearance;
mod appearance_layer;
mod assets;
mod change;
mod change_text;
mod channel_choice;
mod desk;
mod developer;
mod docs;
mod face_name;
mod form_input;
mod group;
mod handbook;
mod home;
mod icons;
mod language;
mod layout;
mod monitor_link;
mod offline_state;
mod operations;
mod outline;
mod page;
mod paragraph_links;
mod pictures;
mod postman_collection;
mod problems;
mod public_highlight;
mod public_page;
mod public_tag;
mod quote_page;
mod reading;
mod reading_bar;
mod reading_settings;
mod reference;
mod routes;
mod samples;
mod scripts;
mod site_color;
mod site_icon;
mod text_format;
mod text_fragment;
mod videos;

use kernel::Code;
use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::error::MethodNotAllowedError;
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get};

use http_kit::app::App;
use http_kit::problem::Problem;
use identity::accounts::Session;
use reader::{Pages, ReadFailure};

use appearance::Appearance;
pub use appearance_layer::with_appearance;
pub use change::change_page;
pub use group::group_page;
pub use handbook::{CodeTables, escape_markdown, handbook_files};
use layout::READING_POLICY;
pub use layout::{PAGE_POLICY, Shell, page_response, shell};
use problems::problem_page;
pub use public_highlight::public_highlight_page;
pub use public_tag::public_tag_page;
use quote_page::quote_page;
use reading::reading_page;
pub use routes::account_pages;

/// Pages that the reader returns to browsers.
pub const READER_PAGES: Pages =
    Pages { reading: reading_page, problem: problem_page, quote: quote_page, policy: READING_POLICY };

/// Returns true if pictures are switched off both in the browser that sent this request and for its session. Public
/// pages use the appearance of the browser, other pages that of the session.
pub fn wants_no_pictures(request: &Request, session: Option<&Session>) -> bool {
    let stored = session.and_then(|session| session.account.appearance.as_deref());
    let appearances = [Appearance::of(request), Appearance::of_person(request, stored)];
    appearances.into_iter().all(pictures::are_pictures_off)
}

/// Creates the routes of the reader's host: home, documentation, problems, about, and files for programs,
/// such as `robots.txt`. `tables` creates the pages of the handbook that are generated from crates above this
/// one.
pub fn reader_pages(app: &Arc<App>, tables: CodeTables) -> BoxEndpoint<'static> {
    let routes = Route::new()
        .at("/", get(home::home))
        .at("/read", get(home::open))
        .at("/about", get(home::about))
        .at(reading_settings::PATH, get(reading_settings::show).post(reading_settings::save))
        .at("/docs", get(docs::reader_docs))
        .at("/docs/developer", get(developer::developer_docs))
        .at("/docs/developer/postman.json", get(developer::developer_collection))
        .at("/docs/developer/:area", get(developer::developer_area))
        .at("/docs/agents", get(agents::agents))
        .at("/docs/handbook", get(handbook::open_first))
        .at("/docs/handbook/:page", get(handbook::open_page))
        .at("/docs/handbook/pictures/:name", get(handbook::open_picture))
        .at("/docs/reference", get(reference::reader_reference))
        .at("/docs/developer/reference", get(reference::developer_reference))
        .at("/llms.txt", get(docs::llms))
        .at("/robots.txt", get(home::robots))
        .at("/manifest.webmanifest", get(desk::manifest))
        .at("/opensearch.xml", get(desk::open_search))
        .at("/favicon.ico", get(assets::icon))
        .at("/assets/:name", get(assets::asset))
        .at("/problems", get(problems::list))
        .at("/problems/:code", get(problems::show))
        .at("/openapi.json", get(docs::reader_document))
        .at("/api/v1/openapi.json", get(docs::reader_document))
        .at("/.well-known/api-catalog", get(docs::catalog));
    routes
        .around(|inner, request| async move { Ok(answer(&inner, request).await) })
        .data(Arc::new(handbook::Handbook::new(tables)))
        .data(Arc::clone(app))
        .boxed()
}

async fn answer<E: Endpoint>(inner: &E, request: Request) -> Response {
    let (app, id) = (request.data::<Arc<App>>().cloned(), http_kit::http::request_id::of(&request));
    let allow = allowed_methods(request.uri().path());
    match (inner.call(request).await, app) {
        (Ok(response), _) => response.into_response(),
        (Err(error), Some(app)) => failed(&app, &error, &id, allow),
        (Err(error), None) => error.into_response(),
    }
}

/// Returns the methods that a page of the reader's host supports.
fn allowed_methods(path: &str) -> &'static str {
    if path == reading_settings::PATH { "GET, HEAD, POST" } else { "GET, HEAD" }
}

/// Renders the error page for an unknown address or an unsupported method.
fn failed(app: &App, error: &poem::Error, request_id: &str, allow: &'static str) -> Response {
    let problem = if error.is::<MethodNotAllowedError>() {
        let detail = format!("This page supports only the methods {allow}.");
        Problem { allow: Some(allow), ..Problem::new(Code::MethodNotAllowed, detail) }
    } else {
        Problem::new(Code::NotFound, "There is no page at this address.")
    };
    problem_page(app, &ReadFailure { problem: &problem, url: None, request_id })
}
