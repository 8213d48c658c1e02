//! Tags and monitors that teams share with the person, with their pages and changes. Editors add pages to a tag
//! and remove them.

use articles::typed_address;
use identity::teams::TeamRole;
use kernel::{Code, Error, ItemId, Millis, MonitorId, TeamId, looks_like_a_secret};
use library::{NewSharedItem, PageStart, SAVE_TIMEOUT, SharedTag, SharedTagPage, TagItem};
use maud::{Markup, html};
use monitors::{SharedChange, SharedMonitor};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;
use tokio::time::Instant;

use super::super::frame::{ROWS, Section, link, notice, pager, redirect_done, respond, respond_with};
use super::item_list::position_of;
use crate::change_text::change_text;
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{RequiredField, success, time};
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 2] = [("added", Text("shared-added")), ("removed", Text("shared-removed"))];

/// Lists the shared tags and monitors by team.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let mut tags = library::list_shared_tags(domain, account_id).await?;
    sort_by_name(&mut tags, |tag| &tag.name);
    tags.sort_by_key(|tag| tag.team_id);
    sort_by_name(&mut tags, |tag| &tag.team_name);
    let mut monitors = monitors::list_shared_monitors(domain, account_id).await?;
    sort_by_name(&mut monitors, |monitor| &monitor.name);
    monitors.sort_by_key(|monitor| monitor.team_id);
    sort_by_name(&mut monitors, |monitor| &monitor.team_name);
    let now = domain.now();
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("items-shared")) }
        @if request.uri.query() == Some("joined") { (success(&Text("shared-joined"))) }
        @if tags.is_empty() && monitors.is_empty() {
            p { (Text("shared-none")) }
        }
        @if !tags.is_empty() {
            h2 { (Text("items-tags")) }
            ul.rows { @for tag in &tags { (tag_row(tag)) } }
        }
        @if !monitors.is_empty() {
            h2 { (Text("nav-monitors")) }
            ul.rows { @for monitor in &monitors { (monitor_row(monitor, now)) } }
        }
        p { a href="/settings/teams" { (Text("shared-teams")) } }
    };
    let title = format!("{} · {}", Text("items-shared").get(), Text("nav-library").get());
    Ok(respond(&request, Section::Library, &title, &content))
}

fn tag_row(tag: &SharedTag) -> Markup {
    html! {
        li {
            h3 { a href=(tag_path(tag.team_id, &tag.name)) { bdi { (tag.name) } } }
            p.meta { bdi { (tag.team_name) } " · " bdi { (tag.owner_email) } @if tag.role == TeamRole::Editor { " · " (Text("shared-can-add")) } }
        }
    }
}

fn monitor_row(monitor: &SharedMonitor, now: Millis) -> Markup {
    html! {
        li {
            h3 { a href={ (team_path(monitor.team_id)) "/monitors/" (monitor.monitor_id) } { bdi { (monitor.name) } } }
            p.meta {
                bdi { (monitor.team_name) } " · " bdi { (monitor.owner_email) } " · "
                @match monitor.last_change_at { Some(at) => { (Text("items-changed").markup(&[("time", time(at, now))])) }, None => { (Text("shared-no-changes")) } }
            }
        }
    }
}

fn team_path(id: TeamId) -> String {
    format!("/library/shared/{id}")
}

fn tag_path(id: TeamId, tag: &str) -> String {
    link(&team_path(id), &[("tag", tag)])
}

/// Lists the items of a shared tag.
#[handler]
pub(in crate::desk) async fn show_tag(
    request: PageRequest,
    user: User,
    Path(id): Path<TeamId>,
) -> PageResult {
    let tag = request.parameter("tag");
    tag_page(&request, &user, (id, &tag), ("", &FormError::default())).await
}

/// Adds a page to a shared tag, or removes it.
#[handler]
pub(in crate::desk) async fn change_tag(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<TeamId>,
) -> PageResult {
    let (tag, typed) = (form.get("tag"), form.get("url"));
    let (changed, done) = if form.get("act") == "remove" {
        (remove(&request, &user, id, &form).await, "removed")
    } else {
        (add(&request, &user, (id, tag), typed).await, "added")
    };
    match changed {
        Ok(()) => Ok(redirect_done(&tag_path(id, tag), done)),
        Err(error) => {
            let form_error = FormError::of(error)?;
            tag_page(&request, &user, (id, tag), (typed, &form_error)).await
        }
    }
}

async fn remove(request: &PageRequest, user: &User, id: TeamId, form: &Form) -> Result<(), Error> {
    let item: ItemId = form.get("item").parse().map_err(|_| kernel::error::not_found("item"))?;
    library::remove_shared_item(&request.app.domain, user.account.id, id, form.get("tag"), item).await
}

async fn add(
    request: &PageRequest,
    user: &User,
    (team_id, tag): (TeamId, &str),
    typed: &str,
) -> Result<(), Error> {
    let app = &request.app;
    let url = typed_address(typed.trim());
    if looks_like_a_secret(&url) {
        let message = "The address contains an API key or token. Revoke it.";
        return Err(Error::new(Code::InvalidRequest, message).at("url", message));
    }
    let deadline = Instant::now() + SAVE_TIMEOUT;
    let new = NewSharedItem { team_id, tag: tag.to_owned(), url };
    let progress = library::add_shared_item(&app.domain, &app.sandbox, user.account.id, new).await?;
    app.engine.await_result(progress, deadline).await.map(drop)
}

async fn tag_page(
    request: &PageRequest,
    user: &User,
    (id, tag): (TeamId, &str),
    (typed, form_error): (&str, &FormError),
) -> PageResult {
    let start = PageStart { after: position_of(&request.parameter("after")), limit: ROWS };
    let shared = library::list_shared_items(&request.app.domain, user.account.id, id, tag, start).await?;
    let token = FormToken::of(request);
    let now = request.app.domain.now();
    let is_editor = shared.role == TeamRole::Editor;
    let next = next_page(id, &shared);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " / " a href="/library/shared" { (Text("items-shared")) } }
        h1 { bdi { (shared.name) } }
        (notice(request, &DONE))
        (form_error.summary())
        @if is_editor { (add_form(id, &shared.name, (typed, form_error), &token)) }
        @if shared.page.items.is_empty() && next.is_none() { p.soft { (Text("shared-no-pages")) } } @else {
            h2.hidden { (Text("shared-pages")) }
            ul.rows { @for item in &shared.page.items {
                li {
                    (row(item, now))
                    @if is_editor { (remove_form(id, &shared.name, item, &token)) }
                }
            } }
        }
        (pager(next.as_deref(), &Text("shared-older")))
    };
    let status = if form_error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let title = format!("{} · {}", Text("shared-tag").get(), Text("nav-library").get());
    Ok(respond_with(request, status, Section::Library, &title, &content))
}

fn next_page(id: TeamId, shared: &SharedTagPage) -> Option<String> {
    let next = shared.page.next?;
    let after = data_encoding::BASE64URL_NOPAD.encode(&next.to_bytes());
    Some(link(&team_path(id), &[("tag", shared.name.as_str()), ("after", after.as_str())]))
}

fn row(item: &TagItem, now: Millis) -> Markup {
    html! {
        h3 { a href=(item.url) rel="noreferrer nofollow" { bdi { (item.label()) } } }
        @if let Some(excerpt) = &item.excerpt { p dir="auto" { (excerpt) } }
        p.meta { bdi { (item.url) } " · " (Text("items-saved").markup(&[("time", time(item.saved_at, now))])) " · " a href=(link("/save", &[("url", item.url.as_str())])) { (Text("shared-save")) } }
    }
}

fn add_form(id: TeamId, tag: &str, (typed, form_error): (&str, &FormError), token: &FormToken) -> Markup {
    let field = RequiredField {
        name: "url",
        label: Text("shared-add-page"),
        hint: Some(Text("shared-add-hint")),
        kind: "text",
        value: typed,
        autocomplete: "off",
    };
    html! {
        form.stack method="post" action=(team_path(id)) {
            (token.field())
            input type="hidden" name="tag" value=(tag);
            (field.show(form_error))
            div { button type="submit" name="act" value="add" { (Text("shared-add")) } }
        }
    }
}

fn remove_form(id: TeamId, tag: &str, item: &TagItem, token: &FormToken) -> Markup {
    html! {
        form method="post" action=(team_path(id)) {
            (token.field())
            input type="hidden" name="tag" value=(tag);
            input type="hidden" name="item" value=(item.id);
            button.secondary type="submit" name="act" value="remove" aria-label=(Text("shared-remove-named").with("name", item.label())) { (Text("shared-remove")) }
        }
    }
}

/// Renders the latest changes of a shared monitor.
#[handler]
pub(in crate::desk) async fn show_monitor(
    request: PageRequest,
    user: User,
    Path((id, monitor_id)): Path<(TeamId, MonitorId)>,
) -> PageResult {
    let domain = &request.app.domain;
    let monitor = monitors::view_shared_monitor(domain, user.account.id, id, monitor_id).await?;
    let now = domain.now();
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } " / " a href="/library/shared" { (Text("items-shared")) } }
        h1 { bdi { (monitor.name) } }
        h2 { (Text("shared-changes")) }
        @if monitor.changes.is_empty() { p.soft { (Text("monitor-changes-none")) } }
        @else { ul.rows { @for change in &monitor.changes { (change_row(change, now)) } } }
    };
    let title = format!("{} · {}", Text("shared-monitor").get(), Text("nav-library").get());
    Ok(respond(&request, Section::Library, &title, &content))
}

fn change_row(change: &SharedChange, now: Millis) -> Markup {
    let text = change_text(&change.title, &change.summary);
    html! {
        li {
            h3 { bdi { (text.title) } }
            @if text.summary != text.title { p dir="auto" { (text.summary) } }
            p.meta { (time(change.detected_at, now)) }
        }
    }
}
