//! Spreadsheets: each sheet under its name, as a table. XLSX and ODS files, and tables of delimited text.

mod cells;
mod delimited;
mod ods;
mod sheets;
mod xlsx;

pub(super) use self::{delimited::read as read_delimited, ods::read as read_ods, xlsx::read as read_xlsx};

#[cfg(test)]
mod tests;
