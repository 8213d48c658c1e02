//! Order of day and month in the dates of a table, such as `3/4/2026`. A number above 12 determines the order
//! of its column. Without such a number, the language of the column names determines the order, and the dates
//! are reported as doubtful.

use super::mapping;
use super::table::{Cells, TableReader};

/// Number of rows without a date after which a column is assumed to contain no such dates.
const ROWS_WITHOUT_DATES: usize = 10_000;
/// Names of columns in languages that write the day first. Further names are recognised by letters that
/// English does not have.
const DAY_FIRST_NAMES: [&str; 44] = [
    "adresse", "angelegt", "auteur", "autor", "autore", "bemerkung", "beschreibung", "bezeichnung",
    "carpeta", "cartella", "categoria", "comentario", "commentaire", "creado", "creato", "datum", "dossier",
    "enlace", "erstellt", "erstelltam", "etichette", "etiquetas", "favori", "favorit", "favorito", "fecha",
    "gespeichert", "indirizzo", "kategorie", "kommentar", "komentarz", "lien", "nota", "notas", "notiz",
    "notizen", "ordner", "pasta", "preferito", "rubrik", "tagi", "titel", "titolo", "titre",
];

/// Order of day and month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnDateOrder {
    DayFirst,
    MonthFirst,
}

/// Orders of the columns of a table.
#[derive(Default)]
pub(super) struct DateOrders {
    /// Table parser of the first pass, which runs before the rows are imported.
    table: TableReader,
    /// Columns with times. `None` until the header row is read.
    columns: Option<Vec<DateColumn>>,
    /// Number of surveyed rows.
    rows: usize,
    is_day_first: bool,
}

struct DateColumn {
    position: usize,
    name: String,
    /// Order that a value of the column proves. `None` if no value proves an order.
    order: Option<ColumnDateOrder>,
    has_dates: bool,
    is_reported: bool,
}

impl DateOrders {
    /// True while more rows may prove the order of a column.
    pub(super) fn needs_first_pass(&self) -> bool {
        let is_open = |column: &DateColumn| {
            column.order.is_none() && (column.has_dates || self.rows < ROWS_WITHOUT_DATES)
        };
        self.columns.as_ref().is_none_or(|columns| columns.iter().any(is_open))
    }

    /// Surveys a piece of the table. `is_time` returns true for the names of columns with times.
    pub(super) fn first_pass(&mut self, piece: &[u8], is_time: &dyn Fn(&str) -> bool) {
        let mut table = std::mem::take(&mut self.table);
        table.push(piece, &mut |cells| self.read(cells, is_time));
        self.table = table;
    }

    /// Surveys the last row.
    pub(super) fn finish_first_pass(&mut self, is_time: &dyn Fn(&str) -> bool) {
        let mut table = std::mem::take(&mut self.table);
        table.finish(&mut |cells| self.read(cells, is_time));
    }

    fn read(&mut self, cells: Cells, is_time: &dyn Fn(&str) -> bool) {
        let Ok(cells) = cells else { return };
        let Some(columns) = &mut self.columns else {
            self.is_day_first = cells.iter().any(|name| is_of_day_first_language(name));
            let named = cells.into_iter().enumerate().filter(|(_, name)| is_time(name));
            self.columns = Some(named.map(|(position, name)| DateColumn::new(position, name)).collect());
            return;
        };
        self.rows += 1;
        for column in columns.iter_mut().filter(|column| column.order.is_none()) {
            let Some(date) = cells.get(column.position).and_then(|cell| LocalDate::parse(cell)) else {
                continue;
            };
            column.has_dates = true;
            column.order = date.order();
        }
    }

    /// Rewrites dates with the day first as year, month, and day. If no value proves the order of a column,
    /// returns a warning for the first ambiguous date of the column.
    pub(super) fn resolve(&mut self, cells: &mut [String]) -> Vec<String> {
        let mut ambiguities = Vec::new();
        for column in self.columns.iter_mut().flatten().filter(|column| column.has_dates) {
            let Some(cell) = cells.get_mut(column.position) else { continue };
            let Some(date) = LocalDate::parse(cell).filter(|date| date.order().is_none()) else { continue };
            let usual =
                if self.is_day_first { ColumnDateOrder::DayFirst } else { ColumnDateOrder::MonthFirst };
            let order = column.order.unwrap_or(usual);
            let is_doubtful = column.order.is_none() && date.first != date.second;
            if is_doubtful && !column.is_reported {
                column.is_reported = true;
                let part = if order == ColumnDateOrder::DayFirst { "day" } else { "month" };
                ambiguities.push(format!(
                    "{} in the column {} and other dates of this column were read with the {part} first",
                    cell.trim(),
                    column.name
                ));
            }
            if order == ColumnDateOrder::DayFirst {
                *cell = date.with_day_first();
            }
        }
        ambiguities
    }
}

impl DateColumn {
    fn new(position: usize, name: String) -> Self {
        Self { position, name, order: None, has_dates: false, is_reported: false }
    }
}

/// Date that consists of two numbers and a year.
struct LocalDate<'t> {
    first: u8,
    second: u8,
    year: &'t str,
    /// Text after the date.
    rest: &'t str,
}

impl<'t> LocalDate<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim();
        let (date, rest) = text.split_at(text.find([' ', ',', 'T']).unwrap_or(text.len()));
        let mut parts = date.split(['/', '-']);
        let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
        let is_number = |part: &str, most: usize| {
            (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_date = parts.next().is_none() && is_number(first, 2) && is_number(second, 2);
        let is_year = is_number(year, 4) && year.len() == 4;
        let (first, second): (u8, u8) = (first.parse().ok()?, second.parse().ok()?);
        let date = Self { first, second, year, rest };
        let is_possible = (1..=12).contains(&first.min(second)) && first.max(second) <= 31;
        (is_date && is_year && is_possible).then_some(date)
    }

    /// Returns the order that the numbers prove. `None` if both orders are possible.
    fn order(&self) -> Option<ColumnDateOrder> {
        match (self.first, self.second) {
            (13..=31, 1..=12) => Some(ColumnDateOrder::DayFirst),
            (1..=12, 13..=31) => Some(ColumnDateOrder::MonthFirst),
            _ => None,
        }
    }

    fn with_day_first(&self) -> String {
        format!("{}-{:02}-{:02}{}", self.year, self.second, self.first, self.rest)
    }
}

fn is_of_day_first_language(name: &str) -> bool {
    // Latin letters with diacritics, and Greek and Cyrillic letters.
    let is_foreign = |letter: char| {
        letter.is_alphabetic() && matches!(letter, '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{52f}')
    };
    name.chars().any(is_foreign) || DAY_FIRST_NAMES.contains(&mapping::plain(name).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Resolves a table whose second column has the times. Returns its rows and the warnings.
    fn resolved(text: &str) -> (Vec<String>, Vec<String>) {
        let is_time = |name: &str| ["Added", "Datum"].contains(&name);
        let mut dates = DateOrders::default();
        for piece in text.as_bytes().chunks(5) {
            dates.first_pass(piece, &is_time);
        }
        dates.finish_first_pass(&is_time);
        let (mut times, mut ambiguities) = (Vec::new(), Vec::new());
        for line in text.lines().skip(1) {
            let mut cells: Vec<String> = line.split(';').map(str::to_owned).collect();
            ambiguities.extend(dates.resolve(&mut cells));
            times.extend(cells.into_iter().nth(1));
        }
        (times, ambiguities)
    }

    #[test]
    fn number_above_twelve_determines_the_order_of_its_column() {
        let day_first = "url;Added\na;03/04/2024 10:00\nb;3-4-2024\nc;31/01/2024\nd;\ne;2024-01-02";
        let expected = ["2024-04-03 10:00", "2024-04-03", "31/01/2024", "", "2024-01-02"];
        assert_eq!(resolved(day_first), (expected.map(str::to_owned).to_vec(), Vec::new()));
        let month_first = "url;Added\na;03/04/2024\nb;01/31/2024";
        assert_eq!(resolved(month_first).0, ["03/04/2024", "01/31/2024"]);
        assert!(resolved(month_first).1.is_empty());
    }

    #[test]
    fn dates_without_a_number_above_twelve_are_ambiguous() {
        let (times, ambiguities) = resolved("url;Added\na;05/05/2024\nb;03/04/2024\nc;04/05/2024");
        assert_eq!(times, ["05/05/2024", "03/04/2024", "04/05/2024"]);
        assert_eq!(
            ambiguities,
            ["03/04/2024 in the column Added and other dates of this column were read with the month first"]
        );
        let (times, ambiguities) = resolved("Adresse;Datum\na;03/04/2024, 10:00");
        assert_eq!(times, ["2024-04-03, 10:00"]);
        assert!(ambiguities[0].ends_with("with the day first"), "{ambiguities:?}");
        assert_eq!(resolved("url;Pr\u{fc}fung;Added\na;;03/04/2024").1.len(), 1);
    }

    #[test]
    fn first_pass_stops_when_no_row_can_determine_the_order() {
        let is_time = |name: &str| name == "Added";
        let mut dates = DateOrders::default();
        assert!(dates.needs_first_pass());
        dates.first_pass(b"url;Added\na;03/04/2024\n", &is_time);
        assert!(dates.needs_first_pass());
        dates.first_pass(b"a;13/04/2024\n", &is_time);
        assert!(!dates.needs_first_pass());
        let mut others = DateOrders::default();
        others.first_pass(b"url;title\na;b\n", &is_time);
        assert!(!others.needs_first_pass(), "no column has times");
        let mut iso = DateOrders::default();
        iso.first_pass(b"url;Added\n", &is_time);
        iso.first_pass("a;2024-01-02\n".repeat(ROWS_WITHOUT_DATES).as_bytes(), &is_time);
        assert!(!iso.needs_first_pass());
    }
}
