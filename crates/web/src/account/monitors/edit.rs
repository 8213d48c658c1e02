//! Editing of a monitor: everything except its type, with a preview of the effect on past changes. If the service has
//! a browser, the watched parts can be chosen on a picture of the page.

use kernel::{Error, MonitorId};
use maud::{Markup, html};
use monitors::{Monitor, PageParts, ReplayedChange};
use poem::http::StatusCode;
use poem::web::Path;
use poem::{Response, handler};

use super::frame::{find, path, respond};
use super::input::{MonitorInput, Naming};
use super::new_step::PickPurpose;
use super::page_picture::{collapsed_picture, picture_field, picture_section};
use super::part_choice::{CHOOSABLE, FormAction, choose, known_parts, request_picture};
use super::picture_form::PictureForm;
use super::rendering_input::RENDERED;
use super::step_choice::change_steps;
use super::steps::{StepParts, StepValues, empty_preview, preview_frame, steps};
use super::words;
use crate::change_text::change_text;
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
    let content = EditFormContent::default();
    Ok(page(&request, &user, (StatusCode::OK, &monitor), &input, &FormError::default(), content))
}

/// Preview of past changes and picture that the form displays.
#[derive(Clone, Copy, Default)]
struct EditFormContent<'a> {
    replayed: Option<&'a [ReplayedChange]>,
    parts: Option<&'a PageParts>,
}

enum EditSubmitResult {
    Saved,
    Previewed(Vec<ReplayedChange>),
    /// The requested picture. `None` if the form already has a picture, on which a part was chosen.
    Pictured(Option<PageParts>),
}

/// Saves the settings, or previews which past changes would be reported with them, or displays a picture of the page.
#[handler]
pub(crate) async fn update(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<MonitorId>,
) -> PageResult {
    let monitor = find(&request, &user, id).await?;
    let mut input = MonitorInput::of_edit(&form, &monitor).with_channels(&request, &user).await?;
    if !CHOOSABLE.contains(&monitor.target_type) {
        input.pick = PickPurpose::Step;
    }
    let action = FormAction::of(&form);
    let parts = known_parts(&request, &user, &input).await?;
    let parts = parts.as_ref();
    let missing = match action {
        _ if action.is_on_picture() && !RENDERED.contains(&monitor.target_type) => {
            FormError::at_field("", "Monitors of this type have no parts to choose.")
        }
        FormAction::Submit | FormAction::Preview => input.missing(Naming::Required),
        FormAction::Picture => input.missing_address(),
        FormAction::Choose(number) => choose(&mut input, parts, number),
        FormAction::AddStep | FormAction::RemoveStep(_) => change_steps(&mut input, action),
    };
    let unsealed = input.seal_secrets(&request, &user).await?;
    let missing = if missing.is_some() { missing } else { unsealed };
    let content = EditFormContent { replayed: None, parts };
    let display = |status: StatusCode, form_error: &FormError, content: EditFormContent<'_>| -> PageResult {
        Ok(page(&request, &user, (status, &monitor), &input, form_error, content))
    };
    if missing.is_some() {
        return display(StatusCode::UNPROCESSABLE_ENTITY, &missing, content);
    }
    let no_error = FormError::default();
    match submit(&request, &user, &monitor, (&input, action)).await {
        Ok(EditSubmitResult::Saved) => Ok(redirect(&format!("{}?changed", path(monitor.id)))),
        Ok(EditSubmitResult::Previewed(replayed)) => {
            display(StatusCode::OK, &no_error, EditFormContent { replayed: Some(&replayed), parts })
        }
        Ok(EditSubmitResult::Pictured(requested)) => {
            let parts = requested.as_ref().or(parts);
            display(StatusCode::OK, &no_error, EditFormContent { replayed: None, parts })
        }
        Err(error) => {
            let form_error = words::form_error(error, least_minutes(&request, &user))?;
            display(StatusCode::UNPROCESSABLE_ENTITY, &form_error, content)
        }
    }
}

async fn submit(
    request: &PageRequest,
    user: &User,
    monitor: &Monitor,
    (input, action): (&MonitorInput, FormAction),
) -> Result<EditSubmitResult, Error> {
    match action {
        FormAction::Submit => save(request, user, monitor, input).await.map(|()| EditSubmitResult::Saved),
        FormAction::Preview => {
            preview_changes(request, user, monitor, input).await.map(EditSubmitResult::Previewed)
        }
        FormAction::Picture | FormAction::AddStep | FormAction::RemoveStep(_) => {
            request_picture(request, user, input, Some(monitor.id))
                .await
                .map(|parts| EditSubmitResult::Pictured(Some(parts)))
        }
        FormAction::Choose(_) => Ok(EditSubmitResult::Pictured(None)),
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
    content: EditFormContent<'_>,
) -> Response {
    let token = FormToken::of(request);
    let proxies: Vec<&str> = request.app.domain.policy().fetch.proxies.names().collect();
    let values = StepValues {
        input,
        types: &[monitor.target_type],
        proxies: &proxies,
        least_minutes: least_minutes(request, user),
        has_model: model::model_info(&request.app.domain).is_some(),
        form_error,
    };
    let content = html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } " / " a href=(path(monitor.id)) { bdi { (monitor.name) } } }
        h1 { (Text("monitor-edit-heading").markup(&[("name", html! { bdi { (monitor.name) } })])) }
        (form_error.summary())
        form.stack.steps method="post" action={ (path(monitor.id)) "/edit" } {
            (token.field())
            // The Enter key presses the first button.
            button.hidden type="submit" name="act" value="save" tabindex="-1" aria-hidden="true" { (Text("form-save")) }
            (steps(&values, &parts(request, monitor, &values, content)))
        }
    };
    let title = format!("{} · {}", Text("form-edit").get(), Text("nav-monitors").get());
    respond(request, status, &title, &content)
}

/// Returns the parts of the form for existing monitors: the picture with its button, the effect on past changes, and
/// the buttons below the last step. The type is fixed.
fn parts(
    request: &PageRequest,
    monitor: &Monitor,
    values: &StepValues<'_>,
    content: EditFormContent<'_>,
) -> StepParts {
    let StepValues { input, form_error, .. } = *values;
    let path = path(monitor.id);
    let target = format!("{path}/edit#preview");
    let offers_parts = CHOOSABLE.contains(&monitor.target_type);
    let form = PictureForm { input, target: &target, offers_parts, form_error };
    // After an error, the page must scroll to the summary of the errors, so no picture replaces the empty preview.
    let (opened, collapsed) = match content {
        EditFormContent { replayed: None, parts } if !form_error.is_some() => (parts, None),
        EditFormContent { parts, .. } => (None, parts),
    };
    let preview = match (content.replayed, opened) {
        (Some(replayed), _) => remaining(replayed, request.app.domain.now()),
        (None, Some(parts)) => picture_section(parts, form),
        (None, None) => empty_preview(&Text("monitor-edit-preview-empty").get()),
    };
    StepParts {
        kinds: html! {},
        source_end: html! {
            p.rule { (Text("monitor-edit-baseline")) }
            @if RENDERED.contains(&monitor.target_type) { (picture_field(request, form)) }
            @if let Some(parts) = collapsed { (collapsed_picture(parts, form)) }
        },
        preview,
        name_hint: None,
        buttons: html! {
            button type="submit" name="act" value="save" { (Text("form-save")) }
            button.secondary type="submit" name="act" value="preview" formaction=(target) { (Text("monitor-edit-preview")) }
            a.button.secondary href=(path) { (Text("feed-cancel")) }
        },
    }
}

/// Lists the past changes, and reports for each whether it would have caused a message with the settings of
/// the form.
fn remaining(replayed: &[ReplayedChange], now: kernel::Millis) -> Markup {
    let left = replayed.iter().filter(|change| change.would_report == Some(true)).count();
    let content = html! {
        p { strong { (Text("monitor-edit-replayed").with("left", left).with("count", replayed.len())) } }
        ul { @for one in replayed {
            li {
                (outcome(one.would_report).markup(&[("change", html! { bdi { (change_text(&one.change.title, &one.change.summary).title) } })])) " " span.soft.small { (time(one.change.detected_at, now)) }
            }
        } }
    };
    preview_frame(&Text("monitor-edit-past").get(), &content)
}

/// Returns the text about a past change. `would_report` is `None` if it is unknown whether it would be reported.
fn outcome(would_report: Option<bool>) -> Text {
    match would_report {
        Some(true) => Text("monitor-edit-reported"),
        Some(false) => Text("monitor-edit-not-reported"),
        None => Text("monitor-edit-unknown"),
    }
}
