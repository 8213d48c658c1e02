//! Reads spreadsheets (XLSX, ODS, delimited text). Each sheet becomes a heading and a table.

mod cells;
mod delimited;
mod ods;
mod sheets;
mod xlsx;

pub(super) use self::{delimited::read as read_delimited, ods::read as read_ods, xlsx::read as read_xlsx};

#[cfg(test)]
mod tests;
