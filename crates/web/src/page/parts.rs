//! Parts of pages: settings navigation, times, fields, and error pages.

use kernel::{Class, Error, Millis, Scopes, rfc3339};
use maud::{Markup, Render, html};
use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use super::error_text::{self, ErrorSentences};
use super::form::{FormError, FormField, FormToken};
use super::response::page;
use super::return_link::ReturnLink;
use crate::language::formats;
use crate::language::text::Text;
use crate::layout::{Shell, Visitor, Width};
use http_kit::app::App;
use http_kit::page_language;

/// Renders the navigation of the settings, with the current page marked.
pub(crate) fn settings_tabs(current: &str, token: &FormToken) -> Markup {
    let pages = [
        ("/settings/keys", Text("settings-keys")),
        ("/settings/apps", Text("settings-connected-apps")),
        ("/settings/channels", Text("settings-channels")),
        ("/settings/inbox", Text("settings-inbox")),
        ("/settings/teams", Text("settings-teams")),
        ("/settings/plan", Text("settings-plan")),
        ("/settings/look", Text("settings-reading")),
        ("/settings", Text("nav-account")),
    ];
    html! {
        nav.tabs aria-label=(Text("nav-settings")) {
            @for (path, name) in pages {
                @if path == current { a href=(path) aria-current="page" { (name) } }
                @else { a href=(path) { (name) } }
            }
            form method="post" action="/sign-out" { (token.field()) button.secondary type="submit" { (Text("settings-sign-out")) } }
        }
    }
}

/// Returns the title of a settings page: `Delete · Account · Settings`.
pub(crate) fn settings_title(names: &[Text]) -> String {
    let names: Vec<String> = names.iter().copied().chain([Text("nav-settings")]).map(Text::get).collect();
    names.join(" · ")
}

/// Renders a relative time, with the exact time as its tooltip.
pub(crate) fn time(at: Millis, now: Millis) -> Markup {
    html! { time datetime=(rfc3339(at)) title=(rfc3339(at)) { (relative(at, now)) } }
}

/// Formats a time relative to `now`, rounded down to the largest whole unit.
fn relative(at: Millis, now: Millis) -> String {
    let seconds = (at - now).abs() / 1000;
    let (amount, before, after) = match seconds {
        0 => return Text("time-now").get(),
        1..=59 => (seconds, Text("time-in-seconds"), Text("time-seconds-ago")),
        60..=3599 => (seconds / 60, Text("time-in-minutes"), Text("time-minutes-ago")),
        3600..=86_399 => (seconds / 3600, Text("time-in-hours"), Text("time-hours-ago")),
        _ => (seconds / 86_400, Text("time-in-days"), Text("time-days-ago")),
    };
    let text = if at > now { before } else { after };
    text.with("count", amount).get()
}

/// Formats a number with thousands separators.
pub(crate) fn with_thousands_separators(number: u64) -> String {
    formats::number(number)
}

/// Formats a count or a length with thousands separators.
pub(crate) fn thousands(number: usize) -> String {
    with_thousands_separators(u64::try_from(number).unwrap_or(u64::MAX))
}

/// Renders an error page with a next step.
pub(crate) fn error_page(
    app: &App,
    visitor: Visitor<'_>,
    return_link: &ReturnLink,
    error: &Error,
) -> Response {
    let class = error.class();
    let status = match class {
        Class::NotFound | Class::Gone => StatusCode::NOT_FOUND,
        Class::Invalid | Class::Conflict => StatusCode::UNPROCESSABLE_ENTITY,
        Class::Unauthenticated => StatusCode::UNAUTHORIZED,
        Class::Forbidden => StatusCode::FORBIDDEN,
        Class::Limited => StatusCode::TOO_MANY_REQUESTS,
        Class::Unreadable | Class::Upstream | Class::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Class::Internal => {
            tracing::error!(error = error.report(), "page failed with an internal error");
            StatusCode::SERVICE_UNAVAILABLE
        }
    };
    let render = || {
        let title = error_text::title(class).get();
        let shell = Shell { title: &title, current: "", width: Width::Column };
        page(app, visitor, shell, status, &error_content(&title, return_link, error))
    };
    let mut response = page_language::with_translated_content(render);
    if let Some(seconds) = error.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Renders the error, the next step, and the links of an error page.
fn error_content(title: &str, return_link: &ReturnLink, error: &Error) -> Markup {
    html! {
        h1 { (title) }
        p { (ErrorSentences::of(error)) }
        p { (error_text::next_step(error)) }
        p.row {
            @if let Some(retry) = return_link.retry.as_ref().filter(|_| error.class().is_transient()) {
                a.button href=(retry) { (Text("error-try-again")) }
            }
            a.button.secondary href=(return_link.back) {
                @if return_link.has_previous_page { (Text("error-go-back")) } @else { (Text("error-start-page")) }
            }
        }
    }
}

/// Rejected form: its errors, and the time to wait after too many attempts. The default is a form that is not
/// rejected.
#[derive(Default)]
pub(crate) struct FormRejection {
    /// Status of the page that displays the form again.
    pub(crate) status: StatusCode,
    pub(crate) form_error: FormError,
    retry_after: Option<u32>,
}

impl FormRejection {
    /// Maps a domain error to errors of the form. Errors that the form did not cause are returned as `Err`.
    pub(crate) fn of(error: Error) -> Result<Self, Error> {
        let wait = error.retry_after.filter(|_| error.class() == Class::Limited);
        let Some(seconds) = wait else {
            let form_error = FormError::of(error)?;
            return Ok(Self { status: StatusCode::UNPROCESSABLE_ENTITY, form_error, retry_after: None });
        };
        let form_error = FormError::of(error)?.with_wait(seconds);
        Ok(Self { status: StatusCode::TOO_MANY_REQUESTS, form_error, retry_after: Some(seconds) })
    }

    pub(crate) fn add_retry_after(&self, mut page: Response) -> Response {
        if let Some(seconds) = self.retry_after {
            page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        page
    }
}

/// Quotes a name that an app chose for itself. Quotation marks in the name are replaced, so that it cannot
/// close the quotation.
pub(crate) fn quoted(name: &str) -> Markup {
    let name = name.replace(['\u{201c}', '\u{201d}', '\u{201e}', '"'], "\u{2019}");
    html! { bdi { "\u{201c}" (name) "\u{201d}" } }
}

/// Returns the label of a set of scopes.
pub(crate) fn scope_label(scopes: Scopes) -> Text {
    if scopes == Scopes::READ { Text("scope-read") } else { Text("scope-read-change") }
}

/// Required field whose label and hint are texts of the catalogue.
pub(crate) struct RequiredField<'a> {
    pub(crate) name: &'a str,
    pub(crate) label: Text,
    pub(crate) hint: Option<Text>,
    /// Input type, as in [`FormField`].
    pub(crate) kind: &'a str,
    pub(crate) value: &'a str,
    /// Value of the `autocomplete` attribute.
    pub(crate) autocomplete: &'a str,
}

impl RequiredField<'_> {
    /// Renders the field with its error.
    pub(crate) fn show(&self, form_error: &FormError) -> Markup {
        let (label, hint) = (self.label.get(), self.hint.map(Text::get).unwrap_or_default());
        let &Self { name, kind, value, autocomplete, .. } = self;
        FormField { name, label: &label, hint: &hint, kind, value, autocomplete, required: true }
            .show(form_error)
    }
}

/// Returns the field for an account's e-mail address.
pub(crate) fn email_field(value: &str) -> RequiredField<'_> {
    RequiredField {
        name: "email",
        label: Text("field-email"),
        hint: None,
        kind: "email",
        value,
        autocomplete: "username",
    }
}

/// Returns the field for an existing password.
pub(crate) fn current_password(name: &str, label: Text) -> RequiredField<'_> {
    RequiredField { name, label, hint: None, kind: "password", value: "", autocomplete: "current-password" }
}

pub(crate) fn new_password(name: &str, label: Text) -> RequiredField<'_> {
    let hint = Some(Text("password-hint"));
    RequiredField { name, label, hint, kind: "password", value: "", autocomplete: "new-password" }
}

/// Renders the button that removes a sample account.
pub(crate) fn remove_sample(token: &FormToken) -> Markup {
    html! {
        form.notice method="post" action="/settings/sample/delete" {
            (token.field())
            p { (Text("sample-notice")) }
            button.secondary type="submit" { (Text("sample-remove")) }
        }
    }
}

/// Renders a notice that an action succeeded.
pub(crate) fn success(message: &(impl Render + ?Sized)) -> Markup {
    html! { p.notice.good role="status" { (message) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_are_readable() {
        assert_eq!(relative(61_000, 0), "in 1 minute");
        assert_eq!(relative(0, 7_200_000), "2 hours ago");
        assert_eq!(relative(5, 0), "just now");
        assert_eq!(with_thousands_separators(1_234_567), "1,234,567");
        assert_eq!(with_thousands_separators(100), "100");
    }
}
