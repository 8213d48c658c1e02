//! Routes of the Developer API, and the responses for unknown paths and methods.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use kernel::Code;
use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem::{Endpoint, EndpointExt, Request, Response, Route, RouteMethod, handler};
use poem_openapi::OpenApi;

use super::articles::ArticlesApi;
use super::authorize::charge_known;
use super::error::ApiError;
use super::operations::operations;
use super::{document, surface};
use http_kit::app::App;
use http_kit::http::query;
use http_kit::http::request::escaped;
use http_kit::problem::ErrorGroup;

/// Returns the endpoint for all paths under `/v1`. The endpoint never returns an error: every error is
/// rendered as a response.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    let described = Arc::clone(app);
    let mut table: HashMap<String, HashMap<Method, BoxEndpoint<'static>>> = HashMap::new();
    operations().add_routes(&mut table);
    let mut paths: Vec<_> = table.into_iter().collect();
    paths.sort_by(|one, other| one.0.cmp(&other.0));
    let articles = article_paths();
    let routes = paths.into_iter().fold(Route::new(), |routes, (path, methods)| {
        let group = if articles.contains(&path) { ErrorGroup::Articles } else { ErrorGroup::Developer };
        routes.at(path, path_endpoint(methods, group))
    });
    let routes = routes
        .at("/v1/openapi.json", poem::get(poem::endpoint::make_sync(move |_| document::answer(&described))))
        .at("/v1", not_found)
        .at("/v1/*rest", not_found)
        .before(query::with_query)
        .data(app.body_memory.clone())
        .data(Arc::clone(app));
    let app = Arc::clone(app);
    routes
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(surface::handle(&app, &inner, request).await) }
        })
        .boxed()
}

/// Returns the paths of the operations that answer a malformed request with 400 instead of 422.
fn article_paths() -> HashSet<String> {
    let mut table = HashMap::new();
    ArticlesApi.add_routes(&mut table);
    table.into_keys().collect()
}

/// Returns the endpoint for one path. Errors get the group of the path; other methods get 405 with the
/// allowed methods.
fn path_endpoint(
    methods: HashMap<Method, BoxEndpoint<'static>>,
    group: ErrorGroup,
) -> impl Endpoint<Output = Response> {
    let mut names: Vec<String> = methods.keys().map(ToString::to_string).collect();
    if methods.contains_key(&Method::GET) {
        names.push("HEAD".into());
    }
    names.sort_unstable();
    let allow = names.join(", ");
    let allowed: HashSet<Method> = methods.keys().cloned().collect();
    let all =
        methods.into_iter().fold(RouteMethod::new(), |all, (method, endpoint)| all.method(method, endpoint));
    all.around(move |inner, request| {
        let hint = (!allowed.contains(request.method())).then(|| allow.clone());
        async move {
            let answer = match hint {
                Some(allow) => Err(not_allowed(&request, allow).await.into()),
                None => match check_query(&request).await {
                    Ok(()) => inner.call(request).await,
                    Err(refusal) => Err(refusal.into()),
                },
            };
            answer.map_err(|error: poem::Error| surface::error_of(&error).in_group(group).into())
        }
    })
}

async fn not_allowed(request: &Request, allow: String) -> ApiError {
    if let Err(refusal) = charge_known(request).await {
        return refusal;
    }
    let message = format!("This path supports only {allow}.");
    ApiError { allow: Some(allow), ..ApiError::new(Code::MethodNotAllowed, message) }
}

/// Refuses a query with a parameter that is not UTF-8, because its decoded value would be another text.
async fn check_query(request: &Request) -> Result<(), ApiError> {
    let query = request.uri().query().unwrap_or_default();
    let Some(name) = query::undecodable_name(query.as_bytes()) else { return Ok(()) };
    charge_known(request).await?;
    let details = format!("/{}: must be percent-encoded UTF-8", escaped(&name));
    Err(ApiError::malformed(Code::InvalidRequest, "A parameter is invalid.", details))
}

#[handler]
async fn not_found(request: &Request) -> Result<(), ApiError> {
    charge_known(request).await?;
    Err(ApiError::new(Code::NotFound, "There is no operation at this path."))
}
