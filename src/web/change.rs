//! One change of a monitor, for whoever holds its link: side by side, or one text with what went and what
//! came in it. What is shown is third-party material, as plain text.

use domain::monitors::{self, ChangeView};
use domain::{Code, rfc3339};
use extract::watch::render::{Piece, Row, Side, pieces, side_by_side};
use extract::watch::{Kind, Op, Operation};
use maud::{Markup, html};
use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use super::layout::{Shell, Width, page_response, shell};
use crate::app::App;

/// Beyond so many operations the page would be too long to read.
const MOST_SHOWN: usize = 300;

/// The page of a change.
pub async fn change_page(app: &App, link: &str, query: Option<&str>) -> Response {
    let is_inline = query.is_some_and(|query| query.split('&').any(|part| part == "view=inline"));
    match monitors::view_change(&app.domain, link).await {
        Ok(view) => respond(app, StatusCode::OK, &view.change.title, &page(&view, link, is_inline)),
        Err(error) if error.code == Code::NotFound => {
            let content = html! {
                h1 { "This change cannot be shown" }
                p { "The link is wrong, or the change is no longer kept." }
            };
            respond(app, StatusCode::NOT_FOUND, "No such change", &content)
        }
        Err(error) if error.code == Code::FeedGone => {
            let content = html! {
                h1 { "This link has been replaced" }
                p { "Its feed has a new link, and links to changes with it." }
            };
            respond(app, StatusCode::GONE, "Link replaced", &content)
        }
        Err(error) => {
            tracing::warn!(error = error.report(), "a change could not be shown");
            let content = html! { h1 { "Temporarily unavailable" } p { "Try again in a few seconds." } };
            respond(app, StatusCode::SERVICE_UNAVAILABLE, "Temporarily unavailable", &content)
        }
    }
}

fn respond(app: &App, status: StatusCode, title: &str, content: &Markup) -> Response {
    let title = format!("{title} · Changes");
    let about = Shell { title: &title, current: "", width: Width::Wide };
    let mut response = page_response(status, shell(app, about, content));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

fn page(view: &ChangeView, link: &str, is_inline: bool) -> Markup {
    let ChangeView { monitor, change, .. } = view;
    let at = rfc3339(change.detected_at);
    let shown = &change.operations[..change.operations.len().min(MOST_SHOWN)];
    let rest = change.operations.len() - shown.len();
    html! {
        p.soft { "A change of " strong { (monitor.name) } }
        h1 { (change.title) }
        dl.facts {
            dt { "Found" } dd { time datetime=(at) { (minute_of(&at)) } }
            dt { "Where" } dd { a href=(change.url) rel="noopener nofollow" { (change.url) } }
            dt { "Differences" } dd { (tally(&change.operations)) }
        }
        nav.tabs aria-label="Views" {
            (tab(&format!("/changes/{link}"), "Side by side", !is_inline))
            (tab(&format!("/changes/{link}?view=inline"), "One text", is_inline))
        }
        @if is_inline { (inline(shown)) } @else { (sides(&side_by_side(shown))) }
        @if rest > 0 { p.soft { (rest) " more differences are not shown." } }
        p.soft.small { "Removed text is struck through, added text is underlined." }
    }
}

fn tab(path: &str, name: &str, is_current: bool) -> Markup {
    html! { @if is_current { a href=(path) aria-current="page" { (name) } } @else { a href=(path) { (name) } } }
}

/// `2026-11-20T12:00:00.000Z` as people read it.
fn minute_of(at: &str) -> String {
    let minute = at.get(..16).unwrap_or(at);
    format!("{} UTC", minute.replace('T', ", "))
}

fn tally(operations: &[Operation]) -> String {
    let count = |op: Op| operations.iter().filter(|operation| operation.op == op).count();
    let parts =
        [(Op::Added, "added"), (Op::Removed, "removed"), (Op::Changed, "changed"), (Op::Moved, "moved")];
    let counts: Vec<String> = parts
        .into_iter()
        .map(|(op, word)| (count(op), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    counts.join(", ")
}

fn sides(rows: &[Row]) -> Markup {
    html! {
        div.sides {
            div.side-head aria-hidden="true" { span { "Before" } span { "After" } }
            @for row in rows {
                @if let Some(section) = &row.section { h2.side-section { (section) } }
                @if let Some(label) = &row.label { p.side-label { (label) } }
                div.side-row {
                    (cell("before: ", &row.left, row.left_anchor, row.left_link.as_deref()))
                    (cell("after: ", &row.right, row.right_anchor, row.right_link.as_deref()))
                }
            }
        }
    }
}

/// One side of a row; empty when nothing stood or stands there.
fn cell(side: &str, parts: &[Piece], anchor: Option<u32>, link: Option<&str>) -> Markup {
    let is_empty = parts.is_empty() && link.is_none();
    html! {
        div.side .empty[is_empty] {
            span.hidden { (side) }
            @if is_empty {
                span.hidden { "nothing" }
            } @else {
                @if let Some(anchor) = anchor.filter(|anchor| *anchor > 0) { span.anchor aria-hidden="true" { (anchor) } }
                p { (diff_text(parts)) }
                @if let Some(link) = link { p.small.soft { "→ " (link) } }
            }
        }
    }
}

fn inline(operations: &[Operation]) -> Markup {
    let mut section: Option<&str> = None;
    let mut rows = Vec::with_capacity(operations.len());
    for operation in operations {
        let here = operation.section.as_deref();
        rows.push((here.filter(|_| here != section), operation));
        section = here;
    }
    html! {
        div.inline-change {
            @for (heading, operation) in rows {
                @if let Some(heading) = heading { h2.side-section { (heading) } }
                @if let Some(label) = label(operation) { p.side-label { (label) } }
                p.difference { span.op { (sign(operation.op)) } " " (body(operation)) }
            }
        }
    }
}

fn body(operation: &Operation) -> Markup {
    if operation.kind == Kind::Whole {
        return html! { "The source changed too much to be lined up." };
    }
    html! {
        (diff_text(&pieces(operation)))
        @if let Some(before) = &operation.link_before { span.small.soft { " link: " del { (before) } } }
        @if let Some(link) = operation.link.as_deref().filter(|_| operation.link_before.is_some()) { span.small.soft { " " ins { (link) } } }
        @if let Some(difference) = &operation.difference { strong { " (" (difference) ")" } }
    }
}

fn label(operation: &Operation) -> Option<String> {
    match (&operation.item, &operation.field) {
        (Some(item), Some(field)) => Some(format!("{item} · {field}")),
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (None, None) => None,
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Added => "+",
        Op::Removed => "−",
        Op::Changed => "±",
        Op::Moved => "↕",
    }
}

/// Text in which what went and what came is told apart without colour too.
fn diff_text(parts: &[Piece]) -> Markup {
    html! {
        @for part in parts {
            @match part.side {
                Side::Same => { (part.text) },
                Side::Removed => { del { span.hidden { " removed: " } (part.text) } },
                Side::Added => { ins { span.hidden { " added: " } (part.text) } },
            }
        }
    }
}
