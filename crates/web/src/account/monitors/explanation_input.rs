//! Form fields for the language model's explanations of changes. They are part of the form only if the operator has
//! configured a model.

use kernel::bounds::MONITOR_WISH_CHARS;
use maud::{Markup, html};
use monitors::ExplanationSettings;
use serde_json::{Value, json};

use super::text_fields::line;
use crate::language::text::Text;
use crate::page::form::{Form, FormError};

/// Form values as typed.
#[derive(Default)]
pub(super) struct ExplanationInput {
    /// True if the form has the fields. Otherwise, the settings of the monitor are not changed.
    is_offered: bool,
    is_on: bool,
    wish: String,
    only_relevant: bool,
}

impl ExplanationInput {
    /// Reads the values of a submitted form.
    pub(super) fn of(form: &Form) -> Self {
        Self {
            is_offered: form.get("explanation") == "offered",
            is_on: form.get("explain") == "1",
            wish: form.get("explanationWish").trim().to_owned(),
            only_relevant: form.get("explanationFilter") == "1",
        }
    }

    /// Returns the values of an existing monitor.
    pub(super) fn of_settings(settings: Option<&ExplanationSettings>) -> Self {
        let Some(settings) = settings else { return Self::default() };
        Self {
            is_offered: false,
            is_on: true,
            wish: settings.wish.clone().unwrap_or_default(),
            only_relevant: settings.only_relevant,
        }
    }

    /// Returns the settings for the API. `None` if the form does not have the fields.
    pub(super) fn settings(&self) -> Option<Value> {
        let settings = json!({ "wish": self.wish, "onlyRelevant": self.only_relevant });
        self.is_offered.then_some(if self.is_on { settings } else { Value::Null })
    }
}

/// Renders the fields. Expanded if changes are explained. Empty without a language model.
pub(super) fn explanation_fields(
    input: &ExplanationInput,
    has_model: bool,
    form_error: &FormError,
) -> Markup {
    let label = Text("monitor-explanation-wish").get();
    let hint = Text("monitor-explanation-wish-hint").with("count", MONITOR_WISH_CHARS).get();
    let wish = line("explanationWish", &label, &hint, &input.wish);
    html! { @if has_model {
        details open[input.is_on || form_error.at("explanationWish").is_some()] { summary { (Text("monitor-explanation")) }
            input type="hidden" name="explanation" value="offered";
            p.rule { (Text("monitor-explanation-words").linked(&["/settings/model"])) }
            label.choice { input type="checkbox" name="explain" value="1" checked[input.is_on]; span { (Text("monitor-explanation-explain")) } }
            (wish.show(form_error))
            label.choice { input type="checkbox" name="explanationFilter" value="1" checked[input.only_relevant]; span { (Text("monitor-explanation-only")) } }
        }
    } }
}
