//! Formulas, independent of their notation.

/// Formula or part of a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expr {
    Row(Vec<Expr>),
    /// Variable or name, with the TeX command of its font.
    Name {
        text: String,
        font: Option<&'static str>,
    },
    Number(String),
    Operator(String),
    /// Words between formulas.
    Text(String),
    Space,
    Fraction(Box<Expr>, Box<Expr>),
    /// Two expressions, one above the other, without a fraction bar.
    Stack(Box<Expr>, Box<Expr>),
    Root {
        radicand: Box<Expr>,
        index: Option<Box<Expr>>,
    },
    Scripts {
        base: Box<Expr>,
        sub: Option<Box<Expr>>,
        sup: Option<Box<Expr>>,
    },
    /// Limits or accents below and above a base.
    Limits {
        base: Box<Expr>,
        under: Option<Box<Expr>>,
        over: Option<Box<Expr>>,
    },
    Fenced {
        open: String,
        close: String,
        separator: String,
        items: Vec<Expr>,
    },
    Table {
        rows: Vec<Vec<Expr>>,
        /// True for equations that are aligned at their relation symbols.
        is_aligned: bool,
    },
    /// TeX command with one argument.
    Command(&'static str, Box<Expr>),
}

impl Expr {
    pub(crate) fn empty() -> Self {
        Self::Row(Vec::new())
    }
}

/// Splits a run of characters into names, numbers and operators.
pub(crate) fn parse_characters(text: &str, font: Option<&'static str>) -> Vec<Expr> {
    let mut items: Vec<Expr> = Vec::new();
    for c in text.chars() {
        match items.last_mut() {
            _ if c.is_whitespace() => {}
            Some(Expr::Number(number)) if c.is_ascii_digit() || c == '.' => number.push(c),
            Some(Expr::Name { text, .. }) if font.is_some() && c.is_alphabetic() => text.push(c),
            _ if c.is_ascii_digit() => items.push(Expr::Number(c.to_string())),
            _ if c.is_alphabetic() => items.push(Expr::Name { text: c.to_string(), font }),
            _ => items.push(Expr::Operator(c.to_string())),
        }
    }
    items
}
