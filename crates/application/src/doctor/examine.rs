//! Runs the checks. Tables are read in the order of their keys, one window of rows per statement.

use async_recursion::async_recursion as boxed;
use sea_orm::{ConnectionTrait, DatabaseConnection, QueryResult, Value};
use uuid::Uuid;

use super::check::{Check, CheckKind, KeyType, RowCheck};
use super::violations::Violations;
use super::{checks, files, screenshots};
use jobs::JobKind;
use kernel::statement::statement;
use kernel::{Backend, Domain, Result};

/// Maximum number of violating rows that one statement returns.
const ROWS_PER_STATEMENT: u32 = 100;

/// A violated invariant.
#[derive(Debug)]
pub struct Finding {
    /// The check that detected violations.
    pub check: &'static Check,
    /// Lower bound of the number of violating rows.
    pub count: u64,
    /// Keys of some of the violating rows.
    pub examples: Vec<String>,
}

/// Runs all checks and returns the violated invariants.
#[boxed]
pub async fn examine(domain: &Domain) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for check in checks::all() {
        let broken = match &check.test {
            CheckKind::Rows(rows) => broken_rows(domain, rows).await?,
            CheckKind::Indexes(names) => missing_indexes(domain, names).await?,
            CheckKind::Files => files::violations(domain).await?,
            CheckKind::Screenshots => screenshots::violations(domain).await?,
        };
        if broken.count > 0 {
            findings.push(Finding { check, count: broken.count, examples: broken.examples });
        }
    }
    Ok(findings)
}

/// Searches one table for violating rows, window by window.
async fn broken_rows(domain: &Domain, rows: &RowCheck) -> Result<Violations> {
    let connection = domain.db().read();
    let sql = window_query(domain, rows);
    let mut broken = Violations::default();
    let mut from = rows.key_type.lowest();
    while let Some(to) = end_of_window(connection, rows, &from).await? {
        let query = statement(connection, &sql, [from, to.clone()]);
        for row in connection.query_all_raw(query).await? {
            broken.add(rows.key_type.read(&row)?.1);
        }
        from = to;
    }
    Ok(broken)
}

/// Returns the last key of the window that begins after `from`. `None` at the end of the table.
async fn end_of_window(
    connection: &DatabaseConnection,
    rows: &RowCheck,
    from: &Value,
) -> Result<Option<Value>> {
    let RowCheck { table, key, key_type, window, .. } = rows;
    let sql = format!(
        "SELECT {key} FROM (SELECT {key} FROM {table} WHERE {key} > $1 ORDER BY {key} LIMIT {window}) w \
         ORDER BY {key} DESC LIMIT 1"
    );
    let row = connection.query_one_raw(statement(connection, &sql, [from.clone()])).await?;
    Ok(row.map(|row| key_type.read(&row)).transpose()?.map(|(value, _)| value))
}

/// Returns the query for violating rows with keys after `$1` and up to `$2`.
fn window_query(domain: &Domain, rows: &RowCheck) -> String {
    let backend = domain.db().read().get_database_backend();
    let kinds: Vec<String> = JobKind::ALL.iter().map(|kind| format!("'{kind}'")).collect();
    let broken = rows
        .violation
        .replace("{now}", &domain.now().to_string())
        .replace("{database_now}", jobs::database_now(backend))
        .replace("{kinds}", &kinds.join(", "));
    let RowCheck { table, key, .. } = rows;
    format!(
        "SELECT t.{key} FROM {table} t WHERE t.{key} > $1 AND t.{key} <= $2 AND ({broken}) LIMIT {ROWS_PER_STATEMENT}"
    )
}

impl KeyType {
    /// Returns a value that is less than every key.
    fn lowest(self) -> Value {
        match self {
            Self::Uuid => Uuid::nil().into(),
            Self::Number => i64::MIN.into(),
            Self::Text => String::new().into(),
        }
    }

    /// Reads the key of a row, as a value and as text.
    fn read(self, row: &QueryResult) -> Result<(Value, String)> {
        Ok(match self {
            Self::Uuid => {
                let key: Uuid = row.try_get_by_index(0)?;
                (key.into(), key.to_string())
            }
            Self::Number => {
                let key: i64 = row.try_get_by_index(0)?;
                (key.into(), key.to_string())
            }
            Self::Text => {
                let key: String = row.try_get_by_index(0)?;
                (key.clone().into(), key)
            }
        })
    }
}

/// Finds the indexes in `names` that are missing or that the database does not use.
async fn missing_indexes(domain: &Domain, names: &[&str]) -> Result<Violations> {
    let connection = domain.db().read();
    let sql = match domain.db().backend() {
        Backend::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'index'",
        Backend::Postgres => {
            "SELECT CAST(c.relname AS text) AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
             JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = current_schema() AND i.indisvalid AND i.indisready"
        }
    };
    let rows = connection.query_all_raw(statement(connection, sql, [])).await?;
    let there = rows.iter().map(|row| Ok(row.try_get("", "name")?)).collect::<Result<Vec<String>>>()?;
    let mut broken = Violations::default();
    for name in names.iter().filter(|name| !there.iter().any(|index| index == *name)) {
        broken.add((*name).to_owned());
    }
    Ok(broken)
}
