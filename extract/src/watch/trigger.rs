//! Triggers, which determine the changes that a monitor reports.

use serde::{Deserialize, Deserializer, Serialize};

use super::{
    comparison::Comparison,
    condition::{Condition, TestKind, ValueTest},
    invalid::{Invalid, InvalidReason, text},
    matching::SearchText,
    numbers::Number,
    operation::{Kind, Op, Operation},
    target::Target,
};

/// Maximum number of hours after which a condition that is still true is reported again.
pub const MAX_REPEAT_HOURS: u32 = 8_760;

/// Condition for reporting a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trigger {
    #[serde(default)]
    pub kind: TriggerKind,
    /// Text for `text_appears` and `text_disappears`, number for the numeric kinds, optional text for `added`
    /// and `removed`. Deserialisation also accepts a JSON number.
    #[serde(default, deserialize_with = "text_or_number", skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Restricts the trigger to this field of an extract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Condition of a trigger of the kind `condition`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
    /// Hours after which a condition that is still true is reported again. If `None`, it is reported only
    /// when it becomes true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat_hours: Option<u32>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerKind {
    /// Any difference.
    #[default]
    Any,
    TextAppears,
    TextDisappears,
    /// A number rose above the value.
    Above,
    /// A number fell below the value.
    Below,
    /// At least this percentage of the blocks, URLs or items changed.
    Share,
    /// Blocks, URLs or items were added. If a value is set, only elements that contain it are considered.
    Added,
    /// Blocks, URLs or items were removed. If a value is set, only elements that contained it are considered.
    Removed,
    /// A combination of tests became true.
    Condition,
}

impl TriggerKind {
    /// True if the trigger compares a number with its value.
    pub(super) fn is_numeric(self) -> bool {
        matches!(self, Self::Above | Self::Below)
    }
}

/// Accepts `"12"` and `12`.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let value = Option::<serde_json::Value>::deserialize(deserializer)?;
    match value {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(serde_json::Value::String(text)) => Ok(Some(text)),
        Some(serde_json::Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(serde::de::Error::custom("a text or a number")),
    }
}

impl Trigger {
    /// True if the trigger, or a test of its condition, compares a number.
    pub fn is_numeric(&self) -> bool {
        self.kind.is_numeric() || self.condition.as_ref().is_some_and(Condition::is_numeric)
    }

    /// Condition that fires the trigger when it changes from false to true. `None` for triggers that filter
    /// differences.
    pub(super) fn effective_condition(&self) -> Option<Condition> {
        let test = |kind| ValueTest::new(kind, self.field.clone(), self.value.clone());
        let test = match self.kind {
            TriggerKind::TextAppears => test(TestKind::Contains),
            TriggerKind::TextDisappears => ValueTest { is_negated: true, ..test(TestKind::Contains) },
            TriggerKind::Above => test(TestKind::Above),
            TriggerKind::Below => test(TestKind::Below),
            TriggerKind::Condition => return self.condition.clone(),
            TriggerKind::Any | TriggerKind::Share | TriggerKind::Added | TriggerKind::Removed => return None,
        };
        Some(Condition::of(test))
    }

    /// Text of the trigger. If a text that contains it is shortened for display, the excerpt contains it.
    pub fn words(&self) -> Option<&str> {
        let waits = |test: &&ValueTest| test.kind == TestKind::Contains;
        let of_condition = || self.condition.as_ref()?.tests().find(waits)?.value.as_deref();
        self.value.as_deref().or_else(of_condition)
    }

    /// True if a missing part of a page is evaluated as an empty text.
    pub fn reads_texts(&self) -> bool {
        let is_text = |test: &ValueTest| !test.kind.is_numeric();
        match self.kind {
            TriggerKind::TextAppears | TriggerKind::TextDisappears => true,
            TriggerKind::Condition => self.condition.as_ref().is_some_and(|it| it.tests().any(is_text)),
            TriggerKind::Any
            | TriggerKind::Share
            | TriggerKind::Above
            | TriggerKind::Below
            | TriggerKind::Added
            | TriggerKind::Removed => false,
        }
    }

    /// Problems of the trigger. Pointers are relative to the trigger (`/value`).
    pub fn check(&self, target: &Target) -> Vec<Invalid> {
        let mut problems = Vec::new();
        let value = self.value.as_deref().map(str::trim).filter(|value| !value.is_empty());
        match (self.kind, value) {
            (TriggerKind::Any | TriggerKind::Condition, _)
            | (TriggerKind::Added | TriggerKind::Removed, None) => {}
            (_, None) => problems.push(Invalid::new("/value", InvalidReason::Required)),
            (
                TriggerKind::TextAppears
                | TriggerKind::TextDisappears
                | TriggerKind::Added
                | TriggerKind::Removed,
                Some(value),
            ) => {
                let is_nothing = || SearchText::new(value).is_empty().then_some(InvalidReason::Empty);
                let problem = text(value).err().or_else(is_nothing);
                problems.extend(problem.map(|problem| Invalid::new("/value", problem)));
            }
            (TriggerKind::Above | TriggerKind::Below, Some(value)) => {
                if Number::plain(value).is_none() {
                    problems.push(Invalid::new("/value", InvalidReason::Number("")));
                }
            }
            (TriggerKind::Share, Some(value)) => {
                let (least, most) = (Number::plain("0"), Number::plain("100"));
                let number = Number::plain(value);
                if number.is_none() || number <= least || number > most {
                    problems.push(Invalid::new("/value", InvalidReason::Number(" over 0 and at most 100")));
                }
            }
        }
        if self.kind.is_numeric()
            && let Some(problem) = target.without_number(self.field.as_deref())
        {
            problems.push(Invalid::new("", InvalidReason::NoNumber(problem)));
        }
        if self.field.as_ref().is_some_and(|field| !target.has_field(field)) {
            problems.push(Invalid::new("/field", InvalidReason::UnknownField));
        }
        problems.extend(self.check_condition(target));
        problems
    }

    fn check_condition(&self, target: &Target) -> Vec<Invalid> {
        let mut problems = Vec::new();
        let mut reject = |pointer: &str, problem| problems.push(Invalid::new(pointer, problem));
        let is_condition = self.kind == TriggerKind::Condition;
        for (pointer, is_given) in [("/value", self.value.is_some()), ("/field", self.field.is_some())] {
            if is_condition && is_given {
                reject(pointer, InvalidReason::Unused);
            }
        }
        match self.repeat_hours {
            Some(_) if self.effective_condition().is_none() && !is_condition => {
                reject("/repeat_hours", InvalidReason::Unused);
            }
            Some(hours) if !(1..=MAX_REPEAT_HOURS).contains(&hours) => {
                reject("/repeat_hours", InvalidReason::Number(" of hours from 1 to 8760"));
            }
            Some(_) | None => {}
        }
        match &self.condition {
            None if is_condition => reject("/condition", InvalidReason::Required),
            Some(_) if !is_condition => reject("/condition", InvalidReason::Unused),
            Some(condition) => {
                let below = condition.check(target).into_iter();
                problems.extend(below.map(|invalid| invalid.below("/condition")));
            }
            None => {}
        }
        problems
    }

    /// Returns the part of the comparison to report. `None` if no change must be reported. Triggers with a
    /// condition are evaluated by [`Truths`](super::Truths) instead.
    pub fn apply(&self, mut comparison: Comparison) -> Option<Comparison> {
        if comparison.is_empty() {
            return None;
        }
        let fires = match self.kind {
            TriggerKind::Any => {
                self.field.is_none() || comparison.operations.iter().any(|operation| self.concerns(operation))
            }
            TriggerKind::Share => {
                let least = self.value.as_deref().and_then(|value| value.trim().parse::<f64>().ok());
                least.is_some_and(|least| comparison.share_percent >= least)
            }
            TriggerKind::Added => self.retain(&mut comparison, Op::Added),
            TriggerKind::Removed => self.retain(&mut comparison, Op::Removed),
            TriggerKind::TextAppears
            | TriggerKind::TextDisappears
            | TriggerKind::Above
            | TriggerKind::Below
            | TriggerKind::Condition => false,
        };
        fires.then_some(comparison)
    }

    /// Retains the added or removed elements that contain the value. Returns true if there are such elements.
    fn retain(&self, comparison: &mut Comparison, op: Op) -> bool {
        if comparison.too_large {
            return if op == Op::Added { comparison.added > 0 } else { comparison.removed > 0 };
        }
        let searched =
            self.value.as_deref().map(str::trim).filter(|value| !value.is_empty()).map(SearchText::new);
        let holds =
            |operation: &Operation| searched.as_ref().is_none_or(|searched| operation.contains(searched));
        comparison.operations.retain(|operation| operation.op == op && holds(operation));
        let retained = u32::try_from(comparison.operations.len()).unwrap_or(u32::MAX);
        let is_cut = searched.is_none() && comparison.omitted > 0 && retained > 0;
        let (added, removed) = (comparison.added, comparison.removed);
        (comparison.added, comparison.removed, comparison.modified, comparison.omitted) = match op {
            Op::Added if is_cut => (added, 0, 0, added - retained),
            Op::Removed if is_cut => (0, removed, 0, removed - retained),
            Op::Added => (retained, 0, 0, 0),
            Op::Removed | Op::Changed | Op::Moved => (0, retained, 0, 0),
        };
        retained > 0
    }

    fn concerns(&self, operation: &Operation) -> bool {
        match (&self.field, &operation.field) {
            (None, _) => true,
            (Some(expected), Some(field)) => expected == field,
            // An added or removed item includes all of its fields.
            (Some(_), None) => operation.kind == Kind::Item && operation.op != Op::Moved,
        }
    }
}
