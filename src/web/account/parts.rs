//! Parts that several pages of this room have: the way round the settings, times told for people, and
//! errors as a page.

use domain::{Class, Error, Millis, rfc3339};
use maud::{Markup, html};
use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use super::form::FormToken;
use super::respond;
use crate::app::App;

/// The way round the settings, with the page one is on.
pub(super) fn settings_tabs(current: &str, token: &FormToken) -> Markup {
    let pages = [("/settings/keys", "Keys"), ("/settings/plan", "Plan and usage"), ("/settings", "Account")];
    html! {
        nav.tabs aria-label="Settings" {
            @for (path, name) in pages {
                @if path == current { a href=(path) aria-current="page" { (name) } }
                @else { a href=(path) { (name) } }
            }
            form method="post" action="/sign-out" { (token.field()) button.quiet type="submit" { "Sign out" } }
        }
    }
}

/// An instant told for people, with the exact time on hover.
pub(super) fn time(at: Millis, now: Millis) -> Markup {
    html! { time datetime=(rfc3339(at)) title=(rfc3339(at)) { (relative(at, now)) } }
}

/// A distance in time in the largest unit that says enough.
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

/// A number with thin groups of thousands.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Bytes in the unit that people use.
pub(super) fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let (mut whole, mut tenths, mut unit) = (number, 0, 0);
    while whole >= 1024 && unit < UNITS.len() - 1 {
        tenths = (whole % 1024) * 10 / 1024;
        whole /= 1024;
        unit += 1;
    }
    if tenths == 0 {
        format!("{} {}", grouped(whole), UNITS[unit])
    } else {
        format!("{}.{tenths} {}", grouped(whole), UNITS[unit])
    }
}

/// An error of the rules as a page that says what to do next.
pub(super) fn error_page(app: &App, error: &Error) -> Response {
    let (status, title, next) = match error.class() {
        Class::NotFound | Class::Gone => (404, "Not found", "Go back to your settings."),
        Class::Invalid | Class::Conflict => (422, "This cannot be done", "Go back and change what you sent."),
        Class::Unauthenticated => (401, "Sign in first", "Sign in and try again."),
        Class::Forbidden => (403, "Not allowed", "Go back and open the page again."),
        Class::Limited => (429, "Too many attempts", "Wait a while, then try again."),
        Class::Unreadable | Class::Upstream | Class::Unavailable => {
            (503, "Temporarily unavailable", "Try again in a few seconds.")
        }
        Class::Internal => {
            tracing::error!(error = error.report(), "a page failed inside");
            (503, "Temporarily unavailable", "Try again in a few seconds.")
        }
    };
    let content = html! {
        h1 { (title) }
        p { (error.message) }
        p { (next) }
        p { a.button.quiet href="/settings/keys" { "Go to your settings" } }
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let mut response = respond(app, status, title, &content);
    if let Some(seconds) = error.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_told_for_people() {
        assert_eq!(relative(61_000, 0), "in 1 minute");
        assert_eq!(relative(0, 7_200_000), "2 hours ago");
        assert_eq!(relative(5, 0), "just now");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(100), "100");
        assert_eq!(bytes(262_144_000), "250 MiB");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(0), "0 bytes");
    }
}
