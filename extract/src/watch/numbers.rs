//! Parses numbers as people write them, with the thousands and decimal separators of different locales.

mod amounts;
mod number;

pub(super) use self::{
    amounts::{Amount, DecimalSign, NumberFormat, amounts, chosen, only},
    number::Number,
};

#[cfg(test)]
mod tests;
