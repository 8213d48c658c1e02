//! Bar of a reading page: save, listen, reading settings, and the menu with everything else.

use maud::{Markup, html};

use super::appearance::SETTINGS;
use super::assets::Asset;
use super::layout::hosts;
use super::outline::outline_list;
use super::quote_page::quote_form;
use http_kit::app::App;
use http_kit::http::file_name;
use kernel::rfc3339;
use reader::ReadParams;
use reader::negotiate::ResponseFormat;
use reader::render::ReadView;

/// Renders the bar. Both menus open without scripts. The button for listening needs scripts, which show it.
pub(super) fn bar(app: &App, reading: &ReadView<'_>, request: &ReadParams) -> Markup {
    let (_, auth) = hosts(app);
    html! {
        div.bar.noprint lang="en" dir="ltr" {
            a.button.secondary href={ (auth) "/save?url=" (escaped(&reading.article.final_url)) } rel="nofollow" { "Save" }
            button.secondary #listen type="button" hidden { "Listen" }
            details name="bar" {
                summary.button.secondary { "Aa" span.hidden { ": reading settings" } }
                (reading_settings(reading))
            }
            details name="bar" {
                summary.button.secondary { "More" }
                div.sheet {
                    (links(auth, reading, request))
                    (find_form(reading))
                    @if let Some(list) = outline_list(reading) { details.narrow { summary { "Outline" } (list) } }
                    details { summary { "Check a quotation" } (quote_form(reading.url, "")) }
                }
            }
        }
    }
}

/// Renders the script of reading pages and, for the menu of a saved or followed text, the button for listening.
pub(super) fn listening() -> Markup {
    html! {
        button.link #listen type="button" hidden { "Listen" }
        (reading_script())
    }
}

/// Renders the script of reading pages.
pub(super) fn reading_script() -> Markup {
    html! { script src=(Asset::Reading.path()) defer {} }
}

/// Renders the settings of texts. Nothing is selected, because the page is the same for all browsers.
fn reading_settings(reading: &ReadView<'_>) -> Markup {
    html! {
        form.sheet #reading-settings method="post" action="/appearance" {
            input type="hidden" name="url" value=(reading.url);
            @for setting in SETTINGS.iter().filter(|setting| setting.is_for_texts()) { (setting.field(None)) }
            button type="submit" { "Save settings" }
        }
    }
}

/// Renders the links to other pages and to downloads.
fn links(auth: &str, reading: &ReadView<'_>, request: &ReadParams) -> Markup {
    let (url, requested) = (escaped(&reading.article.final_url), escaped(reading.url));
    let markdown = request.api_url("/api/v1/read", ResponseFormat::Markdown, None);
    html! {
        ul {
            li { a href={ (auth) "/monitors/new?url=" (url) } rel="nofollow" { "Watch this page" } }
            li { a href={ (auth) "/subscriptions/new?url=" (url) } rel="nofollow" { "Follow this site" } }
            li { a href=(reading.article.final_url) rel="noopener nofollow external" { "Open the original" } }
            li { a href={ "/read/epub?url=" (requested) } rel="nofollow" download { "Download as EPUB" } }
            li { a #markdown href=(markdown) rel="nofollow" download=(file_name::of_title(&reading.document().title, "md")) { "Download as Markdown" } }
            li { a href="/" { "Read another page" } }
        }
        p.soft.small {
            "Fetched " time datetime=(rfc3339(reading.article.fetched_at)) { (age(reading)) } " · "
            a href={ "/api/v1/read?url=" (requested) "&format=html&max_age=0" } rel="nofollow" { "Fetch again" }
        }
    }
}

fn find_form(reading: &ReadView<'_>) -> Markup {
    html! {
        form.seek role="search" action="/api/v1/read" method="get" {
            input type="hidden" name="url" value=(reading.url);
            input type="hidden" name="format" value="html";
            input type="search" name="query" value=[reading.query] required maxlength="500" aria-label="Find in this text" placeholder="Find in this text";
            button.secondary type="submit" { "Find" }
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
    match minutes {
        0 => "just now".to_owned(),
        1 => "1 minute ago".to_owned(),
        2..=119 => format!("{minutes} minutes ago"),
        120..=2879 => format!("{} hours ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1440),
    }
}
