//! The Developer API: accounts' operations over the domain's rules. Each operation takes its input apart,
//! makes one domain call and builds the answer; what all have in common stands in `surface`.

mod account;
mod answers;
mod articles;
pub mod authorize;
mod body;
mod cursor;

pub mod document;
pub mod error;
pub(crate) mod monitors;
mod rss;
mod surface;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::Code;
use poem::endpoint::BoxEndpoint;
use poem::error::MethodNotAllowedError;
use poem::http::Method;
use poem::{Endpoint, EndpointExt, Response, Route, RouteMethod, handler};
use poem_openapi::{OpenApi, Tags};

use crate::app::App;
use crate::problem::ErrorGroup;
use error::ApiError;

/// Every operation of the Developer API. A later room adds its operations here and nowhere else.
pub type Operations = (account::AccountApi, articles::ArticlesApi, rss::RssApi, monitors::MonitorApi);

/// The operations, ready to be mounted or described.
pub fn operations() -> Operations {
    (account::AccountApi, articles::ArticlesApi, rss::operations(), monitors::operations())
}

/// The groups of operations.
#[derive(Tags)]
pub enum Tag {
    /// Capabilities, limits and keys.
    Account,
    /// Secure extraction of public URLs.
    Articles,
    /// Followed feeds, collections, entries and read state.
    #[oai(rename = "RSS")]
    Rss,
    /// Scheduled web-change monitors, surfaced as feeds.
    Monitors,
}

/// All paths under `/v1`. Answers never fail: every error is rendered here.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    let described = Arc::clone(app);
    let mut table: HashMap<String, HashMap<Method, BoxEndpoint<'static>>> = HashMap::new();
    operations().add_routes(&mut table);
    let mut paths: Vec<_> = table.into_iter().collect();
    paths.sort_by(|one, other| one.0.cmp(&other.0));
    let articles = article_paths();
    let routes = paths.into_iter().fold(Route::new(), |routes, (path, methods)| {
        let group = if articles.contains(&path) { ErrorGroup::Articles } else { ErrorGroup::Developer };
        routes.at(path, of_path(methods, group))
    });
    let routes = routes
        .at("/v1/openapi.json", poem::get(poem::endpoint::make_sync(move |_| document::answer(&described))))
        .at("/v1", not_found)
        .at("/v1/*rest", not_found)
        .before(crate::http::query::with_query)
        .data(Arc::clone(app));
    let app = Arc::clone(app);
    routes
        .around(move |inner, request| {
            let app = Arc::clone(&app);
            async move { Ok(surface::handle(&app, &inner, request).await) }
        })
        .boxed()
}

/// The paths of the operations that answer a malformed request with 400.
fn article_paths() -> HashSet<String> {
    let mut table = HashMap::new();
    articles::ArticlesApi.add_routes(&mut table);
    table.into_keys().collect()
}

/// The methods of one path, and what their errors have in common; for any other method there is a hint.
fn of_path(
    methods: HashMap<Method, BoxEndpoint<'static>>,
    group: ErrorGroup,
) -> impl Endpoint<Output = Response> {
    let mut names: Vec<String> = methods.keys().map(ToString::to_string).collect();
    if methods.contains_key(&Method::GET) {
        names.push("HEAD".into());
    }
    names.sort_unstable();
    let allow = names.join(", ");
    let all =
        methods.into_iter().fold(RouteMethod::new(), |all, (method, endpoint)| all.method(method, endpoint));
    all.around(move |inner, request| {
        let allow = allow.clone();
        async move {
            let answer = inner.call(request).await;
            answer.map_err(|error| {
                if error.is::<MethodNotAllowedError>() {
                    not_allowed(allow).into()
                } else {
                    surface::error_of(&error).in_group(group).into()
                }
            })
        }
    })
}

fn not_allowed(allow: String) -> ApiError {
    let message = format!("This path answers {allow}.");
    ApiError { allow: Some(allow), ..ApiError::new(Code::MethodNotAllowed, message) }
}

#[handler]
fn not_found() -> Result<(), ApiError> {
    Err(ApiError::new(Code::NotFound, "There is no operation at this path."))
}
