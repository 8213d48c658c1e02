//! Values that a form displayed, in hidden fields. A form that was opened earlier overwrites no newer value, because
//! only values that differ from the displayed ones are written.

use maud::{Markup, html};

use super::form::Form;

/// Renders the hidden field with the displayed value of `field`.
pub(crate) fn displayed_field(field: &str, value: &str) -> Markup {
    html! { input type="hidden" name={ "was-" (field) } value=(value); }
}

/// Returns the displayed value of `field` without surrounding whitespace, like typed values. If the form did not send
/// it, `current` counts as displayed.
pub(crate) fn displayed_value(form: &Form, field: &str, current: &str) -> String {
    let name = format!("was-{field}");
    form.all(&name).next().unwrap_or(current).trim().to_owned()
}
