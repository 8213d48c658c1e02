//! Nodes and values of expressions, and conversions between types of values.

use crate::page::Id;

/// Node of a page, or attribute of an element. The order is the document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct XPathNode {
    id: u32,
    /// Index of the attribute plus 1. 0 for the node itself.
    attribute: u32,
}

impl XPathNode {
    pub(super) fn of(id: Id) -> Self {
        Self { id: narrow(id), attribute: 0 }
    }

    /// Creates the node for an attribute of an element. `number` is the zero-based index of the attribute.
    pub(super) fn attribute_of(id: Id, number: usize) -> Self {
        Self { id: narrow(id), attribute: narrow(number + 1) }
    }

    /// Id of the node, or of the element that has the attribute.
    pub(crate) fn id(self) -> Id {
        self.id as usize
    }

    /// Zero-based index of the attribute. `None` if the node is not an attribute.
    pub(crate) fn attribute(self) -> Option<usize> {
        self.attribute.checked_sub(1).map(|number| number as usize)
    }

    pub(super) fn is_attribute(self) -> bool {
        self.attribute > 0
    }
}

/// Converts an index to 32 bits. It always fits, because the size of a page is limited.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Value of an expression.
#[derive(Debug)]
pub(super) enum Value {
    /// Distinct nodes in document order.
    Nodes(Vec<XPathNode>),
    Text(String),
    Number(f64),
    Boolean(bool),
}

/// Result of evaluating an expression.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum XPathResult {
    /// Distinct nodes in document order.
    Nodes(Vec<XPathNode>),
    /// Text, or a number or boolean converted to text.
    Text(String),
}

impl Value {
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Nodes(nodes) => !nodes.is_empty(),
            Self::Text(text) => !text.is_empty(),
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Boolean(is_true) => *is_true,
        }
    }
}

/// Converts a count or position to a number.
pub(super) fn to_number(count: usize) -> f64 {
    f64::from(narrow(count))
}

/// Number that a text represents, or NaN if it is not a number.
pub(super) fn number_in(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_number { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// Text of a number in decimal notation, without an exponent.
pub(super) fn number_text(number: f64) -> String {
    if number == 0.0 {
        "0".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        number.to_string()
    }
}

/// True for white space as XPath defines it.
pub(super) fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\r' | '\n')
}
