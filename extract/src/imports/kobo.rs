//! Annotations in the database of a Kobo (`KoboReader.sqlite`): the table `Bookmark`, with the titles and
//! authors of books in the table `content`.

use std::collections::HashMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, Result, Row, Statement};
use serde_json::{Map, Value};

use super::database_file::{DatabaseFile, has_plain_table};
use super::row::{ImportRow, ImportedHighlight, InvalidRow, RowResult};
use super::values;

/// Maximum number of books whose titles are cached.
const MAX_BOOKS: usize = 10_000;
/// Colors of highlights by their numbers.
const COLORS: [&str; 4] = ["yellow", "pink", "blue", "green"];
/// Columns of the table of annotations. The first two exist in every version.
const COLUMNS: [&str; 11] = [
    "BookmarkID", "VolumeID", "Text", "Annotation", "Type", "Hidden", "DateCreated", "ContextString",
    "Color", "ContentID", "ChapterProgress",
];

/// Database of a Kobo. Its rows are read after all bytes were collected.
#[derive(Default)]
pub(super) struct KoboDatabase {
    file: DatabaseFile,
}

impl KoboDatabase {
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.file.push(piece);
    }

    /// Reads the annotations, one row each.
    pub(super) fn finish(&mut self, visit: &mut dyn FnMut(RowResult)) {
        let file = std::mem::take(&mut self.file);
        if file.is_too_long() {
            return visit(Err(InvalidRow::TooLong));
        }
        match read(file, visit) {
            Ok(true) => {}
            Ok(false) => visit(Err(InvalidRow::OtherDatabase)),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                visit(Err(InvalidRow::SlowDatabase));
            }
            Err(_) => visit(Err(InvalidRow::DamagedDatabase)),
        }
    }
}

/// Reads the annotations. Returns false if the database is not a database of a Kobo.
fn read(file: DatabaseFile, visit: &mut dyn FnMut(RowResult)) -> Result<bool> {
    let connection = file.open()?;
    if !has_plain_table(&connection, "Bookmark")? || !has_plain_table(&connection, "content")? {
        return Ok(false);
    }
    let mut statement = connection.prepare("SELECT * FROM Bookmark")?;
    let columns = COLUMNS.map(|name| statement.column_index(name).ok());
    if columns.iter().take(2).any(Option::is_none) {
        return Ok(false);
    }
    let mut books = Books::of(&connection)?;
    let mut rows = statement.query([])?;
    let mut is_empty = true;
    while let Some(row) = rows.next()? {
        is_empty = false;
        let cells = columns.map(|column| cell(row, column));
        visit(annotation(&cells, &mut books)?);
    }
    if is_empty {
        visit(Err(InvalidRow::Empty));
    }
    Ok(true)
}

/// Row of an annotation with the cells of [`COLUMNS`].
fn annotation(cells: &[ValueRef<'_>; COLUMNS.len()], books: &mut Books<'_>) -> Result<RowResult> {
    let [id, volume, quote, note, kind, hidden, created, context, color, chapter, progress] = *cells;
    let (quote, note) = (text(quote), text(note));
    if text(hidden).is_some_and(|hidden| matches!(hidden.as_str(), "true" | "1")) {
        return Ok(Err(InvalidRow::Deleted));
    }
    if quote.is_none() && note.is_none() {
        let is_mark = text(kind).is_some_and(|kind| kind == "dogear");
        return Ok(Err(if is_mark { InvalidRow::PageMark } else { InvalidRow::Empty }));
    }
    let volume = text(volume);
    let book = match &volume {
        Some(volume) => books.book(volume)?,
        None => KoboBook::default(),
    };
    let quote = quote.unwrap_or_default();
    let context = text(context);
    let quote_context = context.as_deref().filter(|_| !quote.is_empty());
    let (prefix, suffix) = quote_context.and_then(|context| context.split_once(&quote)).unwrap_or_default();
    let extra = [("content_id", chapter), ("chapter_progress", progress)];
    let extra = extra.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json(value)?)));
    let highlight = ImportedHighlight {
        source_id: text(id),
        prefix: prefix.to_owned(),
        suffix: suffix.to_owned(),
        quote,
        note,
        color: color_name(color),
        created_at: text(created).and_then(|time| values::time(&time)),
        extra: extra.collect::<Map<String, Value>>(),
        ..ImportedHighlight::default()
    };
    Ok(Ok(ImportRow {
        title: book.title.or_else(|| volume.as_deref().and_then(file_title)),
        author: book.author,
        source_id: volume,
        highlights: vec![highlight],
        ..ImportRow::default()
    }))
}

/// Title and author of a book.
#[derive(Clone, Default)]
struct KoboBook {
    title: Option<String>,
    author: Option<String>,
}

/// Books of a database.
struct Books<'c> {
    statement: Statement<'c>,
    /// Columns of the title and the author.
    columns: [Option<usize>; 2],
    known: HashMap<String, KoboBook>,
}

impl<'c> Books<'c> {
    fn of(connection: &'c Connection) -> Result<Self> {
        let statement = connection.prepare("SELECT * FROM content WHERE ContentID = ?1 LIMIT 1")?;
        let columns = ["Title", "Attribution"].map(|name| statement.column_index(name).ok());
        Ok(Self { statement, columns, known: HashMap::new() })
    }

    fn book(&mut self, volume: &str) -> Result<KoboBook> {
        if let Some(book) = self.known.get(volume) {
            return Ok(book.clone());
        }
        let [title, author] = self.columns;
        let mut rows = self.statement.query([volume])?;
        let book = match rows.next()? {
            Some(row) => KoboBook { title: text(cell(row, title)), author: text(cell(row, author)) },
            None => KoboBook::default(),
        };
        if self.known.len() < MAX_BOOKS {
            self.known.insert(volume.to_owned(), book.clone());
        }
        Ok(book)
    }
}

/// Title of a file that was copied to the device, from its name.
fn file_title(volume: &str) -> Option<String> {
    let name = volume.strip_prefix("file://")?.rsplit('/').next()?;
    let name = name.strip_suffix(".epub").unwrap_or(name);
    values::text(name.strip_suffix(".kepub").unwrap_or(name))
}

fn color_name(value: ValueRef<'_>) -> Option<String> {
    let ValueRef::Integer(number) = value else { return None };
    let name = COLORS.get(usize::try_from(number).ok()?)?;
    Some((*name).to_owned())
}

fn cell<'r>(row: &'r Row<'_>, column: Option<usize>) -> ValueRef<'r> {
    column.and_then(|column| row.get_ref(column).ok()).unwrap_or(ValueRef::Null)
}

/// Trimmed text of a value. `None` if it is blank.
fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Text(bytes) => values::text(&String::from_utf8_lossy(bytes)),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

fn json(value: ValueRef<'_>) -> Option<Value> {
    match value {
        ValueRef::Integer(number) => Some(Value::from(number)),
        ValueRef::Real(number) => Some(Value::from(number)),
        ValueRef::Text(_) => text(value).map(Value::from),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2024-01-01, in milliseconds.
    const DAY: i64 = 1_704_067_200_000;

    fn example() -> Vec<u8> {
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/src/imports/examples/kobo.sqlite")).unwrap()
    }

    fn rows_of(bytes: &[u8]) -> Vec<RowResult> {
        let (mut database, mut rows) = (KoboDatabase::default(), Vec::new());
        for piece in bytes.chunks(700) {
            database.push(piece);
        }
        database.finish(&mut |row| rows.push(row));
        rows
    }

    #[test]
    fn annotations_are_read_with_their_books_and_contexts() {
        let rows = rows_of(&example());
        assert_eq!((rows.len(), &rows[2]), (4, &Err(InvalidRow::PageMark)));
        let first = rows[0].clone().unwrap();
        assert_eq!(
            (first.title.as_deref(), first.author.as_deref()),
            (Some("The Harbour"), Some("Ada Lamp"))
        );
        let highlight = &first.highlights[0];
        assert_eq!(highlight.quote, "The boats came back before the storm.");
        assert_eq!(
            (highlight.prefix.as_str(), highlight.suffix.as_str()),
            ("It was autumn. ", " The wall held.")
        );
        assert_eq!((highlight.color.as_deref(), highlight.created_at), (Some("yellow"), Some(DAY)));
        assert_eq!(highlight.extra["chapter_progress"], 0.25);
        let noted = rows[1].clone().unwrap();
        assert_eq!(noted.source_id, first.source_id);
        assert_eq!(noted.highlights[0].note.as_deref(), Some("Compare chapter 3."));
        let bought = rows[3].clone().unwrap();
        assert_eq!((bought.title.as_deref(), bought.author.as_deref()), (Some("Tides"), Some("Bo Quay")));
        assert_eq!(bought.highlights[0].quote, "Brot am Flu\u{df}, \u{142}\u{f3}d\u{17a}, \u{65e5}\u{672c}");
    }

    #[test]
    fn damaged_database_is_reported_and_never_panics() {
        let whole = example();
        let expected = rows_of(&whole);
        let is_reported = |rows: &[RowResult]| {
            let is_fault = |row: &RowResult| {
                matches!(
                    row,
                    Err(InvalidRow::DamagedDatabase | InvalidRow::OtherDatabase | InvalidRow::SlowDatabase)
                )
            };
            !rows.is_empty() && (rows.len() >= expected.len() || rows.iter().any(is_fault))
        };
        for size in (0..whole.len()).step_by(512) {
            let rows = rows_of(&whole[..size]);
            assert!(is_reported(&rows), "{size} bytes: {rows:?}");
        }
        for at in (0..whole.len()).step_by(37) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0xff;
            assert!(!rows_of(&bytes).is_empty(), "byte {at}");
        }
    }

    fn database(schema: &str) -> Vec<u8> {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(schema).unwrap();
        connection.serialize(rusqlite::MAIN_DB).unwrap().to_vec()
    }

    #[test]
    fn other_databases_and_computed_columns_are_refused() {
        let content = "CREATE TABLE content(ContentID TEXT, Title TEXT);";
        for schema in [
            "CREATE TABLE moz_places(id INTEGER PRIMARY KEY, url TEXT);".to_owned(),
            format!("{content} CREATE TABLE Bookmark(id INTEGER);"),
            format!(
                "{content} CREATE VIEW Bookmark AS SELECT ContentID AS BookmarkID, Title AS VolumeID FROM content;"
            ),
            format!(
                "{content} CREATE TABLE Bookmark(BookmarkID TEXT, VolumeID TEXT, Text AS (hex(zeroblob(999999))));"
            ),
        ] {
            assert_eq!(rows_of(&database(&schema)), [Err(InvalidRow::OtherDatabase)], "{schema}");
        }
        assert_eq!(rows_of(b"SQLite format 3\0"), [Err(InvalidRow::DamagedDatabase)]);
    }

    #[test]
    fn old_versions_and_empty_lists_are_read() {
        let schema = "CREATE TABLE content(ContentID TEXT, Title TEXT);
            CREATE TABLE Bookmark(BookmarkID TEXT, VolumeID TEXT, Text TEXT, Hidden BOOL);";
        assert_eq!(rows_of(&database(schema)), [Err(InvalidRow::Empty)]);
        let filled = format!(
            "{schema} INSERT INTO Bookmark VALUES ('1', 'file:///mnt/onboard/Wind.kepub.epub', 'north', 'false'),
             ('2', 'file:///mnt/onboard/Wind.kepub.epub', 'east', 'true');"
        );
        let rows = rows_of(&database(&filled));
        assert_eq!((rows.len(), &rows[1]), (2, &Err(InvalidRow::Deleted)));
        assert_eq!(rows[0].as_ref().unwrap().title.as_deref(), Some("Wind"));
    }
}
