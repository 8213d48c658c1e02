//! Shell of every page: head, product name, navigation, content, and footer.

use kernel::Language;
use maud::{DOCTYPE, Markup, html};
use poem::http::{StatusCode, header};
use poem::{IntoResponse, Response};

use super::appearance::Appearance;
use super::assets::{asset_links, icon_path};
use super::icons::{Icon, icon};
use super::language::text::ShellText;
use super::offline_state::OfflineState;
use super::scripts::{desk_script, offline_script};
use super::site_icon::IconFormat;
use http_kit::app::App;
use http_kit::page_language;

/// Content security policy of pages: our stylesheet and icon, and forms to this host. The pages have no
/// script that could send requests. `connect-src` allows auditing tools to fetch `robots.txt`.
pub const PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
    connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Policy of reading pages. Their scripts fetch the text in another format, and play a recording without sound
/// while a voice reads, so that media keys work.
pub(super) const READING_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
    script-src 'self'; connect-src 'self'; media-src blob:; base-uri 'none'; frame-ancestors 'none'";

/// Policy of desk pages, which have a script and a web app manifest.
pub(super) const DESK_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
    script-src 'self'; connect-src 'self'; worker-src 'self'; media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Policy of an entry with audio or video. The browser plays the recording from the publisher's host.
pub(super) const MEDIA_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; \
    script-src 'self'; connect-src 'self'; worker-src 'self'; media-src http: https: blob:; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Policy of pages that a browser stores for offline reading. They have no forms.
pub(super) const OFFLINE_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; \
    script-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Properties of a page that the shell displays.
#[derive(Debug, Clone, Copy)]
pub struct Shell<'a> {
    /// Title, from the most specific part to the most general: `Keys · Settings`.
    pub title: &'a str,
    /// Path of the current navigation entry.
    pub current: &'a str,
    /// Width of the page.
    pub width: Width,
}

/// Width of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// One column of text.
    Column,
    /// Wide enough for tables.
    Wide,
    /// Wide enough for a list with a sidebar. Pages of this width are desk pages and load the desk's script.
    Desk,
}

/// Visitor for whom a page is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visitor<'a> {
    /// Unknown visitor. Pages of the reader read no session cookie.
    Unknown,
    /// Visitor without a session.
    SignedOut,
    /// Signed-in person.
    SignedIn {
        email: &'a str,
        /// Appearance of the account or of the browser.
        appearance: Appearance,
        /// Texts that the browser stores.
        offline: OfflineState,
    },
    /// Browser that stores the page for offline reading. Its header does not depend on the person.
    Stored { appearance: Appearance },
}

impl Visitor<'_> {
    fn appearance(self) -> Appearance {
        match self {
            Visitor::SignedIn { appearance, .. } | Visitor::Stored { appearance } => appearance,
            Visitor::Unknown | Visitor::SignedOut => Appearance::default(),
        }
    }

    /// Returns true if a page of this width has the script that stores texts for offline reading.
    fn stores_texts_with(self, width: Width) -> bool {
        match self {
            Visitor::SignedIn { offline, .. } => offline == OfflineState::On && width == Width::Desk,
            Visitor::Stored { .. } => true,
            Visitor::Unknown | Visitor::SignedOut => false,
        }
    }
}

impl<'a> Shell<'a> {
    /// Returns the shell of a page with one column of text.
    pub fn titled(title: &'a str) -> Self {
        Self { title, current: "", width: Width::Column }
    }
}

/// Renders `content` in the shell.
pub fn shell(app: &App, shell: Shell<'_>, content: &Markup) -> Markup {
    shell_for(app, Visitor::Unknown, shell, content)
}

/// Renders `content` in the shell, with the navigation for the visitor.
pub(super) fn shell_for(app: &App, visitor: Visitor<'_>, shell: Shell<'_>, content: &Markup) -> Markup {
    let appearance = visitor.appearance();
    let (reader, _) = hosts(app);
    let languages = page_language::current();
    let (language, content_language) =
        (languages.shell, Some(languages.content).filter(|content| *content != languages.shell));
    let class = match shell.width {
        Width::Column => None,
        Width::Wide => Some("wide"),
        Width::Desk => Some("desk"),
    };
    html! {
        (DOCTYPE)
        html lang=(language.tag()) dir=[language.is_right_to_left().then_some("rtl")] data-theme=[appearance.value_of("theme")] data-size=[appearance.value_of("size")]
            data-width=[appearance.value_of("width")] data-face=[appearance.value_of("face")] data-scroll=[appearance.value_of("scroll")] data-pictures=[appearance.value_of("pictures")]
            data-spacing=[appearance.value_of("spacing")] data-density=[appearance.value_of("density")] data-paged=[appearance.value_of("paged")] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { @if !shell.title.is_empty() { (shell.title) " · " } (app.settings.site.name) }
                meta name="description" content=(description(shell.title));
                (asset_links(app))
                (appearance.face_link())
                @if shell.width == Width::Desk {
                    link rel="manifest" href="/manifest.webmanifest";
                    link rel="apple-touch-icon" href=(icon_path(app, IconFormat::Small));
                    link rel="search" type="application/opensearchdescription+xml" title=(app.settings.site.name) href={ (reader) "/opensearch.xml" };
                    (desk_script())
                }
                @if visitor.stores_texts_with(shell.width) {
                    (offline_script())
                }
            }
            body {
                a.skip href="#main" { (ShellText("skip")) }
                @match visitor {
                    Visitor::SignedIn { email, .. } => (desk_top(app, email, shell.current)),
                    Visitor::Stored { .. } => (offline_top(app)),
                    Visitor::Unknown | Visitor::SignedOut => (top(app, visitor, shell.current)),
                }
                main #main class=[class] lang=[content_language.map(Language::tag)] dir=[content_language.map(Language::direction)] { (content) }
                (page_foot(app))
            }
        }
    }
}

/// Returns the page's description for search engines.
fn description(title: &str) -> String {
    let carrel = ShellText("description").get();
    if title.is_empty() { carrel } else { format!("{title}. {carrel}") }
}

/// Renders the header of desk pages: the five sections, the search field, and the signed-in person.
fn desk_top(app: &App, email: &str, current: &str) -> Markup {
    let (_, auth) = hosts(app);
    let sections = [
        ("/today", ShellText("nav-today"), Icon::Today),
        ("/entries", ShellText("nav-feeds"), Icon::Feeds),
        ("/library", ShellText("nav-library"), Icon::Library),
        ("/monitors", ShellText("nav-monitors"), Icon::Monitors),
        ("/settings/keys", ShellText("nav-settings"), Icon::Settings),
    ];
    html! {
        header.top.of-desk {
            (site_name(app))
            nav.sections-bar aria-label=(ShellText("nav-main")) {
                @for (path, name, picture) in sections {
                    a href={ (auth) (path) } aria-current=[(path == current).then_some("page")] { (icon(picture)) (name) }
                }
            }
            form.find role="search" aria-label=(ShellText("find-everything")) action={ (auth) "/search" } method="get" {
                input type="search" name="q" aria-label=(ShellText("find-feeds-and-library")) placeholder=(ShellText("find")) maxlength="500";
                button.secondary type="submit" { (icon(Icon::Search)) span.hidden { (ShellText("find")) } }
            }
            a.who href={ (auth) "/settings" } { span.hidden { (ShellText("signed-in-as")) " " } bdi { (email) } }
        }
    }
}

/// Renders the header of pages for offline reading.
fn offline_top(app: &App) -> Markup {
    html! {
        header.top {
            (site_name(app))
            nav aria-label=(ShellText("nav-main")) { a href="/offline" { (ShellText("nav-stored-texts")) } a href="/today" { (ShellText("nav-today")) } }
        }
    }
}

fn top(app: &App, visitor: Visitor<'_>, current: &str) -> Markup {
    let (reader, auth) = hosts(app);
    // The sign-in page leads signed-in people to their pages.
    let account = match visitor {
        Visitor::SignedOut | Visitor::Unknown | Visitor::Stored { .. } => {
            ("/sign-in", ShellText("nav-sign-in"))
        }
        Visitor::SignedIn { .. } => ("/settings/keys", ShellText("nav-account")),
    };
    let links = [
        (reader, "/", ShellText("nav-read")),
        (auth, "/today", ShellText("nav-today")),
        (reader, "/docs", ShellText("nav-api")),
        (reader, "/about", ShellText("nav-about")),
        (auth, account.0, account.1),
    ];
    html! {
        header.top {
            (site_name(app))
            nav aria-label=(ShellText("nav-main")) {
                @for (host, path, name) in links {
                    @if path == current { a href={ (host) (path) } aria-current="page" { (name) } }
                    @else { a href={ (host) (path) } { (name) } }
                }
            }
        }
    }
}

/// Renders the name of the installation, which links to the start page.
pub(super) fn site_name(app: &App) -> Markup {
    let (reader, _) = hosts(app);
    html! { a.name href={ (reader) "/" } { bdi { (app.settings.site.name) } } }
}

/// Returns the links to a person's own pages: origin, path, and label.
pub(super) fn account_links(app: &App) -> [(&str, &'static str, ShellText); 2] {
    let (_, auth) = hosts(app);
    [(auth, "/today", ShellText("nav-today")), (auth, "/settings/keys", ShellText("nav-account"))]
}

/// Renders the footer of every page.
pub(super) fn page_foot(app: &App) -> Markup {
    let (reader, _) = hosts(app);
    let links = [
        ("/", ShellText("foot-read")),
        ("/docs/handbook", ShellText("foot-handbook")),
        ("/docs", ShellText("foot-reader-api")),
        ("/docs/developer", ShellText("foot-developer-api")),
        ("/docs/agents", ShellText("foot-agents")),
        ("/problems", ShellText("foot-problems")),
        ("/appearance", ShellText("foot-reading-settings")),
        ("/llms.txt", ShellText("foot-llms")),
        ("/about", ShellText("nav-about")),
    ];
    html! {
        footer.end {
            span { (ShellText("foot-texts")) }
            nav aria-label=(ShellText("foot-documents")) { @for (path, name) in links { a href={ (reader) (path) } { (name) } } }
        }
    }
}

/// Returns the origins of the reader and of the account pages, for links between them. Both are empty if one
/// host serves all pages.
pub(super) fn hosts(app: &App) -> (&str, &str) {
    let origins = &app.settings.origins;
    if origins.reader == origins.auth && origins.reader == origins.base {
        return ("", "");
    }
    (origins.reader.as_str(), origins.auth.as_str())
}

/// Creates a response that contains a page, with the default content security policy.
pub fn page_response(status: StatusCode, page: Markup) -> Response {
    page_under(PAGE_POLICY, status, page)
}

/// Creates a response that contains a page, with the given content security policy.
pub(super) fn page_under(policy: &'static str, status: StatusCode, page: Markup) -> Response {
    page.into_string()
        .with_content_type("text/html; charset=utf-8")
        .with_header(header::CONTENT_SECURITY_POLICY, policy)
        .with_header(header::CACHE_CONTROL, "private, no-cache")
        .with_status(status)
        .into_response()
}
