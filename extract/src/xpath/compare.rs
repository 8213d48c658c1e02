//! Comparisons. A comparison with a set of nodes is true if it is true for at least one of the nodes. The
//! cost is linear in the texts of the nodes.

use std::collections::HashSet;

use super::{
    evaluate::{Evaluated, XPathEvaluation},
    expression::ComparisonOperator,
    value::{Value, number_in},
};
use crate::text_hash::hash;

impl XPathEvaluation<'_> {
    pub(super) fn compare(
        &self,
        comparison: ComparisonOperator,
        left: Value,
        right: Value,
    ) -> Evaluated<bool> {
        let is_boolean = matches!(left, Value::Boolean(_)) || matches!(right, Value::Boolean(_));
        let is_number = matches!(left, Value::Number(_)) || matches!(right, Value::Number(_));
        let is_equal = match comparison {
            ComparisonOperator::Equal => true,
            ComparisonOperator::Unequal => false,
            ComparisonOperator::Less
            | ComparisonOperator::LessOrEqual
            | ComparisonOperator::Greater
            | ComparisonOperator::GreaterOrEqual => {
                let (left, right) =
                    if is_boolean { (to_boolean(left), to_boolean(right)) } else { (left, right) };
                return Ok(is_ordered(comparison, &self.numbers(left)?, &self.numbers(right)?));
            }
        };
        if is_boolean {
            return Ok((left.is_true() == right.is_true()) == is_equal);
        }
        if is_number {
            let (left, right) = (self.numbers(left)?, self.numbers(right)?);
            return Ok(left.iter().any(|one| right.iter().any(|other| same(*one, *other) == is_equal)));
        }
        let (left, right) = (self.hashes(left)?, self.hashes(right)?);
        if is_equal {
            return Ok(!left.is_disjoint(&right));
        }
        // At least one pair of texts differs, unless all texts are equal.
        let is_any = !left.is_empty() && !right.is_empty();
        Ok(is_any && (left.len() > 1 || right.len() > 1 || left != right))
    }

    fn numbers(&self, value: Value) -> Evaluated<Vec<f64>> {
        match value {
            Value::Nodes(nodes) => {
                nodes.into_iter().map(|node| self.text_of(node).map(|text| number_in(&text))).collect()
            }
            value => Ok(vec![self.number(value)?]),
        }
    }

    /// Hashes of the texts of a value.
    fn hashes(&self, value: Value) -> Evaluated<HashSet<u64>> {
        match value {
            Value::Nodes(nodes) => {
                nodes.into_iter().map(|node| self.text_of(node).map(|text| hash(&text))).collect()
            }
            value => Ok(HashSet::from([hash(&self.text(value)?)])),
        }
    }
}

/// Converts nodes to a boolean, as comparisons with a boolean require.
fn to_boolean(value: Value) -> Value {
    match value {
        Value::Nodes(nodes) => Value::Boolean(!nodes.is_empty()),
        value => value,
    }
}

#[expect(clippy::float_cmp, reason = "numbers of expressions are equal exactly or not at all")]
fn same(one: f64, other: f64) -> bool {
    one == other
}

/// True if at least one pair of a left and a right number is in this order.
fn is_ordered(comparison: ComparisonOperator, left: &[f64], right: &[f64]) -> bool {
    // `f64::min` and `f64::max` ignore NaN.
    let least = |numbers: &[f64]| numbers.iter().copied().fold(f64::NAN, f64::min);
    let most = |numbers: &[f64]| numbers.iter().copied().fold(f64::NAN, f64::max);
    match comparison {
        ComparisonOperator::Less => least(left) < most(right),
        ComparisonOperator::LessOrEqual => least(left) <= most(right),
        ComparisonOperator::Greater => most(left) > least(right),
        ComparisonOperator::GreaterOrEqual => most(left) >= least(right),
        ComparisonOperator::Equal | ComparisonOperator::Unequal => false,
    }
}
