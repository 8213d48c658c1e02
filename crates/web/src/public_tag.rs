//! Public page of a tag, for anyone who has its link: the newest items with the tag, and the feeds. The texts
//! are third-party material and are displayed as plain text.

use kernel::{Code, rfc3339};
use library::{PublicTagPage, TagItem};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Request, Response};

use super::language::text::Text;
use super::public_page::{in_browser_language, respond, respond_unavailable};
use http_kit::app::App;

/// Renders the page of a tag.
pub async fn public_tag_page(app: &App, token: &str, request: &Request) -> Response {
    in_browser_language(request, render(app, token)).await
}

async fn render(app: &App, token: &str) -> Response {
    match library::view_public_tag(&app.domain, token).await {
        Ok(tag) => respond(app, StatusCode::OK, &tag.name, &page(&tag)),
        Err(error) if error.code == Code::NotFound => {
            let title = Text("public-not-found").get();
            let content = html! { h1 { (title) } p { (Text("public-tag-not-found")) } };
            respond(app, StatusCode::NOT_FOUND, &title, &content)
        }
        Err(error) => {
            tracing::warn!(error = error.report(), "failed to render the page of a tag");
            respond_unavailable(app)
        }
    }
}

fn page(tag: &PublicTagPage) -> Markup {
    let [rss, atom, json] = &tag.feed_urls;
    html! {
        h1 { bdi { (tag.name) } }
        p { (Text("public-tag-follow").linked(&[rss.as_str(), atom.as_str(), json.as_str()])) }
        @if tag.items.is_empty() { p.soft { (Text("public-no-items")) } }
        h2.hidden { (Text("items-heading")) }
        ul.rows { @for item in &tag.items { li { (row(item)) } } }
        @if tag.is_cut { p.small.soft { (Text("public-newest").with("number", tag.items.len())) } }
    }
}

fn row(item: &TagItem) -> Markup {
    let at = rfc3339(item.saved_at);
    html! {
        h3 { a href=(item.url) rel="noreferrer nofollow" { bdi { (item.label()) } } }
        @if let Some(excerpt) = &item.excerpt { p dir="auto" { (excerpt) } }
        p.meta { bdi { (item.url) } " " time datetime=(at) { (at.get(..10).unwrap_or(&at)) } }
    }
}
