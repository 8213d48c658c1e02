//! Forms: parsing, the token in each form, fields, and field errors.

use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use identity::accounts::SessionSecret;
use kernel::{Class, Code, Error};
use maud::{Markup, html};
use poem::{FromRequest, Request, RequestBody, Response};

use super::cookies;
use super::error_text::{ErrorSentences, wait};
use super::request::{PageError, PageRequest};
use crate::language::text::Text;
use http_kit::app::App;
use http_kit::auth;
use http_kit::http::body::MAX_FORM_FIELDS;
use http_kit::http::query;
use http_kit::http::request::camel_case;

/// Maximum form size in bytes without a session. The longest authorization request of an app fits, even if
/// each byte is escaped.
const MAX_BYTES: usize = 32 * 1024;
/// Maximum form size in bytes with a session. The longest note fits, even if each character is escaped.
const MAX_PERSON_BYTES: usize = 1024 * 1024;
/// Maximum time for receiving a form.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Values of a submitted form. The extractor verifies that a page of this service submitted it.
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Returns the first value of a field. Empty if the field was not sent.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// Returns all values of a field.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
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

/// Parses the fields of a form. Line breaks are LF; browsers send CR LF. Too many fields are an error: if they were
/// cut off, the missing fields would count as unselected.
///
/// # Errors
/// `payload_too_large` if the form has too many fields; `invalid_request` if a field is not UTF-8.
fn fields(bytes: &[u8]) -> Result<Vec<(String, String)>, Error> {
    let mut fields = query::decoded_pairs(bytes, MAX_FORM_FIELDS + 1).map_err(|_| unreadable())?;
    if fields.len() > MAX_FORM_FIELDS {
        let message = format!("The form has more than {MAX_FORM_FIELDS} fields. Choose fewer at a time.");
        return Err(Error::new(Code::PayloadTooLarge, message));
    }
    for (_, value) in &mut fields {
        *value = value.replace("\r\n", "\n");
    }
    Ok(fields)
}

/// Rejects a request unless a page of this service submitted it from this browser.
///
/// # Errors
/// `form_expired` if the token is missing or wrong, or if another site submitted the form.
pub(crate) fn require_ours(page: &PageRequest, request: &Request, token: &str) -> Result<(), Error> {
    let is_ours = match (&page.session, &page.form_secret) {
        // Browsers never send an operator token on their own, so no other site can forge this request.
        _ if page.has_operator_token => true,
        (Some(session), _) => session.secret.is_form_token(token),
        (None, Some(secret)) => secret.is_form_token(token),
        (None, None) => false,
    };
    if auth::comes_from_elsewhere(request, &page.app.settings.origins.auth) || !is_ours {
        return Err(Error::new(
            Code::FormExpired,
            "This form has expired, or it was sent from another site. Open the page again and repeat the action.",
        ));
    }
    Ok(())
}

fn unreadable() -> Error {
    Error::new(Code::InvalidRequest, "The form could not be read.")
}

/// Form token of this browser, and the secret for the form cookie if the browser has none.
pub(crate) struct FormToken {
    value: String,
    fresh: Option<SessionSecret>,
}

impl FormToken {
    /// Returns the token for the forms of a page.
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

    /// Renders the hidden field.
    pub(crate) fn field(&self) -> Markup {
        html! { input type="hidden" name="token" value=(self.value); }
    }

    /// Sets the cookie that the token is bound to, if the secret is new.
    pub(crate) fn keep(&self, app: &App, response: Response) -> Response {
        match &self.fresh {
            Some(secret) => cookies::set_form_secret(app, response, secret),
            None => response,
        }
    }
}

/// Form errors, by field. Empty when a form is first displayed.
#[derive(Default)]
pub(crate) struct FormError {
    faults: Vec<FieldFault>,
}

/// Error of a field. An empty name means the whole form.
struct FieldFault {
    field: String,
    message: ErrorSentences,
}

impl FormError {
    /// Creates the error of one field from its English message, translated if a translation exists.
    pub(crate) fn at_field(field: impl Into<String>, message: &str) -> Self {
        Self::default().and(field, message)
    }

    /// Creates the error of one field from a domain error, translated if [`ErrorSentences::of`] has a translation.
    pub(crate) fn at_field_of(field: impl Into<String>, error: &Error) -> Self {
        Self { faults: vec![FieldFault { field: field.into(), message: ErrorSentences::of(error) }] }
    }

    /// Adds the error of another field, like [`FormError::at_field`].
    #[must_use]
    pub(crate) fn and(mut self, field: impl Into<String>, message: &str) -> Self {
        self.faults.push(FieldFault { field: field.into(), message: ErrorSentences::of_message(message) });
        self
    }

    /// Maps a domain error to the field that it names. Errors that the form cannot cause are returned as
    /// `Err`.
    pub(crate) fn of(error: Error) -> Result<Self, Error> {
        match error.class() {
            Class::Invalid | Class::Unauthenticated | Class::Conflict | Class::Limited | Class::Forbidden => {
                let field = error.field().and_then(|field| field.path.root());
                Ok(Self::at_field_of(field.map(camel_case).unwrap_or_default(), &error))
            }
            Class::NotFound
            | Class::Gone
            | Class::Unreadable
            | Class::Upstream
            | Class::Unavailable
            | Class::Internal => Err(error),
        }
    }

    /// Adds the time to wait to each message. Every code of [`Class::Limited`] has a translation, so the message and
    /// the time are in the same language.
    #[must_use]
    pub(super) fn with_wait(mut self, seconds: u32) -> Self {
        for fault in &mut self.faults {
            fault.message.words.push(' ');
            fault.message.words.push_str(&wait(seconds));
        }
        self
    }

    /// Moves the errors of field `from` to field `to`.
    pub(crate) fn renamed(mut self, from: &str, to: &str) -> Self {
        for fault in self.faults.iter_mut().filter(|fault| fault.field == from) {
            to.clone_into(&mut fault.field);
        }
        self
    }

    /// Renders the error summary above the form, with a link to each field. It gets the focus when the page
    /// opens.
    pub(crate) fn summary(&self) -> Markup {
        html! {
            @if self.is_some() {
                div.notice.bad role="alert" tabindex="-1" autofocus aria-labelledby="errors" {
                    h2 #errors {
                        (Text("form-problems").with("count", self.faults.len()))
                    }
                    ul {
                        @for fault in &self.faults {
                            li lang=[fault.message.tag] { @if fault.field.is_empty() { (fault.message.words) } @else { a href={ "#" (fault.field) } { (fault.message.words) } } }
                        }
                    }
                }
            }
        }
    }

    /// Returns true if at least one field, or the form as a whole, has an error.
    pub(crate) fn is_some(&self) -> bool {
        !self.faults.is_empty()
    }

    /// Renders the error of a field or of a group of choices.
    pub(crate) fn on_group(&self, name: &str) -> Markup {
        html! { @if let Some(message) = self.message(name) { p.error id={ (name) "-error" } lang=[message.tag] { (message.words) } } }
    }

    /// Returns the error message of a field. `None` if the field has no error.
    pub(crate) fn at(&self, name: &str) -> Option<&str> {
        self.message(name).map(|message| message.words.as_str())
    }

    fn message(&self, name: &str) -> Option<&ErrorSentences> {
        self.faults.iter().find(|fault| fault.field == name).map(|fault| &fault.message)
    }
}

/// Labelled input with its hint before it and its error after it.
pub(crate) struct FormField<'a> {
    pub(crate) name: &'a str,
    pub(crate) label: &'a str,
    /// Hint above the input. Empty if there is none.
    pub(crate) hint: &'a str,
    /// Input type: `text`, `email`, `password`, or `number`.
    pub(crate) kind: &'a str,
    /// Value that was typed before, displayed again after an error.
    pub(crate) value: &'a str,
    /// Value of the `autocomplete` attribute.
    pub(crate) autocomplete: &'a str,
    pub(crate) required: bool,
}

impl FormField<'_> {
    /// Renders the field with its error.
    pub(crate) fn show(&self, form_error: &FormError) -> Markup {
        let wrong = form_error.at(self.name);
        let (hint_id, error_id) = (format!("{}-rule", self.name), format!("{}-error", self.name));
        let mut described = Vec::new();
        if !self.hint.is_empty() {
            described.push(hint_id.as_str());
        }
        if wrong.is_some() {
            described.push(error_id.as_str());
        }
        let described = described.join(" ");
        html! {
            div {
                label for=(self.name) { (self.label) }
                @if !self.hint.is_empty() { p.rule id=(hint_id) { (self.hint) } }
                input id=(self.name) name=(self.name) type=(self.kind) value=(self.value)
                    autocomplete=(self.autocomplete) required[self.required]
                    aria-invalid=[wrong.map(|_| "true")]
                    aria-describedby=[(!described.is_empty()).then_some(&described)]
                    autocapitalize=[(self.kind == "email").then_some("off")] spellcheck="false";
                (form_error.on_group(self.name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks_of_browsers_become_lf() {
        let parsed = fields(b"text=one%0D%0Atwo%0D%0A%0Dthree%0A&name=x").unwrap();
        assert_eq!(parsed[0].1, "one\ntwo\n\rthree\n");
        assert_eq!(parsed[1].1, "x");
    }

    #[test]
    fn form_with_too_many_fields_is_rejected() {
        let of = |count: usize| fields("item=1&".repeat(count).as_bytes());
        assert_eq!(of(MAX_FORM_FIELDS).unwrap().len(), 1000, "nothing is cut off");
        let refused = of(MAX_FORM_FIELDS + 1).unwrap_err();
        assert_eq!(refused.code, Code::PayloadTooLarge);
        assert_eq!(refused.message, "The form has more than 1000 fields. Choose fewer at a time.");
    }

    #[test]
    fn form_field_that_is_not_utf_8_is_rejected() {
        assert_eq!(fields(b"url=caf%C3%A9").unwrap(), [("url".to_owned(), "caf\u{e9}".to_owned())]);
        assert_eq!(fields(b"tags=a&url=caf%e9").unwrap_err().code, Code::InvalidRequest);
    }
}
