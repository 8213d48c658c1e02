//! Inserts rows for the benchmark. The database generates them.

use kernel::{Backend, Domain};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement, Value};

/// Inserts `count` rows on either database. In `row`, `n` is the number of the row, from 1 to
/// `count`.
pub(crate) async fn fill(domain: &Domain, count: usize, insert: &str, row: &str, values: Vec<Value>) {
    let numbers = match domain.db().backend() {
        Backend::Postgres => format!("SELECT generate_series(1, {count}) AS n"),
        Backend::Sqlite => format!(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) \
             SELECT n FROM numbers"
        ),
    };
    let text = format!("INSERT INTO {insert} SELECT {row} FROM ({numbers}) AS counted");
    execute(domain.db().write(), &text, values).await;
}

pub(crate) async fn execute(connection: &DatabaseConnection, text: &str, values: Vec<Value>) -> u64 {
    let statement = Statement::from_sql_and_values(connection.get_database_backend(), text, values);
    connection.execute_raw(statement).await.unwrap().rows_affected()
}

pub(crate) async fn count(domain: &Domain, text: &str) -> i64 {
    let connection = domain.db().read();
    let statement = Statement::from_string(connection.get_database_backend(), text);
    let row = connection.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index(0).unwrap()
}
