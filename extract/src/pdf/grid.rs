//! Formats rows of cells as a Markdown table. Cells may span rows and columns.

/// Maximum number of columns in a table.
const MAX_COLUMNS: usize = 200;

/// Text of a cell, and the number of rows and columns that it spans.
pub(super) struct GridCell {
    pub(super) text: String,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// Formats the table. Positions that are spanned by a cell above or to the left are empty. `None` if there
/// are no cells.
pub(super) fn markdown(rows: Vec<Vec<GridCell>>) -> Option<String> {
    let mut below: Vec<usize> = Vec::new();
    let mut lines: Vec<Vec<String>> = Vec::new();
    for row in rows {
        let mut line: Vec<String> = Vec::new();
        for cell in row {
            cover(&mut line, &mut below);
            for column in 0..cell.columns.max(1) {
                if line.len() >= MAX_COLUMNS {
                    break;
                }
                below.resize(below.len().max(line.len() + 1), 0);
                below[line.len()] = cell.rows.max(1) - 1;
                let text = if column == 0 {
                    cell.text.replace('|', "\\|").replace('\n', " ")
                } else {
                    String::new()
                };
                line.push(text);
            }
        }
        cover(&mut line, &mut below);
        lines.push(line);
    }
    lines.retain(|line| line.iter().any(|cell| !cell.is_empty()));
    let width = lines.iter().map(Vec::len).max()?;
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        text.push('|');
        for column in 0..width {
            text.push(' ');
            text.push_str(line.get(column).map_or("", String::as_str));
            text.push_str(" |");
        }
        if index == 0 {
            text.push_str("\n|");
            text.push_str(&" --- |".repeat(width));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    Some(text)
}

fn cover(line: &mut Vec<String>, below: &mut [usize]) {
    while let Some(rows) = below.get_mut(line.len()).filter(|rows| **rows > 0) {
        *rows -= 1;
        line.push(String::new());
    }
}
