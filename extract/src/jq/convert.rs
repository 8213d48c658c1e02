//! Conversion between JSON and the values of `jaq`.

use jaq_core::ValT;
use jaq_json::Val;
use serde_json::{Map, Number, Value};

/// Maximum number of values in all outputs. Values may share their parts, so a small program can create very
/// large outputs.
const MAX_VALUES: usize = 1_000_000;
/// Maximum number of bytes of strings in all outputs.
const MAX_TEXT_BYTES: usize = 16 << 20;
/// Maximum nesting depth of an output.
const MAX_DEPTH: usize = 128;

/// Reason why a program failed on its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JqFailure(pub(crate) String);

/// Converts a parsed document. Its nesting, and therefore the recursion, is limited by the JSON parser.
pub(super) fn value_of(json: &Value) -> Val {
    match json {
        Value::Null => Val::Null,
        Value::Bool(is_true) => Val::Bool(*is_true),
        Value::Number(number) => number_of(number),
        Value::String(text) => Val::from(text.clone()),
        Value::Array(list) => list.iter().map(value_of).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, member)| (Val::from(name.clone()), value_of(member)));
            Val::obj(members.collect())
        }
    }
}

fn number_of(number: &Number) -> Val {
    if let Some(whole) = number.as_i64().and_then(|whole| isize::try_from(whole).ok()) {
        return Val::from(whole);
    }
    Val::from_num(&number.to_string()).unwrap_or_default()
}

/// Remaining number of values and bytes that outputs may contain.
pub(super) struct OutputBudget {
    values: usize,
    bytes: usize,
}

impl Default for OutputBudget {
    fn default() -> Self {
        Self { values: MAX_VALUES, bytes: MAX_TEXT_BYTES }
    }
}

impl OutputBudget {
    /// Converts an output to JSON.
    pub(super) fn json(&mut self, value: &Val) -> Result<Value, JqFailure> {
        self.convert(value, 0)
    }

    fn convert(&mut self, value: &Val, depth: usize) -> Result<Value, JqFailure> {
        if depth > MAX_DEPTH {
            return Err(JqFailure(format!("its output is nested deeper than {MAX_DEPTH} levels")));
        }
        self.values = self.values.checked_sub(1).ok_or_else(too_large)?;
        Ok(match value {
            Val::Null => Value::Null,
            Val::Bool(is_true) => Value::Bool(*is_true),
            Val::Num(number) => {
                let text = number.to_string();
                self.charge(text.len())?;
                json_number(text)
            }
            Val::TStr(bytes) | Val::BStr(bytes) => Value::String(self.text(bytes)?),
            Val::Arr(list) => {
                let list = list.iter().map(|element| self.convert(element, depth + 1));
                Value::Array(list.collect::<Result<_, _>>()?)
            }
            Val::Obj(members) => {
                let mut object = Map::new();
                for (name, member) in members.iter() {
                    let name = match name {
                        Val::TStr(bytes) | Val::BStr(bytes) => self.text(bytes)?,
                        other => match self.convert(other, depth + 1)? {
                            Value::String(text) => text,
                            other => other.to_string(),
                        },
                    };
                    object.insert(name, self.convert(member, depth + 1)?);
                }
                Value::Object(object)
            }
        })
    }

    fn text(&mut self, bytes: &[u8]) -> Result<String, JqFailure> {
        self.charge(bytes.len())?;
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    fn charge(&mut self, bytes: usize) -> Result<(), JqFailure> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or_else(too_large)?;
        Ok(())
    }
}

fn too_large() -> JqFailure {
    JqFailure("its output is too large".to_owned())
}

/// Converts a number with exactly these digits. If JSON cannot represent the number, returns the digits as a
/// string.
fn json_number(text: String) -> Value {
    match serde_json::from_str::<Number>(&text) {
        Ok(number) if number.to_string() == text => Value::Number(number),
        _ => Value::String(text),
    }
}
