//! Search in the changes of all monitors.

use kernel::{ChangeId, Millis};
use maud::{Markup, html};
use monitors::{ListRange, MAX_SEARCH_CHARS, MatchedChange};
use poem::handler;
use poem::http::StatusCode;
use url::form_urlencoded;

use super::frame::{path, respond};
use crate::change_text::change_text;
use crate::language::text::Text;
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};

/// Changes per page.
const LISTED: u32 = 50;

#[handler]
pub(crate) async fn show_search(request: PageRequest, user: User) -> PageResult {
    let domain = &request.app.domain;
    let text: String = request.parameter("q").chars().take(MAX_SEARCH_CHARS).collect();
    let page = ListRange { after: request.parameter("before").parse::<ChangeId>().ok(), limit: LISTED };
    let matched = monitors::search_changes(domain, user.account.id, &text, page).await?;
    let now = domain.now();
    let content = html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } }
        h1 { (Text("today-changes")) }
        form.row method="get" action="/monitors/changes" role="search" {
            label.hidden for="q" { (Text("changes-search")) }
            input #q type="search" name="q" value=(text) maxlength=(MAX_SEARCH_CHARS);
            button type="submit" { (Text("find")) }
        }
        @if matched.changes.is_empty() {
            p.soft { @if matched.next_after.is_some() { (Text("changes-no-match-newest")) } @else { (Text("changes-no-match")) } }
        } @else {
            ul.plain { @for change in &matched.changes { (line(change, now)) } }
        }
        @if let Some(next) = matched.next_after { p { a.button.secondary href=(older(&text, next)) { (Text("changes-older")) } } }
    };
    let title = format!("{} · {}", Text("today-changes").get(), Text("nav-monitors").get());
    Ok(respond(&request, StatusCode::OK, &title, &content))
}

fn line(change: &MatchedChange, now: Millis) -> Markup {
    let text = change_text(&change.title, &change.summary);
    html! {
        li {
            a href=(change.link) { bdi { (text.title) } } " " span.soft.small { (time(change.detected_at, now)) }
            br; span.small { a href=(path(change.monitor_id)) { bdi { (change.monitor) } } @if text.summary != text.title { ": " bdi { (text.summary) } } }
        }
    }
}

/// Returns the address of the changes before `before`.
fn older(text: &str, before: ChangeId) -> String {
    let text: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    format!("/monitors/changes?q={text}&before={before}")
}
