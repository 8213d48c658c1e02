//! Discovery documents of the authorization server and its protected resources (RFC 8414, RFC 9728).

use kernel::Scope;
use poem::http::header;
use poem::{IntoResponse, Response};
use serde_json::{Value, json};

use http_kit::config::Origins;
use http_kit::protected_resource::ProtectedResource;

/// Path of the authorization server's metadata.
pub(super) const SERVER: &str = "/.well-known/oauth-authorization-server";
/// Supported client authentication methods.
const AUTH_METHODS: [&str; 4] = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"];
/// Supported algorithms of client assertions.
const ALGORITHMS: [&str; 4] = ["RS256", "PS256", "ES256", "EdDSA"];

/// Builds the metadata of the authorization server.
pub(super) fn server(origins: &Origins) -> Value {
    let auth = origins.auth.as_str();
    json!({
        "issuer": auth,
        "authorization_endpoint": format!("{auth}/oauth/authorize"),
        "token_endpoint": format!("{auth}/oauth/token"),
        "registration_endpoint": format!("{auth}/oauth/register"),
        "revocation_endpoint": format!("{auth}/oauth/token/revoke"),
        "scopes_supported": scopes(),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": AUTH_METHODS,
        "token_endpoint_auth_signing_alg_values_supported": ALGORITHMS,
        "revocation_endpoint_auth_methods_supported": AUTH_METHODS,
        "revocation_endpoint_auth_signing_alg_values_supported": ALGORITHMS,
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
        "service_documentation": guide(origins),
        "agent_auth": agent_auth(origins),
    })
}

/// Builds the metadata of a protected resource.
pub(super) fn resource(origins: &Origins, resource: &ProtectedResource) -> Value {
    json!({
        "resource": resource.address(origins.base.as_str()),
        "resource_name": "Carrel",
        "authorization_servers": [origins.auth.as_str()],
        "scopes_supported": scopes(),
        "bearer_methods_supported": ["header"],
        "resource_documentation": format!("{}/docs/developer", origins.base),
        "agent_auth": agent_auth(origins),
    })
}

pub(super) fn answer(document: &Value) -> Response {
    document
        .to_string()
        .with_content_type("application/json")
        .with_header(header::CACHE_CONTROL, "public, max-age=300")
        .into_response()
}

fn scopes() -> [&'static str; 2] {
    [Scope::Read, Scope::Write].map(Scope::as_str)
}

fn guide(origins: &Origins) -> String {
    format!("{}/auth.md", origins.auth)
}

/// Builds the metadata for agents without a credential, which describes how to get a credential.
fn agent_auth(origins: &Origins) -> Value {
    json!({
        "register_uri": format!("{}/oauth/register", origins.auth),
        "identity_types_supported": ["anonymous"],
        "anonymous": { "credential_types_supported": ["oauth2"] },
        "skill": guide(origins),
    })
}
