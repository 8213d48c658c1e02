//! Instapaper's simple API: apps verify an account and save URLs. They send the e-mail address and the API
//! key in the body or with Basic authentication. A password in the query is refused, because queries are
//! logged.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use identity::keys::feed_apps::AppCredential;
use kernel::bounds::NOTE_CHARS;
use kernel::{Class, Code, Error, Scope};
use library::NewNote;
use library::draft::Save;
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::{Request, RequestBody, Response};
use sha2::{Digest, Sha256};

use super::admission::{admit, basic_credentials};
use super::fault;
use super::parameters::Parameters;
use super::saving::{check_length, save};
use http_kit::app::App;

pub(super) async fn answer(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Response {
    call(app, request, body, path).await.unwrap_or_else(|error| error_response(&error))
}

/// Returns an error response. As in Instapaper, a wrong password has status 403.
fn error_response(error: &Error) -> Response {
    if error.class() == Class::Unauthenticated {
        return fault::text(StatusCode::FORBIDDEN, &error.message);
    }
    fault::response(error)
}

async fn call(
    app: &Arc<App>,
    request: &Request,
    body: &mut RequestBody,
    path: &str,
) -> Result<Response, Error> {
    let query = Parameters::of_query(request)?;
    if query.has("password") {
        let message =
            "Send username and password in the body of a POST request, or with Basic authentication.";
        return Err(fault::malformed(message));
    }
    let parameters = Parameters::of_body(request, body).await?.merged_with(query);
    let basic = basic_credentials(request);
    let in_body = || parameters.get("username").zip(parameters.get("password"));
    let pair = basic.as_ref().map(|(email, key)| (email.as_str(), key.as_str())).or_else(in_body);
    let (email, key) = pair.ok_or_else(missing_credential)?;
    let caller = admit(app, request, AppCredential::Password { email, key }).await?;
    caller.require(Scope::Write)?;
    match path.trim_end_matches('/') {
        "/api/authenticate" => Ok(fault::text(StatusCode::OK, "200")),
        "/api/add" => {
            let text = |name: &str| parameters.get(name).map(str::to_owned);
            let url = text("url").ok_or_else(|| Error::invalid_field("url", "is missing"))?;
            let selection = text("selection");
            check_length("selection", selection.as_deref().unwrap_or_default(), NOTE_CHARS)?;
            let new = Save { url: Some(url), title: text("title"), ..Save::default() };
            let saved = save(app, &caller, new).await?;
            if let Some(text) = selection {
                let note = NewNote {
                    title: None,
                    item_id: Some(saved.item.id),
                    tags: Vec::new(),
                    external_id: Some(note_id(&saved.item, &text)),
                    text,
                };
                library::create_note(&app.domain, caller.account_id, note).await?;
            }
            Ok(save_response(&saved.item))
        }
        _ => Err(fault::unknown_path()),
    }
}

/// Returns the external id of the note that contains a selection. If an app sends the same selection again,
/// no second note is created.
fn note_id(item: &library::Item, selection: &str) -> String {
    format!("instapaper:{}:{}", item.id, HEXLOWER.encode(&Sha256::digest(selection.as_bytes())))
}

/// Returns the response to a save. Its headers contain the URL and the title of the item.
fn save_response(item: &library::Item) -> Response {
    let mut response = fault::text(StatusCode::CREATED, "201");
    if let Ok(url) = HeaderValue::from_str(&item.url) {
        response.headers_mut().insert(header::CONTENT_LOCATION, url);
    }
    if let Ok(title) = HeaderValue::from_str(&item.title) {
        response.headers_mut().insert(HeaderName::from_static("x-instapaper-title"), title);
    }
    response
}

fn missing_credential() -> Error {
    Error::new(Code::MissingCredential, "Sign in with your e-mail address and an API key as the password.")
}
