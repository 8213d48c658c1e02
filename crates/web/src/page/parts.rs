//! Parts of pages: settings navigation, times, fields, and error pages.

use kernel::{Class, Error, Millis, Scopes, rfc3339};
use maud::{Markup, html};
use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use super::form::{Field, FormError, FormToken};
use super::response::page;
use super::return_link::ReturnLink;
use crate::layout::{Shell, Visitor, Width};
use http_kit::app::App;

/// Renders the navigation of the settings, with the current page marked.
pub(crate) fn settings_tabs(current: &str, token: &FormToken) -> Markup {
    let pages = [
        ("/settings/keys", "Keys"),
        ("/settings/apps", "Connected apps"),
        ("/settings/channels", "Channels"),
        ("/settings/inbox", "Inbox"),
        ("/settings/teams", "Teams"),
        ("/settings/plan", "Plan and usage"),
        ("/settings/look", "Reading"),
        ("/settings", "Account"),
    ];
    html! {
        nav.tabs aria-label="Settings" {
            @for (path, name) in pages {
                @if path == current { a href=(path) aria-current="page" { (name) } }
                @else { a href=(path) { (name) } }
            }
            form method="post" action="/sign-out" { (token.field()) button.secondary type="submit" { "Sign out" } }
        }
    }
}

/// Renders a relative time, with the exact time as its tooltip.
pub(crate) fn time(at: Millis, now: Millis) -> Markup {
    html! { time datetime=(rfc3339(at)) title=(rfc3339(at)) { (relative(at, now)) } }
}

/// Formats a time relative to `now`, rounded down to the largest whole unit.
fn relative(at: Millis, now: Millis) -> String {
    let seconds = (at - now).abs() / 1000;
    let (amount, unit) = match seconds {
        0..=59 => (seconds, "second"),
        60..=3599 => (seconds / 60, "minute"),
        3600..=86_399 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let plural = if amount == 1 { "" } else { "s" };
    match (at > now, amount) {
        (_, 0) => "just now".to_owned(),
        (true, _) => format!("in {amount} {unit}{plural}"),
        (false, _) => format!("{amount} {unit}{plural} ago"),
    }
}

/// Formats a number with thousands separators.
pub(crate) fn with_thousands_separators(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Renders an error page that says what to do next.
pub(crate) fn error_page(
    app: &App,
    visitor: Visitor<'_>,
    return_link: &ReturnLink,
    error: &Error,
) -> Response {
    let (status, title) = match error.class() {
        Class::NotFound | Class::Gone => (404, "Not found"),
        Class::Invalid | Class::Conflict => (422, "This did not work"),
        Class::Unauthenticated => (401, "Please sign in"),
        Class::Forbidden => (403, "Not allowed"),
        Class::Limited => (429, "Too many requests"),
        Class::Unreadable | Class::Upstream | Class::Unavailable => (503, "Temporarily unavailable"),
        Class::Internal => {
            tracing::error!(error = error.report(), "page failed with an internal error");
            (503, "Temporarily unavailable")
        }
    };
    let content = html! {
        h1 { (title) }
        p { (error.message) }
        p { (next_step(error)) }
        p.row {
            @if let Some(retry) = return_link.retry.as_ref().filter(|_| error.class().is_transient()) {
                a.button href=(retry) { "Try again" }
            }
            a.button.secondary href=(return_link.back) {
                @if return_link.has_previous_page { "Go back" } @else { "Go to the start page" }
            }
        }
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let shell = Shell { title, current: "", width: Width::Column };
    let mut response = page(app, visitor, shell, status, &content);
    if let Some(seconds) = error.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Returns the next step after an error.
fn next_step(error: &Error) -> String {
    match (error.class(), error.retry_after) {
        (Class::NotFound | Class::Gone, _) => {
            "It may have been deleted, or the address is incomplete.".to_owned()
        }
        (Class::Invalid | Class::Conflict, _) => "Go back and change what you entered.".to_owned(),
        (Class::Unauthenticated, _) => "Sign in and try again.".to_owned(),
        (Class::Forbidden, _) => "Go back and open the page again.".to_owned(),
        (Class::Limited, Some(seconds)) => format!("Wait {}, then try again.", duration(seconds)),
        (Class::Limited, None) => "Wait a moment, then try again.".to_owned(),
        (Class::Unreadable | Class::Upstream | Class::Unavailable | Class::Internal, _) => {
            "Try again in a few seconds.".to_owned()
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
        let message = format!("{} Wait {}, then try again.", error.message, duration(seconds));
        let form_error = FormError::of(Error { message, ..error })?;
        Ok(Self { status: StatusCode::TOO_MANY_REQUESTS, form_error, retry_after: Some(seconds) })
    }

    /// Adds `Retry-After` to the page.
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
pub(crate) fn scope_label(scopes: Scopes) -> &'static str {
    if scopes == Scopes::READ { "read" } else { "read and change" }
}

/// Formats a waiting time in seconds, minutes, or hours, rounded up.
pub(crate) fn duration(seconds: u32) -> String {
    let (amount, unit) = match seconds {
        0..=119 => (seconds, "second"),
        120..3600 => (seconds.div_ceil(60), "minute"),
        _ => (seconds.div_ceil(3600), "hour"),
    };
    format!("{amount} {unit}{}", if amount == 1 { "" } else { "s" })
}

/// Returns the field for an account's e-mail address.
pub(crate) fn email_field(value: &str) -> Field<'_> {
    Field {
        name: "email",
        label: "E-mail address",
        hint: "",
        kind: "email",
        value,
        autocomplete: "username",
        required: true,
    }
}

/// Returns the field for an existing password.
pub(crate) fn current_password<'a>(name: &'a str, label: &'a str) -> Field<'a> {
    Field {
        name,
        label,
        hint: "",
        kind: "password",
        value: "",
        autocomplete: "current-password",
        required: true,
    }
}

/// Returns the field for a new password.
pub(crate) fn new_password<'a>(name: &'a str, label: &'a str) -> Field<'a> {
    Field {
        name,
        label,
        hint: "At least 10 characters. Several words are better than one unusual word.",
        kind: "password",
        value: "",
        autocomplete: "new-password",
        required: true,
    }
}

/// Renders the button that removes a sample account.
pub(crate) fn remove_sample(token: &FormToken) -> Markup {
    html! {
        form.notice method="post" action="/settings/sample/delete" {
            (token.field())
            p { "This account contains sample data, to look around. Remove it when you have seen enough." }
            button.secondary type="submit" { "Remove this sample account" }
        }
    }
}

/// Renders a notice that an action succeeded.
pub(crate) fn success(message: &str) -> Markup {
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
        assert_eq!([1, 119, 121, 3600].map(duration), ["1 second", "119 seconds", "3 minutes", "1 hour"]);
    }
}
