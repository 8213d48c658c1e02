//! The core function library of XPath 1.0.

use std::collections::{HashMap, HashSet};

use super::{
    evaluate::{Evaluated, TooCostly, XPathContext, XPathEvaluation},
    expression::{BooleanFunction, Expression, Function, NumberFunction, TextFunction},
    value::{Value, XPathNode, is_space, to_number},
};

/// Maximum number of bytes of a text that a function returns.
const MAX_TEXT_BYTES: usize = 32 << 20;

impl XPathEvaluation<'_> {
    pub(super) fn call(
        &self,
        function: Function,
        arguments: &[Expression],
        context: &XPathContext,
    ) -> Evaluated<Value> {
        let arguments = FunctionArguments { evaluation: self, expressions: arguments, context };
        Ok(match function {
            Function::Id => Value::Nodes(arguments.elements_by_id()?),
            Function::Text(function) => Value::Text(arguments.text_call(function)?),
            Function::Number(function) => Value::Number(arguments.number_call(function)?),
            Function::Boolean(function) => Value::Boolean(arguments.boolean_call(function)?),
        })
    }
}

/// Arguments of a function call. The parser has already checked their number.
struct FunctionArguments<'c, 'p> {
    evaluation: &'c XPathEvaluation<'p>,
    expressions: &'c [Expression],
    context: &'c XPathContext,
}

impl FunctionArguments<'_, '_> {
    /// Value of an argument, or the context node if the argument is missing.
    fn value(&self, index: usize) -> Evaluated<Value> {
        match self.expressions.get(index) {
            Some(argument) => self.evaluation.value(argument, self.context),
            None => Ok(Value::Nodes(vec![self.context.node])),
        }
    }

    fn text(&self, index: usize) -> Evaluated<String> {
        let text = self.evaluation.text(self.value(index)?)?;
        self.evaluation.charge_text(&text)?;
        Ok(text)
    }

    fn number(&self, index: usize) -> Evaluated<f64> {
        self.evaluation.number(self.value(index)?)
    }

    fn nodes(&self, index: usize) -> Evaluated<Vec<XPathNode>> {
        match self.value(index)? {
            Value::Nodes(nodes) => Ok(nodes),
            Value::Text(_) | Value::Number(_) | Value::Boolean(_) => Ok(Vec::new()),
        }
    }

    fn text_call(&self, function: TextFunction) -> Evaluated<String> {
        Ok(match function {
            TextFunction::Name => match self.nodes(0)?.first() {
                Some(node) => self.name(*node)?,
                None => String::new(),
            },
            TextFunction::NamespaceUri => String::new(),
            TextFunction::String => self.text(0)?,
            TextFunction::Concat => {
                let mut joined = String::new();
                for index in 0..self.expressions.len() {
                    joined.push_str(&self.text(index)?);
                    if joined.len() > MAX_TEXT_BYTES {
                        return Err(TooCostly);
                    }
                }
                joined
            }
            TextFunction::SubstringBefore => {
                let (text, part) = (self.text(0)?, self.text(1)?);
                text.split_once(part.as_str()).map(|(before, _)| before.to_owned()).unwrap_or_default()
            }
            TextFunction::SubstringAfter => {
                let (text, part) = (self.text(0)?, self.text(1)?);
                text.split_once(part.as_str()).map(|(_, after)| after.to_owned()).unwrap_or_default()
            }
            TextFunction::Substring => self.substring()?,
            TextFunction::NormalizeSpace => {
                let text = self.text(0)?;
                text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
            }
            TextFunction::Translate => translate(&self.text(0)?, &self.text(1)?, &self.text(2)?),
        })
    }

    fn number_call(&self, function: NumberFunction) -> Evaluated<f64> {
        Ok(match function {
            NumberFunction::Last => to_number(self.context.size),
            NumberFunction::Position => to_number(self.context.position),
            NumberFunction::Count => to_number(self.nodes(0)?.len()),
            NumberFunction::StringLength => to_number(self.text(0)?.chars().count()),
            NumberFunction::Number => self.number(0)?,
            NumberFunction::Sum => {
                let mut sum = 0.0;
                for node in self.nodes(0)? {
                    sum += self.evaluation.number(Value::Nodes(vec![node]))?;
                }
                sum
            }
            NumberFunction::Floor => self.number(0)?.floor(),
            NumberFunction::Ceiling => self.number(0)?.ceil(),
            NumberFunction::Round => round_half_up(self.number(0)?),
        })
    }

    fn boolean_call(&self, function: BooleanFunction) -> Evaluated<bool> {
        Ok(match function {
            BooleanFunction::StartsWith => self.text(0)?.starts_with(self.text(1)?.as_str()),
            BooleanFunction::Contains => self.text(0)?.contains(self.text(1)?.as_str()),
            BooleanFunction::Boolean => self.value(0)?.is_true(),
            BooleanFunction::Not => !self.value(0)?.is_true(),
            BooleanFunction::True => true,
            BooleanFunction::False => false,
            BooleanFunction::Lang => self.is_in_language(&self.text(0)?)?,
        })
    }

    /// Elements whose ids are in the argument. The ids are separated by white space.
    fn elements_by_id(&self) -> Evaluated<Vec<XPathNode>> {
        let page = self.evaluation.page;
        let mut ids: HashSet<String> = HashSet::new();
        let mut add = |text: &str| {
            ids.extend(text.split(is_space).filter(|id| !id.is_empty()).map(str::to_owned));
        };
        match self.value(0)? {
            Value::Nodes(nodes) => {
                for node in nodes {
                    add(&self.evaluation.text_of(node)?);
                }
            }
            value => add(&self.evaluation.text(value)?),
        }
        let mut elements = Vec::new();
        for id in 1..page.len() {
            self.evaluation.charge(1 + page.attributes(id).count())?;
            let value = page.attribute(id, "id").unwrap_or_default();
            self.evaluation.charge_text(value)?;
            if ids.contains(value) {
                elements.push(XPathNode::of(id));
            }
        }
        Ok(elements)
    }

    /// Name of an element or attribute. Empty for a text node.
    fn name(&self, node: XPathNode) -> Evaluated<String> {
        let (page, id) = (self.evaluation.page, node.id());
        let name = match node.attribute() {
            Some(number) => {
                self.evaluation.charge(number)?;
                page.attributes(id).nth(number).map_or("", |(name, _)| name)
            }
            None if id == 0 => "",
            None => page.tag(id),
        };
        Ok(name.to_owned())
    }

    /// Substring that begins at a position, counted from 1, optionally with a maximum length.
    fn substring(&self) -> Evaluated<String> {
        let text = self.text(0)?;
        let start = round_half_up(self.number(1)?);
        let end =
            if self.expressions.len() > 2 { start + round_half_up(self.number(2)?) } else { f64::INFINITY };
        let mut position = 0.0;
        let is_inside = |_: &char| {
            position += 1.0;
            position >= start && position < end
        };
        Ok(text.chars().filter(is_inside).collect())
    }

    /// True if the nearest declared language is `language` or a variant of it.
    fn is_in_language(&self, language: &str) -> Evaluated<bool> {
        let page = self.evaluation.page;
        for id in page.self_and_ancestors(self.context.node.id()) {
            self.evaluation.charge(1 + page.attributes(id).count())?;
            let declared = page.attribute(id, "lang").or_else(|| page.attribute(id, "xml:lang"));
            if let Some(declared) = declared {
                let parts = declared.as_bytes().split_at_checked(language.len());
                return Ok(parts.is_some_and(|(start, rest)| {
                    start.eq_ignore_ascii_case(language.as_bytes())
                        && (rest.is_empty() || rest.starts_with(b"-"))
                }));
            }
        }
        Ok(false)
    }
}

/// Rounds to the nearest integer. A number halfway between two integers is rounded up.
fn round_half_up(number: f64) -> f64 {
    (number + 0.5).floor()
}

/// Replaces each character of `from` by the character of `to` at the same position. If `to` has no such
/// position, the character is removed.
fn translate(text: &str, from: &str, to: &str) -> String {
    let mut replacements = HashMap::new();
    let mut to = to.chars();
    for letter in from.chars() {
        let replacement = to.next();
        replacements.entry(letter).or_insert(replacement);
    }
    text.chars().filter_map(|letter| replacements.get(&letter).copied().unwrap_or(Some(letter))).collect()
}
