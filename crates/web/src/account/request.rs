//! What account pages are given: the request as a page needs it, and who is signed in. Both are extractors,
//! so that a page cannot be written that forgets to ask for a session.

use std::ops::Deref;
use std::sync::Arc;

use identity::accounts::{Session, SessionSecret};
use identity::limits::Network;
use maud::Markup;
use poem::error::ResponseError;
use poem::http::{StatusCode, Uri, header};
use poem::{FromRequest, Request, RequestBody, Response};

use super::browsers::in_words;
use super::cookies::{browser_token, form_secret};
use super::respond::{page, redirect};
use super::way_on::WayOn;
use crate::layout::{Shell, Visitor, Width};
use crate::look::Look;
use http_kit::app::App;
use http_kit::auth;
use http_kit::http::network::client_address;
use http_kit::http::query;

/// What a page answers with; an error of the rules becomes a page of its own.
pub(crate) type Answer = Result<Response, PageError>;

/// An error of the rules on its way to its page.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct PageError(pub kernel::Error);

impl From<kernel::Error> for PageError {
    fn from(error: kernel::Error) -> Self {
        Self(error)
    }
}

impl ResponseError for PageError {
    /// Unused: the room renders the error as a page, which has a status of its own.
    fn status(&self) -> StatusCode {
        StatusCode::INTERNAL_SERVER_ERROR
    }
}

/// A request for a page: the app, the browser's session when it has one, and where the request comes from.
#[derive(Clone)]
pub(crate) struct PageRequest {
    /// The app.
    pub app: Arc<App>,
    /// The session that the browser's cookie opens.
    pub session: Option<Session>,
    /// The secret that forms are bound to before there is a session.
    pub form_secret: Option<SessionSecret>,
    /// What the browser kept when it was signed in the last time.
    pub browser: Option<String>,
    /// The browser in words that its owner knows it by, where it says what it is.
    pub browser_words: Option<String>,
    /// Whether it shows the operator's token.
    pub has_operator_token: bool,
    /// Path and query.
    pub uri: Uri,
    /// Where a page leads that can only say what went wrong.
    pub way_on: WayOn,
    /// The network that the request is counted under.
    pub network: Network,
    /// How the browser wants pages to look.
    pub look: Look,
}

impl PageRequest {
    /// Reads what pages need from a request.
    ///
    /// # Errors
    /// `Unavailable` when the database cannot tell whose session it is.
    pub(crate) async fn read(app: Arc<App>, request: &Request) -> kernel::Result<Self> {
        let session = auth::session(&app.domain, &app.settings.origins.auth, request).await?;
        let network = Network::of(client_address(request, &app.settings.trusted_proxies));
        let (form_secret, browser) = (form_secret(&app, request), browser_token(&app, request));
        let has_operator_token =
            app.settings.admin_token.as_ref().is_some_and(|token| auth::bears(request, token));
        let way_on = WayOn::of(request, session.is_some());
        Ok(Self {
            app,
            session,
            form_secret,
            browser,
            browser_words: request.header(header::USER_AGENT).and_then(in_words),
            has_operator_token,
            uri: request.original_uri().clone(),
            way_on,
            network,
            look: Look::of(request),
        })
    }

    /// A page of the settings, or one on the way to them.
    pub(crate) fn respond(&self, status: StatusCode, title: &str, content: &Markup) -> Response {
        let current = if self.session.is_some() { "/settings/keys" } else { "/sign-in" };
        // A form that was refused says so first where pages are told apart by their titles.
        let title = if status.is_client_error() { format!("Error: {title}") } else { title.to_owned() };
        self.respond_in(Shell { title: &title, current, width: Width::Column }, status, content)
    }

    /// A page in a frame of its own, which says who is signed in.
    pub(crate) fn respond_in(&self, about: Shell<'_>, status: StatusCode, content: &Markup) -> Response {
        page(&self.app, self.visitor(), about, status, content)
    }

    /// Whom the page is for.
    pub(crate) fn visitor(&self) -> Visitor<'_> {
        match &self.session {
            Some(session) => Visitor::SignedIn { email: &session.account.email, look: self.look },
            None => Visitor::SignedOut,
        }
    }

    /// The value of a parameter of the query; empty when it was not sent.
    pub(crate) fn parameter(&self, name: &str) -> String {
        query::value_in(&self.uri, name).unwrap_or_default().into_owned()
    }

    /// What the room has read, before a page asks for it.
    pub(crate) fn of(request: &Request) -> poem::Result<&Self> {
        let unprepared = || PageError(kernel::Error::internal("the room did not prepare the request"));
        Ok(request.data::<Self>().ok_or_else(unprepared)?)
    }
}

impl<'a> FromRequest<'a> for PageRequest {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        Self::of(request).cloned()
    }
}

/// The signed-in user. Whoever is not signed in is led to the sign-in page and back.
pub(crate) struct User(Session);

impl Deref for User {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl<'a> FromRequest<'a> for User {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        let page = PageRequest::of(request)?;
        page.session.clone().map(Self).ok_or_else(|| {
            let target = page.uri.path_and_query().map_or("/settings", |path| path.as_str());
            let next: String = url::form_urlencoded::byte_serialize(target.as_bytes()).collect();
            poem::Error::from_response(redirect(&format!("/sign-in?next={next}")))
        })
    }
}
