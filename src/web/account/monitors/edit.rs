//! Editing a monitor: its name, its interval, what is reported; with a preview of what that makes of past changes.

use domain::Error;
use domain::MonitorId;
use domain::bounds::MONITOR_NAME_CHARS;
use domain::monitors::{self, Edit, Monitor, ReplayedChange};
use extract::watch::{Ignore, TriggerKind};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::form::{FormError, FormToken};
use super::super::parts::time;
use super::super::{Answer, Form, PageRequest, User, redirect};
use super::form::{MonitorInput, form_error_of, interval_field, line, trigger_fields};
use super::{find, path, respond};

/// The form as the monitor stands.
#[handler]
pub(crate) async fn show_edit(request: PageRequest, user: User, Path(id): Path<MonitorId>) -> Answer {
    let monitor = find(&request, &user, id).await?;
    let input = input_of_monitor(&monitor);
    Ok(page(&request, &user, (StatusCode::OK, &monitor), &input, &FormError::default(), None))
}

/// Changes the monitor, or shows which of its changes would be left.
#[handler]
pub(crate) async fn update(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<MonitorId>,
) -> Answer {
    let monitor = find(&request, &user, id).await?;
    let input = MonitorInput::of(&form);
    let outcome = if form.get("act") == "preview" {
        preview_changes(&request, &user, &monitor, &input).await.map(Some)
    } else {
        save(&request, &user, &monitor, &input).await.map(|()| None)
    };
    match outcome {
        Ok(None) => Ok(redirect(&format!("{}?changed", path(monitor.id)))),
        Ok(Some(found)) => {
            Ok(page(&request, &user, (StatusCode::OK, &monitor), &input, &FormError::default(), Some(&found)))
        }
        Err(error) => {
            let form_error = form_error_of(error)?;
            Ok(page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, &monitor), &input, &form_error, None))
        }
    }
}

/// Rules that the form does not show stay as they are.
fn edit(monitor: &Monitor, input: &MonitorInput) -> Result<Edit, Error> {
    let hidden = monitor.definition.ignore.iter().filter(|rule| !matches!(rule, Ignore::Text(_)));
    let ignore = input.ignored().into_iter().chain(hidden.cloned()).collect();
    let mut trigger = input.trigger();
    trigger.field.clone_from(&monitor.definition.trigger.field);
    Ok(Edit {
        name: Some(input.name.clone()),
        interval_minutes: input.minutes()?,
        ignore: Some(ignore),
        trigger: Some(trigger),
        ..Edit::default()
    })
}

async fn preview_changes(
    request: &PageRequest,
    user: &User,
    monitor: &Monitor,
    input: &MonitorInput,
) -> Result<Vec<ReplayedChange>, Error> {
    let edit = edit(monitor, input)?;
    monitors::replay_changes(&request.app.domain, user.account.id, monitor.id, &edit).await
}

async fn save(
    request: &PageRequest,
    user: &User,
    monitor: &Monitor,
    input: &MonitorInput,
) -> Result<(), Error> {
    let app = &request.app;
    let edit = edit(monitor, input)?;
    monitors::update(&app.domain, user.account.id, monitor.id, edit).await.map(drop)
}

fn input_of_monitor(monitor: &Monitor) -> MonitorInput {
    let texts = monitor.definition.ignore.iter().filter_map(|rule| match rule {
        Ignore::Text(text) => Some(text.as_str()),
        Ignore::Regex(_) | Ignore::Selector(_) => None,
    });
    let trigger = match monitor.definition.trigger.kind {
        TriggerKind::Any => "any",
        TriggerKind::TextAppears => "text_appears",
        TriggerKind::TextDisappears => "text_disappears",
        TriggerKind::Above => "above",
        TriggerKind::Below => "below",
        TriggerKind::Share => "share",
    };
    MonitorInput {
        name: monitor.name.clone(),
        minutes: monitor.interval_minutes.to_string(),
        ignore: texts.collect::<Vec<_>>().join("\n"),
        trigger: trigger.to_owned(),
        value: monitor.definition.trigger.value.clone().unwrap_or_default(),
        ..MonitorInput::default()
    }
}

fn page(
    request: &PageRequest,
    user: &User,
    (status, monitor): (StatusCode, &Monitor),
    input: &MonitorInput,
    form_error: &FormError,
    found: Option<&[ReplayedChange]>,
) -> Response {
    let token = FormToken::of(request);
    let least = request.app.domain.limits().of(user.account.tier).web_monitor_minimum_interval_minutes;
    let content = html! {
        p.soft { a href="/monitors" { "Monitors" } " / " a href=(path(monitor.id)) { (monitor.name) } }
        h1 { "Edit " (monitor.name) }
        (form_error.summary())
        @if let Some(found) = found { (remaining(found, request.app.domain.now())) }
        form.stack method="post" action={ (path(monitor.id)) "/edit" } {
            (token.field())
            (line("name", "Name", &format!("1 to {MONITOR_NAME_CHARS} characters."), &input.name, true).show(form_error))
            (interval_field(input, least, form_error))
            (trigger_fields(input, form_error))
            div.row {
                button type="submit" name="act" value="save" { "Save" }
                button.quiet type="submit" name="act" value="preview" { "Try it on past changes" }
                a.button.quiet href=(path(monitor.id)) { "Cancel" }
            }
        }
    };
    respond(&request.app, status, "Edit · Monitors", &content)
}

fn remaining(found: &[ReplayedChange], now: domain::Millis) -> Markup {
    let left = found.iter().filter(|change| change.would_notify == Some(true)).count();
    html! {
        section.notice aria-label="Past changes" {
            p { strong { "With these settings, " (left) " of the last " (found.len()) " changes would have been reported." } }
            ul { @for one in found {
                li {
                    @match one.would_notify { Some(true) => "reported: ", Some(false) => "not reported: ", None => "unknown: " }
                    (one.change.title) " " span.soft.small { (time(one.change.detected_at, now)) }
                }
            } }
        }
    }
}
