//! Formats rows of cells as Markdown tables.

use std::fmt::Write as _;

/// Maximum number of columns in a table.
pub(super) const MAX_COLUMNS: usize = 60;

/// Escapes the text of a table cell.
pub(super) fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

/// Formats rows as a Markdown table. The first row that is not empty is the header. `None` if all rows are
/// empty.
pub(super) fn markdown(rows: &[Vec<String>]) -> Option<String> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = String::new();
    for (index, row) in rows.iter().filter(|row| row.iter().any(|cell| !cell.is_empty())).enumerate() {
        let cells: Vec<&str> = (0..width).map(|column| row.get(column).map_or("", String::as_str)).collect();
        _ = writeln!(text, "| {} |", cells.join(" | "));
        if index == 0 {
            _ = writeln!(text, "|{}", " --- |".repeat(width));
        }
    }
    text.truncate(text.trim_end().len());
    (!text.is_empty()).then_some(text)
}
