//! Editing of a monitor: everything except its type, with a preview of the effect on past changes.

use kernel::{Error, MonitorId};
use maud::{Markup, html};
use monitors::{Monitor, ReplayedChange};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::frame::{find, path, respond};
use super::input::{MonitorInput, Naming};
use super::steps::{StepParts, StepValues, empty_preview, preview_frame, steps};
use super::words;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Renders the form with the monitor's current settings.
#[handler]
pub(crate) async fn show_edit(request: PageRequest, user: User, Path(id): Path<MonitorId>) -> PageResult {
    let monitor = find(&request, &user, id).await?;
    let input = MonitorInput::of_monitor(&monitor).with_channels(&request, &user).await?;
    Ok(page(&request, &user, (StatusCode::OK, &monitor), &input, &FormError::default(), None))
}

/// Saves the settings, or previews which past changes would be reported with them.
#[handler]
pub(crate) async fn update(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    let monitor = find(&request, &user, id).await?;
    let input = MonitorInput::of_edit(&form, &monitor).with_channels(&request, &user).await?;
    let missing = input.missing(Naming::Required);
    if missing.is_some() {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return Ok(page(&request, &user, (status, &monitor), &input, &missing, None));
    }
    let outcome = if form.get("act") == "preview" {
        preview_changes(&request, &user, &monitor, &input).await.map(Some)
    } else {
        save(&request, &user, &monitor, &input).await.map(|()| None)
    };
    match outcome {
        Ok(None) => Ok(redirect(&format!("{}?changed", path(monitor.id)))),
        Ok(Some(replayed)) => Ok(page(
            &request,
            &user,
            (StatusCode::OK, &monitor),
            &input,
            &FormError::default(),
            Some(&replayed),
        )),
        Err(error) => {
            let form_error = words::form_error(error, least_minutes(&request, &user))?;
            Ok(page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, &monitor), &input, &form_error, None))
        }
    }
}

async fn preview_changes(
    request: &PageRequest,
    user: &User,
    monitor: &Monitor,
    input: &MonitorInput,
) -> Result<Vec<ReplayedChange>, Error> {
    let domain = &request.app.domain;
    let edit = input.edit(domain, monitor)?;
    let replay = monitors::replay_changes(domain, user.account.id, monitor.id, &edit).await?;
    Ok(replay.changes)
}

async fn save(
    request: &PageRequest,
    user: &User,
    monitor: &Monitor,
    input: &MonitorInput,
) -> Result<(), Error> {
    let domain = &request.app.domain;
    monitors::update(domain, user.account.id, monitor.id, input.edit(domain, monitor)?).await.map(drop)
}

fn least_minutes(request: &PageRequest, user: &User) -> u32 {
    request.app.domain.policy().tiers.of(user.account.tier).web_monitor_minimum_interval_minutes
}

fn page(
    request: &PageRequest,
    user: &User,
    (status, monitor): (StatusCode, &Monitor),
    input: &MonitorInput,
    form_error: &FormError,
    replayed: Option<&[ReplayedChange]>,
) -> Response {
    let token = FormToken::of(request);
    let proxies: Vec<&str> = request.app.domain.policy().fetch.proxies.names().collect();
    let preview = match replayed {
        Some(replayed) => remaining(replayed, request.app.domain.now()),
        None => empty_preview(&Text("monitor-edit-preview-empty").get()),
    };
    let values = StepValues {
        input,
        types: &[monitor.target_type],
        proxies: &proxies,
        least_minutes: least_minutes(request, user),
        form_error,
    };
    let content = html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } " / " a href=(path(monitor.id)) { bdi { (monitor.name) } } }
        h1 { (Text("monitor-edit-heading").markup(&[("name", html! { bdi { (monitor.name) } })])) }
        (form_error.summary())
        form.stack.steps method="post" action={ (path(monitor.id)) "/edit" } {
            (token.field())
            (steps(&values, &parts(monitor, preview)))
        }
    };
    let title = format!("{} · {}", Text("form-edit").get(), Text("nav-monitors").get());
    respond(request, status, &title, &content)
}

/// Returns the parts of the form for existing monitors: the effect on past changes, and the buttons below the
/// last step. The type is fixed.
fn parts(monitor: &Monitor, preview: Markup) -> StepParts {
    let path = path(monitor.id);
    StepParts {
        kinds: html! {},
        source_end: html! {
            p.rule { (Text("monitor-edit-baseline")) }
        },
        preview,
        name_hint: None,
        buttons: html! {
            button type="submit" name="act" value="save" { (Text("form-save")) }
            button.secondary type="submit" name="act" value="preview" formaction={ (path) "/edit#preview" } { (Text("monitor-edit-preview")) }
            a.button.secondary href=(path) { (Text("feed-cancel")) }
        },
    }
}

/// Lists the past changes, and reports for each whether it would have caused a message with the settings of
/// the form.
fn remaining(replayed: &[ReplayedChange], now: kernel::Millis) -> Markup {
    let left = replayed.iter().filter(|change| change.would_notify == Some(true)).count();
    let content = html! {
        p { strong { (Text("monitor-edit-replayed").with("left", left).with("count", replayed.len())) } }
        ul { @for one in replayed {
            li {
                (outcome(one.would_notify).markup(&[("change", html! { bdi { (one.change.title) } })])) " " span.soft.small { (time(one.change.detected_at, now)) }
            }
        } }
    };
    preview_frame(&Text("monitor-edit-past").get(), &content)
}

/// Returns the text about a past change. `would_notify` is `None` if it is unknown whether it would be reported.
fn outcome(would_notify: Option<bool>) -> Text {
    match would_notify {
        Some(true) => Text("monitor-edit-reported"),
        Some(false) => Text("monitor-edit-not-reported"),
        None => Text("monitor-edit-unknown"),
    }
}
