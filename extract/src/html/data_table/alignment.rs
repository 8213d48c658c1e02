//! Alignment of the columns of a data table, from its cells.

use crate::{
    html::table::{MAX_COLUMNS_COVERED, span},
    page::{Id, Page},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alignment {
    Left,
    Center,
    Right,
}

impl Alignment {
    /// Alignment that cells inherit from their row and its part of the table.
    pub(super) fn of_row(page: &Page, row: Id) -> Option<Self> {
        page.self_and_ancestors(row)
            .take_while(|&above| !page.is(above, "table"))
            .find_map(|id| of_element(page, id))
    }
}

/// For each column, the number of all cells, and the number of cells with each alignment.
pub(super) struct Alignments {
    /// Alignments declared by `col` elements.
    declared: Vec<Option<Alignment>>,
    columns: Vec<ColumnCounts>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ColumnCounts {
    all: usize,
    aligned: [usize; 3],
}

impl Alignments {
    pub(super) fn of(page: &Page, table: Id) -> Self {
        let parts = page.children(table).filter(|&part| matches!(page.tag(part), "col" | "colgroup"));
        let mut declared = Vec::new();
        for part in parts {
            let columns = page.children(part).filter(|&column| page.is(column, "col"));
            let columns = if page.is(part, "col") { vec![part] } else { columns.collect() };
            for column in columns {
                let span = span(page, column, "span").clamp(1, MAX_COLUMNS_COVERED);
                declared.extend(std::iter::repeat_n(of_element(page, column), span));
            }
        }
        Self { declared, columns: Vec::new() }
    }

    /// Counts a cell below the header.
    pub(super) fn add(&mut self, page: &Page, cell: Id, column: usize, inherited: Option<Alignment>) {
        self.columns.resize(self.columns.len().max(column + 1), ColumnCounts::default());
        let alignment =
            of_element(page, cell).or(inherited).or_else(|| self.declared.get(column).copied().flatten());
        let counts = &mut self.columns[column];
        counts.all += 1;
        if let Some(alignment) = alignment {
            counts.aligned[alignment as usize] += 1;
        }
    }

    /// Cell of the Markdown delimiter row below the header. It declares the alignment that more than half of
    /// the cells in the column have, if any.
    pub(super) fn rule(&self, column: usize) -> &'static str {
        let counts = self.columns.get(column).copied().unwrap_or_default();
        let is_most = |alignment: Alignment| counts.aligned[alignment as usize] * 2 > counts.all;
        match [Alignment::Left, Alignment::Center, Alignment::Right].into_iter().find(|&one| is_most(one)) {
            Some(Alignment::Left) => " :--- |",
            Some(Alignment::Center) => " :---: |",
            Some(Alignment::Right) => " ---: |",
            None => " --- |",
        }
    }
}

/// Alignment of an element, from its style, its `align` attribute or a common class.
fn of_element(page: &Page, id: Id) -> Option<Alignment> {
    let styled = page.attribute(id, "style").and_then(|style| {
        style.split(';').rev().find_map(|rule| {
            let (property, value) = rule.split_once(':')?;
            let value = value.trim_end().trim_end_matches("!important");
            property.trim().eq_ignore_ascii_case("text-align").then(|| named(value)).flatten()
        })
    });
    styled.or_else(|| named(page.attribute(id, "align")?)).or_else(|| {
        page.class_names(id).find_map(|class| {
            let value = ["text-", "has-text-align-", "has-text-", "align-", "ta-", "text-align-"]
                .iter()
                .find_map(|prefix| class.strip_prefix(prefix))?;
            named(value)
        })
    })
}

fn named(value: &str) -> Option<Alignment> {
    match value.trim().to_ascii_lowercase().as_str() {
        "left" | "start" => Some(Alignment::Left),
        "center" | "centre" => Some(Alignment::Center),
        "right" | "end" => Some(Alignment::Right),
        _ => None,
    }
}
