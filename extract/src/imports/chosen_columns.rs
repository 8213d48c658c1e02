//! Rows of tables and lists of objects, with column fields that a person chose or Carrel proposed.

use serde_json::Value;

use super::column_map::ColumnMap;
use super::columns::{self, ColumnNames};
use super::date_orders::DateOrders;
use super::json::Elements;
use super::mapping::{self, Field};
use super::row::{ImportRow, InvalidRow, RowResult};
use super::table::{Cells, TableReader};

/// Reader of a table.
pub(super) struct ChosenTable {
    table: Box<TableReader>,
    columns: ColumnMap,
    column_names: Option<ColumnNames>,
    dates: Box<DateOrders>,
}

impl ChosenTable {
    pub(super) fn new(columns: &ColumnMap) -> Self {
        Self { table: Box::default(), columns: columns.clone(), column_names: None, dates: Box::default() }
    }

    /// True while more rows may show the order of day and month in a column.
    pub(super) fn needs_first_pass(&self) -> bool {
        self.dates.needs_first_pass()
    }

    /// Reads a piece of the file in the first pass.
    pub(super) fn first_pass(&mut self, piece: &[u8]) {
        let Self { columns, dates, .. } = self;
        dates.first_pass(piece, &|name| is_time(columns, name));
    }

    /// Reads the last row in the first pass.
    pub(super) fn finish_first_pass(&mut self) {
        let Self { columns, dates, .. } = self;
        dates.finish_first_pass(&|name| is_time(columns, name));
    }

    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        let Self { table, columns, column_names, dates } = self;
        table.push(piece, &mut |cells| table_row(cells, columns, (&mut *column_names, &mut **dates), visit));
    }

    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        let Self { table, columns, column_names, dates } = self;
        table.finish(&mut |cells| table_row(cells, columns, (&mut *column_names, &mut **dates), visit));
    }
}

fn table_row(
    cells: Cells,
    columns: &ColumnMap,
    (column_names, dates): (&mut Option<ColumnNames>, &mut DateOrders),
    visit: &mut dyn FnMut(RowResult),
) {
    match (cells, column_names) {
        (Ok(mut cells), Some(column_names)) => {
            let ambiguities = dates.resolve(&mut cells);
            let row = row(columns, columns::members(column_names, cells));
            visit(row.map(|row| ImportRow { ambiguities, ..row }));
        }
        (Ok(cells), column_names @ None) => *column_names = Some(ColumnNames::of(&cells)),
        (Err(reason), _) => visit(Err(reason)),
    }
}

/// True if the values of a column are times.
fn is_time(columns: &ColumnMap, name: &str) -> bool {
    let chosen = columns.position(name).map(|(_, field)| field.meaning());
    let meaning = chosen.unwrap_or_else(|| mapping::known(name).map(|(_, field)| field));
    meaning.is_some_and(mapping::is_time)
}

/// Reader of a list of objects.
pub(super) struct ChosenJson {
    elements: Elements,
    columns: ColumnMap,
}

impl ChosenJson {
    pub(super) fn new(columns: &ColumnMap) -> Self {
        Self { elements: Elements::any(), columns: columns.clone() }
    }

    pub(super) fn push(&mut self, piece: &[u8], visit: &mut dyn FnMut(RowResult)) {
        let Self { elements, columns } = self;
        elements.push(piece, &mut |element| visit(element.and_then(|element| object(columns, element))));
    }

    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        let Self { elements, columns } = self;
        elements.finish(&mut |element| visit(element.and_then(|element| object(columns, element))));
    }
}

fn object(columns: &ColumnMap, element: Value) -> RowResult {
    match element {
        Value::Object(members) => row(columns, mapping::flattened(members)),
        _ => Err(InvalidRow::Malformed),
    }
}

/// Row of values with the fields that a person chose. Other values are read by their names.
fn row(columns: &ColumnMap, members: impl IntoIterator<Item = (String, Value)>) -> RowResult {
    let mut row = ImportRow::default();
    let mut fields: Vec<((bool, usize), Field, String, Value)> = Vec::new();
    for (name, value) in members {
        let chosen = columns.position(&name).map(|(at, field)| ((false, at), field.meaning()));
        let usual = || mapping::known(&name).map(|(at, field)| ((true, at), Some(field)));
        match chosen.or_else(usual) {
            Some((at, Some(field))) => fields.push((at, field, name, value)),
            Some((_, None)) | None => mapping::store_extra(&mut row.extra, name, value),
        }
    }
    fields.sort_by_key(|(at, ..)| *at);
    for (_, field, name, value) in fields {
        if !mapping::set(&mut row, field, &value) {
            mapping::store_extra(&mut row.extra, name, value);
        }
    }
    mapping::checked(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> ColumnMap {
        ColumnMap::parse(text).unwrap()
    }

    #[test]
    fn chosen_columns_precede_the_usual_names() {
        let mut table = ChosenTable::new(&columns("url=Adresse,title=Name,metadata=Description,star=Top"));
        let mut rows = Vec::new();
        let text = "Name;Adresse;Title;Description;Top;Tags\nOne;https://a.example/1;Other;Words;yes;a|b\n;https://a.example/2;Two;;;\n";
        for piece in text.as_bytes().chunks(7) {
            table.push(piece, &mut |row| rows.push(row.unwrap()));
        }
        table.finish(&mut |row| rows.push(row.unwrap()));
        assert_eq!(rows.len(), 2);
        assert_eq!(
            (rows[0].url.as_deref(), rows[0].title.as_deref()),
            (Some("https://a.example/1"), Some("One"))
        );
        assert_eq!((rows[0].note.as_deref(), rows[0].is_starred), (None, true));
        assert_eq!(
            serde_json::json!(rows[0].extra),
            serde_json::json!({"title": "Other", "description": "Words"})
        );
        assert_eq!(rows[0].tags, ["a", "b"]);
        assert_eq!(rows[1].title.as_deref(), Some("Two"), "the usual name fills a missing value");
    }

    #[test]
    fn members_of_inner_objects_can_be_chosen() {
        let mut list = ChosenJson::new(&columns("url=page.where,title=page.heading"));
        let mut rows = Vec::new();
        let text = r#"{"version":1,"saved":[{"page":{"where":"https://a.example/1","heading":"One"},"tags":["x"]},7]}"#;
        list.push(text.as_bytes(), &mut |row| rows.push(row));
        list.finish(&mut |row| rows.push(row));
        let first = rows[0].as_ref().unwrap();
        assert_eq!(
            (first.url.as_deref(), first.title.as_deref()),
            (Some("https://a.example/1"), Some("One"))
        );
        assert_eq!(first.tags, ["x"]);
        assert_eq!(rows[1..], [Err(InvalidRow::Malformed)]);
    }
}
