//! The public reader: any public URL in, clean text out, without a credential. All of it stands on the
//! domain's articles and reader rules; this room takes requests apart and dresses answers.

mod answer;
mod api;
mod asked;
mod batch;
mod body;
mod described;
pub mod document;
mod jobs;
mod kept;
mod meter;
pub mod negotiate;
mod prefix;
pub mod render;
mod replay;
mod sandbox;
mod schema;
mod surface;
mod verify;

use std::collections::HashMap;
use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderValue, Method, StatusCode, header};
use poem::{Body, EndpointExt, Response, Route, RouteMethod, handler};
use poem_openapi::OpenApi;
use serde_json::Value;

use crate::app::App;
use crate::problem::Problem;

pub use asked::Asked;
pub use kept::Kept;

/// All paths of the reader's API and, as the fallback, the prefix form. Answers never fail: every error is
/// rendered here.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    let mut table: HashMap<String, HashMap<Method, BoxEndpoint<'static>>> = HashMap::new();
    api::ReaderApi { app: Arc::clone(app) }.add_routes(&mut table);
    let routes = table.into_iter().fold(Route::new(), |routes, (path, methods)| {
        let methods = methods
            .into_iter()
            .fold(RouteMethod::new(), |all, (method, endpoint)| all.method(method, endpoint));
        routes.at(path, methods)
    });
    let routes = routes.at("/api/*rest", nothing).before(crate::http::query::with_query);
    let app = Arc::clone(app);
    routes
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(surface::carry(app, &inner, request).await) }
        })
        .boxed()
}

#[handler]
fn nothing() -> Result<(), Problem> {
    Err(Problem::new("not_found", "There is no operation at this path."))
}

/// A JSON answer.
fn json_response(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::builder().status(status).body(Body::from_string(body.to_string()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
