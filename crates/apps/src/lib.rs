//! Protocols of feed apps and e-readers: the Google Reader API (`greader`), Fever (`fever`), and OPDS
//! (`opds`). All three accept an API key, whose scopes limit what the app can do. They have no feed or
//! library rules of their own: like the Developer API, they call the domain.

mod admission;
mod answers;
mod fault;
mod fever;
mod greader;
mod icons;
mod opds;
mod parameters;
mod subscriptions;
mod time;
mod xml;

use std::sync::Arc;

use poem::endpoint::{BoxEndpoint, make};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{EndpointExt, Request, Response};

use http_kit::app::App;
use http_kit::config::AppProtocol;

/// Endpoint of `/accounts`, `/reader`, `/api/greader.php`, `/fever`, and `/opds`.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    let state = Arc::clone(app);
    make(move |request: Request| {
        let app = Arc::clone(&state);
        async move { Ok::<_, poem::Error>(answer(&app, request).await) }
    })
    .data(app.body_memory.clone())
    .map_to_response()
    .boxed()
}

/// Path prefix of the Google Reader API in `FreshRSS`. Apps for it append the prefix to the address of the
/// server.
const FRESHRSS: &str = "/api/greader.php";

async fn answer(app: &Arc<App>, request: Request) -> Response {
    let (request, mut body) = request.split();
    let requested = request.uri().path();
    let in_freshrss = requested.strip_prefix(FRESHRSS);
    let path = in_freshrss.unwrap_or(requested).to_owned();
    let protocol = protocol_of(&path).filter(|protocol| {
        app.settings.apps.has(*protocol) && (in_freshrss.is_none() || *protocol == AppProtocol::GoogleReader)
    });
    let mut response = match protocol {
        Some(AppProtocol::GoogleReader) => greader::answer(app, &request, &mut body, &path).await,
        Some(AppProtocol::Fever) => fever::answer(app, &request, &mut body).await,
        Some(AppProtocol::Opds) => opds::answer(app, &request, &path).await,
        None => fault::text(StatusCode::NOT_FOUND, "Not found"),
    };
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-store"));
    response
}

/// Protocol that a path belongs to.
fn protocol_of(path: &str) -> Option<AppProtocol> {
    match path.trim_start_matches('/').split('/').next() {
        Some("accounts" | "reader") => Some(AppProtocol::GoogleReader),
        Some("fever") => Some(AppProtocol::Fever),
        Some("opds") => Some(AppProtocol::Opds),
        Some(_) | None => None,
    }
}
