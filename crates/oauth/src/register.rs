//! `POST /oauth/register`: dynamic client registration (RFC 7591). Nothing is stored.

use identity::limits::Network;
use identity::oauth::{Clients, NewClient, OAuthCode, OAuthError, RegisteredClient, charge_registration};
use poem::http::StatusCode;
use poem::{Request, RequestBody, Response};
use serde_json::{Map, Value, json};

use super::fault::{OAuthRefusal, json_answer};
use super::form::MAX_BYTES;
use http_kit::app::App;
use http_kit::http::body::{JSON, bytes_of, essence};

/// Client metadata that is returned unchanged, and not stored, fetched, or displayed.
const ECHOED: [&str; 8] = [
    "client_uri", "logo_uri", "tos_uri", "policy_uri", "scope", "software_id", "software_version",
    "application_type",
];

pub(super) async fn answer(
    app: &App,
    request: &Request,
    body: &mut RequestBody,
    network: &Network,
) -> Result<Response, OAuthRefusal> {
    charge_registration(&app.domain, network).await?;
    if essence(request.content_type().unwrap_or_default()) != JSON {
        return Err(wrong("Send JSON: application/json."));
    }
    let (bytes, _memory_permit) = bytes_of(request, body, MAX_BYTES)
        .await
        .map_err(|_| wrong("The body is missing, incomplete, or larger than 16384 bytes."))?;
    let Ok(Value::Object(sent)) = serde_json::from_slice(&bytes) else {
        return Err(wrong("The body is not a JSON object."));
    };
    let origins = &app.settings.origins;
    let service_origins = [origins.base.as_str(), origins.reader.as_str(), origins.auth.as_str()];
    let new = read(&sent)?;
    let registered = Clients::of(&app.domain).await?.register(&new, &service_origins)?;
    Ok(json_answer(StatusCode::CREATED, &registration_json(app, &sent, &new, &registered)))
}

fn read(sent: &Map<String, Value>) -> Result<NewClient, OAuthRefusal> {
    let redirect_uris = match sent.get("redirect_uris") {
        None | Some(Value::Null) => Vec::new(),
        Some(uris) => texts(uris).ok_or_else(|| {
            OAuthError::new(OAuthCode::InvalidRedirectUri, "redirect_uris must be a list of strings.")
        })?,
    };
    let text = |name: &str, fault| match sent.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(fault)),
    };
    let list = |name: &str, fault| match sent.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(list) => texts(list).map(Some).ok_or_else(|| wrong(fault)),
    };
    Ok(NewClient {
        name: text("client_name", "client_name must be a string.")?,
        redirect_uris,
        auth_method: text("token_endpoint_auth_method", "token_endpoint_auth_method must be a string.")?,
        grant_types: list("grant_types", "grant_types must be a list of strings.")?,
        response_types: list("response_types", "response_types must be a list of strings.")?,
    })
}

fn registration_json(
    app: &App,
    sent: &Map<String, Value>,
    new: &NewClient,
    registered: &RegisteredClient,
) -> Value {
    let mut body = json!({
        "client_id": registered.client.id,
        "client_id_issued_at": app.domain.now() / 1000,
        "client_name": registered.client.name,
        "redirect_uris": new.redirect_uris,
        "grant_types": registered.grant_types,
        "response_types": ["code"],
        "token_endpoint_auth_method": registered.auth_method,
    });
    if let Some(secret) = &registered.secret {
        body["client_secret"] = secret.as_str().into();
        body["client_secret_expires_at"] = 0.into();
    }
    for name in ECHOED {
        if let Some(text @ Value::String(_)) = sent.get(name) {
            body[name] = text.clone();
        }
    }
    if let Some(contacts) = sent.get("contacts").and_then(texts) {
        body["contacts"] = contacts.into();
    }
    body
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn wrong(description: &'static str) -> OAuthRefusal {
    OAuthError::new(OAuthCode::InvalidClientMetadata, description).into()
}
