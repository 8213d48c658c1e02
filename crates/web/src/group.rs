//! Public page of a group of monitors, for anyone who has its link: the names of the monitors, their latest
//! changes, and the feeds. The texts are third-party material and are displayed as plain text.

use kernel::{Code, rfc3339};
use maud::{Markup, html};
use monitors::{PublishedChange, PublishedGroup};
use poem::Response;
use poem::http::StatusCode;

use super::public_page::{respond, respond_unavailable};
use http_kit::app::App;

/// Renders the page of a group.
pub async fn group_page(app: &App, token: &str) -> Response {
    match monitors::view_group(&app.domain, token).await {
        Ok(group) => respond(app, StatusCode::OK, &format!("{} · Changes", group.name), &page(&group)),
        Err(error) if error.code == Code::NotFound => {
            let content =
                html! { h1 { "Page not found" } p { "The link is wrong. Check that it is complete." } };
            respond(app, StatusCode::NOT_FOUND, "Page not found", &content)
        }
        Err(error) if error.code == Code::FeedGone => {
            let content = html! {
                h1 { "This page is no longer public" }
                p { "Its owner deleted it, or gave it a new link." }
            };
            respond(app, StatusCode::GONE, "No longer public", &content)
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
        p { "Follow the changes in a feed reader: " a href=(rss) { "RSS" } ", " a href=(atom) { "Atom" } ", " a href=(json) { "JSON Feed" } "." }
        h2 { "Latest changes" }
        @if group.changes.is_empty() { p.soft { "No changes yet." } }
        ul.plain { @for change in &group.changes { li { (line(change)) } } }
        h2 { "Monitors" }
        @if group.monitors.is_empty() { p.soft { "No monitors yet." } }
        ul { @for name in &group.monitors { li { bdi { (name) } } } }
    }
}

fn line(change: &PublishedChange) -> Markup {
    let at = rfc3339(change.detected_at);
    html! {
        strong { bdi { (change.monitor) } } ": " a href=(change.link) { (change.title) } " "
        time.soft.small datetime=(at) { (at.get(..16).unwrap_or(&at).replace('T', ", ")) " UTC" }
        @if change.summary != change.title { br; span.small { (change.summary) } }
    }
}
