//! Triggers: which changes a monitor reports.

use serde::{Deserialize, Deserializer, Serialize};

use super::{
    comparison::Comparison,
    invalid::{Invalid, InvalidReason, text},
    matching::SearchText,
    numbers::Number,
    operation::{Kind, Op, Operation},
    target::Target,
};

/// Condition for reporting a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trigger {
    #[serde(default)]
    pub kind: TriggerKind,
    /// Text for `text_appears` and `text_disappears`, number for the numeric kinds, optional text for `added`
    /// and `removed`. A JSON number is accepted too.
    #[serde(default, deserialize_with = "text_or_number", skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Restricts the trigger to this field of an extract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// Kind of condition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerKind {
    /// Anything differs.
    #[default]
    Any,
    /// A text appeared.
    TextAppears,
    /// A text disappeared.
    TextDisappears,
    /// A number rose above the value.
    Above,
    /// A number fell below the value.
    Below,
    /// At least this percentage of the blocks, URLs or items changed.
    Share,
    /// Blocks, URLs or items were added that contain the value, if there is one.
    Added,
    /// Blocks, URLs or items were removed that contained the value, if there is one.
    Removed,
}

impl TriggerKind {
    /// True if it compares a number with its value.
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
    /// True if it compares a number with its value.
    pub fn is_numeric(&self) -> bool {
        self.kind.is_numeric()
    }

    /// Problems of the trigger. Pointers are relative to the trigger (`/value`).
    pub fn check(&self, target: &Target) -> Vec<Invalid> {
        let mut problems = Vec::new();
        let value = self.value.as_deref().map(str::trim).filter(|value| !value.is_empty());
        match (self.kind, value) {
            (TriggerKind::Any, _) | (TriggerKind::Added | TriggerKind::Removed, None) => {}
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
        if self.kind.is_numeric() {
            let problem = match target {
                Target::Extract { fields, .. } if fields.len() > 1 && self.field.is_none() => {
                    Some("name one of the fields")
                }
                Target::Page { selector: None } => Some("a page needs a selector"),
                Target::Sitemap { .. } => Some("a sitemap has none"),
                Target::Extract { .. } | Target::Page { selector: Some(_) } => None,
            };
            problems.extend(problem.map(|problem| Invalid::new("", InvalidReason::NoNumber(problem))));
        }
        if let Some(field) = &self.field {
            let known = matches!(target, Target::Extract { fields, .. } if fields.iter().any(|known| known.name == *field));
            if !known {
                problems.push(Invalid::new("/field", InvalidReason::UnknownField));
            }
        }
        problems
    }

    /// Part of the comparison to report, or `None`. Triggers with a truth are evaluated by
    /// [`Truths`](super::Truths) instead.
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
            | TriggerKind::Below => false,
        };
        fires.then_some(comparison)
    }

    /// Retains the added or removed elements that contain the value. True if there are any.
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
            // An item was added or removed, including the field.
            (Some(_), None) => operation.kind == Kind::Item && operation.op != Op::Moved,
        }
    }
}
