//! Description of a database schema, for comparison with another database.

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

/// On PostgreSQL, returns all columns and indexes, and whether each index is valid. On SQLite, returns the
/// statements of the schema.
pub(super) async fn shape(connection: &DatabaseConnection) -> Vec<String> {
    let backend = connection.get_database_backend();
    let sql = match backend {
        DbBackend::Postgres => {
            "SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || \
               COALESCE(column_default, '') FROM information_schema.columns WHERE table_schema = 'public' \
             UNION ALL SELECT i.indexdef || ' ' || x.indisvalid FROM pg_indexes i \
               JOIN pg_index x ON x.indexrelid = to_regclass(quote_ident(i.indexname)) \
               WHERE i.schemaname = 'public' ORDER BY 1"
        }
        _ => {
            "SELECT name || ': ' || COALESCE(sql, '') FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
        }
    };
    let rows = connection.query_all_raw(Statement::from_string(backend, sql)).await;
    rows.unwrap().iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}
