//! The frame of every page: head, name, navigation, the page itself, the foot.

use maud::{DOCTYPE, Markup, html};
use poem::http::{StatusCode, header};
use poem::{IntoResponse, Response};

use super::assets::style_path;
use crate::app::App;

/// What pages may load: our stylesheet and icon, and nothing else; forms go to ourselves.
pub const PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// What the frame says of a page.
#[derive(Debug, Clone, Copy)]
pub struct Shell<'a> {
    /// Where one is, from the inside out, as in `Keys · Settings`.
    pub title: &'a str,
    /// The path of the navigation entry that is current.
    pub current: &'a str,
    /// Whether the page is wider than a column of text.
    pub width: Width,
}

/// How wide a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One column of text.
    Column,
    /// Room for tables.
    Wide,
}

/// Whom a page is for, as far as it was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visitor<'a> {
    /// Anybody: pages of the reader take no cookie.
    Anybody,
    /// Somebody without a session.
    SignedOut,
    /// The person with this e-mail address.
    SignedIn(&'a str),
}

impl<'a> Shell<'a> {
    /// A page of one column.
    pub fn titled(title: &'a str) -> Self {
        Self { title, current: "", width: Width::Column }
    }
}

/// Puts `content` into the frame.
pub fn shell(app: &App, about: Shell<'_>, content: &Markup) -> Markup {
    shell_for(app, Visitor::Anybody, about, content)
}

/// Puts `content` into the frame, which says who is signed in.
pub(super) fn shell_for(app: &App, visitor: Visitor<'_>, about: Shell<'_>, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { @if about.title.is_empty() { "Carrel" } @else { (about.title) " · Carrel" } }
                link rel="stylesheet" href=(style_path());
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
            }
            body {
                a.skip href="#main" { "Skip to the text" }
                (top(app, visitor, about.current))
                main #main .wide[about.width == Width::Wide] { (content) }
                (page_foot(app))
            }
        }
    }
}

fn top(app: &App, visitor: Visitor<'_>, current: &str) -> Markup {
    let (reader, auth) = hosts(app);
    let account = match visitor {
        Visitor::SignedOut => ("/sign-in", "Sign in"),
        Visitor::Anybody | Visitor::SignedIn(_) => ("/settings/keys", "Account"),
    };
    let links = [
        (reader, "/", "Read"),
        (auth, "/monitors", "Monitors"),
        (reader, "/docs", "API"),
        (reader, "/about", "About"),
        (auth, account.0, account.1),
    ];
    html! {
        header.top {
            a.name href={ (reader) "/" } { "Carrel" }
            nav aria-label="Main" {
                @for (host, path, name) in links {
                    @if path == current { a href={ (host) (path) } aria-current="page" { (name) } }
                    @else { a href={ (host) (path) } { (name) } }
                }
            }
            @if let Visitor::SignedIn(email) = visitor { span.soft.who { span.hidden { "Signed in as " } (email) } }
        }
    }
}

/// Where a person's own things are.
pub(super) fn account_links(app: &App) -> [(&str, &'static str, &'static str); 2] {
    let (_, auth) = hosts(app);
    [(auth, "/monitors", "Monitors"), (auth, "/settings/keys", "Account")]
}

/// The foot of every page.
pub(super) fn page_foot(app: &App) -> Markup {
    let (reader, _) = hosts(app);
    let links = [
        ("/docs", "Reader API"),
        ("/docs/developer", "Developer API"),
        ("/docs/agents", "Agents"),
        ("/problems", "Errors"),
        ("/llms.txt", "llms.txt"),
        ("/about", "About"),
    ];
    html! {
        footer.end {
            span { "Carrel reads public pages and shows their text, which is third-party content." }
            nav aria-label="Documents" { @for (path, name) in links { a href={ (reader) (path) } { (name) } } }
        }
    }
}

/// The origins of the reader's and of the account pages, for links between them; empty when one host
/// answers for both.
fn hosts(app: &App) -> (&str, &str) {
    let origins = &app.settings.origins;
    if origins.reader == origins.auth && origins.reader == origins.base {
        return ("", "");
    }
    (origins.reader.as_str(), origins.auth.as_str())
}

/// A page as a response of its own.
pub fn page_response(status: StatusCode, page: Markup) -> Response {
    page.into_string()
        .with_content_type("text/html; charset=utf-8")
        .with_header(header::CONTENT_SECURITY_POLICY, PAGE_POLICY)
        .with_header(header::CACHE_CONTROL, "private, no-cache")
        .with_status(status)
        .into_response()
}
