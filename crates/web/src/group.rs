//! Public page of a group of monitors, for anyone who has its link: the names of the monitors, their latest
//! changes, and the feeds. The texts are third-party material and are displayed as plain text.

use kernel::{Code, rfc3339};
use maud::{Markup, html};
use monitors::{PublishedChange, PublishedGroup};
use poem::http::StatusCode;
use poem::{Request, Response};

use super::change_text::change_text;
use super::language::text::Text;
use super::public_page::{in_browser_language, respond, respond_unavailable};
use http_kit::app::App;

/// Renders the page of a group.
pub async fn group_page(app: &App, token: &str, request: &Request) -> Response {
    in_browser_language(request, render(app, token)).await
}

async fn render(app: &App, token: &str) -> Response {
    match monitors::view_group(&app.domain, token).await {
        Ok(group) => {
            let title = format!("{} · {}", group.name, Text("today-changes").get());
            respond(app, StatusCode::OK, &title, &page(&group))
        }
        Err(error) if error.code == Code::NotFound => {
            let title = Text("public-not-found").get();
            let content = html! { h1 { (title) } p { (Text("public-not-found-words")) } };
            respond(app, StatusCode::NOT_FOUND, &title, &content)
        }
        Err(error) if error.code == Code::FeedGone => {
            let content = html! {
                h1 { (Text("public-gone")) }
                p { (Text("public-gone-words")) }
            };
            respond(app, StatusCode::GONE, &Text("public-gone-title").get(), &content)
        }
        Err(error) => {
            tracing::warn!(error = error.report(), "failed to render a group of monitors");
            respond_unavailable(app)
        }
    }
}

fn page(group: &PublishedGroup) -> Markup {
    let [rss, atom, json] = &group.feed_urls;
    html! {
        h1 { bdi { (group.name) } }
        p { (Text("public-group-follow").linked(&[rss.as_str(), atom.as_str(), json.as_str()])) }
        h2 { (Text("shared-changes")) }
        @if group.changes.is_empty() { p.soft { (Text("monitor-changes-none")) } }
        ul.plain { @for change in &group.changes { li { (line(change)) } } }
        h2 { (Text("nav-monitors")) }
        @if group.monitors.is_empty() { p.soft { (Text("public-no-monitors")) } }
        ul { @for name in &group.monitors { li { bdi { (name) } } } }
    }
}

fn line(change: &PublishedChange) -> Markup {
    let at = rfc3339(change.detected_at);
    let text = change_text(&change.title, &change.summary);
    html! {
        strong { bdi { (change.monitor) } } ": " a href=(change.link) { bdi { (text.title) } } " "
        time.soft.small datetime=(at) { (at.get(..16).unwrap_or(&at).replace('T', ", ")) " UTC" }
        @if text.summary != text.title { br; span.small { bdi { (text.summary) } } }
    }
}
