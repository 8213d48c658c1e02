//! Fills a database as if it had been used for years: many rows in tables that are large or constantly in
//! use.

use kernel::Domain;
use sea_orm::{ConnectionTrait, DbBackend, Statement};

/// Tables that are large or constantly in use.
pub(super) const HOT: [&str; 12] = [
    "account", "credit_entry", "feed", "feed_entry", "feed_event", "job", "library_item", "library_search",
    "library_tagged", "monitor", "monitor_run", "rss_entry_mark",
];

/// Number of accounts, feeds, and monitors that own the rows of the large tables.
pub(super) const OWNERS: u64 = 1000;

/// Returns an SQL expression for the id of the account, monitor, or item whose number is the expression
/// `sql`.
pub(super) fn uuid(sql: &str) -> String {
    format!("CAST(LPAD(TO_HEX({sql}), 32, '0') AS uuid)")
}

/// Inserts `rows` rows into each of the large tables.
pub(super) async fn fill(domain: &Domain, rows: u64) {
    let owner = uuid(&format!("i % {OWNERS} + 1"));
    let id = uuid("i");
    let feed = format!("i % {OWNERS} + 1");
    insert_rows(domain, "account", OWNERS, &[("id", &id), ("email", "'a' || i || '@example.org'")]).await;
    insert_rows(domain, "feed", OWNERS, &[("url", "'https://a.example/' || i")]).await;
    let monitor = [("id", id.as_str()), ("account_id", id.as_str()), ("identity", "CAST(i AS text)")];
    insert_rows(domain, "monitor", OWNERS, &monitor).await;
    let state = "CASE WHEN i % 10 = 0 THEN 'ready' ELSE 'complete' END";
    let job = [
        ("id", id.as_str()),
        ("kind", "'extraction'"),
        ("key", "CAST(i AS text)"),
        ("state", state),
        ("run_at", "4102444800000 + i"),
        ("finished_at", "CASE WHEN i % 10 > 0 THEN 1700000000000 + i END"),
    ];
    insert_rows(domain, "job", rows, &job).await;
    let entry = [
        ("feed_id", feed.as_str()),
        ("entry_key", "i"),
        ("content", "REPEAT('word ' || i || ' ', 20)"),
        ("search_text", "' word a' || i % 5000 || ' '"),
    ];
    insert_rows(domain, "feed_entry", rows, &entry).await;
    insert_rows(domain, "feed_event", rows, &[("sequence", "i")]).await;
    let mark = [("account_id", owner.as_str()), ("feed_id", feed.as_str()), ("entry_id", "i")];
    insert_rows(domain, "rss_entry_mark", rows, &mark).await;
    let run = [
        ("id", id.as_str()),
        ("account_id", owner.as_str()),
        ("monitor_id", owner.as_str()),
        ("due_at", "i"),
    ];
    insert_rows(domain, "monitor_run", rows, &run).await;
    insert_rows(domain, "credit_entry", rows, &[("account_id", owner.as_str())]).await;
    let item = [("id", id.as_str()), ("account_id", owner.as_str()), ("saved_at", "1700000000000 + i")];
    insert_rows(domain, "library_item", rows, &item).await;
    let tagged = [
        ("account_id", owner.as_str()),
        ("object_id", id.as_str()),
        ("kind", "'item'"),
        ("tag_key", "'tag' || i % 20"),
    ];
    insert_rows(domain, "library_tagged", rows, &tagged).await;
    let index_columns = [
        ("account_id", owner.as_str()),
        ("object_id", id.as_str()),
        ("words", "TO_TSVECTOR('simple', 'word a' || i % 5000)"),
    ];
    insert_rows(domain, "library_search", rows, &index_columns).await;
    domain.db().write().execute_unprepared("ANALYZE").await.unwrap();
}

/// Inserts rows `1..=rows` into a table. Required columns that are not in `given` receive an arbitrary value.
pub(super) async fn insert_rows(domain: &Domain, table: &str, rows: u64, given: &[(&str, &str)]) {
    let connection = domain.db().write();
    let sql = "SELECT column_name::text, data_type::text FROM information_schema.columns WHERE table_name = $1 \
               AND is_nullable = 'NO' AND column_default IS NULL AND is_generated = 'NEVER' \
               AND table_schema = 'public'";
    let needed = Statement::from_sql_and_values(DbBackend::Postgres, sql, [table.into()]);
    let mut columns: Vec<(String, String)> =
        given.iter().map(|(column, value)| ((*column).to_owned(), (*value).to_owned())).collect();
    for row in connection.query_all_raw(needed).await.unwrap() {
        let (column, kind): (String, String) =
            (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
        if given.iter().any(|(known, _)| *known == column) {
            continue;
        }
        let value = match kind.as_str() {
            "text" => "'x'",
            "boolean" => "FALSE",
            "uuid" => "GEN_RANDOM_UUID()",
            "bytea" => "CAST('x' AS bytea)",
            _ => "0",
        };
        columns.push((column, value.to_owned()));
    }
    let names: Vec<&str> = columns.iter().map(|(column, _)| column.as_str()).collect();
    let values: Vec<&str> = columns.iter().map(|(_, value)| value.as_str()).collect();
    let sql = format!(
        "INSERT INTO {table} ({}) SELECT {} FROM generate_series(CAST(1 AS bigint), {rows}) AS i ON CONFLICT DO NOTHING",
        names.join(", "),
        values.join(", ")
    );
    connection.execute_unprepared(&sql).await.unwrap_or_else(|error| panic!("{table}: {error}"));
}
