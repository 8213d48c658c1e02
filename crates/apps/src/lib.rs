//! Protocols of feed apps and e-readers: the Google Reader API (`greader`), Fever (`fever`), the Nextcloud
//! News API (`nextcloud`), OPDS (`opds`), wallabag (`wallabag`), Readeck (`readeck`), Instapaper
//! (`instapaper`), the progress synchronization of `KOReader` (`kosync`), and Kobo's store API (`kobo`). All
//! protocols authenticate with an API key, whose scopes limit what the app can do. They implement no feed or
//! library rules of their own: like the Developer API, they call the capabilities.

mod admission;
mod answers;
mod book;
mod bookmark_rules;
mod fault;
mod fever;
mod greader;
mod icons;
mod instapaper;
mod item_list;
mod kobo;
mod kosync;
mod nextcloud;
mod opds;
mod parameters;
mod readeck;
mod saving;
mod subscriptions;
mod time;
mod wallabag;
mod xml;

use std::sync::Arc;

use poem::endpoint::{BoxEndpoint, make};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{EndpointExt, Request, Response};

use http_kit::app::App;
use http_kit::config::AppProtocol;

/// Returns the endpoint for `/accounts`, `/reader`, `/fever`, `/index.php/apps/news/api`, `/opds`, `/kosync`,
/// `/kobo`, `/readeck`, `/oauth/v2`, and the app operations below `/api`.
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

/// Path prefix of the Google Reader API in `FreshRSS`. Apps for `FreshRSS` append it to the address of the
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
        Some(AppProtocol::NextcloudNews) => nextcloud::answer(app, &request, &mut body, &path).await,
        Some(AppProtocol::Opds) => opds::answer(app, &request, &path).await,
        Some(AppProtocol::Wallabag) => wallabag::answer(app, &request, &mut body, &path).await,
        Some(AppProtocol::Readeck) => readeck::answer(app, &request, &mut body, &path).await,
        Some(AppProtocol::Instapaper) => instapaper::answer(app, &request, &mut body, &path).await,
        Some(AppProtocol::KoreaderSync) => kosync::answer(app, &request, &mut body, &path).await,
        Some(AppProtocol::Kobo) => kobo::answer(app, &request, &mut body, &path).await,
        None => fault::text(StatusCode::NOT_FOUND, "Not found"),
    };
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-store"));
    response
}

/// Returns the protocol to which a path belongs.
fn protocol_of(path: &str) -> Option<AppProtocol> {
    let mut segments = path.trim_start_matches('/').split('/');
    match segments.next() {
        Some("accounts" | "reader") => Some(AppProtocol::GoogleReader),
        Some("fever") => Some(AppProtocol::Fever),
        Some("index.php") => Some(AppProtocol::NextcloudNews),
        Some("opds") => Some(AppProtocol::Opds),
        Some("kosync") => Some(AppProtocol::KoreaderSync),
        Some("kobo") => Some(AppProtocol::Kobo),
        Some("readeck") => Some(AppProtocol::Readeck),
        Some("oauth") => Some(AppProtocol::Wallabag),
        Some("api") => match segments.next() {
            Some("add" | "authenticate") => Some(AppProtocol::Instapaper),
            Some(_) | None => Some(AppProtocol::Wallabag),
        },
        Some(_) | None => None,
    }
}
