//! Selection of a monitor's steps on a picture of its page. A person presses an element, chooses an action, and adds
//! the step to the steps of the form. The next picture shows the page after the steps.

use kernel::bounds::{MONITOR_STEP_TEXT_CHARS, MONITOR_STEPS};
use maud::{Markup, html};
use monitors::{PageParts, StepKey, StepKind};

use super::input::MonitorInput;
use super::new_step::{NewStep, PickPurpose, SECRET};
use super::part_choice::FormAction;
use super::picture_form::PictureForm;
use super::text_fields::line;
use crate::language::text::Text;
use crate::page::form::{FormError, FormField};

/// Kinds of steps on an element: form value and label.
const KINDS: [(StepKind, &str, Text); 14] = [
    (StepKind::Click, StepKind::Click.as_str(), Text("pick-step-click")),
    (StepKind::Type, StepKind::Type.as_str(), Text("pick-step-type")),
    (StepKind::Type, SECRET, Text("pick-step-secret")),
    (StepKind::Select, StepKind::Select.as_str(), Text("pick-step-select")),
    (StepKind::Check, StepKind::Check.as_str(), Text("pick-step-check")),
    (StepKind::Uncheck, StepKind::Uncheck.as_str(), Text("pick-step-uncheck")),
    (StepKind::Press, StepKind::Press.as_str(), Text("pick-step-press")),
    (StepKind::Hover, StepKind::Hover.as_str(), Text("pick-step-hover")),
    (StepKind::Wait, StepKind::Wait.as_str(), Text("pick-step-wait")),
    (StepKind::WaitText, StepKind::WaitText.as_str(), Text("pick-step-wait-text")),
    (StepKind::WaitGone, StepKind::WaitGone.as_str(), Text("pick-step-wait-gone")),
    (StepKind::Scroll, StepKind::Scroll.as_str(), Text("pick-step-scroll")),
    (StepKind::ScrollEnd, StepKind::ScrollEnd.as_str(), Text("pick-step-scroll-end")),
    (StepKind::Remove, StepKind::Remove.as_str(), Text("pick-step-remove-element")),
];

/// Adds the new step of the form to its steps, or removes a step. Returns the errors of the form.
pub(super) fn change_steps(input: &mut MonitorInput, action: FormAction) -> FormError {
    if let FormAction::RemoveStep(number) = action {
        return if input.rendering.remove_step(number) {
            input.missing_address()
        } else {
            FormError::at_field("steps", "There is no such step. Check the list of steps.")
        };
    }
    let kind = KINDS.iter().find(|(_, word, _)| *word == input.new_step.kind).map(|(kind, _, _)| *kind);
    let Some(kind) = kind.filter(|_| !input.new_step.selector.is_empty()) else {
        return FormError::at_field(
            "picture",
            "Select an element in the picture, and choose what to do with it.",
        );
    };
    if input.rendering.lines().len() >= MONITOR_STEPS {
        return FormError::at_field("steps", &format!("There are {MONITOR_STEPS} steps. Remove one first."));
    }
    let NewStep { kind: word, text, secret, .. } = &input.new_step;
    // A text that was typed into the field for secrets makes the step a secret one.
    let is_secret = word == SECRET || kind == StepKind::Type && text.is_empty() && !secret.is_empty();
    if is_secret && input.new_step.secret.is_empty() {
        return FormError::at_field("stepSecret", "Enter the secret. It is never shown.");
    }
    if matches!(kind, StepKind::Select | StepKind::WaitText) && text.trim().is_empty() {
        return FormError::at_field("stepText", "Enter the text of the step.");
    }
    let missing = input.missing_address();
    if !missing.is_some() {
        let step = std::mem::take(&mut input.new_step);
        if is_secret {
            input.rendering.add_secret_step(&step.selector, step.is_optional, step.secret);
        } else {
            input.rendering.add_step(step.page_step(kind));
        }
        input.open_in_browser();
    }
    missing
}

/// Renders the field that selects the action for pressed parts of the picture, with an explanation.
pub(super) fn purpose_field(form: PictureForm<'_>) -> Markup {
    let purpose = form.input.pick;
    html! {
        @if form.offers_parts {
            fieldset {
                legend { (Text("pick-purpose")) }
                label.choice { input type="radio" name="pick" value="part" checked[purpose == PickPurpose::Part]; span { (Text("pick-purpose-part")) } }
                label.choice { input type="radio" name="pick" value="step" checked[purpose == PickPurpose::Step]; span { (Text("pick-purpose-step")) } }
            }
        } @else { input type="hidden" name="pick" value="step"; }
        @if purpose == PickPurpose::Step { p.soft { (Text("pick-step-words")) } }
    }
}

/// Renders the steps of the form, which were performed before the picture, each with a button that removes it.
pub(super) fn chosen_steps(form: PictureForm<'_>) -> Markup {
    let lines = form.input.rendering.lines();
    html! {
        @if !lines.is_empty() {
            h3 #chosen-steps { (Text("pick-steps")) }
            ol.chosen-steps aria-labelledby="chosen-steps" {
                @for (number, line) in (1_usize..).zip(lines) {
                    li {
                        code dir="ltr" { (line) } " "
                        button.link type="submit" name="removeStep" value=(number) formnovalidate formaction=(form.target) {
                            (Text("pick-step-remove").with("number", number).get())
                        }
                    }
                }
            }
        }
    }
}

/// Renders the form of the step on the pressed element. Empty if no element was pressed.
pub(super) fn new_step_field(parts: &PageParts, form: PictureForm<'_>) -> Markup {
    let step = &form.input.new_step;
    let name = parts.parts.iter().find(|part| part.selector == step.selector).map(|part| part.text.as_str());
    let (label, hint) = (
        Text("pick-step-text").get(),
        Text("pick-step-text-hint").with("count", MONITOR_STEP_TEXT_CHARS).get(),
    );
    let text = line("stepText", &label, &hint, &step.text);
    let (label, hint) = (Text("step-secret-new").get(), Text("step-secret-hint").get());
    let secret =
        FormField { kind: "password", autocomplete: "new-password", ..line("stepSecret", &label, &hint, "") };
    html! {
        @if !step.selector.is_empty() {
            fieldset.new-step {
                legend { (Text("pick-step-on").markup(&[("name", html! { bdi { (name.unwrap_or(&step.selector)) } })])) }
                input type="hidden" name="stepSelector" value=(step.selector);
                @for (_, word, label) in KINDS {
                    label.choice { input type="radio" name="stepKind" value=(word) checked[step.kind == word]; span { (label) } }
                }
                (text.show(form.form_error))
                (secret.show(form.form_error))
                div {
                    label for="stepKey" { (Text("pick-step-key")) }
                    select #stepKey name="stepKey" dir="ltr" {
                        @for key in StepKey::ALL { option value=(key.as_str()) selected[step.key == key.as_str()] { (key.as_str()) } }
                    }
                }
                label.choice { input type="checkbox" name="stepOptional" value="1" checked[step.is_optional]; span { (Text("pick-step-optional")) } }
                button type="submit" name="act" value="addStep" formnovalidate formaction=(form.target) { (Text("pick-step-add")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use monitors::PageStep;

    use super::*;

    fn input(kind: &str, text: &str) -> MonitorInput {
        let mut input = MonitorInput::default();
        "https://shop.example/".clone_into(&mut input.url);
        let (selector, kind, text) = ("#q".to_owned(), kind.to_owned(), text.to_owned());
        input.new_step = NewStep { selector, kind, text, ..NewStep::default() };
        input
    }

    #[test]
    fn adding_a_step_requires_a_browser_and_clears_the_step_form() {
        let mut input = input("type", "boats");
        assert!(!change_steps(&mut input, FormAction::AddStep).is_some());
        assert_eq!(input.rendering.lines(), ["type #q => boats"]);
        assert!(input.rendering.is_rendered && input.new_step.selector.is_empty());
        assert!(
            change_steps(&mut input, FormAction::AddStep).at("picture").is_some(),
            "no element is pressed"
        );
        assert!(!change_steps(&mut input, FormAction::RemoveStep(1)).is_some());
        assert!(input.rendering.lines().is_empty());
        assert!(change_steps(&mut input, FormAction::RemoveStep(1)).at("steps").is_some());
    }

    #[test]
    fn unknown_kind_and_an_eleventh_step_are_refused() {
        assert!(change_steps(&mut input("jump", ""), FormAction::AddStep).at("picture").is_some());
        let mut full = input("click", "");
        for _ in 0..MONITOR_STEPS {
            full.rendering.add_step(PageStep::on(StepKind::Click, "#more"));
        }
        assert!(change_steps(&mut full, FormAction::AddStep).at("steps").is_some());
        assert_eq!(full.rendering.lines().len(), MONITOR_STEPS);
    }

    #[test]
    fn step_has_only_the_values_of_its_kind_and_may_be_optional() {
        let mut pressed = input("press", "ignored");
        "arrow_down".clone_into(&mut pressed.new_step.key);
        pressed.new_step.is_optional = true;
        assert!(!change_steps(&mut pressed, FormAction::AddStep).is_some());
        assert_eq!(pressed.rendering.lines(), ["press? #q => arrow_down"]);
        assert!(change_steps(&mut input("select", " "), FormAction::AddStep).at("stepText").is_some());
        let mut awaited = input("wait_text", "In stock");
        awaited.new_step.is_optional = true;
        assert!(!change_steps(&mut awaited, FormAction::AddStep).is_some());
        assert_eq!(awaited.rendering.lines(), ["wait_text #q => In stock"]);
    }

    #[test]
    fn secret_step_requires_a_text_and_does_not_display_it() {
        let mut without = input(SECRET, "no secret");
        assert!(change_steps(&mut without, FormAction::AddStep).at("stepSecret").is_some());
        "oil lamp".clone_into(&mut without.new_step.secret);
        assert!(!change_steps(&mut without, FormAction::AddStep).is_some());
        assert_eq!(without.rendering.lines(), ["secret #q"]);
    }
}
