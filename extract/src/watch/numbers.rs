//! Parses numbers as people write them, with the thousands and decimal separators of different locales, and
//! their currencies.

mod amounts;
mod currencies;
mod number;

pub(super) use self::{
    amounts::{Amount, DecimalSign, NumberFormat, amounts, chosen, only},
    currencies::{is_money, is_money_sign, with_unit},
    number::Number,
};

#[cfg(test)]
mod tests;
