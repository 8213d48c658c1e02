//! Splits tables (CSV and similar) into rows of cells, in pieces. An unclosed quote invalidates only its own
//! line: reading resumes with the next line.

use std::collections::VecDeque;

use super::row::InvalidRow;
use crate::delimited;

/// Maximum number of bytes of a row.
const MAX_ROW_BYTES: usize = 4 * 1024 * 1024;
/// Maximum number of cells in a row.
const MAX_CELLS: usize = 1024;
/// Bytes that may be read again after unclosed quotes, in addition to the bytes of the file.
const REREAD_BYTES: usize = 64 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum CellState {
    #[default]
    Start,
    Plain,
    Quoted,
    /// The last byte was a quotation mark in a quoted cell. It closes the cell, or is the first half of a
    /// doubled quotation mark.
    Quote,
}

/// Reader of a table.
#[derive(Default)]
pub(super) struct TableReader {
    /// Separator of cells. `None` until the first line is complete.
    separator: Option<u8>,
    state: CellState,
    cells: Vec<Vec<u8>>,
    cell: Vec<u8>,
    /// Bytes of the row as written, for reading it again.
    raw: Vec<u8>,
    /// Length of the first line of a row of several lines.
    first_line: Option<usize>,
    /// Number of cells of the first row.
    columns: usize,
    is_too_long: bool,
    /// Bytes to be read again.
    pending: VecDeque<u8>,
    read: usize,
    reread: usize,
}

/// Cells of a row, or the reason why it cannot be read.
pub(super) type Cells = Result<Vec<String>, InvalidRow>;

impl TableReader {
    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(Cells)) {
        self.read = self.read.saturating_add(piece.len());
        if self.separator.is_none() {
            self.raw.extend_from_slice(piece);
            if !self.raw.contains(&b'\n') && self.raw.len() < MAX_ROW_BYTES {
                return;
            }
            return self.start(visit);
        }
        self.take(piece, visit);
    }

    /// Guesses the separator, and reads the bytes from which it was guessed.
    fn start(&mut self, visit: &mut dyn FnMut(Cells)) {
        let mut head = std::mem::take(&mut self.raw);
        if !head.contains(&b'\n') {
            // Old Macintosh programs separate lines with carriage returns.
            for byte in head.iter_mut().filter(|byte| **byte == b'\r') {
                *byte = b'\n';
            }
        }
        let line = head.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty());
        self.separator = Some(delimited::guess(&String::from_utf8_lossy(line.unwrap_or_default())));
        self.take(&head, visit);
    }

    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(Cells)) {
        if self.separator.is_none() {
            self.start(visit);
        }
        // Each round completes at least one row.
        while !self.raw.is_empty() || self.is_too_long {
            if self.state == CellState::Quoted && self.first_line.is_some() && self.can_reread() {
                self.resume(visit);
                self.take(&[], visit);
            } else if self.state == CellState::Quoted || self.lacks_cells() {
                // The last row has no line break and lacks cells.
                self.reset();
                visit(Err(InvalidRow::Truncated));
            } else {
                self.end_row(visit);
            }
        }
    }

    fn take(&mut self, bytes: &[u8], visit: &mut dyn FnMut(Cells)) {
        while let Some(byte) = self.pending.pop_front() {
            self.step(byte, visit);
        }
        for &byte in bytes {
            self.step(byte, visit);
            while let Some(byte) = self.pending.pop_front() {
                self.step(byte, visit);
            }
        }
    }

    fn step(&mut self, byte: u8, visit: &mut dyn FnMut(Cells)) {
        if self.raw.len() < MAX_ROW_BYTES {
            self.raw.push(byte);
        } else if self.first_line.is_some() && self.can_reread() {
            self.raw.push(byte);
            return self.resume(visit);
        } else {
            self.is_too_long = true;
        }
        let is_separator = self.separator == Some(byte);
        match (self.state, byte) {
            (CellState::Start, b'"') => self.state = CellState::Quoted,
            (CellState::Quoted, b'"') => self.state = CellState::Quote,
            (CellState::Quoted, b'\n') => {
                self.first_line.get_or_insert(self.raw.len());
                self.store(byte);
            }
            (CellState::Quote, b'"') => {
                self.state = CellState::Quoted;
                self.store(byte);
            }
            (CellState::Start | CellState::Plain | CellState::Quote, b'\n') => self.end_row(visit),
            (CellState::Start | CellState::Plain | CellState::Quote, _) if is_separator => {
                self.end_cell();
                // A row of several lines with too many cells contains an unclosed quote.
                if self.first_line.is_some() && self.has_too_many_cells() {
                    self.resume(visit);
                }
            }
            (CellState::Quote, b'\r' | b' ') => {}
            (CellState::Quote, _) if self.first_line.is_some() && self.can_reread() => self.resume(visit),
            (CellState::Start | CellState::Quote, _) => {
                self.state = CellState::Plain;
                self.store(byte);
            }
            (CellState::Plain | CellState::Quoted, _) => self.store(byte),
        }
    }

    /// True if the row is not blank and has fewer cells than there are columns.
    fn lacks_cells(&self) -> bool {
        let is_blank = self.cells.is_empty() && self.cell.trim_ascii().is_empty();
        !is_blank && self.cells.len() + 1 < self.columns
    }

    fn has_too_many_cells(&self) -> bool {
        self.columns > 0 && self.cells.len() >= self.columns && self.can_reread()
    }

    fn store(&mut self, byte: u8) {
        if !self.is_too_long {
            self.cell.push(byte);
        }
    }

    fn end_cell(&mut self) {
        self.state = CellState::Start;
        let cell = std::mem::take(&mut self.cell);
        if self.cells.len() < MAX_CELLS {
            self.cells.push(cell);
        } else {
            self.is_too_long = true;
        }
    }

    fn end_row(&mut self, visit: &mut dyn FnMut(Cells)) {
        if self.state != CellState::Quote && self.cell.last() == Some(&b'\r') {
            self.cell.pop();
        }
        self.end_cell();
        let (cells, is_too_long) = (std::mem::take(&mut self.cells), self.is_too_long);
        self.reset();
        if is_too_long {
            return visit(Err(InvalidRow::TooLong));
        }
        let cells: Vec<String> =
            cells.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
        if cells.iter().all(|cell| cell.trim().is_empty()) && cells.len() <= 1 {
            return;
        }
        if self.columns == 0 {
            self.columns = cells.len();
        }
        visit(Ok(cells));
    }

    fn reset(&mut self) {
        self.state = CellState::Start;
        self.cells.clear();
        self.cell.clear();
        self.raw.clear();
        (self.first_line, self.is_too_long) = (None, false);
    }

    /// True if the row may be read again. The limit bounds the cost of hostile files.
    fn can_reread(&self) -> bool {
        self.reread < self.read.saturating_add(REREAD_BYTES)
    }

    /// Reports the first line of the row as invalid, and reads the following lines again.
    fn resume(&mut self, visit: &mut dyn FnMut(Cells)) {
        let mut raw = std::mem::take(&mut self.raw);
        let rest = raw.split_off(self.first_line.unwrap_or(raw.len()).min(raw.len()));
        self.reset();
        visit(Err(InvalidRow::UnclosedQuote));
        self.reread = self.reread.saturating_add(rest.len());
        for byte in rest.into_iter().rev() {
            self.pending.push_front(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, step: usize) -> Vec<Cells> {
        let (mut table, mut rows) = (TableReader::default(), Vec::new());
        for piece in text.as_bytes().chunks(step) {
            table.push(piece, &mut |row| rows.push(row));
        }
        table.finish(&mut |row| rows.push(row));
        rows
    }

    fn cells(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn cells_are_split_at_the_separator_of_the_first_line() {
        let text = "a;b\r\n\"1;\"\"x\"\"\";\"two\nlines\"\r\n\r\n3;4\" x";
        for step in [1, 3, 100] {
            let expected =
                [Ok(cells(&["a", "b"])), Ok(cells(&["1;\"x\"", "two\nlines"])), Ok(cells(&["3", "4\" x"]))];
            assert_eq!(read(text, step), expected, "{step}");
        }
        assert_eq!(read("a\tb", 1), [Ok(cells(&["a", "b"]))]);
        assert!(read("", 1).is_empty());
    }

    #[test]
    fn unclosed_quote_invalidates_only_its_own_line() {
        let good = (0..200).map(|number| format!("t{number},u{number}\n")).collect::<Vec<_>>().concat();
        for after in ["", "\"quoted\",u\n", "x,\"quoted, too\"\n"] {
            let text = format!("title,url\nt,u\n\"broken,,\n{good}{after}");
            for step in [1, 100, 100_000] {
                let rows = read(&text, step);
                assert_eq!(
                    rows[..3],
                    [Ok(cells(&["title", "url"])), Ok(cells(&["t", "u"])), Err(InvalidRow::UnclosedQuote)]
                );
                assert_eq!(rows.len(), 203 + after.lines().count(), "{after} {step}");
                assert!(rows[3..].iter().all(Result::is_ok));
            }
        }
        for cut in ["a,b\n\"c", "a,b\nhttps://a.ex"] {
            assert_eq!(read(cut, 1)[1], Err(InvalidRow::Truncated));
        }
    }

    #[test]
    fn cost_of_hostile_quotes_is_bounded() {
        let text = "a,b\n".to_owned() + &"a\",,\"c\n".repeat(200_000);
        assert!(read(&text, 64 * 1024).len() > 100_000);
    }
}
