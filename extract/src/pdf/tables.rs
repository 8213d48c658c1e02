//! Detects tables in untagged files: rows of adjacent cells that are aligned in columns.
//!
//! Files render one cell after another, each with all its lines. The next cell begins to the right of the
//! previous cell, and the next row begins further down on the left.

use super::{
    grid::{self, GridCell},
    lines::{self, GlyphLine},
};
use crate::clean;

/// Maximum gap between texts at the same height that may be one line with a wide space, as a multiple of the
/// text size.
const NEAR: f32 = 2.2;
/// Share of the page height below which the last row must be for a table to continue on the next page.
const LOW: f32 = 0.75;
/// Maximum average number of times that a line is examined. The search stops at this limit.
const MAX_CHECKS_PER_LINE: usize = 40;
/// Maximum number of columns in a table.
const MAX_COLUMNS: usize = 60;

/// A line of text, or a table in Markdown with its page number.
pub(super) enum PagePiece {
    Line(GlyphLine),
    Table(u32, String),
}

/// Horizontal bounds and lines of a cell.
#[derive(Debug, Clone)]
struct CellRegion {
    left: f32,
    right: f32,
    lines: Vec<GlyphLine>,
}

/// Splits lines into tables and lines outside of tables.
pub(super) fn split(lines: &[GlyphLine]) -> Vec<PagePiece> {
    let mut search = TableSearch { lines, left: lines.len() * MAX_CHECKS_PER_LINE };
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(first) = lines.get(at) {
        if let Some((text, end)) = search.table(at) {
            out.push(PagePiece::Table(first.page, text));
            at = end;
            continue;
        }
        let mut line = first.clone();
        at += 1;
        while let Some(next) = lines.get(at).filter(|next| is_next_to(&line, next)) {
            if search.table(at).is_some() {
                break;
            }
            line.text.push(' ');
            line.text.push_str(next.text.trim());
            line.right = next.right;
            line.bold &= next.bold;
            line.mono &= next.mono;
            at += 1;
        }
        out.push(PagePiece::Line(line));
    }
    out
}

struct TableSearch<'l> {
    lines: &'l [GlyphLine],
    /// Number of line examinations that are left.
    left: usize,
}

impl TableSearch<'_> {
    /// Reads the table that begins at a line. Returns it as Markdown, with the index of the line after it.
    fn table(&mut self, start: usize) -> Option<(String, usize)> {
        let mut rows: Vec<Vec<CellRegion>> = Vec::new();
        let mut at = start;
        while let Some((row, end)) = self.row(at) {
            if rows.last().is_some_and(|last| !follows(last, &row)) {
                break;
            }
            rows.push(row);
            at = end;
        }
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let spaced = rows
            .iter()
            .flat_map(|row| row.windows(2))
            .any(|pair| pair[1].left - pair[0].right > pair[0].lines[0].size * NEAR);
        let full = rows.iter().filter(|row| row.len() == columns).count();
        let tabular = full >= 2 && (rows.len() >= 3 || spaced);
        if !(2..=MAX_COLUMNS).contains(&columns) || !tabular {
            return None;
        }
        let bounds = column_bounds(&rows, columns)?;
        let cells = rows.iter().map(|row| cells(row, &bounds)).collect::<Option<Vec<_>>>()?;
        Some((grid::markdown(cells)?, at))
    }

    /// Reads a row. Returns its cells from left to right, and the index of the line after the row.
    fn row(&mut self, start: usize) -> Option<(Vec<CellRegion>, usize)> {
        let first = self.lines.get(start)?;
        if is_label(first.text.trim()) {
            return None;
        }
        let mut row = vec![CellRegion { left: first.left, right: first.right, lines: vec![first.clone()] }];
        let mut at = start + 1;
        while let Some(line) = self.lines.get(at) {
            self.left = self.left.checked_sub(1)?;

            let last = row.last_mut()?;
            let before = last.lines.last()?;
            let step = (line.y - before.y) / line.size.max(1.0);
            let near =
                line.page == first.page && (line.size - first.size).abs() < first.size * 0.3 && !line.mono;
            let starts =
                line.left > last.right + line.size * 0.5 && (line.y - first.y).abs() < line.size * 4.0;
            let goes_on = (0.8..1.9).contains(&step) && row_overlap(last, line) && row.len() > 1;
            let last = row.last_mut()?;
            if near && starts {
                row.push(CellRegion { left: line.left, right: line.right, lines: vec![line.clone()] });
            } else if near && goes_on && (line.left - last.left).abs() < line.size * 0.3 {
                last.left = last.left.min(line.left);
                last.right = last.right.max(line.right);
                last.lines.push(line.clone());
            } else {
                break;
            }
            at += 1;
        }
        (row.len() > 1).then_some((row, at))
    }
}

fn level(one: &GlyphLine, other: &GlyphLine) -> bool {
    one.page == other.page && (one.y - other.y).abs() < one.size.max(other.size) * 0.45
}

fn is_next_to(line: &GlyphLine, next: &GlyphLine) -> bool {
    level(line, next) && next.left >= line.right && next.left - line.right < line.size * 8.0
}

/// True for the bullet or number of a list item. It is not a table cell, although text is next to it.
fn is_label(text: &str) -> bool {
    text.chars().all(|c| !c.is_alphanumeric())
        || text.strip_suffix(['.', ')']).is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
}

fn row_overlap(cell: &CellRegion, line: &GlyphLine) -> bool {
    line.left < cell.right && line.right > cell.left
}

/// True if a row is close to the row above it and their first cells are aligned.
fn follows(above: &[CellRegion], below: &[CellRegion]) -> bool {
    let (Some(one), Some(other)) = (above.first(), below.first()) else { return false };
    let (Some(first), Some(second)) = (one.lines.first(), other.lines.first()) else { return false };
    let bottom = |row: &[CellRegion]| {
        row.iter().flat_map(|cell| &cell.lines).map(|line| line.y).fold(f32::MIN, f32::max)
    };
    let top = other
        .lines
        .iter()
        .chain(below.iter().flat_map(|cell| &cell.lines))
        .map(|line| line.y)
        .fold(f32::MAX, f32::min);
    let gap = (top - bottom(above)) / first.size.max(1.0);
    let aligned =
        (one.left - other.left).abs() < first.size * 0.6 || one.left < other.right && other.left < one.right;
    let over = second.page == first.page + 1 && first.height > LOW && second.height < 1.0 - LOW;
    aligned && (over && above.len() == below.len() || first.page == second.page && (0.5..3.5).contains(&gap))
}

/// Left and right bounds of the columns, from the rows that have a cell in each column.
fn column_bounds(rows: &[Vec<CellRegion>], columns: usize) -> Option<Vec<(f32, f32)>> {
    let mut bounds = vec![(f32::MAX, f32::MIN); columns];
    for row in rows.iter().filter(|row| row.len() == columns) {
        for (bound, cell) in bounds.iter_mut().zip(row) {
            *bound = (bound.0.min(cell.left), bound.1.max(cell.right));
        }
    }
    let are_disjoint = bounds.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    are_disjoint.then_some(bounds)
}

/// Cells of a row, one cell per column.
fn cells(row: &[CellRegion], bounds: &[(f32, f32)]) -> Option<Vec<GridCell>> {
    let mut cells: Vec<GridCell> =
        bounds.iter().map(|_| GridCell { text: String::new(), rows: 1, columns: 1 }).collect();
    let mut next = 0;
    for cell in row {
        let middle = f32::midpoint(cell.left, cell.right);
        let over = bounds.iter().position(|bound| cell.left < bound.1 && cell.right > bound.0);
        let before = bounds.iter().rposition(|bound| f32::midpoint(bound.0, bound.1) < middle);
        let column = over.or(before).unwrap_or(0).max(next);
        let mut text = String::new();
        for line in &cell.lines {
            text.push(' ');
            text.push_str(line.text.trim());
        }
        cells.get_mut(column)?.text = clean::fold(&text.replace([lines::NOTE_START, lines::NOTE_END], ""));
        next = column + 1;
    }
    Some(cells)
}
