//! Forms: reading them, the token that each carries, and what is wrong with which field.

use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use identity::accounts::SessionSecret;
use kernel::Code;
use kernel::{Class, Error};
use maud::{Markup, html};
use poem::{FromRequest, Request, RequestBody, Response};

use super::cookies;
use super::request::{PageError, PageRequest};
use http_kit::app::App;
use http_kit::auth;
use http_kit::http::body::MOST_FIELDS;
use http_kit::http::request::camel_case;

/// The largest form: the request of an app may stand in it, with each of its bytes escaped.
const MAX_BYTES: usize = 32 * 1024;
/// The largest form of a person: the longest note, with each of its characters escaped.
const MAX_PERSON_BYTES: usize = 1024 * 1024;
/// How long a form may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// What a form sent. Extracting it makes sure that one of our own pages sent it.
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// The value of a field; empty when it was not sent.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// All values of a field.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

impl<'a> FromRequest<'a> for Form {
    async fn from_request(request: &'a Request, body: &mut RequestBody) -> poem::Result<Self> {
        Ok(receive(PageRequest::of(request)?, request, body).await.map_err(PageError)?)
    }
}

async fn receive(page: &PageRequest, request: &Request, body: &mut RequestBody) -> Result<Form, Error> {
    let most = if page.session.is_some() { MAX_PERSON_BYTES } else { MAX_BYTES };
    let bytes = match body.take() {
        Ok(body) => {
            let read = tokio::time::timeout(BODY_TIMEOUT, body.into_bytes_limit(most)).await;
            read.map_err(|_| unreadable())?.map_err(|_| unreadable())?
        }
        Err(_) => return Err(unreadable()),
    };
    let form = Form(fields(&bytes)?);
    require_ours(page, request, form.get("token"))?;
    Ok(form)
}

/// The fields of a form, all of them: what is cut off would look as if it had not been chosen.
///
/// # Errors
/// `payload_too_large` beyond so many.
fn fields(bytes: &[u8]) -> Result<Vec<(String, String)>, Error> {
    let pairs = url::form_urlencoded::parse(bytes).take(MOST_FIELDS + 1);
    let fields: Vec<_> = pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    if fields.len() > MOST_FIELDS {
        let message = format!("The form has more than {MOST_FIELDS} fields. Choose fewer at a time.");
        return Err(Error::new(Code::PayloadTooLarge, message));
    }
    Ok(fields)
}

/// Refuses what none of our own pages sent to this browser.
///
/// # Errors
/// `form_expired`.
pub(crate) fn require_ours(page: &PageRequest, request: &Request, token: &str) -> Result<(), Error> {
    let is_ours = match (&page.session, &page.form_secret) {
        // No page of others can have a browser send it.
        _ if page.has_operator_token => true,
        (Some(session), _) => session.secret.is_form_token(token),
        (None, Some(secret)) => secret.is_form_token(token),
        (None, None) => false,
    };
    if auth::comes_from_elsewhere(request, &page.app.settings.origins.auth) || !is_ours {
        return Err(Error::new(
            Code::FormExpired,
            "This form was open for too long, or was sent from somewhere else. Open the page again and repeat what you did.",
        ));
    }
    Ok(())
}

fn unreadable() -> Error {
    Error::new(Code::InvalidRequest, "The form could not be read.")
}

/// The hidden field with the token of this browser, and the secret to be set as a cookie when the browser
/// has none yet.
pub(crate) struct FormToken {
    value: String,
    fresh: Option<SessionSecret>,
}

impl FormToken {
    /// The token for the forms of a page.
    pub(crate) fn of(request: &PageRequest) -> Self {
        if let Some(session) = &request.session {
            return Self { value: session.secret.form_token(), fresh: None };
        }
        if let Some(secret) = &request.form_secret {
            return Self { value: secret.form_token(), fresh: None };
        }
        let random = BASE64URL_NOPAD.encode(&request.app.domain.random::<32>());
        let fresh = SessionSecret::parse(&random);
        Self { value: fresh.as_ref().map(SessionSecret::form_token).unwrap_or_default(), fresh }
    }

    /// The hidden field.
    pub(crate) fn field(&self) -> Markup {
        html! { input type="hidden" name="token" value=(self.value); }
    }

    /// Sets the cookie that the token is bound to, when it is new.
    pub(crate) fn keep(&self, app: &App, response: Response) -> Response {
        match &self.fresh {
            Some(secret) => cookies::keep_form_secret(app, response, secret),
            None => response,
        }
    }
}

/// What is wrong, and with which fields; nothing on the first showing.
#[derive(Default)]
pub(crate) struct FormError {
    faults: Vec<FieldFault>,
}

/// A field and what is wrong with it; without a name it is the form as a whole.
struct FieldFault {
    field: String,
    message: String,
}

impl FormError {
    /// What is wrong with the field of this name.
    pub(crate) fn at_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::default().and(field, message)
    }

    /// The same, and what is wrong with another field.
    #[must_use]
    pub(crate) fn and(mut self, field: impl Into<String>, message: impl Into<String>) -> Self {
        self.faults.push(FieldFault { field: field.into(), message: message.into() });
        self
    }

    /// What an error of the rules says of a field; an error that is none of the form's goes on up.
    pub(crate) fn of(error: Error) -> Result<Self, Error> {
        match error.class() {
            Class::Invalid | Class::Unauthenticated | Class::Conflict | Class::Limited | Class::Forbidden => {
                let field = error.field().and_then(|field| field.path.root());
                Ok(Self::at_field(field.map(camel_case).unwrap_or_default(), error.message))
            }
            Class::NotFound
            | Class::Gone
            | Class::Unreadable
            | Class::Upstream
            | Class::Unavailable
            | Class::Internal => Err(error),
        }
    }

    /// An error with a field of this name elsewhere called `to`.
    pub(crate) fn renamed(mut self, from: &str, to: &str) -> Self {
        for fault in self.faults.iter_mut().filter(|fault| fault.field == from) {
            to.clone_into(&mut fault.field);
        }
        self
    }

    /// What is wrong, above the form, with a way to each field. It has the focus when the page opens.
    pub(crate) fn summary(&self) -> Markup {
        html! {
            @if self.is_some() {
                div.notice.bad role="alert" tabindex="-1" autofocus aria-labelledby="errors" {
                    h2 #errors {
                        @match self.faults.len() { 1 => "There is a problem", count => { "There are " (count) " problems" } }
                    }
                    ul {
                        @for fault in &self.faults {
                            li { @if fault.field.is_empty() { (fault.message) } @else { a href={ "#" (fault.field) } { (fault.message) } } }
                        }
                    }
                }
            }
        }
    }

    /// Whether there is anything wrong.
    pub(crate) fn is_some(&self) -> bool {
        !self.faults.is_empty()
    }

    /// What is wrong with a group of choices.
    pub(crate) fn on_group(&self, name: &str) -> Markup {
        html! { @if let Some(message) = self.at(name) { p.error id={ (name) "-error" } { (message) } } }
    }

    /// The sentence under a field, when there is one.
    pub(crate) fn at(&self, name: &str) -> Option<&str> {
        self.faults.iter().find(|fault| fault.field == name).map(|fault| fault.message.as_str())
    }
}

/// A labelled field with its rule before it and its error after it.
pub(crate) struct Field<'a> {
    /// Its name in the form.
    pub(crate) name: &'a str,
    /// What it is called.
    pub(crate) label: &'a str,
    /// What to know before filling it in; may be empty.
    pub(crate) rule: &'a str,
    /// `text`, `email`, `password`, `number`.
    pub(crate) kind: &'a str,
    /// What was typed before.
    pub(crate) value: &'a str,
    /// What browsers may fill in.
    pub(crate) autocomplete: &'a str,
    /// Whether it may be left empty.
    pub(crate) required: bool,
}

impl Field<'_> {
    /// The field, with what is wrong with it.
    pub(crate) fn show(&self, form_error: &FormError) -> Markup {
        let wrong = form_error.at(self.name);
        let (rule_id, error_id) = (format!("{}-rule", self.name), format!("{}-error", self.name));
        let mut described = Vec::new();
        if !self.rule.is_empty() {
            described.push(rule_id.as_str());
        }
        if wrong.is_some() {
            described.push(error_id.as_str());
        }
        let described = described.join(" ");
        html! {
            div {
                label for=(self.name) { (self.label) }
                @if !self.rule.is_empty() { p.rule id=(rule_id) { (self.rule) } }
                input id=(self.name) name=(self.name) type=(self.kind) value=(self.value)
                    autocomplete=(self.autocomplete) required[self.required]
                    aria-invalid=[wrong.map(|_| "true")]
                    aria-describedby=[(!described.is_empty()).then_some(&described)]
                    autocapitalize=[(self.kind == "email").then_some("off")] spellcheck="false";
                @if let Some(message) = wrong { p.error id=(error_id) { (message) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_with_too_many_fields_is_refused_with_a_sentence() {
        let of = |count: usize| fields("item=1&".repeat(count).as_bytes());
        assert_eq!(of(MOST_FIELDS).unwrap().len(), 1000, "none is cut off");
        let refused = of(MOST_FIELDS + 1).unwrap_err();
        assert_eq!(refused.code, Code::PayloadTooLarge);
        assert_eq!(refused.message, "The form has more than 1000 fields. Choose fewer at a time.");
    }
}
