//! Evaluates expressions. Each visited node is counted as a step, and the number of steps is limited.

use std::cell::Cell;

use super::{
    expression::{Arithmetic, Expression, LocationStep, Path, PathStart, Predicate, XPathOperator},
    value::{Value, XPathNode, XPathResult, number_in, number_text, to_number},
};
use crate::page::{Id, Page};

/// Maximum number of steps of all evaluations on a page. Visiting this number of nodes takes less than a
/// second and 80 MB.
const MAX_STEPS: usize = 10_000_000;
/// Number of bytes of text that are counted as one step.
const TEXT_BYTES: usize = 64;

/// Error if an expression would need too many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooCostly;

pub(super) type Evaluated<T> = Result<T, TooCostly>;

/// Page, with the number of steps that remain for expressions.
pub(crate) struct XPathEvaluation<'p> {
    pub(super) page: &'p Page,
    steps_left: Cell<usize>,
}

/// Context node of an expression, with the context position and the context size.
pub(super) struct XPathContext {
    pub(super) node: XPathNode,
    pub(super) position: usize,
    pub(super) size: usize,
}

impl<'p> XPathEvaluation<'p> {
    pub(crate) fn new(page: &'p Page) -> Self {
        Self { page, steps_left: Cell::new(MAX_STEPS) }
    }

    #[cfg(test)]
    pub(super) fn with_steps(page: &'p Page, steps: usize) -> Self {
        Self { page, steps_left: Cell::new(steps) }
    }

    pub(super) fn select(&self, expression: &Expression, from: Id) -> Evaluated<XPathResult> {
        let context = XPathContext { node: XPathNode::of(from), position: 1, size: 1 };
        Ok(match self.value(expression, &context)? {
            Value::Nodes(nodes) => XPathResult::Nodes(nodes),
            value => XPathResult::Text(self.text(value)?),
        })
    }

    pub(super) fn charge(&self, steps: usize) -> Evaluated<()> {
        let left = self.steps_left.get().checked_sub(steps).ok_or(TooCostly)?;
        self.steps_left.set(left);
        Ok(())
    }

    /// Charges the steps for reading a text.
    pub(super) fn charge_text(&self, text: &str) -> Evaluated<()> {
        self.charge(text.len() / TEXT_BYTES)
    }

    pub(super) fn value(&self, expression: &Expression, context: &XPathContext) -> Evaluated<Value> {
        self.charge(1)?;
        Ok(match expression {
            Expression::Binary { operator, left, right } => self.binary(*operator, left, right, context)?,
            Expression::Negated(inner) => Value::Number(-self.number(self.value(inner, context)?)?),
            Expression::Union(members) => {
                let mut nodes = Vec::new();
                for member in members {
                    nodes.extend(self.nodes(member, context)?);
                }
                Value::Nodes(in_order(nodes))
            }
            Expression::Path(path) => Value::Nodes(self.path(path, context)?),
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Number(number) => Value::Number(*number),
            Expression::Call(function, arguments) => self.call(*function, arguments, context)?,
        })
    }

    /// Nodes that an expression selects. Empty if the value of the expression is not a set of nodes.
    pub(super) fn nodes(&self, expression: &Expression, context: &XPathContext) -> Evaluated<Vec<XPathNode>> {
        match self.value(expression, context)? {
            Value::Nodes(nodes) => Ok(nodes),
            Value::Text(_) | Value::Number(_) | Value::Boolean(_) => Ok(Vec::new()),
        }
    }

    fn binary(
        &self,
        operator: XPathOperator,
        left: &Expression,
        right: &Expression,
        context: &XPathContext,
    ) -> Evaluated<Value> {
        let is_true = |side: &Expression| self.value(side, context).map(|value| value.is_true());
        Ok(match operator {
            XPathOperator::Or => Value::Boolean(is_true(left)? || is_true(right)?),
            XPathOperator::And => Value::Boolean(is_true(left)? && is_true(right)?),
            XPathOperator::Comparison(comparison) => {
                let (left, right) = (self.value(left, context)?, self.value(right, context)?);
                Value::Boolean(self.compare(comparison, left, right)?)
            }
            XPathOperator::Arithmetic(arithmetic) => {
                let left = self.number(self.value(left, context)?)?;
                let right = self.number(self.value(right, context)?)?;
                Value::Number(match arithmetic {
                    Arithmetic::Add => left + right,
                    Arithmetic::Subtract => left - right,
                    Arithmetic::Multiply => left * right,
                    Arithmetic::Divide => left / right,
                    Arithmetic::Remainder => left % right,
                })
            }
        })
    }

    fn path(&self, path: &Path, context: &XPathContext) -> Evaluated<Vec<XPathNode>> {
        let mut nodes = match &path.start {
            PathStart::Root => vec![XPathNode::of(0)],
            PathStart::Context => vec![context.node],
            PathStart::Filter(inner, predicates) => self.passing(self.nodes(inner, context)?, predicates)?,
        };
        for step in &path.steps {
            nodes = self.step(&nodes, step)?;
        }
        Ok(nodes)
    }

    fn step(&self, nodes: &[XPathNode], step: &LocationStep) -> Evaluated<Vec<XPathNode>> {
        let mut selected = Vec::new();
        if step.predicates.is_empty() {
            self.joined_axis(nodes, step, &mut selected)?;
        } else {
            // For a predicate with a position, the nodes after that position are not needed.
            let limit = match step.predicates.first() {
                Some(Predicate::Nth(position)) => *position,
                Some(Predicate::Test(_)) | None => usize::MAX,
            };
            for &node in nodes {
                let mut candidates = Vec::new();
                self.axis(node, step, limit, &mut candidates)?;
                selected.extend(self.passing(candidates, &step.predicates)?);
            }
        }
        Ok(in_order(selected))
    }

    /// Candidates that pass all predicates. The order of the candidates determines their positions.
    fn passing(&self, mut candidates: Vec<XPathNode>, predicates: &[Predicate]) -> Evaluated<Vec<XPathNode>> {
        for predicate in predicates {
            candidates = match predicate {
                Predicate::Nth(position) => {
                    let index = position.checked_sub(1);
                    index.and_then(|index| candidates.get(index)).copied().into_iter().collect()
                }
                Predicate::Test(test) => {
                    let size = candidates.len();
                    let mut passing = Vec::new();
                    for (index, &node) in candidates.iter().enumerate() {
                        let position = index + 1;
                        if self.passes(test, &XPathContext { node, position, size })? {
                            passing.push(node);
                        }
                    }
                    passing
                }
            };
        }
        Ok(candidates)
    }

    #[expect(clippy::float_cmp, reason = "a position equals a number exactly or not at all")]
    fn passes(&self, test: &Expression, context: &XPathContext) -> Evaluated<bool> {
        Ok(match self.value(test, context)? {
            Value::Number(number) => number == to_number(context.position),
            value => value.is_true(),
        })
    }

    /// Text of a node: the value of an attribute, or the concatenated texts of an element.
    pub(crate) fn text_of(&self, node: XPathNode) -> Evaluated<String> {
        let id = node.id();
        if let Some(number) = node.attribute() {
            self.charge(number)?;
            let value = self.page.attributes(id).nth(number).map_or("", |(_, value)| value);
            self.charge_text(value)?;
            return Ok(value.to_owned());
        }
        let nodes = self.page.subtree(id);
        self.charge(nodes.len())?;
        let mut text = String::new();
        for piece in nodes.filter_map(|inner| self.page.text(inner)) {
            self.charge_text(piece)?;
            text.push_str(piece);
        }
        Ok(text)
    }

    pub(super) fn text(&self, value: Value) -> Evaluated<String> {
        match value {
            Value::Nodes(nodes) => {
                nodes.first().map_or_else(|| Ok(String::new()), |node| self.text_of(*node))
            }
            Value::Text(text) => Ok(text),
            Value::Number(number) => Ok(number_text(number)),
            Value::Boolean(is_true) => Ok(is_true.to_string()),
        }
    }

    pub(super) fn number(&self, value: Value) -> Evaluated<f64> {
        match value {
            Value::Number(number) => Ok(number),
            Value::Boolean(is_true) => Ok(f64::from(u8::from(is_true))),
            value @ (Value::Nodes(_) | Value::Text(_)) => self.text(value).map(|text| number_in(&text)),
        }
    }
}

/// Sorts nodes in document order and removes duplicates.
fn in_order(mut nodes: Vec<XPathNode>) -> Vec<XPathNode> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
