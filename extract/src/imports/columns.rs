//! Services that export tables, with the meaning of their columns.

use serde_json::Value;

use super::highlight_lines::highlights_of;
use super::mapping::{self, Mapping, checked};
use super::markup::plain_text;
use super::row::{ImportRow, ImportStatus, ImportedHighlight, InvalidRow, RowResult};
use super::values;

/// Maximum length of the name of a column, in bytes.
const MAX_NAME_BYTES: usize = 1_000;
/// Maximum length of the names of all columns, in bytes.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Service that wrote a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TableService {
    Pocket,
    Readwise,
    ReadwiseReader,
    Instapaper,
    Raindrop,
    AppleBooks,
    Goodreads,
    /// Table whose columns are fields.
    Mapped(Mapping),
    /// Table of references, which need no URL.
    References(Mapping),
}

/// Column names in lower case.
#[derive(Default)]
pub(super) struct ColumnNames(Vec<String>);

impl ColumnNames {
    /// Normalises the names of the columns. Each row repeats the names, so a column whose name is too long is
    /// named by its number.
    pub(super) fn of(cells: &[String]) -> Self {
        let mut bytes = 0;
        let names = cells.iter().enumerate().map(|(at, name)| {
            let name = plain(name);
            let is_short = name.len() <= MAX_NAME_BYTES && bytes + name.len() <= MAX_HEAD_BYTES;
            bytes += if is_short { name.len() } else { 0 };
            if is_short { name } else { format!("column {}", at + 1) }
        });
        Self(names.collect())
    }

    /// True if all of these columns exist.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.0.iter().any(|column| column == name))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Normalises a column name.
pub(super) fn plain(name: &str) -> String {
    name.trim_start_matches('\u{feff}').trim().to_lowercase()
}

/// Cells of a row by column. Cells that are not taken are stored as extra values.
struct RowCells<'r> {
    cells: Vec<(&'r str, String)>,
}

impl<'r> RowCells<'r> {
    /// Names each cell by its column. Three cells beyond the last column are named by their positions, and
    /// all further cells become one value.
    fn of(column_names: &'r ColumnNames, mut cells: Vec<String>) -> Self {
        const BEYOND: [&str; 4] = ["beyond 1", "beyond 2", "beyond 3", "beyond 4"];
        let mut beyond = cells.split_off(cells.len().min(column_names.0.len()));
        let rest = beyond.split_off(beyond.len().min(BEYOND.len() - 1));
        beyond.extend(Some(rest.join("\n")).filter(|rest| !rest.trim().is_empty()));
        let named = column_names.names().zip(cells);
        Self { cells: named.chain(BEYOND.into_iter().zip(beyond)).collect() }
    }

    /// Removes and returns a cell that is not blank.
    fn take(&mut self, column: &str) -> Option<String> {
        let at = self.cells.iter().position(|(name, _)| *name == column)?;
        let (_, cell) = self.cells.swap_remove(at);
        values::text(&cell)
    }

    fn is(&self, column: &str, word: &str) -> bool {
        self.cells.iter().any(|(name, cell)| *name == column && cell.trim() == word)
    }

    /// Removes and returns a time. A cell that is not a time is stored as an extra value.
    fn time(&mut self, column: &str) -> Option<i64> {
        let at = self.cells.iter().position(|(name, _)| *name == column)?;
        let time = values::time(&self.cells.get(at)?.1)?;
        self.cells.swap_remove(at);
        Some(time)
    }

    /// Clears the cells of a column that repeats other columns.
    fn drop_values(&mut self, column: &str) {
        self.cells.retain(|(name, _)| *name != column);
    }

    /// Clears a number that is zero or missing, and removes the formula in which Goodreads encloses other
    /// numbers.
    fn drop_blank_number(&mut self, column: &str) {
        for (_, cell) in self.cells.iter_mut().filter(|(name, _)| *name == column) {
            let number = cell.trim().trim_start_matches('=').trim_matches('"');
            *cell = if number == "0" { String::new() } else { number.to_owned() };
        }
    }

    fn list(&mut self, column: &str, separator: char) -> Vec<String> {
        self.take(column).map(|cell| values::list(&cell, separator)).unwrap_or_default()
    }

    /// Cells with the names of their columns.
    fn members(self) -> Vec<(String, Value)> {
        self.cells.into_iter().map(|(name, cell)| (name.to_owned(), unescaped(cell))).collect()
    }

    fn rest(self) -> serde_json::Map<String, Value> {
        let mut rest = serde_json::Map::new();
        for (name, cell) in self.cells {
            if let Some(value) = values::extra(Value::String(cell))
                && !name.is_empty()
            {
                rest.insert(name.to_owned(), value);
            }
        }
        rest
    }
}

/// Cells of a row with the names of their columns.
pub(super) fn members(column_names: &ColumnNames, cells: Vec<String>) -> Vec<(String, Value)> {
    RowCells::of(column_names, cells).members()
}

/// Reads one row of a table.
pub(super) fn row(service: TableService, column_names: &ColumnNames, cells: Vec<String>) -> RowResult {
    let mut cells = RowCells::of(column_names, cells);
    // Readwise Reader lists the entries of followed feeds among the saved documents.
    if service == TableService::ReadwiseReader && cells.is("location", "feed") {
        return Err(InvalidRow::FeedEntry);
    }
    let mut row = match service {
        TableService::Pocket => pocket(&mut cells),
        TableService::Readwise => readwise(&mut cells),
        TableService::ReadwiseReader => reader(&mut cells),
        TableService::Instapaper => instapaper(&mut cells),
        TableService::Raindrop => raindrop(&mut cells),
        TableService::AppleBooks => apple_books(&mut cells),
        TableService::Goodreads => goodreads(&mut cells),
        TableService::Mapped(fields) => return mapping::row(fields, cells.members()),
        TableService::References(fields) => return mapping::reference(fields, cells.members()),
    };
    row.extra = cells.rest();
    // A book has no URL.
    if service == TableService::Goodreads && row.title.is_some() { Ok(row) } else { checked(row) }
}

/// Cell without the apostrophe that keeps a spreadsheet program from reading it as a formula.
fn unescaped(cell: String) -> Value {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(['=', '+', '-', '@', '\t', '\r']) => Value::from(rest),
        _ => Value::String(cell),
    }
}

/// Columns: `title,url,time_added,tags,status`. Tags are separated by vertical bars.
fn pocket(cells: &mut RowCells<'_>) -> ImportRow {
    let url = cells.take("url");
    ImportRow {
        // Pocket writes the URL if it has no title.
        title: cells.take("title").filter(|title| Some(title) != url.as_ref()),
        url,
        saved_at: cells.time("time_added"),
        tags: cells.list("tags", '|'),
        status: cells.take("status").and_then(|status| match status.to_lowercase().as_str() {
            // Unread items in Pocket are still to be read.
            "unread" => Some(ImportStatus::Later),
            _ => values::parse_status(Some(status)),
        }),
        ..ImportRow::default()
    }
}

/// Columns: `Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location
/// Type,Location,Highlighted at,Document tags`. Each row is a highlight or a note, and the rows of one book
/// repeat the columns of the book.
fn readwise(cells: &mut RowCells<'_>) -> ImportRow {
    let (title, author) = (cells.take("book title"), cells.take("book author"));
    let (kind, location) = (cells.take("location type"), cells.take("location"));
    let page = kind.as_deref().filter(|kind| *kind == "page").and(location.as_deref());
    let highlight = ImportedHighlight {
        quote: cells.take("highlight").unwrap_or_default(),
        note: cells.take("note"),
        color: cells.take("color"),
        tags: cells.list("tags", ','),
        created_at: cells.time("highlighted at"),
        page: page.and_then(|page| page.parse().ok()),
        location: location.as_ref().map(|at| match &kind {
            Some(kind) => format!("{kind} {at}"),
            None => at.clone(),
        }),
        ..ImportedHighlight::default()
    };
    // A note may have no passage.
    let highlight = Some(highlight).filter(|one| !one.quote.is_empty() || one.note.is_some());
    let book = cells.take("amazon book id");
    let book_id = book.or_else(|| {
        title.as_ref().map(|title| format!("{title}\u{1f}{}", author.as_deref().unwrap_or_default()))
    });
    ImportRow {
        source_id: book_id,
        url: cells.take("url").or_else(|| cells.take("source url")),
        title,
        author,
        tags: cells.list("document tags", ','),
        highlights: highlight.into_iter().collect(),
        ..ImportRow::default()
    }
}

/// Columns: `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen`. Newer exports also have
/// `Document note` and `Published date`.
fn reader(cells: &mut RowCells<'_>) -> ImportRow {
    ImportRow {
        source_id: cells.take("id"),
        url: cells.take("url"),
        title: cells.take("title"),
        author: cells.take("author"),
        saved_at: cells.time("saved date"),
        progress: cells
            .take("reading progress")
            .and_then(|cell| cell.parse::<f64>().ok())
            .and_then(values::progress),
        status: values::parse_status(cells.take("location")),
        tags: cells.list("document tags", ','),
        published_at: cells.take("published date"),
        note: cells.take("document note"),
        ..ImportRow::default()
    }
}

/// Columns: `URL,Title,Selection,Folder,Timestamp,Tags`. Unread, Archive and Starred are built-in folders.
fn instapaper(cells: &mut RowCells<'_>) -> ImportRow {
    let folder = cells.take("folder");
    let named = folder.as_deref().map(str::to_lowercase).unwrap_or_default();
    let selection =
        cells.take("selection").map(|quote| ImportedHighlight { quote, ..ImportedHighlight::default() });
    ImportRow {
        url: cells.take("url"),
        title: cells.take("title"),
        saved_at: cells.time("timestamp"),
        status: values::parse_status(Some(named.clone())),
        is_starred: named == "starred",
        folders: folder
            .filter(|_| !matches!(named.as_str(), "unread" | "archive" | "starred"))
            .map(|folder| values::path(&folder))
            .into_iter()
            .collect(),
        tags: cells.list("tags", ','),
        highlights: selection.into_iter().collect(),
        ..ImportRow::default()
    }
}

/// Columns: `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite`.
fn raindrop(cells: &mut RowCells<'_>) -> ImportRow {
    let starred = cells.take("favorite");
    let highlights = cells.take("highlights").map(|cell| highlights_of(&cell)).unwrap_or_default();
    ImportRow {
        source_id: cells.take("id"),
        url: cells.take("url"),
        title: cells.take("title"),
        note: cells.take("note"),
        saved_at: cells.time("created"),
        is_starred: matches!(starred.as_deref(), Some("true" | "True" | "1")),
        folders: cells
            .take("folder")
            .filter(|folder| !folder.eq_ignore_ascii_case("unsorted"))
            .map(|folder| values::path(&folder))
            .into_iter()
            .collect(),
        tags: cells.list("tags", ','),
        highlights,
        ..ImportRow::default()
    }
}

/// Columns of the table `ZAEANNOTATION` of Apple Books, joined with the table of books:
/// `ZANNOTATIONSELECTEDTEXT`, `ZANNOTATIONNOTE`, `ZTITLE`, `ZAUTHOR`. Its times are seconds since 2001.
fn apple_books(cells: &mut RowCells<'_>) -> ImportRow {
    let (title, author) = (cells.take("ztitle"), cells.take("zauthor"));
    let quote = cells.take("zannotationselectedtext").unwrap_or_default();
    let highlight = ImportedHighlight {
        source_id: cells.take("zannotationuuid"),
        quote,
        note: cells.take("zannotationnote"),
        location: cells.take("zannotationlocation"),
        color: cells.take("zannotationstyle").and_then(|style| apple_color(&style)),
        created_at: cells.take("zannotationcreationdate").and_then(|time| apple_time(&time)),
        ..ImportedHighlight::default()
    };
    let is_empty = highlight.quote.is_empty() && highlight.note.is_none();
    ImportRow {
        source_id: cells.take("zannotationassetid").or_else(|| title.clone()),
        title,
        author,
        highlights: if is_empty { Vec::new() } else { vec![highlight] },
        ..ImportRow::default()
    }
}

/// Reads a row of Goodreads. A book is on exactly one of the exclusive shelves: `read`, `currently-reading`,
/// `to-read`, and those that the person created.
fn goodreads(cells: &mut RowCells<'_>) -> ImportRow {
    let exclusive = cells.take("exclusive shelf");
    let status = match exclusive.as_deref() {
        Some("to-read") => Some(ImportStatus::Later),
        Some("read") => Some(ImportStatus::Archive),
        _ => None,
    };
    let is_built_in = |name: &String| matches!(name.as_str(), "to-read" | "read" | "currently-reading");
    let mut tags = cells.list("bookshelves", ',');
    let missing = exclusive.filter(|name| !tags.contains(name));
    tags.extend(missing);
    tags.retain(|name| !is_built_in(name));
    cells.drop_values("bookshelves with positions");
    for number in ["isbn", "isbn13", "my rating", "owned copies", "read count"] {
        cells.drop_blank_number(number);
    }
    let review = cells.take("my review").and_then(|review| values::text(&lines_of(&review)));
    let notes = [review, cells.take("private notes")].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let published = ["original publication year", "year published"].iter().find_map(|name| cells.take(name));
    ImportRow {
        source_id: cells.take("book id"),
        title: cells.take("title"),
        author: cells.take("author"),
        published_at: published,
        saved_at: cells.time("date added"),
        progress: (status == Some(ImportStatus::Archive)).then_some(100),
        status,
        tags,
        note: values::text(&notes),
        ..ImportRow::default()
    }
}

/// Text of a review, whose lines are separated by `br` elements.
fn lines_of(review: &str) -> String {
    let lines = review.split("<br").enumerate().map(|(at, line)| {
        let line = if at == 0 { line } else { line.split_once('>').map_or("", |(_, line)| line) };
        plain_text(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn apple_color(style: &str) -> Option<String> {
    let color = match style {
        "1" => "green",
        "2" => "blue",
        "3" => "yellow",
        "4" => "pink",
        "5" => "purple",
        _ => return None,
    };
    Some(color.to_owned())
}

/// Time in seconds since 2001, or as text.
fn apple_time(time: &str) -> Option<i64> {
    match time.parse::<f64>() {
        Ok(seconds) => values::apple_time(seconds),
        Err(_) => values::time(time),
    }
}
