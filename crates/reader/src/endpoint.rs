//! Routes of the reader: its API, the pages below the reading page, and the prefix form for all other paths.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::Code;
use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem::{EndpointExt, Route, RouteMethod, get, handler};
use poem_openapi::OpenApi;

use super::book::book;
use super::operations::OPERATIONS;
use super::quote_page::quote;
use super::service::{Pages, ReaderService};
use super::surface;
use http_kit::app::App;
use http_kit::http::query::with_query;
use http_kit::problem::Problem;

/// Returns the endpoint for all paths. The endpoint never returns an error: `surface` renders every error as
/// a response.
pub fn endpoint(app: &Arc<App>, pages: Pages) -> BoxEndpoint<'static> {
    let mut table: HashMap<String, HashMap<Method, BoxEndpoint<'static>>> = HashMap::new();
    OPERATIONS.add_routes(&mut table);
    let routes = table.into_iter().fold(Route::new(), |routes, (path, methods)| {
        let methods = methods
            .into_iter()
            .fold(RouteMethod::new(), |all, (method, endpoint)| all.method(method, endpoint));
        routes.at(path, methods)
    });
    let reader = Arc::new(ReaderService::new(app, pages));
    routes
        .at("/api/*rest", not_found)
        .at("/read/epub", get(book))
        .at("/read/quote", get(quote))
        .before(with_query)
        .around(move |inner, request| {
            let reader = Arc::clone(&reader);
            async move { Ok(surface::handle(reader, &inner, request).await) }
        })
        .boxed()
}

#[handler]
fn not_found() -> Result<(), Problem> {
    Err(Problem::new(Code::NotFound, "There is no operation at this path."))
}
