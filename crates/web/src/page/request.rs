//! Extractors of pages: the page request and the signed-in user. A page that needs a session cannot forget to
//! check it, because the session is an extractor.

use std::ops::Deref;
use std::sync::Arc;

use identity::accounts::{Session, SessionSecret};
use identity::limits::Network;
use maud::Markup;
use poem::error::ResponseError;
use poem::http::{Method, StatusCode, Uri, header};
use poem::{FromRequest, Request, RequestBody, Response};

use super::browsers::describe;
use super::cookies::{browser_token, form_secret, offline_cookie, remove_offline_texts};
use super::response::{page, redirect};
use super::return_link::ReturnLink;
use crate::appearance::{Appearance, AppearanceScope};
use crate::language::text::Text;
use crate::layout::{Shell, Visitor, Width};
use crate::offline_state::OfflineState;
use http_kit::app::App;
use http_kit::auth;
use http_kit::http::network::client_address;
use http_kit::http::query;

/// Query parameter that makes `/sign-in` display its page even if a provider or a proxy could sign the person in
/// immediately.
pub(crate) const SIGNED_OUT: &str = "signed-out";
/// Query parameter that makes `/sign-in` say that a form was not saved, because its session had ended.
pub(crate) const UNSAVED: &str = "unsaved";

/// Returns the title of a page. The title of a rejected form begins with "Error", so that screen readers
/// announce the error first.
pub(crate) fn title_with_status(status: StatusCode, title: &str) -> String {
    if status.is_client_error() { Text("error-title").with("title", title).get() } else { title.to_owned() }
}

/// Response of a page. A domain error becomes an error page.
pub(crate) type PageResult = Result<Response, PageError>;

/// Domain error that is rendered as an error page.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct PageError(pub kernel::Error);

impl From<kernel::Error> for PageError {
    fn from(error: kernel::Error) -> Self {
        Self(error)
    }
}

impl ResponseError for PageError {
    /// Not used: the error page sets its own status.
    fn status(&self) -> StatusCode {
        StatusCode::INTERNAL_SERVER_ERROR
    }
}

/// Page request: the app, the browser's session if it has one, and the network that the request comes from.
#[derive(Clone)]
pub(crate) struct PageRequest {
    pub app: Arc<App>,
    /// Session of the browser's cookie.
    pub session: Option<Session>,
    /// Secret that forms without a session are bound to.
    pub form_secret: Option<SessionSecret>,
    /// Token that the browser received at its last sign-in.
    pub browser: Option<String>,
    /// Cookie with the key of the account whose texts the browser stores, and its choice.
    pub offline_cookie: Option<String>,
    /// Browser name derived from the user agent. `None` if it is unknown.
    pub browser_words: Option<String>,
    /// True if the request contains the operator's token.
    pub has_operator_token: bool,
    /// Path and query of the page.
    pub uri: Uri,
    /// Links of the error page.
    pub return_link: ReturnLink,
    /// Network whose limits apply to the request.
    pub network: Network,
    /// Appearance of the account or of the browser.
    pub appearance: Appearance,
    /// Scope of the appearance, by the browser's cookie.
    pub appearance_scope: AppearanceScope,
}

impl PageRequest {
    /// Reads everything that pages need from a request.
    ///
    /// # Errors
    /// `unavailable` if the database cannot resolve the session.
    pub(crate) async fn read(app: Arc<App>, request: &Request) -> kernel::Result<Self> {
        let session = auth::session(&app, request).await?;
        let network = Network::of(client_address(request, &app.settings.trusted_proxies));
        let (form_secret, browser) = (form_secret(&app, request), browser_token(&app, request));
        let offline_cookie = offline_cookie(&app, request);
        let has_operator_token =
            app.settings.admin_token.as_ref().is_some_and(|token| auth::bears(request, token));
        let return_link = ReturnLink::of(request, session.is_some());
        let stored = session.as_ref().and_then(|session| session.account.appearance.as_deref());
        let appearance = Appearance::of_person(request, stored);
        Ok(Self {
            app,
            session,
            form_secret,
            browser,
            offline_cookie,
            browser_words: request.header(header::USER_AGENT).and_then(describe),
            has_operator_token,
            uri: request.original_uri().clone(),
            return_link,
            network,
            appearance,
            appearance_scope: AppearanceScope::of(request),
        })
    }

    /// Responds with a settings page, or with a page before sign-in.
    pub(crate) fn respond(&self, status: StatusCode, title: &str, content: &Markup) -> Response {
        let current = if self.session.is_some() { "/settings/keys" } else { "/sign-in" };
        let title = title_with_status(status, title);
        self.respond_in(Shell { title: &title, current, width: Width::Column }, status, content)
    }

    /// Responds with a page in the given shell. If the browser stores texts of another account, they are
    /// deleted before the first page of this account.
    pub(crate) fn respond_in(&self, shell: Shell<'_>, status: StatusCode, content: &Markup) -> Response {
        let response = page(&self.app, self.visitor(), shell, status, content);
        let has_other_texts = self.session.is_some() && self.offline_state() == OfflineState::OtherAccount;
        if has_other_texts { remove_offline_texts(&self.app, response) } else { response }
    }

    /// Returns whether the browser stores texts for offline reading, and of which account.
    pub(crate) fn offline_state(&self) -> OfflineState {
        let account_id = self.session.as_ref().map(|session| session.account.id);
        OfflineState::of(self.offline_cookie.as_deref(), account_id)
    }

    /// Returns the visitor for whom the page is rendered.
    pub(crate) fn visitor(&self) -> Visitor<'_> {
        match &self.session {
            Some(session) => Visitor::SignedIn {
                email: &session.account.email,
                appearance: self.appearance,
                offline: self.offline_state(),
            },
            None => Visitor::SignedOut,
        }
    }

    /// Returns the value of a query parameter. Empty if it was not sent.
    pub(crate) fn parameter(&self, name: &str) -> String {
        query::value_in(&self.uri, name).unwrap_or_default().into_owned()
    }

    /// Returns true if the query has a parameter of this name.
    pub(crate) fn has_parameter(&self, name: &str) -> bool {
        query::value_in(&self.uri, name).is_some()
    }

    /// Returns the page request that the endpoint prepared before calling the page.
    pub(crate) fn of(request: &Request) -> poem::Result<&Self> {
        let unprepared = || PageError(kernel::Error::internal("the page request was not prepared"));
        Ok(request.data::<Self>().ok_or_else(unprepared)?)
    }
}

impl<'a> FromRequest<'a> for PageRequest {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        Self::of(request).cloned()
    }
}

/// Signed-in user. Visitors without a session are redirected to the sign-in page, which returns them to this
/// page or to the page of the submitted form.
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
            let address = match *request.method() {
                Method::GET | Method::HEAD => sign_in_address(page),
                _ => sign_in_address_of_form(page),
            };
            poem::Error::from_response(redirect(&address))
        })
    }
}

/// Returns the address of the sign-in page that continues to the requested page.
fn sign_in_address(page: &PageRequest) -> String {
    let requested = page.uri.path_and_query().map_or("/settings", |path| path.as_str());
    format!("/sign-in?next={}", encoded(requested))
}

/// Returns the address of the sign-in page that continues to the page with the submitted form, because many addresses
/// of forms have no page. Browsers do not follow redirects of a form to the provider, so the sign-in page is displayed.
fn sign_in_address_of_form(page: &PageRequest) -> String {
    let ReturnLink { back, has_previous_page, .. } = &page.return_link;
    let next = if *has_previous_page { format!("next={}&", encoded(back)) } else { String::new() };
    format!("/sign-in?{next}{UNSAVED}&{SIGNED_OUT}")
}

fn encoded(path: &str) -> String {
    url::form_urlencoded::byte_serialize(path.as_bytes()).collect()
}
