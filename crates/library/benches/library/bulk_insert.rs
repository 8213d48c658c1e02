//! Bulk inserts: `COPY` on PostgreSQL, multi-row `INSERT` on SQLite.

use std::fmt::Write;

use kernel::Domain;
use sea_orm::{ConnectionTrait, DbBackend, IdenStatic, Iterable, ModelTrait, Statement, Value};

/// Rows per `INSERT` statement on SQLite.
const ROWS_PER_STATEMENT: usize = 200;

/// Inserts rows of an entity with all their columns.
pub(crate) async fn models<M: ModelTrait>(domain: &Domain, table: &str, rows: &[M]) {
    use sea_orm::EntityTrait;
    let columns: Vec<<M::Entity as EntityTrait>::Column> =
        <M::Entity as EntityTrait>::Column::iter().collect();
    let names: Vec<&str> = columns.iter().map(IdenStatic::as_str).collect();
    let values = rows.iter().map(|row| columns.iter().map(|column| row.get(*column)).collect()).collect();
    write(domain, table, &names, values).await;
}

pub(crate) async fn write(domain: &Domain, table: &str, columns: &[&str], rows: Vec<Vec<Value>>) {
    let connection = domain.db().write();
    if connection.get_database_backend() == DbBackend::Postgres {
        let mut text = String::new();
        for row in &rows {
            for (at, value) in row.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "\t" });
                cell(&mut text, value);
            }
            text.push('\n');
        }
        let mut taken = connection.get_postgres_connection_pool().acquire().await.unwrap();
        let statement = format!("COPY {table} ({}) FROM STDIN", columns.join(", "));
        let mut copy = taken.copy_in_raw(&statement).await.unwrap();
        copy.send(text.as_bytes()).await.unwrap();
        copy.finish().await.unwrap();
        return;
    }
    let transaction = domain.db().begin().await.unwrap();
    for chunk in rows.chunks(ROWS_PER_STATEMENT) {
        let mut next = 0;
        let mut tuples = Vec::with_capacity(chunk.len());
        for _ in chunk {
            let names: Vec<String> = columns
                .iter()
                .map(|_| {
                    next += 1;
                    format!("${next}")
                })
                .collect();
            tuples.push(format!("({})", names.join(", ")));
        }
        let sql = format!("INSERT INTO {table} ({}) VALUES {}", columns.join(", "), tuples.join(", "));
        let values = chunk.iter().flatten().cloned();
        let statement = Statement::from_sql_and_values(DbBackend::Sqlite, sql, values);
        transaction.execute_raw(statement).await.unwrap();
    }
    transaction.commit().await.unwrap();
}

/// Formats a value for `COPY`. Escaping is not needed for the texts of this benchmark.
fn cell(text: &mut String, value: &Value) {
    match value {
        Value::Bool(Some(value)) => write!(text, "{value}"),
        Value::SmallInt(Some(value)) => write!(text, "{value}"),
        Value::Int(Some(value)) => write!(text, "{value}"),
        Value::BigInt(Some(value)) => write!(text, "{value}"),
        Value::String(Some(value)) => write!(text, "{value}"),
        Value::Uuid(Some(value)) => write!(text, "{value}"),
        Value::Bytes(Some(value)) => write!(text, "\\\\x{}", data_encoding::HEXLOWER.encode(value)),
        _ => write!(text, "\\N"),
    }
    .unwrap();
}
