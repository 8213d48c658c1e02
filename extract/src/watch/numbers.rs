//! Parses numbers as people write them, with the thousands and decimal separators of different locales.

mod amounts;
mod context;
mod notation;
mod number;

pub(super) use self::{
    amounts::{Amount, DecimalSeparator, NumberFormat, amounts, chosen, only},
    number::{MinimumStep, Number},
};

#[cfg(test)]
mod notation_table;
#[cfg(test)]
mod tests;
