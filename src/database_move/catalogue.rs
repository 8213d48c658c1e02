//! Tables of a PostgreSQL database in the order of their foreign keys, with the columns that can be written.

use anyhow::ensure;
use sea_orm::sqlx::{self, PgConnection};

/// Query for the columns of all tables, except computed columns: table, column, type, and sequence of an id.
const COLUMNS: &str = "SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL), \
         pg_get_serial_sequence(quote_ident(c.relname::text), a.attname::text) \
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
     WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' \
         AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
     ORDER BY c.relname, a.attnum";

/// Query for the pairs of tables whose first table has a foreign key to the second.
const REFERENCES: &str = "SELECT c.relname::text, r.relname::text FROM pg_constraint f \
     JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid \
     WHERE f.contype = 'f' AND f.conrelid <> f.confrelid \
         AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())";

/// Table with its columns in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub name: String,
    pub columns: Vec<Column>,
}

/// Column whose values are copied. Generated columns are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub name: String,
    /// Name of the type in PostgreSQL, without a length.
    pub data_type: String,
    /// Sequence that assigns the values of an id. `None` for other columns.
    pub sequence: Option<String>,
}

impl Table {
    /// Returns the quoted names of the columns, separated by commas, each with the prefix `prefix`.
    pub(super) fn column_names(&self, prefix: &str) -> String {
        let names: Vec<String> =
            self.columns.iter().map(|column| format!("{prefix}\"{}\"", column.name)).collect();
        names.join(", ")
    }
}

/// Returns the tables of the current schema. A table follows all tables to which its foreign keys refer.
pub(super) async fn tables(connection: &mut PgConnection) -> anyhow::Result<Vec<Table>> {
    let columns: Vec<(String, String, String, Option<String>)> =
        sqlx::query_as(COLUMNS).fetch_all(&mut *connection).await?;
    let references: Vec<(String, String)> = sqlx::query_as(REFERENCES).fetch_all(connection).await?;
    let mut tables: Vec<Table> = Vec::new();
    for (table, name, data_type, sequence) in columns {
        if tables.last().is_none_or(|last| last.name != table) {
            tables.push(Table { name: table, columns: Vec::new() });
        }
        if let Some(last) = tables.last_mut() {
            last.columns.push(Column { name, data_type, sequence });
        }
    }
    sort(tables, &references)
}

/// Sorts tables so that each table follows the tables that it references.
fn sort(mut unsorted: Vec<Table>, references: &[(String, String)]) -> anyhow::Result<Vec<Table>> {
    let mut sorted = Vec::with_capacity(unsorted.len());
    while !unsorted.is_empty() {
        let is_unsorted = |name: &String| unsorted.iter().any(|table| table.name == *name);
        let blocked: Vec<&String> =
            references.iter().filter(|(_, to)| is_unsorted(to)).map(|(from, _)| from).collect();
        let (waiting, next): (Vec<Table>, Vec<Table>) =
            unsorted.iter().cloned().partition(|table| blocked.contains(&&table.name));
        ensure!(!next.is_empty(), "the foreign keys of {} form a cycle", waiting[0].name);
        sorted.extend(next);
        unsorted = waiting;
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(names: &[&str], references: &[(&str, &str)]) -> anyhow::Result<Vec<String>> {
        let table = |name: &&str| Table { name: (*name).to_owned(), columns: Vec::new() };
        let references: Vec<(String, String)> =
            references.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect();
        let tables = sort(names.iter().map(table).collect(), &references)?;
        Ok(tables.into_iter().map(|table| table.name).collect())
    }

    #[test]
    fn tables_follow_the_tables_that_they_reference() {
        let order = sorted(&["a", "b", "c", "d"], &[("a", "c"), ("c", "d"), ("a", "b")]).unwrap();
        assert_eq!(order, ["b", "d", "c", "a"]);
    }

    #[test]
    fn cycle_of_foreign_keys_is_an_error() {
        let error = sorted(&["a", "b", "c"], &[("a", "b"), ("b", "a")]).unwrap_err();
        assert!(error.to_string().contains("cycle"), "{error}");
    }
}
