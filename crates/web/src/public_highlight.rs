//! Public page of a highlight, for anyone who has its link: the quote or the picture, its source, and the note if its
//! owner chose so. The texts are third-party material and are displayed as plain text.

use kernel::Code;
use library::PublicQuote;
use maud::{Markup, PreEscaped, html};
use poem::http::StatusCode;
use poem::{Request, Response};

use super::language::text::Text;
use super::pictures::{Pictures, original_image};
use super::public_page::{in_browser_language, respond, respond_unavailable};
use super::text_fragment::fragment_url;
use http_kit::app::App;

/// Renders the page of a highlight.
pub async fn public_highlight_page(app: &App, token: &str, request: &Request) -> Response {
    in_browser_language(request, render(app, token)).await
}

async fn render(app: &App, token: &str) -> Response {
    match library::view_public_highlight(&app.domain, token).await {
        Ok(quote) => respond(app, StatusCode::OK, label(&quote), &page(app, &quote)),
        Err(error) if error.code == Code::NotFound => {
            let title = Text("public-not-found").get();
            let content = html! { h1 { (title) } p { (Text("public-quote-not-found")) } };
            respond(app, StatusCode::NOT_FOUND, &title, &content)
        }
        Err(error) => {
            tracing::warn!(error = error.report(), "failed to render the page of a highlight");
            respond_unavailable(app)
        }
    }
}

/// Returns the title of the item, or its address if it has no title.
fn label(quote: &PublicQuote) -> &str {
    if quote.title.trim().is_empty() { &quote.url } else { &quote.title }
}

fn page(app: &App, quote: &PublicQuote) -> Markup {
    let original = fragment_url(&quote.url, &quote.quote).unwrap_or_else(|| quote.url.clone());
    html! {
        h1 { bdi { (label(quote)) } }
        (picture(app, quote))
        blockquote.quoted { p.words dir="auto" { (quote.quote) } }
        @if let Some(note) = &quote.note {
            h2 { (Text("public-quote-note-heading")) }
            p.words dir="auto" { (note) }
        }
        p { a href=(original) rel="noreferrer nofollow" { (Text("quote-original")) } }
        p.meta { bdi { (quote.url) } }
    }
}

/// Renders the picture of a highlight. Empty for a passage.
fn picture(app: &App, quote: &PublicQuote) -> Markup {
    let Some(picture) = &quote.picture else { return html! {} };
    let alt = picture.alt.as_deref().unwrap_or(&quote.quote);
    let image = Pictures::for_anyone(app).replace_in(&original_image(&picture.url, alt));
    html! { div.highlight-picture { (PreEscaped(image)) } }
}
