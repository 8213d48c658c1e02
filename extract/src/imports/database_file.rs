//! Untrusted SQLite databases. They are collected in memory, opened read-only, and read with limits on bytes
//! and work. They cannot use other databases, extensions, views, functions, or virtual tables.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::time::Duration;

use nix::time::ClockId;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, MAIN_DB, OpenFlags, OptionalExtension as _, Result};

/// Start of a database.
const HEADER: &[u8] = b"SQLite format 3\0";
/// Maximum number of bytes of a database.
const MAX_DATABASE_BYTES: usize = 128 * 1024 * 1024;
/// Minimum capacity of a collected piece, in bytes.
const PIECE_BYTES: usize = 1024 * 1024;
/// Position of the two bytes that indicate whether the database has a write-ahead log.
const JOURNAL_BYTES: std::ops::Range<usize> = 18..20;
/// Value of these bytes without a log. The log is a separate file, so a database in memory cannot have one.
const WITHOUT_LOG: u8 = 1;
/// Number of instructions between two checks of the limit on work.
const CHECK_INSTRUCTIONS: i32 = 1_000;
/// Limit on the work of all statements of a file.
const MAX_WORK: WorkLimit = WorkLimit { checks: 300_000, processor_time: Duration::from_secs(20) };
/// Limits on values, statements, and the schema.
const LIMITS: [(Limit, i32); 8] = [
    (Limit::SQLITE_LIMIT_LENGTH, 16 * 1024 * 1024),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 1024 * 1024),
    (Limit::SQLITE_LIMIT_COLUMN, 500),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 50),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 2),
    (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
];
const SETTINGS: [(DbConfig, bool); 5] = [
    (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
    (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
    (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
];
/// Settings that prevent changes and temporary files, and enable checks of page contents.
const PRAGMAS: &str = "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;";

/// Limit on work. The number of instructions alone does not bound it: in a malicious file, many rows may share the
/// pages of one long value, and one instruction per row copies the whole value.
#[derive(Clone, Copy)]
struct WorkLimit {
    /// Maximum number of checks, each after [`CHECK_INSTRUCTIONS`].
    checks: u32,
    /// Maximum processor time of the thread while the file is read, including the processing of its rows.
    processor_time: Duration,
}

/// True for the start of a database.
pub(super) fn is_database(head: &[u8]) -> bool {
    head.starts_with(HEADER)
}

/// Collects the pieces of a database. Memory is released as the pieces are read.
#[derive(Default)]
pub(super) struct DatabaseFile {
    pieces: VecDeque<Vec<u8>>,
    /// Number of bytes of the first piece that were read.
    read_bytes: usize,
    size_bytes: usize,
    is_too_long: bool,
}

impl DatabaseFile {
    pub(super) fn push(&mut self, piece: &[u8]) {
        if self.is_too_long || self.size_bytes + piece.len() > MAX_DATABASE_BYTES {
            self.is_too_long = true;
            self.pieces.clear();
            return;
        }
        self.size_bytes += piece.len();
        match self.pieces.back_mut() {
            Some(last) if last.len() + piece.len() <= PIECE_BYTES => last.extend_from_slice(piece),
            _ if piece.is_empty() => {}
            _ => {
                let mut next = Vec::with_capacity(PIECE_BYTES.max(piece.len()));
                next.extend_from_slice(piece);
                self.pieces.push_back(next);
            }
        }
    }

    /// True if the database exceeds the maximum size and therefore cannot be opened.
    pub(super) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Opens the database.
    ///
    /// # Errors
    /// Returns an error if there is not enough memory for the database. Damage is detected when the database is
    /// read.
    pub(super) fn open(self) -> Result<Connection> {
        self.open_within(MAX_WORK)
    }

    fn open_within(mut self, most: WorkLimit) -> Result<Connection> {
        let journal = self.pieces.front_mut().and_then(|first| first.get_mut(JOURNAL_BYTES));
        for byte in journal.into_iter().flatten() {
            *byte = WITHOUT_LOG;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_in_memory_with_flags(flags)?;
        let size_bytes = self.size_bytes;
        connection.deserialize_read_exact(MAIN_DB, self, size_bytes, true)?;
        for (setting, value) in SETTINGS {
            connection.set_db_config(setting, value)?;
        }
        connection.execute_batch(PRAGMAS)?;
        for (limit, value) in LIMITS {
            connection.set_limit(limit, value)?;
        }
        let (mut checks, until) = (0_u32, processor_time().saturating_add(most.processor_time));
        let is_exhausted = move || {
            checks += 1;
            checks > most.checks || processor_time() > until
        };
        connection.progress_handler(CHECK_INSTRUCTIONS, Some(is_exhausted))?;
        connection.authorizer(Some(|context: AuthContext<'_>| {
            let is_reading = matches!(context.action, AuthAction::Select | AuthAction::Read { .. });
            if is_reading { Authorization::Allow } else { Authorization::Deny }
        }))?;
        Ok(connection)
    }
}

/// Processor time of this thread. `rustix` is not used, because on its first use it reads a file to locate the
/// clock.
fn processor_time() -> Duration {
    ClockId::CLOCK_THREAD_CPUTIME_ID.now().map(Duration::from).unwrap_or_default()
}

impl Read for DatabaseFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let Some(piece) = self.pieces.front() else { return Ok(0) };
        let rest = piece.get(self.read_bytes..).unwrap_or_default();
        let count = rest.len().min(bytes.len());
        bytes[..count].copy_from_slice(&rest[..count]);
        self.read_bytes += count;
        if count == rest.len() {
            self.pieces.pop_front();
            self.read_bytes = 0;
        }
        Ok(count)
    }
}

/// True if the database has a table with this name whose columns are all stored. Computed columns are rejected,
/// because the limit on work does not bound their functions.
///
/// # Errors
/// Returns an error if the database is damaged, or if the limit on work is reached.
pub(super) fn has_plain_table(connection: &Connection, name: &str) -> Result<bool> {
    let query = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1 AND rootpage > 0";
    let mut statement = connection.prepare(query)?;
    let sql: Option<Option<String>> = statement.query_row([name], |row| row.get(0)).optional()?;
    let is_computed = |sql: &str| {
        let mut words = sql.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.any(|word| word.eq_ignore_ascii_case("as"))
    };
    Ok(sql.flatten().is_some_and(|sql| !is_computed(&sql)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(schema: &str) -> Connection {
        file_of(schema).open().unwrap()
    }

    fn file_of(schema: &str) -> DatabaseFile {
        let writer = Connection::open_in_memory().unwrap();
        writer.execute_batch(schema).unwrap();
        let mut file = DatabaseFile::default();
        for piece in writer.serialize(MAIN_DB).unwrap().chunks(1000) {
            file.push(piece);
        }
        file
    }

    #[test]
    fn database_is_read_only_and_cannot_access_other_databases() {
        let database = opened("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('boat');");
        let words: String = database.query_row("SELECT a FROM t", [], |row| row.get(0)).unwrap();
        assert_eq!(words, "boat");
        for statement in [
            "INSERT INTO t VALUES ('x')",
            "DROP TABLE t",
            "ATTACH '/etc/passwd' AS other",
            "PRAGMA writable_schema = ON",
            "SELECT load_extension('x')",
            "SELECT hex(a) FROM t",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        ] {
            assert!(database.execute_batch(statement).is_err(), "{statement}");
        }
    }

    #[test]
    fn only_stored_tables_are_plain() {
        let database = opened(
            "CREATE TABLE plain(a TEXT, b INT); CREATE VIEW listed AS SELECT a FROM plain;
             CREATE TABLE computed(a TEXT, b TEXT GENERATED ALWAYS AS (hex(a)));
             CREATE TABLE short(a TEXT, b AS(hex(a))); CREATE VIRTUAL TABLE words USING fts5(a);",
        );
        for (name, is_plain) in
            [("plain", true), ("listed", false), ("computed", false), ("short", false), ("words", false)]
        {
            assert_eq!(has_plain_table(&database, name), Ok(is_plain), "{name}");
        }
    }

    #[test]
    fn statements_are_stopped_at_the_instruction_limit() {
        let rows = "(1),(1),(1),(1),(1),(1),(1),(1),(1),(1)";
        let file = file_of(&format!("CREATE TABLE t(a INT); INSERT INTO t VALUES {rows};"));
        let database = file.open_within(WorkLimit { checks: 100, ..MAX_WORK }).unwrap();
        let many = "SELECT 1 FROM t a, t b, t c, t d, t e, t f, t g, t h, t i WHERE a.a = 2 OR i.a = 2";
        let error = database.query_row(many, [], |row| row.get::<_, i64>(0)).unwrap_err();
        assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::OperationInterrupted));
    }

    #[test]
    fn copies_of_long_values_by_few_instructions_are_stopped_at_the_time_limit() {
        let file = file_of(
            "CREATE TABLE t(a TEXT);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
             INSERT INTO t SELECT printf('%.*c', 20000, 'x') FROM n;",
        );
        let limit = WorkLimit { processor_time: Duration::from_millis(50), ..MAX_WORK };
        let database = file.open_within(limit).unwrap();
        let many = "SELECT 1 FROM t a, t b, t c WHERE a.a <> b.a OR c.a <> b.a";
        let error = database.query_row(many, [], |row| row.get::<_, i64>(0)).unwrap_err();
        assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::OperationInterrupted));
    }

    #[test]
    fn pieces_are_read_in_order_and_bounded() {
        let mut file = DatabaseFile::default();
        let long_piece = vec![7; PIECE_BYTES];
        for piece in [&b"one"[..], b"", &long_piece, b"two"] {
            file.push(piece);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len(), PIECE_BYTES + 6);
        assert!(bytes.starts_with(b"one\x07") && bytes.ends_with(b"\x07two"));
        let (mut long, piece) = (DatabaseFile::default(), vec![0; 64 * PIECE_BYTES]);
        for is_too_long in [false, false, true] {
            long.push(&piece);
            assert_eq!(long.is_too_long(), is_too_long);
        }
    }
}
