//! Reading page: title, byline, and text, with one bar of actions between them. Third-party content is
//! sanitised, pictures are proxied, and nothing is loaded from other hosts, except a video that a person plays.

use extract::{Block, BlockKind};
use kernel::rfc3339;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets::asset_links;
use super::language::formats;
use super::language::text::{ShellText, Text};
use super::layout::{READING_POLICY, account_links, hosts, page_foot, site_name};
use super::outline::side_outline;
use super::paragraph_links::{link_to_reader, with_paragraph_links};
use super::pictures::Pictures;
use super::reading_bar::bar;
use super::scripts::reading_script;
use super::text_format::{direction, minutes};
use super::videos::{self, VideoPlayers};
use http_kit::app::App;
use http_kit::page_language;
use reader::negotiate::ResponseFormat;
use reader::render::ReadView;
use reader::{ReadParams, ReadingPage};

/// Renders a reading as a complete page.
pub(super) fn reading_page(app: &App, reading: &ReadView<'_>, request: &ReadParams) -> ReadingPage {
    page_language::with_translated_content(|| page(app, reading, request))
}

fn page(app: &App, reading: &ReadView<'_>, request: &ReadParams) -> ReadingPage {
    let mut players = VideoPlayers::default();
    let video = video(reading, request, &mut players);
    let text = body(app, reading, request, &mut players);
    let own = page_language::current().shell;
    let document = reading.document();
    let language = document.language.as_deref().unwrap_or("en");
    let page = html! {
        (DOCTYPE)
        html lang=(own.tag()) dir=[own.is_right_to_left().then_some("rtl")] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="robots" content="noindex";
                title { (document.title) " · " (app.settings.site.name) }
                (asset_links(app))
                (reading_script())
            }
            body {
                a.skip href="#main" { (ShellText("skip")) }
                header.top.of-text {
                    (site_name(app))
                    nav aria-label=(ShellText("nav-main")) {
                        @for (host, path, name) in account_links(app) { a href={ (host) (path) } { (name) } }
                    }
                }
                div.reader {
                    (side_outline(reading))
                    main #main {
                        article lang=(language) dir=(direction(language)) data-minutes=(document.reading_minutes()) {
                            (head(reading))
                            (bar(app, reading, request))
                            (video)
                            div.prose { (text) }
                        }
                        (foot(reading, request))
                    }
                }
                (page_foot(app))
            }
        }
    };
    ReadingPage { html: page.into_string(), policy: players.policy(READING_POLICY) }
}

/// Renders the title, byline, and warnings. Sets the text direction: third-party text is isolated with `bdi`,
/// interface text has the interface's direction.
fn head(reading: &ReadView<'_>) -> Markup {
    let (document, own) = (reading.document(), page_language::current().content.tag());
    let fetched_at = rfc3339(reading.article.fetched_at);
    let host =
        url::Url::parse(&reading.article.final_url).ok().and_then(|url| url.host_str().map(str::to_owned));
    html! {
        header {
            h1 id=[repeats_title(reading).then_some("p1")] { (document.title) }
            p {
                @if let Some(author) = &document.author { bdi { (author) } " · " }
                a href=(reading.article.final_url) rel="noopener nofollow external" {
                    bdi { @match document.publisher.as_deref().or(host.as_deref()) { Some(publisher) => { (publisher) }, None => { (Text("reading-source")) } } }
                }
                @if let Some(at) = &document.published_at { " · " bdi lang=(own) { time datetime=(at) { (day_of(at)) } } }
                " · " bdi lang=(own) { (minutes(document.reading_minutes())) }
            }
            p.only-print {
                (Text("reading-printed").with("day", fetched_at.get(..10).unwrap_or_default()).with("time", fetched_at.get(11..16).unwrap_or_default())
                    .markup(&[("address", html! { bdi { (reading.article.final_url) } })]))
            }
            @for warning in &document.warnings { (note(*warning)) }
        }
    }
}

/// Describes a warning.
fn note(warning: extract::Warning) -> Markup {
    use extract::Warning as W;
    let text = match warning {
        W::TruncatedSource => Text("reading-truncated"),
        W::PaywallPreview => Text("reading-paywall"),
        W::JavascriptRequired => Text("reading-scripts"),
        W::HiddenTextRemoved | W::ControlCharactersRemoved => return html! {},
    };
    let own = page_language::current().content;
    html! { p lang=(own.tag()) dir=(own.direction()) { em { (text) } } }
}

/// Renders the video player if the text is the page of a video. Empty on further pages of the text, and for a query.
fn video(reading: &ReadView<'_>, request: &ReadParams, players: &mut VideoPlayers) -> Markup {
    if request.query.is_some() || request.cursor.is_some() {
        return html! {};
    }
    let paragraph = videos::paragraph(&reading.article.final_url, &reading.document().title, None);
    PreEscaped(players.add_to(&paragraph))
}

fn body(app: &App, reading: &ReadView<'_>, request: &ReadParams, players: &mut VideoPlayers) -> Markup {
    let (reader, _) = hosts(app);
    let pictures = Pictures::for_anyone(app);
    let own = page_language::current().content;
    let mut render = |blocks: &[Block]| {
        let html = pictures.replace_in(&extract::render::html_with_pictures(blocks));
        players.add_to(&link_to_reader(&html, reader))
    };
    if request.query.is_some() {
        return html! {
            p.small.noprint lang=(own.tag()) dir=(own.direction()) { (Text("reading-passages").linked(&[&format!("/{}", reading.url)])) }
            @for (block, _) in reading.blocks() { div.passage {
                @if let Some(section) = &block.section { p.soft.small { (section) } }
                (PreEscaped(render(std::slice::from_ref(block))))
            } }
        };
    }
    let blocks: Vec<Block> = reading
        .blocks()
        .map(|(block, _)| block)
        .filter(|block| !(block.anchor == 1 && repeats_title(reading)))
        .cloned()
        .collect();
    PreEscaped(with_paragraph_links(&render(&blocks)))
}

/// Returns true if the text begins with its own title, which the page already displays. Always false for a query,
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
            p { (Text("reading-no-match").markup(&[("query", html! { bdi { (query) } })])) }
        }
        @if let Some(next) = next { p.noprint { a.button.secondary rel="next" href=(next) { (Text("reading-next")) } } }
        div dir=(direction(reading.document().language.as_deref().unwrap_or("en"))) {
            p.soft.small.noprint { bdi dir=(page_language::current().content.direction()) { (other_formats(request)) } }
        }
    }
}

/// Renders the links to other formats of the text.
fn other_formats(request: &ReadParams) -> Markup {
    let address = |format| request.api_url("/api/v1/read", format, None);
    let (text, markdown, json) =
        (address(ResponseFormat::Text), address(ResponseFormat::Markdown), address(ResponseFormat::Json));
    Text("reading-formats").linked(&[&text, &markdown, &json])
}

/// Formats the date of a time in words: `1 December 2026`. A time without a full date stays unchanged.
fn day_of(at: &str) -> String {
    let day = at.get(..10).and_then(|day| chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").ok());
    day.map_or_else(|| at.to_owned(), formats::day)
}

#[cfg(test)]
mod tests {
    use super::day_of;

    #[test]
    fn date_is_in_words_and_a_partial_date_is_unchanged() {
        assert_eq!(day_of("2026-10-01T08:00:00Z"), "1 October 2026");
        assert_eq!(day_of("2026-10-01"), "1 October 2026");
        for partial in ["2026-10", "2026", "October 2026", "2026-13-01"] {
            assert_eq!(day_of(partial), partial);
        }
    }
}
