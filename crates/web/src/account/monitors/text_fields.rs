//! Single-line and multi-line text inputs.

use maud::{Markup, html};

use crate::page::form::{FormError, FormField};

pub(super) fn line<'a>(name: &'a str, label: &'a str, hint: &'a str, value: &'a str) -> FormField<'a> {
    FormField { name, label, hint, kind: "text", value, autocomplete: "off", required: false }
}

pub(super) fn area(name: &str, label: &str, hint: &str, value: &str, form_error: &FormError) -> Markup {
    let wrong = form_error.at(name);
    let described =
        if wrong.is_some() { format!("{name}-rule {name}-error") } else { format!("{name}-rule") };
    html! {
        div {
            label for=(name) { (label) }
            p.rule id={ (name) "-rule" } { (hint) }
            textarea id=(name) name=(name) aria-invalid=[wrong.map(|_| "true")] aria-describedby=(described) spellcheck="false" { (value) }
            (form_error.on_group(name))
        }
    }
}
