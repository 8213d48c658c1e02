//! Reading page: a text with its outline and a link to the source. Third-party content is sanitised, pictures
//! are proxied, and nothing is loaded from other hosts.

use extract::{Block, BlockKind};
use kernel::rfc3339;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets::{Asset, style_path};
use super::layout::{account_links, hosts, page_foot};
use super::paragraph_links::{link_to_reader, with_links};
use super::pictures::Pictures;
use super::quote_page::quote_form;
use super::text_format::{direction, minutes};
use http_kit::app::App;
use http_kit::http::file_name;
use reader::ReadParams;
use reader::negotiate::ResponseFormat;
use reader::render::ReadView;

/// Renders a reading as a complete page.
pub(super) fn reading_page(app: &App, reading: &ReadView<'_>, request: &ReadParams) -> String {
    let document = reading.document();
    let language = document.language.as_deref().unwrap_or("en");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                title { (document.title) " · Carrel" }
                link rel="stylesheet" href=(style_path());
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script src=(Asset::Reading.path()) defer {}
            }
            body {
                a.skip href="#main" { "Skip to content" }
                header.top {
                    a.name href="/" { "Carrel" }
                    nav aria-label="Main" {
                        a href="/" { "Read another page" }
                        a href=(reading.article.final_url) rel="noopener nofollow external" { "Original" }
                        @for (host, path, name) in account_links(app) { a href={ (host) (path) } { (name) } }
                    }
                }
                main #main {
                    article lang=(language) dir=(direction(language)) {
                        (head(reading))
                        (tools(app, reading, request))
                        (outline(reading))
                        (body(app, reading, request))
                    }
                    (foot(reading, request))
                }
                (page_foot(app))
            }
        }
    };
    page.into_string()
}

fn head(reading: &ReadView<'_>) -> Markup {
    let document = reading.document();
    let host =
        url::Url::parse(&reading.article.final_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    html! {
        header {
            h1 id=[repeats_title(reading).then_some("p1")] { (document.title) }
            @if document.author.is_some() || document.published_at.is_some() {
                p {
                    @if let Some(author) = &document.author { bdi { (author) } }
                    @if document.author.is_some() && document.published_at.is_some() { " · " }
                    @if let Some(at) = &document.published_at { time datetime=(at) { (day_of(at)) } }
                }
            }
            p {
                a href=(reading.article.final_url) rel="noopener nofollow external" {
                    bdi { (document.publisher.as_deref().or(host.as_deref()).unwrap_or("Source")) }
                }
                " · " (minutes(document.reading_minutes()))
            }
            p.soft.small.noprint {
                "Fetched " time datetime=(rfc3339(reading.article.fetched_at)) { (age(reading)) } " · "
                a href=(fresh_url(reading)) rel="nofollow" { "Fetch again" }
            }
            p.only-print { "Source: " bdi { (reading.article.final_url) } ", read on " (rfc3339(reading.article.fetched_at).replace('T', " at ").chars().take(19).collect::<String>()) " UTC." }
            @for warning in &document.warnings { (note(*warning)) }
        }
    }
}

/// Describes a warning.
fn note(warning: extract::Warning) -> Markup {
    use extract::Warning as W;
    let text = match warning {
        W::TruncatedSource => "Part of the source is missing. It is too long or cannot be converted to text.",
        W::PaywallPreview => "The source shows only a preview to visitors without a subscription.",
        W::JavascriptRequired => "The source shows part of its text only in browsers that run scripts.",
        W::HiddenTextRemoved | W::ControlCharactersRemoved => return html! {},
    };
    html! { p { em { (text) } } }
}

fn outline(reading: &ReadView<'_>) -> Markup {
    let headings: Vec<&Block> =
        reading.document().blocks.iter().filter(|block| block.kind == BlockKind::Heading).collect();
    let whole = reading.selection.picks.len() == reading.document().blocks.len();
    if headings.len() < 3 || !whole {
        return html! {};
    }
    html! {
        details.outline {
            summary { "Outline" }
            ol { @for heading in headings {
                li class={ "depth-" (heading.level.unwrap_or(2).clamp(1, 6)) } {
                    a href={ "#p" (heading.anchor) } { (heading.text) }
                }
            } }
        }
    }
}

/// Renders the tools of a text: save it, watch its page, follow its site, download it, and search it.
fn tools(app: &App, reading: &ReadView<'_>, request: &ReadParams) -> Markup {
    let (_, auth) = hosts(app);
    let url: String = url::form_urlencoded::byte_serialize(reading.article.final_url.as_bytes()).collect();
    let requested: String = url::form_urlencoded::byte_serialize(reading.url.as_bytes()).collect();
    html! {
        div.reading-tools.noprint lang="en" dir="ltr" {
            div.tools {
                a.button.secondary href={ (auth) "/save?url=" (url) } rel="nofollow" { "Save" }
                a.button.secondary href={ (auth) "/monitors/new?url=" (url) } rel="nofollow" { "Watch this page" }
                a.button.secondary href={ (auth) "/subscriptions/new?url=" (url) } rel="nofollow" { "Follow this site" }
            }
            div.tools {
                a.button.secondary href={ "/read/epub?url=" (requested) } rel="nofollow" download { "Download as EPUB" }
                a.button.secondary #markdown href=(request.api_url("/api/v1/read", ResponseFormat::Markdown, None)) rel="nofollow" download=(file_name::of_title(&reading.document().title, "md")) { "Download as Markdown" }
            }
            form.seek role="search" action="/api/v1/read" method="get" {
                input type="hidden" name="url" value=(reading.url);
                input type="hidden" name="format" value="html";
                input type="search" name="query" value=[reading.query] required maxlength="500" aria-label="Find in this text" placeholder="Find in this text";
                button.secondary type="submit" { "Find" }
            }
            details.quote { summary { "Check a quotation" } (quote_form(reading.url, "")) }
            @if reading.query.is_some() { p.small { a href={ "/" (reading.url) } { "Show the whole text" } } }
        }
    }
}

fn body(app: &App, reading: &ReadView<'_>, request: &ReadParams) -> Markup {
    let (reader, _) = hosts(app);
    let pictures = Pictures::for_anyone(app);
    let render = |blocks: &[Block]| pictures.replace_in(&extract::render::html_with_pictures(blocks));
    if request.query.is_some() {
        return html! { @for (block, _) in reading.blocks() {
            div.passage {
                @if let Some(section) = &block.section { p.soft.small { (section) } }
                (PreEscaped(link_to_reader(&render(std::slice::from_ref(block)), reader)))
            }
        } };
    }
    let blocks: Vec<Block> = reading
        .blocks()
        .map(|(block, _)| block)
        .filter(|block| !(block.anchor == 1 && repeats_title(reading)))
        .cloned()
        .collect();
    PreEscaped(with_links(&link_to_reader(&render(&blocks), reader)))
}

/// True if the text begins with its own title, which the page already displays. Always false for a query,
/// whose passages are displayed unchanged.
fn repeats_title(reading: &ReadView<'_>) -> bool {
    let document = reading.document();
    let first = document.blocks.first();
    reading.query.is_none()
        && first.is_some_and(|block| block.kind == BlockKind::Heading && block.text == document.title)
}

fn foot(reading: &ReadView<'_>, request: &ReadParams) -> Markup {
    let next = reading
        .next_cursor
        .as_deref()
        .map(|cursor| request.api_url("/api/v1/read", ResponseFormat::Html, Some(cursor)));
    html! {
        @if let (Some(query), Some(0)) = (reading.query, reading.selection.matched) {
            p { "Nothing in this text matches “" (query) "”." }
        }
        @if let Some(next) = next { p.noprint { a.button.secondary rel="next" href=(next) { "Next page" } } }
        div dir=(direction(reading.document().language.as_deref().unwrap_or("en"))) {
            p.soft.small.noprint { bdi dir="ltr" {
                "As " a href=(request.api_url("/api/v1/read", ResponseFormat::Text, None)) { "text" } ", "
                a href=(request.api_url("/api/v1/read", ResponseFormat::Markdown, None)) { "Markdown" } " or "
                a href=(request.api_url("/api/v1/read", ResponseFormat::Json, None)) { "JSON" } "."
            } }
        }
    }
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

/// Returns the address that fetches the same page again.
fn fresh_url(reading: &ReadView<'_>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("url", reading.url).append_pair("format", "html").append_pair("max_age", "0");
    format!("/api/v1/read?{}", query.finish())
}

/// Returns the date of an RFC 3339 time.
fn day_of(at: &str) -> &str {
    at.get(..10).unwrap_or(at)
}
