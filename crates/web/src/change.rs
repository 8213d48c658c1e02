//! Page of one change of a monitor, for anyone who has its link: side by side, or inline with removed and
//! added parts marked. Each difference has one line of context before and after it. The content is
//! third-party material and is displayed as plain text. The owner also gets links to the monitor and to the
//! previous and next change.

use extract::watch::render::{ContextLine, DiffSegment, Side, in_context, row, segments};
use extract::watch::{Kind, Op, Operation};
use kernel::{Code, MonitorId, rfc3339};
use maud::{Markup, html};
use model::ModelTaskState;
use monitors::{AdjacentChanges, ChangeExplanation, ChangeSide, ChangeView, TargetType};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Request, Response};

use super::change_text::change_text;
use super::language::formats;
use super::language::text::Text;
use super::layout::{Shell, Width, page_response, shell};
use super::page::error_text::message_text;
use super::public_page::in_browser_language;
use http_kit::app::App;
use http_kit::auth;
use http_kit::http::query;

/// Maximum number of operations that the page displays.
const MAX_OPERATIONS: usize = 300;

/// Layout of a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChangeLayout {
    /// Old and new text side by side; on a phone, one below the other.
    Sides,
    /// One text in which removed and added parts are marked.
    Inline,
}

/// Links that only the owner of the monitor sees.
struct OwnerLinks {
    monitor: MonitorId,
    neighbours: AdjacentChanges,
}

/// Renders the page of a change.
pub async fn change_page(app: &App, link: &str, request: &Request) -> Response {
    in_browser_language(request, render(app, link, request)).await
}

async fn render(app: &App, link: &str, request: &Request) -> Response {
    let is_inline = query::value_in(request.uri(), "view").is_some_and(|view| view == "inline");
    let view = if is_inline { ChangeLayout::Inline } else { ChangeLayout::Sides };
    let result = match monitors::view_change(&app.domain, link).await {
        Ok(change_view) => owner(app, request, &change_view).await.map(|owner| (change_view, owner)),
        Err(error) => Err(error),
    };
    match result {
        Ok((change_view, owner)) => respond(
            app,
            StatusCode::OK,
            &change_text(&change_view.change.title, &change_view.change.summary).title,
            &page(app, &change_view, owner.as_ref(), link, view),
        ),
        Err(error) if error.code == Code::NotFound => {
            let title = Text("change-not-found").get();
            let content = html! { h1 { (title) } p { (Text("change-not-found-words")) } };
            respond(app, StatusCode::NOT_FOUND, &title, &content)
        }
        Err(error) if error.code == Code::FeedGone => {
            let content = html! {
                h1 { (Text("change-gone")) }
                p { (Text("change-gone-words")) }
            };
            respond(app, StatusCode::GONE, &Text("change-gone-title").get(), &content)
        }
        Err(error) => {
            tracing::warn!(error = error.report(), "failed to render a change");
            let title = Text("public-unavailable").get();
            let content = html! { h1 { (title) } p { (Text("public-unavailable-words")) } };
            respond(app, StatusCode::SERVICE_UNAVAILABLE, &title, &content)
        }
    }
}

/// Returns the links for the owner. `None` if the session's account does not own the monitor.
async fn owner(app: &App, request: &Request, change_view: &ChangeView) -> kernel::Result<Option<OwnerLinks>> {
    let Some(session) = auth::session(app, request).await? else {
        return Ok(None);
    };
    let account_id = session.account.id;
    match monitors::get(&app.domain, account_id, change_view.monitor.id).await {
        Ok(monitor) => {
            let neighbours =
                monitors::adjacent_changes(&app.domain, account_id, &monitor, change_view.change.id).await?;
            Ok(Some(OwnerLinks { monitor: monitor.id, neighbours }))
        }
        Err(error) if error.code == Code::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn respond(app: &App, status: StatusCode, title: &str, content: &Markup) -> Response {
    let title = format!("{title} · {}", Text("today-changes").get());
    let page_shell = Shell { title: &title, current: "", width: Width::Wide };
    let mut response = page_response(status, shell(app, page_shell, content));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

fn page(
    app: &App,
    change_view: &ChangeView,
    owner: Option<&OwnerLinks>,
    link: &str,
    view: ChangeLayout,
) -> Markup {
    let ChangeView { monitor, change, before, after, .. } = change_view;
    let at = rfc3339(change.detected_at);
    let displayed = &change.operations[..change.operations.len().min(MAX_OPERATIONS)];
    let rest = change.operations.len() - displayed.len();
    let is_whole = rest == 0;
    let lines = in_context(displayed, before.as_ref(), after.as_ref().filter(|_| is_whole));
    html! {
        p.soft.crumbs {
            span { (Text("change-of").markup(&[("monitor", monitor_name(app, &monitor.name, owner))])) }
            @if let Some(owner) = owner { (neighbours(&owner.neighbours)) }
        }
        h1 { bdi { (change_text(&change.title, &change.summary).title) } }
        dl.facts {
            dt { (Text("change-detected")) } dd { time datetime=(at) { (minute_of(&at)) } }
            dt { (Text("change-address")) } dd { a href=(change.url) rel="noopener nofollow" { bdi { (change.url) } } }
            dt { (Text("change-differences")) } dd { (tally(&change.operations)) }
        }
        @if let Some(explanation) = &change.explanation { (explained(explanation)) }
        @if monitor.target_type == TargetType::Visual && !change.operations.is_empty() { (screenshots(change_view, link)) }
        nav.tabs aria-label=(Text("change-views")) {
            (tab(&format!("/changes/{link}"), Text("change-sides"), view == ChangeLayout::Sides))
            (tab(&format!("/changes/{link}?view=inline"), Text("change-inline"), view == ChangeLayout::Inline))
        }
        @if view == ChangeLayout::Sides {
            div.diff-head aria-hidden="true" { span {} span { (Text("change-before")) } span { (Text("change-after")) } }
        }
        div.diff .two[view == ChangeLayout::Sides] { @for line in &lines { (line_of(line, view)) } }
        @if rest > 0 { p.soft { (Text("change-rest").with("count", rest)) } }
        p.soft.small { (Text("change-legend")) }
    }
}

/// Renders the language model's sentence about the change, or the reason why there is none.
pub(crate) fn explained(explanation: &ChangeExplanation) -> Markup {
    let reason = || [("reason", message_text(model::reason_words(explanation.reason.as_deref())))];
    html! {
        @match explanation.state {
            ModelTaskState::Requested => { p.soft { (Text("change-explanation-pending")) } },
            ModelTaskState::Failed => { p.soft { (Text("change-explanation-none").markup(&reason())) } },
            ModelTaskState::Ready => {
                p { bdi { (explanation.sentence.as_deref().unwrap_or_default()) } }
                p.soft.small {
                    (Text("change-explanation-by").markup(&[("name", html! { bdi { (explanation.model.as_deref().unwrap_or_default()) } })]))
                    @if explanation.is_withheld { " " (Text("change-explanation-withheld")) }
                    @else if explanation.is_relevant == Some(false) { " " (Text("change-explanation-irrelevant")) }
                }
            },
        }
    }
}

/// Renders the name of the monitor. For the owner, it is a link.
fn monitor_name(app: &App, name: &str, owner: Option<&OwnerLinks>) -> Markup {
    html! { @match owner {
        Some(owner) => a href={ (app.settings.origins.auth.as_str()) "/monitors/" (owner.monitor) } { bdi { (name) } },
        None => strong { bdi { (name) } },
    } }
}

/// Renders the screenshots before and after the change. Their alternative texts state the percentage of the picture
/// that changed.
fn screenshots(change_view: &ChangeView, link: &str) -> Markup {
    let operation = change_view.change.operations.first();
    html! {
        @for side in ChangeSide::ALL {
            @let (name, text) = match side {
                ChangeSide::Before => (Text("change-before"), operation.and_then(|operation| operation.before.as_deref())),
                ChangeSide::After => (Text("change-after"), operation.and_then(|operation| operation.after.as_deref())),
            };
            @let size = text.map_or_else(|| Text("change-unknown-size").get(), str::to_owned);
            @let caption = format!("{}: {size}", name.get());
            figure.file {
                @if change_view.screenshots.contains(&side) {
                    img src={ "/changes/" (link) "/" (side.file_name()) } alt=(caption) loading="lazy";
                    figcaption { (caption) }
                } @else {
                    figcaption { (caption) ". " (Text("change-no-screenshot")) }
                }
            }
        }
    }
}

fn neighbours(adjacent: &AdjacentChanges) -> Markup {
    html! {
        span.neighbours {
            @if let Some(earlier) = &adjacent.previous { a rel="prev" href=(earlier) { (Text("change-earlier")) } }
            @if let Some(next) = &adjacent.next { a rel="next" href=(next) { (Text("change-later")) } }
        }
    }
}

fn tab(path: &str, name: Text, is_current: bool) -> Markup {
    html! { @if is_current { a href=(path) aria-current="page" { (name) } } @else { a href=(path) { (name) } } }
}

/// Formats `2026-11-20T12:00:00.000Z` as `2026-11-20, 12:00 UTC`.
fn minute_of(at: &str) -> String {
    let minute = at.get(..16).unwrap_or(at);
    format!("{} UTC", minute.replace('T', ", "))
}

fn tally(operations: &[Operation]) -> String {
    let count = |op: Op| operations.iter().filter(|operation| operation.op == op).count();
    let counts: Vec<String> = Op::ALL
        .iter()
        .map(|op| (count(*op), op))
        .filter(|(count, _)| *count > 0)
        .map(|(count, op)| count_text(*op).with("count", count).get())
        .collect();
    formats::list(&counts)
}

const fn count_text(op: Op) -> Text {
    match op {
        Op::Added => Text("change-count-added"),
        Op::Removed => Text("change-count-removed"),
        Op::Changed => Text("change-count-changed"),
        Op::Moved => Text("change-count-moved"),
    }
}

/// Renders one line of the change.
fn line_of(line: &ContextLine<'_>, view: ChangeLayout) -> Markup {
    match line {
        ContextLine::Section(heading) => html! { h2 { (heading) } },
        ContextLine::Skipped(count) => {
            html! { p.skipped { (Text("change-unchanged").with("count", *count)) } }
        }
        ContextLine::Same(text) => html! {
            div.line {
                p.same { (text) }
                @if view == ChangeLayout::Sides { p.same.again aria-hidden="true" { (text) } }
            }
        },
        ContextLine::Changed(operation) => html! {
            div.line {
                @if let Some(label) = label(operation) { p.side-label { (label) } }
                p class={ "sign " (operation.op.as_str()) } { (word(operation.op)) }
                @if operation.kind == Kind::Whole {
                    p.now { (Text("change-whole")) }
                } @else {
                    @match view { ChangeLayout::Sides => (sides(operation)), ChangeLayout::Inline => (inline(operation)) }
                }
            }
        },
    }
}

/// Renders the old and the new text side by side. A side without content is empty.
fn sides(operation: &Operation) -> Markup {
    let row = row(operation);
    let is_both = operation.before.is_some() && operation.after.is_some();
    let side = |name: Text, parts: &[DiffSegment], link: Option<&str>| {
        html! {
            @if is_both { b { (name) " " } }
            (diff_text(parts))
            @if let Some(link) = link { span.link.small { (Text("change-link").markup(&[("link", html! { bdi { (link) } })])) } }
        }
    };
    let is_link = operation.op == Op::Changed
        && operation.kind != Kind::Url
        && (operation.link_before.is_some() || operation.before == operation.after);
    let link_before = row.left_link.as_deref().filter(|_| is_link);
    let link_after = row.right_link.as_deref().filter(|_| is_link);
    html! {
        @if !row.left.is_empty() || link_before.is_some() {
            p.was { (side(Text("change-before-value"), &row.left, link_before)) }
        }
        @if !row.right.is_empty() || link_after.is_some() {
            p.now { (side(Text("change-after-value"), &row.right, link_after)) (difference(operation)) }
        }
    }
}

fn inline(operation: &Operation) -> Markup {
    html! {
        p.now {
            (diff_text(&segments(operation)))
            @if let Some(before) = &operation.link_before { span.link.small { (Text("change-link").markup(&[("link", html! { del { (before) } })])) } }
            @if let Some(link) = operation.link.as_deref().filter(|_| operation.link_before.is_some()) { span.link.small { (Text("change-link").markup(&[("link", html! { ins { (link) } })])) } }
            (difference(operation))
        }
    }
}

/// Renders the amount by which a number rose or fell. The amount has no plus or minus sign, which could be
/// mistaken for the sign of the number.
fn difference(operation: &Operation) -> Markup {
    let Some(difference) = &operation.difference else { return html! {} };
    let amount = difference.trim_start_matches(['+', '−']);
    let text = if difference.starts_with('−') { Text("change-fell") } else { Text("change-rose") };
    html! { span.by.small { " " (text.with("amount", amount)) } }
}

/// Returns the name of the changed value. `None` if the text itself names it.
fn label(operation: &Operation) -> Option<String> {
    match (&operation.item, &operation.field) {
        (Some(item), Some(field)) => Some(format!("{item} · {field}")),
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (None, None) => operation.link.clone().filter(|_| operation.kind == Kind::Url),
    }
}

fn word(op: Op) -> Text {
    match op {
        Op::Added => Text("change-new"),
        Op::Removed => Text("change-removed"),
        Op::Changed => Text("change-changed"),
        Op::Moved => Text("change-moved"),
    }
}

/// Renders a text in which removed and added parts are distinguishable without colour.
fn diff_text(parts: &[DiffSegment]) -> Markup {
    html! {
        @for part in parts {
            @match part.side {
                Side::Same => { (part.text) },
                Side::Removed => { del { span.hidden { " " (Text("change-removed-part")) " " } (part.text) } },
                Side::Added => { ins { span.hidden { " " (Text("change-added-part")) " " } (part.text) } },
            }
        }
    }
}
