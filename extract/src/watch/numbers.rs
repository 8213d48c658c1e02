//! Numbers as people write them: values with thousands and decimal signs of every custom, and the currency that they
//! are amounts of.

mod amounts;
mod currencies;
mod number;

pub(super) use self::{
    amounts::{Amount, Custom, DecimalSign, amounts, chosen, only},
    currencies::{is_money, is_money_sign, with_unit},
    number::Number,
};

#[cfg(test)]
mod tests;
