//! Actions on a monitor: run now, pause, resume, replace the feed link, delete.

use articles::Payer;
use kernel::{ChannelId, Error, MonitorGroupId, MonitorId};
use maud::html;
use monitors::{Edit, ListFilter, ListRange, MAX_BULK, Status};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::frame::{find, path, respond};
use super::listing::{MAX_LISTED, grouped, tagged};
use crate::form_input::comma_separated;
use crate::language::text::Text;
use crate::page::form::Form;
use crate::page::form::FormToken;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use http_kit::app::App;

#[handler]
pub(crate) async fn run(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    let payer = Payer { account_id: user.account.id, tier: user.account.tier };
    let accepted = monitors::run_now(&request.app.domain, payer, id).await?;
    let run = request.app.engine.dispatch(accepted).await;
    Ok(redirect(&format!("{}?running={}", path(id), run.id)))
}

#[handler]
pub(crate) async fn pause(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    set(&request.app, user.account.id, id, Status::Paused).await?;
    Ok(back(id, "changed"))
}

#[handler]
pub(crate) async fn resume(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    set(&request.app, user.account.id, id, Status::Active).await?;
    Ok(back(id, "changed"))
}

/// Discards all noise masks of a monitor.
#[handler]
pub(crate) async fn watch_all(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    let edit = Edit { drop_masks: true, ..Edit::default() };
    monitors::update(&request.app.domain, user.account.id, id, edit).await?;
    Ok(back(id, "changed"))
}

/// Changes the monitors that are selected in the list, or pauses or resumes all monitors with a tag. Monitors
/// that would exceed the plan's limits are not changed.
#[handler]
pub(crate) async fn change_selected(request: PageRequest, user: User, form: Form) -> PageResult {
    let tag = form.get("tag");
    let ids: Vec<MonitorId> = if form.get("act").ends_with("-tag") {
        let range = ListRange::first(MAX_LISTED);
        let all = monitors::list(&request.app.domain, user.account.id, ListFilter::default(), range)
            .await?
            .monitors;
        all.iter().filter(|monitor| monitors::has_tag(monitor, tag)).map(|monitor| monitor.id).collect()
    } else {
        form.all("id").filter_map(|id| id.parse().ok()).take(MAX_LISTED as usize).collect()
    };
    let edit = selected_edit(&form);
    let (mut done, mut left) = (0_usize, 0_usize);
    for ids in ids.chunks(MAX_BULK) {
        let changed = monitors::update_many(&request.app.domain, user.account.id, ids, &edit).await?;
        done += changed.monitors.len();
        left += changed.refused.len();
    }
    let group = form.get("group").parse::<MonitorGroupId>().ok();
    let list = match group {
        Some(group) => format!("{}&", grouped(group)),
        None if tag.is_empty() => "/monitors?".to_owned(),
        None => format!("{}&", tagged(tag)),
    };
    Ok(redirect(&format!("{list}done={done}&left={left}")))
}

/// Reads the requested change from a form that edits several monitors.
fn selected_edit(form: &Form) -> Edit {
    let act = form.get("act");
    if act != "change" {
        let status = if act.starts_with("resume") { Status::Active } else { Status::Paused };
        return Edit { status: Some(status), ..Edit::default() };
    }
    let tags = |name: &str| -> Vec<String> { comma_separated(form.get(name)).map(str::to_owned).collect() };
    let channels =
        |name: &str| -> Vec<ChannelId> { form.get(name).parse::<ChannelId>().into_iter().collect() };
    Edit {
        interval_minutes: form.get("intervalMinutes").parse().ok(),
        add_tags: tags("addTags"),
        remove_tags: tags("removeTags"),
        add_notify: channels("addNotify"),
        remove_notify: channels("removeNotify"),
        group: match form.get("groupId") {
            "none" => Some(None),
            id => id.parse().ok().map(Some),
        },
        ..Edit::default()
    }
}

/// Replaces the feed link of a monitor.
#[handler]
pub(crate) async fn rotate(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    monitors::rotate_feed(&request.app.domain, user.account.id, id).await?;
    Ok(back(id, "rotated"))
}

/// Asks for confirmation before the feed link is replaced.
#[handler]
pub(crate) async fn show_rotate(request: PageRequest, user: User, Path(id): Path<MonitorId>) -> PageResult {
    let monitor = find(&request, &user, id).await?;
    let token = FormToken::of(&request);
    let content = html! {
        h1 { (Text("monitor-rotate-question").markup(&[("name", html! { bdi { (monitor.name) } })])) }
        p.notice.bad { (Text("monitor-rotate-words")) }
        form method="post" action={ (path(monitor.id)) "/rotate-feed" } {
            (token.field())
            div.row { button.danger type="submit" { (Text("monitor-rotate")) } a.button.secondary href=(path(monitor.id)) { (Text("feed-cancel")) } }
        }
    };
    let title = format!("{} · {}", Text("monitor-rotate").get(), Text("nav-monitors").get());
    Ok(respond(&request, StatusCode::OK, &title, &content))
}

/// Redirects to the monitor's page. `done` selects the message about the action.
fn back(id: MonitorId, done: &str) -> Response {
    redirect(&format!("{}?{done}", path(id)))
}

async fn set(app: &App, account_id: kernel::AccountId, id: MonitorId, status: Status) -> Result<(), Error> {
    let edit = Edit { status: Some(status), ..Edit::default() };
    monitors::update(&app.domain, account_id, id, edit).await.map(drop)
}

/// Asks for confirmation before a monitor is deleted.
#[handler]
pub(crate) async fn show_delete(request: PageRequest, user: User, Path(id): Path<MonitorId>) -> PageResult {
    let monitor = find(&request, &user, id).await?;
    let token = FormToken::of(&request);
    let content = html! {
        h1 { (Text("monitor-delete-question").markup(&[("name", html! { bdi { (monitor.name) } })])) }
        p.notice.bad { (Text("monitor-delete-words")) }
        form method="post" action={ (path(monitor.id)) "/delete" } {
            (token.field())
            div.row { button.danger type="submit" { (Text("monitor-delete-button")) } a.button.secondary href=(path(monitor.id)) { (Text("feed-cancel")) } }
        }
    };
    let title = format!("{} · {}", Text("form-delete").get(), Text("nav-monitors").get());
    Ok(respond(&request, StatusCode::OK, &title, &content))
}

#[handler]
pub(crate) async fn delete(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    let monitor = find(&request, &user, id).await?;
    monitors::delete(&request.app.domain, user.account.id, monitor.id).await?;
    Ok(redirect("/monitors?deleted"))
}
