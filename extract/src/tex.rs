//! TeX of formulas that a source contains in another notation. Each reader converts its notation to an
//! `Expr`.

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
