//! Tables that lay out displayed equations. Each row is one equation, with its number in a separate cell.

use super::math::{self, Formula};
use crate::{
    clean,
    document::{Block, BlockKind},
    page::{Id, Page},
};

/// Maximum number of characters in an equation number, including its brackets.
const MAX_NUMBER_CHARS: usize = 10;

/// Equations of a table. `None` if the table contains other content.
pub(super) fn of_table(page: &Page, table: Id, keep: &[bool]) -> Option<Vec<Block>> {
    let mut equations = Vec::new();
    let mut is_display = false;
    for row in page.descendants(table).filter(|&inner| page.is(inner, "tr")) {
        let (mut formulas, mut number) = (Vec::new(), None);
        for cell in page.children(row).filter(|&cell| matches!(page.tag(cell), "td" | "th")) {
            let (of_cell, text) = content(page, cell, keep);
            match text.as_str() {
                "" | "," | "." | ";" => {}
                text if of_cell.is_empty() && number.is_none() => number = Some(equation_number(text)?),
                _ => return None,
            }
            formulas.extend(of_cell);
        }
        is_display |=
            formulas.iter().any(|formula| formula.is_display || formula.tex.starts_with("\\displaystyle"));
        equations.extend(equation(&formulas, number));
    }
    (is_display && !equations.is_empty()).then_some(equations)
}

/// Returns the formulas of a cell, and the other text of the cell.
fn content(page: &Page, cell: Id, keep: &[bool]) -> (Vec<Formula>, String) {
    let (mut formulas, mut text) = (Vec::new(), String::new());
    let mut at = cell + 1;
    while at < page.subtree(cell).end {
        if let Some(formula) = math::of_element(page, at).filter(|_| keep[at]) {
            formulas.push(formula);
            at = page.subtree(at).end;
            continue;
        }
        clean::push_folded(&mut text, page.text(at).unwrap_or_default());
        at += 1;
    }
    (formulas, text.trim().to_owned())
}

/// Equation number without its brackets, or `None` if the text is not an equation number.
fn equation_number(text: &str) -> Option<String> {
    let bare = text.strip_prefix('(')?.strip_suffix(')')?;
    let is_number = bare.contains(|c: char| c.is_ascii_digit()) || bare.starts_with('*');
    (is_number && text.chars().count() <= MAX_NUMBER_CHARS).then(|| bare.to_owned())
}

fn equation(formulas: &[Formula], number: Option<String>) -> Option<Block> {
    let mut text = formulas.iter().map(|formula| formula.tex.as_str()).collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return None;
    }
    if let Some(number) = number {
        text.push_str(&format!(" \\tag{{{number}}}"));
    }
    Some(Block { kind: BlockKind::Math, text, ..Block::default() })
}
