//! Page that reports whether a text contains a quotation.

use articles::Article;
use articles::reader::quotes::{QuoteCheck, QuoteDiff, QuoteMatch, compare};
use maud::{Markup, html};
use poem::Response;
use poem::http::StatusCode;

use super::language::text::Text;
use super::layout::{Shell, page_response, shell};
use super::text_format::direction;
use http_kit::app::App;
use http_kit::page_language;
use reader::QuoteReport;

/// Characters before an address that browsers skip or treat as a slash.
const LEADING: [char; 6] = ['/', '\\', ' ', '\t', '\r', '\n'];

/// Renders the result of checking a quotation.
pub(super) fn quote_page(app: &App, report: &QuoteReport<'_>) -> Response {
    page_language::with_translated_content(|| page(app, report))
}

fn page(app: &App, report: &QuoteReport<'_>) -> Response {
    let heading = Text("reading-check").get();
    let title = if report.result.is_some() {
        heading.clone()
    } else {
        Text("error-title").with("title", heading.as_str()).get()
    };
    let status = if report.result.is_some() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let content = html! {
        p.soft { a href=(at(report, None)) rel="nofollow" { @match report.result { Some((article, _)) => { bdi { (article.document.title) } }, None => { (Text("quotation-text")) } } } }
        h1 { (heading) }
        @match report.result {
            Some((article, checked)) => (verdict(report, article, checked)),
            None => { div.notice.bad role="alert" { p { a href="#quote" { (Text("quotation-wrong")) } } } },
        }
        (quote_form(report.url, report.quote))
    };
    page_response(status, shell(app, Shell::titled(&title), &content))
}

/// Renders the form for a quotation.
pub(super) fn quote_form(url: &str, quote: &str) -> Markup {
    html! {
        form.stack action="/read/quote" method="get" {
            input type="hidden" name="url" value=(url);
            div {
                label for="quote" { (Text("quotation")) }
                textarea.words #quote name="quote" required minlength="8" maxlength="1000" rows="3" { (quote) }
            }
            div { button.secondary type="submit" { (Text("quotation-check")) } }
        }
    }
}

/// Returns the address of the text in this reader, at a paragraph. Leading slashes are removed, because
/// browsers would interpret `//` as the start of another host.
fn at(report: &QuoteReport<'_>, anchor: Option<u32>) -> String {
    let url = report.url.split('#').next().unwrap_or_default().trim_start_matches(LEADING);
    anchor.map_or_else(|| format!("/{url}"), |anchor| format!("/{url}#p{anchor}"))
}

fn verdict(report: &QuoteReport<'_>, article: &Article, checked: &QuoteCheck) -> Markup {
    let language = article.document.language.as_deref().unwrap_or("en");
    let paragraph = html! {
        @if let Some(anchor) = checked.anchor {
            p { a href=(at(report, Some(anchor))) rel="nofollow" { (Text("quotation-paragraph").with("number", anchor.to_string())) } }
        }
    };
    html! {
        @match checked.match_kind {
            QuoteMatch::Exact => {
                div.notice.good role="status" { p { strong { (Text("quotation-exact")) } } (paragraph) }
                (context(checked, language))
            },
            QuoteMatch::Close => {
                div.notice role="status" {
                    p { strong { (Text("quotation-close")) } " " (Text("quotation-close-share").with("share", percent(checked.similarity))) }
                    (paragraph)
                }
                h2 { (Text("quotation-differences")) }
                p.quoted lang=(language) dir=(direction(language)) { (differences(report.quote, checked)) }
                p.soft.small { (Text("quotation-legend")) }
                (context(checked, language))
            },
            QuoteMatch::Absent => {
                div.notice.bad role="status" {
                    p { strong { (Text("quotation-absent")) } " " (Text("quotation-absent-words").with("share", percent(checked.similarity))) }
                }
            },
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn differences(quote: &str, checked: &QuoteCheck) -> Markup {
    let own = page_language::current().content.tag();
    let parts = compare(quote, checked.passage.as_deref().unwrap_or_default());
    html! {
        @for part in &parts {
            @match part {
                QuoteDiff::Same(words) => { (words) " " },
                QuoteDiff::Quoted(words) => { del { span.hidden lang=(own) { (Text("quotation-only-quoted")) " " } (words) } " " },
                QuoteDiff::Present(words) => { ins { span.hidden lang=(own) { (Text("quotation-only-text")) " " } (words) } " " },
            }
        }
    }
}

fn context(checked: &QuoteCheck, language: &str) -> Markup {
    html! {
        @if let Some(context) = &checked.context {
            h2 { (Text("quotation-context")) }
            blockquote.quoted lang=(language) dir=(direction(language)) {
                @for paragraph in context.split("\n\n") { p { (paragraph) } }
            }
        }
    }
}
