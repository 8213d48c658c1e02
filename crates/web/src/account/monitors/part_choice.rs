//! Buttons of the forms of new and existing monitors, and the choice of the watched parts on a picture of the page.
//! Each press of a part adds it, or removes it if it is chosen.

use articles::Payer;
use kernel::Error;
use monitors::{PageParts, PreviewRequest, TargetType};
use tokio::time::Instant;

use super::input::{MonitorInput, PreviewTarget};
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
    /// Choose the part with this number on the picture, or remove it.
    Choose(usize),
}

impl FormAction {
    pub(super) fn of(form: &Form) -> Self {
        match (form.get("act"), chosen_number(form)) {
            ("preview", _) => Self::Preview,
            ("picture", _) => Self::Picture,
            (_, None) => Self::Submit,
            (_, Some(number)) => Self::Choose(number),
        }
    }
}

/// Returns the number of the part whose button submitted the form. `None` if another button did. No part has
/// the number 0.
fn chosen_number(form: &Form) -> Option<usize> {
    match form.get("part") {
        "" => None,
        number => Some(number.parse().unwrap_or_default()),
    }
}

/// Returns the parts of the picture in the form. `None` if it has expired, or shows another address.
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

/// Adds or removes the selector of a part. Returns the errors of the form.
pub(super) fn choose(input: &mut MonitorInput, parts: Option<&PageParts>, number: usize) -> FormError {
    let index = number.checked_sub(1);
    match index.and_then(|index| parts?.parts.get(index)) {
        Some(part) => {
            input.choose(&part.selector);
            FormError::default()
        }
        None => FormError::at_field(
            "picture",
            "The picture has expired, or shows another address. Request a new one.",
        ),
    }
}

/// Requests a picture of the page with its parts.
///
/// # Errors
/// The errors of [`monitors::request_page_parts`].
pub(super) async fn request_picture(
    request: &PageRequest,
    user: &User,
    input: &MonitorInput,
) -> Result<PageParts, Error> {
    let app = &request.app;
    if input.request.keeps_credentials() {
        let reason = "does not support stored credentials, because the browser sends its own request";
        return Err(Error::invalid_field("render", reason));
    }
    let PreviewTarget { address, definition, credentials, .. } = input.pictured_page(&app.domain)?;
    let payer = Payer { account_id: user.account.id, tier: user.account.tier };
    let preview_request = PreviewRequest {
        address: &address,
        definition: &definition,
        credentials: credentials.as_ref(),
        interval_minutes: None,
    };
    let progress = monitors::request_page_parts(&app.domain, payer, preview_request).await?;
    app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await
}
