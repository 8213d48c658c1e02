//! OPDS 1.2 and, below `/opds/2`, OPDS 2.0. E-readers browse and search the library as a catalogue and
//! download its books, and play the recordings of followed feeds. They use Basic authentication with e-mail
//! address and API key.

mod atom;
mod call;
mod catalogue;
mod lists;
mod podcasts;
mod publications;

use std::sync::Arc;

use identity::keys::feed_apps::AppCredential;
use kernel::{Code, Error, ItemId, Scope};
use percent_encoding::percent_decode_str;
use poem::http::{Method, StatusCode, header};
use poem::{IntoResponse, Request, Response};

use self::call::{OpdsCall, unknown_path};
use self::catalogue::{CatalogueFormat, ROOT};
use super::admission::{admit, basic_credentials};
use super::book::epub_of;
use super::fault;
use super::parameters::Parameters;
use http_kit::app::App;
use http_kit::http::conditional;

pub(super) async fn answer(app: &Arc<App>, request: &Request, path: &str) -> Response {
    let path = path.strip_prefix(ROOT).unwrap_or(path).trim_matches('/');
    let (format, path) = match path.strip_prefix('2') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            (CatalogueFormat::Json, rest.trim_start_matches('/'))
        }
        Some(_) | None => (CatalogueFormat::Atom, path),
    };
    if format == CatalogueFormat::Json && path == "authentication" {
        return publications::authentication(app.settings.origins.base.as_str());
    }
    call(app, request, format, path).await.unwrap_or_else(|error| error_response(app, format, &error))
}

/// Returns an error response. If authentication failed, the response in OPDS 2.0 is the authentication
/// document.
fn error_response(app: &App, format: CatalogueFormat, error: &Error) -> Response {
    let mut response = fault::response(error);
    if response.status() == StatusCode::UNAUTHORIZED && format == CatalogueFormat::Json {
        response = publications::authentication(app.settings.origins.base.as_str());
        response.set_status(StatusCode::UNAUTHORIZED);
    }
    fault::with_challenge(response, "Basic realm=\"Carrel\", charset=\"UTF-8\"")
}

async fn call(
    app: &Arc<App>,
    request: &Request,
    format: CatalogueFormat,
    path: &str,
) -> Result<Response, Error> {
    let (email, key) = basic_credentials(request).ok_or_else(missing_credential)?;
    let caller = admit(app, request, AppCredential::Password { email: &email, key: &key }).await?;
    caller.require(Scope::Read)?;
    if request.method() != Method::GET {
        return Ok(StatusCode::METHOD_NOT_ALLOWED.with_header(header::ALLOW, "GET, HEAD").into_response());
    }
    let _permit = app.limit_long_answers(caller.account_id).await;
    let (parameters, if_none_match) = (Parameters::of_query(request)?, conditional::if_none_match(request));
    OpdsCall { app, caller, format, parameters, if_none_match }.answer(path).await
}

impl OpdsCall<'_> {
    async fn answer(&self, path: &str) -> Result<Response, Error> {
        if let Some(name) = path.strip_prefix("items/").and_then(|name| name.strip_suffix(".epub")) {
            let id: ItemId = name.parse().map_err(|_| unknown_path())?;
            let if_none_match = self.if_none_match.as_deref();
            return epub_of(self.app, self.caller.account_id, id, if_none_match).await;
        }
        if let Some(tag) = path.strip_prefix("tags/") {
            let tag = percent_decode_str(tag).decode_utf8().map_err(|_| unknown_path())?;
            return self.tagged(&tag).await;
        }
        match path {
            "" => self.root().await,
            "search.xml" if self.format == CatalogueFormat::Atom => {
                Ok(atom::search_description(self.app.settings.origins.base.as_str()))
            }
            "search" => self.search().await,
            "tags" => self.tags().await,
            "podcasts" => self.podcasts().await,
            name => match lists::LibrarySection::parse(name) {
                Some(section) => self.section(section).await,
                None => Err(unknown_path()),
            },
        }
    }
}

fn missing_credential() -> Error {
    Error::new(Code::MissingCredential, "Sign in with your e-mail address and an API key as the password.")
}
