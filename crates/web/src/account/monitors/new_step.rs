//! Form values of a step that a person chooses on a picture of the page, before it is added to the steps.

use extract::watch::PartKind;
use monitors::{PageStep, PositionedPart, StepKey, StepKind};

use crate::page::form::Form;

/// Kind of a step that fills in a secret text.
pub(super) const SECRET: &str = "secret";

/// Action when a person presses a part of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PickPurpose {
    /// The part is watched.
    #[default]
    Part,
    /// A step acts on the part.
    Step,
}

impl PickPurpose {
    /// Reads the purpose from a submitted form. The buttons that request a picture set it.
    pub(super) fn of(form: &Form) -> Self {
        let act = form.get("act");
        let is_for_steps =
            matches!(act, "steps" | "addStep") || act != "picture" && form.get("pick") == "step";
        if is_for_steps { Self::Step } else { Self::Part }
    }
}

/// Step that is not yet added to the form.
#[derive(Default)]
pub(super) struct NewStep {
    /// Selector of the pressed element. Empty if no element was pressed.
    pub(super) selector: String,
    /// Kind of the step, as a form value.
    pub(super) kind: String,
    /// Text to fill in, to choose, or to wait for.
    pub(super) text: String,
    /// Name of the key to press.
    pub(super) key: String,
    /// True if the step is skipped when its element is missing.
    pub(super) is_optional: bool,
    /// Secret text to fill in. It is never displayed.
    pub(super) secret: String,
}

impl NewStep {
    /// Reads the new step from a submitted form.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            selector: text("stepSelector"),
            kind: text("stepKind"),
            text: form.get("stepText").to_owned(),
            key: text("stepKey"),
            is_optional: form.get("stepOptional") == "1",
            secret: form.get("stepSecret").to_owned(),
        }
    }

    /// Returns a new step on a pressed element. By default, the step fills in a field, and clicks any other element.
    pub(super) fn on(part: &PositionedPart) -> Self {
        let kind = match part.kind {
            PartKind::Field => "type",
            PartKind::SecretField => SECRET,
            PartKind::Text | PartKind::Button => "click",
        };
        Self { selector: part.selector.clone(), kind: kind.to_owned(), ..Self::default() }
    }

    /// Returns a step of this kind on the element, with only the values that the kind uses.
    pub(super) fn page_step(self, kind: StepKind) -> PageStep {
        let has_text = matches!(kind, StepKind::Type | StepKind::Select | StepKind::WaitText);
        let key = StepKey::parse(&self.key).unwrap_or(StepKey::Enter);
        PageStep {
            text: has_text.then_some(self.text),
            key: (kind == StepKind::Press).then_some(key),
            optional: self.is_optional && !kind.is_wait(),
            ..PageStep::on(kind, self.selector)
        }
    }
}

/// Returns true if the form contains a text for a step that has not been added. Pressing Enter in the text field
/// submits the form with another button.
pub(super) fn has_typed_step(form: &Form) -> bool {
    let has_text = ["stepText", "stepSecret"].iter().any(|name| !form.get(name).is_empty());
    has_text && !form.get("stepSelector").is_empty()
}
