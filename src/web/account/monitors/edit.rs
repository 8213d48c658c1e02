//! Changing a monitor: its name, its rhythm, what is told; with a look at what that makes of past changes.

use domain::Error;
use domain::MonitorId;
use domain::monitors::{self, Edit, Monitor, Reconsidered};
use extract::watch::{Ignore, TriggerKind};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::super::form::{Fault, Token};
use super::super::parts::time;
use super::super::{Answer, Form, PageRequest, User, redirect};
use super::form::{Typed, fault_of, line, rhythm, told};
use super::{find, path, respond};

/// The form as the monitor stands.
#[handler]
pub(crate) async fn show_edit(request: PageRequest, user: User, Path(id): Path<MonitorId>) -> Answer {
    let monitor = find(&request, &user, id).await?;
    let typed = typed_of(&monitor);
    Ok(page(&request, &user, (StatusCode::OK, &monitor), &typed, &Fault::default(), None))
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
    let typed = Typed::of(&form);
    let outcome = if form.get("act") == "preview" {
        try_out(&request, &user, &monitor, &typed).await.map(Some)
    } else {
        carry_out(&request, &user, &monitor, &typed).await.map(|()| None)
    };
    match outcome {
        Ok(None) => Ok(redirect(&format!("{}?changed", path(monitor.id)))),
        Ok(Some(found)) => {
            Ok(page(&request, &user, (StatusCode::OK, &monitor), &typed, &Fault::default(), Some(&found)))
        }
        Err(error) => {
            let fault = fault_of(error)?;
            Ok(page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, &monitor), &typed, &fault, None))
        }
    }
}

/// Rules that the form does not show stay as they are.
fn edit(monitor: &Monitor, typed: &Typed) -> Result<Edit, Error> {
    let hidden = monitor.definition.ignore.iter().filter(|rule| !matches!(rule, Ignore::Text(_)));
    let ignore = typed.ignored().into_iter().chain(hidden.cloned()).collect();
    let mut trigger = typed.told();
    trigger.field.clone_from(&monitor.definition.trigger.field);
    Ok(Edit {
        name: Some(typed.name.clone()),
        interval_minutes: typed.minutes()?,
        ignore: Some(ignore),
        trigger: Some(trigger),
        ..Edit::default()
    })
}

async fn try_out(
    request: &PageRequest,
    user: &User,
    monitor: &Monitor,
    typed: &Typed,
) -> Result<Vec<Reconsidered>, Error> {
    let edit = edit(monitor, typed)?;
    monitors::reconsider(&request.app.domain, user.account.id, monitor.id, &edit).await
}

async fn carry_out(
    request: &PageRequest,
    user: &User,
    monitor: &Monitor,
    typed: &Typed,
) -> Result<(), Error> {
    let app = &request.app;
    let edit = edit(monitor, typed)?;
    monitors::update(&app.domain, user.account.id, monitor.id, edit).await.map(drop)
}

fn typed_of(monitor: &Monitor) -> Typed {
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
    Typed {
        name: monitor.name.clone(),
        minutes: monitor.interval_minutes.to_string(),
        ignore: texts.collect::<Vec<_>>().join("\n"),
        trigger: trigger.to_owned(),
        value: monitor.definition.trigger.value.clone().unwrap_or_default(),
        ..Typed::default()
    }
}

fn page(
    request: &PageRequest,
    user: &User,
    (status, monitor): (StatusCode, &Monitor),
    typed: &Typed,
    fault: &Fault,
    found: Option<&[Reconsidered]>,
) -> Response {
    let token = Token::of(request);
    let least = request.app.domain.limits().of(user.account.tier).web_monitor_minimum_interval_minutes;
    let content = html! {
        p.soft { a href="/monitors" { "Monitors" } " / " a href=(path(monitor.id)) { (monitor.name) } }
        h1 { "Change " (monitor.name) }
        (fault.general())
        @if let Some(found) = found { (remaining(found, request.app.domain.now())) }
        form.stack method="post" action={ (path(monitor.id)) "/edit" } {
            (token.field())
            (line("name", "Name", "1 to 120 characters.", &typed.name, true).show(fault))
            (rhythm(typed, least, fault))
            (told(typed, fault))
            div.row {
                button type="submit" name="act" value="save" { "Save" }
                button.quiet type="submit" name="act" value="preview" { "Try it on past changes" }
                a.button.quiet href=(path(monitor.id)) { "Leave it" }
            }
        }
    };
    respond(&request.app, status, "Change · Monitors", &content)
}

fn remaining(found: &[Reconsidered], now: domain::Millis) -> Markup {
    let left = found.iter().filter(|change| change.remains == Some(true)).count();
    html! {
        section.notice aria-label="Past changes" {
            p { strong { "With this, " (left) " of the last " (found.len()) " changes would have been told." } }
            ul { @for one in found {
                li {
                    @match one.remains { Some(true) => "told: ", Some(false) => "not told: ", None => "unknown: " }
                    (one.change.title) " " span.soft.small { (time(one.change.detected_at, now)) }
                }
            } }
        }
    }
}
