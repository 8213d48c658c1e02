//! Migrations do not block callers: statements that are allowed for tables in use, and resumption of an
//! interrupted migration.

use std::path::Path;

use kernel::testing::TestDatabase;
use kernel::{Backend, DatabaseSettings};
use migrations::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement, TransactionTrait};

use crate::support::run;
use crate::support::sources;

/// Last migration that may block callers. Deployments that upgrade without downtime start from a newer
/// schema.
const LAST_BLOCKING_MIGRATION: &str = "m20261122_000312_feed_commit";

/// Returns the word after each occurrence of `words` in a text.
fn words_after<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(words).skip(1).filter_map(|rest| rest.split_whitespace().next())
}

#[test]
fn no_migration_rewrites_or_indexes_a_used_table_in_a_transaction() {
    let mut faults = Vec::new();
    let mut steps = 0;
    for (name, text) in sources().filter(|(name, _)| name.starts_with("migrations/src/m2")) {
        let stem = Path::new(&name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if stem <= LAST_BLOCKING_MIGRATION {
            continue;
        }
        steps += 1;
        let up = text.split("const DOWN").next().unwrap_or_default();
        let made: Vec<&str> = words_after(up, "CREATE TABLE IF NOT EXISTS ")
            .chain(words_after(up, "CREATE {unlogged} TABLE IF NOT EXISTS "))
            .collect();
        let is_online = text.contains("online::online!(UP, DOWN)");
        if !is_online && !text.contains("dialect::migration!(UP, DOWN)") {
            faults.push(format!("{stem} is neither a list of statements nor one of parts"));
        }
        let indexed = up.split(" ON ").skip(1).filter(|_| up.contains("INDEX IF NOT EXISTS"));
        for table in indexed.filter_map(|rest| rest.split([' ', '(']).next()) {
            let is_table = table.chars().all(|character| character.is_ascii_lowercase() || character == '_');
            if !is_online && is_table && !made.contains(&table) {
                faults.push(format!("{stem} builds an index of {table}"));
            }
        }
        // Each of these statements scans or rewrites a whole table while writes to the table are blocked.
        for words in
            ["\"UPDATE ", "\"DELETE ", "ALTER COLUMN", "ADD CONSTRAINT", "SET NOT NULL", "{computed}"]
        {
            if up.contains(words) && !(is_online && words == "\"UPDATE ") {
                faults.push(format!("{stem} says {words}"));
            }
        }
    }
    assert!(steps > 15, "too few migrations are checked");
    assert!(faults.is_empty(), "migrations that block callers:\n{}", faults.join("\n"));
}

async fn is_valid(connection: &DatabaseConnection, index: &str) -> Option<bool> {
    let sql = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)";
    let statement = Statement::from_sql_and_values(DbBackend::Postgres, sql, [index.into()]);
    let row = connection.query_one_raw(statement).await.unwrap();
    row.map(|row| row.try_get_by_index(0).unwrap())
}

const JOB: &str = "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) VALUES \
     ('00000000-0000-0000-0000-000000000001', 'mail', 'k', '[]', 0, 1, 'ready', 0, 0, 1)";

#[test]
fn invalid_index_is_rebuilt() {
    run(async {
        let test = TestDatabase::create(Backend::Postgres).await;
        let domain = test.handle_with(&DatabaseSettings::without_timeouts(4)).await;
        let connection = domain.db().write();
        connection.execute_unprepared(JOB).await.unwrap();
        // This is the state after a killed migration: its columns and one index exist, the other index is
        // invalid, and the migration is not recorded.
        let interrupt = "DELETE FROM seaql_migrations WHERE version = 'm20261123_000540_turns_of_owners'; \
                      UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = to_regclass('job_turn')";
        connection.execute_unprepared(interrupt).await.unwrap();
        assert_eq!(is_valid(connection, "job_turn").await, Some(false));
        assert_eq!(migrations::pending(connection).await.unwrap(), 1);
        migrations::run(connection).await.unwrap();
        assert_eq!(is_valid(connection, "job_turn").await, Some(true));
        assert_eq!(migrations::pending(connection).await.unwrap(), 0);
    });
}

#[test]
fn interrupted_migration_is_restarted_on_sqlite() {
    run(async {
        let test = TestDatabase::create(Backend::Sqlite).await;
        let connection = test.domain.db().write();
        let interrupt = "DELETE FROM seaql_migrations WHERE version = 'm20261123_000540_turns_of_owners'";
        connection.execute_unprepared(interrupt).await.unwrap();
        migrations::run(connection).await.unwrap();
        assert_eq!(migrations::pending(connection).await.unwrap(), 0);
    });
}

#[test]
fn two_processes_migrate_one_sqlite_file_at_the_same_time() {
    run(async {
        let test = TestDatabase::create(Backend::Sqlite).await;
        // On a busy machine, one process waits long for the other one.
        let patient = DatabaseSettings::without_timeouts(4);
        let (one, other) = (test.handle_with(&patient).await, test.handle_with(&patient).await);
        let connection = one.db().write();
        Migrator::down(connection, Some(20)).await.unwrap();
        assert_eq!(migrations::pending(connection).await.unwrap(), 20);
        let done = tokio::join!(migrations::run(connection), migrations::run(other.db().write()));
        assert_eq!(done, (Ok(()), Ok(())));
        assert_eq!(migrations::pending(connection).await.unwrap(), 0);
    });
}

#[test]
fn waiting_migration_releases_its_lock_request_so_that_callers_continue() {
    run(async {
        let test = TestDatabase::create(Backend::Postgres).await;
        let domain = test.handle_with(&DatabaseSettings::without_timeouts(4)).await;
        let connection = domain.db().write().clone();
        let has = async |column: &str| {
            let sql = format!("SELECT {column} FROM job LIMIT 1");
            connection.execute_unprepared(&sql).await.is_ok()
        };
        let back = Migrator::migrations()
            .iter()
            .rev()
            .take_while(|step| !step.name().ends_with("turns_of_owners"))
            .count();
        Migrator::down(&connection, Some(u32::try_from(back).unwrap() + 1)).await.unwrap();
        assert!(!has("in_turn").await);
        connection.execute_unprepared(JOB).await.unwrap();
        let reader = connection.begin().await.unwrap();
        reader.execute_unprepared("SELECT id FROM job").await.unwrap();
        let steps = tokio::spawn({
            let connection = connection.clone();
            async move { migrations::run(&connection).await }
        });
        // The migration waited for the table lock and gave up.
        let waiting_migrations = async || {
            let sql = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
                        AND query LIKE '%ALTER TABLE job%' AND wait_event_type = 'Lock'";
            let row = connection.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await;
            row.unwrap().map_or(0_i64, |row| row.try_get_by_index(0).unwrap())
        };
        crate::support::eventually("the step asks", waiting_migrations, |waiting| *waiting == 1).await;
        crate::support::eventually("it lets others pass", waiting_migrations, |waiting| *waiting == 0).await;
        assert!(!steps.is_finished(), "the migration retries");
        reader.commit().await.unwrap();
        let outcome: Result<(), DbErr> = steps.await.unwrap();
        outcome.unwrap();
        assert!(has("in_turn").await);
    });
}
