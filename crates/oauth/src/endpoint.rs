//! Paths, methods, and hosts of the authorization server. Scripts of any origin may read its responses,
//! because no response depends on a cookie.

use std::sync::Arc;

use identity::limits::Network;
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderValue, Method, StatusCode, header};
use poem::{EndpointExt, Request, Response};
use serde_json::json;

use super::fault::{OAuthRefusal, json_answer};
use super::{documents, guide, register, revoke, token};
use http_kit::app::App;
use http_kit::config::Origin;
use http_kit::http::cors::{self, AllowedOrigin};
use http_kit::http::network::client_address;
use http_kit::protected_resource::ProtectedResource;

/// Route of a path.
enum EndpointRoute {
    /// Document or guide that accepts GET.
    Page(Response),
    /// Endpoint that accepts POST.
    Action(EndpointAction),
}

#[derive(Clone, Copy)]
enum EndpointAction {
    Register,
    Token,
    Revoke,
}

/// Returns the endpoint of the authorization server, which does not include the consent page.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    let app = Arc::clone(app);
    poem::endpoint::make(move |request| {
        let app = Arc::clone(&app);
        async move { handle(&app, request).await }
    })
    .map_to_response()
    .boxed()
}

async fn handle(app: &App, request: Request) -> Response {
    let mut response = if let Some(route) = route_of(app, &request) {
        dispatch(app, route, request).await
    } else {
        let body = json!({"error": "not_found", "error_description": "There is nothing at this address."});
        json_answer(StatusCode::NOT_FOUND, &body)
    };
    cors::AGENTS.add(&AllowedOrigin::Anyone, response.headers_mut());
    response
}

async fn dispatch(app: &App, route: EndpointRoute, request: Request) -> Response {
    let (methods, method) = match &route {
        EndpointRoute::Page(_) => ("GET, HEAD, OPTIONS", Method::GET),
        EndpointRoute::Action(_) => ("POST, OPTIONS", Method::POST),
    };
    if request.method() == Method::OPTIONS {
        return with_allow(cors::AGENTS.preflight(&AllowedOrigin::Anyone, methods), methods);
    }
    if request.method() != method {
        let body = json!({"error": "invalid_request", "error_description": format!("This address accepts {methods}.")});
        return with_allow(json_answer(StatusCode::METHOD_NOT_ALLOWED, &body), methods);
    }
    match route {
        EndpointRoute::Page(page) => page,
        EndpointRoute::Action(action) => act(app, action, request).await,
    }
}

/// Finds the route of a request from its path and the host to which it was sent.
fn route_of(app: &App, request: &Request) -> Option<EndpointRoute> {
    let origins = &app.settings.origins;
    let is_at = |origin: &Origin| {
        let one_host = origins.base == origins.reader && origins.auth == origins.reader;
        let host = request.header(header::HOST);
        one_host || host.is_some_and(|host| host.eq_ignore_ascii_case(origin.authority()))
    };
    let path = request.uri().path();
    let (on_auth, on_base) = (is_at(&origins.auth), is_at(&origins.base));
    match path {
        "/oauth/register" if on_auth => Some(EndpointRoute::Action(EndpointAction::Register)),
        "/oauth/token" if on_auth => Some(EndpointRoute::Action(EndpointAction::Token)),
        "/oauth/token/revoke" if on_auth => Some(EndpointRoute::Action(EndpointAction::Revoke)),
        "/auth.md" if on_auth => Some(EndpointRoute::Page(guide::answer(origins))),
        documents::SERVER if on_auth || on_base => {
            Some(EndpointRoute::Page(documents::answer(&documents::server(origins))))
        }
        _ if on_base => {
            let resource = ProtectedResource::of_metadata_path(path)?;
            Some(EndpointRoute::Page(documents::answer(&documents::resource(origins, &resource))))
        }
        _ => None,
    }
}

async fn act(app: &App, action: EndpointAction, request: Request) -> Response {
    let network = Network::of(client_address(&request, &app.settings.trusted_proxies));
    let (request, mut body) = request.split();
    let answer = match action {
        EndpointAction::Register => register::answer(app, &request, &mut body, &network).await,
        EndpointAction::Token => token::answer(app, &request, &mut body, &network).await,
        EndpointAction::Revoke => revoke::answer(app, &request, &mut body).await,
    };
    match (answer, action) {
        (Ok(response), _) => response,
        (Err(refusal), EndpointAction::Token | EndpointAction::Revoke) if refusal.is_client_fault() => {
            let limited = identity::oauth::charge_failure(&app.domain, &network).await;
            limited.map_or_else(|error| OAuthRefusal::from(error).render(), |()| refusal.render())
        }
        (Err(refusal), EndpointAction::Register | EndpointAction::Token | EndpointAction::Revoke) => {
            refusal.render()
        }
    }
}

fn with_allow(mut response: Response, methods: &'static str) -> Response {
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods));
    response
}
