//! `carrel migrate --plan` on the database of an earlier version, and this version on the schema of a newer
//! one.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use kernel::testing::TestDatabase;
use kernel::{Backend, Clock, Database, DatabaseSettings, SystemClock};
use migrations::plan::{Action, PlannedStep, TableSize, plan};
use migrations::{Migrator, MigratorTrait};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};

use crate::support::run;
use crate::support::servers::CARREL;

/// Last migration of the earlier version.
const FROM: &str = "m20261122_000312_feed_commit";

fn carrel(arguments: &[&str], url: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(CARREL);
    command.args(arguments).env_clear().env("DATABASE_URL", url).current_dir(folder.path());
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the number of steps of the earlier version, and the number of steps since then.
fn older_and_newer() -> (u32, u32) {
    let steps = Migrator::migrations();
    let older = steps.iter().position(|step| step.name() == FROM).unwrap() + 1;
    (u32::try_from(older).unwrap(), u32::try_from(steps.len() - older).unwrap())
}

async fn fill(connection: &DatabaseConnection) {
    for number in 1..=3 {
        let sql = format!(
            "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) VALUES \
             ('00000000-0000-0000-0000-00000000000{number}', 'mail', 'k{number}', '[]', 0, 1, 'ready', 0, 0, 1)"
        );
        connection.execute_unprepared(&sql).await.unwrap();
    }
}

async fn applied(connection: &DatabaseConnection) -> i64 {
    let backend = connection.get_database_backend();
    let count = Statement::from_string(backend, "SELECT COUNT(*) FROM seaql_migrations");
    connection.query_one_raw(count).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

/// Asserts that each planned table exists after the migration, unless a step drops it.
async fn assert_tables_exist(connection: &DatabaseConnection, steps: &[PlannedStep]) {
    let changes: Vec<_> = steps.iter().flat_map(|step| &step.changes).collect();
    let dropped: BTreeSet<_> =
        changes.iter().filter(|change| change.action == Action::Drop).map(|change| &change.table).collect();
    for change in changes.iter().filter(|change| !dropped.contains(&change.table)) {
        let sql = format!("SELECT 1 FROM {} LIMIT 1", change.table);
        let read = connection.execute_unprepared(&sql).await;
        assert!(read.is_ok(), "{change:?}: {read:?}");
    }
}

/// Shows the plan twice, migrates, and shows it again.
async fn assert_plan(connection: &DatabaseConnection, url: &str, parts: &[&str]) {
    fill(connection).await;
    let (before, steps) = (applied(connection).await, plan(connection).await.unwrap());
    let (_, newer) = older_and_newer();
    assert_eq!(steps.len(), usize::try_from(newer).unwrap());
    let jobs = steps.iter().flat_map(|step| &step.changes).filter(|change| change.table == "job");
    assert!(jobs.map(|change| change.rows).all(|rows| rows == TableSize::Counted(3)), "{steps:#?}");
    let output = carrel(&["migrate", "--plan"], url);
    let said = text(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    for part in parts {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
    assert_eq!(text(&carrel(&["migrate", "--plan"], url).stdout), said, "the plan changes nothing");
    assert_eq!(applied(connection).await, before);
    let migrated = carrel(&["migrate"], url);
    assert!(migrated.status.success(), "{migrated:?}");
    assert_tables_exist(connection, &steps).await;
    assert_eq!(text(&carrel(&["migrate", "--plan"], url).stdout), "no step is pending\n");
}

#[test]
fn plan_of_an_older_embedded_database_lists_steps_and_changes_nothing() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/carrel.db?mode=rwc", folder.path().display());
        let missing = carrel(&["migrate", "--plan"], &url);
        assert!(text(&missing.stdout).contains("does not exist"), "{missing:?}");
        assert!(!folder.path().join("carrel.db").exists(), "the plan creates no file");
        let db = Database::connect(&url, &DatabaseSettings::without_timeouts(2)).await.unwrap();
        let all = plan(db.read()).await.unwrap();
        Migrator::up(db.write(), Some(older_and_newer().0)).await.unwrap();
        let parts = [
            "m20261122_000320_job_indexes\n",
            "  job (3 rows): builds an index, at most a second\n",
            "  job (3 rows): drops an index\n",
            "  library_tagged (empty): writes rows\n",
            "rss_rule (new): creates the table\n",
            "measured rates of",
            "holds the write lock of the file",
        ];
        assert_plan(db.write(), &url, &parts).await;
        assert_eq!(all.len(), Migrator::migrations().len());
        assert_tables_exist(db.write(), &all).await;
        db.close().await;
    });
}

#[test]
fn plan_of_an_older_postgres_database_lists_locks_and_changes_nothing() {
    run(async {
        let test = TestDatabase::create(Backend::Postgres).await;
        let domain = test.handle_with(&DatabaseSettings::without_timeouts(4)).await;
        let connection = domain.db().write();
        Migrator::down(connection, Some(older_and_newer().1)).await.unwrap();
        let parts = [
            "m20261122_000320_job_indexes (online: each part on its own)\n",
            "  job (3 rows): builds an index, at most a second\n    lock: SHARE UPDATE EXCLUSIVE: no caller waits\n",
            "  job (3 rows): adds a column\n    lock: ACCESS EXCLUSIVE: reads and writes wait for a moment\n",
            "  library_tagged (empty): writes rows in batches\n    lock: ROW EXCLUSIVE",
            "(one transaction: its locks last until it is done)\n",
            "waits at most 1 second for a lock",
        ];
        assert_plan(connection, &test.url, &parts).await;
    });
}

#[test]
fn schema_of_a_newer_version_is_used_for_a_day_and_then_refused() {
    run(async {
        for test in TestDatabase::each().await {
            let connection = test.domain.db().write();
            let now = SystemClock.now() / 1000;
            let sql =
                format!("INSERT INTO seaql_migrations (version, applied_at) VALUES ('m2099_next', {now})");
            connection.execute_unprepared(&sql).await.unwrap();
            let warned = carrel(&["migrate"], &test.url);
            assert!(warned.status.success(), "{warned:?}");
            assert!(text(&warned.stderr).contains("a newer version has upgraded the database"), "{warned:?}");
            assert!(carrel(&["account", "list"], &test.url).status.success());
            let doctor = carrel(&["doctor"], &test.url);
            assert_eq!(doctor.status.code(), Some(1), "{doctor:?}");
            assert!(text(&doctor.stdout).contains("schema: a newer version"), "{doctor:?}");
            assert!(text(&doctor.stdout).contains("(m2099_next)"), "{doctor:?}");
            let sql = format!(
                "UPDATE seaql_migrations SET applied_at = {} WHERE version = 'm2099_next'",
                now - 90_000
            );
            connection.execute_unprepared(&sql).await.unwrap();
            for command in [&["migrate"][..], &["account", "list"]] {
                let refused = carrel(command, &test.url);
                assert_eq!(refused.status.code(), Some(1), "{refused:?}");
                assert!(text(&refused.stderr).contains("start the newer version"), "{refused:?}");
            }
        }
    });
}
