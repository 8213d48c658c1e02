//! Pages that people see: rendered here, complete without scripts, one stylesheet, nothing from elsewhere.

mod assets;
mod docs;
mod home;
mod layout;
mod problems;
mod reading;

use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::{EndpointExt, Route, get};

use crate::app::App;

pub use layout::{PAGE_POLICY, Shell, page_response, shell};
pub use problems::problem_page;
pub use reading::reading_page;

/// The pages of the reader's host: home, documents, problems, about, and what machines look for.
pub fn reader_routes(app: &Arc<App>, routes: Route) -> Route {
    routes
        .at("/", page(app, home::home))
        .at("/read", page(app, home::open))
        .at("/about", page(app, home::about))
        .at("/docs", page(app, docs::reader))
        .at("/llms.txt", page(app, docs::llms))
        .at("/robots.txt", page(app, home::robots))
        .at("/favicon.ico", page(app, assets::icon))
        .at("/assets/:name", page(app, assets::asset))
        .at("/problems", page(app, problems::list))
        .at("/problems/:code", page(app, problems::one))
        .at("/openapi.json", page(app, docs::reader_document))
        .at("/api/v1/openapi.json", page(app, docs::reader_document))
        .at("/.well-known/api-catalog", page(app, docs::catalog))
}

type Handler = fn(&App, &poem::Request) -> poem::Response;

fn page(app: &Arc<App>, handler: Handler) -> impl poem::IntoEndpoint<Endpoint = BoxEndpoint<'static>> {
    let app = Arc::clone(app);
    get(poem::endpoint::make_sync(move |request| handler(&app, &request))).boxed()
}
