//! Converts formulas in other notations to TeX. The reader of each notation creates an `Expr`.

mod expr;
mod letters;
mod notation;
mod symbols;

pub(crate) use self::{
    expr::{Expr, parse_characters},
    symbols::is_function,
};

#[cfg(test)]
mod tests;
