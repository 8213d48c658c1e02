//! The public reader: any public URL in, clean text out, without a credential. All of it stands on the
//! domain's articles and reader rules; this room parses requests and builds responses.

mod answer;
mod batch;
mod body;
mod cache;
mod described;
pub mod document;
mod idempotent;
mod jobs;
mod limits;
pub mod negotiate;
mod parameters;
mod params;
mod prefix;
mod read;
pub mod render;
mod sandbox;
mod schema;
mod surface;
mod verify;

use domain::Code;
use std::collections::HashMap;
use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderValue, Method, StatusCode, header};
use poem::{Body, EndpointExt, Response, Route, RouteMethod, handler};
use poem_openapi::{OpenApi, Tags};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::http::query::with_query;
use crate::problem::Problem;

use cache::ResponseCache;
pub use params::ReadParams;
use render::Reading;

/// Large texts that are rendered at once.
const RENDER_PERMITS: usize = 8;

/// The operations, in the order of the API description.
type Operations = (
    read::ReadApi,
    batch::BatchApi,
    jobs::JobsApi,
    verify::VerifyApi,
    prefix::PrefixApi,
    sandbox::SandboxApi,
);

const OPERATIONS: Operations = (
    read::ReadApi,
    batch::BatchApi,
    jobs::JobsApi,
    verify::VerifyApi,
    prefix::PrefixApi,
    sandbox::SandboxApi,
);

#[derive(Tags)]
enum Tag {
    /// Reading public URLs.
    Reader,
}

/// The pages that browsers are shown. The reader is given them, and knows nothing of pages itself.
#[derive(Clone, Copy)]
pub struct Pages {
    /// The reading page of a text.
    pub reading: fn(&Reading<'_>, &ReadParams) -> String,
    /// The page of a problem.
    pub problem: fn(&App, &Failure<'_>) -> Response,
    /// The content security policy of both.
    pub policy: &'static str,
}

/// A read that failed, for its page.
#[derive(Debug, Clone, Copy)]
pub struct Failure<'a> {
    /// What went wrong.
    pub problem: &'a Problem,
    /// The URL that was to be read, when it is known.
    pub url: Option<&'a str>,
    /// The id of the request.
    pub request_id: &'a str,
}

/// What the operations stand on. They get it from the extractor that charges them.
struct Reader {
    app: Arc<App>,
    pages: Pages,
    cache: ResponseCache,
    /// Each rendering of a large text takes several times its text in memory.
    render_permits: Arc<Semaphore>,
}

impl Reader {
    /// The reader's own address.
    fn url(&self) -> &str {
        self.app.settings.origins.reader.as_str()
    }
}

/// All paths of the reader's API and, as the fallback, the prefix form. Answers never fail: every error is
/// rendered here.
pub fn endpoint(app: &Arc<App>, pages: Pages) -> BoxEndpoint<'static> {
    let mut table: HashMap<String, HashMap<Method, BoxEndpoint<'static>>> = HashMap::new();
    OPERATIONS.add_routes(&mut table);
    let routes = table.into_iter().fold(Route::new(), |routes, (path, methods)| {
        let methods = methods
            .into_iter()
            .fold(RouteMethod::new(), |all, (method, endpoint)| all.method(method, endpoint));
        routes.at(path, methods)
    });
    let reader = Arc::new(Reader {
        app: Arc::clone(app),
        pages,
        cache: ResponseCache::default(),
        render_permits: Arc::new(Semaphore::new(RENDER_PERMITS)),
    });
    routes
        .at("/api/*rest", not_found)
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

/// A JSON response.
fn json_response(status: StatusCode, body: &Value) -> Response {
    let mut response = Response::builder().status(status).body(Body::from_string(body.to_string()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
