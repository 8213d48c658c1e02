//! Runs jq programs on JSON values with `jaq`.
//!
//! Programs have no access to the environment, the clock, files or further inputs. Date functions,
//! trigonometry and encodings (`@uri`, `@base64`) are not available. Programs may run forever, so they are
//! stopped by the time and memory limits of the child process. This module limits only their outputs.

mod convert;
mod functions;
#[cfg(test)]
mod tests;

use std::fmt::{self, Write};

use jaq_core::{
    Compiler, Ctx, Filter, Vars,
    compile::Undefined,
    load::{self, Arena, File, Loader},
};
use jaq_json::Val;
use serde_json::Value;

pub(crate) use self::convert::JqFailure;
use self::convert::{OutputBudget, value_of};
use self::functions::JaqData;

/// Maximum number of brackets, names, pipes, commas and minus signs of a program. The parser may recurse for
/// each of them.
const MAX_PARTS: usize = 150;
/// Maximum number of characters in an error message.
const MAX_REASON_CHARS: usize = 300;

/// Error for a program that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JqError {
    pub(crate) reason: String,
    /// Position of the error in the program, in characters, counted from 1.
    pub(crate) character: usize,
}

/// Outputs of a program.
#[derive(Debug, PartialEq)]
pub(crate) struct Outputs {
    pub(crate) values: Vec<Value>,
    /// True if the program has more outputs than the maximum.
    pub(crate) is_cut: bool,
}

/// Compiled program.
pub(crate) struct Program(Filter<JaqData>);

impl Program {
    pub(crate) fn parse(text: &str) -> Result<Self, JqError> {
        check_size(text)?;
        let arena = Arena::default();
        let loader = Loader::new(functions::definitions());
        let modules = loader.load(&arena, File { code: text, path: () });
        let modules = modules.map_err(|errors| {
            let error = errors.into_iter().next().map(|(_, error)| load_error(text, error));
            error.unwrap_or_else(|| JqError::at(text, text, "it does not parse"))
        })?;
        let filter = Compiler::default().with_funs(functions::in_rust()).compile(modules);
        let filter = filter.map_err(|errors| {
            let mut undefined = errors.into_iter().flat_map(|(_, undefined)| undefined);
            let error =
                undefined.next().map(|(name, kind)| JqError::at(text, name, undefined_words(name, &kind)));
            error.unwrap_or_else(|| JqError::at(text, text, "it does not compile"))
        })?;
        Ok(Self(filter))
    }

    /// Runs the program on a value and returns at most `max_outputs` outputs.
    pub(crate) fn run(&self, input: &Value, max_outputs: usize) -> Result<Outputs, JqFailure> {
        let context = Ctx::<JaqData>::new(&self.0.lut, Vars::new([]));
        let mut budget = OutputBudget::default();
        let mut outputs = Outputs { values: Vec::new(), is_cut: false };
        for output in self.0.id.run((context, value_of(input))) {
            if outputs.values.len() >= max_outputs {
                outputs.is_cut = true;
                break;
            }
            let output = output.map_err(|exception| match exception.get_err() {
                Ok(error) => JqFailure(reason_of(&error)),
                Err(_) => JqFailure("it ended without a value".to_owned()),
            })?;
            outputs.values.push(budget.json(&output)?);
        }
        Ok(outputs)
    }
}

impl JqError {
    /// Creates an error at the position of `part`, which is a slice of the program `text`.
    fn at(text: &str, part: &str, reason: impl Into<String>) -> Self {
        let offset = part.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
        let before = text.get(..offset).unwrap_or_default();
        Self { reason: reason.into(), character: before.chars().count() + 1 }
    }
}

/// Refuses programs whose parsing could recurse too deeply.
fn check_size(text: &str) -> Result<(), JqError> {
    let (mut parts, mut is_in_name) = (0_usize, false);
    for (at, letter) in text.char_indices() {
        let is_of_name = letter.is_alphanumeric() || letter == '_';
        let is_part = matches!(letter, '(' | '[' | '{' | '|' | ',' | '-') || is_of_name && !is_in_name;
        is_in_name = is_of_name;
        parts += usize::from(is_part);
        if parts > MAX_PARTS {
            return Err(JqError::at(text, &text[at..], format!("there are more than {MAX_PARTS} parts")));
        }
    }
    Ok(())
}

fn load_error(text: &str, error: load::Error<&str>) -> JqError {
    let first = match error {
        load::Error::Io(errors) => {
            let path = errors.first().map_or(text, |(path, _)| *path);
            return JqError::at(text, path, "modules are not supported");
        }
        load::Error::Lex(errors) => {
            errors.into_iter().next().map(|(expected, part)| (expected.as_str(), part))
        }
        load::Error::Parse(errors) => {
            errors.into_iter().next().map(|(expected, part)| (expected.as_str(), part))
        }
    };
    let (expected, part) = first.unwrap_or(("another text", text));
    JqError::at(text, part, format!("{expected} is expected"))
}

fn undefined_words(name: &str, kind: &Undefined) -> String {
    match kind {
        Undefined::Filter(0) => format!("there is no function {name}"),
        Undefined::Filter(arguments) => format!("there is no function {name} with {arguments} arguments"),
        other => format!("there is no {} {name}", other.as_str()),
    }
}

/// Message for an error. If the error contains a long value, only the beginning of the message is returned.
fn reason_of(error: &jaq_core::Error<Val>) -> String {
    struct Bounded(String);

    impl Write for Bounded {
        fn write_str(&mut self, piece: &str) -> fmt::Result {
            let left = MAX_REASON_CHARS.saturating_sub(self.0.chars().count());
            self.0.extend(piece.chars().take(left));
            if piece.chars().nth(left).is_some() { Err(fmt::Error) } else { Ok(()) }
        }
    }

    let mut bounded = Bounded(String::new());
    if write!(bounded, "{error}").is_err() {
        bounded.0.push('…');
    }
    let text = bounded.0;
    // A string in an error message is formatted as JSON.
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map(str::to_owned);
    inner.unwrap_or(text)
}
