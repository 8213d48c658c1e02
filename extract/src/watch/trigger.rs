//! Which changes a person wants to hear of.

use serde::{Deserialize, Deserializer, Serialize};

use super::{
    blocks::tidy,
    comparison::Comparison,
    invalid::{Invalid, Problem, text},
    numbers::{self, Number},
    operation::{Kind, Op, Operation},
    snapshot::Snapshot,
    target::Target,
};

/// When a change is reported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trigger {
    /// What must hold.
    #[serde(default)]
    pub kind: TriggerKind,
    /// A text for `text_appears` and `text_disappears`, a number for the others. JSON numbers are taken too.
    #[serde(default, deserialize_with = "text_or_number", skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Only this field of an extract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// What must hold of a change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TriggerKind {
    /// Anything differs.
    #[default]
    Any,
    /// A text stands there that did not.
    TextAppears,
    /// A text is gone that stood there.
    TextDisappears,
    /// A number is now over the value and was not.
    Above,
    /// A number is now under the value and was not.
    Below,
    /// At least this many per cent changed.
    Share,
}

/// Takes `"12"` and `12` alike.
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
    /// Everything that is wrong with it; pointers begin at the trigger (`/value`).
    pub fn check(&self, target: &Target) -> Vec<Invalid> {
        let mut found = Vec::new();
        let value = self.value.as_deref().map(str::trim).filter(|value| !value.is_empty());
        match (self.kind, value) {
            (TriggerKind::Any, _) => {}
            (_, None) => found.push(Invalid::new("/value", Problem::Required)),
            (TriggerKind::TextAppears | TriggerKind::TextDisappears, Some(value)) => {
                found.extend(text(value).err().map(|problem| Invalid::new("/value", problem)));
            }
            (TriggerKind::Above | TriggerKind::Below, Some(value)) => {
                if Number::plain(value).is_none() {
                    found.push(Invalid::new("/value", Problem::Number("")));
                }
            }
            (TriggerKind::Share, Some(value)) => {
                let (least, most) = (Number::plain("0"), Number::plain("100"));
                let number = Number::plain(value);
                if number.is_none() || number <= least || number > most {
                    found.push(Invalid::new("/value", Problem::Number(" over 0 and at most 100")));
                }
            }
        }
        if let Some(field) = &self.field {
            let known = matches!(target, Target::Extract { fields, .. } if fields.iter().any(|known| known.name == *field));
            if !known {
                found.push(Invalid::new("/field", Problem::UnknownField));
            }
        }
        found
    }

    /// Whether a change is one that the person wants to hear of. Nothing ever holds of an empty comparison, so what is
    /// masked or ignored never triggers.
    pub fn holds(&self, comparison: &Comparison, before: &Snapshot, after: &Snapshot) -> bool {
        if comparison.is_empty() {
            return false;
        }
        let value = self.value.as_deref().unwrap_or("").trim();
        match self.kind {
            TriggerKind::Any => match &self.field {
                Some(_) => comparison.operations.iter().any(|operation| self.concerns(operation)),
                None => true,
            },
            TriggerKind::TextAppears => self.says(after, value) && !self.says(before, value),
            TriggerKind::TextDisappears => self.says(before, value) && !self.says(after, value),
            TriggerKind::Above => self.crosses(comparison, after, |number, limit| number > limit),
            TriggerKind::Below => self.crosses(comparison, after, |number, limit| number < limit),
            TriggerKind::Share => value.parse::<f64>().is_ok_and(|least| comparison.share_percent >= least),
        }
    }

    fn concerns(&self, operation: &Operation) -> bool {
        match (&self.field, &operation.field) {
            (None, _) => true,
            (Some(wanted), Some(field)) => wanted == field,
            // An item came or went, and its field with it.
            (Some(_), None) => operation.kind == Kind::Item && operation.op != Op::Moved,
        }
    }

    /// Whether a snapshot says a text, whatever its case.
    fn says(&self, snapshot: &Snapshot, wanted: &str) -> bool {
        let wanted = tidy(wanted).to_lowercase();
        let says = |text: &str| text.to_lowercase().contains(&wanted);
        match snapshot {
            Snapshot::Blocks(blocks) => blocks.iter().any(|block| says(&block.text)),
            Snapshot::Urls(urls) => urls.iter().any(|entry| says(&entry.url)),
            Snapshot::Items(items) => items.iter().any(|item| {
                let mut fields = item.fields.iter();
                fields.any(|field| {
                    self.field.as_ref().is_none_or(|wanted| *wanted == field.name)
                        && field.value.as_deref().is_some_and(says)
                })
            }),
        }
    }

    /// Whether one of the numbers that changed is now beyond the limit and was not.
    fn crosses(&self, comparison: &Comparison, after: &Snapshot, beyond: fn(Number, Number) -> bool) -> bool {
        let Some(limit) = self.value.as_deref().and_then(Number::plain) else { return false };
        comparison.operations.iter().filter(|operation| self.concerns(operation)).any(|operation| {
            match (operation.op, operation.kind) {
                (Op::Changed, _) => changed_numbers(operation).into_iter().any(|(before, after)| {
                    beyond(after, limit) && before.is_none_or(|before| !beyond(before, limit))
                }),
                // A new item brings its fields with it.
                (Op::Added, Kind::Item) => {
                    self.new_numbers(operation, after).into_iter().any(|number| beyond(number, limit))
                }
                _ => false,
            }
        })
    }

    fn new_numbers(&self, operation: &Operation, after: &Snapshot) -> Vec<Number> {
        let Snapshot::Items(items) = after else { return Vec::new() };
        let at = usize::try_from(operation.anchor.saturating_sub(1)).unwrap_or(usize::MAX);
        let fields = items.get(at).map(|item| item.fields.as_slice()).unwrap_or_default();
        let wanted =
            fields.iter().filter(|field| self.field.as_ref().is_none_or(|wanted| *wanted == field.name));
        wanted.filter_map(|field| numbers::all(field.value.as_deref()?).into_iter().next()).collect()
    }
}

/// Numbers that became others, by the stretches in which a text differs.
fn changed_numbers(operation: &Operation) -> Vec<(Option<Number>, Number)> {
    let (Some(before), Some(after)) = (&operation.before, &operation.after) else {
        let number = operation.after.as_deref().and_then(|after| numbers::all(after).into_iter().next());
        return number.map(|number| (None, number)).into_iter().collect();
    };
    let stretch = |text: &'_ str, range: (u32, u32)| -> Vec<Number> {
        let range = usize::try_from(range.0).unwrap_or(0)..usize::try_from(range.1).unwrap_or(0);
        text.get(range).map(numbers::all).unwrap_or_default()
    };
    let pairs = operation.spans.iter().flat_map(|span| {
        let (old, new) = (stretch(before, span.before), stretch(after, span.after));
        old.into_iter().map(Some).zip(new)
    });
    pairs.collect()
}
