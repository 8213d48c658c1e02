//! Tests that both schemas agree, and that all exceptions of a move are listed.

use std::collections::BTreeSet;

use kernel::Backend;
use kernel::testing::TestDatabase;

use super::*;

/// Types that [`encoding::CopyText::push_value`] handles.
const TYPES: &[&str] =
    &["bigint", "boolean", "bytea", "character varying", "integer", "smallint", "text", "uuid"];

/// Opens a source with the current schema and without rows.
async fn empty_source() -> (SourceDatabase, TestDatabase) {
    let test = TestDatabase::create(Backend::Sqlite).await;
    test.domain.db().clone().close().await;
    (SourceDatabase::open(&test.url).await.unwrap(), test)
}

async fn stored_columns(source: &SourceDatabase, table: &str) -> BTreeSet<String> {
    let sql = "SELECT name FROM pragma_table_xinfo($1) WHERE hidden = 0";
    let names: Vec<String> = sqlx::query_scalar(sql).bind(table).fetch_all(source.pool()).await.unwrap();
    names.into_iter().collect()
}

#[tokio::test]
async fn every_table_and_column_is_copied_or_listed_as_exception() {
    let (source, _database) = empty_source().await;
    let target = TestDatabase::create(Backend::Postgres).await;
    let mut connection = target.domain.db().write().get_postgres_connection_pool().acquire().await.unwrap();
    let tables = catalogue::tables(&mut connection).await.unwrap();
    let names: BTreeSet<String> = tables.iter().map(|table| table.name.clone()).collect();
    assert_eq!(names, source.tables().await.unwrap().into_iter().collect());
    for (name, reason) in UNCOPIED_TABLES {
        assert!(names.contains(*name) && !reason.is_empty(), "{name}");
    }
    assert!(tables.len() > 60, "{}", tables.len());
    for Table { name, columns } in &tables {
        let mut stored = stored_columns(&source, name).await;
        if name == SEARCH_INDEX {
            stored.insert("words".to_owned());
        }
        assert_eq!(stored, columns.iter().map(|column| column.name.clone()).collect(), "{name}");
        for column in columns.iter().filter(|_| name != SEARCH_INDEX && name != "seaql_migrations") {
            assert!(TYPES.contains(&column.data_type.as_str()), "{name}: {column:?}");
        }
    }
}

#[tokio::test]
async fn migrations_create_only_the_listed_rows() {
    let target = TestDatabase::create(Backend::Postgres).await;
    let mut connection = target.domain.db().write().get_postgres_connection_pool().acquire().await.unwrap();
    let tables = catalogue::tables(&mut connection).await.unwrap();
    require_empty(&mut connection, &tables).await.unwrap();
    for (table, _) in MIGRATED_ROWS {
        assert_eq!(count(&mut connection, table).await.unwrap(), 1, "{table}");
    }
}

#[tokio::test]
async fn open_source_refuses_other_connections() {
    let (source, database) = empty_source().await;
    let error = SourceDatabase::open(&database.url).await.err().unwrap().to_string();
    assert!(error.contains("another process uses"), "{error}");
    source.close().await;
    SourceDatabase::open(&database.url).await.unwrap().close().await;
}
