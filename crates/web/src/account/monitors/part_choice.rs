//! Buttons of the forms for new and existing monitors, and the selection of watched parts on a picture of the page.
//! Pressing a part adds it, or removes it if it is already selected. Pressing a part that no monitor can watch, or
//! any part while elements for steps are selected, begins a step.

use articles::Payer;
use extract::watch::PartKind;
use kernel::{Error, MonitorId};
use monitors::{PageParts, PreviewRequest, TargetType};
use tokio::time::Instant;

use super::input::{MonitorInput, PreviewTarget};
use super::new_step::{NewStep, PickPurpose, has_typed_step};
use crate::page::form::{Form, FormError};
use crate::page::request::{PageRequest, User};
use http_kit::app::ANSWER_TIMEOUT;

/// Types of monitors whose parts can be chosen on a picture.
pub(super) const CHOOSABLE: [TargetType; 3] = [TargetType::Page, TargetType::Visual, TargetType::Extract];

/// Action of the button that submitted the form.
#[derive(Clone, Copy)]
pub(super) enum FormAction {
    /// Create the monitor, or save its settings.
    Submit,
    /// Display the watched content of a new monitor, or the effect on past changes of an existing one.
    Preview,
    /// Display a picture of the page.
    Picture,
    /// Choose the part with this number on the picture, or remove it, or begin a step on it.
    Choose(usize),
    /// Add the new step, and display a picture of the page after the steps.
    AddStep,
    /// Remove the step with this number, and display a picture of the page after the other steps.
    RemoveStep(usize),
}

impl FormAction {
    pub(super) fn of(form: &Form) -> Self {
        let act = form.get("act");
        match (act, pressed_number(form, "part"), pressed_number(form, "removeStep")) {
            ("picture" | "steps", ..) => Self::Picture,
            ("", Some(number), _) => Self::Choose(number),
            ("", None, Some(number)) => Self::RemoveStep(number),
            _ if act == "addStep" || has_typed_step(form) => Self::AddStep,
            ("preview", ..) => Self::Preview,
            _ => Self::Submit,
        }
    }

    /// Returns true if the action displays or uses the picture of the page.
    pub(super) fn is_on_picture(self) -> bool {
        match self {
            Self::Submit | Self::Preview => false,
            Self::Picture | Self::Choose(_) | Self::AddStep | Self::RemoveStep(_) => true,
        }
    }
}

/// Returns the number of the button with this name that submitted the form. `None` if another button submitted it.
/// Parts and steps are numbered from 1.
fn pressed_number(form: &Form, name: &str) -> Option<usize> {
    match form.get(name) {
        "" => None,
        number => Some(number.parse().unwrap_or_default()),
    }
}

/// Returns the parts of the picture in the form. `None` if the picture has expired or shows another address.
///
/// # Errors
/// `unavailable` if the database does not respond.
pub(super) async fn known_parts(
    request: &PageRequest,
    user: &User,
    input: &MonitorInput,
) -> Result<Option<PageParts>, Error> {
    if input.picture.is_empty() {
        return Ok(None);
    }
    let domain = &request.app.domain;
    let parts = monitors::find_page_parts(domain, user.account.id, &input.picture).await?;
    Ok(parts.filter(|parts| input.has_address(domain, &parts.url)))
}

/// Adds or removes the selector of a part, or begins a step on it. Returns the errors of the form.
pub(super) fn choose(input: &mut MonitorInput, parts: Option<&PageParts>, number: usize) -> FormError {
    let index = number.checked_sub(1);
    match index.and_then(|index| parts?.parts.get(index)) {
        Some(part) if input.pick == PickPurpose::Step || part.kind != PartKind::Text => {
            input.pick = PickPurpose::Step;
            input.new_step = NewStep::on(part);
            FormError::default()
        }
        Some(part) => {
            input.choose(&part.selector);
            FormError::default()
        }
        None => FormError::at_field(
            "picture",
            "The screenshot has expired, or shows another address. Request a new one.",
        ),
    }
}

/// Requests a picture of the page with its parts. `monitor` is the monitor that the form edits. Its stored
/// credentials are sent if the form does not replace them.
///
/// # Errors
/// The errors of [`monitors::request_page_parts`].
pub(super) async fn request_picture(
    request: &PageRequest,
    user: &User,
    input: &MonitorInput,
    monitor: Option<MonitorId>,
) -> Result<PageParts, Error> {
    let app = &request.app;
    let PreviewTarget { address, definition, credentials, .. } = input.pictured_page(&app.domain)?;
    let payer = Payer { account_id: user.account.id, tier: user.account.tier };
    let preview_request = PreviewRequest {
        address: &address,
        definition: &definition,
        credentials: credentials.as_ref(),
        credentials_of: monitor.filter(|_| input.request.keeps_credentials()),
        interval_minutes: None,
    };
    let progress = monitors::request_page_parts(&app.domain, payer, preview_request).await?;
    app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await
}
