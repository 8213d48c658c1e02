//! Bar of a reading page: save, listen, reading settings, and the menu with everything else.

use maud::{Markup, html};

use super::appearance::{SETTINGS, default_button};
use super::language::text::Text;
use super::layout::hosts;
use super::outline::outline_list;
use super::quote_page::quote_form;
use super::scripts::reading_script;
use http_kit::app::App;
use http_kit::http::file_name;
use http_kit::page_language;
use kernel::rfc3339;
use reader::ReadParams;
use reader::negotiate::ResponseFormat;
use reader::render::ReadView;

/// Renders the bar. Both menus open without scripts. The button for listening needs scripts, which show it.
pub(super) fn bar(app: &App, reading: &ReadView<'_>, request: &ReadParams) -> Markup {
    let (_, auth) = hosts(app);
    let own = page_language::current().content;
    html! {
        div.bar.noprint lang=(own.tag()) dir=(own.direction()) {
            a.button.secondary href={ (auth) "/save?url=" (escaped(&reading.article.final_url)) } rel="nofollow" { (Text("reading-save")) }
            button.secondary #listen type="button" hidden { (Text("reading-listen")) }
            details name="bar" {
                summary.button.secondary { "Aa" span.hidden { (Text("reading-aa")) } }
                (reading_settings(reading))
            }
            details name="bar" {
                summary.button.secondary { (Text("reading-more")) }
                div.sheet {
                    (links(auth, reading, request))
                    (share_button(&reading.article.final_url))
                    (find_form(reading))
                    @if let Some(list) = outline_list(reading) { details.narrow { summary { (Text("reading-outline")) } (list) } }
                    details { summary { (Text("reading-check")) } (quote_form(reading.url, "")) }
                }
            }
        }
    }
}

/// Renders the script of reading pages and, for the menu of a saved or followed text, the buttons for listening
/// and for sharing its original at `url`.
pub(super) fn menu_buttons(url: &str) -> Markup {
    html! {
        button.link #listen type="button" hidden { (Text("reading-listen")) }
        (share_button(url))
        (reading_script())
    }
}

/// Renders the button that reads the texts of a list aloud, one after another. Scripts show it in browsers with voices.
pub(super) fn listen_all_button() -> Markup {
    html! { button.secondary #listen-all type="button" hidden { (Text("listen-all")) } }
}

/// Renders the button that shares an address with an app of the device. Scripts show it in browsers that can share.
/// Empty if the address is not on the web.
fn share_button(url: &str) -> Markup {
    let is_web = url.starts_with("http://") || url.starts_with("https://");
    html! {
        @if is_web { button.link #share-page type="button" data-url=(url) hidden { (Text("script-share")) } }
    }
}

/// Renders the settings of texts. Nothing is selected, because the page is the same for all browsers.
fn reading_settings(reading: &ReadView<'_>) -> Markup {
    html! {
        form.sheet #reading-settings method="post" action="/appearance" {
            (default_button())
            input type="hidden" name="url" value=(reading.url);
            @for setting in SETTINGS.iter().filter(|setting| setting.is_for_texts()) { (setting.field(None)) }
            button type="submit" { (Text("appearance-save")) }
        }
    }
}

/// Renders the links to other pages and to downloads.
fn links(auth: &str, reading: &ReadView<'_>, request: &ReadParams) -> Markup {
    let (url, requested) = (escaped(&reading.article.final_url), escaped(reading.url));
    let markdown = request.api_url("/api/v1/read", ResponseFormat::Markdown, None);
    html! {
        ul {
            li { a href={ (auth) "/monitors/new?url=" (url) } rel="nofollow" { (Text("reading-watch")) } }
            li { a href={ (auth) "/subscriptions/new?url=" (url) } rel="nofollow" { (Text("reading-follow")) } }
            li { a href=(reading.article.final_url) rel="noopener nofollow external" { (Text("reading-original")) } }
            li { a href={ "/read/epub?url=" (requested) } rel="nofollow" download { (Text("reading-epub")) } }
            li { a #markdown href=(markdown) rel="nofollow" download=(file_name::of_title(&reading.document().title, "md")) { (Text("reading-markdown")) } }
            li { a href="/" { (Text("reading-another")) } }
        }
        p.soft.small {
            (Text("reading-fetched").markup(&[("age", html! { time datetime=(rfc3339(reading.article.fetched_at)) { (age(reading)) } })])) " · "
            a href={ "/api/v1/read?url=" (requested) "&format=html&max_age=0" } rel="nofollow" { (Text("reading-fetch-again")) }
        }
    }
}

fn find_form(reading: &ReadView<'_>) -> Markup {
    html! {
        form.seek role="search" action="/api/v1/read" method="get" {
            input type="hidden" name="url" value=(reading.url);
            input type="hidden" name="format" value="html";
            input type="search" name="query" value=[reading.query] required maxlength="500" aria-label=(Text("reading-find-label")) placeholder=(Text("reading-find-label"));
            button.secondary type="submit" { (Text("reading-find")) }
        }
    }
}

/// Escapes a value of a query.
fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Formats the time since the source was fetched.
fn age(reading: &ReadView<'_>) -> String {
    let minutes = (reading.responded_at - reading.article.fetched_at).max(0) / 60_000;
    let (text, count) = match minutes {
        0 => return Text("time-now").get(),
        1..=119 => (Text("time-minutes-ago"), minutes),
        120..=2879 => (Text("time-hours-ago"), minutes / 60),
        _ => (Text("time-days-ago"), minutes / 1440),
    };
    text.with("count", count).get()
}
