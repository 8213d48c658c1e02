//! Pages that people see: rendered here, complete without scripts, one stylesheet, nothing from elsewhere.

mod account;
mod assets;
mod change;
mod docs;
mod home;
mod layout;
mod problems;
mod reading;

use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::error::MethodNotAllowedError;
use poem::{Endpoint, EndpointExt, Request, Response, Route, RouteMethod, get};

use crate::app::App;
use crate::problem::Problem;

pub use account::pages as account_pages;
pub use change::change_page;
pub use layout::{PAGE_POLICY, Shell, page_response, shell};
pub use problems::problem_page;
pub use reading::reading_page;

/// The pages of the reader's host: home, documents, problems, about, and what machines look for.
pub fn reader_pages(app: &Arc<App>) -> BoxEndpoint<'static> {
    let routes = Route::new()
        .at("/", first_page(app))
        .at("/read", page(app, home::open))
        .at("/about", page(app, home::about))
        .at("/docs", page(app, docs::reader))
        .at("/docs/developer", page(app, docs::developer))
        .at("/llms.txt", page(app, docs::llms))
        .at("/robots.txt", page(app, home::robots))
        .at("/favicon.ico", page(app, assets::icon))
        .at("/assets/:name", page(app, assets::asset))
        .at("/problems", page(app, problems::list))
        .at("/problems/:code", page(app, problems::one))
        .at("/openapi.json", page(app, docs::reader_document))
        .at("/api/v1/openapi.json", page(app, docs::reader_document))
        .at("/.well-known/api-catalog", page(app, docs::catalog));
    let app = Arc::clone(app);
    routes
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move {
                let id = crate::http::request_id::of(&request);
                Ok(inner.call(request).await.unwrap_or_else(|error| failed(&app, &error, &id)))
            }
        })
        .boxed()
}

/// The page for an address that is none, or a method that no page answers.
fn failed(app: &App, error: &poem::Error, request_id: &str) -> Response {
    let problem = if error.is::<MethodNotAllowedError>() {
        let problem = Problem::new("method_not_allowed", "Pages answer GET and HEAD.");
        Problem { allow: Some("GET, HEAD"), ..problem }
    } else {
        Problem::new("not_found", "There is no page at this address.")
    };
    problem_page(app, &problem, request_id)
}

/// The first page tells, until there is an account, how to make one.
fn first_page(app: &Arc<App>) -> RouteMethod {
    let app = Arc::clone(app);
    get(poem::endpoint::make(move |request: Request| {
        let app = Arc::clone(&app);
        async move {
            app.has_account().await;
            Ok::<_, poem::Error>(home::home(&app, &request))
        }
    }))
}

type Handler = fn(&App, &Request) -> Response;

fn page(app: &Arc<App>, handler: Handler) -> RouteMethod {
    let app = Arc::clone(app);
    get(poem::endpoint::make_sync(move |request| handler(&app, &request)))
}
