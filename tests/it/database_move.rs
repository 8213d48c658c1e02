//! `carrel move`: an embedded database with objects of every kind is copied to PostgreSQL.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use application::doctor;
use kernel::Backend;
use kernel::testing::{START, TestDatabase};
use kernel::tiers::Tier;
use sea_orm::{ConnectionTrait, DatabaseConnection, QueryResult, Statement};
use serde_json::json;

use crate::support::monitoring::advance_minute;
use crate::support::owned_objects::{OwnedObjects, visible_objects};
use crate::support::person::Person;
use crate::support::servers::CARREL;
use crate::support::{Setup, TestApp, World, random_library, run};

const JOB: &str = "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, lease_until, \
     fence, worker, error_message, created_at) VALUES (X'00000000000000000000000000000001', 'mail', 'k', '[]', 0, 1, \
     'running', 1, 2, 3, 'a worker', 'a\\b' || char(9) || 'c' || char(10) || '\\.', 1)";

const SEARCHES: &[&str] = &[
    "/v1/library/objects?limit=100&query=carrel",
    "/v1/library/objects?limit=100&query=%22small%20desk%22",
    "/v1/library/objects?limit=100&query=tag:mine",
    "/v1/library/objects?limit=100&query=word19999",
    "/v1/library/objects?limit=100&query=%E6%97%A5%E6%9C%AC",
    "/v1/library/objects?limit=100&query=libary",
    "/v1/library/items?limit=100&query=desk",
    "/v1/rss/entries?limit=100&query=words",
];

/// Runs `carrel` on a database.
async fn carrel(url: &str, files: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(CARREL);
    command.args(arguments).env_clear().env("DATABASE_URL", url).env("CARREL_FILES", files);
    command.current_dir(files);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

#[track_caller]
fn assert_fails(output: &Output, message: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains(message), "{message} is not in {text}");
}

/// Copies the database of a running app into a file and returns the URL of the copy.
async fn copy_database(app: &TestApp, file: &Path) -> String {
    let sql = format!("VACUUM INTO '{}'", file.display());
    app.app.domain.db().write().execute_unprepared(&sql).await.unwrap();
    format!("sqlite://{}?mode=rwc", file.display())
}

/// Executes statements on an embedded database with foreign keys disabled.
async fn execute(url: &str, sql: &str) {
    let connection = sea_orm::Database::connect(url).await.unwrap();
    connection.execute_unprepared(&format!("PRAGMA foreign_keys = OFF; {sql}")).await.unwrap();
    connection.close().await.unwrap();
}

async fn query(connection: &DatabaseConnection, sql: &str) -> Vec<QueryResult> {
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    connection.query_all_raw(statement).await.unwrap_or_else(|error| panic!("{sql}: {error}"))
}

async fn numbers(connection: &DatabaseConnection, sql: &str) -> Vec<i64> {
    let rows = query(connection, sql).await;
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// Returns the table, name, type, and sequence of each column that both databases store.
async fn columns(postgres: &DatabaseConnection) -> Vec<[String; 4]> {
    let sql = "SELECT table_name::text, column_name::text, data_type::text, \
         COALESCE(pg_get_serial_sequence(table_name, column_name), '') \
         FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER' \
         AND table_name NOT IN ('seaql_migrations', 'scheduler_leader') \
         AND (table_name, column_name) <> ('library_search', 'words') ORDER BY table_name, ordinal_position";
    let rows = query(postgres, sql).await;
    rows.iter().map(|row| [0, 1, 2, 3].map(|index| row.try_get_by_index(index).unwrap())).collect()
}

/// Returns all rows of a table as sorted texts.
async fn dump(connection: &DatabaseConnection, columns: &[[String; 4]]) -> Vec<String> {
    let is_postgres = connection.get_database_backend() == sea_orm::DbBackend::Postgres;
    let cell = |[_, name, data_type, _]: &[String; 4]| {
        let text = match (data_type.as_str(), is_postgres) {
            ("uuid", true) => format!("REPLACE(CAST(t.\"{name}\" AS text), '-', '')"),
            ("bytea", true) => format!("ENCODE(t.\"{name}\", 'hex')"),
            ("uuid" | "bytea", false) => {
                format!("CASE WHEN t.\"{name}\" IS NOT NULL THEN LOWER(HEX(t.\"{name}\")) END")
            }
            ("boolean", false) => format!("CASE t.\"{name}\" WHEN 0 THEN 'false' WHEN 1 THEN 'true' END"),
            _ => format!("CAST(t.\"{name}\" AS text)"),
        };
        format!("COALESCE('=' || {text}, 'null')")
    };
    let cells: Vec<String> = columns.iter().map(cell).collect();
    let sql = format!("SELECT {} FROM {} t", cells.join(" || ' ' || "), columns[0][0]);
    let rows = query(connection, &sql).await;
    let mut rows: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
    rows.sort();
    rows
}

/// Compares all tables and returns the number of tables with rows. Asserts that new ids follow all assigned
/// ids.
async fn compare(source: &str, postgres: &DatabaseConnection) -> usize {
    let sqlite = sea_orm::Database::connect(source).await.unwrap();
    let all = columns(postgres).await;
    let mut filled = 0;
    for table in all.chunk_by(|one, other| one[0] == other[0]) {
        let name = &table[0][0];
        let (before, after) = (dump(&sqlite, table).await, dump(postgres, table).await);
        assert_eq!(before, after, "table {name}");
        filled += usize::from(!after.is_empty());
        for [_, _, _, sequence] in table.iter().filter(|column| !column[3].is_empty()) {
            let last = format!("SELECT seq FROM sqlite_sequence WHERE name = '{name}'");
            let last = numbers(&sqlite, &last).await.first().copied().unwrap_or(0);
            let next = numbers(postgres, &format!("SELECT nextval('{sequence}')")).await[0];
            assert_eq!(next, last + 1, "{sequence}");
        }
    }
    sqlite.close().await.unwrap();
    filled
}

/// Starts an app on an embedded database with objects of every kind. Returns it with their owner and their
/// ids.
async fn filled_app(files: &Path) -> (TestApp, Person, OwnedObjects) {
    let app = Setup::on(World::Small).with_files_in(files).set("CARREL_READER_LIMITS", "off").spawn().await;
    let (who, other) = (Person::on(&app, Tier::Pro).await, Person::on(&app, Tier::Premium).await);
    let own = Box::pin(OwnedObjects::create(&app, &who, "one")).await;
    random_library::fill(&app, &other, 7).await;
    random_library::fill(&app, &who, 8).await;
    let words: Vec<String> = (0..20_000).map(|number| format!("word{number}")).collect();
    who.post(&app, "/v1/library/items", &json!({"content": words.join(" ")})).await.expect(201);
    app.read(&app.site.article("/town"), &[]).await.expect(200);
    advance_minute(&app).await;
    (app, who, own)
}

/// Returns the answers to the owner's requests, without the addresses of this app and of the app `stored_by`.
async fn answers(app: &TestApp, stored_by: &TestApp, who: &Person, own: &OwnedObjects) -> Vec<String> {
    let mut answers = visible_objects(app, who, own).await;
    for path in SEARCHES {
        answers.push(format!("{path} {}", who.get(app, path).await.expect(200).text()));
    }
    let neutral = |answer: &String| {
        let test = "http://carrel.test";
        answer.replace(&app.origin, test).replace(&stored_by.origin, test)
    };
    answers.iter().map(neutral).collect()
}

#[test]
fn database_move_copies_all_rows_and_the_search_index() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("files");
        let (app, who, own) = Box::pin(filled_app(&files)).await;
        // Runs before the copy, because the first use of a cursor stores a secret.
        let before = answers(&app, &app, &who, &own).await;
        let source = copy_database(&app, &folder.path().join("copy.db")).await;
        // Adds a running job, an id above the id of the last row, and a table of another program.
        let other = "CREATE TABLE _replica (seq integer)";
        let last = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'credit_entry'";
        execute(&source, &format!("{JOB}; {last}; {other}")).await;
        let target = Arc::new(TestDatabase::create(Backend::Postgres).await);
        let moved = carrel(&source, &files, &["move", "--to", &target.url]).await;
        let text = String::from_utf8_lossy(&moved.stdout);
        assert!(moved.status.success(), "{}", String::from_utf8_lossy(&moved.stderr));
        assert!(text.contains("not copied: _replica\n") && text.contains("DATABASE_URL"), "{text}");
        assert!(text.contains(&format!("CARREL_FILES to {}", files.display())), "{text}");
        let progress = String::from_utf8_lossy(&moved.stderr);
        assert!(progress.contains("library_search: "), "{progress}");

        let postgres = target.domain.db().write();
        let filled = compare(&source, postgres).await;
        assert!(filled > 35, "only {filled} tables have rows");
        let parts = numbers(postgres, "SELECT MAX(part)::bigint FROM library_search").await;
        assert!(parts[0] > 2, "a long text has several index rows");
        let wordless = numbers(postgres, "SELECT COUNT(*) FROM library_search WHERE words = ''").await;
        assert_eq!(wordless, [0]);

        target.clock.advance(app.app.domain.now() - START);
        let setup = Setup::on(World::Large).with_database(Arc::clone(&target)).with_files_in(&files);
        let new = setup.set("CARREL_READER_LIMITS", "off").spawn().await;
        for (after, before) in answers(&new, &app, &who, &own).await.iter().zip(&before) {
            assert_eq!(after, before);
        }
        let collection = json!({"name": "after the move", "feedIds": []});
        who.post(&new, "/v1/rss/collections", &collection).await.expect(201);
        let note = json!({"text": "A zeppelin over the harbour."});
        who.post(&new, "/v1/library/notes", &note).await.expect(201);
        let matches = who.get(&new, "/v1/library/objects?query=zeppelin").await.expect(200).json();
        assert_eq!(matches["total"], 1);
        advance_minute(&new).await;
        let findings = doctor::examine(&new.app.domain).await.unwrap();
        assert!(findings.is_empty(), "{findings:#?}");

        let again = carrel(&source, &files, &["move", "--to", &target.url]).await;
        assert_fails(&again, "the target is not empty");
    });
}

#[test]
fn failed_move_leaves_the_target_empty() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let who = Person::free(&app).await;
        who.post(&app, "/v1/library/notes", &json!({"text": "A note."})).await.expect(201);
        let folder = tempfile::tempdir().unwrap();
        let source = copy_database(&app, &folder.path().join("copy.db")).await;
        execute(&source, "INSERT INTO feed_address (url, feed_id) VALUES ('https://a.example/', 77)").await;
        let target = TestDatabase::create(Backend::Postgres).await;
        let move_it = ["move", "--to", &target.url];
        let failed = carrel(&source, folder.path(), &move_it).await;
        assert_fails(&failed, "table feed_address cannot be copied");
        let postgres = target.domain.db().write();
        assert_eq!(numbers(postgres, "SELECT COUNT(*) FROM account").await, [0]);
        execute(&source, "DELETE FROM feed_address").await;
        let moved = carrel(&source, folder.path(), &move_it).await;
        assert!(moved.status.success(), "{}", String::from_utf8_lossy(&moved.stderr));
        compare(&source, postgres).await;
    });
}

#[test]
fn refused_move_reports_the_cause() {
    run(async {
        let app = Setup::on(World::Small).idle().spawn().await;
        let folder = tempfile::tempdir().unwrap();
        let source = copy_database(&app, &folder.path().join("copy.db")).await;
        let target = TestDatabase::create(Backend::Postgres).await;
        let missing = format!("sqlite://{}/missing.db?mode=rwc", folder.path().display());
        let behind = copy_database(&app, &folder.path().join("behind.db")).await;
        execute(&behind, "DELETE FROM seaql_migrations WHERE version LIKE '%operators'").await;
        for (from, to, message) in [
            (app.database_url(), target.url.as_str(), "another process uses the embedded database: stop"),
            (&source, &source, "the target must be a PostgreSQL database"),
            (&target.url, &target.url, "DATABASE_URL must be an embedded database"),
            (&missing, &target.url, "there is no installation here"),
            (&behind, &target.url, "1 migrations are pending: run `carrel migrate`"),
            (&source, "postgres://carrel@127.0.0.1:1/none", "PostgreSQL at 127.0.0.1:1 cannot be reached"),
        ] {
            assert_fails(&carrel(from, folder.path(), &["move", "--to", to]).await, message);
        }
        assert!(!folder.path().join("missing.db").exists());
        let secret = "INSERT INTO secret (name, value) VALUES ('a', '')";
        target.domain.db().write().execute_unprepared(secret).await.unwrap();
        let move_it = carrel(&source, folder.path(), &["move", "--to", &target.url]).await;
        assert_fails(&move_it, "the target is not empty (table secret has rows)");
    });
}
