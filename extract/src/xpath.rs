//! XPath 1.0 over the nodes of a page, with limited cost.
//!
//! Supports all axes except `namespace`, and all functions of the core library. Case and prefixes of names
//! are ignored, as in HTML. Variables are not supported, and pages have no comments or processing
//! instructions. Expressions are type-checked when they are parsed, so that the evaluation of a parsed
//! expression fails only if it is too costly.

mod axes;
mod compare;
mod error;
mod evaluate;
mod expression;
mod functions;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;
mod value;

pub(crate) use self::{
    error::XPathError,
    evaluate::{TooCostly, XPathEvaluation},
    value::{XPathNode, XPathResult},
};

use self::expression::{Expression, ValueType};
use crate::page::Id;

/// Parsed expression.
#[derive(Debug)]
pub(crate) struct XPath(Expression);

impl XPath {
    pub(crate) fn parse(text: &str) -> Result<Self, XPathError> {
        parser::parse(text).map(Self)
    }

    /// True if the expression selects nodes other than attributes.
    pub(crate) fn selects_nodes(&self) -> bool {
        self.0.value_type() == ValueType::Nodes && !self.0.is_of_attributes()
    }

    /// True if the expression selects the same nodes for each context.
    pub(crate) fn is_absolute(&self) -> bool {
        self.0.is_absolute()
    }

    /// Evaluates the expression with `from` as the context node.
    pub(crate) fn select(
        &self,
        evaluation: &XPathEvaluation<'_>,
        from: Id,
    ) -> Result<XPathResult, TooCostly> {
        evaluation.select(&self.0, from)
    }
}
